//! Purpose of some hunks, for the heading above them.

use std::fmt;
use std::sync::Arc;

/// Purpose of some hunks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ChangePurpose {
    /// The agent announced them with this sentence.
    Announced(Arc<str>),
    /// They replace one word with another, and most of them do nothing else.
    Replaces {
        /// The removed word.
        old: String,
        /// The added word.
        new: String,
    },
    /// All have a name in changed lines that the change defines, removes or redefines, or brings into the programs.
    UsesOf(String),
    /// None of these is known.
    Other,
}

impl fmt::Display for ChangePurpose {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Announced(sentence) => write!(f, "“{sentence}”"),
            Self::Replaces { old, new } => write!(f, "replaces `{old}` with `{new}`"),
            Self::UsesOf(name) => write!(f, "uses of `{name}`"),
            Self::Other => f.write_str("other changes"),
        }
    }
}
