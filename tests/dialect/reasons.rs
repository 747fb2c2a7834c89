//! `check` prints why an input is read in a dialect: the line that only this dialect has.

use std::collections::BTreeSet;

use countersign::dialect::{DIALECTS, Dialect, Options, named, parse};

/// Inputs, each with the reason for its reading. Those with a name are read only in that dialect.
const CASES: &[(&str, &str, &str)] = &[
    (
        "",
        "Now:\n\na.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        "read as aider because of line 4: '<<<<<<< SEARCH'",
    ),
    (
        "search-replace",
        "------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n",
        "read as search-replace because of line 1: '------- SEARCH'",
    ),
    (
        "",
        "<apply_diff>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</diff>\n</apply_diff>\n",
        "read as roo-xml because of line 1: '<apply_diff>'",
    ),
    (
        "",
        "a.py\n```\nx = 1\n```\n",
        "read as whole because of line 2: '```'",
    ),
    (
        "",
        "a.py\n```python\nx = 1\n# ... existing code ...\ny = 2\n```\n",
        "read as sketch because of line 2: '```python'",
    ),
    (
        "",
        "a.py:1\n```suggestion\nx = 1\n```\n",
        "read as suggestion because of line 2: '```suggestion'",
    ),
    (
        "",
        "From: me\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
        "read as unified because of line 3: '--- a/f'",
    ),
    (
        "",
        "*** a/f\n--- b/f\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n",
        "read as context because of line 1: '*** a/f'",
    ),
    (
        "",
        "diff a/f b/f\n1c1\n< a\n---\n> b\n",
        "read as normal because of line 2: '1c1'",
    ),
    ("ed", "1c\nb\n.\n", "read as ed because of line 1: '1c'"),
    (
        "rcs",
        "d1 1\na1 1\nb\n",
        "read as rcs because of line 1: 'd1 1'",
    ),
    (
        "",
        "Now:\n*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n",
        "read as envelope because of line 2: '*** Begin Patch'",
    ),
    (
        "",
        "[\n  {\n    \"path\": \"f\",\n    \"old_str\": \"a\",\n    \"new_str\": \"b\"\n  }\n]\n",
        "read as tool-call because of line 3: '\"path\": \"f\",'",
    ),
    (
        "",
        "1. So:\n\n   ```json\n   {\"path\": \"f\", \"old_str\": \"a\", \"new_str\": \"b\"}\n   ```\n",
        "read as tool-call because of line 4: '{\"path\": \"f\", \"old_str\": \"a\", \"new_str\": \"b\"}'",
    ),
    (
        "",
        "```sh\ncat > f <<'EOF'\nb\nEOF\n```\n",
        "read as shell because of line 2: 'cat > f <<'EOF''",
    ),
];

#[test]
fn every_dialect_states_its_reason() {
    let mut tried = BTreeSet::new();
    for &(only, text, expected) in CASES {
        let options = Options {
            dialect: named(only),
            path: named(only).map(|_| "f".to_owned()),
            ..Options::default()
        };
        let parsed = parse(text, &options);
        let reasons: Vec<String> = parsed.readings.iter().map(ToString::to_string).collect();
        assert_eq!(reasons, [expected], "{text}");
        tried.insert(parsed.readings[0].dialect);
    }
    let all: BTreeSet<&str> = DIALECTS.into_iter().map(Dialect::name).collect();
    assert_eq!(tried, all, "a case for each dialect");
}
