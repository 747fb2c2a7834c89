//! Changed lines that look the same before and after: composed and decomposed letters, and letters of another script.
//!
//! Two texts look the same if they have the same skeleton after UTS 39 (<https://www.unicode.org/reports/tr39/>), as the screen shows
//! them. Fonts for code distinguish the characters of ASCII, so lines that differ in these alone do not look the same.

use unicode_security::skeleton;
use unicode_width::UnicodeWidthStr;

use crate::review::session::file::FileReview;
use crate::text::sanitize;

/// Longer lines are not compared, in bytes.
const LONGEST: usize = 1 << 12;

/// Changed lines of a hunk that look the same before and after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LookAlikes {
    /// Their number.
    pub lines: usize,
    /// True if the hunk has no other changed lines.
    pub is_all: bool,
}

/// Counts the changed lines of a hunk that look the same before and after.
pub fn look_alikes(file: &FileReview, hunk: usize) -> LookAlikes {
    let Some(hunk) = file.hunks.get(hunk).filter(|hunk| hunk.is_decidable()) else {
        return LookAlikes::default();
    };
    let changed = &hunk.state.lines;
    let pairs = (changed.iter()).filter(|line| line.removes);
    let pairs = pairs.filter_map(|line| Some((file.base.line(line.at), line.adds.as_deref()?)));
    let lines = pairs.filter(|(old, new)| looks_same(old, new)).count();
    LookAlikes {
        lines,
        is_all: lines > 0 && lines == changed.len(),
    }
}

/// Returns true if two lines differ and look the same.
fn looks_same(old: &str, new: &str) -> bool {
    if old.len().max(new.len()) > LONGEST || others(old).eq(others(new)) {
        return false;
    }
    // The screen shows some characters by a sign or a number.
    let (old, new) = (sanitize(old), sanitize(new));
    // A letter of two cells is not taken for one of one cell.
    old.width() == new.width() && skeleton(&old).eq(skeleton(&new))
}

/// The characters of a text that are not ASCII.
fn others(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| !c.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::looks_same;

    #[test]
    fn letters_of_other_scripts_and_forms_look_the_same() {
        for (old, new) in [
            ("let caf\u{e9} = 1;", "let cafe\u{301} = 1;"),
            ("if admin {", "if \u{430}dmin {"),
            ("scope", "s\u{441}\u{43e}pe"),
            ("\u{391}lpha", "Alpha"),
            ("a - b", "a \u{2010} b"),
        ] {
            assert!(looks_same(old, new), "{old} {new}");
            assert!(looks_same(new, old), "{old} {new}");
        }
    }

    #[test]
    fn visible_differences_do_not_look_the_same() {
        for (old, new) in [
            ("same", "same"),
            // ASCII alone.
            ("x1", "xl"),
            ("\u{e9} = O", "\u{e9} = 0"),
            // Other letters.
            ("\u{e9}", "e"),
            ("\u{434}om", "dom"),
            // Shown by a sign or a number.
            ("a b", "a\u{a0}b"),
            ("ab", "a\u{200b}b"),
            // Two cells.
            ("A", "\u{ff21}"),
        ] {
            assert!(!looks_same(old, new), "{old} {new}");
            assert!(!looks_same(new, old), "{old} {new}");
        }
    }

    #[test]
    fn very_long_lines_are_not_compared() {
        let line = |count| ("x".repeat(count) + "\u{430}", "x".repeat(count) + "a");
        let (old, new) = line(4094);
        assert!(looks_same(&old, &new));
        let (old, new) = line(4095);
        assert!(!looks_same(&old, &new));
    }
}
