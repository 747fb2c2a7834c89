//! Steps of a review, and the state that each replaced.

use super::file::PassageComment;
use super::hunk::{HunkId, HunkReview, HunkState, LineComment, Side};
use crate::text::LineIdx;

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
    /// The kind of the step.
    pub kind: UndoneKind,
    /// Number of hunks that it was about.
    pub hunks: usize,
    /// The first changed line of the hunk that it was about, with its side; `None` if it was about the hunk as a whole.
    pub line: Option<(usize, Side)>,
    /// The last of the unchanged lines that a comment was about.
    pub base_line: Option<LineIdx>,
}

/// Kind of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UndoneKind {
    /// A decision.
    #[default]
    Decision,
    /// An edit of the lines.
    Edit,
    /// A comment.
    Comment,
    /// Another place.
    Place,
    /// A split.
    Split,
}

impl Stepped {
    /// Adds what a part of a step replaced in a hunk.
    pub(super) fn add_state(&mut self, id: HunkId, was: &HunkState, now: &HunkState) {
        let (kind, line) = difference(was, now);
        self.add_hunk(id, kind, line);
    }

    /// Adds a hunk that a part of a step replaced.
    pub(super) fn add_whole(&mut self, id: HunkId, was: &HunkReview, now: &HunkReview) {
        let kind = if was.part != now.part {
            UndoneKind::Split
        } else if was.outcome != now.outcome {
            UndoneKind::Place
        } else {
            UndoneKind::Edit
        };
        self.add_hunk(id, kind, None);
    }

    fn add_hunk(&mut self, id: HunkId, kind: UndoneKind, line: Option<(usize, Side)>) {
        self.hunks += 1;
        if self.hunk.is_none_or(|hunk| id < hunk) {
            self.hunk = Some(id);
            self.kind = kind;
            self.line = line;
        }
    }
}

/// Returns how two states of a hunk differ, and the first line of a difference that is not about the hunk as a whole.
fn difference(was: &HunkState, now: &HunkState) -> (UndoneKind, Option<(usize, Side)>) {
    if was.lines != now.lines {
        let mut pairs = was.lines.iter().zip(now.lines.iter());
        let differing = pairs.position(|(was, now)| was != now);
        let last = now.lines.len().checked_sub(1);
        return (
            UndoneKind::Edit,
            differing.or(last).map(|line| (line, Side::Both)),
        );
    }
    if was.marks != now.marks || was.in_advance != now.in_advance {
        let pairs = was.marks.iter().zip(&now.marks);
        let mut differing = pairs.enumerate().filter(|(_, (was, now))| was != now);
        let first = differing.next();
        let is_whole = first.is_none() || differing.count() + 1 == now.marks.len();
        let line = first.filter(|_| !is_whole).map(|(line, (was, now))| {
            let side = match (was.removed != now.removed, was.added != now.added) {
                (true, false) => Side::Old,
                (false, true) => Side::New,
                (true, true) | (false, false) => Side::Both,
            };
            (line, side)
        });
        return (UndoneKind::Decision, line);
    }
    let lacks = |all: &[LineComment], one: &LineComment| !all.contains(one);
    let gone = (was.line_comments.iter()).find(|one| lacks(&now.line_comments, one));
    let new = (now.line_comments.iter()).find(|one| lacks(&was.line_comments, one));
    let line = gone.or(new).and_then(|comment| {
        let last = comment.lines.end.checked_sub(1)?;
        Some((last, comment.side))
    });
    (UndoneKind::Comment, line)
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
