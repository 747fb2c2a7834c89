//! Groups of changes that are undone together.

/// Changes that are taken back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// How many changes of the text area it is.
    pub(crate) changes: usize,
}

/// What a step did; changes of one kind in a row are one step, but for those that stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepKind {
    Word,
    Blank,
    Delete,
    Alone,
}
