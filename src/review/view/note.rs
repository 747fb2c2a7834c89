//! Lines of notes on hunks and files.

/// One line of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The kind of the note, for its style.
    pub kind: NoteKind,
    /// Its text.
    pub text: String,
}

impl Note {
    /// Makes a line of a note.
    pub(in crate::review) fn new(kind: NoteKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
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
    /// Nothing is wrong: only said.
    Quiet,
    /// Nothing is left to do: it is applied or answered already.
    Settled,
}
