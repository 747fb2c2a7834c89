//! Typographic characters of the file in the lines of an edit that has plain ones, or other ones.
//!
//! An edit may match a line whose quotes, dashes or blanks are other characters than those in the edit. What the edit does not
//! change there stays as the file has it.

use rustc_hash::FxHashSet;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::matching::normalize::{fold, is_blank};
use crate::locate::placement::Rung;

/// A few characters of the edit, and those of the file that match them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CharPair<'a> {
    edit: &'a str,
    file: &'a str,
}

/// The most pairs of an old and a new line that are compared.
const MOST_PAIRS: usize = 4096;

/// Returns the new lines of a change, without their indentation, with the file's characters where the edit does not change them.
/// `pairs` are the removed lines, each with the line of the file.
pub(super) fn kept(pairs: &[(&str, &str)], new: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = (new.iter())
        .map(|line| line.trim_start().to_owned())
        .collect();
    for (old, new) in line_pairs(pairs, &lines) {
        let (edit, file) = pairs[old];
        lines[new] = kept_in_line(edit.trim(), file.trim(), &lines[new]);
    }
    lines
}

/// Pairs the old lines with the new lines that have most words in common with them, in order.
fn line_pairs(pairs: &[(&str, &str)], new: &[String]) -> Vec<(usize, usize)> {
    if pairs.len() == new.len() {
        return (0..new.len()).map(|nth| (nth, nth)).collect();
    }
    if pairs.len() * new.len() > MOST_PAIRS {
        return Vec::new();
    }
    let old: Vec<FxHashSet<&str>> = (pairs.iter())
        .map(|(edit, _)| words(edit).into_iter().collect())
        .collect();
    let new: Vec<FxHashSet<&str>> = (new.iter())
        .map(|line| words(line).into_iter().collect())
        .collect();
    let in_common = |i: usize, j: usize| old[i].intersection(&new[j]).count();
    // The most words in common of the lines from a pair of positions on.
    let mut best = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let both = best[i + 1][j + 1] + in_common(i, j);
            best[i][j] = both.max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut found) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if best[i][j] == best[i][j + 1] {
            j += 1;
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        }
    }
    found
}

/// Returns a new line with the characters of the file where it does not differ from the old one.
fn kept_in_line(edit: &str, file: &str, new: &str) -> String {
    let cells = aligned(edit, file);
    let target = targets(edit, new);
    let mut result = String::with_capacity(new.len());
    let (mut at, mut done) = (0, 0);
    for cell in &cells {
        let range = at..at + cell.edit.len();
        at = range.end;
        if cell.edit == cell.file || cell.edit.is_empty() {
            continue;
        }
        let bytes = &target[range.clone()];
        let Some(first) = bytes[0] else { continue };
        let is_whole = (bytes.iter().enumerate()).all(|(i, byte)| *byte == Some(first + i));
        // A sign whose neighbours are all other ones may belong to another word.
        let before = range.start.checked_sub(1);
        let is_before = before.is_none_or(|byte| first > 0 && target[byte] == Some(first - 1));
        let is_after =
            (target.get(range.end)).is_none_or(|byte| *byte == Some(first + bytes.len()));
        // A sign other than a blank between two letters belongs to their word: in another word it is another sign.
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_inside = !is_space(cell.edit)
            && is_letter(edit[..range.start].chars().next_back())
            && is_letter(edit[range.end..].chars().next());
        let is_kept = if is_inside {
            is_before && is_after
        } else {
            is_before || is_after
        };
        if is_whole && is_kept && first >= done {
            result.push_str(&new[done..first]);
            result.push_str(cell.file);
            done = first + bytes.len();
        }
    }
    result.push_str(&new[done..]);
    result
}

/// Returns the position in the new text of each byte of the old one that stays.
fn targets(old: &str, new: &str) -> Vec<Option<usize>> {
    let (old_words, new_words) = (words(old), words(new));
    let mut target = vec![None; old.len()];
    let starts = |words: &[&str]| {
        let mut at = 0;
        let start = |word: &&str| {
            at += word.len();
            at - word.len()
        };
        words.iter().map(start).collect::<Vec<usize>>()
    };
    let (old_starts, new_starts) = (starts(&old_words), starts(&new_words));
    for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
        if op.tag() != DiffTag::Equal {
            continue;
        }
        for (i, j) in op.old_range().zip(op.new_range()) {
            for byte in 0..old_words[i].len() {
                target[old_starts[i] + byte] = Some(new_starts[j] + byte);
            }
        }
    }
    target
}

/// Cuts a text into words and single other characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() {
            rest.find(|c: char| !c.is_alphanumeric())
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after;
    }
    words
}

/// Pairs the characters of a line of the edit with those of the file that are the same but for typography. All of them are those of
/// the edit if the lines differ in another way.
fn aligned<'a>(edit: &'a str, file: &'a str) -> Vec<CharPair<'a>> {
    let alone = || vec![CharPair { edit, file: edit }];
    if edit == file || (edit.is_ascii() && file.is_ascii()) {
        return alone();
    }
    let mut cells = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < edit.len() || j < file.len() {
        let (start, first) = (i, j);
        let (mut own, mut other) = (String::new(), String::new());
        loop {
            let is_empty = own.is_empty() && other.is_empty();
            if own == other && !is_empty {
                break;
            }
            let (text, at, folded) = if own.len() <= other.len() && i < edit.len() {
                (edit, &mut i, &mut own)
            } else if j < file.len() {
                (file, &mut j, &mut other)
            } else {
                break;
            };
            let Some(character) = first_run(&text[*at..]) else {
                break;
            };
            *at += character.len();
            if is_space(character) {
                folded.push(' ');
            } else {
                folded.push_str(&fold(Rung::Punctuation, character));
            }
        }
        if own != other {
            return alone();
        }
        let cell = CharPair {
            edit: &edit[start..i],
            file: &file[first..j],
        };
        // Other blanks of a typewriter are no typography.
        let is_plain = cell.edit.is_ascii() && cell.file.is_ascii();
        cells.push(if is_plain {
            CharPair {
                file: cell.edit,
                ..cell
            }
        } else {
            cell
        });
    }
    cells
}

/// Returns the first character of a text, or the blanks that it begins with.
fn first_run(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let length = if first.is_whitespace() {
        text.find(|c: char| !c.is_whitespace())
            .unwrap_or(text.len())
    } else {
        first.len_utf8()
    };
    Some(&text[..length])
}

fn is_space(text: &str) -> bool {
    is_blank(text) || text.chars().all(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_edit_does_not_change_stays_as_the_file_has_it() {
        let check = |old: &str, file: &str, new: &str, expected: &str| {
            let pairs: Vec<(&str, &str)> = old.lines().zip(file.lines()).collect();
            let new: Vec<String> = new.lines().map(str::to_owned).collect();
            assert_eq!(kept(&pairs, &new).join("\n"), expected, "{old:?}");
        };
        check(
            "say \"hello\" and it's \"fine\".",
            "say “hello” and it’s “fine”.",
            "say \"hello\" and it's \"great\".",
            "say “hello” and it’s “great”.",
        );
        // New quotes are those of the edit.
        check("say a", "say\u{A0}a", "say \"b\" a", "say\u{A0}\"b\" a");
        check("it's a", "it’s a", "it is a", "it is a");
        check(
            "m = \"it's 'x'\"",
            "m = \"it’s ‘x’\"",
            "m = 'it'",
            "m = 'it'",
        );
        check("it's 'x'", "it’s ‘x’", "it's 'y'", "it’s ‘y’");
        check("a - b...", "a — b…", "a - c...", "a — c…");
        // The other way.
        check("“a” b", "\"a\" b", "“a” c", "\"a\" c");
        // Several lines, with other indentation.
        check(
            "\"a\"\n  'b' c",
            "  “a”\n    ‘b’ c",
            "\"a\"\n  new\n  'b' d",
            "“a”\nnew\n‘b’ d",
        );
        check(
            "- \"first\" item",
            "- “first” item",
            "- \"new\" line\n- \"first\" thing",
            "- \"new\" line\n- “first” thing",
        );
        // Another line is not known to have the same characters.
        check("\"a\" b c", "“a” x c", "\"a\" d", "\"a\" d");
        check("a  b", "a b", "a  c", "a  c");
        check("a\u{200B}b c", "ab c", "a\u{200B}b d", "ab d");
    }
}
