//! Edits that a page, a mail program or a terminal changed on the way: they are read as they were written, or refused.

use crate::outcome;
use crate::show::{check, read};

const FILE: [(&str, &str); 1] = [("f.py", "def a():\n    b(\"x\")\n")];

#[test]
fn typeset_blanks_and_quotes_are_read_as_those_of_the_file() {
    let edit = |old: &str, new: &str| {
        format!("f.py\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
    };
    let check = |edit: &str, after: &str| outcome::check(&FILE, edit, &[("f.py", after)], &[]);
    check(
        &edit("\u{a0}\u{a0} \u{a0}b(“x”)", "\u{a0}\u{a0} \u{a0}c(“y”)"),
        "def a():\n    c(\"y\")\n",
    );
    // Without any in the preimage they are the edit's own.
    check(
        &edit("    b(\"x\")", "    b(\"“x”\")"),
        "def a():\n    b(\"“x”\")\n",
    );
}

#[test]
fn texts_of_a_page_are_refused_by_their_name() {
    check(
        "{“file_path“: “f.py“, “old_string“: “a“, “new_string“: “b“}\n",
        "! line 1 of the input: found JSON with typographic quotes, expected the same text with the quotes `\"`",
    );
    check(
        "&lt;write_to_file&gt;\n&lt;path&gt;f.py&lt;/path&gt;\n",
        "! line 1 of the input: found tags that are escaped as HTML, expected the same text with `<` and `>`",
    );
    check("<lov-write file_path=“f.py“>\na\n</lov-write>\n", "");
    check(
        "<lov-write file_path=f.py>\na\n</lov-write>\n",
        "O f.py +nl [=>a;]",
    );
}

#[test]
fn a_hashline_patch_is_refused_by_its_name() {
    check(
        "[src/f.py#1A2B]\nSWAP 1.=2:\n+a\n",
        "! line 1 of the input: found a hashline patch, which names lines by their numbers alone, expected an edit that quotes its lines, such as a diff",
    );
    check("[a link](b#1A2B)\nSWAP it.\n", "");
    check("[f.py#part]\nSWAP 1.=2:\n+a\n", "");
}

#[test]
fn colours_in_the_text_of_a_file_are_refused() {
    let text = |line: &str| format!("cat > f.py <<'EOF'\n{line}\nEOF\n");
    check(
        &text("\u{1b}[1mreturn\u{1b}[0m 1"),
        "! line 2 of the input: found an edit (`shell`) with the colours of a terminal in its lines, expected the same text without colours",
    );
    assert!(read(&text("print('\\u001b[1m')")).starts_with("O f.py"));
}

#[test]
fn a_hunk_at_the_end_of_a_reply_that_is_cut_off_is_refused() {
    let diff = "--- f.py\n+++ f.py\n@@ ... @@\n def a():\n-    b";
    let said =
        "! line 6 of the input: found the end of the input, expected the end of the code fence";
    check(&format!("```diff\n{diff}"), said);
    check(&format!("```diff\n{diff}\n"), said);
    assert!(read(&format!("```diff\n{diff}\n```")).starts_with("M f.py"));
    assert!(read(diff).starts_with("M f.py"));
}
