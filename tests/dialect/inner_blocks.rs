//! Edits in lists and quotations, in every form that has lines: they are read as they would be alone.

use countersign::dialect::{Options, parse};

use crate::outcome;
use crate::show::{check, read};

const HUNK: &str = "@@ -1,3 +1,3 @@\n a\n-  b\n+  c\n \n";

/// One change in forms of all families.
fn edits() -> Vec<String> {
    vec![
        format!("--- a/f.x\n+++ b/f.x\n{HUNK}"),
        format!("diff --git a/f.x b/f.x\nindex 1..2 100644\n--- a/f.x\n+++ b/f.x\n{HUNK}"),
        format!("Index: f.x\n=====\n--- f.x\t(revision 1)\n+++ f.x\t(working copy)\n{HUNK}"),
        format!("diff -r 0123456789ab f.x\n--- a/f.x\tThu Jan 01\n+++ b/f.x\tThu Jan 01\n{HUNK}"),
        format!("==== //depot/main/f.x#4 (text) ====\n\n{HUNK}"),
        "*** f.x\n--- f.x\n***************\n*** 1,2 ****\n  a\n!   b\n--- 1,2 ----\n  a\n!   c\n".to_owned(),
        "diff f.x.orig f.x\n2c2\n<   b\n---\n>   c\n".to_owned(),
        "*** Begin Patch\n*** Update File: f.x\n@@\n a\n-  b\n+  c\n*** End Patch\n".to_owned(),
        "{\"name\": \"Edit\",\n \"input\": {\"file_path\": \"f.x\", \"old_string\": \"  b\", \"new_string\": \"  c\"}}\n"
            .to_owned(),
        "```diff\n--- a/f.x\n+++ b/f.x\n@@ -1,2 +1,2 @@\n a\n-  b\n+  c\n```\n".to_owned(),
        "f.x\n```\na\n  c\n```\n".to_owned(),
    ]
}

/// Returns lines with a text before each that is not blank.
fn behind(before: &str, text: &str) -> String {
    let line = |line: &str| {
        let before = if line.trim().is_empty() {
            before.trim_end()
        } else {
            before
        };
        format!("{before}{line}\n")
    };
    text.lines().map(line).collect()
}

#[test]
fn an_edit_in_a_list_or_a_quotation_is_read_as_it_is_alone() {
    let mut count = 0;
    for edit in edits() {
        let alone = read(&edit);
        assert!(!alone.is_empty() && !alone.contains('!'), "{edit}");
        for text in [
            format!("So:\n\n1. Do:\n\n{}\n2. Run.\n", behind("   ", &edit)),
            format!("So:\n\n- Do:\n{}- Run.\n", behind("  ", &edit)),
            format!("So:\n\n{}\nRun.\n", behind("\t", &edit)),
            format!("* Do:\n\n{}\n", behind("      ", &edit)),
            format!("Bob wrote:\n\n{}\nGood.\n", behind("> ", &edit)),
            format!("Bob wrote:\n{}Good.\n", behind(">", &edit)),
            format!(
                "Bob wrote:\n> Please:\n>\n{}> Bob\n\nGood.\n",
                behind("> ", &edit)
            ),
            format!("Bob wrote:\n{}\nGood.\n", behind("> > ", &edit)),
            format!(
                "Bob wrote:\n> 1. Do\n>\n{}\nGood.\n",
                behind(">    ", &edit)
            ),
        ] {
            assert_eq!(read(&text), alone, "\n{text}");
            count += 1;
        }
    }
    assert_eq!(count, 99);
}

#[test]
fn four_blocks_within_each_other_are_looked_into() {
    let edit = edits().remove(0);
    let nested = |levels: usize| {
        let quotations = (0..levels).fold(edit.clone(), |text, _| {
            format!("x\n{}", behind("> ", &text))
        });
        read(&format!("Hi.\n{quotations}"))
    };
    assert_eq!(nested(4), read(&edit));
    assert_eq!(nested(5), "");
}

#[test]
fn an_edit_in_a_quotation_is_prose_beside_others() {
    let [quoted, other] = ["f.x", "g.x"].map(|name| edits().remove(0).replace("f.x", name));
    let cut_off = quoted.lines().take(3).map(|line| format!("{line}\n"));
    for quoted in [quoted.clone(), cut_off.collect()] {
        let quoted = behind("> ", &quoted);
        let message = format!("Bob wrote:\n{quoted}\nNo, rather:\n\n{other}");
        check(&message, &read(&other));
        let proposal = parse(&message, &Options::default()).proposal;
        assert!(
            proposal.intent.contains(quoted.trim()),
            "{}",
            proposal.intent
        );
    }
}

#[test]
fn a_quotation_may_go_on_behind_an_answer() {
    let hunk = "--- a/f.x\n+++ b/f.x\n@@\n a\n-  b\n";
    let answered =
        |hunk: &str, rest: &str| format!("{}\nWhy?\n\n{}", behind("> ", hunk), behind("> ", rest));
    let said = "! line 1 of the input: found an edit in a quotation that may go on, expected the whole edit without an answer inside";
    check(&answered(hunk, "+  c\n"), said);
    check(&answered(hunk, "Bob\n"), &read(&format!("{hunk}\nBob\n")));
    let counted = hunk.replace("@@\n", "@@ -1,2 +1 @@\n");
    check(&answered(&counted, "+  c\n"), &read(&counted));
}

#[test]
fn the_message_of_a_commit_is_no_edit() {
    let edit = edits().remove(0);
    let log = |date: &str| format!("commit 1\n{date}\n\n{}\n", behind("    ", &edit));
    check(&log("Date:   Mon Jan 1"), "");
    check(&log("So:"), &read(&edit));
}

#[test]
fn a_file_in_an_indented_fence_has_not_its_indentation() {
    let before = [("f.x", "a\n  b\n")];
    let check = |text: &str, after: &str| outcome::check(&before, text, &[("f.x", after)], &[]);
    check(
        "1. Do:\n\n   f.x\n   ```\n   a\n     c\n   ```\n",
        "a\n  c\n",
    );
    check(
        "1. Do:\n\n   f.x\n\n   ```\n   a\n\n     c\n   ```\n",
        "a\n\n  c\n",
    );
    // Only the fence is indented.
    check("f.x\n  ```\na\n    c\n  ```\n", "a\n    c\n");
}
