//! Line numbers as people write them, and positions as slices count them.

use std::fmt;
use std::num::NonZeroUsize;

use serde::Serialize;

/// A position in a slice of lines: the first line is 0, and the number of lines means "after the last".
pub type LineIdx = usize;

/// A line as people and patch headers write it: the first line is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct LineNo(NonZeroUsize);

impl LineNo {
    /// Returns `None` for 0, which no line has.
    pub fn new(number: usize) -> Option<Self> {
        NonZeroUsize::new(number).map(Self)
    }

    /// The number of the line at a slice position.
    pub fn from_idx(idx: LineIdx) -> Self {
        Self(NonZeroUsize::MIN.saturating_add(idx))
    }

    /// The slice position of this line.
    pub fn idx(self) -> LineIdx {
        self.0.get() - 1
    }

    /// The number itself, counted from 1.
    pub fn get(self) -> usize {
        self.0.get()
    }
}

impl fmt::Display for LineNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
