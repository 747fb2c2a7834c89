//! Edits as a JSON Patch: operations on the values of a JSON file, all or none. Comments, layout and every value that is not
//! named stay as they are.
//!
//! <https://www.rfc-editor.org/rfc/rfc6902>, <https://www.rfc-editor.org/rfc/rfc6901>

mod carry_out;
mod change;
mod layout;
mod operation;
mod pointer;
mod tree;
mod trivia;
#[cfg(test)]
mod value_tests;

use crate::locate::forms::whole_text::{no_target, placed, plain_text};
use crate::locate::matching::index::Index;
use crate::locate::placement::{Confidence, Location};
use crate::proposal::Hunk;
use carry_out::PatchTarget;
use operation::operations;
use tree::parse;

/// Places a hunk whose postimage is a JSON Patch.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Location {
    let text = plain_text(index.document);
    match patched(&text, &hunk.body.postimage.join("\n")) {
        Ok((new, confidence)) => placed(index.document, &new, confidence),
        Err(why) => no_target(why),
    }
}

/// Returns the text of a JSON file after a patch.
fn patched(text: &str, patch: &str) -> Result<(String, Confidence), String> {
    let operations = operations(patch)?;
    let tree = parse(text).map_err(|error| format!("the file is no JSON: {error}"))?;
    let mut target = PatchTarget::new(tree, text);
    for operation in operations {
        target.apply(operation)?;
    }
    let new = target.tree.text(&target.style);
    // Old trivia is beside new values: the text must still have the values of the tree.
    if !parse(&new).is_ok_and(|found| found.root.is_same(&target.tree.root)) {
        return Err("the JSON Patch cannot be carried out on the text of this file".to_owned());
    }
    let confidence = if target.counts {
        Confidence::Fuzzy
    } else {
        Confidence::Safe
    };
    Ok((new, confidence))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(text: &str, patch: &str, expected: &str) {
        let found = patched(text, patch);
        let found = found.map_or_else(|why| why, |(new, _)| new);
        assert_eq!(found, expected, "{text} {patch}");
    }

    /// The examples of RFC 6902, appendix A.
    #[test]
    fn the_examples_of_the_standard_hold() {
        let same = |text: &str, patch: &str, expected: &str| {
            let (new, _) = patched(text, patch).unwrap();
            let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(value(&new), value(expected), "{patch}");
        };
        same(
            r#"{"foo":"bar"}"#,
            r#"[{"op":"add","path":"/baz","value":"qux"}]"#,
            r#"{"baz":"qux","foo":"bar"}"#,
        );
        same(
            r#"{"foo":["bar","baz"]}"#,
            r#"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
            r#"{"foo":["bar","qux","baz"]}"#,
        );
        same(
            r#"{"baz":"qux","foo":"bar"}"#,
            r#"[{"op":"remove","path":"/baz"}]"#,
            r#"{"foo":"bar"}"#,
        );
        same(
            r#"{"foo":["bar","qux","baz"]}"#,
            r#"[{"op":"remove","path":"/foo/1"}]"#,
            r#"{"foo":["bar","baz"]}"#,
        );
        same(
            r#"{"baz":"qux","foo":"bar"}"#,
            r#"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            r#"{"baz":"boo","foo":"bar"}"#,
        );
        same(
            r#"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            r#"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            r#"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#,
        );
        same(
            r#"{"foo":["all","grass","cows","eat"]}"#,
            r#"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            r#"{"foo":["all","cows","eat","grass"]}"#,
        );
        same(
            r#"{"baz":"qux","foo":["a",2,"c"]}"#,
            r#"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            r#"{"baz":"qux","foo":["a",2,"c"]}"#,
        );
        same(
            r#"{"foo":"bar"}"#,
            r#"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            r#"{"foo":"bar","child":{"grandchild":{}}}"#,
        );
        same(
            r#"{"foo":"bar"}"#,
            r#"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
            r#"{"foo":"bar","baz":"qux"}"#,
        );
        same(
            r#"{"/":9,"~1":10}"#,
            r#"[{"op":"test","path":"/~01","value":10}]"#,
            r#"{"/":9,"~1":10}"#,
        );
        same(
            r#"{"foo":["bar"]}"#,
            r#"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            r#"{"foo":["bar",["abc","def"]]}"#,
        );
        same(
            r#"{"foo":null}"#,
            r#"[{"op":"copy","from":"/foo","path":"/bar"}]"#,
            r#"{"foo":null,"bar":null}"#,
        );
        same(
            r#"{"foo":1}"#,
            r#"[{"op":"test","path":"/foo","value":1.0},{"op":"replace","path":"","value":[1]}]"#,
            "[1]",
        );
        let tests_for =
            |path: &str| format!("the value `{path}` is another than the patch tests for");
        check(
            r#"{"baz":"qux"}"#,
            r#"[{"op":"test","path":"/baz","value":"bar"}]"#,
            &tests_for("/baz"),
        );
        check(
            r#"{"/":9,"~1":10}"#,
            r#"[{"op":"test","path":"/~01","value":"10"}]"#,
            &tests_for("/~01"),
        );
        check(
            r#"{"foo":"bar"}"#,
            r#"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
            "the file has no value `/baz`",
        );
    }

    #[test]
    fn layout_comments_and_other_values_stay() {
        check(
            "{\n  // one\n  \"a\": 1.10, /* two */\n  \"b\": [1, 2]\n}\n",
            r#"[{"op":"replace","path":"/b/0","value":1e400}]"#,
            "{\n  // one\n  \"a\": 1.10, /* two */\n  \"b\": [1e400, 2]\n}\n",
        );
        check(
            "{\n\t\"a\": 1,\n\t\"b\": 2\n}\n",
            r#"[{"op":"replace","path":"/a","value":12345678901234567890123}]"#,
            "{\n\t\"a\": 12345678901234567890123,\n\t\"b\": 2\n}\n",
        );
        check(
            "{\n    \"a\": 1\n}\n",
            r#"[{"op":"add","path":"/c","value":{"z":1,"b":[]}}]"#,
            "{\n    \"a\": 1,\n    \"c\": {\n        \"z\": 1,\n        \"b\": []\n    }\n}\n",
        );
        check(
            "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n",
            r#"[{"op":"remove","path":"/b"}]"#,
            "{\n  \"a\": 1,\n  \"c\": 3\n}\n",
        );
        check(
            "[1,2]",
            r#"[{"op":"add","path":"/-","value":"ä"}]"#,
            "[1,2,\"ä\"]",
        );
    }

    #[test]
    fn one_line_stays_one_line() {
        let add = |path: &str, value: &str| {
            format!(r#"[{{"op":"add","path":"{path}","value":{value}}}]"#)
        };
        check(
            r#"{"a":1,"b":[]}"#,
            &add("/c", r#"{"x": [1, 2]}"#),
            r#"{"a":1,"b":[],"c":{"x":[1,2]}}"#,
        );
        check(
            r#"{"a": 1, "b": 2}"#,
            &add("/c", "{\"x\":1,\n\"y\":2}"),
            r#"{"a": 1, "b": 2, "c": {"x": 1, "y": 2}}"#,
        );
        check(r#"{ "a": 1 }"#, &add("/b", "2"), r#"{ "a": 1, "b": 2 }"#);
        check(r#"{"a":{}}"#, &add("/a/b", "[]"), r#"{"a":{"b":[]}}"#);
        check("[1, 2]\n", &add("/1", r#"{"x":1}"#), "[1, {\"x\": 1}, 2]\n");
        check("[]", &add("/0", "{}"), "[{}]");
        check("[ ]", &add("/-", "1"), "[1]");
        check("[1,2,]", &add("/-", "3"), "[1,2,3,]");
        check("[1 /* one */,2]", &add("/1", "3"), "[1 /* one */,3,2]");
        check(
            r#"{"a":1.10,"b":2}"#,
            r#"[{"op":"replace","path":"/b","value":{"x":[]}}]"#,
            r#"{"a":1.10,"b":{"x":[]}}"#,
        );
        check(
            r#"{"a":1.10,"b":2}"#,
            r#"[{"op":"replace","path":"","value":{"x": 1}}]"#,
            r#"{"x":1}"#,
        );
        check(
            r#"{"a":{"x":"\u00e4"},"b":[1]}"#,
            r#"[{"op":"move","from":"/a","path":"/b/0"},{"op":"add","path":"/b/0/y","value":1}]"#,
            r#"{"b":[{"x":"\u00e4","y":1},1]}"#,
        );
        check(
            r#"{"a":1,"b":2,"c":3}"#,
            r#"[{"op":"remove","path":"/b"}]"#,
            r#"{"a":1,"c":3}"#,
        );
        check(
            r#"{"a":1, "b":2}"#,
            r#"[{"op":"remove","path":"/b"}]"#,
            r#"{"a":1}"#,
        );
        check("[1, 2, 3]", r#"[{"op":"remove","path":"/0"}]"#, "[2, 3]");
        check(
            r#"{"a":1}"#,
            r#"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":1}]"#,
            r#"{"b":1}"#,
        );
        let remove = |path: &str| format!(r#"[{{"op":"remove","path":"{path}"}}]"#);
        check("[1, /* two */ 2, 3, ]", &remove("/1"), "[1, /* two */ 3, ]");
        check("[1, 2, ]", &remove("/1"), "[1, ]");
        check("{ \"a\": [1] }", &remove("/a/0"), "{ \"a\": [] }");
        check(
            "{\n  \"a\": [1, 2]\n}\n",
            &remove("/a/1"),
            "{\n  \"a\": [1]\n}\n",
        );
        // One line within several.
        check(
            "{\n  \"a\": {\"x\": 1},\n  \"b\": []\n}\n",
            &add("/a/y", "[{}]"),
            "{\n  \"a\": {\"x\": 1, \"y\": [{}]},\n  \"b\": []\n}\n",
        );
        check(
            "{\n  \"a\": {}\n}\n",
            &add("/a/y", "1"),
            "{\n  \"a\": {\n    \"y\": 1\n  }\n}\n",
        );
    }

    #[test]
    fn comments_stay_unless_they_are_behind_a_removed_value() {
        let text = "{\n  // about a\n  \"a\": 1, // one\n  // about b\n  \"b\": [1] // two\n}\n";
        let check = |patch: &str, expected: &str| check(text, patch, expected);
        check(
            r#"[{"op":"remove","path":"/a"}]"#,
            "{\n  // about a\n  // about b\n  \"b\": [1] // two\n}\n",
        );
        check(
            r#"[{"op":"remove","path":"/b"}]"#,
            "{\n  // about a\n  \"a\": 1 // one\n  // about b\n}\n",
        );
        check(
            r#"[{"op":"remove","path":"/b"},{"op":"remove","path":"/a"},{"op":"add","path":"/c","value":{}}]"#,
            "{\n  // about a\n  // about b\n  \"c\": {}\n}\n",
        );
        check(
            r#"[{"op":"add","path":"/c","value":[{"x":1}]},{"op":"move","from":"/a","path":"/b/0"}]"#,
            "{\n  // about a\n  // about b\n  \"b\": [1, 1], // two\n  \"c\": [\n    {\n      \"x\": 1\n    }\n  ]\n}\n",
        );
    }

    #[test]
    fn copies_and_levels_are_bounded() {
        let copies = |count: usize| {
            let copy = |i| format!(r#"{{"op":"copy","from":"/a","path":"/a/x{i}"}}"#);
            let copies: Vec<_> = (0..count).map(copy).collect();
            patched(r#"{"a":{}}"#, &format!("[{}]", copies.join(",")))
        };
        assert!(copies(12).is_ok());
        assert_eq!(copies(40).unwrap_err(), "the JSON Patch copies too much");
        let deeper = |levels: usize| {
            let add = |i| {
                format!(
                    r#"{{"op":"add","path":"{}/a","value":{{}}}}"#,
                    "/a".repeat(i)
                )
            };
            let adds: Vec<_> = (0..levels).map(add).collect();
            patched("{}", &format!("[{}]", adds.join(",")))
        };
        assert!(deeper(200).is_ok());
        assert_eq!(
            deeper(600).unwrap_err(),
            "the values of the JSON Patch are nested too deeply"
        );
    }

    #[test]
    fn what_is_not_whole_is_refused() {
        check(
            "{",
            "[]",
            "the file is no JSON: Unterminated object on line 1 column 1",
        );
        check("{\"a\":1}", "{}", "the JSON Patch is no list");
        check(
            "{\"a\":1,\"a\":2}",
            r#"[{"op":"remove","path":"/a"}]"#,
            "an object has two members `a`",
        );
        check(
            "{\"a\":1}",
            r#"[{"op":"remove","path":"/b"}]"#,
            "the file has no value `/b`",
        );
        check(
            "[1]",
            r#"[{"op":"replace","path":"/01","value":1}]"#,
            "the file has no value `/01`",
        );
        check(
            "[1]",
            r#"[{"op":"add","path":"/2","value":1}]"#,
            "the file has no value `/2`",
        );
        check(
            "[1]",
            r#"[{"op":"add","path":"/~2","value":1}]"#,
            "`/~2` is no JSON Pointer",
        );
        check(
            "[1]",
            r#"[{"op":"add","path":"a","value":1}]"#,
            "`a` is no JSON Pointer",
        );
        check(
            "[1]",
            r#"[{"op":"add","path":"/0"}]"#,
            "an operation has no `value`",
        );
        check(
            "[1]",
            r#"[{"op":"swap","path":"/0"}]"#,
            "the operation `swap` is not known",
        );
        check(
            "[1]",
            r#"[{"op":"remove","path":""}]"#,
            "the whole file cannot be removed",
        );
        check(
            "{\"a\":{}}",
            r#"[{"op":"move","from":"/a","path":"/a/b"}]"#,
            "a value cannot be moved into itself",
        );
    }

    #[test]
    fn a_place_that_only_a_number_names_needs_a_look() {
        let check = |path: &str, expected: Confidence| {
            let patch = format!(r#"[{{"op":"add","path":"{path}","value":1}}]"#);
            let (_, found) = patched(r#"{"a":[1,2],"0":{}}"#, &patch).unwrap();
            assert_eq!(found, expected, "{path}");
        };
        check("/a/1", Confidence::Fuzzy);
        check("/a/-", Confidence::Safe);
        check("/a", Confidence::Safe);
        check("/0/x", Confidence::Safe);
    }

    #[test]
    fn a_test_proves_which_element_a_number_names() {
        let check = |tests: &str, last: &str, expected: Confidence| {
            let patch = format!("[{tests},{last}]");
            let (_, found) = patched(r#"{"a":[{"k":1,"m":2},3,4],"b":[5]}"#, &patch).unwrap();
            assert_eq!(found, expected, "{patch}");
        };
        let test =
            |path: &str, value: &str| format!(r#"{{"op":"test","path":"{path}","value":{value}}}"#);
        let remove = r#"{"op":"remove","path":"/a/1"}"#;
        let replace = r#"{"op":"replace","path":"/a/0/m","value":7}"#;
        check(&test("/a/1", "3"), remove, Confidence::Safe);
        check(
            &test("/a", r#"[{"k":1,"m":2},3,4]"#),
            remove,
            Confidence::Safe,
        );
        check(&test("/a/0/k", "1"), replace, Confidence::Safe);
        // Another element, and one that has moved since.
        check(&test("/a/2", "4"), remove, Confidence::Fuzzy);
        check(&test("/b/0", "5"), remove, Confidence::Fuzzy);
        check(
            &test("/a/1", "3"),
            &format!("{remove},{remove}"),
            Confidence::Fuzzy,
        );
        check(
            &test("/a/1", "3"),
            &format!("{replace},{remove}"),
            Confidence::Fuzzy,
        );
    }
}
