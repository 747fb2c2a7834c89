//! Hunks whose operation makes a new text of the whole file: the lines that differ become the changes.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::placement::{Change, Confidence, Location, Placement, Unplaced};
use crate::text::{Document, LineNo};

/// Maximum product of the lines that differ on both sides for which they are compared with each other.
const MAX_COMPARED: usize = 4_000_000;

/// Returns the location of an operation that cannot be carried out.
pub(crate) fn no_target(why: impl Into<String>) -> Location {
    Location::Unplaced(Unplaced::NoTarget { why: why.into() })
}

/// Returns the text of a file with the same ending behind each line.
pub(crate) fn plain_text(document: &Document) -> String {
    let mut text = String::with_capacity(document.text().len());
    for line in document.lines() {
        text.push_str(line);
        text.push('\n');
    }
    if !document.has_final_newline() {
        text.pop();
    }
    text
}

/// Returns the location of an operation that turns the [`plain_text`] of a file into another one.
pub(crate) fn placed(document: &Document, text: &str, confidence: Confidence) -> Location {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    let is_empty = text.is_empty();
    if !is_empty && text.ends_with('\n') != document.has_final_newline() {
        return no_target("the operation changes the newline at the end of the file");
    }
    let old: Vec<&str> = document.lines().collect();
    let new: Vec<&str> = if is_empty {
        Vec::new()
    } else {
        lines.split('\n').collect()
    };
    let changes = differing(&old, &new);
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(0),
        };
    };
    Location::Placed(Placement {
        confidence,
        ..Placement::exact(first.lines.start..last.lines.end, changes)
    })
}

/// Returns the differences between two texts.
fn differing(old: &[&str], new: &[&str]) -> Vec<Change> {
    let start = std::iter::zip(old, new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..], &new[start..]);
    let pairs = std::iter::zip(old.iter().rev(), new.iter().rev());
    let end = pairs.take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    let ranges = if old.len().saturating_mul(new.len()) > MAX_COMPARED {
        vec![(0..old.len(), 0..new.len())]
    } else {
        let ops = capture_diff_slices(Algorithm::Myers, old, new).into_iter();
        ops.filter(|op| op.tag() != DiffTag::Equal)
            .map(|op| (op.old_range(), op.new_range()))
            .collect()
    };
    let changes = ranges.into_iter().map(|(removed, added)| Change {
        lines: start + removed.start..start + removed.end,
        with: new[added].iter().map(ToString::to_string).collect(),
    });
    changes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::shown;

    #[test]
    fn lines_that_differ_become_changes() {
        let check = |old: &str, new: &str, expected: &str| {
            let document = Document::from_text(old);
            let found = placed(&document, new, Confidence::Exact);
            assert_eq!(shown::location(&found), expected, "{old:?} {new:?}");
        };
        check("a\nb\nc\n", "a\nB\nc\n", "1-2:B");
        check("a\nb\nc\n", "A\nb\nC\n", "0-1:A 2-3:C");
        check("a\n", "a\n", "applied at 1");
        check(
            "a\nb",
            "a\nb\n",
            "NoTarget { why: \"the operation changes the newline at the end of the file\" }",
        );
        check("a\n", "", "0-1:");
    }

    #[test]
    fn the_plain_text_has_one_kind_of_ending() {
        assert_eq!(plain_text(&Document::from_text("a\r\nb")), "a\nb");
        assert_eq!(plain_text(&Document::from_text("a\nb\n")), "a\nb\n");
        assert_eq!(plain_text(&Document::from_text("")), "");
    }
}
