//! The part of a hunk that a person changes: its lines, what was decided about them, and what is said of them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::decision::Decision;
use crate::text::LineIdx;

/// The part of a hunk that a person changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkState {
    /// The changed lines, in base order; those of one gap between kept lines are adjacent.
    pub lines: Arc<[ChangedLine]>,
    /// The decisions about each of them; for a step and for a hunk without a place, one entry.
    pub marks: Vec<LineMarks>,
    /// True if the lines differ from the agent's.
    pub edited: bool,
    /// The reviewer's comment on it, for the agent.
    pub comment: Option<String>,
    /// The reviewer's comments on some of its lines, in the order of the lines.
    pub line_comments: Vec<LineComment>,
    /// The reason why it was decided before the person saw it, if they have decided nothing about it since.
    pub in_advance: Option<InAdvance>,
}

/// The reason why a hunk was decided before the person saw it. A decision of the person always takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InAdvance {
    /// A rule of the person accepted it.
    Accepted(Arc<ByPolicy>),
    /// The person rejected the same change before, and wants it rejected again.
    RejectedBefore,
    /// The person accepted just this change in an earlier review.
    AcceptedBefore {
        /// True if all of its lines were shown then.
        shown: bool,
    },
}

impl InAdvance {
    /// The decision that was made.
    pub(in crate::review) fn decision(&self) -> Decision {
        match self {
            Self::Accepted(_) | Self::AcceptedBefore { .. } => Decision::Accepted,
            Self::RejectedBefore => Decision::Rejected,
        }
    }
}

/// A decision by a rule of the person, made in advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByPolicy {
    /// The name of the rule.
    pub rule: String,
    /// The evidence that the hunk fulfils it, in a sentence.
    pub proof: String,
}

/// A comment on some lines of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineComment {
    /// The positions of the lines among the changed lines of the hunk.
    pub lines: Range<usize>,
    /// The side of them that is meant.
    pub side: Side,
    /// The text of the comment.
    pub text: String,
}

/// One row of a change: a base line that goes, a line that comes, or one in place of the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ChangedLine {
    /// The base line that goes; or, if none does, the base line before which the new line comes.
    pub at: LineIdx,
    /// True if the base line is removed.
    pub removes: bool,
    /// The line that comes, without its ending.
    pub adds: Option<String>,
}

/// The decisions about the two sides of a changed line. A side that the line does not have stays undecided. The side that a line
/// lacks stays undecided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineMarks {
    /// About the base line's going.
    pub removed: Decision,
    /// About the new line's coming.
    pub added: Decision,
}

/// One side of a changed line, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The base line.
    Old,
    /// The new line.
    New,
    /// Whatever the line has.
    Both,
}

impl Side {
    /// Returns the opposite side; both for both.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
            Self::Both => Self::Both,
        }
    }
}

impl ChangedLine {
    /// The base position after this line.
    pub fn end(&self) -> LineIdx {
        self.at + usize::from(self.removes)
    }

    /// Returns true if the line has text on that side.
    pub fn has(&self, side: Side) -> bool {
        match side {
            Side::Old => self.removes,
            Side::New => self.adds.is_some(),
            Side::Both => true,
        }
    }
}

impl HunkState {
    /// Undecided lines, as the agent sent them.
    pub(in crate::review) fn new(lines: Arc<[ChangedLine]>, has_no_lines: bool) -> Self {
        let marks = vec![LineMarks::default(); if has_no_lines { 1 } else { lines.len() }];
        Self {
            lines,
            marks,
            edited: false,
            comment: None,
            line_comments: Vec::new(),
            in_advance: None,
        }
    }

    /// Returns true if the person has decided, edited and commented on nothing.
    pub(in crate::review) fn is_untouched(&self) -> bool {
        let is_commented = self.comment.is_some() || !self.line_comments.is_empty();
        self.is_fresh() || self.in_advance.is_some() && !self.edited && !is_commented
    }

    /// Returns true if nothing was decided, edited or commented on.
    pub(in crate::review) fn is_fresh(&self) -> bool {
        let open = LineMarks::default();
        let said = self.comment.is_some() || !self.line_comments.is_empty();
        !self.edited && !said && self.marks.iter().all(|marks| *marks == open)
    }

    /// Rejects all of it.
    pub(in crate::review) fn reject_all(&mut self) {
        self.marks.fill(LineMarks {
            removed: Decision::Rejected,
            added: Decision::Rejected,
        });
    }

    /// Moves the lines down, or up if `by` is negative; whether that could be done.
    pub(in crate::review) fn shift(&mut self, by: isize) -> bool {
        let mut moved = Vec::with_capacity(self.lines.len());
        for line in self.lines.iter() {
            let Some(at) = line.at.checked_add_signed(by) else {
                return false;
            };
            moved.push(ChangedLine { at, ..line.clone() });
        }
        if by != 0 {
            self.lines = moved.into();
        }
        true
    }

    /// The decisions of a range of lines, in order, those of both sides.
    pub(in crate::review) fn decisions(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = Decision> {
        let step = self
            .lines
            .is_empty()
            .then(|| self.marks.first().map(|m| m.added))
            .flatten();
        let lines =
            self.lines[range.start.min(self.lines.len())..range.end.min(self.lines.len())].iter();
        let marks = &self.marks[range.start.min(self.marks.len())..];
        step.into_iter()
            .chain(lines.zip(marks).flat_map(|(line, marks)| {
                let removed = line.removes.then_some(marks.removed);
                removed
                    .into_iter()
                    .chain(line.adds.is_some().then_some(marks.added))
            }))
    }

    /// Returns true if anything of it is undecided.
    pub fn is_open(&self) -> bool {
        let mut decisions = self.decisions(0..usize::MAX);
        decisions.any(|decision| decision == Decision::Undecided)
    }

    /// Returns the runs of adjacent lines, as ranges of positions in `lines`.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (i, line) in self.lines.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if self.lines[run.end - 1].end() == line.at => run.end = i + 1,
                _ => runs.push(i..i + 1),
            }
        }
        runs
    }
}
