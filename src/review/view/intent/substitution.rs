//! Hunks that replace one word with another.

use rustc_hash::FxHashSet;

use super::changed_text::{ChangedText, first_word, is_compound, is_name, is_of_name, names};
use super::gather::gather;

/// A removed word, and the word in its place.
pub(super) type Substitution<'a> = (&'a str, &'a str);

/// Fewer hunks than this do not do the same.
const LEAST: usize = 2;

/// Returns the words that several of the free hunks replace, and do nothing else, each with these hunks and those that do it among
/// other things.
pub(super) fn substitutions<'a>(
    texts: &[ChangedText<'a>],
    is_free: &[bool],
) -> Vec<(Substitution<'a>, Vec<usize>)> {
    let free = || texts.iter().enumerate().filter(|(at, _)| is_free[*at]);
    let pairs: Vec<_> = free().map(|(at, text)| (at, substitution(text))).collect();
    let only = pairs.iter().filter_map(|&(at, pair)| Some((pair?, at)));
    let mut found = gather(only);
    found.retain(|(_, hunks)| hunks.len() >= LEAST);
    if found.is_empty() {
        return found;
    }
    let is_member = |pair: Substitution| found.iter().any(|(own, _)| *own == pair);
    let other = pairs
        .iter()
        .filter(|(_, pair)| !pair.is_some_and(is_member));
    let other: Vec<usize> = other.map(|(at, _)| *at).collect();
    for at in other {
        let sides = one_sided(&texts[at]);
        if let Some((_, hunks)) = found.iter_mut().find(|(pair, _)| renames(pair, &sides)) {
            hunks.push(at);
        }
    }
    found
}

/// Returns true if a hunk renames by a pair of words, given the names of one side only. Words such as `true` and `false` come and go for
/// other reasons.
fn renames(&(old, new): &Substitution, [gone, come]: &[FxHashSet<&str>; 2]) -> bool {
    (is_compound(old) || is_compound(new)) && gone.contains(old) && come.contains(new)
}

/// Returns the names that only the removed lines of a hunk have, and those that only the added lines have.
fn one_sided<'a>(text: &ChangedText<'a>) -> [FxHashSet<&'a str>; 2] {
    let all = |lines: &[&'a str]| -> FxHashSet<&'a str> {
        lines.iter().flat_map(|line| names(line)).collect()
    };
    let (removed, added) = (all(&text.removed), all(&text.added));
    [&removed - &added, &added - &removed]
}

/// Returns the only words in which the removed and the added lines of a hunk differ; `None` if they differ in anything else.
pub(super) fn substitution<'a>(text: &ChangedText<'a>) -> Option<Substitution<'a>> {
    if text.removed.len() != text.added.len() {
        return None;
    }
    let mut found = None;
    for (&old, &new) in text.removed.iter().zip(&text.added) {
        compare(old, new, &mut found)?;
    }
    found
}

/// Compares two lines word by word; `None` if they differ in other words than those found.
fn compare<'a>(
    mut old: &'a str,
    mut new: &'a str,
    found: &mut Option<Substitution<'a>>,
) -> Option<()> {
    while !old.is_empty() || !new.is_empty() {
        let (before, after) = (old, new);
        let pair;
        (pair, old, new) = next_words(before, after);
        if pair.0 != pair.1 {
            let is_same = *found.get_or_insert(pair) == pair;
            if !is_same || !is_name(pair.0) || !is_name(pair.1) {
                return None;
            }
        }
        let between = |text: &'a str| text.split_at(text.find(is_of_name).unwrap_or(text.len()));
        let ((old_gap, old_rest), (new_gap, new_rest)) = (between(old), between(new));
        if old_gap != new_gap {
            return None;
        }
        (old, new) = (old_rest, new_rest);
    }
    Some(())
}

fn next_words<'a>(old: &'a str, new: &'a str) -> (Substitution<'a>, &'a str, &'a str) {
    let ((old_word, old), (new_word, new)) = (first_word(old), first_word(new));
    ((old_word, new_word), old, new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares removed and added lines, which `|` separates.
    #[track_caller]
    fn check(removed: &str, added: &str, expected: Option<Substitution>) {
        let text = ChangedText {
            removed: removed.split('|').collect(),
            added: added.split('|').collect(),
            language: Some("rs"),
        };
        assert_eq!(substitution(&text), expected, "{removed} -> {added}");
    }

    #[test]
    fn all_words_that_differ_are_one_pair() {
        check("send(x);", "post(x);", Some(("send", "post")));
        check(
            "a.send(send);|// send",
            "a.post(post);|// post",
            Some(("send", "post")),
        );
        check("  the größe", "  the size", Some(("größe", "size")));
        // Another word, another number of words or lines, other signs.
        check("send(x);", "post(y);", None);
        check("send(x)", "post", None);
        check("send(x)|b", "post(x)", None);
        check("send(x);", "  post(x);", None);
        check("send(post)", "post(send)", None);
        // The same line twice, and what is no name.
        check("same", "same", None);
        check("retry(1)", "retry(2)", None);
        check("", "send", None);
    }
}
