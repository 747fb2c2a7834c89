//! Diffs that Gemini CLI shows, and their outcomes.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::client::Cancel;

/// A diff that Gemini CLI shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The file, by its full name.
    pub file: PathBuf,
    /// The text that it is to have, with lines that end with `\n`.
    pub text: String,
}

/// Outcome of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffOutcome {
    /// The person wants the file to have this text.
    Accepted(String),
    /// The person does not want it.
    Rejected,
    /// Nobody has decided, and nobody will: it was closed, or cannot be reviewed any more.
    Undecided,
}

/// A diff that can be shown: shows it, and waits until it is decided or cancelled.
pub type Showing = Box<dyn FnOnce(&Cancel) -> DiffOutcome + Send>;

/// Checks a diff and returns how to show it, or the reason why it cannot be shown.
pub type Opener = Arc<dyn Fn(Diff) -> Result<Showing, String> + Send + Sync>;
