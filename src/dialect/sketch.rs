//! `sketch`: new code with marks like `// ... existing code ...` for what stays, in a code fence below the file's name, as
//! Cursor's agents write it for a merging model.

use std::ops::Range;

use super::fault::Fault;
use super::fenced_file::{self, FencedFile};
use super::{Asked, Before, Dialect, Evidence, Input, Section};
use crate::proposal::{Body, Extent, FileChange, Hunk, Operation, is_elision};
use crate::text::LineIdx;

/// The dialect `sketch`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sketch;

impl Dialect for Sketch {
    fn name(&self) -> &'static str {
        "sketch"
    }

    fn evidence(&self) -> Evidence {
        Evidence::Shape
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let FencedFile { lines, path, text } = fenced_file::read(input, at, before)?;
        let sketch = text.and_then(|text| hunk(input, text));
        if sketch.is_err() && input.asked() == Asked::InTurn {
            return None;
        }
        let found = sketch
            .map(|hunk| FileChange {
                path: path.clone(),
                operation: Operation::Modify,
                executable: None,
                blobs: None,
                hunks: vec![hunk],
                dialect: self.name(),
                span: input.span(lines.clone()),
            })
            .map_err(|fault| fault.into_problem(input, lines.clone(), self.name(), Some(path)));
        Some(Section::of(lines, found))
    }
}

/// The hunk of a text that has a mark. Dots alone are none: in Python they are code.
fn hunk(input: &Input, text: Range<LineIdx>) -> Result<Hunk, Fault> {
    let lines = input.lines(text.clone());
    let is_mark = |line: &&str| is_elision(line) && line.trim().len() > "...".len();
    if !lines.iter().any(is_mark) {
        let expected = "a line like '// ... existing code ...' in it";
        return Err(Fault::line(input, text.start, expected));
    }
    let body = Body {
        preimage: Vec::new(),
        postimage: lines.iter().map(ToString::to_string).collect(),
    };
    Ok(Hunk {
        extent: Extent::Sketch,
        ..Hunk::new(body, input.span(text))
    })
}
