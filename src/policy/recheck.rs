//! The last look before writing: what rules decided must mean nothing in the text that is written, too.

#[cfg(feature = "syntax")]
use super::composed::text_with;
use super::rules::Rules;
#[cfg(feature = "syntax")]
use super::rules::{RULES, Rule};
#[cfg(feature = "syntax")]
use super::syntax;
use crate::review::FileReview;
#[cfg(feature = "syntax")]
use crate::review::{Decision, HunkReview};

/// Rules that are proven by syntax, in the order of the proofs: those of a row at once, in a text that has what earlier rows changed.
#[cfg(feature = "syntax")]
const ROWS: [&[Rule]; 2] = [
    &[Rule::Formatting, Rule::Imports, Rule::Comments, Rule::Tests],
    &[Rule::Moves],
];

/// Returns why what rules proved by syntax does not hold in the text that a file is about to get; `None` if it holds. A hunk was proven
/// in the file as it is and in the file as it was proposed; the person may have taken any part of the rest.
#[cfg(feature = "syntax")]
pub fn recheck(file: &FileReview, rules: &Rules) -> Option<String> {
    let by = |hunk: &HunkReview| {
        let name = hunk.by_policy().map(|by| by.rule.as_str());
        (RULES.into_iter()).find(|rule| name == Some(rule.name()))
    };
    let rules_used: Vec<Option<Rule>> = file.hunks.iter().map(by).collect();
    let rejected_from = |row: usize| {
        let later = move |rule: Rule| ROWS[row..].iter().any(|row| row.contains(&rule));
        text_with(file, &|hunk| {
            (rules_used[hunk].is_some_and(later)).then_some(Decision::Rejected)
        })
    };
    let recheck_row = |row: usize| {
        let is_used = |rule: &Rule| rules_used.contains(&Some(*rule));
        let used: Vec<Rule> = ROWS[row].iter().copied().filter(is_used).collect();
        if used.is_empty() {
            return None;
        }
        let texts = [rejected_from(row), rejected_from(row + 1)];
        let whole = [0..texts[0].len(), 0..texts[1].len()];
        let versions = syntax::ParsedVersions::parse(&file.path, [&texts[0], &texts[1]], rules);
        let proven = versions.and_then(|versions| versions.prove_all(&used, &whole));
        proven.err().map(|why| why.to_string())
    };
    (0..ROWS.len()).find_map(recheck_row)
}

/// Nothing is proven by syntax in a program without parsers.
#[cfg(not(feature = "syntax"))]
pub fn recheck(_: &FileReview, _: &Rules) -> Option<String> {
    None
}
