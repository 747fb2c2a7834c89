//! The steps of a review, to take back and to take again.

use super::file::PassageComment;
use super::hunk::{HunkId, HunkReview, HunkState};
use super::review_session::ReviewSession;

/// The state that a step replaced.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::review) enum Saved {
    /// The decisions about a hunk.
    State {
        /// The hunk.
        id: HunkId,
        /// It as it was.
        state: HunkState,
    },
    /// A hunk as a whole, its place included.
    Hunk {
        /// The hunk.
        id: HunkId,
        /// It as it was.
        hunk: Box<HunkReview>,
    },
    /// The hunks of a file from a position on: those that a split put there.
    Tail {
        /// The file.
        file: usize,
        /// The first position.
        from: usize,
        /// They as they were.
        hunks: Vec<HunkReview>,
    },
    /// A comment on a file.
    FileComment {
        /// The file.
        file: usize,
        /// The comment before.
        comment: Option<String>,
    },
    /// The comments on unchanged lines of a file.
    Passages {
        /// The file.
        file: usize,
        /// All that was said.
        passages: Vec<PassageComment>,
    },
    /// A comment on the batch, or on one call.
    BatchComment {
        /// The call.
        call: Option<u64>,
        /// The comment before.
        comment: Option<String>,
    },
}

/// Steps done and undone; each holds what it replaced, in the order in which that was done.
#[derive(Debug, Clone, Default)]
pub(in crate::review) struct History {
    undo: Vec<Vec<Saved>>,
    redo: Vec<Vec<Saved>>,
}

/// The result of an undo or a redo.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stepped {
    /// The hunk that it was about, or the first of them; `None` for a comment on a file or on the batch.
    pub hunk: Option<HunkId>,
    /// The files of which something is another now, in order.
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
    /// Keeps of every step what `fits` anew; a step of which nothing fits is none.
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

impl ReviewSession {
    /// Returns true if there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.history.undo.is_empty()
    }

    /// Returns true if there is a step to redo.
    pub fn can_redo(&self) -> bool {
        !self.history.redo.is_empty()
    }

    /// Forgets all steps, where nobody takes one back.
    pub fn forget_all_steps(&mut self) {
        self.history = History::default();
    }

    /// Takes the last step back. `None` if there is nothing to take back.
    pub fn undo(&mut self) -> Option<Stepped> {
        let saved = self.history.undo.pop()?;
        let (stepped, redo) = self.swap(saved);
        self.history.redo.push(redo);
        Some(stepped)
    }

    /// Takes the last undo back.
    pub fn redo(&mut self) -> Option<Stepped> {
        let saved = self.history.redo.pop()?;
        let (stepped, undo) = self.swap(saved);
        self.history.undo.push(undo);
        Some(stepped)
    }

    /// Puts what was saved in place, the last of it first, and gives what that replaces.
    fn swap(&mut self, saved: Vec<Saved>) -> (Stepped, Vec<Saved>) {
        let mut stepped = Stepped::default();
        let mut moved = Vec::new();
        let mut replaced = Vec::with_capacity(saved.len());
        for saved in saved.into_iter().rev() {
            stepped.files.extend(saved.file());
            let was = self.put(saved, &mut moved);
            if let Saved::State { id, .. } | Saved::Hunk { id, .. } = &was {
                stepped.hunk = Some(stepped.hunk.map_or(*id, |hunk| hunk.min(*id)));
            }
            replaced.push(was);
        }
        moved.sort_unstable();
        moved.dedup();
        for file in moved {
            self.files[file].rebuild();
        }
        stepped.files.sort_unstable();
        stepped.files.dedup();
        (stepped, replaced)
    }

    /// Puts one thing in place and gives what that replaces. `moved` gets the file if its lines are others now.
    fn put(&mut self, saved: Saved, moved: &mut Vec<usize>) -> Saved {
        match saved {
            Saved::State { id, state } => {
                let hunk = &mut self.files[id.file].hunks[id.hunk];
                if hunk.state.lines != state.lines {
                    moved.push(id.file);
                }
                let state = std::mem::replace(&mut hunk.state, state);
                Saved::State { id, state }
            }
            Saved::Hunk { id, hunk } => {
                moved.push(id.file);
                let hunk = std::mem::replace(&mut self.files[id.file].hunks[id.hunk], *hunk);
                let hunk = Box::new(hunk);
                Saved::Hunk { id, hunk }
            }
            Saved::Tail { file, from, hunks } => {
                moved.push(file);
                let all = &mut self.files[file].hunks;
                let was = all.split_off(from.min(all.len()));
                all.extend(hunks);
                let hunks = was;
                Saved::Tail { file, from, hunks }
            }
            Saved::FileComment { file, comment } => {
                let comment = std::mem::replace(&mut self.files[file].comment, comment);
                Saved::FileComment { file, comment }
            }
            Saved::Passages { file, passages } => {
                let passages = std::mem::replace(&mut self.files[file].passages, passages);
                Saved::Passages { file, passages }
            }
            Saved::BatchComment { call, comment } => {
                let said = self.comment_of(call);
                let comment = said.and_then(|said| std::mem::replace(said, comment));
                Saved::BatchComment { call, comment }
            }
        }
    }
}
