//! Edits as a JSON Patch: operations on the values of a JSON file, all or none. Comments, layout and every value that is not
//! named stay as they are.
//!
//! <https://www.rfc-editor.org/rfc/rfc6902>, <https://www.rfc-editor.org/rfc/rfc6901>

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstLeafNode, CstNode, CstObject, CstObjectProp};
use jsonc_parser::cst::{CstContainerNode, CstRootNode};
use serde_json::Value;

use super::index::Index;
use super::place::{Confidence, Location};
use super::rewrite::{no_target, placed, plain_text};
use crate::proposal::Hunk;

/// Maximum product of the operations and the bytes of the file.
const MOST_WORK: usize = 1 << 28;

/// Places a hunk whose postimage is a JSON Patch.
pub(super) fn place(index: &Index<'_>, hunk: &Hunk) -> Location {
    let text = plain_text(index.document);
    match patched(&text, &hunk.body.postimage.join("\n")) {
        Ok((new, confidence)) => placed(index.document, &new, confidence),
        Err(why) => no_target(why),
    }
}

/// Returns the text of a JSON file after a patch.
fn patched(text: &str, patch: &str) -> Result<(String, Confidence), String> {
    let operations = operations(patch)?;
    if operations.len().saturating_mul(text.len()) > MOST_WORK {
        return Err("the JSON Patch is too long for this file".to_owned());
    }
    let root = parse(text).map_err(|error| format!("the file is no JSON: {error}"))?;
    let mut expected = root.to_serde_value().ok_or("the file is empty")?;
    let mut confidence = Confidence::Safe;
    for operation in &operations {
        operation.apply(&root)?;
        operation.apply_to_value(&mut expected)?;
        if operation.counts(&expected) {
            confidence = Confidence::Fuzzy;
        }
    }
    let new = root.to_string();
    // The text is made by another way than the value: both must agree.
    let found = parse(&new).ok().and_then(|root| root.to_serde_value());
    if found.as_ref() != Some(&expected) {
        return Err("the JSON Patch cannot be carried out on the text of this file".to_owned());
    }
    Ok((new, confidence))
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// A JSON Pointer: the names and numbers on the way to a value.
type Pointer = Vec<String>;

/// An operation of a patch.
#[derive(Debug)]
enum Operation {
    Add(Pointer, CstNode),
    Remove(Pointer),
    Replace(Pointer, CstNode),
    Move { from: Pointer, to: Pointer },
    Copy { from: Pointer, to: Pointer },
    Test(Pointer, CstNode),
}

/// Parses the operations of a patch.
fn operations(patch: &str) -> Result<Vec<Operation>, String> {
    let root = parse(patch).map_err(|error| format!("the JSON Patch is no JSON: {error}"))?;
    let list = root.array_value().ok_or("the JSON Patch is no list")?;
    list.elements().iter().map(operation).collect()
}

fn operation(node: &CstNode) -> Result<Operation, String> {
    let fields = node.as_object().ok_or("an operation is no object")?;
    let text = |name: &str| {
        let value = member(&fields, name)?.and_then(|field| field.value());
        let text = value.and_then(|value| value.as_string_lit()?.decoded_value().ok());
        text.ok_or_else(|| format!("an operation has no text in `{name}`"))
    };
    let pointer = |name: &str| pointer(&text(name)?);
    let value = || {
        let value = member(&fields, "value")?.and_then(|field| field.value());
        value.ok_or_else(|| "an operation has no `value`".to_owned())
    };
    let to = pointer("path")?;
    Ok(match text("op")?.as_str() {
        "add" => Operation::Add(to, value()?),
        "remove" => Operation::Remove(to),
        "replace" => Operation::Replace(to, value()?),
        "test" => Operation::Test(to, value()?),
        "copy" => Operation::Copy {
            from: pointer("from")?,
            to,
        },
        "move" => Operation::Move {
            from: pointer("from")?,
            to,
        },
        other => return Err(format!("the operation `{other}` is not known")),
    })
}

/// Parses a JSON Pointer.
fn pointer(text: &str) -> Result<Pointer, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let invalid = || format!("`{text}` is no JSON Pointer");
    let tokens = text.strip_prefix('/').ok_or_else(invalid)?;
    let token = |token: &str| {
        let rest = token.replace("~0", "").replace("~1", "");
        (!rest.contains('~')).then(|| token.replace("~1", "/").replace("~0", "~"))
    };
    let tokens: Option<Pointer> = tokens.split('/').map(token).collect();
    tokens.ok_or_else(invalid)
}

fn shown(pointer: &[String]) -> String {
    let token = |token: &String| format!("/{}", token.replace('~', "~0").replace('/', "~1"));
    pointer.iter().map(token).collect()
}

fn missing(pointer: &[String]) -> String {
    format!("the file has no value `{}`", shown(pointer))
}

/// Returns the member of an object; of two with the same name neither is meant.
fn member(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, String> {
    let is_named = |prop: &CstObjectProp| prop.decoded_name().as_deref() == Some(name);
    let mut found = object.properties().into_iter().filter(is_named);
    let first = found.next();
    if found.next().is_some() {
        return Err(format!("an object has two members `{name}`"));
    }
    Ok(first)
}

/// Parses the position of an element, which has no zeros before it.
fn position(token: &str) -> Option<usize> {
    let is_number = !token.is_empty() && token.bytes().all(|c| c.is_ascii_digit());
    let has_zeros = token.len() > 1 && token.starts_with('0');
    token.parse().ok().filter(|_| is_number && !has_zeros)
}

/// Returns the value that a pointer names.
fn find(root: &CstRootNode, pointer: &[String]) -> Result<CstNode, String> {
    let mut node = root.value().ok_or("the file is empty")?;
    for (i, token) in pointer.iter().enumerate() {
        let next = if let Some(object) = node.as_object() {
            member(&object, token)?.and_then(|member| member.value())
        } else {
            let elements = node.as_array().map(|array| array.elements());
            elements.and_then(|elements| elements.into_iter().nth(position(token)?))
        };
        node = next.ok_or_else(|| missing(&pointer[..=i]))?;
    }
    Ok(node)
}

/// The object or the array that holds a value.
enum Holder {
    Object(CstObject),
    Array(CstArray),
}

fn holder(root: &CstRootNode, pointer: &[String]) -> Result<Holder, String> {
    let node = find(root, pointer)?;
    let object = node.as_object().map(Holder::Object);
    let holder = object.or_else(|| node.as_array().map(Holder::Array));
    holder.ok_or_else(|| format!("`{}` is no object and no array", shown(pointer)))
}

/// Returns a value with its numbers as they are written.
fn input(node: &CstNode) -> Result<CstInputValue, String> {
    let unknown = || "a value of the JSON Patch cannot be read".to_owned();
    Ok(match node {
        CstNode::Leaf(CstLeafNode::StringLit(text)) => {
            CstInputValue::String(text.decoded_value().map_err(|_| unknown())?)
        }
        CstNode::Leaf(CstLeafNode::NumberLit(number)) => CstInputValue::Number(number.to_string()),
        CstNode::Leaf(CstLeafNode::BooleanLit(flag)) => CstInputValue::Bool(flag.value()),
        CstNode::Leaf(CstLeafNode::NullKeyword(_)) => CstInputValue::Null,
        CstNode::Container(CstContainerNode::Array(array)) => {
            let elements: Result<Vec<_>, _> = array.elements().iter().map(input).collect();
            CstInputValue::Array(elements?)
        }
        CstNode::Container(CstContainerNode::Object(object)) => {
            let member = |prop: CstObjectProp| {
                let (name, value) = (prop.decoded_name(), prop.value());
                Ok((
                    name.ok_or_else(unknown)?,
                    input(&value.ok_or_else(unknown)?)?,
                ))
            };
            let members: Result<Vec<_>, String> =
                object.properties().into_iter().map(member).collect();
            CstInputValue::Object(members?)
        }
        CstNode::Leaf(
            CstLeafNode::WordLit(_)
            | CstLeafNode::Token(_)
            | CstLeafNode::Whitespace(_)
            | CstLeafNode::Newline(_)
            | CstLeafNode::Comment(_),
        )
        | CstNode::Container(CstContainerNode::Root(_) | CstContainerNode::ObjectProp(_)) => {
            return Err(unknown());
        }
    })
}

fn replace(node: CstNode, value: CstInputValue) {
    match node {
        CstNode::Leaf(CstLeafNode::StringLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NumberLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::BooleanLit(node)) => node.replace_with(value),
        CstNode::Leaf(CstLeafNode::NullKeyword(node)) => node.replace_with(value),
        CstNode::Container(CstContainerNode::Array(node)) => node.replace_with(value),
        CstNode::Container(CstContainerNode::Object(node)) => node.replace_with(value),
        CstNode::Leaf(
            CstLeafNode::WordLit(_)
            | CstLeafNode::Token(_)
            | CstLeafNode::Whitespace(_)
            | CstLeafNode::Newline(_)
            | CstLeafNode::Comment(_),
        )
        | CstNode::Container(CstContainerNode::Root(_) | CstContainerNode::ObjectProp(_)) => None,
    };
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let is_in = |(name, a): (&String, &Value)| b.get(name).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(is_in)
        }
        _ => a == b,
    }
}

// --- The text

fn add(root: &CstRootNode, to: &[String], value: CstInputValue) -> Result<(), String> {
    let Some((last, parents)) = to.split_last() else {
        root.set_value(value);
        return Ok(());
    };
    match holder(root, parents)? {
        Holder::Object(object) => match member(&object, last)? {
            Some(member) => member.set_value(value),
            None => {
                object.append(last, value);
            }
        },
        Holder::Array(array) => {
            let count = array.elements().len();
            let at = if last == "-" {
                Some(count)
            } else {
                position(last)
            };
            let at = at.filter(|at| *at <= count).ok_or_else(|| missing(to))?;
            array.insert(at, value);
        }
    }
    Ok(())
}

fn remove(root: &CstRootNode, from: &[String]) -> Result<(), String> {
    let (last, parents) = from
        .split_last()
        .ok_or("the whole file cannot be removed")?;
    match holder(root, parents)? {
        Holder::Object(object) => {
            let member = member(&object, last)?;
            member.ok_or_else(|| missing(from))?.remove();
        }
        Holder::Array(_) => find(root, from)?.remove(),
    }
    Ok(())
}

impl Operation {
    /// Carries the operation out on the text of a file.
    fn apply(&self, root: &CstRootNode) -> Result<(), String> {
        match self {
            Self::Add(to, value) => add(root, to, input(value)?),
            Self::Remove(from) => remove(root, from),
            Self::Replace(at, value) => {
                let (node, value) = (find(root, at)?, input(value)?);
                let parents = at
                    .split_last()
                    .map(|(last, parents)| (last, holder(root, parents)));
                match parents {
                    None => root.set_value(value),
                    Some((last, Ok(Holder::Object(object)))) => {
                        let member = member(&object, last)?;
                        member.ok_or_else(|| missing(at))?.set_value(value);
                    }
                    Some((_, Ok(Holder::Array(_)))) => replace(node, value),
                    Some((_, Err(why))) => return Err(why),
                }
                Ok(())
            }
            Self::Move { from, to } => {
                if from == to {
                    return find(root, from).map(|_| ());
                }
                if to.starts_with(from) {
                    return Err("a value cannot be moved into itself".to_owned());
                }
                let value = input(&find(root, from)?)?;
                remove(root, from)?;
                add(root, to, value)
            }
            Self::Copy { from, to } => {
                let value = input(&find(root, from)?)?;
                add(root, to, value)
            }
            Self::Test(at, value) => {
                let (found, value) = (find(root, at)?.to_serde_value(), value.to_serde_value());
                let equal = found.zip(value).is_some_and(|(a, b)| is_same(&a, &b));
                let fails = || {
                    format!(
                        "the value `{}` is another than the patch tests for",
                        shown(at)
                    )
                };
                equal.then_some(()).ok_or_else(fails)
            }
        }
    }

    /// Carries the operation out on the value of a file.
    fn apply_to_value(&self, root: &mut Value) -> Result<(), String> {
        let plain = |value: &CstNode| {
            let value = value.to_serde_value();
            value.ok_or_else(|| "a value of the JSON Patch cannot be read".to_owned())
        };
        match self {
            Self::Add(to, value) => add_to_value(root, to, plain(value)?),
            Self::Remove(from) => remove_from_value(root, from).map(|_| ()),
            Self::Replace(at, value) => {
                let found = root.pointer_mut(&shown(at));
                *found.ok_or_else(|| missing(at))? = plain(value)?;
                Ok(())
            }
            Self::Move { from, to } => {
                let value = remove_from_value(root, from)?;
                add_to_value(root, to, value)
            }
            Self::Copy { from, to } => {
                let value = root.pointer(&shown(from)).cloned();
                add_to_value(root, to, value.ok_or_else(|| missing(from))?)
            }
            Self::Test(..) => Ok(()),
        }
    }

    /// Returns `true` if a number is all that names an element of an array.
    fn counts(&self, root: &Value) -> bool {
        let pointers = match self {
            Self::Add(at, _) | Self::Remove(at) | Self::Replace(at, _) => [&[], at.as_slice()],
            Self::Move { from, to } | Self::Copy { from, to } => [from.as_slice(), to.as_slice()],
            Self::Test(..) => return false,
        };
        let holder_is_array = |pointer: &[String], i: usize| {
            let holder = root.pointer(&shown(&pointer[..i]));
            holder.is_none_or(Value::is_array)
        };
        pointers.into_iter().any(|pointer| {
            (0..pointer.len())
                .any(|i| position(&pointer[i]).is_some() && holder_is_array(pointer, i))
        })
    }
}

// --- The value

fn add_to_value(root: &mut Value, to: &[String], value: Value) -> Result<(), String> {
    let Some((last, parents)) = to.split_last() else {
        *root = value;
        return Ok(());
    };
    match root.pointer_mut(&shown(parents)) {
        Some(Value::Object(members)) => {
            members.insert(last.clone(), value);
        }
        Some(Value::Array(elements)) => {
            let at = if last == "-" {
                Some(elements.len())
            } else {
                position(last)
            };
            let at = at.filter(|at| *at <= elements.len());
            elements.insert(at.ok_or_else(|| missing(to))?, value);
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => {
            return Err(missing(to));
        }
    }
    Ok(())
}

fn remove_from_value(root: &mut Value, from: &[String]) -> Result<Value, String> {
    let (last, parents) = from
        .split_last()
        .ok_or("the whole file cannot be removed")?;
    let removed = match root.pointer_mut(&shown(parents)) {
        Some(Value::Object(members)) => members.remove(last),
        Some(Value::Array(elements)) => {
            let at = position(last).filter(|at| *at < elements.len());
            at.map(|at| elements.remove(at))
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => None,
    };
    removed.ok_or_else(|| missing(from))
}

#[cfg(test)]
mod tests {
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
            "[1,2, \"ä\"]",
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
}
