//! The last look before writing: what rules decided must mean nothing in the text that is written, too.

use super::rules::Rules;
#[cfg(feature = "syntax")]
use super::rules::{RULES, Rule};
#[cfg(feature = "syntax")]
use super::syntax;
use crate::review::FileReview;
#[cfg(feature = "syntax")]
use crate::review::{Decision, HunkReview, Postimage, compose};

/// Returns why what rules proved by syntax does not hold in the text that a file is about to get; `None` if it holds. A hunk was proven
/// in the file as it is and in the file as it was proposed; the person may have taken any part of the rest.
#[cfg(feature = "syntax")]
pub fn recheck(file: &FileReview, rules: &Rules) -> Option<String> {
    let by_syntax = |hunk: &HunkReview| {
        let rule = hunk.by_policy().map(|by| by.rule.as_str());
        [Rule::Formatting, Rule::Imports, Rule::Comments]
            .into_iter()
            .find(|own| rule == Some(own.name()))
    };
    let used: Vec<Rule> = RULES
        .into_iter()
        .filter(|rule| file.hunks.iter().any(|hunk| by_syntax(hunk) == Some(*rule)))
        .collect();
    if used.is_empty() {
        return None;
    }
    let mut without = file.clone();
    for hunk in &mut without.hunks {
        if by_syntax(hunk).is_some() {
            for marks in &mut hunk.state.marks {
                (marks.removed, marks.added) = (Decision::Rejected, Decision::Rejected);
            }
        }
    }
    let texts = [text(&without), text(file)];
    let whole = [0..texts[0].len(), 0..texts[1].len()];
    let versions = syntax::Versions::parse(&file.path, [&texts[0], &texts[1]], rules);
    let proven = versions.and_then(|versions| versions.prove_all(&used, &whole));
    proven.err().map(|why| why.to_string())
}

/// Nothing is proven by syntax in a program without parsers.
#[cfg(not(feature = "syntax"))]
pub fn recheck(_: &FileReview, _: &Rules) -> Option<String> {
    None
}

/// The text that a file gets.
#[cfg(feature = "syntax")]
fn text(file: &FileReview) -> String {
    if let Postimage::Text { text, .. } = compose(file) {
        text
    } else {
        file.base.text().to_owned()
    }
}
