//! Groups of changes that are undone together.

/// Changes that are taken back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UndoStep {
    pub(crate) kind: StepKind,
    /// Number of changes of the text area.
    pub(crate) changes: usize,
}

/// Kinds of changes; consecutive changes of one kind are one step, except `Alone`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    Word,
    Blank,
    Delete,
    Alone,
}
