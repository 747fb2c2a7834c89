//! Protocol of the socket: one JSON object a line, each with the protocol's version in `v`.
//!
//! ```text
//! → {"v":1,"type":"submit","id":"7-1","agent":"claude","input":"…","mode":"write"}
//! ← {"v":1,"type":"accepted","id":"7-1","position":1}
//! ← {"v":1,"type":"waiting","id":"7-1"}                   now and then, until it is decided
//! ← {"v":1,"type":"verdict","id":"7-1","verdict":{…}}     or `refused`, with the reason
//! → {"v":1,"type":"withdraw","id":"7-1"}                  at any time; closing the connection does the same
//! ← {"v":1,"type":"withdrawn","id":"7-1"}                 unless the verdict was on its way already
//! → {"v":1,"type":"pending","id":"8-1"}                   from another terminal; `waiting` may come first
//! ← {"v":1,"type":"pending","id":"8-1","pending":{…}}     what waits
//! → {"v":1,"type":"decide","id":"8-2","proposal":"1-3fa9c1","decision":"accepted"}
//! ← {"v":1,"type":"pending","id":"8-2","pending":{…}}     with `decided`, or `refused`, with the reason
//! → {"v":1,"type":"warn","agent":"claude","message":"…"}  for the person; without an answer
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::pending_proposals::{PendingDocument, PendingQuestion, RemoteDecision};
use super::verdict::Verdict;

/// The version of this form.
pub const VERSION: u32 = 1;
/// The longest line that is read, in bytes.
pub const MOST_BYTES: usize = 32 << 20;

/// Message of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Request {
    /// Hands a proposal over.
    Submit(Box<Submission>),
    /// Takes one back.
    Withdraw {
        /// The id of the proposal.
        id: String,
    },
    /// Asks for the pending proposals.
    Pending(PendingQuestion),
    /// Decides a pending proposal, in place of the person at the screen.
    Decide(RemoteDecision),
    /// Warns the person of something that an agent did.
    Warn(AgentWarning),
    /// Asks whether anybody is there.
    Ping,
}

/// A warning for the person at the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentWarning {
    /// The agent.
    pub agent: String,
    /// Description of what it did.
    pub message: String,
}

/// A proposal on its way to the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Id that the client chose; no other pending proposal may have it.
    pub id: String,
    /// The agent that proposes, for the person: `claude`, `codex`.
    pub agent: String,
    /// The agent's session, where it has such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Files as the agent saw them, against which its edits are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenFile>,
    /// The agent's tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The purpose of the proposal in the agent's words, if it is not in the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The folder that relative names in the input start from, relative to the root of the reviewer; the root without it.
    /// [`super::ask`] fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The dialect of the input, by its name; all are tried without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The file for a dialect that names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The edits; empty for a review of changes that are in the tree already.
    pub input: String,
    /// The state before the changes, for a review of changes that are in the tree already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<TreeBefore>,
    /// The layer of `countersign run` whose changes are to be reviewed, for an agent that runs in one and is about to stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The writer of the approved text.
    #[serde(default)]
    pub mode: WriteMode,
    /// True if the agent can answer a question before it has the verdict.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub answers: bool,
    /// True if a part of it may be approved or changed. If not, everything is approved as it was sent or nothing is.
    #[serde(default = "yes")]
    pub partial: bool,
}

/// A file as an agent saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFile {
    /// Its name, as the edits name it.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// State of files before they were changed without a review: a git tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeBefore {
    /// The name of the tree.
    pub tree: String,
    /// The folder with the index and the contents that the repository itself does not have ([`super::git::SideIndex`]).
    pub folder: PathBuf,
    /// The files, from the top of the working tree.
    pub paths: Vec<PathBuf>,
}

/// Writer of the approved text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteMode {
    /// countersign does, before the verdict is given.
    #[default]
    Write,
    /// The agent does, after the verdict, which carries the approved texts.
    AgentWrites,
}

/// Message of the reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ReviewerMessage {
    /// The proposal is in the queue.
    Accepted {
        /// The id of the proposal.
        id: String,
        /// Its place there, from 1.
        position: usize,
    },
    /// The person has not decided yet. Sent now and then, so that a reviewer that hangs is known from one that thinks.
    Waiting {
        /// The id of the proposal.
        id: String,
    },
    /// It is decided.
    Verdict {
        /// The id of the proposal.
        id: String,
        /// The verdict.
        verdict: Box<Verdict>,
    },
    /// It was taken back: nothing of it is or will be written.
    Withdrawn {
        /// The id of the proposal.
        id: String,
    },
    /// The pending proposals, or the result of a decision.
    Pending {
        /// The id of the request.
        id: String,
        /// The document.
        pending: Box<PendingDocument>,
    },
    /// It was not taken into the queue, or a line was not understood.
    Refused(Refused),
    /// Somebody is there.
    Pong,
}

/// Reason for refusing a line or a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The id of the proposal, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why, for programs.
    pub code: Denial,
    /// Why, for people and models.
    pub message: String,
}

/// Reason for a refusal, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Denial {
    /// The line is of another version of this form.
    Version,
    /// The line is not of this form.
    Malformed,
    /// The line is too long.
    TooLarge,
    /// Too many proposals wait, or come too fast.
    TooMany,
    /// A proposal of this name waits already.
    Duplicate,
    /// No edit is recognised in the input, or its format is not known.
    NoEdits,
    /// The reviewer leaves.
    Closing,
    /// No such proposal or hunk waits.
    Unknown,
    /// The proposal has changed since it was listed.
    Changed,
    /// The screen is in the middle of something.
    Busy,
    /// The reviewer takes no decisions from other terminals.
    NotAllowed,
}

/// Reason why a line cannot be parsed.
#[derive(Debug, Error)]
pub enum MalformedLine {
    /// It is of another version.
    #[error("this is version {0} of the protocol, and this countersign speaks version {VERSION}")]
    Version(u64),
    /// It is not of this form.
    #[error("it is not a message of the protocol: {0}")]
    Form(#[from] serde_json::Error),
}

impl Submission {
    /// A proposal of an agent, with a new name, to be written by countersign.
    pub fn new(agent: impl Into<String>, input: impl Into<String>) -> Self {
        Self {
            id: new_id(),
            agent: agent.into(),
            session: None,
            seen: Vec::new(),
            tool: None,
            origin: None,
            folder: None,
            format: None,
            path: None,
            input: input.into(),
            since: None,
            layer: None,
            mode: WriteMode::Write,
            answers: false,
            partial: true,
        }
    }
}

/// A line as it is written: the version first.
#[derive(Serialize)]
struct Versioned<'a, T> {
    v: u32,
    #[serde(flatten)]
    body: &'a T,
}

/// The part of a line that never changes.
#[derive(Deserialize)]
struct WireVersion {
    v: u64,
}

/// Parses a message of a client.
///
/// # Errors
///
/// [`MalformedLine`] if the line is no request of this version.
pub fn read_request(line: &[u8]) -> Result<Request, MalformedLine> {
    read(line)
}

/// Parses a message of the reviewer.
///
/// # Errors
///
/// [`MalformedLine`] if the line is no reply of this version.
pub fn read_reply(line: &[u8]) -> Result<ReviewerMessage, MalformedLine> {
    read(line)
}

fn read<T: DeserializeOwned>(line: &[u8]) -> Result<T, MalformedLine> {
    let WireVersion { v } = serde_json::from_slice(line)?;
    if v != u64::from(VERSION) {
        return Err(MalformedLine::Version(v));
    }
    Ok(serde_json::from_slice(line)?)
}

/// Writes a request or a reply, in one piece.
///
/// # Errors
///
/// Any I/O error.
pub fn write_line<T: Serialize>(to: &mut impl Write, body: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Versioned { v: VERSION, body })?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// A name that no other proposal on this machine has.
pub(super) fn new_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |since| since.as_nanos());
    format!("{}-{now:x}-{count}", std::process::id())
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let found = match read_request(line.as_bytes()) {
            Ok(request) => format!("{request:?}"),
            Err(error) => error.to_string(),
        };
        assert!(found.starts_with(expected), "{found}");
    }

    #[test]
    fn a_line_is_a_request_or_says_why_not() {
        check(r#"{"v":1,"type":"ping"}"#, "Ping");
        check(r#"{"type":"ping","v":1,"later":true}"#, "Ping");
        check(
            r#"{"v":1,"type":"withdraw","id":"7-1"}"#,
            r#"Withdraw { id: "7-1" }"#,
        );
        check(
            r#"{"v":2,"type":"ping"}"#,
            "this is version 2 of the protocol, and this countersign speaks version 1",
        );
        check(
            r#"{"type":"ping"}"#,
            "it is not a message of the protocol: missing field `v`",
        );
        check(
            r#"{"v":1,"type":"pay"}"#,
            "it is not a message of the protocol: unknown variant `pay`",
        );
        check(
            r#"{"v":1,"type":"submit","id":"7"}"#,
            "it is not a message of the protocol: missing field `agent`",
        );
        check(
            "\u{0}",
            "it is not a message of the protocol: expected value",
        );
    }

    #[test]
    fn what_is_left_out_is_the_usual() {
        let line = br#"{"v":1,"type":"submit","id":"7","agent":"claude","input":"x"}"#;
        let usual = Submission {
            id: "7".to_owned(),
            ..Submission::new("claude", "x")
        };
        assert_eq!(
            read_request(line).unwrap(),
            Request::Submit(Box::new(usual))
        );
    }

    #[test]
    fn what_is_written_is_one_line_and_reads_the_same() {
        let submission = Submission {
            origin: Some("two\nlines".to_owned()),
            mode: WriteMode::AgentWrites,
            partial: false,
            ..Submission::new("codex", "a\r\nb\u{2028}\n")
        };
        let mut written = Vec::new();
        write_line(&mut written, &Request::Submit(Box::new(submission.clone()))).unwrap();
        let line = written.strip_suffix(b"\n").unwrap();
        assert!(!line.contains(&b'\n'));
        assert_eq!(
            read_request(line).unwrap(),
            Request::Submit(Box::new(submission))
        );
    }

    #[test]
    fn no_two_proposals_have_one_name() {
        assert_ne!(Submission::new("a", "").id, Submission::new("a", "").id);
    }
}
