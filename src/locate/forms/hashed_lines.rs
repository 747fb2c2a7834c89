//! Hunks that name lines by number and a short hash of their text.
//!
//! A line that has another hash is another line: the hunk has no place. The hash has few bits, so a line that fits it is evidence
//! for the number and no more, and the confidence is [`Confidence::Fuzzy`], as for lines named by number alone.

use crate::locate::forms::whole_text::no_target;
use crate::locate::matching::index::Index;
use crate::locate::placement::{Change, Chosen, Confidence, Location, Placement};
use crate::proposal::{Hunk, LineEdit, LineHash};
use crate::text::LineNo;

/// Places a hunk on the lines that its anchors name.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk, edit: LineEdit) -> Location {
    let document = index.document;
    let names: Option<Vec<LineHash>> = hunk
        .anchors
        .iter()
        .map(|anchor| LineHash::parse(&anchor.text))
        .collect();
    let names = names.unwrap_or_default();
    let (Some(first), Some(last)) = (names.first(), names.last()) else {
        return no_target("the edit names no line");
    };
    if last.line < first.line {
        return no_target(format!("line {} is before line {}", last.line, first.line));
    }
    let range = first.line.idx()..last.line.idx() + 1;
    let removed = match edit {
        LineEdit::Replace => range.clone(),
        LineEdit::Before => range.start..range.start,
        LineEdit::After => range.end..range.end,
    };
    let with = &hunk.body.postimage;
    if !with.is_empty() {
        let start = match edit {
            LineEdit::Before => removed.start.checked_sub(with.len()),
            LineEdit::Replace | LineEdit::After => Some(removed.start),
        };
        if let Some(start) = start.filter(|&start| document.has_lines(start, with)) {
            return Location::AlreadyApplied {
                at: LineNo::from_idx(start),
            };
        }
    }
    for name in &names {
        let at = name.line.idx();
        if at >= document.len() {
            return no_target(format!("the file has no line {}", name.line));
        }
        if !name.fits(document.line(at)) {
            return no_target(format!(
                "the hashline `anchor` does not fit line {}: the line has changed, so its hash is another",
                name.line
            ));
        }
    }
    let change = Change {
        lines: removed,
        with: with.clone(),
    };
    Location::Placed(Placement {
        confidence: Confidence::Fuzzy,
        offset: Some(0),
        chosen: Some(Chosen::Hash),
        ..Placement::exact(range, vec![change])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::shown;
    use crate::proposal::{Anchor, AnchorStrength, Extent};
    use crate::text::Document;

    #[test]
    fn a_hash_decides_whether_a_line_is_the_one_that_is_named() {
        use LineEdit::{After, Before, Replace};
        let check = |anchors: &[&str], edit: LineEdit, with: &str, expected: &str| {
            let document = Document::from_text("one\ntwo\nthree\n}\n");
            let mut hunk = shown::hunk(Extent::Hashed(edit), "", with);
            hunk.anchors = anchors
                .iter()
                .map(|name| Anchor {
                    text: (*name).to_owned(),
                    strength: AnchorStrength::Stated,
                })
                .collect();
            let found = place(&Index::new(&document), &hunk, edit);
            assert_eq!(shown::location(&found), expected, "{anchors:?} {edit:?}");
        };
        check(&["2#HV"], Replace, "x", "1-2:x");
        check(&["2:f4"], Replace, "", "1-2:");
        check(&["2#HV"], Before, "x", "1-1:x");
        check(&["2#HV"], After, "x|y", "2-2:x|y");
        check(&["1#WZ", "3#HN"], Replace, "x", "0-3:x");
        check(&["4#NN"], After, "x", "4-4:x");
        check(&["2#HV"], Replace, "two", "applied at 2");
        check(&["2#HV"], After, "three", "applied at 3");
        check(&["3#HN"], Before, "one|two", "applied at 1");
        let changed = |line| {
            format!(
                "NoTarget {{ why: \"the hashline `anchor` does not fit line {line}: the line has changed, so its hash is another\" }}"
            )
        };
        check(&["2#HN"], Replace, "x", &changed(2));
        check(&["1#WZ", "3#HV"], Replace, "x", &changed(3));
        check(
            &["9#HV"],
            Replace,
            "x",
            "NoTarget { why: \"the file has no line 9\" }",
        );
        check(
            &["3#HN", "1#WZ"],
            Replace,
            "x",
            "NoTarget { why: \"line 1 is before line 3\" }",
        );
        check(
            &["x"],
            Replace,
            "x",
            "NoTarget { why: \"the edit names no line\" }",
        );
    }
}
