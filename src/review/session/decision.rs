//! What a person said of a changed line, and what that makes of a set of lines.

use serde::{Deserialize, Serialize};

/// What was decided about one side of one changed line.
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

/// What the decisions about a set of lines add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
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
