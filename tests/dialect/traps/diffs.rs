//! Unified diffs and their older kin: Aider's `udiff`, `OpenHands`, Roo Code's removed strategies, git, patch.

use super::{becomes, refused, stands};
use crate::outcome::check;

/// A hunk for the file.
fn hunk(body: &str) -> String {
    format!("--- f.py\n+++ f.py\n{body}")
}

#[test]
fn every_file_of_a_diff_gets_its_own_hunks() {
    let plain = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+1\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-one\n+2\n";
    let before = [("a.py", "one\n"), ("b.py", "one\n")];
    let after = [("a.py", "1\n"), ("b.py", "2\n")];
    check(&before, plain, &after, &[]);
    let git = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+1\ndiff --git a/b.py b/b.py\nindex 1..2 100644\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-one\n+2\n";
    check(&before, git, &after, &[]);
    for fence in ["diff", "patch", ""] {
        check(&before, &format!("```{fence}\n{plain}```\n"), &after, &[]);
    }
    let listed = format!("   {}\n", plain.trim_end().replace('\n', "\n   "));
    check(
        &before,
        &format!("1. So:\n   ```diff\n{listed}   ```\n"),
        &after,
        &[],
    );
}

#[test]
fn what_a_diff_says_of_a_file_is_done() {
    let gone = "diff --git a/f.py b/f.py\ndeleted file mode 100644\n--- a/f.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    check(&[("f.py", "a\n")], gone, &[], &[]);
    // It is not removed if it holds something else.
    check(
        &[("f.py", "b\n")],
        gone,
        &[("f.py", "b\n")],
        &["no match in the file"],
    );
    let plain = "--- f.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    check(&[("f.py", "a\n")], plain, &[], &[]);
    let moved = "diff --git a/f.py b/g.py\nsimilarity index 80%\nrename from f.py\nrename to g.py\n--- a/f.py\n+++ b/g.py\n@@ -1,2 +1,2 @@\n-a\n+b\n x\n";
    check(&[("f.py", "a\nx\n")], moved, &[("g.py", "b\nx\n")], &[]);
    // The words in a file's text move nothing.
    becomes(
        "rename from a\nx\n",
        &hunk("@@ -1,2 +1,2 @@\n rename from a\n-x\n+y\n"),
        "rename from a\ny\n",
    );
}

#[test]
fn lines_that_look_like_headers_are_content() {
    let sql = "-- old\nselect 1;\n";
    becomes(
        sql,
        &hunk("@@ -1,2 +1,2 @@\n--- old\n+-- new\n select 1;\n"),
        "-- new\nselect 1;\n",
    );
    becomes(
        sql,
        &hunk("@@ -1,2 +1,2 @@\n--- old\n+++ new\n select 1;\n"),
        "++ new\nselect 1;\n",
    );
    becomes(
        "---\ntitle\n---\n",
        &hunk("@@ -1,3 +1,3 @@\n ---\n-title\n+name\n ---\n"),
        "---\nname\n---\n",
    );
    becomes(
        "- a\n- b\n",
        &hunk("@@ -1,2 +1,2 @@\n - a\n-- b\n+- c\n"),
        "- a\n- c\n",
    );
    becomes("+ a\n", &hunk("@@ -1 +1 @@\n-+ a\n++ b\n"), "+ b\n");
}

#[test]
fn an_absent_line_is_never_made_nor_passed_over() {
    let file = "a\nb\nc\n";
    refused(
        file,
        &hunk("@@ -1,4 +1,4 @@\n a\n absent\n-b\n+x\n c\n"),
        "the file has other lines beside what it changes",
    );
    refused(
        file,
        &hunk("@@ -1,3 +1,2 @@\n a\n-gone\n-b\n c\n"),
        "it may be applied already",
    );
    // A context line that is another one now.
    refused(
        file,
        &hunk("@@ -1,3 +1,3 @@\n z\n-b\n+x\n z\n"),
        "no match in the file",
    );
}

#[test]
fn one_place_is_changed_or_none() {
    refused("go()\ngo()\n", &hunk("@@\n-go()\n+stay()\n"), "ambiguous");
    becomes(
        "go()\nx\ngo()\n",
        &hunk("@@ -3 +3 @@\n-go()\n+stay()\n"),
        "go()\nx\nstay()\n",
    );
    refused(
        "logo()\n",
        &hunk("@@\n-go()\n+stay()\n"),
        "no match in the file",
    );
}

#[test]
fn an_insertion_goes_where_its_header_says() {
    let file = "a\n\nb\nc\n";
    becomes(file, &hunk("@@ -3,0 +4 @@\n+x\n"), "a\n\nb\nx\nc\n");
    becomes(file, &hunk("@@ -0,0 +1 @@\n+x\n"), "x\na\n\nb\nc\n");
    refused(
        file,
        &hunk("@@\n+x\n"),
        "the edit does not say where its lines belong",
    );
    becomes(file, &hunk("@@\n b\n+x\n"), "a\n\nb\nx\nc\n");
}

#[test]
fn numbers_and_counts_may_be_wrong() {
    let file = "a\nb\nc\nd\ne\nf\ng\n";
    let after = file.replace("d\n", "x\n");
    for header in [
        "@@ -4,5 +4,5 @@",
        "@@ -90,5 +80,5 @@",
        "@@ -1,9 +1,8 @@",
        "@@ -4 +4 @@",
        "@@ ... @@",
        "@@",
    ] {
        becomes(
            file,
            &hunk(&format!("{header}\n b\n c\n-d\n+x\n e\n f\n")),
            &after,
        );
    }
    // Cut off after a change.
    refused(
        file,
        &hunk("@@ -2,5 +2,5 @@\n b\n c\n-d\n+x\n"),
        "expected 5 and 5, as its header says",
    );
}

#[test]
fn blanks_that_were_lost_on_the_way_cost_nothing() {
    becomes(
        "a\n\nb\n",
        &hunk("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"),
        "a\n\nc\n",
    );
    becomes(
        "a\nb\n",
        &hunk("@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n\n\n"),
        "a\nc\n",
    );
    becomes(
        "a\nb",
        &hunk(
            "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
        ),
        "a\nc",
    );
    becomes(
        "  a\n  b\n",
        &hunk("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
        "  a\n  c\n",
    );
}

#[test]
fn context_keeps_the_bytes_of_the_file() {
    becomes(
        "a “b”  \nc\n",
        &hunk("@@ -1,2 +1,2 @@\n a \"b\"\n-c\n+d\n"),
        "a “b”  \nd\n",
    );
    becomes(
        "a\r\nb\nc\r\n",
        &hunk("@@ -1,3 +1,3 @@\n a\n b\n-c\n+d\n"),
        "a\r\nb\nd\r\n",
    );
    becomes(
        "\u{feff}a\nb\n",
        &hunk("@@ -1,2 +1,2 @@\n-a\n+x\n b\n"),
        "\u{feff}x\nb\n",
    );
    becomes(
        "a\n   \nb\n",
        &hunk("@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n"),
        "a\n   \nc\n",
    );
    becomes("\n\na\n\n", &hunk("@@ -3 +3 @@\n-a\n+b\n"), "\n\nb\n\n");
}

#[test]
fn hunks_may_share_context_and_come_in_any_order() {
    let file = "a\nb\nc\nd\ne\n";
    let both = "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n@@ -3,3 +3,3 @@\n c\n-d\n+y\n e\n";
    becomes(file, &hunk(both), "a\nx\nc\ny\ne\n");
    let (first, second) = both.split_at(both.rfind("@@ -3").unwrap_or_default());
    becomes(file, &hunk(&format!("{second}{first}")), "a\nx\nc\ny\ne\n");
}

#[test]
fn what_was_applied_is_known() {
    stands("a\nx\nc\n", &hunk("@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"));
    stands("a\nx\nb\n", &hunk("@@ -1,2 +1,3 @@\n a\n+x\n b\n"));
}

#[test]
fn older_forms_lose_no_line() {
    let script = |text: &str, before: &str, after: &str| becomes(before, text, after);
    // A line of one character is text, and not the end of it.
    script("2c\n}\n.\n1i\n{\n.\n", "a\nb\n", "{\na\n}\n");
    script("2c2\n< b\n---\n> }\n", "a\nb\n", "a\n}\n");
    script(
        "*** f.py\n--- f.py\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! }\n",
        "a\nb\n",
        "a\n}\n",
    );
    // A number that is out by some lines is no place if the text is elsewhere twice.
    script("2c2\n< b\n---\n> c\n", "x\ny\na\nb\n", "x\ny\na\nc\n");
}
