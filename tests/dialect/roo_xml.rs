//! Roo Code's and Cline's calls as XML.

use countersign::dialect::{Options, Turns, parse};

use crate::show::{check, read_as, show};

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
        "M g 7 [a;=>b;]\n! line 8 of the input: found the end of the edit, expected '>>>>>>> REPLACE' for the SEARCH on line 6",
    );
    check(
        "<apply_diff>\n<path>f</path>\n</apply_diff>",
        "! line 1 of the input: found a call without a diff, expected '<path>' and '<diff>'",
    );
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\nnothing\n</diff>\n</apply_diff>",
        "! line 4 of the input: found a diff without a block, expected '<<<<<<< SEARCH'",
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
        "! line 4 of the input: found the end of the input, expected '</content>'",
    );
    check(
        "<write_to_file>\n<content>\na\n</content>\n</write_to_file>",
        "! line 1 of the input: found a call that names no file, expected '<path>'",
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
                "! line 3 of the input: found '<{name}>' in '<write_to_file>', which has no such field, expected the fields of the call"
            ),
        );
    }
    check(
        "<apply_diff>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</diff>\n<max_count>1</max_count>\n</apply_diff>",
        "! line 10 of the input: found '<max_count>' in '<apply_diff>', which has no such field, expected the fields of the call",
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
        "! line 3 of the input: found '<line>x</line>', expected the number of a line",
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
        "! line 5 of the input: found '<use_regex>true</use_regex>', expected the text as the file has it",
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
        "! line 11 of the input: found '</write_to_file>', expected '<write_to_file>' before it, or another text than its closing tags",
    );
    check(&(call("a") + &call("b")), "O f.md [=>a;]\nO f.md [=>b;]");
}

/// A call that writes a file, as a message of the agent in an export.
fn written(path: &str, text: &str) -> String {
    format!(
        "**Assistant:**\n\n<write_to_file>\n<path>{path}</path>\n<content>\n{text}\n</content>\n</write_to_file>\n\n---\n\n"
    )
}

/// A call that replaces a line, as a message of the agent in an export.
fn replaced(old: &str, new: &str) -> String {
    format!(
        "**Assistant:**\n\n<replace_in_file>\n<path>f</path>\n<diff>\n------- SEARCH\n{old}\n=======\n{new}\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n\n---\n\n"
    )
}

/// A report of the client about a call.
fn report(call: &str, text: &str) -> String {
    format!(
        "**User:**\n\n[{call}] Result:\n{text}\n<environment_details>\n# Tabs\nf\n</environment_details>\n\n---\n\n"
    )
}

const DENIED: &str = "The user denied this operation.";
const SAVED: &str = "The content was successfully saved to f.";

#[test]
fn a_call_that_failed_as_a_report_below_states_is_no_edit() {
    let one = |text: &str| {
        let call = report("write_to_file for 'f'", text);
        format!("{}{call}{}", written("f", "a"), written("g", "b"))
    };
    check(&one(SAVED), "O f [=>a;]\nO g [=>b;]");
    check(&one(DENIED), "O g [=>b;]");
    check(
        &one("The tool execution failed with the following error:\n<error>\nx\n</error>"),
        "O g [=>b;]",
    );
    check(
        &one("The user made the following updates to your content:\n\n@@ -1 +1 @@\n-a\n+c\n"),
        "O f guessed [=>a;]\nM f 1 [a;=>c;]\nO g [=>b;]",
    );
    check(
        &format!(
            "{}{}",
            written("f", "a"),
            report("write_to_file for 'f'", DENIED)
        ),
        "! line 1 of the input: found a conversation in which every edit (1) failed or was rejected, expected an edit that was carried out",
    );
    // Calls of one file that follow each other are one change with several hunks.
    let tool = "replace_in_file for 'f'";
    let (first, second) = (replaced("a", "b"), replaced("c", "d"));
    check(
        &format!(
            "{first}{}{second}{}",
            report(tool, DENIED),
            report(tool, SAVED)
        ),
        "M f [c;=>d;]",
    );
    check(
        &format!(
            "{first}{}{second}{}",
            report(tool, SAVED),
            report(tool, DENIED)
        ),
        "M f [a;=>b;]",
    );
    // A call that could not be read failed for its client too.
    let broken = second.replace("+++++++ REPLACE\n", "");
    check(
        &format!("{broken}{}{}", report(tool, DENIED), written("g", "b")),
        "O g [=>b;]",
    );
}

#[test]
fn reports_belong_to_the_calls_of_the_message_above() {
    let (first, second) = (replaced("a", "b"), replaced("c", "d"));
    let both = format!("{first}{second}");
    let tool = "replace_in_file for 'f'";
    let skipped = "Tool [replace_in_file] was not executed because a tool has already been used in this message.\n";
    let skipped_too = format!("Skipping tool [{tool}] due to user rejecting a previous tool.\n");
    let check = |reports: &str, expected: &str| {
        check(&format!("{both}{reports}"), expected);
    };
    check(&report(tool, SAVED), "M f [a;=>b;] [c;=>d;]");
    check(&format!("{}{skipped}", report(tool, SAVED)), "M f [a;=>b;]");
    check(
        &format!("{}{skipped_too}", report(tool, DENIED)),
        "! line 1 of the input: found a conversation in which every edit (2) failed or was rejected, expected an edit that was carried out",
    );
    // One of the two, and nothing tells which.
    check(
        &report(tool, DENIED),
        "M f guessed [a;=>b;] guessed [c;=>d;]",
    );
    // What is allowed with a remark is reported once more.
    let allowed = report(
        tool,
        "The user approved this operation and provided the following context:\n<feedback>\nno\n</feedback>",
    );
    check(
        &format!("{allowed}{}{skipped}", report(tool, SAVED)),
        "M f [a;=>b;]",
    );
    check(
        &report("write_to_file for 'g'", DENIED),
        "M f [a;=>b;] [c;=>d;]",
    );
    check(
        &report("read_file for 'f'", DENIED),
        "M f [a;=>b;] [c;=>d;]",
    );
}

#[test]
fn an_example_in_the_report_of_a_failure_is_no_edit() {
    let text = format!("ERROR: a marker is in the content\n\nCORRECT FORMAT:\n\n{BLOCK}\n");
    let call = replaced("a", "b");
    check(
        &format!(
            "{call}{}{}",
            report("replace_in_file for 'f'", &text),
            written("g", "b")
        ),
        "O g [=>b;]",
    );
}

#[test]
fn a_report_in_the_text_of_a_file_is_none() {
    let text = format!("[write_to_file for 'f'] Result:\n{DENIED}");
    check(
        &format!("{}{}", written("f", "a"), written("g", &text)),
        "O f [=>a;]\nO g [=>[write_to_file for 'f'] Result:;The user denied this operation.;]",
    );
}

#[test]
fn reports_in_the_messages_of_a_history_are_read() {
    let call = |path: &str, text: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":"I write it.\n\n<write_to_file>\n<path>{path}</path>\n<content>\n{text}\n</content>\n</write_to_file>"}}]}}"#
        )
    };
    let result = |path: &str, text: &str| {
        format!(
            r#"{{"role":"user","content":[{{"type":"text","text":"[write_to_file for '{path}'] Result:"}},{{"type":"text","text":"{text}"}},{{"type":"text","text":"<environment_details>\n</environment_details>"}}]}}"#
        )
    };
    let (f, g) = (call("f", "a"), call("g", "b"));
    let history = |first: &str, second: &str| {
        format!(
            "[{f},\n{},\n{g},\n{}]",
            result("f", first),
            result("g", second)
        )
    };
    check(&history(SAVED, SAVED), "O f [=>a;]\nO g [=>b;]");
    check(&history(DENIED, SAVED), "O g [=>b;]");
    check(&history(SAVED, "Hm."), "O f [=>a;]\nO g guessed [=>b;]");
    check(
        &history(DENIED, DENIED),
        "! line 1 of the input: found a transcript in which every edit (2) failed or was rejected, expected an edit that was carried out",
    );
    // The result of a call is no prompt of the person, but the answer to a question is.
    let last = |between: &str| {
        let results = (result("f", SAVED), result("g", SAVED));
        let log = format!("[{f},\n{},\n{between}{g},\n{}]", results.0, results.1);
        let options = Options {
            turns: Turns::Last,
            ..Options::default()
        };
        show(&parse(&log, &options))
    };
    assert_eq!(last(""), "O f [=>a;]\nO g [=>b;]");
    let answer = r#"{"role":"user","content":"[attempt_completion] Result:\nand now g"},"#;
    assert_eq!(last(answer), "O g [=>b;]");
    // One text for both.
    let joined = |text: &str| {
        format!(r#"{{"role":"user","content":"[write_to_file for 'f'] Result:\n{text}"}}"#)
    };
    check(&format!("[{f},\n{},\n{g}]", joined(DENIED)), "O g [=>b;]");
}
