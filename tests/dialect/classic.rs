//! The classic forms of `diff`: context, normal, ed, RCS.

use crate::show::{check, read_as};

#[test]
fn context_hunks_have_two_halves() {
    let diff = |body: &str, expected: &str| {
        check(
            &format!("*** a/f\t2026-01-01\n--- b/f\t2026-01-02\n{body}"),
            expected,
        );
    };
    diff(
        "***************\n*** 1,3 ****\n  a\n! b\n  c\n--- 1,3 ----\n  a\n! x\n  c\n",
        "M f 1 [a;b;c;=>a;x;c;]",
    );
    // A half without a change of its own is left out.
    diff(
        "***************\n*** 1,2 ****\n--- 1,3 ----\n  a\n+ b\n  c\n",
        "M f 1 [a;c;=>a;b;c;]",
    );
    diff(
        "***************\n*** 1,3 ****\n  a\n- b\n  c\n--- 1,2 ----\n",
        "M f 1 [a;b;c;=>a;c;]",
    );
    diff(
        "***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n***************\n*** 9 ****\n! c\n--- 9 ----\n! d\n\\ No newline at end of file\n",
        "M f 1 [a;=>b;] 9 $ -nl [c;=>d;]",
    );
    diff(
        "***************\n*** 1,3 ****\n  a\n! b\n--- 1,3 ----\n  a\n! x\n  c\n",
        "! line 7 of the input: found '--- 1,3 ----', expected 3 lines in this half, as its range says",
    );
    diff(
        "***************\n*** 1 ****\n! a\n",
        "! line 5 of the input: found the end of the input, expected '--- 1,3 ----'",
    );
}

#[test]
fn a_half_of_a_context_hunk_is_left_out_only_if_the_other_has_it() {
    let diff = |body: &str, expected: &str| {
        check(
            &format!("*** a/f\n--- b/f\n***************\n{body}"),
            expected,
        );
    };
    diff(
        "*** 1,3 ****\n  a\n! b\n  c\n--- 1,3 ----\n",
        "! line 8 of the input: found the end of the input, expected 3 lines in this half, as its range says",
    );
    diff(
        "*** 1,3 ****\n  a\n- b\n  c\n--- 1,3 ----\n",
        "! line 8 of the input: found the end of the input, expected 3 lines in this half, as its range says",
    );
    // A newline that an added line lacks says nothing of the old end.
    diff(
        "*** 1 ****\n--- 1,2 ----\n  a\n+ b\n\\ No newline at end of file\n",
        "M f 1 $ -nl [a;=>a;b;]",
    );
    diff(
        "*** 1 ****\n--- 1,2 ----\n+ b\n  a\n\\ No newline at end of file\n",
        "M f 1 [a;=>b;a;]",
    );
}

#[test]
fn normal_hunks_have_counts() {
    let diff = |text: &str, expected: &str| {
        assert_eq!(read_as("auto", Some("f"), text), expected, "\n{text}\n");
    };
    diff("2c2\n< a\n---\n> b\n", "M f 2 [a;=>b;]");
    diff(
        "2,3c2\n< a\n< \n---\n> b\n9a9,10\n> c\n> d\n12d12\n< e\n",
        "M f 2 [a;;=>b;] 10 [=>c;d;] 12 [e;=>]",
    );
    diff("0a1\n> a\n", "M f 1 [=>a;]");
    diff(
        "2,3c2\n< a\n---\n> b\n5d4\n< c\n",
        "M f 5 [c;=>]\n! line 4 of the input: found 1 old and 1 new lines, expected 2 and 1, as line 1 says",
    );
    check("diff -r a/f b/f\n2c2\n< a\n---\n> b\n", "M f 2 [a;=>b;]");
    check(
        "2c2\n< a\n---\n> b\n",
        "! line 1 of the input: found a diff that names no file, expected a 'diff' line above it, or `--path FILE`",
    );
}

#[test]
fn ed_scripts_run_backwards() {
    let script = |text: &str, expected: &str| {
        assert_eq!(read_as("auto", Some("f"), text), expected, "\n{text}\n");
    };
    script(
        "9d\n5,6c\na\n}\n.\n3a\nb\n.\nw\n",
        "M f 9 1 lines [=>] 5 2 lines [=>a;};] 4 [=>b;]",
    );
    script("0a\na\n.\n", "M f 1 [=>a;]");
    script(
        "3d\n5d\n",
        "! line 2 of the input: found '5d', expected a line above the one before, as `diff -e` writes them",
    );
    script(
        "3c\na\n",
        "! line 2 of the input: found the end of the input, expected '.' after the new lines",
    );
    assert_eq!(read_as("auto", None, "3d\n"), "");
    assert_eq!(
        read_as("ed", None, "3d\n"),
        "! line 1 of the input: found a script that names no file, expected a file name above it, or `--path FILE`"
    );
}

#[test]
fn rcs_scripts_count_lines() {
    let script = |text: &str, expected: &str| {
        assert_eq!(read_as("auto", Some("f"), text), expected, "\n{text}\n");
    };
    script(
        "d2 2\na3 1\nx\na9 2\ny\nz\nd12 1\n",
        "M f 2 2 lines [=>x;] 10 [=>y;z;] 12 1 lines [=>]",
    );
    script("a0 1\na\n", "M f 1 [=>a;]");
    script(
        "a3 3\nx\n",
        "! line 2 of the input: found the end of the input, expected 3 new lines, as line 1 says",
    );
    assert_eq!(read_as("auto", None, "a3 1\nx\n"), "");
}
