//! The operations of a JSON Patch.

use super::layout::quoted;
use super::pointer::{Pointer, pointer};
use super::tree::{Holder, Node, parse};

/// An operation of a patch.
#[derive(Debug)]
pub(super) enum PatchOperation<'a> {
    Add(Pointer, Node<'a>),
    Remove(Pointer),
    Replace(Pointer, Node<'a>),
    Move { from: Pointer, to: Pointer },
    Copy { from: Pointer, to: Pointer },
    Test(Pointer, Node<'a>),
}

/// Parses the operations of a patch.
pub(super) fn operations(patch: &str) -> Result<Vec<PatchOperation<'_>>, String> {
    let tree = parse(patch).map_err(|error| format!("the JSON Patch is no JSON: {error}"))?;
    let list = match &tree.root {
        Node::Holder(list) if list.is_array() => list,
        Node::Holder(_) | Node::Scalar(_) => return Err("the JSON Patch is no list".to_owned()),
    };
    list.items
        .iter()
        .map(|item| operation(&item.value))
        .collect()
}

fn operation<'a>(node: &Node<'a>) -> Result<PatchOperation<'a>, String> {
    let fields = match node {
        Node::Holder(fields) if !fields.is_array() => fields,
        Node::Holder(_) | Node::Scalar(_) => return Err("an operation is no object".to_owned()),
    };
    let pointer = |name: &str| pointer(&text_field(fields, name)?);
    let value = || {
        let value = field(fields, "value")?.cloned().map(plain);
        value.ok_or_else(|| "an operation has no `value`".to_owned())
    };
    let to = pointer("path")?;
    Ok(match text_field(fields, "op")?.as_str() {
        "add" => PatchOperation::Add(to, value()?),
        "remove" => PatchOperation::Remove(to),
        "replace" => PatchOperation::Replace(to, value()?),
        "test" => PatchOperation::Test(to, value()?),
        "copy" => PatchOperation::Copy {
            from: pointer("from")?,
            to,
        },
        "move" => PatchOperation::Move {
            from: pointer("from")?,
            to,
        },
        other => return Err(format!("the operation `{other}` is not known")),
    })
}

fn text_field(fields: &Holder<'_>, name: &str) -> Result<String, String> {
    let text = match field(fields, name)? {
        Some(Node::Scalar(text)) => serde_json::from_str::<String>(text).ok(),
        Some(Node::Holder(_)) | None => None,
    };
    text.ok_or_else(|| format!("an operation has no text in `{name}`"))
}

fn field<'t, 'a>(fields: &'t Holder<'a>, name: &str) -> Result<Option<&'t Node<'a>>, String> {
    let item = fields.find(name)?.and_then(|at| fields.items.get(at));
    Ok(item.map(|item| &item.value))
}

/// Writes the strings of a value without escapes that they do not need.
fn plain(node: Node<'_>) -> Node<'_> {
    match node {
        Node::Scalar(text) => match serde_json::from_str::<String>(&text) {
            Ok(string) => Node::Scalar(quoted(&string).into()),
            Err(_) => Node::Scalar(text),
        },
        Node::Holder(mut holder) => {
            holder.items.for_each(|item| {
                if let Some(name) = &mut item.name {
                    name.written = quoted(&name.text).into();
                }
                let value = std::mem::replace(&mut item.value, Node::Scalar("".into()));
                item.value = plain(value);
            });
            Node::Holder(holder)
        }
    }
}
