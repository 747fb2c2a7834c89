//! Hunks in numbers.

use std::ops::Add;

use crate::review::Mark;

/// A hunk in numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct HunkSummary {
    /// Sum of the decisions; `None` if there is nothing to decide.
    pub mark: Option<Mark>,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// Position among the hunks of its file, in the order of the file, from 1.
    pub rank: usize,
    /// True if it is for the person to decide, be it only to reject it.
    pub is_asked: bool,
    /// True if it waits for a decision: it is not wholly decided, or has no place and is not rejected.
    pub waits: bool,
}

/// Number of hunks for which no decision is missing, of those that are for the person to decide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Hunks for which no decision is missing.
    pub decided: usize,
    /// Hunks that are for the person to decide.
    pub all: usize,
}

impl Progress {
    /// Counts some hunks.
    pub(crate) fn of(hunks: impl Iterator<Item = HunkSummary>) -> Self {
        hunks
            .filter(|hunk| hunk.is_asked)
            .fold(Self::default(), |sum, hunk| Self {
                decided: sum.decided + usize::from(!hunk.waits),
                all: sum.all + 1,
            })
    }

    /// Returns the cells that the list at the side needs for it, with a gap.
    pub(crate) fn width(self) -> usize {
        self.all
            .checked_ilog10()
            .map_or(0, |log| 4 + 2 * usize::try_from(log).unwrap_or(0))
    }
}

impl Add for Progress {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            decided: self.decided + other.decided,
            all: self.all + other.all,
        }
    }
}
