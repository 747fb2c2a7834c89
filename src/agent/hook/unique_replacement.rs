//! Smallest replacement that turns one text into another and matches one place only.

use std::iter::successors;

/// One replacement, as the tools take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Replace {
    pub(super) old: String,
    pub(super) new: String,
    /// True if every occurrence is replaced.
    pub(super) all: bool,
}

/// So many lines more are tried one by one, on either side.
const FEW: usize = 12;

/// Counts the occurrences of a text in another one, overlapping ones included.
pub(super) fn occurrences(text: &str, what: &str) -> usize {
    let (mut found, mut from) = (0, 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(what)) {
        found += 1;
        let here = from + at;
        from = here + text[here..].chars().next().map_or(1, char::len_utf8);
    }
    found
}

/// The replacement that makes `approved` of `base`, both with lines that end with `\n`. The agent's own old text is kept
/// if that can be; else whole lines are replaced, and as many of those around them as it takes to be unique.
pub(super) fn narrowed(base: &str, approved: &str, own: &[Replace]) -> Replace {
    let kept = own
        .first()
        .filter(|_| own.len() == 1)
        .and_then(|own| keeping(base, approved, &own.old));
    let (old, new) = kept.unwrap_or_else(|| by_lines(base, approved));
    Replace {
        old: old.to_owned(),
        new: new.to_owned(),
        all: false,
    }
}

/// The new text for the agent's own old one.
fn keeping<'a>(base: &'a str, approved: &'a str, old: &str) -> Option<(&'a str, &'a str)> {
    if old.is_empty() || occurrences(base, old) != 1 {
        return None;
    }
    let at = base.find(old)?;
    let (before, after) = (&base[..at], &base[at + old.len()..]);
    let fits = approved.len() >= before.len() + after.len();
    let new = approved
        .strip_prefix(before)
        .filter(|_| fits)?
        .strip_suffix(after)?;
    Some((&base[at..at + old.len()], new))
}

fn by_lines<'a>(base: &'a str, approved: &'a str) -> (&'a str, &'a str) {
    let (lines, new): (Vec<&str>, Vec<&str>) = (
        base.split_inclusive('\n').collect(),
        approved.split_inclusive('\n').collect(),
    );
    let most = lines.len().min(new.len());
    let above = (0..most).take_while(|&i| lines[i] == new[i]).count();
    let alike = |i: &usize| lines[lines.len() - 1 - i] == new[new.len() - 1 - i];
    let below = (0..most - above).take_while(alike).count();
    let near = (0..=FEW).flat_map(|more| {
        let sides = (0..=more.min(above)).filter(move |up| more - up <= below);
        sides.map(move |up| (above - up, below - (more - up)))
    });
    // A file of equal lines is not looked through once for each of them.
    let doubled = successors(Some(FEW), |more| more.checked_mul(2));
    let far = doubled.take_while(|more| *more < lines.len()).map(|more| {
        (
            above.saturating_sub(2 * more),
            below.saturating_sub(2 * more),
        )
    });
    let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    for (above, below) in near.chain(far) {
        let start = length(&lines[..above]);
        let rest = length(&lines[lines.len() - below..]);
        let old = &base[start..base.len() - rest];
        if !old.is_empty() && occurrences(base, old) == 1 {
            return (old, &approved[start..approved.len() - rest]);
        }
    }
    (base, approved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pair, for lines that are written with `|` between them.
    #[track_caller]
    fn check(base: &str, approved: &str, own: &str, expected: (&str, &str)) {
        let text = |lines: &str| lines.replace('|', "\n");
        let own = Replace {
            old: text(own),
            new: String::new(),
            all: false,
        };
        let found = narrowed(&text(base), &text(approved), &[own]);
        assert_eq!(
            (found.old.as_str(), found.new.as_str()),
            (text(expected.0).as_str(), text(expected.1).as_str())
        );
    }

    #[test]
    fn the_smallest_pair_that_can_be_meant_for_one_place_only() {
        // The agent's own text, if the change lies in it.
        check("a|b|c|", "a|B|c|", "b", ("b", "B"));
        check("a|b|c|", "a|c|", "a|b|", ("a|b|", "a|"));
        // Whole lines, if it does not.
        check("a|b|c|", "a|b|C|", "b", ("c|", "C|"));
        check("a|b|c|", "a|x|b|c|", "c", ("b|", "x|b|"));
        check("a|b|c|", "x|a|b|c|", "c", ("a|", "x|a|"));
        check("a|b|c", "a|b|c|", "a", ("c", "c|"));
        check("a|b|c|", "", "a", ("a|b|c|", ""));
        // As many as it takes.
        check("a|b|a|b|c|", "a|b|a|x|c|", "x", ("b|c|", "x|c|"));
        check("a|a|a|", "a|x|a|", "x", ("a|a|a|", "a|x|a|"));
    }

    #[test]
    fn places_that_overlap_are_counted() {
        assert_eq!(occurrences("aaaa", "aa"), 3);
        assert_eq!(occurrences("äää", "ää"), 2);
        assert_eq!(occurrences("abc", "d"), 0);
    }
}
