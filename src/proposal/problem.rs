//! Parts of an input that could not be read, with their lines.

use std::fmt;

use serde::Serialize;

use super::path::PathClaim;
use crate::text::LineNo;

/// A range of lines of the input, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct InputSpan {
    /// The first line.
    pub first: LineNo,
    /// The last line.
    pub last: LineNo,
}

impl InputSpan {
    /// The span of a half-open range of slice positions; an empty range counts as its first line.
    pub fn of(range: std::ops::Range<usize>) -> Self {
        let first = LineNo::from_idx(range.start);
        Self {
            first,
            last: LineNo::from_idx(range.end.saturating_sub(1)).max(first),
        }
    }
}

/// A part of the input that is an edit but cannot be read as one. It is never applied in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The input line at which reading failed.
    pub line: LineNo,
    /// The lines of the input that are lost by it.
    pub span: InputSpan,
    /// The dialect that the part seems to be written in.
    pub dialect: &'static str,
    /// The file of the part, if it names one.
    pub path: Option<PathClaim>,
    /// The text found, as a phrase: `'>>>>>>> REPLACE'`, `the end of the input`.
    pub found: String,
    /// The text expected, as a phrase: `'=======' for the SEARCH on line 9`.
    pub expected: String,
    /// The lines of [`Problem::span`] as they were written, for people; [`crate::dialect::parse`] fills them in.
    pub text: Vec<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            found,
            expected,
            ..
        } = self;
        write!(
            f,
            "line {line} of the input: found {found}, expected {expected}"
        )
    }
}
