//! `aider`: Aider's edit blocks (`diff`, `diff-fenced`, `editor-diff`).
//!
//! The blocks of `search-replace` without hints, each below its file's name or below another block for the same file. A block
//! that searches for nothing makes the file or adds to its end. A lone word above a block is the name of a file if there is
//! one of that name.
//!
//! <https://aider.chat/docs/more/edit-formats.html>

use std::ops::Range;

use super::marker;
use super::search_block::{self, SearchBlock};
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{FileChange, Hunk, Operation, PathClaim};
use crate::text::LineIdx;

/// The dialect `aider`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Aider;

impl Dialect for Aider {
    fn name(&self) -> &'static str {
        "aider"
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let opening = marker::opening(input.line(at)?)?;
        let above = file_name::above(input, at, before);
        let word = match above {
            None => file_name::word_above(input, at, before),
            Some(_) => None,
        };
        let is_named = above.is_some()
            || (input.path().is_none() && (before.path.is_some() || word.is_some()));
        let is_aiders = is_named && !search_block::is_hinted(input, at, &opening);
        if input.asked() == ReadReason::InTurn && !is_aiders {
            return None;
        }
        let SearchBlock { mut lines, hunk } = search_block::read(input, at, &opening);
        if let Some(name) = &above {
            lines.start = name.at;
        }
        let is_carried = above.is_none() && before.names_another();
        let known = above
            .map(|name| name.claim)
            .or_else(|| before.carried())
            .or_else(|| input.path().map(PathClaim::plain));
        let path = claim(word, known.as_ref());
        let guess = (path.as_ref()).filter(|path| is_carried && !path.is_perhaps());
        let doubtful = word.or(guess.map(PathClaim::first));
        let named = path
            .clone()
            .ok_or_else(|| ParseError::new(at, NAMELESS, "a file name above it"));
        let found = hunk
            .and_then(|hunk| Ok(self.change(input, lines.clone(), hunk, named?)))
            .and_then(|change| match doubtful {
                // Whether there is such a file says nothing of one that is to be made.
                Some(word) if change.operation == Operation::CreateOrAppend => {
                    Err(unclear(at, word, known.as_ref()))
                }
                Some(_) | None => Ok(change),
            })
            .map_err(|error| {
                let path = path.clone().filter(|path| !path.is_perhaps());
                error.into_problem(input, lines.clone(), self.name(), path)
            });
        Some(Section::of(lines, found))
    }
}

/// The text of a problem where no file is named.
const NAMELESS: &str = "a block that names no file";

/// The file that a block is for: the one that the word above it names, if there is one of that name, else the one known
/// without it.
fn claim(word: Option<&str>, known: Option<&PathClaim>) -> Option<PathClaim> {
    match (word, known) {
        (Some(word), Some(known)) => {
            let others = known.readings().map(ToOwned::to_owned);
            Some(PathClaim::with_others(word, others))
        }
        (Some(word), None) => Some(PathClaim::perhaps(word)),
        (None, known) => known.cloned(),
    }
}

/// Why a block below a lone word makes no file.
fn unclear(at: LineIdx, word: &str, known: Option<&PathClaim>) -> ParseError {
    let (found, expected) = match known {
        Some(_) => (
            format!("a block that is for `{word}` or for the file before it"),
            format!("`./{word}` above it, or nothing"),
        ),
        None => (
            NAMELESS.to_owned(),
            format!("a file name above it, such as `./{word}`"),
        ),
    };
    ParseError::new(at, found, expected)
}

impl Aider {
    fn change(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        mut hunk: Hunk,
        path: PathClaim,
    ) -> FileChange {
        let is_blank = |line: &String| line.trim().is_empty();
        let operation = if hunk.body.preimage.iter().all(is_blank) {
            hunk.body.preimage.clear();
            hunk.other_readings.clear();
            hunk.at_end = true;
            Operation::CreateOrAppend
        } else {
            Operation::Modify
        };
        FileChange {
            hunks: vec![hunk],
            ..FileChange::new(path, operation, self.name(), input.span(lines))
        }
    }
}
