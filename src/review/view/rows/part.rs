//! A part of the stream: a file, or some of its hunks.

use std::sync::Arc;

use crate::review::session::file::FileReview;

/// Some hunks of a file that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePart {
    /// The file.
    pub file: usize,
    /// The hunks of it.
    pub hunks: PartHunks,
}

/// The hunks of a part. Those of the first part are named; all others, and all that come later, are in the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartHunks {
    /// All hunks of the file.
    All,
    /// These hunks, in ascending order.
    First(Arc<[usize]>),
    /// All but these hunks.
    Rest(Arc<[usize]>),
}

/// A part of a file, without its hunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Portion {
    /// The whole file.
    Whole,
    /// The hunks that are read first.
    First,
    /// The hunks that are read later.
    Rest,
}

impl FilePart {
    /// A whole file.
    pub fn whole(file: usize) -> Self {
        Self {
            file,
            hunks: PartHunks::All,
        }
    }

    /// Returns which part of the file it is.
    pub fn portion(&self) -> Portion {
        match self.hunks {
            PartHunks::All => Portion::Whole,
            PartHunks::First(_) => Portion::First,
            PartHunks::Rest(_) => Portion::Rest,
        }
    }

    /// Returns true if a hunk of the file belongs to the part. The parts of a split hunk stay together.
    pub fn has(&self, review: &FileReview, hunk: usize) -> bool {
        let part = review.hunks.get(hunk).and_then(|hunk| hunk.part.as_ref());
        let whole = part.map_or(hunk, |part| part.of);
        let is_named = |named: &[usize]| named.binary_search(&whole).is_ok();
        match &self.hunks {
            PartHunks::All => true,
            PartHunks::First(named) => is_named(named),
            PartHunks::Rest(named) => !is_named(named),
        }
    }
}
