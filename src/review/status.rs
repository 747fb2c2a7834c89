//! The statuses of a hunk, and the reasons for them; their words are in `wording`.

use serde::{Deserialize, Serialize};

use crate::locate::Doubt;
use crate::review::session::decision::Mark;

/// The status of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HunkStatus {
    /// Written as it was sent.
    Applied,
    /// Written in part, or as the person changed it.
    AppliedWithEdits,
    /// Written before the review, and kept.
    Kept,
    /// Written before the review, and kept in part, or as the person changed it.
    KeptWithEdits,
    /// Written before the review and not decided, so it stays; or the review of it continues later.
    Undecided,
    /// Its lines are in the file already.
    AlreadyApplied,
    /// Not accepted.
    Rejected,
    /// Written before the review, and taken back.
    Reverted,
    /// It has a best place, and something speaks against it.
    Doubtful,
    /// It matches several places.
    Ambiguous,
    /// It matches no place.
    NotFound,
    /// Another hunk changes the same lines in another way.
    Overlap,
    /// It cannot be read.
    Malformed,
    /// Written before the review, in a file that cannot be reviewed.
    LeftAlone,
    /// Its file may not be touched.
    Forbidden,
    /// Its file is not as the edit takes it to be.
    Conflict,
    /// Writing failed.
    Failed,
}

impl HunkStatus {
    /// Returns true if the file is as the hunk wants it.
    pub fn is_done(self) -> bool {
        self <= Self::AlreadyApplied
    }

    /// Returns true if it failed for a reason that a new version of the hunk could fix.
    pub fn is_to_be_sent_again(self) -> bool {
        match self {
            Self::Doubtful
            | Self::Ambiguous
            | Self::NotFound
            | Self::Overlap
            | Self::Malformed
            | Self::Conflict => true,
            Self::Applied
            | Self::AppliedWithEdits
            | Self::Kept
            | Self::KeptWithEdits
            | Self::Undecided
            | Self::Reverted
            | Self::LeftAlone
            | Self::AlreadyApplied
            | Self::Rejected
            | Self::Forbidden
            | Self::Failed => false,
        }
    }
}

/// The reason why a hunk is not written, or is not decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Something speaks against its place.
    Doubtful(Option<Doubt>),
    /// Another hunk is not applied, and the batch is written whole or not at all.
    HeldBack,
    /// The review goes on later, with the decision that was made so far.
    Postponed(Option<Mark>),
    /// It changes a copy that was not accepted.
    CopyNotMade,
    /// The person edited it, and did not accept the edit.
    EditNotAccepted,
    /// The person edited it until nothing was left to change.
    EditedAway,
    /// Nobody decided it.
    LeftUndecided,
    /// The file changed since it was read.
    FileChanged,
    /// Writing failed.
    WritingFailed,
    /// Another reason, in words.
    Other(String),
}
