//! Hunks that are proved, and hunks that are not, by language and rule.

mod comments;
mod items;
mod layout;

use regex::Regex;

use super::super::rules::Rules;
use crate::policy::{FileFacts, Judged, RuleVerdict, judge};
use crate::review::{Compared, Found, Stance, compare};
use crate::text::Document;

/// Judges the change of a file, and returns for each hunk the rule that proves it, or the reason of the last one that does not.
#[track_caller]
fn check(path: &str, old: &str, new: &str, expected: &str) {
    let outcomes = outcomes(path, old, new);
    assert_eq!(outcomes.join("; "), expected, "{old}{new}");
}

/// Checks that a rule accepts no hunk of a change, and that the parser understands it.
#[track_caller]
fn asked(path: &str, old: &str, new: &str) {
    let outcomes = outcomes(path, old, new);
    let is_asked = |why: &String| why.starts_with("line ") && !why.contains("not understood");
    let are_asked = !outcomes.is_empty() && outcomes.iter().all(is_asked);
    assert!(are_asked, "{outcomes:?}\n{old}{new}");
}

/// Returns for each hunk of a change the rule that proves it, or the reason of the last one that does not.
fn outcomes(path: &str, old: &str, new: &str) -> Vec<String> {
    let found = |text: &str| Found::Text {
        document: Document::from_text(text).into(),
        executable: false,
    };
    let compared = Compared {
        path: path.to_owned(),
        rename: None,
        old: found(old),
        new: found(new),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    };
    let session = compare(String::new(), &[compared]);
    let rules = Rules {
        formatting: true,
        imports: true,
        moves: true,
        tests: true,
        comments: Some(Regex::new(r"^(?:(//[/!]?|#) [A-Z][a-z ]*\.)$").unwrap()),
        ..Rules::default()
    };
    let outcome = |judged: Judged| match judged.verdict {
        RuleVerdict::Proven(proof) => proof.rule.name().to_owned(),
        RuleVerdict::Barred(why) => format!("barred: {why}"),
        RuleVerdict::Unproven(why) => why[0].1.clone(),
    };
    let facts = FileFacts {
        real: &|path| Some(path.to_owned()),
        made: &|_| Err("nothing is made".to_owned()),
    };
    judge(&session, &rules, facts)
        .into_iter()
        .map(outcome)
        .collect()
}

#[test]
fn other_languages_are_not_parsed() {
    check(
        "a.js",
        "a = 1\n",
        "a  = 1\n",
        "no parser for this language is built in",
    );
}
