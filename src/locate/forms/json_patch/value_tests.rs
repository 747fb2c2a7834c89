//! Random patches, carried out on the value of a file by another way than on its text.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::patched;
use super::pointer::{missing, pointer, position, shown};
use super::tree::{Node, parse};

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

fn apply_to_value(operation: &Value, root: &mut Value) -> Result<(), String> {
    let at = |name: &str| pointer(operation[name].as_str().unwrap_or_default());
    let (to, value) = (at("path")?, operation["value"].clone());
    match operation["op"].as_str().unwrap_or_default() {
        "add" => add_to_value(root, &to, value),
        "remove" => remove_from_value(root, &to).map(|_| ()),
        "replace" => {
            *root.pointer_mut(&shown(&to)).ok_or_else(|| missing(&to))? = value;
            Ok(())
        }
        "copy" => {
            let value = root.pointer(&shown(&at("from")?)).cloned();
            add_to_value(root, &to, value.ok_or_else(|| missing(&to))?)
        }
        _ => {
            let from = at("from")?;
            if to == from {
                return root
                    .pointer(&shown(&from))
                    .map(|_| ())
                    .ok_or_else(|| missing(&from));
            }
            if to.starts_with(&from) {
                return Err("into itself".to_owned());
            }
            let value = remove_from_value(root, &from)?;
            add_to_value(root, &to, value)
        }
    }
}

fn json_value(node: &Node<'_>) -> Value {
    match node {
        Node::Scalar(text) => serde_json::from_str(text).unwrap_or_default(),
        Node::Holder(holder) if holder.is_array() => holder
            .items
            .iter()
            .map(|item| json_value(&item.value))
            .collect(),
        Node::Holder(holder) => {
            let name = |name: &Option<super::tree::MemberName<'_>>| {
                name.as_ref().map(|name| name.text.clone())
            };
            let members = holder.items.iter();
            members
                .map(|item| {
                    (
                        name(&item.name).unwrap_or_default(),
                        json_value(&item.value),
                    )
                })
                .collect()
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![Just(json!(1)), Just(json!("a/é")), Just(json!(null))];
    scalar.prop_recursive(3, 12, 3, |inner| {
        let name = prop::sample::select(vec!["a", "b", "0", "x~/"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..3).prop_map(|members| {
                let members = members.into_iter();
                members
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect()
            }),
        ]
    })
}

fn operation() -> impl Strategy<Value = Value> {
    let token = prop::sample::select(vec!["/a", "/b", "/0", "/1", "/-", "/x~0~1"]);
    let path = prop::collection::vec(token, 0..3).prop_map(|tokens| tokens.concat());
    let op = prop::sample::select(vec!["add", "add", "remove", "replace", "move", "copy"]);
    (op, path.clone(), path, value()).prop_map(
        |(op, path, from, value)| json!({"op": op, "path": path, "from": from, "value": value}),
    )
}

/// Returns a value as a text with comments, in one of some layouts.
fn written(value: &Value, layout: usize) -> String {
    let text = match layout {
        0 => return value.to_string(),
        _ => serde_json::to_string_pretty(value).unwrap_or_default(),
    };
    let comment = [" /* , */", " // , ]", "\n// {"][layout % 3];
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let is_commented = layout > 1 && i % 2 == 0;
        lines.push(format!("{line}{}", if is_commented { comment } else { "" }));
    }
    lines.join("\n")
}

proptest! {
    #[test]
    fn a_text_gets_the_values_of_the_patch(
        before in value(),
        operations in prop::collection::vec(operation(), 1..5),
        layout in 0_usize..5,
    ) {
        let mut expected = before.clone();
        let mut done = Vec::new();
        // Operations that cannot be carried out are left out.
        for operation in operations {
            let mut next = expected.clone();
            let is_root = operation["path"] == "" && operation["op"] == "remove";
            if !is_root && apply_to_value(&operation, &mut next).is_ok() {
                expected = next;
                done.push(operation);
            } else {
                let mut tried = done.clone();
                tried.push(operation);
                let found = patched(&written(&before, layout), &Value::from(tried).to_string());
                prop_assert!(found.is_err());
            }
        }
        let text = written(&before, layout);
        let (found, _) = patched(&text, &Value::from(done).to_string())
            .map_err(|why| TestCaseError::fail(format!("{why}: {text}")))?;
        let tree = parse(&found).map_err(TestCaseError::fail)?;
        prop_assert_eq!(json_value(&tree.root), expected, "{}", found);
    }
}
