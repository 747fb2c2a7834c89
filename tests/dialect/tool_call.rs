//! Calls in JSON, and Zed's pairs.

use crate::show::{check, read, read_as};

#[test]
fn a_text_is_replaced_by_another() {
    check(
        r#"{"file_path":"f","old_string":"a\nb","new_string":"c"}"#,
        "M f text [a;b;=>c;]",
    );
    check(
        r#"{"filePath":"f","oldString":"a\n","newString":"b\n","replaceAll":true}"#,
        "M f every [a;=>b;]",
    );
    check(
        r#"{"command":"str_replace","path":"f","old_str":"a\n","new_str":""}"#,
        "M f text [a;=>]",
    );
    check(
        r#"{"command":"str_replace","path":"f","old_str":"a"}"#,
        "M f text [a;=>;]",
    );
    check(
        r#"{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d","replace_all":true}]}"#,
        "M f text [a;=>b;] every [c;=>d;]",
    );
    check(
        r#"{"file_path":"f","old_string":"","new_string":"a\n"}"#,
        "C f +nl [=>a;]",
    );
}

#[test]
fn a_file_is_written_or_made() {
    check(
        r#"{"file_path":"f","content":"a\nb\n"}"#,
        "O f +nl [=>a;b;]",
    );
    check(r#"{"file_path":"f","content":"a"}"#, "O f -nl [=>a;]");
    check(r#"{"file_path":"f","content":""}"#, "O f");
    check(
        r#"{"command":"create","path":"f","file_text":"a\r\n"}"#,
        "C f +nl [=>a;]",
    );
    check(
        r#"{"command":"insert","path":"f","insert_line":3,"new_str":"a\nb\n"}"#,
        "M f 4 +nl [=>a;b;]",
    );
    check(
        r#"{"command":"insert","path":"f","insert_line":0,"new_str":"a"}"#,
        "M f 1 [=>a;]",
    );
    check(
        r#"{"command":"insert","path":"f","insert_line":1,"new_str":""}"#,
        "M f 2 [=>;]",
    );
}

#[test]
fn what_an_agent_shows_by_the_agent_client_protocol() {
    check(
        r#"{"type":"diff","path":"f","oldText":"a\n","newText":"b\n"}"#,
        "M f text [a;=>b;]",
    );
    check(
        r#"{"type":"diff","path":"f","oldText":null,"newText":"b\n"}"#,
        "C f +nl [=>b;]",
    );
    check(
        r#"{"type":"diff","path":"f","newText":"b\n"}"#,
        "C f +nl [=>b;]",
    );
    let request = |method: &str, name: &str| {
        let content = r#"[{"type":"content","content":{"type":"text","text":"I will"}},{"type":"diff","path":"f","oldText":"a\n","newText":"b\n"},{"type":"diff","path":"g","oldText":null,"newText":"c\n"}]"#;
        format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"{method}","params":{{"sessionId":"s","{name}":{{"toolCallId":"1","title":"Edit f","kind":"edit","locations":[{{"path":"f"}}],"content":{content}}},"options":[{{"optionId":"allow","name":"Allow","kind":"allow_once"}}]}}}}"#
        )
    };
    for (method, name) in [
        ("session/request_permission", "toolCall"),
        ("session/update", "update"),
    ] {
        check(&request(method, name), "M f text [a;=>b;]\nC g +nl [=>c;]");
    }
    // No diff, no file.
    check(
        r#"{"path":"f","oldText":null,"newText":"b\n"}"#,
        "! line 1 of the input: found a JSON object with the fields `newText`, `oldText`, `path`, expected a call of a known tool with the fields of its schema",
    );
    check(
        r#"{"type":"diff","path":"f","oldText":null}"#,
        "! line 1 of the input: found a JSON object with the fields `oldText`, `path`, `type`, expected a call of a known tool with the fields of its schema",
    );
}

#[test]
fn other_dialects_stand_in_strings() {
    check(
        r#"{"path":"f","diff":"<<<<<<< SEARCH\n:start_line:7\n-------\na\n=======\nb\n>>>>>>> REPLACE\n"}"#,
        "M f 7 [a;=>b;]",
    );
    check(
        r#"{"patch":"*** Begin Patch\n*** Update File: f\n-a\n+b\n*** End Patch"}"#,
        "M f [a;=>b;]",
    );
    check(
        r#"{"input":"*** Begin Patch\n*** Delete File: f\n*** End Patch\n"}"#,
        "D f",
    );
    check(
        r#"{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: f\n*** End Patch\nEOF\n"]}"#,
        "D f",
    );
    check(
        r#"{"path":"f","diff":"<<<<<<< SEARCH\na\n>>>>>>> REPLACE"}"#,
        "! line 1 of the input: found '>>>>>>> REPLACE' on line 3 of the call's text, expected '=======' for the SEARCH on line 1",
    );
    check(
        r#"{"path":"f","diff":"hello"}"#,
        "! line 1 of the input: found a text without an edit, expected a diff or a patch",
    );
}

#[test]
fn a_call_that_was_cut_off_removes_nothing() {
    check(
        r#"{"name":"Edit","input":{"file_path":"f","old_string":"a"}}"#,
        "! line 1 of the input: found a call of `Edit` without a valid `new_string`, expected the fields of a known editing tool: the guide lists them",
    );
}

#[test]
fn envelopes_are_opened() {
    let edit = r#"{"file_path":"f","old_string":"a","new_string":"b"}"#;
    let around = |text: String| check(&text, "M f text [a;=>b;]");
    around(format!(r#"{{"tool_name":"Edit","tool_input":{edit}}}"#));
    around(format!(
        r#"{{"type":"tool_use","id":"x","name":"Edit","input":{edit}}}"#
    ));
    around(format!(
        r#"{{"role":"assistant","content":[{{"type":"text","text":"hi"}},{{"type":"tool_use","input":{edit}}}]}}"#
    ));
    around(format!(
        r#"{{"tool_calls":[{{"function":{{"name":"edit","arguments":{}}}}}]}}"#,
        serde_json::Value::from(edit)
    ));
    around(format!("Sure:\n```json\n{edit}\n```\n"));
    around(edit.replace(',', ",\n  ").replace('{', "{\n  "));
    check(
        &format!("{edit}\n{edit}\n"),
        "M f text [a;=>b;] text [a;=>b;]",
    );
    check(
        &format!("[\n{edit},\n{edit}\n]"),
        "M f text [a;=>b;] text [a;=>b;]",
    );
}

#[test]
fn other_json_is_prose() {
    check(r#"{"name":"x","version":"1.0.0"}"#, "");
    check(r#"{"path":"f"}"#, "");
    check(r#"{"command":"view","path":"f"}"#, "");
    check(
        r#"{"path":"f","content":"x","encoding":"base64"}"#,
        "! line 1 of the input: found a JSON object with the fields `content`, `encoding`, `path`, expected a call of a known tool with the fields of its schema",
    );
    check(r#"{"TargetFile":"f"}"#, "");
    check("[1, 2]\n{ not json }\n", "");
}

#[test]
fn what_is_not_whole_is_a_problem() {
    check(
        "{\"file_path\":\"f\",\"old_string\":\"a\",\"new_str",
        "! line 1 of the input: found EOF while parsing a string at line 1 column 42, expected a call in valid JSON",
    );
    check(
        r#"{"command":"undo_edit","path":"f"}"#,
        "! line 1 of the input: found a call of `str_replace_based_edit_tool`, expected an edit; `countersign undo` takes back a batch",
    );
    check(
        r#"{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"new_string":"c"}]}"#,
        "! line 1 of the input: found an edit without an old text, or with a field that is not known, expected 'old_string' and 'new_string' in each",
    );
}

#[test]
fn a_field_that_a_call_has_twice_is_a_problem() {
    for call in [
        r#"{"name":"Write","input":{"file_path":"f","file_path":"g","content":"x"}}"#,
        r#"{"name":"Write","input":{"file_path":"f","content":"x"},"input":{"file_path":"f","content":"y"}}"#,
        r#"{"name":"Write","arguments":"{\"file_path\":\"f\",\"file_path\":\"g\",\"content\":\"x\"}"}"#,
        r#"<tool_call>{"name":"Write","arguments":{"file_path":"f","file_path":"g","content":"x"}}</tool_call>"#,
        "<tool_call>\n{\"name\":\"Write\",\"arguments\":{\"file_path\":\"f\",\"file_path\":\"g\",\"content\":\"x\"}}\n</tool_call>",
        "```json\n{\"name\":\"Write\",\"input\":{\"file_path\":\"f\",\"file_path\":\"g\",\"content\":\"x\"}}\n```",
        r#"I call Write({"file_path":"f","file_path":"g","content":"x"})"#,
        r#"{"role":"assistant","tool_calls":[{"function":{"name":"Write","arguments":"{\"file_path\":\"f\",\"file_path\":\"g\",\"content\":\"x\"}"}}]}"#,
        r#"[{"type":"tool_use","name":"Write","input":{"file_path":"f","file_path":"g","content":"x"}}]"#,
    ] {
        let shown = read(call);
        assert!(shown.starts_with("! line"), "{call}\n{shown}");
        assert_eq!(shown.lines().count(), 1, "{call}\n{shown}");
    }
}

#[test]
fn zeds_pairs_have_a_line() {
    let zed = |text: &str, expected: &str| {
        assert_eq!(read_as("auto", Some("f"), text), expected, "\n{text}\n");
    };
    zed(
        "<edits>\n<old_text line=3>\na\n</old_text>\n<new_text>\nb\n</new_text>\n</edits>",
        "M f 3 [a;=>b;]",
    );
    zed(
        "<old_text>a</old_text>\n<new_text>b</old_text>\n",
        "M f [a;=>b;]",
    );
    zed(
        "<old_text>\na\n</old_text>\n<new_text>\n</new_text>\n",
        "M f [a;=>]",
    );
    zed(
        "<old_text>\na\n</old_text>\n",
        "! line 3 of the input: found the end of the input, expected '<new_text>'",
    );
    zed(
        "<old_text>\na\n</old_text>\n<new_text>\nb\n",
        "! line 5 of the input: found the end of the input, expected '</new_text>'",
    );
}

#[test]
fn calls_stand_in_the_fences_of_lists() {
    check(
        "1. Like this:\n\n   ```json\n   {\n     \"path\": \"f\",\n     \"old_str\": \"a\",\n     \"new_str\": \"b\"\n   }\n   ```\n2. Done.\n",
        "M f text [a;=>b;]",
    );
    check(
        "- Cut off:\n\n  ```json\n  {\"path\": \"f\", \"old_str\": \"a\",\n  ```\n",
        "! line 4 of the input: found EOF while parsing a value at line 2 column 0, expected a call in valid JSON",
    );
}

#[test]
fn a_call_is_read_by_the_schema_of_its_tool() {
    let call =
        |name: &str, fields: &str| format!(r#"{{"name":"{name}","arguments":{{{fields}}}}}"#);
    check(
        &call("lint_file", r#""file_path":"f","content":"a\n""#),
        "! line 1 of the input: found a call of the tool `lint_file`, which is not known, with the fields `content`, `file_path`, expected the name and the fields of a known editing tool: the guide lists them",
    );
    check(
        &call(
            "Write",
            r#""file_path":"f","content":"a\n","mode":"prepend""#,
        ),
        "! line 1 of the input: found a call of `Write` with the field `mode`, expected the fields of a known editing tool: the guide lists them",
    );
    check(
        &call("WriteFile", r#""path":"f","content":"a\n","mode":"append""#),
        "A f text $ +nl [=>a;]",
    );
    check(
        &call(
            "replace",
            r#""file_path":"f","old_string":"a","new_string":"b","expected_replacements":3"#,
        ),
        "M f 3 texts [a;=>b;]",
    );
    check(
        &call(
            "StrReplaceFile",
            r#""path":"f","edit":{"old":"a","new":"b"}"#,
        ),
        "M f text [a;=>b;]",
    );
    check(
        &call(
            "str-replace-editor",
            r#""command":"str_replace","path":"f","old_str_2":"c","new_str_2":"d","old_str_1":"a","new_str_1":"b""#,
        ),
        "M f text [a;=>b;] text [c;=>d;]",
    );
    check(
        &call("write_to_file", r#""TargetFile":"f","EmptyFile":true"#),
        "O f",
    );
    check(
        &call("write_to_file", r#""TargetFile":"f""#),
        "! line 1 of the input: found a call that writes a file without a text, expected the text, or a field that says that the file is empty",
    );
    check(&call("delete_file", r#""target_file":"f""#), "D f");
    check(&call("read_file", r#""path":"f""#), "");
}

#[test]
fn fields_of_a_tool_that_is_not_known_are_no_edit() {
    let refused = |name: &str, fields: &str| {
        let with = if fields.is_empty() {
            String::new()
        } else {
            format!(", with the fields {fields}")
        };
        format!(
            "! line 1 of the input: found a call of the tool `{name}`, which is not known{with}, expected the name and the fields of a known editing tool: the guide lists them"
        )
    };
    let old_and_new = r#""path":"f","old_str":"a","new_str":"b""#;
    let listed = "`new_str`, `old_str`, `path`";
    for name in [
        "preview_edit",
        "delete_line",
        "undo_last_edit",
        "highlight_text",
        "remote_edit",
    ] {
        for call in [
            format!(r#"{{"name":"{name}","arguments":{{{old_and_new}}}}}"#),
            format!(r#"{{"type":"{name}","input":{{{old_and_new}}}}}"#),
            format!(r#"{{"tool":"{name}",{old_and_new}}}"#),
            format!(r#"{{"type":"tool_use","name":"{name}","input":{{{old_and_new}}}}}"#),
            format!("{name}({{{old_and_new}}})"),
        ] {
            check(&call, &refused(name, listed));
        }
        let patch = r"*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n";
        check(
            &format!(r#"{{"name":"{name}","input":"{patch}"}}"#),
            &refused(name, ""),
        );
        check(
            &format!(r#"{{"name":"{name}","input":{{"command":"{patch}"}}}}"#),
            &refused(name, "`command`"),
        );
        let hashed = r#""path":"f","edits":[{"op":"append","pos":"1#ZP","lines":["b"]}]"#;
        check(
            &format!(r#"{{"name":"{name}","input":{{{hashed}}}}}"#),
            &refused(name, "`edits`, `path`"),
        );
    }
    // A server's prefix, another spelling of a known name, and no name at all.
    for call in [
        format!(r#"{{"name":"mcp__files__edit_file","input":{{{old_and_new}}}}}"#),
        format!(
            r#"{{"name":"StrReplace","input":{{{}}}}}"#,
            old_and_new.replace("_str", "_string")
        ),
        format!("{{{old_and_new}}}"),
        format!(r#"{{"type":"function_call","input":{{{old_and_new}}}}}"#),
    ] {
        check(&call, "M f text [a;=>b;]");
    }
}

#[test]
fn a_call_for_a_trial_is_no_edit() {
    let refused = |field: &str| {
        format!(
            "! line 1 of the input: found a call with the field `{field}`, which asks that nothing is written, expected the same call without it"
        )
    };
    let edit = r#""path":"f","edits":[{"oldText":"a","newText":"b"}]"#;
    check(
        &format!(r#"{{"name":"edit_file","arguments":{{{edit}}},"dryRun":true}}"#),
        &refused("dryRun"),
    );
    check(
        r#"{"name":"Bash","input":{"command":"sed -i s/a/b/ f","preview":"true"}}"#,
        &refused("preview"),
    );
    check(
        r#"{"input":"*** Begin Patch\n*** Delete File: f\n*** End Patch\n","simulate":true}"#,
        &refused("simulate"),
    );
    let text = format!(r#"{{"name":"edit_file","arguments":{{{edit}}},"preview":"a b"}}"#);
    check(&text, "M f text [a;=>b;]");
    let set = format!(r#"{{"name":"edit_file","arguments":{{{edit},"dryRun":false}}}}"#);
    check(&set, "M f text [a;=>b;]");
}

#[test]
fn transcripts_are_read_by_what_the_agent_wrote() {
    let lines = concat!(
        r#"{"type":"user","message":{"role":"user","content":"use {\"file_path\":\"x\"}"}}"#,
        "\n",
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I rename it."},{"type":"tool_use","name":"Edit","input":{"file_path":"f","old_string":"a","new_string":"b"}}]}}"#,
        "\n",
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"ok"}]},"toolUseResult":{"filePath":"f","oldString":"a","newString":"b"}}"#,
        "\n",
    );
    check(lines, "M f text [a;=>b;]");
    let parsed = countersign::dialect::parse(lines, &countersign::dialect::Options::default());
    assert_eq!(parsed.proposal.intent, "I rename it.");
}

#[test]
fn calls_are_read_as_markup() {
    check(
        "<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"file_path\">f</parameter>\n<parameter name=\"old_string\">a < b</parameter>\n<parameter name=\"new_string\">b</parameter>\n</invoke>\n</function_calls>\n",
        "M f text [a < b;=>b;]",
    );
    check(
        "<tool_call>\n<function=write_file>\n<parameter=path>\nf\n</parameter>\n<parameter=content>\na\n\n</parameter>\n</function>\n</tool_call>\n",
        "O f +nl [=>a;]",
    );
    check(
        "<lov-write file_path=\"f\">\na\n</lov-write>\n",
        "O f +nl [=>a;]",
    );
    check(
        "<insert path=\"f\" insert_line=\"3\">a</insert>\n",
        "M f 3 [=>a;]",
    );
    check("<p class=\"x\">text</p>\n", "");
}

#[test]
fn each_call_in_tags_on_a_line_is_read() {
    let json = |old: &str| {
        format!(
            r#"{{"name":"Edit","input":{{"file_path":"f","old_string":"{old}","new_string":"b"}}}}"#
        )
    };
    let call = |old: &str| format!("<tool_call>{}</tool_call>", json(old));
    let invoke = |old: &str| {
        let fields = [("file_path", "f"), ("old_string", old), ("new_string", "b")];
        let fields = fields
            .map(|(name, text)| format!("<parameter name=\"{name}\">{text}</parameter>"))
            .concat();
        format!("<invoke name=\"Edit\">{fields}</invoke>")
    };
    let check = |text: &str, expected: &str| {
        let text = text
            .replace("CALL", &call("a"))
            .replace("OTHER", &call("c"));
        let text = text.replace("IN", &invoke("a")).replace("BY", &invoke("c"));
        let text = text.replace("JSON", &json("c"));
        check(&format!("{text}\n"), expected);
    };
    let (one, both) = ("M f text [a;=>b;]", "M f text [a;=>b;] text [c;=>b;]");
    check("CALLOTHER", both);
    check("CALL; OTHER", both);
    check("CALL, then OTHER.", both);
    check(
        "<tool_call>{\"name\":\"Edit\",\"input\":{\"file_path\":\"f\",\"old_string\":\"a\",\"new_string\":\"b\"}}; JSON</tool_call>",
        both,
    );
    check("INBY", both);
    check("<function_calls>INBY</function_calls>", both);
    check("IN JSON", both);
    // What a tool answered is no call.
    check("CALL<tool_response>JSON</tool_response>", one);
    check("CALL -> JSON", one);
    check("CALL <b>[1]</b> {}", one);
}

#[test]
fn the_known_end_of_an_unknown_name_is_named() {
    let fields = r#""search":"a","replace":"b","replace-all":false"#;
    for (name, known) in [
        ("fs_str_replace_editor", " (`str_replace_editor` is)"),
        ("proxy-str-replace-editor", " (`str-replace-editor` is)"),
        ("fs_edit", ""),
    ] {
        let expected = format!(
            "! line 1 of the input: found a call of the tool `{name}`, which is not known{known}, with the fields"
        );
        let old_and_new = r#""path":"f","old_str":"a","new_str":"b","command":"str_replace""#;
        let fields = if known.is_empty() {
            fields
        } else {
            old_and_new
        };
        let call = format!(r#"{{"name":"{name}","arguments":{{{fields}}}}}"#);
        let found = read(&call);
        assert!(found.starts_with(&expected), "{found}");
    }
}

#[test]
fn an_attribute_that_the_form_does_not_define_refuses_the_call() {
    let refused = |call: &str, named: &str| {
        let found = read(call);
        assert!(found.starts_with("! line"), "{call}\n{found}");
        assert!(found.contains(named), "{call}\n{found}");
    };
    let invoke = |call: &str, field: &str| {
        format!(
            "<function_calls>\n<invoke name=\"Write\"{call}>\n<parameter name=\"file_path\">f</parameter>\n<parameter name=\"content\"{field}>a\n</parameter>\n</invoke>\n</function_calls>\n"
        )
    };
    let function = |call: &str, field: &str| {
        format!(
            "<function=write_file{call}>\n<parameter=path>f</parameter>\n<parameter=content{field}>\na\n\n</parameter>\n</function>\n"
        )
    };
    let element = |call: &str, field: &str| {
        format!(
            "<write_to_file{call}>\n<path{field}>f</path>\n<content>\na\n</content>\n</write_to_file>\n"
        )
    };
    let named = |call: &str, field: &str| {
        format!(
            "<tool_use{call}>\n<name>Write</name>\n<input>\n<file_path>f</file_path>\n<content{field}>a\n</content>\n</input>\n</tool_use>\n"
        )
    };
    let json = |call: &str| {
        format!(
            "<tool_call{call}>\n{{\"name\":\"Write\",\"arguments\":{{\"file_path\":\"f\",\"content\":\"a\\n\"}}}}\n</tool_call>\n"
        )
    };
    let written = "O f +nl [=>a;]";
    let (dry, mode) = (" dry_run=\"true\"", " encoding=\"base64\"");
    for form in [&invoke as &dyn Fn(&str, &str) -> String, &function, &named] {
        check(&form("", ""), written);
        check(&form(" id=\"call_1\"", ""), written);
        refused(&form(dry, ""), "`dry_run`");
        refused(&form("", mode), "`content encoding`");
    }
    assert!(read(&element("", "")).starts_with("O f "));
    refused(&element(dry, ""), "`dry_run`");
    refused(&element("", mode), "`path encoding`");
    check(&json(" id=\"call_1\""), written);
    refused(&json(dry), "`dry_run`");
    // The types of DeepSeek's fields.
    check(&invoke("", " string=\"true\""), written);
    refused(&invoke("", " string=\"base64\""), "`content string`");
    // A field of Roo's call that is not the first.
    refused(
        "<search_and_replace>\n<path>f</path>\n<search>a</search>\n<replace>b</replace>\n<start_line type=\"x\">5</start_line>\n</search_and_replace>\n",
        "start_line type",
    );
}

#[test]
fn no_other_tool_reads_the_fields_of_a_call_with_a_name() {
    for tool in ["view", "Grep", "codebase_search"] {
        for fields in [
            r#"{"file_path":"f","content":"a"}"#,
            r#"{"path":"f","contents":"a"}"#,
        ] {
            check(&format!(r#"{{"name":"{tool}","input":{fields}}}"#), "");
            check(
                &format!(r#"[{{"type":"tool_use","name":"{tool}","input":{fields}}}]"#),
                "",
            );
        }
    }
    // Calls within a call are read by their own names.
    let inner = r#"{"recipient_name":"functions.Edit","parameters":{"file_path":"f","old_string":"a","new_string":"b"}}"#;
    check(
        &format!(r#"{{"name":"parallel","parameters":{{"tool_uses":[{inner}]}}}}"#),
        "M f text [a;=>b;]",
    );
}

#[test]
fn a_text_that_is_replaced_by_nothing_that_is_stated_stays() {
    let refused = |fields: &str| {
        let shown = read(&format!(r#"{{"file_path":"f",{fields}}}"#));
        assert!(shown.starts_with("! "), "{fields}: {shown}");
    };
    refused(r#""old_string":"a""#);
    refused(r#""old_string":"a","new_string":null"#);
    check(
        r#"{"name":"Edit","input":{"file_path":"f","old_string":"a","new_string":""}}"#,
        "M f text [a;=>]",
    );
    // Tools differ in the line break behind it.
    refused(r#""old_string":"a","new_string":"""#);
}

#[test]
fn a_deletion_holds_the_text_that_it_states() {
    let diff = |fields: &str| format!(r#"{{"type":"diff","path":"f","deleted":true{fields}}}"#);
    check(&diff(""), "D f");
    check(&diff(r#","oldText":null,"newText":"""#), "D f");
    check(&diff(r#","oldText":"a\nb\n","newText":"""#), "D f [a;b;=>]");
    let shown = read(&diff(r#","oldText":"a\n","newText":"b\n""#));
    assert!(
        shown.contains("deletes a file and states its new text"),
        "{shown}"
    );
}

#[test]
fn roo_code_inserts_at_line_zero_at_the_end() {
    let call = |line: usize| {
        format!(
            r#"{{"name":"insert_content","arguments":{{"path":"f","line":{line},"content":"x\n"}}}}"#
        )
    };
    check(&call(0), "A f text $ +nl [=>x;]");
    check(&call(1), "M f 1 +nl [=>x;]");
}
