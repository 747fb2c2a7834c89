//! Roo Code's and Cline's blocks.

use crate::show::{check, read_as};

/// Reads blocks for the file `f`, as a tool call would hand them over.
#[track_caller]
fn roo(text: &str, expected: &str) {
    assert_eq!(read_as("auto", Some("f"), text), expected, "\n{text}\n");
}

#[test]
fn a_block_has_two_halves() {
    roo(
        "<<<<<<< SEARCH\na\nb\n=======\na\nc\n>>>>>>> REPLACE",
        "M f [a;b;=>a;c;]",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n",
        "M f [a;=>]",
    );
    roo(
        "<<<<<<< SEARCH>\na\n=======\nb\n>>>>>>> REPLACE",
        "M f [a;=>b;]",
    );
    roo("<<<<< SEARCH\na\n=====\nb\n>>>>> REPLACE", "M f [a;=>b;]");
    roo(
        "<<<<<<<< SEARCH\na\n========\nb\n>>>>>>>> REPLACE",
        "M f [a;=>b;]",
    );
    roo(
        "------- SEARCH\na\n=======\nb\n+++++++ REPLACE",
        "M f [a;=>b;]",
    );
}

#[test]
fn hints_and_the_rule_are_read_off() {
    roo(
        "<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\n:start_line: 7\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\n:end_line:9\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\n:start_line=7\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\n:start_line:0\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f [a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH line=7\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [a;=>b;]",
    );
    // Without a hint the rule may be the file's own line.
    roo(
        "<<<<<<< SEARCH\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f [a;=>b;|-------;a;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\n:start_line:7\n-------\n-------\na\n=======\nb\n>>>>>>> REPLACE",
        "M f 7 [-------;a;=>b;]",
    );
}

#[test]
fn blank_lines_are_content() {
    roo(
        "<<<<<<< SEARCH\n:start_line:3\n-------\n\n\na\n\n=======\n\nb\n\n\n>>>>>>> REPLACE",
        "M f 3 [;;a;;=>;b;;;]",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\n\n>>>>>>> REPLACE",
        "M f [a;=>;]",
    );
}

#[test]
fn what_is_around_the_markers_is_free() {
    roo(
        "<<<<<<< SEARCH \r\na\r\n======= \r\nb\r\n>>>>>>> REPLACE \r\n<<<<<<< SEARCH\r\nc\r\n=======\r\nd\r\n>>>>>>> REPLACE\r\n",
        "M f [a;=>b;] [c;=>d;]",
    );
    roo(
        "\u{feff}<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE",
        "M f [a;=>b;]",
    );
    // An indented block: its text may share the indentation, or not.
    roo(
        "  <<<<<<< SEARCH\n    a\n  =======\n    b\n  >>>>>>> REPLACE",
        "M f [  a;=>  b;|    a;=>    b;]",
    );
    roo(
        "  <<<<<<< SEARCH\na\n  =======\nb\n  >>>>>>> REPLACE",
        "M f [a;=>b;]",
    );
}

#[test]
fn escapes_are_one_backslash_at_the_margin() {
    roo(
        "<<<<<<< SEARCH\n\\<<<<<<< HEAD\na\n\\=======\nb\n\\>>>>>>> other\n=======\nb\n>>>>>>> REPLACE",
        "M f [<<<<<<< HEAD;a;=======;b;>>>>>>> other;=>b;|\\<<<<<<< HEAD;a;\\=======;b;\\>>>>>>> other;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\n\\=======\n>>>>>>> REPLACE",
        "M f [a;=>=======;]",
    );
    roo(
        "<<<<<<< SEARCH\n \\=======\n\\\\=======\n=======\nb\n>>>>>>> REPLACE",
        "M f [ \\=======;\\\\=======;=>b;]",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\n\\:start_line:5\n>>>>>>> REPLACE",
        "M f [a;=>:start_line:5;]",
    );
}

#[test]
fn every_divider_is_a_reading() {
    roo(
        "<<<<<<< SEARCH\na\n=======\nb\n=======\nc\n>>>>>>> REPLACE",
        "M f [a;=======;b;=>c;|a;=>b;=======;c;]",
    );
    roo(
        "<<<<<<< SEARCH\nT\n=======\na\n=======\nT\n=======\nb\n>>>>>>> REPLACE",
        "M f [T;=======;a;=>T;=======;b;|T;=>a;=======;T;=======;b;|T;=======;a;=======;T;=>b;]",
    );
    // A divider as long as the opening is one; a shorter one is a heading then.
    roo(
        "<<<<<<< SEARCH\nTitle\n=====\n=======\nb\n>>>>>>> REPLACE",
        "M f [Title;=====;=>b;]",
    );
    // Conflict markers without an escape.
    roo(
        "<<<<<<< SEARCH\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n=======\nb\n>>>>>>> REPLACE",
        "M f [<<<<<<< HEAD;a;=======;b;>>>>>>> x;=>b;|<<<<<<< HEAD;a;=>b;>>>>>>> x;=======;b;]",
    );
}

#[test]
fn a_block_that_is_not_whole_is_a_problem_and_the_others_survive() {
    roo(
        "<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE",
        "M f [c;=>d;]\n! line 3 of the input: found '>>>>>>> REPLACE', expected '=======' for the SEARCH on line 1",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE",
        "M f [c;=>d;]\n! line 5 of the input: found '<<<<<<< SEARCH', expected '>>>>>>> REPLACE' for the SEARCH on line 1",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\nb",
        "! line 4 of the input: found the end of the input, expected '>>>>>>> REPLACE' for the SEARCH on line 1",
    );
    roo(
        "<<<<<<< SEARCH\na",
        "! line 2 of the input: found the end of the input, expected '=======' for the SEARCH on line 1",
    );
    roo(
        "a\n>>>>>>> REPLACE",
        "! line 2 of the input: found '>>>>>>> REPLACE', expected '<<<<<<< SEARCH' before it",
    );
    roo(
        "<<-- SEARCH\na\n=======\nb\n>>>>>>> REPLACE",
        "! line 1 of the input: found '<<-- SEARCH', expected '<<<<<<< SEARCH'",
    );
    roo(
        "<<<<<<< SEARCH\na\n=======\n:start_line:5\nb\n>>>>>>> REPLACE",
        "! line 4 of the input: found ':start_line:5', expected '\\:start_line:5' if it is content",
    );
}

#[test]
fn the_file_comes_from_outside_or_from_above() {
    let block = "<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE";
    check(
        block,
        "! line 1 of the input: found a block that names no file, expected a file name above it, or `--path FILE`",
    );
    check(
        &format!("src/a.rs\n```\n{block}\n```"),
        "M src/a.rs 7 [a;=>b;]",
    );
    roo(&format!("src/a.rs\n```\n{block}\n```"), "M f 7 [a;=>b;]");
    roo(
        &format!("Sure! Here it is:\n\n```\n{block}\n```"),
        "M f 7 [a;=>b;]",
    );
}

#[test]
fn an_empty_search_makes_a_file_or_inserts_at_the_hint() {
    roo("------- SEARCH\n=======\na\n+++++++ REPLACE", "C f [=>a;]");
    roo(
        "<<<<<<< SEARCH\n:start_line:3\n-------\n=======\na\n>>>>>>> REPLACE",
        "M f 3 [=>a;]",
    );
}

#[test]
fn blocks_keep_their_order() {
    roo(
        "<<<<<<< SEARCH\n:start_line:9\n-------\na\n=======\nb\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE",
        "M f 9 [a;=>b;] [c;=>d;]",
    );
}
