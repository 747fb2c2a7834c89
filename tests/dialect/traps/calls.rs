//! Tool calls: `OpenHands`, opencode, Gemini, Cline, Continue, Claude Code.

use serde_json::json;

use super::{becomes, refused};
use crate::outcome::check;

fn edit(old: &str, new: &str) -> String {
    json!({ "file_path": "f.py", "old_string": old, "new_string": new }).to_string()
}

#[test]
fn a_text_is_not_found_by_stripping_it() {
    refused(
        "max = 10\n",
        &edit("  x = 10\n\n", "  x = 11\n"),
        "no match in the file",
    );
    becomes("    x = 10\n", &edit("x = 10", "x = 11"), "    x = 11\n");
    becomes("aaa\n", &edit("aaa", "b"), "b\n");
    refused("aaa\n", &edit("aa", "b"), "ambiguous");
}

#[test]
fn equal_places_are_never_guessed() {
    refused("go()\ngo()\n", &edit("go()", "stay()"), "ambiguous");
    refused(
        "  go()\n\tgo()\n",
        &edit("    go()\n", "    stay()\n"),
        "ambiguous",
    );
    let every = json!({ "file_path": "f.py", "old_string": "go()", "new_string": "stay()", "replace_all": true });
    becomes("go()\ngo()\n", &every.to_string(), "stay()\nstay()\n");
}

#[test]
fn only_the_lines_that_are_meant_change() {
    // The first and the last line stand there, and what is between them is something else.
    refused(
        "def a():\n    one()\n    two()\n    three()\n    return\n",
        &edit(
            "def a():\n    four()\n    five()\n    six()\n    return\n",
            "def a():\n    return\n",
        ),
        "a line that it changes is not the same",
    );
    refused(
        "x = 1\nreturn x\n",
        &edit("y = 1\nreturn z\n", "y = 2\nreturn z\n"),
        "no match in the file",
    );
    refused(
        "Go(x)\n",
        &edit("go(x)\n", "stay(x)\n"),
        "no match in the file",
    );
}

#[test]
fn endings_modes_and_marks_survive() {
    // What comes in place of a line ends as that line did.
    becomes("a\r\nb\nc\r\n", &edit("b\n", "x\ny\n"), "a\r\nx\ny\nc\r\n");
    becomes("a\r\nb\r\n", &edit("a\nb", "a\nc"), "a\r\nc\r\n");
    becomes("\u{feff}a\nb\n", &edit("a", "x"), "\u{feff}x\nb\n");
    becomes("a\nb", &edit("b", "c"), "a\nc");
    becomes(
        "x = '$1'\n",
        &edit("'$1'", "'$& $$ $1'"),
        "x = '$& $$ $1'\n",
    );
}

#[test]
fn an_insertion_adds_its_lines_and_no_others() {
    let insert = |after: usize, text: &str| {
        json!({ "command": "insert", "path": "f.py", "insert_line": after, "new_str": text })
            .to_string()
    };
    becomes("a\nb\n", &insert(1, "x\n"), "a\nx\nb\n");
    becomes("a\nb\n", &insert(1, "x"), "a\nx\nb\n");
    becomes("a\nb\n", &insert(0, "x"), "x\na\nb\n");
    becomes("a\nb", &insert(2, "x"), "a\nb\nx");
    refused(
        "a\nb\n",
        &insert(7, "x"),
        "the edit does not say where its lines belong",
    );
}

#[test]
fn calls_that_are_no_edits_say_so() {
    refused(
        "a\n",
        &edit("a", "a"),
        "its old and its new lines are equal",
    );
    let undo = json!({ "command": "undo_edit", "path": "f.py" }).to_string();
    refused("a\n", &undo, "`countersign undo` takes back a batch");
    let made = json!({ "command": "create", "path": "f.py", "file_text": "b\n" }).to_string();
    refused("a\n", &made, "the file exists already, with another text");
    refused(
        "a\n",
        &edit("", "b\n"),
        "the file exists already, with another text",
    );
    check(&[], &edit("", "b\n"), &[("f.py", "b\n")], &[]);
}

#[test]
fn lines_that_stand_for_others_are_not_written() {
    let file = "def a():\n    one()\n    two()\n";
    let rest = edit(
        "def a():\n    one()\n    two()\n",
        "def a():\n    # ... rest of the function ...\n",
    );
    refused(file, &rest, "expected the lines that it stands for");
}

#[test]
fn several_edits_stand_on_each_other() {
    let edits = json!({ "file_path": "f.py", "edits": [
        { "old_string": "a", "new_string": "b\nc" },
        { "old_string": "c", "new_string": "d" },
    ] });
    becomes("a\n", &edits.to_string(), "b\nd\n");
}

#[test]
fn a_file_is_emptied_only_if_that_is_asked() {
    becomes("a\n", &edit("a\n", ""), "");
    let written = json!({ "file_path": "f.py", "content": "" }).to_string();
    becomes("a\n", &written, "");
    refused("a\n", &edit("b\n", ""), "no match in the file");
}
