//! The error of a part of an input that cannot be read, before it is known which file and dialect it is for.

use std::ops::Range;

use crate::dialect::input::Input;
use crate::proposal::{PathClaim, Problem};
use crate::text::LineIdx;

/// The longest stretch of a line that a message quotes, in characters.
const QUOTED: usize = 60;

/// The text found at a line, and the text expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ParseError {
    at: LineIdx,
    found: String,
    expected: String,
}

/// Faults and the lines that they cost.
pub(super) type ParseErrors = Vec<(ParseError, Range<LineIdx>)>;

impl ParseError {
    /// Something else than a line's own text is wrong with it.
    pub(super) fn new(at: LineIdx, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            at,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// The line at `at` is not what it should be.
    pub(super) fn line(input: &Input, at: LineIdx, expected: impl Into<String>) -> Self {
        match input.line(at) {
            Some(line) => Self::new(at, quoted(line), expected),
            None => Self::end(input, expected),
        }
    }

    /// The input ends too early.
    pub(super) fn end(input: &Input, expected: impl Into<String>) -> Self {
        Self::new(input.len().saturating_sub(1), input.end(), expected)
    }

    /// The same as a problem of the lines that it costs.
    pub(super) fn into_problem(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        dialect: &'static str,
        path: Option<PathClaim>,
    ) -> Problem {
        Problem {
            line: input.number(self.at),
            span: input.span(lines),
            dialect,
            path,
            found: self.found,
            expected: self.expected,
            text: Vec::new(),
        }
    }
}

/// A line as messages show it.
pub(super) fn quoted(line: &str) -> String {
    let line = line.trim();
    match line.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("'{}…'", &line[..cut]),
        None if line.is_empty() => "an empty line".to_owned(),
        None => format!("'{line}'"),
    }
}
