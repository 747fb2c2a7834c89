//! Decisions about changed lines, and their sum over a set of lines.

use serde::{Deserialize, Serialize};

/// The decision about one side of a changed line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Nothing yet; counts as rejected when the review is written.
    #[default]
    Undecided,
    /// The change is written.
    Accepted,
    /// The base stays.
    Rejected,
}

impl Decision {
    /// Itself if it matters; undecided if it does not.
    pub(in crate::review) fn in_part(self, matters: bool) -> Self {
        if matters { self } else { Self::Undecided }
    }
}

/// The sum of the decisions about a set of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// All undecided.
    Undecided,
    /// All accepted.
    Accepted,
    /// All rejected.
    Rejected,
    /// Some of this, some of that.
    Mixed,
}

impl From<Decision> for Mark {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Undecided => Self::Undecided,
            Decision::Accepted => Self::Accepted,
            Decision::Rejected => Self::Rejected,
        }
    }
}

impl Mark {
    /// The mark of a set; `None` if the set is empty.
    pub fn of(decisions: impl IntoIterator<Item = impl Into<Self>>) -> Option<Self> {
        let mut decisions = decisions.into_iter().map(Into::into);
        let first = decisions.next()?;
        Some(if decisions.all(|mark| mark == first) {
            first
        } else {
            Self::Mixed
        })
    }
}
