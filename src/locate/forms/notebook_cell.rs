//! Edits of one cell of a notebook: its source is replaced, or a cell is inserted or deleted, and every other byte stays.

use std::ops::Range;

use crate::locate::forms::whole_text::no_target;
use crate::locate::matching::index::Index;
use crate::locate::placement::{Change, Chosen, Confidence, Doubt, Location, Placement};
use crate::proposal::{CellEdit, CellKind, Hunk};
use crate::text::{Document, LineIdx, LineNo, Notebook, NotebookCell};

/// A byte range of the notebook's text and its replacement.
struct Splice {
    range: Range<usize>,
    with: String,
    confidence: Confidence,
    doubt: Option<Doubt>,
}

/// Places an edit of a cell, whose name is the hunk's anchor.
pub(crate) fn place(
    index: &Index<'_>,
    hunk: &Hunk,
    edit: CellEdit,
    kind: Option<CellKind>,
) -> Location {
    let document = index.document;
    let notebook = match index.notebook() {
        Ok(notebook) => notebook,
        Err(why) => return no_target(format!("the file is no notebook: {why}")),
    };
    let name = hunk.anchors.first().map(|anchor| anchor.text.as_str());
    let found = match name.map(|name| find(notebook, name)).transpose() {
        Ok(found) => found,
        Err(why) => return no_target(why),
    };
    let source = hunk.body.postimage.join("\n");
    let splice = match (edit, found) {
        (CellEdit::Replace, Some((at, confidence))) => {
            let cell = &notebook.cells[at];
            replaced(notebook, cell, &source, kind).map(|(range, with)| Splice {
                range,
                with,
                confidence,
                doubt: None,
            })
        }
        (CellEdit::Delete, Some((at, confidence))) => Some(Splice {
            range: without(notebook, at),
            with: String::new(),
            confidence,
            doubt: None,
        }),
        (CellEdit::Insert, found) => {
            let after = found.map(|(at, _)| at);
            let confidence = found.map_or(Confidence::Exact, |(_, confidence)| confidence);
            let kind = kind.unwrap_or(CellKind::Code);
            let (range, with) = inserted(notebook, after, &source, kind);
            let next = notebook.cells.get(after.map_or(0, |at| at + 1));
            // An equal cell may be the one that this edit has made, or another one.
            let is_there =
                next.is_some_and(|cell| cell.source == source && cell.kind == kind.name());
            Some(Splice {
                range,
                with,
                confidence: if is_there {
                    Confidence::Doubtful
                } else {
                    confidence
                },
                doubt: is_there.then_some(Doubt::Done),
            })
        }
        (CellEdit::Replace | CellEdit::Delete, None) => {
            return no_target("the edit names no cell".to_owned());
        }
    };
    let stands = found.map_or(0, |(at, _)| {
        notebook.line_of(notebook.cells[at].range.start)
    });
    match splice {
        None => Location::AlreadyApplied {
            at: LineNo::from_idx(stands),
        },
        Some(splice) => placed(notebook, document, &splice),
    }
}

/// Returns the cell with a name: its own, or `cell-2` for the third where cells have none.
fn find(notebook: &Notebook, name: &str) -> Result<(usize, Confidence), String> {
    let mut found = notebook.cells_named(name);
    match (found.next(), found.next()) {
        (Some(only), None) => return Ok((only, Confidence::Exact)),
        (Some(_), Some(_)) => return Err(format!("several cells have the name `{name}`")),
        (None, _) => (),
    }
    // The number is the only evidence.
    let numbered = notebook.cell_numbered(name);
    numbered
        .map(|at| (at, Confidence::Hinted))
        .ok_or_else(|| format!("no cell has the name `{name}`"))
}

/// Returns the replacement for a cell with another source, and with another type if requested; `None` if it has both already.
fn replaced(
    notebook: &Notebook,
    cell: &NotebookCell,
    source: &str,
    kind: Option<CellKind>,
) -> Option<(Range<usize>, String)> {
    let kind = kind.filter(|kind| kind.name() != cell.kind);
    match kind {
        None if cell.source == source => None,
        None => Some(resourced(notebook, cell, source)),
        Some(kind) => {
            let source = notebook.source(source, cell);
            let with = retyped(notebook, cell, &source, kind);
            Some((cell.range.clone(), with))
        }
    }
}

/// Returns the replacement for a cell with another source. The outputs of code are those of the source that it had.
fn resourced(notebook: &Notebook, cell: &NotebookCell, source: &str) -> (Range<usize>, String) {
    let mut parts = vec![(cell.source_range.clone(), notebook.source(source, cell))];
    if cell.kind == CellKind::Code.name() {
        for (name, empty) in [("execution_count", "null"), ("outputs", "[]")] {
            let range = cell.property_range(name);
            parts.extend(range.map(|range| (range, empty.to_owned())));
        }
    }
    parts.sort_by_key(|(range, _)| range.start);
    let whole = parts[0].0.start..parts[parts.len() - 1].0.end;
    let (mut with, mut done) = (String::new(), whole.start);
    for (range, part) in parts {
        with.push_str(notebook.between_bytes(done..range.start));
        with.push_str(&part);
        done = range.end;
    }
    (whole, with)
}

/// Returns the text of a cell with another type; only code has outputs.
fn retyped(notebook: &Notebook, cell: &NotebookCell, source: &str, kind: CellKind) -> String {
    let mut properties: Vec<(String, String)> = Vec::new();
    for (name, value) in &cell.properties {
        match name.as_str() {
            "cell_type" => {
                properties.push((name.clone(), notebook.quoted(kind.name())));
                if kind == CellKind::Code {
                    properties.push(("execution_count".to_owned(), "null".to_owned()));
                }
            }
            "source" => {
                if kind == CellKind::Code {
                    properties.push(("outputs".to_owned(), "[]".to_owned()));
                }
                properties.push((name.clone(), source.to_owned()));
            }
            "execution_count" | "outputs" => (),
            _ => properties.push((name.clone(), (*value).to_owned())),
        }
    }
    notebook.cell(&properties, notebook.indent(cell.range.start))
}

/// Returns the range of a cell with the comma between it and the next, or the one before if it is the last.
fn without(notebook: &Notebook, at: usize) -> Range<usize> {
    let cells = &notebook.cells;
    let own = cells[at].range.clone();
    match (cells.get(at + 1), at.checked_sub(1)) {
        (Some(next), _) => own.start..next.range.start,
        (None, Some(before)) => cells[before].range.end..own.end,
        (None, None) => notebook.list.start + 1..notebook.list.end - 1,
    }
}

/// Returns a new cell after another, or before all, and its range.
fn inserted(
    notebook: &Notebook,
    after: Option<usize>,
    source: &str,
    kind: CellKind,
) -> (Range<usize>, String) {
    let next = after.map_or(0, |at| at + 1);
    let stands = notebook.cells.get(next);
    let indent = notebook.cell_indent();
    let deeper = notebook.deeper(&indent);
    let mut properties = vec![("cell_type", notebook.quoted(kind.name()))];
    if kind == CellKind::Code {
        properties.push(("execution_count", "null".to_owned()));
    }
    if notebook.names_cells {
        properties.push(("id", notebook.quoted(&new_name(notebook, next, source))));
    }
    properties.push(("metadata", "{}".to_owned()));
    if kind == CellKind::Code {
        properties.push(("outputs", "[]".to_owned()));
    }
    properties.push(("source", notebook.new_source(source, &deeper)));
    let properties: Vec<(String, String)> = properties
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let cell = notebook.cell(&properties, &indent);
    match (after, stands) {
        (Some(at), _) => {
            let end = notebook.cells[at].range.end;
            (end..end, notebook.between(&indent) + &cell)
        }
        (None, Some(first)) => {
            let start = first.range.start;
            (start..start, cell + &notebook.between(&indent))
        }
        (None, None) => (notebook.list.clone(), notebook.list_of(&cell)),
    }
}

/// Returns a name that no cell has, the same for the same edit.
fn new_name(notebook: &Notebook, at: usize, source: &str) -> String {
    // FNV-1a: <http://www.isthe.com/chongo/tech/comp/fnv/>
    let hash = |salt: usize| {
        let bytes = salt.to_le_bytes().into_iter().chain(source.bytes());
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let is_free = |name: &String| notebook.cells_named(name).next().is_none();
    let mut names = (at..).map(|salt| format!("{:08x}", hash(salt) >> 32));
    names.find(is_free).unwrap_or_default()
}

/// Returns the placement of a splice, in whole lines.
fn placed(notebook: &Notebook, document: &Document, splice: &Splice) -> Location {
    let text = document.text();
    let Splice {
        range,
        with,
        confidence,
        doubt,
    } = splice;
    let lines = notebook.line_of(range.start)..notebook.line_of(range.end) + 1;
    let start = text[..range.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let end = text[range.end..]
        .find('\n')
        .map_or(text.len(), |newline| range.end + newline);
    let block = format!(
        "{}{with}{}",
        &text[start..range.start],
        &text[range.end..end]
    );
    let new: Vec<&str> = block
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let old: Vec<&str> = lines.clone().map(|idx| document.line(idx)).collect();
    let changes = differing(&old, &new, lines.start);
    Location::Placed(Placement {
        confidence: *confidence,
        doubt: *doubt,
        chosen: (*confidence == Confidence::Hinted).then_some(Chosen::Hint),
        ..Placement::exact(lines, changes)
    })
}

fn differing(old: &[&str], new: &[&str], first: LineIdx) -> Vec<Change> {
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, old, new);
    let ops = ops
        .into_iter()
        .filter(|op| op.tag() != similar::DiffTag::Equal);
    let changes = ops.map(|op| Change {
        lines: first + op.old_range().start..first + op.old_range().end,
        with: new[op.new_range()]
            .iter()
            .map(ToString::to_string)
            .collect(),
    });
    changes.collect()
}
