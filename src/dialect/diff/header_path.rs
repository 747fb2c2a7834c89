//! File names in diff headers: git's prefixes and quotes, the timestamps of `diff -u`, `/dev/null`.
//!
//! <https://git-scm.com/docs/diff-format>, <https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath>

use crate::proposal::PathClaim;
use crate::text::raw_bytes;

/// The name in a `---` or `+++` line; `None` for `/dev/null`.
pub(super) type HeaderName = Option<String>;

/// Reads what follows `--- ` or `+++ `.
pub(super) fn side(text: &str) -> HeaderName {
    let name = if text.trim_start().starts_with('"') {
        unquoted(text.trim()).map_or_else(|| text.trim().to_owned(), |(name, _)| name)
    } else {
        match text.split_once('\t') {
            // The tab marks the end: blanks before it are of the name.
            Some((name, _)) if name.trim() != name => without_blank_marks(name).to_owned(),
            Some((name, _)) => without_marks(without_date(name), &['`']).to_owned(),
            None => without_marks(without_date(text.trim()), &['`']).to_owned(),
        }
    };
    (name != "/dev/null").then_some(name)
}

/// Returns true if a `---` or `+++` line is for a file that is absent: `diff -N` writes the epoch as its timestamp, and Subversion
/// `(nonexistent)`, before 1.9 `(revision 0)`.
pub(super) fn is_absent(text: &str) -> bool {
    let stated = text.rsplit_once('\t').map(|(_, stated)| stated.trim());
    stated.is_some_and(|stated| {
        matches!(stated, "(nonexistent)" | "(revision 0)") || is_epoch(stated)
    })
}

/// Returns true for 1970-01-01 00:00:00 UTC in any time zone.
fn is_epoch(date: &str) -> bool {
    let mut words = date.split_whitespace();
    let day = match words.next() {
        Some("1969-12-31") => -24 * 60,
        Some("1970-01-01") => 0,
        Some(_) | None => return false,
    };
    let minutes = |hours: &str, minutes: &str| -> Option<i32> {
        Some(hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?)
    };
    let time = words.next().and_then(|time| {
        let (time, seconds) = time.rsplit_once(':')?;
        let is_whole = seconds.chars().all(|c| matches!(c, '0' | '.'));
        let (hour, minute) = time.split_once(':').filter(|_| is_whole)?;
        minutes(hour, minute)
    });
    let zone = match words.next() {
        None => Some(0),
        Some(zone) => zone.split_at_checked(1).and_then(|(sign, zone)| {
            let (hour, minute) = zone.split_at_checked(2)?;
            let minutes = minutes(hour, minute.trim_start_matches(':'))?;
            match sign {
                "+" => Some(minutes),
                "-" => Some(-minutes),
                _ => None,
            }
        }),
    };
    time.zip(zone)
        .is_some_and(|(time, zone)| day + time - zone == 0)
}

/// Both names of a `diff --git` line, which may hold blanks: if they are not quoted, the line is cut where both have the same last
/// part, else in its middle.
pub(super) fn git_sides(text: &str) -> Option<(String, String)> {
    if let Some((old, rest)) = unquoted(text) {
        let rest = rest.trim();
        let new = unquoted(rest).map_or_else(|| rest.to_owned(), |(new, _)| new);
        return Some((old, new));
    }
    if let Some((old, new)) = text.split_once(" \"") {
        let (new, _) = unquoted(text.get(old.len() + 1..)?).unwrap_or((new.to_owned(), ""));
        return Some((old.to_owned(), new));
    }
    // Blanks at the end are of the name if the halves are equal with them.
    if let Some((old, new)) = halves(text).filter(|_| text.trim() != text)
        && let (Some((_, first)), Some((_, second))) = (prefixed(old), prefixed(new))
        && first == second
    {
        return Some((old.to_owned(), new.to_owned()));
    }
    let text = text.trim();
    let mut cuts = text.match_indices(' ').map(|(at, _)| at);
    if let Some((old, new)) = names_of_one_file(text).or_else(|| halves(text)) {
        return Some((old.to_owned(), new.to_owned()));
    }
    let cut = cuts.next()?;
    Some((text.get(..cut)?.to_owned(), text.get(cut + 1..)?.to_owned()))
}

/// The most bytes of a line with two names that are looked through for the blank between these: two of the longest paths.
const MOST_OF_NAMES: usize = 2 * 4096 + 1;

/// Returns the two names in a text if they have the same last part, and as many others as no other two names in it.
fn names_of_one_file(text: &str) -> Option<(&str, &str)> {
    let cuts = text
        .match_indices(' ')
        .filter(|_| text.len() <= MOST_OF_NAMES);
    let names = cuts.map(|(at, _)| (&text[..at], &text[at + 1..]));
    let counted = names.map(|(old, new)| (parts_in_common(old, new), (old, new)));
    let mut found: Vec<_> = counted.filter(|(count, _)| *count > 0).collect();
    found.sort_by_key(|(count, _)| *count);
    let (most, names) = found.pop()?;
    let is_tied = found.last().is_some_and(|(count, _)| *count == most);
    (!is_tied).then_some(names)
}

/// Counts the last parts that two names have in common.
fn parts_in_common(old: &str, new: &str) -> usize {
    let parts = old.rsplit('/').zip(new.rsplit('/'));
    parts.take_while(|(old, new)| old == new).count()
}

/// Returns the two halves of a text with a blank in its middle.
fn halves(text: &str) -> Option<(&str, &str)> {
    let middle = text.len() / 2;
    let is_odd = text.len() % 2 == 1 && text.as_bytes().get(middle) == Some(&b' ');
    is_odd.then(|| Some((text.get(..middle)?, text.get(middle + 1..)?)))?
}

/// The name of the file that both sides are about.
///
/// Prefixes are taken off first if both sides carry them, or the only side does; the names as they are written follow.
pub(super) fn claim(old: Option<&str>, new: Option<&str>) -> Option<PathClaim> {
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(name), None) | (None, Some(name)) => return Some(one_sided(name)),
        (None, None) => return None,
    };
    let stripped = [prefixed(new), prefixed(old)];
    let literal = [new, old];
    let readings: Vec<&str> = match stripped {
        [Some((b, new)), Some((a, old))] if a != b => {
            [new, old].into_iter().chain(literal).collect()
        }
        // The same letter on both sides is a folder, unless it is a prefix written twice.
        [Some((_, new)), Some((_, old))] => literal.into_iter().chain([new, old]).collect(),
        // A prefix on one side only was forgotten on the other.
        [Some((_, name)), None] if name == old => vec![old, new],
        [_, _] => vec![new, old],
    };
    let (first, others) = readings.split_first()?;
    Some(PathClaim::with_others(
        *first,
        others.iter().map(ToString::to_string),
    ))
}

/// The name of a file that two names are known to be of, as on a `diff --git` line. A prefix may be empty on one side.
pub(super) fn claim_of_one(old: &str, new: &str) -> Option<PathClaim> {
    let ends_with = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|prefix| prefix.ends_with('/'))
    };
    if ends_with(new, old) {
        Some(PathClaim::with_others(old, [new.to_owned()]))
    } else if ends_with(old, new) {
        Some(PathClaim::with_others(new, [old.to_owned()]))
    } else {
        claim(Some(old), Some(new))
    }
}

/// The name of a file that has one side only, or of one side of a rename.
pub(in crate::dialect) fn one_sided(name: &str) -> PathClaim {
    match prefixed(name) {
        Some((_, stripped)) => PathClaim::with_others(stripped, [name.to_owned()]),
        None => PathClaim::plain(name),
    }
}

/// Meaning of the names in two header lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// The same file on both sides, or a file that comes or goes.
    OfOneFile,
    /// Two that look like files.
    OfTwoFiles,
    /// Something else: a comment, a sentence.
    Other,
}

/// Classifies the texts after `--- ` and `+++ ` as names of files.
pub(super) fn are_names(old: &str, new: &str) -> Names {
    let strip =
        |name: &str| prefixed(name).map_or_else(|| name.to_owned(), |(_, rest)| rest.to_owned());
    let is_path = |name: &str| name.contains(['.', '/']) && !name.contains(' ');
    match (side(old), side(new)) {
        (Some(old), Some(new)) if strip(&old) == strip(&new) => Names::OfOneFile,
        (Some(old), Some(new)) if is_path(&old) && is_path(&new) => Names::OfTwoFiles,
        (Some(_), None) | (None, Some(_)) => Names::OfOneFile,
        (Some(_), Some(_)) | (None, None) => Names::Other,
    }
}

/// Returns a name without git's prefix.
pub(super) fn bare(name: &str) -> &str {
    prefixed(name).map_or(name, |(_, name)| name)
}

/// Takes git's one-letter prefix off: `a/`, `b/`, or one of the mnemonic ones.
fn prefixed(name: &str) -> Option<(char, &str)> {
    let letter = name.chars().next().filter(|c| "abciow".contains(*c))?;
    let rest = name.get(1..)?.strip_prefix('/')?;
    (!rest.is_empty()).then_some((letter, rest))
}

/// A name without the marks that somebody put around it; one that a name only ends or begins with is its own.
pub(in crate::dialect) fn without_marks<'a>(name: &'a str, marks: &[char]) -> &'a str {
    let inner = |mark: &char| name.strip_prefix(*mark)?.strip_suffix(*mark);
    let inner = marks.iter().find_map(inner);
    inner.filter(|name| !name.is_empty()).unwrap_or(name)
}

/// Returns a name with the blanks at its ends, unless it is in marks.
pub(in crate::dialect) fn without_blank_marks(name: &str) -> &str {
    let trimmed = name.trim();
    let inner = without_marks(trimmed, &['`', '"', '\'']);
    if inner == trimmed { name } else { inner }
}

/// A date behind blanks, as some tools write it in place of a tab.
fn without_date(name: &str) -> &str {
    let Some(at) = name.find("  ") else {
        return name;
    };
    let date = name[at..].trim_start().as_bytes();
    if date.len() >= 10 && date[..4].iter().all(u8::is_ascii_digit) && date[4] == b'-' {
        &name[..at]
    } else {
        name
    }
}

/// Reads a name in C quotes from the start of a text, and returns what follows it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut name = Vec::new();
    let mut bytes = inner.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => {
                let name = String::from_utf8(name)
                    .unwrap_or_else(|odd| raw_bytes::from_bytes(odd.into_bytes()));
                return Some((name, &inner[at + 1..]));
            }
            b'\\' => {
                let (_, escaped) = bytes.next()?;
                name.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'0'..=b'3' => {
                        let digits = [escaped, bytes.next()?.1, bytes.next()?.1];
                        let digits = std::str::from_utf8(&digits).ok()?.to_owned();
                        u8::from_str_radix(&digits, 8).ok()?
                    }
                    other => other,
                });
            }
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_lines_name_a_file() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(side(text).as_deref(), expected, "{text:?}");
        };
        check("a/src/x.rs", Some("a/src/x.rs"));
        check("x y.rs", Some("x y.rs"));
        check("x.rs\t2026-01-01 00:00:00.0 +0000", Some("x.rs"));
        check("x.rs  2026-01-01 00:00:00", Some("x.rs"));
        check("\"a/f\\303\\244 \\\"x.rs\"", Some("a/f\u{e4} \"x.rs"));
        check("`a/x.rs`", Some("a/x.rs"));
        // A tab marks the end of the name.
        check("a/end \t", Some("a/end "));
        check("a/end ", Some("a/end"));
        check("a/the `x`", Some("a/the `x`"));
        check("/dev/null", None);
        check("/dev/null\t1970-01-01", None);
    }

    #[test]
    fn an_absent_file_has_the_epoch_or_a_word_of_subversion() {
        let check = |date: &str, expected: bool| {
            assert_eq!(is_absent(&format!("x.rs\t{date}")), expected, "{date}");
        };
        check("1970-01-01 00:00:00.000000000 +0000", true);
        check("1970-01-01 01:00:00.000000000 +0100", true);
        check("1969-12-31 19:00:00 -0500", true);
        check("1970-01-01 05:30:00 +05:30", true);
        check("1970-01-01 00:00:00", true);
        check("1970-01-01 00:00:01 +0000", false);
        check("1970-01-01 00:00:00 +0100", false);
        check("2026-01-01 00:00:00 +0000", false);
        check("1970-01-01", false);
        check("(nonexistent)", true);
        check("(.../trunk/x.rs)\t(nonexistent)", true);
        check("(revision 0)", true);
        check("(revision 10)", false);
        check("(working copy)", false);
        check("", false);
    }

    #[test]
    fn names_of_one_file_differ_in_their_prefixes() {
        let check = |old: &str, new: &str, expected: &str| {
            let found = claim_of_one(old, new);
            let found = found.map(|claim| claim.readings().collect::<Vec<_>>().join("|"));
            assert_eq!(found.unwrap_or_default(), expected, "{old} {new}");
        };
        check("a/x", "b/x", "x|b/x|a/x");
        check("old/x", "new/x", "new/x|old/x");
        check("x", "new/x", "x|new/x");
        check("old/x", "x", "x|old/x");
        check("d/x", "d/x", "d/x");
    }

    #[test]
    fn git_lines_name_both_sides() {
        let check = |text: &str, old: &str, new: &str| {
            let expected = Some((old.to_owned(), new.to_owned()));
            assert_eq!(git_sides(text), expected, "{text:?}");
        };
        check("a/x b/x", "a/x", "b/x");
        check("a/x y b/x y", "a/x y", "b/x y");
        check("a/x b/longer", "a/x", "b/longer");
        check("a/x  b/x ", "a/x ", "b/x ");
        check("a/d/x y.bin new/d/x y.bin", "a/d/x y.bin", "new/d/x y.bin");
        check("old/d e/x new/d e/x", "old/d e/x", "new/d e/x");
        check("x/y/d e/x z/d e/x", "x/y/d e/x", "z/d e/x");
        check("d e/x d e/x", "d e/x", "d e/x");
        check("a/x b/x ", "a/x", "b/x");
        check("\"a/\\303\\244\" b/x", "a/\u{e4}", "b/x");
        check("a/x \"b/\\303\\244\"", "a/x", "b/\u{e4}");
        assert_eq!(git_sides("x"), None);
    }

    #[test]
    fn a_prefix_is_taken_off_when_both_sides_have_one() {
        let check = |old: Option<&str>, new: Option<&str>, expected: &str| {
            let found = claim(old, new).map(|claim| claim.readings().collect::<Vec<_>>().join("|"));
            assert_eq!(found.unwrap_or_default(), expected, "{old:?} {new:?}");
        };
        check(Some("a/x"), Some("b/x"), "x|b/x|a/x");
        check(Some("i/x"), Some("w/x"), "x|w/x|i/x");
        check(Some("a/x"), Some("a/x"), "a/x|x");
        check(Some("x"), Some("x"), "x");
        check(Some("a/x"), Some("x"), "x|a/x");
        check(Some("x"), Some("b/x"), "x|b/x");
        check(Some("x.orig"), Some("x"), "x|x.orig");
        check(None, Some("b/x"), "x|b/x");
        check(Some("a/x"), None, "x|a/x");
        check(None, None, "");
    }
}
