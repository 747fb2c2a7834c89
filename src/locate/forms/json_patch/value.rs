//! Operations on the value of a JSON file.

use jsonc_parser::cst::CstNode;
use serde_json::Value;

use super::operation::PatchOperation;
use super::pointer::{missing, position, shown};

impl PatchOperation {
    /// Carries the operation out on the value of a file.
    pub(super) fn apply_to_value(&self, root: &mut Value) -> Result<(), String> {
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
}

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
