//! Hunks whose lines are in another file now.

use std::time::{Duration, Instant};

use crate::agent::git::files_with;
use crate::app::look::look_by_name;
use crate::app::snapshots::Snapshots;
use crate::locate::Unplaced;
use crate::proposal::Body;
use crate::review::{Found, HunkReview, Outcome, Remark, ReviewSession};
use crate::store::Root;
use crate::text::{Document, LineIdx, LineNo};

/// The longest time for the search for all hunks.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most lines of a hunk that are searched for before the files are read.
const MOST_LINES: usize = 6;
/// The most files that are read. Lines that more files hold show nothing.
const MOST_FILES: usize = 8;

/// Names the file that holds the lines of each hunk that has no place in its own, if there is exactly one.
pub(crate) fn mark(root: &Root, session: &mut ReviewSession) {
    let mut search = LineSearch::new(root);
    let hunks = session.files.iter_mut().flat_map(|file| {
        let path = file.path.clone();
        let hunks = file.hunks.iter_mut();
        hunks.map(move |hunk| (path.clone(), hunk))
    });
    for (path, hunk) in hunks.filter(|(_, hunk)| is_lost(hunk)) {
        let Some(asked) = hunk.asked.as_ref().and_then(|asked| asked.hunk()) else {
            continue;
        };
        if let Some((path, line)) = search.holder(&path, &asked.body) {
            hunk.remarks.push(Remark::InAnotherFile { path, line });
        }
    }
}

fn is_lost(hunk: &HunkReview) -> bool {
    matches!(
        hunk.outcome,
        Outcome::Unplaced(Unplaced::NotFound { .. } | Unplaced::Conflict { .. })
    )
}

/// A search for the files that hold the lines of edits. All of them together take [`PATIENCE`] at most.
pub(crate) struct LineSearch<'r> {
    root: &'r Root,
    read: Snapshots,
    until: Instant,
}

impl<'r> LineSearch<'r> {
    pub(crate) fn new(root: &'r Root) -> Self {
        let mut read = Snapshots::default();
        read.begin();
        Self {
            root,
            read,
            until: Instant::now() + PATIENCE,
        }
    }

    /// Returns the only file besides `own` that holds the old lines of an edit, and where it does. One that holds the new lines too is a
    /// record of the edit, such as the reply that it comes from.
    pub(crate) fn holder(&mut self, own: &str, edit: &Body) -> Option<(String, LineNo)> {
        let (lines, new_lines) = (&edit.preimage, &edit.postimage);
        let is_telling = |line: &&str| line.chars().any(char::is_alphanumeric);
        let mut telling: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        telling.retain(is_telling);
        telling.sort_by_key(|line| std::cmp::Reverse(line.len()));
        telling.dedup();
        telling.truncate(MOST_LINES);
        let left = self.until.saturating_duration_since(Instant::now());
        // One line alone may be in another file by chance.
        if telling.len() < 2 || left.is_zero() {
            return None;
        }
        let names = files_with(self.root.path(), &telling, left);
        if names.len() > MOST_FILES {
            return None;
        }
        let mut places = Vec::new();
        for name in names.into_iter().filter(|name| name != own) {
            let Found::Text { document, .. } = look_by_name(self.root, &mut self.read, &name)
            else {
                continue;
            };
            let is_record =
                !new_lines.is_empty() && places_of(&document, new_lines).next().is_some();
            let found = places_of(&document, lines).filter(|_| !is_record);
            places.extend(found.map(|line| (name.clone(), line)));
        }
        match places.as_mut_slice() {
            [_] => places.pop(),
            _ => None,
        }
    }
}

/// Returns the places at which lines are in a text, but for the blanks around each.
fn places_of<'a>(document: &'a Document, lines: &'a [String]) -> impl Iterator<Item = LineNo> {
    let is_equal = |(at, line): (LineIdx, &String)| document.line(at).trim() == line.trim();
    let last = (document.len() + 1).saturating_sub(lines.len());
    (0..last)
        .filter(move |&start| (start..).zip(lines).all(is_equal))
        .map(LineNo::from_idx)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;
    use crate::app::batch::Batch;
    use crate::app::input;
    use crate::app::source::ReviewSource;
    use crate::config::Config;
    use crate::dialect::Options;

    #[test]
    fn the_only_other_file_that_holds_the_lines_is_named() {
        let check = |others: &[(&str, &str)], old: &str, expected: Option<(&str, usize)>| {
            let place = tempfile::tempdir().unwrap();
            let tree = place.path().join("tree");
            fs::create_dir(&tree).unwrap();
            for (name, text) in others
                .iter()
                .chain(&[("a", "1\n2\n"), (".gitignore", "o\n")])
            {
                fs::write(tree.join(name), text).unwrap();
            }
            let git = Command::new("git").arg("init").arg(&tree).output();
            assert!(git.unwrap().status.success());
            let root = Root::open(&tree).unwrap();
            let root = root.keeping_state_in(place.path().join("state"));
            let edit = format!("a\n<<<<<<< SEARCH\n{old}=======\nnew\n>>>>>>> REPLACE\n");
            let input = input::parse(vec![edit], &Options::default()).unwrap();
            let session = Batch::new(root, Config::default(), input).place().unwrap();
            let remarks = &session.files[0].hunks[0].remarks;
            let expected = expected.map(|(path, line)| Remark::InAnotherFile {
                path: path.to_owned(),
                line: LineNo::new(line).unwrap(),
            });
            assert_eq!(remarks.first(), expected.as_ref(), "{others:?}");
        };
        let old = "fn one() {\n    two(3);\n";
        let moved = "mod b;\n\nimpl B {\n    fn one() {\n        two(3);\n    }\n}\n";
        check(&[("b", moved)], old, Some(("b", 4)));
        // A file that has the new lines too is a record of the edit.
        check(&[("b", &format!("{moved}=======\nnew\n"))], old, None);
        check(&[("b", "two(3);\nfn one() {\n")], old, None);
        check(&[("b", moved), ("c", moved)], old, None);
        // An ignored file is made from others.
        check(&[("o", moved)], old, None);
        check(&[("b", moved)], "fn one() {\n", None);
        // In its own place it is not looked for elsewhere.
        check(&[("b", "1\n2\n")], "1\n2\n", None);
    }
}
