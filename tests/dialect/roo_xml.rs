//! Roo Code's and Cline's calls as XML.

use crate::show::{check, read_as};

const BLOCK: &str = "<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE";

#[test]
fn a_diff_is_for_the_file_of_its_call() {
    check(
        &format!("<apply_diff>\n<path>f</path>\n<diff>\n{BLOCK}\n</diff>\n</apply_diff>"),
        "M f 7 [a;=>b;]",
    );
    check(
        "<replace_in_file>\n<path>f</path>\n<diff>\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n</replace_in_file>",
        "M f [a;=>b;]",
    );
    // The call's name outweighs one above a block.
    check(
        &format!("<apply_diff>\n<path>f</path>\n<diff>\ng.rs\n{BLOCK}\n</diff>\n</apply_diff>"),
        "M f 7 [a;=>b;]",
    );
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n</diff>\n</apply_diff>",
        "M f 1 [a;=>b;]",
    );
}

#[test]
fn several_files_stand_in_one_call() {
    let file = |path: &str, text: &str| {
        format!(
            "<file>\n  <path>{path}</path>\n  <diff>\n    <content>{text}</content>\n  </diff>\n</file>\n"
        )
    };
    let plain = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";
    let args = format!(
        "<args>\n{}{}</args>",
        file("f", &format!("\n{BLOCK}\n")),
        file("g", &format!("<![CDATA[\n{plain}\n]]>"))
    );
    check(&args, "M f 7 [a;=>b;]\nM g [a;=>b;]");
    check(
        &format!("<apply_diff>\n{args}\n</apply_diff>"),
        "M f 7 [a;=>b;]\nM g [a;=>b;]",
    );
    check(
        &format!(
            "<args><file>\n<path>f</path>\n<diff>\n<content>\n{plain}\n</content>\n<start_line>9</start_line>\n</diff>\n</file></args>"
        ),
        "M f 9 [a;=>b;]",
    );
    check(
        &format!(
            "<args>\n<file>\n<path>f</path>\n<diff>\n<content>\n{plain}\n</content>\n<start_line>9</start_line>\n</diff>\n</file>\n</args>"
        ),
        "M f 9 [a;=>b;]",
    );
}

#[test]
fn a_tag_in_a_block_is_content() {
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\n</diff>\n</apply_diff>\n=======\n<path>x</path>\n>>>>>>> REPLACE\n</diff>\n</apply_diff>",
        "M f [</diff>;</apply_diff>;=><path>x</path>;]",
    );
}

#[test]
fn a_bad_block_does_not_cost_the_next_file() {
    check(
        &format!(
            "<args>\n<file>\n<path>f</path>\n<diff>\n<content>\n<<<<<<< SEARCH\na\n=======\n</content>\n</diff>\n</file>\n<file>\n<path>g</path>\n<diff>\n<content>\n{BLOCK}\n</content>\n</diff>\n</file>\n</args>"
        ),
        "M g 7 [a;=>b;]\n! line 8: found the end of the edit, expected '>>>>>>> REPLACE' for the SEARCH on line 6",
    );
    check(
        "<apply_diff>\n<path>f</path>\n</apply_diff>",
        "! line 1: found a call without a diff, expected '<path>' and '<diff>'",
    );
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\nnothing\n</diff>\n</apply_diff>",
        "! line 4: found a diff without a block, expected '<<<<<<< SEARCH'",
    );
}

#[test]
fn a_call_without_an_end_ends_at_prose() {
    check(
        &format!(
            "<apply_diff>\n<path>f</path>\n<diff>\n{BLOCK}\n</diff>\n\nThen:\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"
        ),
        "M f 7 [a;=>b;]\nM g 1 [a;=>b;]",
    );
}

#[test]
fn a_file_is_written_as_a_whole() {
    check(
        "<write_to_file>\n<path>f</path>\n<content>\na\n\n</content>\n</feed>\n</content>\n<line_count>4</line_count>\n</write_to_file>",
        "O f [=>a;;</content>;</feed>;]",
    );
    check(
        "<write_to_file>\n<path>f</path>\n<content>\na\n",
        "! line 4: found the end of the input, expected '</content>'",
    );
    check(
        "<write_to_file>\n<content>\na\n</content>\n</write_to_file>",
        "! line 1: found a call that names no file, expected '<path>'",
    );
}

#[test]
fn a_field_that_no_call_has_is_refused() {
    let write = |field: &str| {
        format!(
            "<write_to_file>\n<path>f</path>\n{field}\n<content>\na\n</content>\n</write_to_file>"
        )
    };
    for (field, name) in [
        ("<append>true</append>", "append"),
        ("<mode>\nappend\n</mode>", "mode"),
        ("<encoding>base64</encoding>", "encoding"),
        ("<dry-run/>", "dry-run"),
    ] {
        check(
            &write(field),
            &format!(
                "! line 3: found '<{name}>' in '<write_to_file>', which has no such field, expected the fields of the call"
            ),
        );
    }
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</diff>\n<max_count>1</max_count>\n</apply_diff>",
        "! line 10: found '<max_count>' in '<apply_diff>', which has no such field, expected the fields of the call",
    );
    // Remarks change nothing of what a call does.
    check(
        &write("<task_progress>\n- [x] look\n</task_progress>"),
        "O f [=>a;]",
    );
    check(
        &write("<requires_approval>false</requires_approval>"),
        "O f [=>a;]",
    );
}

#[test]
fn lines_are_inserted_before_a_line_or_at_the_end() {
    let insert = |line: &str| {
        format!(
            "<insert_content>\n<path>f</path>\n<line>{line}</line>\n<content>\na\n</content>\n</insert_content>"
        )
    };
    check(&insert("3"), "M f 3 [=>a;]");
    check(&insert("0"), "M f $ [=>a;]");
    check(
        &insert("x"),
        "! line 3: found '<line>x</line>', expected the number of a line",
    );
}

#[test]
fn texts_are_replaced_everywhere_or_at_a_line() {
    let replace = |more: &str| {
        format!(
            "<search_and_replace>\n<path>f</path>\n<search>a</search>\n<replace>b</replace>\n{more}\n</search_and_replace>"
        )
    };
    check(&replace(""), "M f every [a;=>b;]");
    check(
        &replace("<start_line>3</start_line>"),
        "M f 3 text [a;=>b;]",
    );
    check(
        &replace("<use_regex>true</use_regex>"),
        "! line 5: found '<use_regex>true</use_regex>', expected the text as the file has it",
    );
}

#[test]
fn the_call_may_be_asked_for_by_name() {
    let call = format!("<apply_diff>\n<path>f</path>\n<diff>\n{BLOCK}\n</diff>\n</apply_diff>");
    assert_eq!(read_as("roo-xml", None, &call), "M f 7 [a;=>b;]");
}

#[test]
fn a_text_with_the_closing_tags_of_its_call_is_refused() {
    let call = |text: &str| {
        format!(
            "<write_to_file>\n<path>f.md</path>\n<content>\n{text}\n</content>\n</write_to_file>\n"
        )
    };
    let example = "a\n<content>\nb\n</content>\n</write_to_file>\nc";
    check(
        &call(example),
        "! line 11: found '</write_to_file>', expected '<write_to_file>' before it, or another text than its closing tags",
    );
    check(&(call("a") + &call("b")), "O f.md [=>a;]\nO f.md [=>b;]");
}
