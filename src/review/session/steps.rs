//! Steps of a review, and the state that each replaced.

use super::file::PassageComment;
use super::hunk::{HunkId, HunkReview, HunkState};

/// The state that a step replaced.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::review) enum Saved {
    /// The decisions about a hunk.
    State {
        id: HunkId,
        /// It as it was.
        state: HunkState,
    },
    /// A hunk as a whole, its place included.
    Hunk {
        id: HunkId,
        /// It as it was.
        hunk: Box<HunkReview>,
    },
    /// The hunks of a file from a position on: those that a split put there.
    Tail {
        file: usize,
        /// The first position.
        from: usize,
        /// They as they were.
        hunks: Vec<HunkReview>,
    },
    FileComment {
        file: usize,
        /// The comment before.
        comment: Option<String>,
    },
    /// The comments on unchanged lines of a file.
    Passages {
        file: usize,
        /// All that was said.
        passages: Vec<PassageComment>,
    },
    /// A comment on the batch, or on one call.
    BatchComment {
        call: Option<u64>,
        /// The comment before.
        comment: Option<String>,
    },
}

/// Steps done and undone; each holds what it replaced, in the order in which that was done.
#[derive(Debug, Clone, Default)]
pub(in crate::review) struct History {
    pub(super) undo: Vec<Vec<Saved>>,
    pub(super) redo: Vec<Vec<Saved>>,
}

/// The result of an undo or a redo.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stepped {
    /// The hunk that it was about, or the first of them; `None` for a comment on a file or on the batch.
    pub hunk: Option<HunkId>,
    /// The files that the step changed, in order.
    pub files: Vec<usize>,
}

impl Saved {
    /// The file that it is about.
    pub(in crate::review) fn file(&self) -> Option<usize> {
        match self {
            Self::State { id, .. } | Self::Hunk { id, .. } => Some(id.file),
            Self::Tail { file, .. }
            | Self::FileComment { file, .. }
            | Self::Passages { file, .. } => Some(*file),
            Self::BatchComment { .. } => None,
        }
    }
}

impl History {
    /// Keeps of every step what `fits` again; a step of which nothing fits is none.
    pub(in crate::review) fn retain(&mut self, mut fits: impl FnMut(&mut Saved) -> bool) {
        for steps in [&mut self.undo, &mut self.redo] {
            steps.retain_mut(|step| {
                step.retain_mut(&mut fits);
                !step.is_empty()
            });
        }
    }

    /// Keeps a step. A step that changed nothing is none, so that undo always does something.
    pub(in crate::review) fn record(&mut self, saved: Vec<Saved>) {
        if !saved.is_empty() {
            self.undo.push(saved);
            self.redo.clear();
        }
    }
}
