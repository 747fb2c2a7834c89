//! Lines of notes on hunks and files.

use std::ops::Range;

/// One line of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The kind of the note, for its style.
    pub kind: NoteKind,
    /// Its text.
    pub text: String,
    /// The words of a line that differ from the other one, in bytes of the text.
    pub words: Vec<Range<usize>>,
    /// The blanks of a line that differ from the other one.
    pub blanks: Vec<Range<usize>>,
}

impl Note {
    /// Makes a line of a note.
    pub(in crate::review) fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
            words: Vec::new(),
            blanks: Vec::new(),
        }
    }

    /// Makes a line with something in front of it, and marks in the line.
    pub(in crate::review) fn marked(
        kind: NoteKind,
        before: &str,
        line: &str,
        (words, blanks): (&[Range<usize>], &[Range<usize>]),
    ) -> Self {
        Self {
            kind,
            text: format!("{before}{line}"),
            words: shifted(words, before.len()),
            blanks: shifted(blanks, before.len()),
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

/// Returns ranges of bytes behind some more bytes.
pub(super) fn shifted(ranges: &[Range<usize>], by: usize) -> Vec<Range<usize>> {
    let ranges = ranges.iter();
    ranges
        .map(|range| range.start + by..range.end + by)
        .collect()
}
