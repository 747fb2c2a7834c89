//! The result of writing a batch, as reports take it.

use std::collections::BTreeMap;

/// The result of writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writing {
    /// Everything accepted is on disk.
    Done {
        /// The name to take it back by; `None` if nothing was to be written.
        id: Option<String>,
        /// The hashes of each written file's bytes, before and after, by its name.
        hashes: BTreeMap<String, (Option<String>, Option<String>)>,
        /// Warnings about a batch that was written.
        warnings: Vec<String>,
    },
    /// Nothing was to be written: the report says what would become of it.
    Rehearsed,
    /// The review was left and goes on another time: nothing is written, and nothing decided.
    Postponed,
    /// Files changed since they were read; nothing is written.
    Conflict {
        /// Their names.
        paths: Vec<String>,
        /// The error message.
        error: String,
    },
    /// The edits ask for what cannot be; nothing is written.
    Refused {
        /// The file that it is about.
        path: String,
        /// Why not.
        error: String,
        /// A hint for the person.
        hint: &'static str,
    },
    /// Writing failed; nothing is written.
    Failed {
        /// The error message.
        error: String,
        /// The files that could not be put back yet.
        stuck: Vec<String>,
    },
}

impl Writing {
    /// Returns why nothing is written, if something kept it from being written.
    pub fn error(&self) -> Option<&str> {
        match self {
            Self::Done { .. } | Self::Rehearsed | Self::Postponed => None,
            Self::Conflict { error, .. }
            | Self::Refused { error, .. }
            | Self::Failed { error, .. } => Some(error),
        }
    }
}
