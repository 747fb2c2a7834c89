//! Threads as data, for verdicts, reports and lists.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::record::{Thread, ThreadKind, ThreadMessage};
use crate::review::session::placed_thread::ThreadState;
use crate::review::session::review_session::ReviewSession;

/// Most characters of the latest message where threads are listed.
const MOST_SHOWN: usize = 300;

/// A thread in a verdict, a report or a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadReport {
    /// Its name.
    pub id: String,
    /// The file, relative to the root.
    pub path: String,
    /// The lines where it was at the end of the latest review of the file, or where it is; `None` if it is about no lines.
    pub lines: Option<ThreadLines>,
    /// These lines.
    pub quoted: Vec<String>,
    /// The purpose of its first message.
    pub kind: ThreadKind,
    /// Its state.
    pub state: ThreadState,
    /// The agent whose proposal it began at, if that is known.
    pub agent: Option<String>,
    /// Its messages, in order.
    pub messages: Vec<MessageReport>,
}

impl ThreadReport {
    /// Returns true if the person waits for words of the agent: for the answer to a question, or in a conversation that has begun. A
    /// comment alone asks for none, as the next edit may be the answer.
    pub fn asks(&self) -> bool {
        let is_conversation = self.kind == ThreadKind::Question || self.messages.len() > 1;
        self.state == ThreadState::Open && is_conversation
    }
}

/// The name and version of the form of a list.
pub const THREADS_SCHEMA: &str = "countersign-threads/1";

/// Document of `countersign threads --report json`, and the results of the tools about threads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadList {
    /// [`THREADS_SCHEMA`].
    pub schema: String,
    /// The result in a word: `listed`, `answered`, `resolved`, `reopened`, `feedback`, or `waiting` if nothing came in time.
    pub status: String,
    /// The threads.
    pub threads: Vec<ThreadReport>,
    /// Records that cannot be read, each with the reason.
    pub damaged: Vec<String>,
}

impl ThreadList {
    /// A list of threads as they are.
    pub fn new(status: &str, threads: &[Thread], damaged: Vec<String>) -> Self {
        Self {
            schema: THREADS_SCHEMA.to_owned(),
            status: status.to_owned(),
            threads: threads.iter().map(ThreadReport::from).collect(),
            damaged,
        }
    }

    /// Returns the list in words for a model.
    pub fn for_model(&self) -> String {
        let mut lines = Vec::new();
        match self.status.as_str() {
            "waiting" => lines.push(
                "The person has written nothing new. Call `wait_for_feedback` again to go on waiting."
                    .to_owned(),
            ),
            _ if self.threads.is_empty() => lines.push("There are no such threads.".to_owned()),
            _ => (),
        }
        for thread in &self.threads {
            lines.push(thread.to_string());
            lines.extend(thread.quoted.iter().map(|line| format!("    {line}")));
            lines.extend(thread.messages.iter().map(|message| format!("  {message}")));
        }
        let damaged = self.damaged.iter();
        lines.extend(damaged.map(|why| format!("A record cannot be read: {why}")));
        lines.join("\n")
    }
}

impl fmt::Display for MessageReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let proposes = if self.proposes_resolution {
            " (proposes to resolve it)"
        } else {
            ""
        };
        write!(f, "{}{proposes}: {}", self.author, self.text)
    }
}

/// The first and the last line of a thread, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadLines {
    /// The first.
    pub first: usize,
    /// The last.
    pub last: usize,
}

/// A message of a thread in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageReport {
    /// `person`, or the name of the agent.
    pub author: String,
    /// The text.
    pub text: String,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// True if the author proposes that the thread is resolved.
    pub proposes_resolution: bool,
}

impl From<&Thread> for ThreadReport {
    fn from(thread: &Thread) -> Self {
        let passage = &thread.passage;
        let lines = (!passage.lines.is_empty()).then(|| ThreadLines {
            first: passage.line,
            last: passage.line + passage.lines.len() - 1,
        });
        Self {
            id: thread.id.clone(),
            path: thread.path.clone(),
            lines,
            quoted: passage.lines.clone(),
            kind: thread.kind,
            state: thread.state,
            agent: thread.agent.clone(),
            messages: thread.messages.iter().map(MessageReport::from).collect(),
        }
    }
}

impl From<&ThreadMessage> for MessageReport {
    fn from(message: &ThreadMessage) -> Self {
        Self {
            author: message.author.name().to_owned(),
            text: message.text.clone(),
            time: message.time,
            proposes_resolution: message.proposes_resolution,
        }
    }
}

impl fmt::Display for ThreadReport {
    /// Writes the head of the thread: name, place, state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.path)?;
        match self.lines {
            Some(ThreadLines { first, last }) if first == last => write!(f, " line {first}")?,
            Some(ThreadLines { first, last }) => write!(f, " lines {first} to {last}")?,
            None => (),
        }
        let kind = match self.kind {
            ThreadKind::Comment => "",
            ThreadKind::Question => "question, ",
        };
        write!(f, " ({kind}{})", self.state.name())
    }
}

impl ThreadReport {
    /// Returns the beginning of the latest message, on one line.
    pub fn latest(&self) -> String {
        let text = self.messages.last().map_or("", |last| last.text.as_str());
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(MOST_SHOWN) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }
}

/// Returns the threads that a report on a review names: those of its files, and those that began at the proposal.
pub fn mentioned(
    session: &ReviewSession,
    proposal: Option<&str>,
    opened: &[String],
    threads: &[Thread],
) -> Vec<ThreadReport> {
    let shown: Vec<&str> = (session.files.iter())
        .flat_map(|file| file.threads.iter().map(|thread| thread.id.as_str()))
        .collect();
    let mentioned = threads.iter().filter(|thread| {
        shown.contains(&thread.id.as_str())
            || opened.contains(&thread.id)
            || (proposal.is_some() && thread.proposal.as_deref() == proposal)
    });
    mentioned.map(ThreadReport::from).collect()
}
