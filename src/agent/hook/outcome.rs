//! Approved results of a call, and the way in which its client writes them.

use serde_json::{Map, Value};

use crate::agent::Approved;
use crate::text::Document;

/// Approved result for one file of a call.
#[derive(Debug, Clone, Copy)]
pub struct FileOutcome<'a> {
    /// The file, as the agent may name it.
    pub path: &'a str,
    /// Its new name, if it gets one.
    pub rename: Option<&'a str>,
    /// Its current text; `None` if it does not exist.
    pub base: Option<&'a Document>,
    /// The approved result.
    pub approved: &'a Approved,
    /// True if this is another text than the agent proposed.
    pub is_amended: bool,
}

/// Way in which an agent writes the approved text.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// By its own input.
    AsSent,
    /// By these arguments.
    Amended(Map<String, Value>),
    /// By none: its client would write something else. Somebody else has to write.
    Impossible,
}
