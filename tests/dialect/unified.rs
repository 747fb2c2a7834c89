//! Unified diffs, of git and of models.

use countersign::dialect::{Options, parse};
use countersign::proposal::Miscount;

use crate::outcome;
use crate::show::{check, read, read_as};

/// Reads a diff body for the file `f`.
#[track_caller]
fn body(text: &str, expected: &str) {
    check(&format!("--- a/f\n+++ b/f\n{text}"), expected);
}

#[test]
fn hunks_are_read_with_numbers_and_sections() {
    body(
        "@@ -3,3 +3,4 @@ fn a() {\n x\n-y\n+z\n+w\n v\n",
        "M f 3 ~fn a() { [x;y;v;=>x;z;w;v;]",
    );
    body(
        "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n",
        "M f 1 [a;=>b;] 9 [c;=>d;]",
    );
    body("@@ -5,0 +6,2 @@\n+a\n+b\n", "M f 6 [=>a;b;]");
    body("@@ -0,0 +1 @@\n+a\n", "M f 1 [=>a;]");
    body("@@ -3,2 +3,0 @@\n-a\n-b\n", "M f 3 [a;b;=>]");
}

#[test]
fn a_signature_is_two_dashes_and_a_version() {
    body("@@\n x\n-a\n+b\n-- \n2.47.3\n", "M f [x;a;=>x;b;]");
    // A removed line that is a dash and a blank, before a line that is no version.
    body("@@\n x\n-- \n y\n", "M f [x;- ;y;=>x;y;]");
}

#[test]
fn numbers_may_be_missing() {
    body("@@\n x\n-a\n+b\n y\n", "M f [x;a;y;=>x;b;y;]");
    body("@@ ... @@\n-a\n+b\n x\n", "M f [a;x;=>b;x;]");
    body("@@ def x():\n-a\n+b\n x\n", "M f ~def x(): [a;x;=>b;x;]");
    body("-a\n+b\n x\n", "M f [a;x;=>b;x;]");
    body(
        "@@\n-a\n+b\n\n@@\n-c\n+d\n x\n",
        "M f [a;=>b;] [c;x;=>d;x;]",
    );
}

#[test]
fn nothing_may_show_that_the_last_hunk_is_whole() {
    body("@@\n x\n-a\n+b\n", "M f guessed [x;a;=>x;b;]");
    body("@@\n x\n-a\n+b\n y", "M f guessed [x;a;y;=>x;b;y;]");
    body("@@\n x\n-a\n+b\n\nDone.\n", "M f [x;a;=>x;b;]");
    body("@@ -1,2 +1,2 @@\n x\n-a\n+b", "M f 1 [x;a;=>x;b;]");
    // Counts that more lines could make right, and those that none could.
    body(
        "@@ -1,9 +1,9 @@\n a\n-b\n+c\n d\n e\n",
        "M f 1 guessed [a;b;d;e;=>a;c;d;e;]",
    );
    body(
        "@@ -1,9 +1,4 @@\n a\n-b\n+c\n d\n e\n",
        "M f 1 [a;b;d;e;=>a;c;d;e;]",
    );
    body(
        "@@ -1,9 +1,2 @@\n a\n-b\n+c\n d\n e\n",
        "M f 1 [a;b;d;e;=>a;c;d;e;]",
    );
}

#[test]
fn counts_decide_what_is_content() {
    // SQL and Lua comments look like a file header.
    body(
        "@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n x\n",
        "M f 1 [-- old comment;x;=>++ new comment;x;]",
    );
    body(
        "@@\n--- old comment\n+++ new comment\n x\n",
        "M f [-- old comment;x;=>++ new comment;x;]",
    );
    body(
        "@@ -1,3 +1,2 @@\n x\n--- a\n *** y\n",
        "M f 1 [x;-- a;*** y;=>x;*** y;]",
    );
    body(
        "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n\nThen run it.\n- and see\n",
        "M f 1 [a;b;d;=>a;c;d;]",
    );
    // Trimmed blanks: an empty line is an empty context line.
    body(
        "@@ -1,5 +1,5 @@\n a\n\n-b\n+c\n\n\nprose\n",
        "M f 1 [a;;b;;;=>a;;c;;;]",
    );
    // A context line that lost its blank.
    body(
        "@@ -1,3 +1,3 @@\n\tx\n-\ta\n+\tb\n \tz\n",
        "M f 1 [\tx;\ta;\tz;=>\tx;\tb;\tz;]",
    );
    // Other text without a mark is no context, even where the counts would have it.
    body(
        "@@ -1,4 +1,4 @@\n a\n(the rest stays the same)\n-b\n+c\n d\n",
        "! line 5 of the input: found '(the rest stays the same)', expected a line that begins with ' ', '-' or '+'",
    );
}

#[test]
fn the_body_decides_where_counts_are_wrong() {
    body(
        "@@ -1,9 +1,9 @@\n a\n-b\n+c\n d\n e\n",
        "M f 1 guessed [a;b;d;e;=>a;c;d;e;]",
    );
    body(
        "@@ -1,2 +1,2 @@\n a\n-b\n+c\n d\n e\n",
        "M f 1 [a;b;d;e;=>a;c;d;e;]",
    );
    body(
        "@@ -1,3 +1,3 @@\n-b\n+c\n d\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n",
        "M g 1 [x;=>y;]\n! line 6 of the input: found the hunk's end after 2 old and 2 new lines, expected 3 and 3, as its header says",
    );
    body(
        "@@ -1,4 +1,4 @@\n-b\n+c\n d\n e\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n",
        "M f 1 [b;d;e;=>c;d;e;]\nM g 1 [x;=>y;]",
    );
}

#[test]
fn a_hunk_that_is_cut_off_or_holds_garbage_is_a_problem() {
    body(
        "@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+e\n",
        "! line 8 of the input: found the hunk's end after 4 old and 4 new lines, expected 7 and 7, as its header says",
    );
    body(
        "@@ -1,4 +1,4 @@\n a\n(the rest stays the same)\n-d\n+e\n x\n y\n",
        "! line 5 of the input: found '(the rest stays the same)', expected a line that begins with ' ', '-' or '+'",
    );
    body(
        "@@ -1,9 +1,9 @@\n a\n b\n",
        "! line 5 of the input: found a hunk without a changed line, expected a line that begins with '-' or '+'",
    );
    body(
        "",
        "! line 2 of the input: found the end of the input, expected '@@' and a hunk for this file",
    );
    body(
        "@@ -1 +1 @@\n-a\n+b\n@@ -9,3 +9,3 @@\n-c\n",
        "M f 1 [a;=>b;]\n! line 7 of the input: found the hunk's end after 1 old and 0 new lines, expected 3 and 3, as its header says",
    );
}

#[test]
fn the_final_newline_is_said_by_a_backslash() {
    body(
        "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n",
        "M f 1 $ +nl [a;=>b;]",
    );
    body(
        "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n",
        "M f 1 $ -nl [a;=>b;]",
    );
    body(
        "@@ -1 +1 @@\n-a\n\\ No newline\n+b\n\\ No newline\n",
        "M f 1 [a;=>b;]",
    );
    body(
        "@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ No newline\n",
        "M f 1 [a;c;=>b;c;]",
    );
    check(
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
        "C f -nl [=>a;]",
    );
}

#[test]
fn git_says_what_happens_to_the_file() {
    let git = |text: &str, expected: &str| check(&format!("diff --git a/f b/f\n{text}"), expected);
    git(
        "index 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
        "M f 1 [a;=>b;]",
    );
    git(
        "new file mode 100755\nindex 0..1\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+\n",
        "C f +x [=>a;;]",
    );
    git("new file mode 100644\nindex 0000000..e69de29\n", "C f -x");
    git(
        "deleted file mode 100644\nindex 1..0\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
        "D f 1 [a;=>]",
    );
    git("deleted file mode 100644\n", "D f");
    git("old mode 100644\nnew mode 100755\n", "M f +x");
    git("rename from f\nrename to g h\n", "R f -> g h");
    git(
        "similarity index 90%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
        "R f -> g 1 [a;=>b;]",
    );
    git(
        "similarity index 100%\ncopy from f\ncopy to g\n",
        "K g <- f",
    );
    git(
        "old mode 100644\nnew mode 100755\ncopy from f\ncopy to g h\n--- a/f\n+++ b/g h\n@@ -1 +1 @@\n-a\n+b\n",
        "K g h <- f +x 1 [a;=>b;]",
    );
    git(
        "copy from f\n",
        "! line 2 of the input: found the end of the input, expected '@@' and a hunk for this file",
    );
    git(
        "index 1..2\nBinary files a/f and b/f differ\n",
        "! line 3 of the input: found 'Binary files a/f and b/f differ', expected the bytes of the binary file, as `git diff --binary` writes them",
    );
    git(
        "index 1..2\nGIT binary patch\nliteral 3\nKcmZQ!0RR91\n\nliteral 0\nHcmV?d00001\n\ndiff --git a/g b/g\nold mode 100644\nnew mode 100755\n",
        "M g +x\n! line 4 of the input: found 'literal 3', expected the bytes of a binary file, whole and undamaged",
    );
    git(
        "index 1..2\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n",
        "M f BinaryPatch(Literal(0 bytes), Literal(0 bytes))",
    );
}

#[test]
fn git_modes_tell_links_and_submodules() {
    let git =
        |lines: &str, expected: &str| check(&format!("diff --git a/f b/f\n{lines}"), expected);
    git(
        "new file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
        "L f None -> Some(\"x\")",
    );
    git(
        "index 1111111..2222222 120000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+../y z\n\\ No newline at end of file\n",
        "L f Some(\"x\") -> Some(\"../y z\")",
    );
    git(
        "deleted file mode 120000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n",
        "L f Some(\"x\") -> None",
    );
    git(
        "new file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+x\n+y\n",
        "! line 1 of the input: found 'diff --git a/f b/f', expected the target of the symbolic link, as one line of UTF-8",
    );
    git(
        "index 1111111..2222222 160000\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
        "! line 2 of the input: found 'index 1111111..2222222 160000', expected a file or a link: mode 160000 is a submodule, which only git can change",
    );
    git(
        "new file mode 100600\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n",
        "! line 2 of the input: found 'new file mode 100600', expected the mode of a file, 100644 or 100755",
    );
}

#[test]
fn names_lose_what_is_not_theirs() {
    let named = |old: &str, new: &str, expected: &str| {
        check(
            &format!("--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n"),
            &format!("M {expected} 1 [a;=>b;]"),
        );
    };
    named("a/x", "b/x", "x");
    named("x", "x", "x");
    named(
        "x.c\t2026-01-01 00:00:00",
        "x.c\t2026-01-02 00:00:00",
        "x.c",
    );
    named("\"a/\\303\\244.c\"", "\"b/\\303\\244.c\"", "ä.c");
    named("a/my file.c", "b/my file.c", "my file.c");
    named("../x", "../x", "../x");
    named("/abs/x", "/abs/x", "/abs/x");
}

#[test]
fn several_files_stand_in_one_diff() {
    check(
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/h\n@@ -0,0 +1 @@\n+y\n-- \n2.47.3\n",
        "M f 1 [a;=>b;]\nD g 1 [x;=>]\nC h [=>y;]",
    );
    check(
        "diff --git a/f b/g\nrename from f\nrename to g\ndiff --git a/h b/h\n--- a/h\n+++ b/h\n@@ -1 +1 @@\n-a\n+b\n",
        "R f -> g\nM h 1 [a;=>b;]",
    );
}

#[test]
fn a_hunk_without_a_file_takes_the_one_from_outside() {
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    assert_eq!(read_as("auto", Some("f"), hunk), "M f 1 [a;=>b;]");
    assert_eq!(
        read_as("auto", Some("f"), "@@ ... @@\n-a\n+b\n"),
        "M f guessed [a;=>b;]"
    );
    check(
        hunk,
        "! line 1 of the input: found '@@ -1 +1 @@', expected '--- ' and '+++ ' lines before it, or `--path FILE`",
    );
}

#[test]
fn a_new_file_has_no_old_lines() {
    check(
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1,3 @@\n+a\n\n+b\n",
        "C f [=>a;;b;]",
    );
    check(
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n a\n+b\n",
        "! line 1 of the input: found old lines in a new file, expected lines that begin with '+'",
    );
}

#[test]
fn the_versions_of_a_diff_are_kept_where_it_names_them() {
    let check = |index: &str, expected: Option<(&str, &str)>| {
        let text = format!("diff --git a/f b/f\n{index}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n");
        let files = parse(&text, &Options::default()).proposal.files;
        let blobs = files[0].blobs.as_ref();
        let found = blobs.map(|blobs| (blobs.before.as_str(), blobs.after.as_str()));
        assert_eq!(found, expected, "{index}");
    };
    check(
        "index 1a2b3c4..5D6E7F8 100644\n",
        Some(("1a2b3c4", "5d6e7f8")),
    );
    check("index 0000000..e69de29\n", Some(("0000000", "e69de29")));
    check("index 1..2 100644\n", None);
    check("index some..words\n", None);
    check("", None);
}

#[test]
fn a_header_that_miscounts_is_noted_and_its_lines_are_read() {
    let miscount = |text: &str| {
        let text = format!("--- f\n+++ f\n{text}");
        let parsed = parse(&text, &Options::default());
        let hunk = parsed.proposal.files[0].hunks[0].clone();
        hunk.miscount.map(|Miscount { said, found }| (said, found))
    };
    assert_eq!(miscount("@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), None);
    assert_eq!(miscount("@@\n a\n-b\n+c\n"), None);
    let wrong = miscount("@@ -1,9 +1,7 @@\n a\n-b\n+c\n d\n e\n");
    assert_eq!(wrong, Some(((9, 7), (4, 4))));
    let wrong = miscount("@@ -1 +1 @@\n a\n-b\n+c\n d\n e\n");
    assert_eq!(wrong, Some(((1, 1), (4, 4))));
}

#[test]
fn a_new_file_has_the_prefix_that_the_git_line_shows() {
    let check = |names: &str, expected: &str| {
        let (old, new) = names.split_once(' ').unwrap();
        let header = format!("diff --git {names}\n");
        for text in [
            format!("{header}new file mode 100644\n--- /dev/null\n+++ {new}\n@@ -0,0 +1 @@\n+a\n"),
            format!("{header}--- {old}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
        ] {
            let parsed = parse(&text, &Options::default());
            let names: Vec<&str> = (parsed.proposal.files.iter())
                .map(|file| file.path.first())
                .collect();
            assert_eq!(names, [expected], "{text}");
        }
    };
    check("a/x b/x", "x");
    check("i/x w/x", "x");
    check("a/x a/x", "a/x");
    check("b/x b/x", "b/x");
    check("x x", "x");
}

/// The problems of a diff, without the rest of the sentence.
#[track_caller]
fn check_endings(text: &str, expected: &[&str]) {
    let parsed = parse(text, &Options::default());
    let found: Vec<&str> = parsed.problems.iter().map(|it| it.found.as_str()).collect();
    assert_eq!(found, expected, "{text:?}");
    assert_eq!(
        parsed.proposal.files.is_empty(),
        !expected.is_empty(),
        "{text:?}"
    );
}

#[test]
fn a_line_that_stays_does_not_get_another_ending() {
    const TO_LF: &str = "'a' with a changed line ending (CRLF to LF)";
    const TO_CRLF: &str = "'a' with a changed line ending (LF to CRLF)";
    const UNCLEAR: &str = "a hunk for lines with different line endings, of which several are 'a'";
    let diff = |body: &str| format!("--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n{body}");
    let check = |body: &str, expected: &[&str]| {
        check_endings(&diff(body), expected);
        let envelope = format!("*** Begin Patch\n*** Update File: f\n@@\n{body}*** End Patch\n");
        check_endings(&envelope, expected);
    };
    // Alone, and beside another change of the hunk.
    check(" x\n y\n-a\r\n+a\n x\n y\n", &[TO_LF]);
    check(" x\n y\n-a\n+a\r\n x\n y\n", &[TO_CRLF]);
    check(" x\n y\n-a\r\n-b\n+a\n+c\n x\n y\n", &[TO_LF]);
    check("-b\n+c\n x\n y\n-a\n+a\r\n x\n y\n", &[TO_CRLF]);
    // A line that is new takes the ending of the lines around it, and so do all lines of a text whose endings a transport changed.
    check(" x\n y\n-a\r\n+b\n x\n y\n", &[]);
    check(" x\r\n y\r\n-a\r\n+a\r\n-b\r\n+c\r\n x\r\n y\r\n", &[]);
    // In a file that mixes endings, lines are not told apart by nothing but their endings, and a line that moves may leave others
    // without theirs.
    check("-a\r\n x\n+a\n x\n y\n", &[UNCLEAR]);
    check(" a\n-a\r\n x\n y\n", &[UNCLEAR]);
    check("-a\n x\r\n+a\n x\r\n y\n", &[UNCLEAR]);
    check(" a\n a\r\n-b\n x\n y\n", &[]);
    check("-a\r\n x\r\n+a\n x\r\n y\r\n", &[]);
    let header = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n";
    let newline = "-b\n+c\n-a\n\\ No newline at end of file\n+a\r\n";
    check_endings(&format!("{header}{newline}"), &[]);
}

#[test]
fn other_diffs_change_no_endings_either() {
    const TO_LF: &str = "'a' with a changed line ending (CRLF to LF)";
    let normal = |new: &str| format!("diff f f\n1,2c1,2\n< a\r\n< b\n---\n> {new}\n> c\n");
    check_endings(&normal("a"), &[TO_LF]);
    check_endings(&normal("a\r"), &[]);
    let context = |new: &str| {
        format!(
            "*** f\n--- f\n***************\n*** 1,3 ****\n! a\r\n! b\n  x\n--- 1,3 ----\n! {new}\n! c\n  x\n"
        )
    };
    check_endings(&context("a"), &[TO_LF]);
    check_endings(&context("d"), &[]);
}

#[test]
fn a_combined_diff_is_refused_as_a_whole() {
    let text = "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n- b\n -c\n++d\ndiff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n";
    let parsed = parse(text, &Options::default());
    let files = parsed.proposal.files.iter();
    let paths: Vec<_> = files.map(|file| file.path.first()).collect();
    assert_eq!((paths, parsed.problems.len()), (vec!["g"], 1));
}

/// A diff's own line ends are not those of the file; a carriage return before them is.
#[test]
fn a_new_file_has_the_carriage_returns_of_its_diff() {
    let diff = |end: &str, body: &str| {
        let head = "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n";
        let head = head.replace('\n', end);
        format!("{head}@@ -0,0 +1,3 @@{end}{body}")
    };
    check(&diff("\n", "+a\r\n+b\n+c\r\n"), "C f -x [=>a\r;b;c\r;]");
    check(&diff("\n", "+a\r\n\n+c\r\n\n"), "C f -x [=>a\r;;c\r;]");
    check(&diff("\r\n", "+a\r\n+b\r\n+c\r\n"), "C f -x [=>a;b;c;]");
    check(
        &diff("\r\n", "+a\r\r\n+b\r\r\n+c\r\n"),
        "C f -x [=>a\r;b\r;c;]",
    );
    // Two files in one diff, one of each kind.
    let two = diff("\n", "+a\r\n+b\r\n+c\r\n") + &diff("\n", "+a\n+b\n+c\n").replace("/f", "/g");
    check(&two, "C f -x [=>a\r;b\r;c\r;]\nC g -x [=>a;b;c;]");
}

#[test]
fn a_name_that_no_file_can_have_is_refused_beside_the_others() {
    let long = "d/".repeat(100_000);
    outcome::check(
        &[("f", "a\n")],
        &format!(
            "--- a/{long}f\n+++ b/{long}f\n@@ -1 +1 @@\n-a\n+b\n\
             --- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
        ),
        &[("f", "b\n")],
        &[
            "line 1 of the input: found a file name of 200003 bytes, expected a name of at most 4095 bytes",
        ],
    );
}

#[test]
fn a_diff_below_a_rename_of_another_file_is_its_own() {
    let renamed =
        "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n";
    let diff = "--- a/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-a\n+b\n";
    check(
        &format!("{renamed}{diff}"),
        "R a.txt -> b.txt\nM c.txt 1 [a;=>b;]",
    );
}

#[test]
fn names_that_contradict_the_git_line_are_refused() {
    let check = |git: &str, sides: &str, is_read: bool| {
        let (old, new) = sides.split_once(' ').unwrap();
        let diff = format!("diff --git {git}\n--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
        let found = read(&diff);
        let refused = "expected the names that the line 'diff --git' has";
        assert_eq!(!found.contains(refused), is_read, "{found}\n{diff}");
    };
    check("a/a.txt b/a.txt", "a/c.txt b/c.txt", false);
    check("a/a.txt b/a.txt", "a/a.txt b/c.txt", false);
    check(
        "a/a.txt b/d.txt\nsimilarity index 90%\nrename from a.txt\nrename to d.txt",
        "a/a.txt b/e.txt",
        false,
    );
    check("a/a.txt b/a.txt", "a/a.txt b/a.txt", true);
    check("a/a.txt b/a.txt", "a.txt a.txt", true);
    check("a.txt a.txt", "a/a.txt b/a.txt", true);
    check("a/x y.txt b/x y.txt", "a/x y.txt\t b/x y.txt\t", true);
    check("a/a.txt b/a.txt", "a/src/a.txt b/src/a.txt", true);
    check("a/a.txt b/a.txt", "/dev/null b/a.txt", true);
}

#[test]
fn a_diff_in_an_encoded_mail_below_other_text_is_refused() {
    let diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b =3D\n";
    let mail = |encoding: &str| {
        format!("From: A\nSubject: b\nContent-Transfer-Encoding: {encoding}\n\n{diff}")
    };
    let expected = "M f 1 [a;=>b =3D;]";
    check(
        &format!("Here it is:\n\n{}", mail("quoted-printable")),
        "! line 7 of the input: found an edit in a mail whose text is encoded as quoted-printable, below other text, expected the mail alone, with its header, which is then decoded",
    );
    check(&format!("Here it is:\n\n{}", mail("8bit")), expected);
    check(&mail("quoted-printable"), "M f 1 [a;=>b =;]");
    // The header of another mail, and one in a file, say nothing about it.
    let header = "```\nContent-Transfer-Encoding: base64\n```\n\n";
    check(&format!("Like this:\n\n{header}{diff}"), expected);
    let context = diff.replace("-a", " Content-Transfer-Encoding: base64\n-a");
    check(
        &context.replace("-1 +1", "-1,2 +1,2"),
        "M f 1 [Content-Transfer-Encoding: base64;a;=>Content-Transfer-Encoding: base64;b =3D;]",
    );
}
