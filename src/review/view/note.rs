//! Lines of notes on hunks and files.

use super::line_difference::DifferingParts;

/// One line of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The kind of the note, for its style.
    pub kind: NoteKind,
    /// Its text.
    pub text: String,
    /// The parts of the text in which a quoted line differs from another one.
    pub differing: DifferingParts,
}

impl Note {
    /// Makes a line of a note.
    pub(in crate::review) fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            differing: DifferingParts::default(),
        }
    }

    /// Makes a line with something in front of it, and marks in the line.
    pub(in crate::review) fn marked(
        kind: NoteKind,
        before: &str,
        line: &str,
        parts: &DifferingParts,
    ) -> Self {
        Self {
            kind,
            text: format!("{before}{line}"),
            differing: parts.behind(before.len()),
        }
    }
}

/// The kind of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// Says what is wrong.
    Headline,
    /// Says more: a place, a reason.
    Detail,
    /// A line as the file has it.
    Found,
    /// A line as the edit has it.
    Expected,
    /// Number of lines that are left out.
    More,
    /// Nothing is wrong: only said.
    Quiet,
    /// Nothing is left to do: it is applied or answered already.
    Settled,
}
