//! A whole text that was written against another version of the file than the one that is there now.
//!
//! Such a text changes what its writer saw. What has changed in the file since is not in it, and would be taken back: so the change from
//! that version to the text is carried over to the file as it is.

use std::sync::Arc;

use super::line_changes::changes;
use super::revert::{Reverted, revert};
use super::whole_file::WholeText;
use crate::locate::{Chosen, Confidence, Doubt, Placement};
use crate::proposal::{Version, VersionName};
use crate::text::{Document, in_one_encoding};

/// The lines of a file with the change that a whole text makes.
pub(in crate::review) struct MergedText {
    pub(in crate::review) lines: Vec<String>,
    /// True if the text and the file changed the same lines of the version; those are as the text has them.
    is_doubtful: bool,
    version: Arc<VersionName>,
}

impl MergedText {
    /// Merges a text into a file. `None` if it is written as it is: what has changed in the file since that version is in it.
    pub(in crate::review) fn of(
        written: &WholeText<'_>,
        version: &Version,
        base: &Document,
    ) -> Option<Self> {
        let read = in_one_encoding([&version.text, base]);
        let was = read.as_ref().map_or(&version.text, |[was, _]| was);
        if was.encoding() != base.encoding() || was.text() == base.text() {
            return None;
        }
        let Reverted { text, doubtful } = revert(&written.document(), was, base);
        let text = Document::from_text(text);
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Where both made the same change, nothing is left to do.
        let to_do = changes(base, &text);
        let is_doubtful = doubtful.iter().any(|at| {
            let mut to_do = to_do.iter().map(|(lines, _)| lines);
            to_do.any(|lines| lines.start <= at.end && at.start <= lines.end)
        });
        let is_as_written = !is_doubtful && *lines == *written.lines;
        (!is_as_written).then(|| Self {
            lines,
            is_doubtful,
            version: Arc::clone(&version.name),
        })
    }

    /// Notes in a placement that it is one of merged lines.
    pub(in crate::review) fn mark(self, placement: &mut Placement) {
        placement.chosen = Some(Chosen::Version);
        placement.version = Some(self.version);
        if self.is_doubtful {
            placement.confidence = Confidence::Doubtful;
            placement.doubt = Some(Doubt::Changed);
        } else {
            placement.confidence = placement.confidence.max(Confidence::Safe);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{Options, parse};
    use crate::proposal::Proposal;

    /// Checks the lines that a file has after a whole text, with a question mark if a person has to look at them.
    #[track_caller]
    fn check(was: &str, written: &str, now: &str, expected: Option<&str>) {
        let [was, written, now] = [was, written, now].map(|text| text.replace(' ', "\n") + "\n");
        let call =
            serde_json::json!({"name": "Write", "input": {"file_path": "a", "content": written}});
        let Proposal { files, .. } = parse(&call.to_string(), &Options::default()).proposal;
        let base = Document::from_text(now);
        let version = Version {
            text: Document::from_text(was),
            name: Arc::new(VersionName::Arrival),
        };
        let merged = MergedText::of(&WholeText::of(&files[0], &base), &version, &base);
        let shown = merged.map(|merged| {
            let question = if merged.is_doubtful { "?" } else { "" };
            merged.lines.join(" ") + question
        });
        assert_eq!(shown.as_deref(), expected);
    }

    #[test]
    fn what_has_changed_since_stays() {
        check("a b c d e", "a b c d E", "A b c d e", Some("A b c d E"));
        check("a b c d e", "a b c d", "new a b c d e", Some("new a b c d"));
        // The file is as it was, or has that change only.
        check("a b c", "a b C", "a b c", None);
        check("a b c", "a b C", "a b C", None);
        check("a b c d e", "A b c d E", "A b c d e", None);
        // Both changed the same lines.
        check("a b c d e", "a b C d E", "a b x d e", Some("a b C d E?"));
    }
}
