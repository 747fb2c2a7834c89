//! Versions that a file had.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::text::{Document, duration};

/// A version that a file had.
#[derive(Debug, Clone)]
pub struct Version {
    /// Its text.
    pub text: Document,
    /// Its name.
    pub name: Arc<VersionName>,
}

/// The name of a version of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum VersionName {
    /// The blob that a diff names.
    Blob {
        /// Its name as the diff has it, in hexadecimal digits.
        id: String,
    },
    /// The file as an agent read it.
    Read {
        /// The name of the agent.
        agent: String,
        /// Seconds since then.
        seconds: u64,
    },
    /// The file as it was when the edit came.
    Arrival,
    /// The result of an earlier batch.
    Batch,
    /// The content of git's index.
    Index,
    /// The file as a commit left it.
    Commit {
        /// Its name, in hexadecimal digits.
        id: String,
        /// The number of commits that have changed the file since.
        later: usize,
    },
}

/// Number of digits of a commit that are shown.
const SHOWN_DIGITS: usize = 7;

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blob { id } => write!(f, "blob {}", shown(id)),
            Self::Read { agent, seconds } => {
                write!(f, "what {agent} read {} ago", duration(*seconds))
            }
            Self::Arrival => f.write_str("the file as it was when the edit came"),
            Self::Batch => f.write_str("what an earlier batch left"),
            Self::Index => f.write_str("git's index"),
            Self::Commit { id, later: 0 } => write!(f, "commit {}", shown(id)),
            Self::Commit { id, later: 1 } => write!(f, "commit {}, one version ago", shown(id)),
            Self::Commit { id, later } => write!(f, "commit {}, {later} versions ago", shown(id)),
        }
    }
}

fn shown(id: &str) -> &str {
    id.get(..SHOWN_DIGITS).unwrap_or(id)
}
