//! Edits of a notebook's cells, as edits of the notebook's text.
//!
//! A notebook is JSON: `cells`, each with `cell_type`, perhaps an `id`, and `source`, a text or a list of its lines
//! (nbformat 4). Claude Code names a cell by its `id`, or by `cell-N` counted from 0. Only replacing a cell's source is
//! reviewed here: the rest of the notebook's text stays as it is, to the letter.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::allowed::Allowed;
use super::call::Call;
use crate::text::Document;

/// The text of the notebook after the edit; `None` if the edit is not understood.
pub(super) fn proposed(args: &Map<String, Value>, base: &Document) -> Option<String> {
    let mode = args
        .get("edit_mode")
        .and_then(Value::as_str)
        .unwrap_or("replace");
    let source = args.get("new_source").and_then(Value::as_str)?;
    let root = parse(base.text())?;
    let cell = cell(&root, args)?;
    let kind = cell
        .get("cell_type")
        .and_then(|kind| kind.value()?.as_string_lit()?.decoded_value().ok());
    let same_kind = args
        .get("cell_type")
        .and_then(Value::as_str)
        .is_none_or(|new| kind.as_deref() == Some(new));
    if mode != "replace" || !same_kind {
        return None;
    }
    let lines = source
        .split_inclusive('\n')
        .map(|line| CstInputValue::String(line.to_owned()));
    cell.get("source")?
        .set_value(CstInputValue::Array(lines.collect()));
    // What the old source printed goes with it.
    if let Some(count) = cell.get("execution_count") {
        count.set_value(CstInputValue::Null);
    }
    if let Some(outputs) = cell.get("outputs") {
        outputs.set_value(CstInputValue::Array(Vec::new()));
    }
    Some(root.to_string())
}

/// The call with the source that was approved; `None` if anything else of the notebook was changed, which the tool has no
/// words for.
pub(super) fn amended(call: &Call, base: &Document, wanted: &str) -> Option<Allowed> {
    let cells = parse(wanted)?;
    let source = cell(&cells, &call.args)?
        .get("source")?
        .value()?
        .to_string();
    let source = match serde_json::from_str(&source).ok()? {
        Value::String(text) => text,
        Value::Array(lines) => lines
            .iter()
            .map(Value::as_str)
            .collect::<Option<String>>()?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    let mut args = call.args.clone();
    args.insert("new_source".to_owned(), source.into());
    // The same notebook comes out of the call with this source, whatever its form as a text.
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let same = value(&proposed(&args, base)?) == value(wanted);
    let input = if args == call.args {
        Allowed::AsSent
    } else {
        Allowed::Amended(args)
    };
    same.then_some(input)
}

fn parse(text: &str) -> Option<CstRootNode> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    CstRootNode::parse(text, &ParseOptions::default()).ok()
}

fn cell(root: &CstRootNode, args: &Map<String, Value>) -> Option<CstObject> {
    let wanted = args.get("cell_id").and_then(Value::as_str)?;
    let cells = root.object_value()?.array_value("cells")?.elements();
    let cells: Vec<CstObject> = cells.iter().filter_map(CstNode::as_object).collect();
    let id = |cell: &&CstObject| {
        let id = cell
            .get("id")
            .and_then(|id| id.value()?.as_string_lit()?.decoded_value().ok());
        id.as_deref() == Some(wanted)
    };
    let by_number = || cells.get(wanted.strip_prefix("cell-")?.parse::<usize>().ok()?);
    cells.iter().find(id).or_else(by_number).cloned()
}
