//! What was written comes back. What holds for any text at all stands in `tests/engine`.

use countersign::dialect::{Options, parse};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn every_line_of_a_search_block_comes_back(
        search in vec("( {0,3}[a-z][ a-z<>=+-]{0,5})?", 1..6),
        replace in vec("( {0,3}[a-z][ a-z<>=+-]{0,5})?", 0..6),
    ) {
        let text = format!(
            "<<<<<<< SEARCH\n:start_line:3\n-------\n{}=======\n{}>>>>>>> REPLACE",
            lines("", &search),
            lines("", &replace)
        );
        let options = Options { dialect: None, path: Some("f".to_owned()), ..Options::default() };
        let parsed = parse(&text, &options);
        let body = &parsed.proposal.files[0].hunks[0].body;
        prop_assert_eq!((&body.preimage, &body.postimage), (&search, &replace));
    }

    #[test]
    fn every_line_of_a_diff_comes_back(
        old in vec("[ a-z@*<>=+-]{0,6}", 1..6),
        new in vec("[ a-z@*<>=+-]{0,6}", 1..6),
        context in vec("[ a-z@*<>=+-]{0,6}", 0..4),
    ) {
        let body = [lines(" ", &context), lines("-", &old), lines("+", &new)].concat();
        let counts = (context.len() + old.len(), context.len() + new.len());
        let header = format!("@@ -7,{} +7,{} @@", counts.0, counts.1);
        for text in [
            format!("--- a/f\n+++ b/f\n{header}\n{body}"),
            format!("--- a/f\n+++ b/f\n{header}\n{body}--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"),
            format!("*** Begin Patch\n*** Update File: f\n@@\n{body}*** End Patch\n"),
        ] {
            let parsed = parse(&text, &Options::default());
            let body = &parsed.proposal.files[0].hunks[0].body;
            prop_assert_eq!(&body.preimage, &[&context[..], &old[..]].concat(), "{}", text);
            prop_assert_eq!(&body.postimage, &[&context[..], &new[..]].concat(), "{}", text);
        }
    }
}

/// Lines with a mark before each.
fn lines(mark: &str, half: &[String]) -> String {
    let mut text = String::new();
    for line in half {
        text.extend([mark, line, "\n"]);
    }
    text
}
