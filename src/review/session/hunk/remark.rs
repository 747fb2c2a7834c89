//! Remarks on hunks.

use std::sync::Arc;

use super::loss::Loss;
use super::recurrence::Recurrence;
use crate::proposal::Miscount;
use crate::text::{LineEnding, LineNo};

/// Something that a person should know about a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// The sentence with which the agent announced it.
    Announced(Arc<str>),
    /// Its header counts other lines than it has.
    Miscount(Miscount),
    /// A code fence, or numbers before its lines, that the text of a whole file had around it.
    Wrapping,
    /// It adds HTML entities literally, and may have been escaped on its way.
    Entities,
    /// It adds characters beyond ASCII to a file whose encoding was guessed, and nothing confirms the guess.
    Encoding,
    /// It states other line endings than the file has, whose own are kept: these.
    Endings(LineEnding),
    /// It makes a file where a symbolic link is.
    ReplacesLink,
    /// It writes this file, to which a symbolic link leads.
    ThroughLink(Arc<str>),
    /// It makes a link or a folder where a file of so many lines is; `None` if that is not text.
    ReplacesFile(Option<usize>),
    /// It makes a file or a link where a folder is.
    ReplacesFolder,
    /// The apply model wrote it, from a hunk that had no place.
    ByModel,
    /// The person changed the same lines since the command started: a conflict, never accepted in batch.
    BothChanged,
    /// The call that made the change in a layer of `countersign run`, as its hook reported it.
    MadeBy(String),
    /// It has no place, and another file of the repository holds its lines.
    InAnotherFile {
        /// The other file.
        path: String,
        /// The first of the lines there.
        line: LineNo,
    },
    /// The file would lose text; the hunk is never accepted in batch.
    Loss(Loss),
    /// The person rejected it in an earlier review, or a change like it.
    Rejected(Arc<Recurrence>),
    /// A record of what the person rejected cannot be read: its file and the reason. The hunk is never accepted in batch.
    RejectionsUnread(Arc<str>),
}
