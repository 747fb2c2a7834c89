//! Records of what a person rejected in one review, as they are kept between reviews.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::approvals::ApprovedFile;

/// The decisions of one review, for later ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectionRecord {
    /// The time at which the review was finished, in seconds since 1970.
    pub time: u64,
    /// The rejected changes.
    pub rejected: Vec<RejectedChange>,
    /// The accepted changes that were rejected in an earlier review.
    pub accepted: Vec<RejectedChange>,
    /// The accepted changes of each file, for which later reviews do not ask again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approved: Vec<ApprovedFile>,
}

impl RejectionRecord {
    /// Returns true if there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.rejected.is_empty() && self.accepted.is_empty() && self.approved.is_empty()
    }
}

/// A change that a person decided about: adjacent lines, with the lines around them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedChange {
    /// The file, relative to the root.
    pub path: String,
    /// The lines that it removes from the file as the review left it.
    pub removed: Vec<String>,
    /// The lines that it adds.
    pub added: Vec<String>,
    /// The lines above it, in order.
    pub before: Vec<String>,
    /// The lines below it.
    pub after: Vec<String>,
    /// The person's decision.
    pub verdict: PastVerdict,
    /// The person's comment.
    pub reason: Option<String>,
    /// The lines of it that were shown to the person.
    #[serde(default, skip_serializing_if = "ShownLines::is_empty")]
    pub shown: ShownLines,
    /// The number of the hunk in its file that it was a change of, if that is known. One hunk has several changes with unchanged lines
    /// between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunk: Option<usize>,
}

/// The lines of a rejected change that were on the screen as a whole, or were printed. Records that do not have them are of lines of
/// which that is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownLines {
    /// Positions among the removed lines, in ascending order.
    pub removed: Vec<Range<usize>>,
    /// Positions among the added lines, in ascending order.
    pub added: Vec<Range<usize>>,
}

impl ShownLines {
    fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }
}

/// A person's decision about a proposed change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PastVerdict {
    /// Rejected it.
    Rejected,
    /// Wrote other lines in its place.
    Edited,
}
