//! The steps of a review, to take back and to take again.

use super::hunk::{HunkId, HunkState};

/// A hunk's state before a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Saved {
    pub(super) id: HunkId,
    pub(super) state: HunkState,
}

/// Steps done and undone; each holds the states that it replaced.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    pub(super) undo: Vec<Vec<Saved>>,
    pub(super) redo: Vec<Vec<Saved>>,
}

impl History {
    /// Keeps of every step what `fits` anew; a step of which nothing fits is none.
    pub(super) fn retain(&mut self, mut fits: impl FnMut(&mut Saved) -> bool) {
        for steps in [&mut self.undo, &mut self.redo] {
            steps.retain_mut(|step| {
                step.retain_mut(&mut fits);
                !step.is_empty()
            });
        }
    }

    /// Keeps a step. A step that changed nothing is none, so that undo always does something.
    pub(super) fn record(&mut self, saved: Vec<Saved>) {
        if !saved.is_empty() {
            self.undo.push(saved);
            self.redo.clear();
        }
    }
}
