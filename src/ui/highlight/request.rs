//! Requests for the tokens of lines, and their answers.

use std::ops::Range;
use std::sync::Arc;

use super::token::TokenKind;
use crate::text::{Document, LineIdx};

/// Version of a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Half {
    /// The file as it is on disk.
    Base,
    /// The file as it is proposed.
    Proposed,
    /// The file as it would be written now.
    Result,
}

/// A text under review: a file by its position in the session, and which of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TextSource {
    /// The file.
    pub file: usize,
    /// The text.
    pub half: Half,
}

/// A request for the tokens of some lines.
#[derive(Debug, Clone)]
pub struct HighlightRequest {
    /// Whose lines.
    pub source: TextSource,
    /// Revision of the text.
    pub version: u64,
    /// Name of the file; selects the grammar.
    pub path: String,
    /// The text.
    pub text: Arc<Document>,
    /// The lines.
    pub lines: Range<LineIdx>,
}

/// The answer to a [`HighlightRequest`].
#[derive(Debug, Clone)]
pub struct HighlightedLines {
    /// Whose lines.
    pub source: TextSource,
    /// The version of the text that was read.
    pub version: u64,
    /// The first line.
    pub first: LineIdx,
    /// The lines' tokens, in order.
    pub lines: Vec<LineTokens>,
    /// True if the lines before were read too; a guess is followed by a better answer.
    pub exact: bool,
}

/// The tokens of one line, from left to right; what is after the last run is plain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineTokens(pub Arc<[TokenRun]>);

/// A piece of a line that is one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenRun {
    /// The byte after its last; it begins where the one before ends.
    pub end: usize,
    /// Kind of token.
    pub token: TokenKind,
}
