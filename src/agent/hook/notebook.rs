//! Edits of a notebook's cells, as edits of the notebook's text.
//!
//! Claude Code names a cell by its `id`, or by `cell-N` counted from 0, and replaces it, deletes it, or inserts one after it
//! (before all others if none is named). Here the rest of the notebook's text stays as it is, to the letter.
//!
//! An inserted cell gets an `id` of Claude's own making where the notebook has such (from nbformat 4.5 on), so the one that is
//! shown here is not the one that will be written.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::call::HookCall;
use super::outcome::Allowed;
use crate::text::{Document, Notebook, NotebookCell, hex};

/// Operation on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellOperation {
    Replace,
    Insert,
    Delete,
}

impl CellOperation {
    fn of(args: &Map<String, Value>) -> Option<Self> {
        match args.get("edit_mode") {
            None | Some(Value::Null) => Some(Self::Replace),
            Some(mode) => match mode.as_str()? {
                "replace" => Some(Self::Replace),
                "insert" => Some(Self::Insert),
                "delete" => Some(Self::Delete),
                _ => None,
            },
        }
    }
}

/// The text of the notebook after the edit; `None` if the edit is not understood.
pub(super) fn proposed(args: &Map<String, Value>, base: &Document) -> Option<String> {
    let notebook = Notebook::read(base.text()).ok()?;
    let at = position(&notebook, args)?;
    let root = parse(base.text())?;
    let cells = root.object_value()?.array_value("cells")?;
    match CellOperation::of(args)? {
        CellOperation::Replace => {
            replace(notebook.cells.get(at)?, cells.elements().get(at)?, args)?;
        }
        CellOperation::Insert => insert(&notebook, &cells, at, args)?,
        CellOperation::Delete => cells.elements().into_iter().nth(at)?.remove(),
    }
    Some(root.to_string())
}

/// The call with the cell that was approved; `None` if anything else of the notebook was changed, which the tool has no
/// words for.
pub(super) fn amended(call: &HookCall, base: &Document, wanted: &str) -> Option<Allowed> {
    let mode = CellOperation::of(&call.args)?;
    let at = position(&Notebook::read(base.text()).ok()?, &call.args)?;
    let mut args = call.args.clone();
    if mode != CellOperation::Delete {
        let mut approved = Notebook::read(wanted).ok()?.cells;
        let approved = (at < approved.len()).then(|| approved.swap_remove(at))?;
        args.insert("new_source".to_owned(), approved.source.into());
        if args.get("cell_type").is_some_and(Value::is_string) {
            args.insert("cell_type".to_owned(), approved.kind.into());
        }
    }
    // The same notebook comes out of the call, whatever its form as a text.
    let inserted = (mode == CellOperation::Insert).then_some(at);
    let same = meaning(&proposed(&args, base)?, inserted)? == meaning(wanted, inserted)?;
    let input = if args == call.args {
        Allowed::AsSent
    } else {
        Allowed::Amended(args)
    };
    same.then_some(input)
}

/// Puts another source into a cell, as Claude Code does: what the old one printed goes with it.
fn replace(old: &NotebookCell, cell: &CstNode, args: &Map<String, Value>) -> Option<()> {
    let cell = cell.as_object()?;
    let lines = lines(args.get("new_source")?.as_str()?);
    cell.get("source")?.set_value(lines);
    spread(&cell);
    if old.kind == "code" {
        set(&cell, "execution_count", CstInputValue::Null);
        set(&cell, "outputs", CstInputValue::Array(Vec::new()));
    }
    if let Some(kind) = args.get("cell_type").and_then(Value::as_str) {
        set(&cell, "cell_type", kind.into());
    }
    Some(())
}

fn set(cell: &CstObject, name: &str, value: CstInputValue) {
    match cell.get(name) {
        Some(property) => property.set_value(value),
        None => {
            cell.append(name, value);
        }
    }
}

/// Puts a new cell in, its fields in the order that notebooks are written in.
fn insert(
    notebook: &Notebook,
    cells: &CstArray,
    at: usize,
    args: &Map<String, Value>,
) -> Option<()> {
    let source = args.get("new_source")?.as_str()?;
    let kind = args.get("cell_type")?.as_str()?;
    let is_code = kind != "markdown";
    let id = notebook.names_cells.then(|| id(notebook, source));
    let fields = [
        Some(("cell_type", if is_code { "code" } else { kind }.into())),
        is_code.then_some(("execution_count", CstInputValue::Null)),
        id.map(|id| ("id", id.into())),
        Some(("metadata", CstInputValue::Object(Vec::new()))),
        is_code.then_some(("outputs", CstInputValue::Array(Vec::new()))),
        Some(("source", lines(source))),
    ];
    let fields = fields.into_iter().flatten();
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    cells.insert(at, CstInputValue::Object(fields.collect()));
    let cell = cells.elements().get(at)?.as_object()?;
    cell.ensure_multiline();
    spread(&cell);
    Some(())
}

/// Gives every line of a cell's source a line of its own, as notebooks are written.
fn spread(cell: &CstObject) {
    let source = cell.array_value("source");
    if let Some(source) = source.filter(|source| !source.elements().is_empty()) {
        source.ensure_multiline();
    }
}

/// A name that no other cell has.
fn id(notebook: &Notebook, source: &str) -> String {
    let mut hashed = Sha256::digest(source.as_bytes());
    loop {
        let id = hex(&hashed[..4]);
        if notebook.cells_named(&id).next().is_none() {
            return id;
        }
        hashed = Sha256::digest(hashed);
    }
}

fn parse(text: &str) -> Option<CstRootNode> {
    serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
    CstRootNode::parse(text, &ParseOptions::default()).ok()
}

/// Returns the position of the call's cell, existing or new.
fn position(notebook: &Notebook, args: &Map<String, Value>) -> Option<usize> {
    let inserts = CellOperation::of(args)? == CellOperation::Insert;
    let wanted = args.get("cell_id").and_then(Value::as_str);
    let Some(wanted) = wanted.filter(|name| !name.is_empty()) else {
        return inserts.then_some(0);
    };
    let named = notebook.cells_named(wanted).next();
    let found = named.or_else(|| notebook.cell_numbered(wanted))?;
    Some(found + usize::from(inserts))
}

/// A source as notebooks hold it: its lines, each with its end.
fn lines(source: &str) -> CstInputValue {
    let lines = source
        .split_inclusive('\n')
        .map(|line| CstInputValue::String(line.to_owned()));
    CstInputValue::Array(lines.collect())
}

/// Returns the meaning of a notebook for comparison: a source is the same as a text and as a list of lines, and the id
/// of an inserted cell is arbitrary.
fn meaning(notebook: &str, inserted: Option<usize>) -> Option<Value> {
    let sources = Notebook::read(notebook).ok()?.cells;
    let mut notebook: Value = serde_json::from_str(notebook).ok()?;
    let cells = notebook.get_mut("cells")?.as_array_mut()?;
    for (at, (cell, read)) in cells.iter_mut().zip(sources).enumerate() {
        let cell = cell.as_object_mut()?;
        cell.insert("source".to_owned(), read.source.into());
        if inserted == Some(at) {
            cell.remove("id");
        }
    }
    Some(notebook)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use serde_json::json;

    use super::*;
    use crate::agent::hook::{Agent, HookRequest, read};

    const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "b",
   "metadata": {},
   "outputs": [
    1
   ],
   "source": [
    "one\n",
    "two"
   ]
  },
  {
   "cell_type": "markdown",
   "id": "m",
   "metadata": {},
   "source": "# Title"
  }
 ],
 "metadata": {},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

    fn call(args: &Value) -> HookCall {
        let mut args = args.clone();
        args["notebook_path"] = "/w/n.ipynb".into();
        let asked = json!({"tool_name": "NotebookEdit", "cwd": "/w", "tool_input": args});
        match read(Agent::Claude, asked.to_string().as_bytes()) {
            Ok(HookRequest::Write(call)) => call,
            other => panic!("{other:?}"),
        }
    }

    /// The lines that an edit takes out and puts in.
    #[track_caller]
    fn check(args: &Value, expected: &str) {
        let base = Document::from_text(NOTEBOOK);
        let Some(after) = proposed(&call(args).args, &base) else {
            assert_eq!("none", expected);
            return;
        };
        serde_json::from_str::<Value>(&after).unwrap();
        let diff = similar::TextDiff::from_lines(NOTEBOOK, &after);
        let mut found = String::new();
        for change in diff.iter_all_changes() {
            if change.tag() != similar::ChangeTag::Equal {
                write!(found, "{}{}", change.tag(), change.value()).unwrap();
            }
        }
        assert_eq!(found, expected);
    }

    /// The input with which a call writes what a person has made of its own result.
    #[track_caller]
    fn check_amended(args: &Value, from: &str, to: &str, expected: &Value) {
        let base = Document::from_text(NOTEBOOK);
        let call = call(args);
        let own = proposed(&call.args, &base).unwrap();
        assert!(own.contains(from), "{own}");
        let found = match amended(&call, &base, &own.replacen(from, to, 1)) {
            None => json!("impossible"),
            Some(Allowed::AsSent) => json!("as sent"),
            Some(Allowed::Amended(mut args)) => {
                args.remove("notebook_path");
                Value::Object(args)
            }
            Some(Allowed::Impossible) => panic!(),
        };
        assert_eq!(&found, expected);
    }

    #[test]
    fn a_cell_is_replaced_inserted_or_deleted_and_the_rest_stays() {
        check(
            &json!({"cell_id": "b", "new_source": "one\nthree"}),
            "-   \"execution_count\": 3,\n+   \"execution_count\": null,\n-   \"outputs\": [\n-    1\n-   ],\n+   \"outputs\": [],\n-    \"two\"\n+    \"three\"\n",
        );
        check(
            &json!({"cell_id": "m", "new_source": "x", "cell_type": "code"}),
            "-   \"cell_type\": \"markdown\",\n+   \"cell_type\": \"code\",\n-   \"source\": \"# Title\"\n+   \"source\": [\n+    \"x\"\n+   ]\n",
        );
        check(
            &json!({"edit_mode": "delete", "cell_id": "cell-1", "new_source": ""}),
            "-  },\n-  {\n-   \"cell_type\": \"markdown\",\n-   \"id\": \"m\",\n-   \"metadata\": {},\n-   \"source\": \"# Title\"\n",
        );
        check(
            &json!({"edit_mode": "insert", "cell_id": "b", "cell_type": "code", "new_source": "x\ny"}),
            "+   \"cell_type\": \"code\",\n+   \"execution_count\": null,\n+   \"id\": \"9ab9de25\",\n+   \"metadata\": {},\n+   \"outputs\": [],\n+   \"source\": [\n+    \"x\\n\",\n+    \"y\"\n+   ]\n+  },\n+  {\n",
        );
        check(
            &json!({"edit_mode": "insert", "cell_type": "markdown", "new_source": "# Top"}),
            "+   \"cell_type\": \"markdown\",\n+   \"id\": \"f2c8aae0\",\n+   \"metadata\": {},\n+   \"source\": [\n+    \"# Top\"\n+   ]\n+  },\n+  {\n",
        );
    }

    #[test]
    fn what_claude_refuses_is_not_understood() {
        check(&json!({"cell_id": "z", "new_source": "x"}), "none");
        check(&json!({"cell_id": "cell-2", "new_source": "x"}), "none");
        check(&json!({"new_source": "x"}), "none");
        check(&json!({"edit_mode": "insert", "new_source": "x"}), "none");
        check(
            &json!({"edit_mode": "move", "cell_id": "b", "new_source": "x"}),
            "none",
        );
    }

    #[test]
    fn what_a_person_makes_of_it_is_what_claude_is_given() {
        let insert = json!({"edit_mode": "insert", "cell_id": "b", "cell_type": "code", "new_source": "x\ny"});
        check_amended(&insert, "\"x\\n\"", "\"x\\n\"", &json!("as sent"));
        check_amended(
            &insert,
            "\"x\\n\"",
            "\"z\\n\"",
            &json!({"edit_mode": "insert", "cell_id": "b", "cell_type": "code", "new_source": "z\ny"}),
        );
        // Another cell, and another field of this one.
        check_amended(&insert, "# Title", "# Other", &json!("impossible"));
        check_amended(
            &insert,
            "\"metadata\": {}",
            "\"metadata\": {\"a\": 1}",
            &json!("impossible"),
        );
        let delete = json!({"edit_mode": "delete", "cell_id": "m", "new_source": ""});
        check_amended(&delete, "two", "two", &json!("as sent"));
        check_amended(&delete, "two", "three", &json!("impossible"));
        let replace = json!({"cell_id": "m", "new_source": "x", "cell_type": "code"});
        check_amended(
            &replace,
            "\"x\"",
            "\"y\"",
            &json!({"cell_id": "m", "new_source": "y", "cell_type": "code"}),
        );
    }
}
