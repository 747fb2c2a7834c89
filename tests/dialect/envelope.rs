//! The patches of `apply_patch`.

use crate::show::check;

/// Reads sections inside an envelope.
#[track_caller]
fn patch(text: &str, expected: &str) {
    check(&format!("*** Begin Patch\n{text}*** End Patch\n"), expected);
}

#[test]
fn each_file_has_a_section() {
    patch("*** Add File: f\n+a\n+\n+b\n", "C f [=>a;;b;]");
    patch("*** Add File: f\n", "C f");
    patch("*** Delete File: f\n", "D f");
    patch("*** Update File: f\n@@\n x\n-a\n+b\n", "M f [x;a;=>x;b;]");
    patch(
        "*** Update File: f\n*** Move to: g\n@@\n-a\n+b\n",
        "R f -> g [a;=>b;]",
    );
    patch("*** Update File: f\n*** Move to: g\n", "R f -> g");
    patch(
        "*** Update File: f\n-a\n+b\n*** Delete File: g\n*** Update File: f\n@@\n-c\n+d\n",
        "M f [a;=>b;]\nD g\nM f [c;=>d;]",
    );
}

#[test]
fn hunks_have_anchors() {
    patch(
        "*** Update File: f\n@@ def x():\n-a\n+b\n",
        "M f ^def x(): [a;=>b;]",
    );
    patch(
        "*** Update File: f\n@@ class A\n@@ def x():\n-a\n+b\n",
        "M f ^class A ^def x(): [a;=>b;]",
    );
    patch(
        "*** Update File: f\n@@ -3,2 +3,2 @@ fn a\n-a\n+b\n x\n",
        "M f 3 ~fn a [a;x;=>b;x;]",
    );
    patch(
        "*** Update File: f\n@@ fn a() {\n+b\n",
        "M f ^fn a() { [=>b;]",
    );
    patch(
        "*** Update File: f\n@@\n-a\n+b\n*** End of File\n@@ x\n-c\n+d\n",
        "M f $ [a;=>b;] ^x [c;=>d;]",
    );
}

#[test]
fn blank_lines_are_context_or_part_hunks() {
    patch(
        "*** Update File: f\n@@\n x\n\n-a\n+b\n\n@@ y\n-c\n+d\n\n",
        "M f [x;;a;=>x;;b;] ^y [c;=>d;]",
    );
    patch("*** Update File: f\n@@\n-a\n+b\n \n", "M f [a;;=>b;;]");
}

#[test]
fn an_indented_directive_is_content_of_an_update() {
    patch(
        "*** Update File: f\n@@\n-a\n *** Update File: b\n",
        "M f [a;*** Update File: b;=>*** Update File: b;]",
    );
    patch(
        "*** Add File: f\n+*** End Patch\n",
        "C f [=>*** End Patch;]",
    );
}

#[test]
fn what_is_around_the_envelope_is_free() {
    let inner = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch";
    let around = |text: String| check(&text, "M f [a;=>b;]");
    around(format!("Sure!\n\n```diff\n{inner}\n```\nDone.\n"));
    around(format!("apply_patch <<'EOF'\n{inner}\nEOF\n"));
    around(format!("<<'PATCH'\n{inner}\nPATCH\n"));
    around(format!(
        "bash -lc \"apply_patch <<'WORD'\n{inner}\nWORD\"\n"
    ));
    around(inner.replace('\n', "\r\n"));
    around(inner.replace("*** End", "  *** End"));
    around(inner.replace("*** Begin Patch\n", ""));
    around(inner.replace("*** Update", "*** Environment ID: x\n*** Update"));
    around(inner.replace("@@\n", "--- a/f\n+++ b/f\n@@\n"));
    check(
        &format!("cd web && apply_patch <<'EOF'\n{inner}\nEOF\n"),
        "M web/f [a;=>b;]",
    );
}

#[test]
fn a_new_file_is_marked_throughout_or_not_at_all() {
    patch("*** Add File: f\na\n b\n", "C f [=>a; b;]");
    patch("*** Add File: f\n+a\n\n+b\n\n", "C f [=>a;;b;]");
    patch(
        "*** Add File: f\n+a\n\\ No newline at end of file\n",
        "C f -nl [=>a;]",
    );
    patch(
        "*** Add File: f\n+a\nb\n",
        "! line 4 of the input: found 'b', expected a line that begins with '+'",
    );
}

#[test]
fn a_bad_hunk_is_a_problem_and_the_others_survive() {
    patch(
        "*** Update File: f\n@@\n-a\n+b\n@@\n x\n(the rest stays the same)\n-c\n+d\n@@\n-e\n+g\n",
        "M f [a;=>b;] [e;=>g;]\n! line 8 of the input: found '(the rest stays the same)', expected a line that begins with ' ', '-' or '+'",
    );
    patch(
        "*** Frobnicate File: f\n@@\n-a\n+b\n*** Delete File: g\n",
        "D g\n! line 2 of the input: found '*** Frobnicate File: f', expected '*** Add File:', '*** Update File:' or '*** Delete File:'",
    );
    patch(
        "*** Update File: f\n",
        "! line 3 of the input: found '*** End Patch', expected a hunk for this file",
    );
    patch(
        "*** Update File: f\n@@ fn a\n a\n",
        "! line 4 of the input: found a hunk without a changed line, expected a line that begins with '-' or '+'",
    );
    patch(
        "*** Delete File: f\nwhy not\n",
        "! line 3 of the input: found 'why not', expected another section, or '*** End Patch'",
    );
    check(
        "*** Begin Patch\n*** End Patch\n",
        "! line 2 of the input: found '*** End Patch', expected '*** Update File: NAME', or another section",
    );
}

#[test]
fn without_an_end_the_last_section_may_be_cut_off() {
    check(
        "*** Begin Patch\n*** Delete File: g\n*** Update File: f\n@@\n-a\n+b\n",
        "D g\n! line 6 of the input: found the end of the input, expected '*** End Patch'",
    );
    check(
        "```\n*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n```\nDone.",
        "! line 7 of the input: found '```', expected '*** End Patch'",
    );
    check(
        "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** Begin Patch\n*** Delete File: g\n*** End Patch\n",
        "D g\n! line 6 of the input: found '*** Begin Patch', expected '*** End Patch'",
    );
}

/// Reads the sections of a patch.
#[track_caller]
fn sections(text: &str, expected: &str) {
    check(&format!("*** Begin Patch\n{text}*** End Patch\n"), expected);
}

#[test]
fn texts_are_found_and_replaced() {
    sections(
        "*** Replace in: f\n*** Find:\n  a\nb\n*** With:\n  c\n",
        "M f [  a;b;=>  c;]",
    );
    sections(
        "*** Replace in: f\n\n*** Find:\na\n*** With:\nb\n\n*** Find:\n- c\n*** With:\n*** Update File: g\n-d\n+e\n",
        "M f [a;=>b;] [- c;=>]\nM g [d;=>e;]",
    );
    // A blank line at the end of both is meant.
    sections(
        "*** Replace in: f\n*** Find:\na\n\n*** With:\nb\n\n",
        "M f [a;;=>b;;]",
    );
    sections(
        "*** Replace in: f\n*** Find:\na\n*** Find:\nb\n*** With:\nc\n",
        "M f [b;=>c;]\n! line 5 of the input: found '*** Find:', expected '*** With:'",
    );
    sections(
        "*** Replace in: f\n*** Find:\n*** With:\nc\n",
        "! line 3 of the input: found nothing to find, expected the lines as the file has them",
    );
    sections(
        "*** Replace in: f\nx\n",
        "! line 3 of the input: found 'x', expected '*** Find:'",
    );
    sections(
        "*** Replace in: f\n",
        "! line 3 of the input: found '*** End Patch', expected a hunk for this file",
    );
}

#[test]
fn lines_are_named_by_number() {
    sections(
        "*** Replace Lines in: f\n*** Lines: 2-3\n*** With:\na\n\n",
        "M f 2 2 lines [=>a;;]",
    );
    sections(
        "*** Replace Lines in: f\n*** Lines: 4\n*** With:\na\n",
        "M f 4 1 lines [=>a;]",
    );
    sections(
        "*** Replace Lines in: f\n*** Lines: 3-eof\n*** With:\na\n",
        "M f 3 0 lines $ [=>a;]",
    );
    sections(
        "*** Delete Lines in: f\n*** Lines: 2-4\n",
        "M f 2 3 lines [=>]",
    );
    sections(
        "*** Insert Before in: f\n*** Line: 2\n*** With:\na\n",
        "M f 2 [=>a;]",
    );
    sections(
        "*** Insert After in: f\n*** Line: 2\n*** With:\na\n",
        "M f 3 [=>a;]",
    );
    sections(
        "*** Insert After in: f\n*** Line: 2-3\n*** With:\na\n",
        "! line 3 of the input: found '*** Line: 2-3', expected '*** Line: NUMBER'",
    );
    sections(
        "*** Replace Lines in: f\n*** Lines: 4-2\n*** With:\na\n",
        "! line 3 of the input: found '*** Lines: 4-2', expected '*** Lines: FIRST-LAST'",
    );
    sections(
        "*** Replace Lines in: f\n*** Lines: 2-4\na\n",
        "! line 4 of the input: found 'a', expected '*** With:'",
    );
}
