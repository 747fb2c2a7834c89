//! `search-replace`: Roo Code's `apply_diff` and Cline's `replace_in_file`.
//!
//! Blocks between `<<<<<<< SEARCH` and `>>>>>>> REPLACE`, with an optional `:start_line:`. The tool call around them names
//! the file, so it comes from outside, or from a line above the block.
//!
//! <https://docs.roocode.com/features/tools/apply-diff>

use super::marker;
use super::search_block::{self, SearchBlock};
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{FileChange, Hunk, Operation, PathClaim};
use crate::text::LineIdx;

/// The dialect `search-replace`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct SearchReplace;

impl Dialect for SearchReplace {
    fn name(&self) -> &'static str {
        "search-replace"
    }

    fn openings(&self) -> &'static [&'static str] {
        &["<<<<<<< SEARCH", "------- SEARCH"]
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let line = input.line(at)?;
        if marker::closes(line) {
            return Some(self.stray(input, at));
        }
        let opening = marker::opening(line)?;
        let SearchBlock { mut lines, hunk } = search_block::read(input, at, &opening);
        let above = file_name::above(input, at, before);
        if let Some(name) = &above {
            lines.start = name.at;
        }
        let path = input
            .path()
            .map(PathClaim::plain)
            .or(above.map(|name| name.claim))
            .or_else(|| before.carried());
        let named = path.clone().ok_or_else(|| {
            let expected = "a file name above it, or `--path FILE`";
            ParseError::new(at, "a block that names no file", expected)
        });
        let change = |hunk: Hunk, path| {
            let operation = operation(&hunk);
            FileChange {
                hunks: vec![hunk],
                ..FileChange::new(path, operation, self.name(), input.span(lines.clone()))
            }
        };
        let found = hunk
            .and_then(|hunk| Ok(change(hunk, named?)))
            .map_err(|error| error.into_problem(input, lines.clone(), self.name(), path));
        Some(Section::of(lines, found))
    }
}

impl SearchReplace {
    /// A closing line that closes nothing: the block's opening must have been lost.
    fn stray(self, input: &Input, at: LineIdx) -> Section {
        let error = ParseError::line(input, at, "'<<<<<<< SEARCH' before it");
        let lines = at..at + 1;
        let problem = error.into_problem(input, lines.clone(), self.name(), None);
        Section::of(lines, Err(problem))
    }
}

/// A block that searches for nothing, nowhere, makes a file.
fn operation(hunk: &Hunk) -> Operation {
    if hunk.body.preimage.is_empty() && hunk.hint.is_none() {
        Operation::Create
    } else {
        Operation::Modify
    }
}
