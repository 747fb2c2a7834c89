//! `apply_patch` envelopes: Codex, opencode, Cline, otto, Aider, `OpenHands`.

use super::{becomes, refused, stands};
use crate::outcome::check;

/// An update of the file.
fn update(body: &str) -> String {
    format!("*** Begin Patch\n*** Update File: f.py\n{body}*** End Patch\n")
}

const CLASSES: &str = "class A(Base):\n    def go(self):\n        return 1\n\nclass B(Base):\n    def go(self):\n        return 1\n";

#[test]
fn an_insertion_goes_below_its_anchor_and_never_to_the_end() {
    let file = "def a():\n    x\n\ndef b():\n    y\n";
    becomes(
        file,
        &update("@@ def a():\n+    z\n"),
        "def a():\n    z\n    x\n\ndef b():\n    y\n",
    );
    refused(
        file,
        &update("@@\n+z\n"),
        "the edit does not say where its lines belong",
    );
    becomes(
        file,
        &update("@@\n+z\n*** End of File\n"),
        &format!("{file}z\n"),
    );
}

#[test]
fn stacked_anchors_nest() {
    let change = "-        return 1\n+        return 2\n";
    let after = CLASSES.replacen(
        "B(Base):\n    def go(self):\n        return 1",
        "B(Base):\n    def go(self):\n        return 2",
        1,
    );
    becomes(
        CLASSES,
        &update(&format!(
            "@@ class B(Base):\n@@     def go(self):\n{change}"
        )),
        &after,
    );
    becomes(CLASSES, &update(&format!("@@ class B\n{change}")), &after);
    refused(CLASSES, &update(&format!("@@\n{change}")), "ambiguous");
    // Words for people hurt nobody where the lines stand once.
    becomes(
        "a\nb\n",
        &update("@@ change the second line\n a\n-b\n+c\n"),
        "a\nc\n",
    );
}

#[test]
fn git_s_numbers_are_read_as_numbers() {
    becomes(
        "x\na\ny\na\n",
        &update("@@ -4,1 +4,1 @@\n-a\n+b\n"),
        "x\na\ny\nb\n",
    );
}

#[test]
fn equal_places_are_never_guessed() {
    refused("a\nb\na\nb\n", &update("@@\n a\n-b\n+c\n"), "ambiguous");
    refused(
        "  a\n  b\n    a\n    b\n",
        &update("@@\n a\n-b\n+c\n"),
        "ambiguous",
    );
    becomes(
        "    a\n    b\na\nb\n",
        &update("@@\n a\n-b\n+c\n"),
        "    a\n    b\na\nc\n",
    );
}

#[test]
fn chunks_may_share_context_and_come_out_of_order() {
    let file = "a\nb\nc\nd\ne\n";
    becomes(
        file,
        &update("@@\n a\n-b\n+x\n c\n@@\n c\n-d\n+y\n e\n"),
        "a\nx\nc\ny\ne\n",
    );
    becomes(
        file,
        &update("@@\n d\n-e\n+y\n@@\n a\n-b\n+x\n"),
        "a\nx\nc\nd\ny\n",
    );
}

#[test]
fn no_hunk_is_lost() {
    let file = "a\nb\nc\nd\n";
    // After the end of the file was named, before the first `@@`, in a second section.
    becomes(
        file,
        &update("@@\n-d\n+y\n*** End of File\n@@\n-a\n+x\n"),
        "x\nb\nc\ny\n",
    );
    becomes(file, &update("-a\n+x\n@@\n-d\n+y\n"), "x\nb\nc\ny\n");
    let twice = "*** Begin Patch\n*** Update File: f.py\n@@\n-a\n+x\n*** Update File: f.py\n@@\n-d\n+y\n*** End Patch\n";
    becomes(file, twice, "x\nb\nc\ny\n");
    becomes("a\n\nb\n", &update("@@\n a\n\n-b\n+c\n"), "a\n\nc\n");
    // A line without a mark could be anything.
    refused(
        file,
        &update("@@\n-a\n+x\nb\n"),
        "expected a line that begins with ' ', '-' or '+'",
    );
}

#[test]
fn added_lines_take_the_file_s_indentation() {
    becomes(
        "if a:\n    b()\n    c()\n",
        &update("@@\n if a:\n b()\n-c()\n+d()\n"),
        "if a:\n    b()\n    d()\n",
    );
    becomes(
        "\tif a:\n\t\tb()\n",
        &update("@@\n     if a:\n-        b()\n+        c()\n"),
        "\tif a:\n\t\tc()\n",
    );
}

#[test]
fn bytes_outside_the_change_survive() {
    becomes("a\r\nb\r\n", &update("@@\n a\n-b\n+c\n"), "a\r\nc\r\n");
    becomes("a\nb", &update("@@\n a\n-b\n+c\n"), "a\nc");
    becomes(
        "\u{feff}a\nb\n",
        &update("@@\n-a\n+x\n b\n"),
        "\u{feff}x\nb\n",
    );
    becomes("a…  \nb\n", &update("@@\n a...\n-b\n+c\n"), "a…  \nc\n");
    becomes("a\nb\n\n", &update("@@\n a\n-b\n"), "a\n\n");
    becomes(
        "x =\t1\ny\n",
        &update("@@\n x = 1\n-y\n+z\n"),
        "x =\t1\nz\n",
    );
}

#[test]
fn a_removal_of_what_is_not_there_is_not_done_already() {
    refused("a\nb\n", &update("@@\n-absent\n"), "no match in the file");
    refused(
        "def stop():\n    pass\nx = go()\n",
        &update("@@\n-    go(1)\n+    x = go()\n"),
        "no match in the file",
    );
    stands("a\nx\nc\n", &update("@@\n a\n-b\n+x\n c\n"));
}

#[test]
fn wrappers_are_free() {
    let patch = update("@@\n-a\n+b\n");
    for text in [
        format!("So:\n```\n{patch}```\nDone.\n"),
        format!("apply_patch <<'PATCH'\n{patch}PATCH\n"),
        format!("bash -lc \"apply_patch <<EOF\n{patch}EOF\"\n"),
        format!("%%bash\napply_patch <<\"EOF\"\n{patch}EOF\n"),
        patch.replace('\n', "\r\n"),
        serde_json::json!({ "patch": patch }).to_string(),
        serde_json::json!({ "args": { "patch": patch, "fuzzyMatch": true } }).to_string(),
    ] {
        becomes("a\n", &text, "b\n");
    }
    let cut = patch.replace("*** End Patch\n", "");
    refused("a\n", &cut, "expected '*** End Patch'");
}

#[test]
fn files_are_made_moved_and_removed_once() {
    let made = "*** Begin Patch\n*** Add File: f.py\n+new\n*** End Patch\n";
    refused("old\n", made, "the file exists already, with another text");
    stands("new\n", made);
    let moved =
        "*** Begin Patch\n*** Update File: f.py\n*** Move to: g.py\n@@\n-a\n+b\n*** End Patch\n";
    let two = [("f.py", "a\n"), ("g.py", "mine\n")];
    check(&two, moved, &two, &["`g.py` exists already"]);
    check(&[("f.py", "a\n")], moved, &[("g.py", "b\n")], &[]);
    let bare = "*** Begin Patch\n*** Update File: f.py\n*** Move to: g.py\n*** End Patch\n";
    check(&[("f.py", "a\n")], bare, &[("g.py", "a\n")], &[]);
    let empty = "*** Begin Patch\n*** Add File: f.py\n*** End Patch\n";
    check(&[], empty, &[("f.py", "")], &[]);
    becomes("a\n", &update("@@\n-a\n"), "");
    let outside = "*** Begin Patch\n*** Add File: ../f.py\n+new\n*** End Patch\n";
    assert!(crate::show::read(outside).starts_with("C ../f.py"));
}

#[test]
fn content_that_looks_like_the_envelope_is_content() {
    becomes(
        "*** Update File: g\nx\n",
        &update("@@\n *** Update File: g\n-x\n+y\n"),
        "*** Update File: g\ny\n",
    );
    becomes(
        "- one\n- two\n",
        &update("@@\n - one\n-- two\n+- three\n"),
        "- one\n- three\n",
    );
    becomes(
        "---\na\n---\n",
        &update("@@\n ---\n-a\n+b\n ---\n"),
        "---\nb\n---\n",
    );
}
