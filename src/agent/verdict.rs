//! Verdict on a proposal, for the agent. It contains whole files only where the agent writes them.

use serde::{Deserialize, Serialize};

use crate::review::{HunkStatus, Status, ThreadReport};

/// The name and version of the verdict's form.
pub const VERDICT_SCHEMA: &str = "countersign-verdict/1";

/// Verdict on a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// [`VERDICT_SCHEMA`].
    pub schema: String,
    /// The proposal in a word: what is approved of it, and if countersign writes, what is written.
    pub status: Status,
    /// True if countersign wrote anything.
    pub written: bool,
    /// The name to take it back by, if countersign wrote anything.
    #[serde(default)]
    pub id: Option<String>,
    /// The files, in the order of the proposal.
    pub files: Vec<FileVerdict>,
    /// Comments of the person.
    pub comments: Vec<Comment>,
    /// The threads at the files, and those that were opened by the comments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadReport>,
    /// All of this in a few lines, for a model.
    pub message: String,
}

impl Verdict {
    /// Returns true if a thread waits for an answer of the agent.
    pub fn asks(&self) -> bool {
        self.threads.iter().any(ThreadReport::asks)
    }
}

/// Verdict on a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVerdict {
    /// Its name, relative to the root.
    pub path: String,
    /// Its new name, if the proposal asks for one; where the agent writes, only if the rename is approved.
    #[serde(default)]
    pub rename: Option<String>,
    /// The decision.
    pub decision: FileDecision,
    /// The SHA-256 of its bytes before; none if it was not there or was not written.
    #[serde(default)]
    pub sha256_before: Option<String>,
    /// The SHA-256 of its bytes after; none if it is gone or was not written.
    #[serde(default)]
    pub sha256_after: Option<String>,
    /// If the agent writes: the SHA-256 of the bytes that the result was made from; none if the file was not there.
    #[serde(default)]
    pub base_sha256: Option<String>,
    /// If the agent writes: what the file is to become; none if it is to stay as it is.
    #[serde(default)]
    pub result: Option<Approved>,
    /// Its hunks, in the order of the proposal.
    pub hunks: Vec<HunkVerdict>,
}

/// Approved result for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approved {
    /// It holds this text, with the line endings that it is to have, and without a byte order mark.
    Text(String),
    /// It goes.
    Deleted,
}

/// Decision on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileDecision {
    /// All of it is approved as it was sent.
    Accepted,
    /// Some of it is approved, or the person changed it: the file is to become what was approved and nothing else.
    Amended,
    /// Nothing of it is approved: rejected, no match, or forbidden, as its hunks report.
    Rejected,
    /// The file is as the proposal wants it already.
    AlreadyApplied,
}

/// Verdict on a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkVerdict {
    /// Its position among the hunks of its file, from 1.
    pub id: usize,
    /// The decision.
    pub outcome: HunkStatus,
    /// The line where its change begins in the file as it was, from 1.
    #[serde(default)]
    pub line: Option<usize>,
    /// The line of the input where it begins, from 1.
    pub input_line: usize,
    /// The reason why it did not apply.
    #[serde(default)]
    pub reason: Option<String>,
    /// The advice for sending it again.
    #[serde(default)]
    pub advice: Option<String>,
    /// From what was proposed to what is approved, if they differ: a unified diff without file names.
    #[serde(default)]
    pub edit: Option<String>,
}

/// A comment of the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// The file that it is about; the whole proposal without it.
    #[serde(default)]
    pub path: Option<String>,
    /// The hunk that it is about, by its position among those of its file, from 1; the whole file without it.
    #[serde(default)]
    pub hunk: Option<usize>,
    /// The line of the file as it was where that hunk begins, from 1.
    #[serde(default)]
    pub line: Option<usize>,
    /// The lines of the file as it was that it is about, if it is about such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<CommentedLines>,
    /// The lines of the file as it was proposed, the person's edits included, that it is about, if it is about such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<CommentedLines>,
    /// The lines that it is about, as a diff writes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<String>,
    /// The text.
    pub text: String,
}

/// The first and the last of some lines, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentedLines {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
}
