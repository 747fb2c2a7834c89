//! The operations of a JSON Patch.

use jsonc_parser::cst::CstNode;
use serde_json::Value;

use super::cst::{member, parse};
use super::pointer::{Pointer, pointer, position, shown};

/// An operation of a patch.
#[derive(Debug)]
pub(super) enum PatchOperation {
    Add(Pointer, CstNode),
    Remove(Pointer),
    Replace(Pointer, CstNode),
    Move { from: Pointer, to: Pointer },
    Copy { from: Pointer, to: Pointer },
    Test(Pointer, CstNode),
}

/// Parses the operations of a patch.
pub(super) fn operations(patch: &str) -> Result<Vec<PatchOperation>, String> {
    let root = parse(patch).map_err(|error| format!("the JSON Patch is no JSON: {error}"))?;
    let list = root.array_value().ok_or("the JSON Patch is no list")?;
    list.elements().iter().map(operation).collect()
}

fn operation(node: &CstNode) -> Result<PatchOperation, String> {
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

impl PatchOperation {
    /// Returns `true` if a number is all that names an element of an array.
    pub(super) fn counts(&self, root: &Value) -> bool {
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
