//! Lines that say less than the file's and are still known: cut off, with a part left out, or declared in fewer words.

use super::rewording::names;

/// What declares a name, whichever of them it is.
const DECLARATIONS: [&str; 3] = ["const", "let", "var"];
/// What a line may begin with that says who sees what it declares.
const VISIBILITIES: [&str; 2] = ["export", "pub"];
/// What stands for a part of a line that was left out, and how much of the line must be left.
const LEFT_OUT: [&str; 2] = ["...", "\u{2026}"];
const LEAST_LEFT: usize = 8;

/// Whether a comment is the beginning of the file's, of two words at least after its sign.
pub(super) fn is_cut_off(edit: &str, file: &str) -> bool {
    let begun = (LEFT_OUT.iter()).fold(edit, |edit, sign| edit.trim_end_matches(sign));
    let begun = begun.trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let rest = file.strip_prefix(begun);
    begun.len() >= LEAST_LEFT
        && names(begun).nth(1).is_some()
        && rest.is_some_and(|rest| !rest.starts_with(is_part))
}

/// Whether a line is the file's with a part of it left out, and says so.
pub(super) fn is_abbreviated(edit: &str, file: &str) -> bool {
    let has_all = |sign: &&str| {
        edit.split_once(*sign).is_some_and(|(head, tail)| {
            head.len() + tail.len() >= LEAST_LEFT
                && head.len() + tail.len() < file.len()
                && names(head).next().is_some()
                && file.starts_with(head)
                && file.ends_with(tail)
        })
    };
    !LEFT_OUT.iter().any(|sign| file.contains(sign)) && LEFT_OUT.iter().any(has_all)
}

/// Two lines without the words at their beginning that say how they declare the same names: no function is told by them from the
/// one beside it.
pub(super) fn declared<'e, 'f>(edit: &'e str, file: &'f str) -> (&'e str, &'f str) {
    let (own, other) = (
        without_word(edit, &VISIBILITIES),
        without_word(file, &VISIBILITIES),
    );
    let (bare, there) = (
        without_word(own, &DECLARATIONS),
        without_word(other, &DECLARATIONS),
    );
    if bare.len() < own.len() && there.len() < other.len() {
        (bare, there)
    } else {
        (own, other)
    }
}

/// A line without its first word, if that is one of some.
fn without_word<'l>(line: &'l str, words: &[&str]) -> &'l str {
    match line.split_once(' ') {
        Some((word, rest)) if words.contains(&word) => rest,
        _ => line,
    }
}
