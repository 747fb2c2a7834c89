//! Records of threads, and the rules by which they change.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::passage::Passage;
use crate::review::session::placed_thread::ThreadState;

/// Most bytes of one message.
const MOST_BYTES: usize = 16 << 10;
/// Most bytes of all messages of a thread.
const MOST_BYTES_TOGETHER: usize = 128 << 10;
/// Most messages of a thread.
const MOST_MESSAGES: usize = 200;

/// A conversation at lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its name: `t` and a number.
    pub id: String,
    /// The file, relative to the root.
    pub path: String,
    /// The lines that it is about.
    pub passage: Passage,
    /// The purpose of its first message.
    pub kind: ThreadKind,
    /// Its state.
    pub state: ThreadState,
    /// The agent whose proposal it began at, if that is known.
    pub agent: Option<String>,
    /// The proposal under review that it began at, by the name that the client gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// Its messages, in order. There is at least one.
    pub messages: Vec<ThreadMessage>,
    /// Revision counter; bumped on every change.
    pub revision: u64,
    /// The revision of the latest change by the person.
    pub person_revision: u64,
    /// The revision of the person's changes that its agent got, in a verdict or by a hook.
    #[serde(default)]
    pub told_revision: u64,
}

/// The purpose of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadKind {
    /// The person commented on a proposal.
    Comment,
    /// The person asked the agent something.
    Question,
}

/// One message of a thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadMessage {
    /// The author.
    pub author: Author,
    /// The text.
    pub text: String,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// True if the author proposes that the thread is resolved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proposes_resolution: bool,
}

/// The author of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Author {
    /// The person who reviews.
    Person,
    /// An agent, by its name.
    Agent(String),
}

/// Reason why a thread is not changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ThreadRefusal {
    /// The message is empty.
    #[error("the message is empty")]
    Empty,
    /// The message is too long.
    #[error("the message has {bytes} bytes, and a thread takes {MOST_BYTES}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The thread has too many messages, or too long ones.
    #[error("thread {id} is full: begin another one")]
    Full {
        /// The thread.
        id: String,
    },
    /// The person has resolved the thread.
    #[error(
        "thread {id} is resolved; the person can reopen it with `countersign threads reopen {id}`"
    )]
    Resolved {
        /// The thread.
        id: String,
    },
}

impl Author {
    /// Returns the name for people and models.
    pub fn name(&self) -> &str {
        match self {
            Self::Person => "person",
            Self::Agent(name) => name,
        }
    }
}

impl Thread {
    /// Returns true until the person resolves it.
    pub fn is_unresolved(&self) -> bool {
        self.state != ThreadState::Resolved
    }

    /// Returns true if the agent proposes that it is resolved, and the person has not answered.
    pub fn is_to_be_confirmed(&self) -> bool {
        let last = self.messages.last();
        self.state == ThreadState::Answered && last.is_some_and(|last| last.proposes_resolution)
    }

    /// Returns true if the person waits for words of an agent that did not get the question: see [`ThreadReport::asks`].
    ///
    /// [`ThreadReport::asks`]: super::ThreadReport::asks
    pub fn is_news_for(&self, agent: &str) -> bool {
        let is_own = self.agent.as_deref() == Some(agent);
        let is_conversation = self.kind == ThreadKind::Question || self.messages.len() > 1;
        let is_open = self.state == ThreadState::Open && is_conversation;
        is_own && is_open && self.person_revision > self.told_revision
    }

    /// Takes note that its agent gets what the person wrote.
    pub fn tell(&mut self) {
        self.told_revision = self.person_revision;
    }

    /// Adds a message, and changes the state accordingly: a message of the person opens the thread again, one of the agent answers
    /// it. A message that repeats the latest one of its author is left out; returns whether it was added.
    ///
    /// # Errors
    ///
    /// [`ThreadRefusal`] if the thread does not take it; the thread stays as it is.
    pub fn add(&mut self, message: ThreadMessage) -> Result<bool, ThreadRefusal> {
        check_text(&message.text)?;
        let is_person = message.author == Author::Person;
        if !is_person && !self.is_unresolved() {
            return Err(ThreadRefusal::Resolved {
                id: self.id.clone(),
            });
        }
        let latest = self.messages.last();
        if latest.is_some_and(|latest| {
            latest.author == message.author
                && latest.text == message.text
                && latest.proposes_resolution == message.proposes_resolution
        }) {
            return Ok(false);
        }
        let bytes: usize = self.messages.iter().map(|known| known.text.len()).sum();
        if self.messages.len() >= MOST_MESSAGES || bytes + message.text.len() > MOST_BYTES_TOGETHER
        {
            return Err(ThreadRefusal::Full {
                id: self.id.clone(),
            });
        }
        self.messages.push(message);
        self.set(if is_person {
            ThreadState::Open
        } else {
            ThreadState::Answered
        });
        if is_person {
            self.person_revision = self.revision;
        }
        Ok(true)
    }

    /// Resolves it, for the person.
    pub fn resolve(&mut self) {
        if self.is_unresolved() {
            self.set(ThreadState::Resolved);
            self.person_revision = self.revision;
        }
    }

    /// Reopens it, for the person.
    pub fn reopen(&mut self) {
        if !self.is_unresolved() {
            self.set(ThreadState::Open);
            self.person_revision = self.revision;
        }
    }

    fn set(&mut self, state: ThreadState) {
        self.state = state;
        self.revision += 1;
    }
}

/// Checks the text of a message.
///
/// # Errors
///
/// [`ThreadRefusal`] if no thread takes it.
pub fn check_text(text: &str) -> Result<(), ThreadRefusal> {
    if text.trim().is_empty() {
        return Err(ThreadRefusal::Empty);
    }
    if text.len() > MOST_BYTES {
        return Err(ThreadRefusal::TooLong { bytes: text.len() });
    }
    Ok(())
}

impl Thread {
    /// A thread without a name that the person opens.
    ///
    /// # Errors
    ///
    /// [`ThreadRefusal`] if its first message is empty or too long.
    pub fn opened(
        path: &str,
        passage: Passage,
        kind: ThreadKind,
        text: &str,
        time: u64,
    ) -> Result<Self, ThreadRefusal> {
        check_text(text)?;
        Ok(Self {
            id: String::new(),
            path: path.to_owned(),
            passage,
            kind,
            state: ThreadState::Open,
            agent: None,
            proposal: None,
            messages: vec![ThreadMessage {
                author: Author::Person,
                text: text.to_owned(),
                time,
                proposes_resolution: false,
            }],
            revision: 1,
            person_revision: 1,
            told_revision: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(author: &str, text: &str) -> ThreadMessage {
        ThreadMessage {
            author: match author {
                "person" => Author::Person,
                agent => Author::Agent(agent.to_owned()),
            },
            text: text.trim_end_matches('!').to_owned(),
            time: 0,
            proposes_resolution: text.ends_with('!'),
        }
    }

    /// Plays steps `author: text` (`!` proposes a resolution), `resolve` and `reopen`.
    #[track_caller]
    fn check(steps: &str, expected: &str) {
        let passage = Passage::default();
        let mut thread = Thread::opened("a", passage, ThreadKind::Comment, "why", 0).unwrap();
        "t1".clone_into(&mut thread.id);
        let mut last = String::new();
        for step in steps.split(", ").filter(|step| !step.is_empty()) {
            last = String::new();
            match step.split_once(": ") {
                Some((author, text)) => match thread.add(message(author, text)) {
                    Ok(true) => (),
                    Ok(false) => last = " repeated".to_owned(),
                    Err(why) => last = format!(" {why}"),
                },
                None if step == "resolve" => thread.resolve(),
                None => thread.reopen(),
            }
        }
        let to_confirm = if thread.is_to_be_confirmed() { "?" } else { "" };
        let found = format!(
            "{}{to_confirm} {}{last}",
            thread.state.name(),
            thread.messages.len()
        );
        assert_eq!(found, expected, "{steps}");
    }

    #[test]
    fn only_the_person_resolves() {
        check("", "open 1");
        check("claude: so", "answered 2");
        check("claude: done!", "answered? 2");
        check("claude: done!, claude: so", "answered 3");
        check("claude: so, person: no", "open 3");
        check("claude: done!, resolve", "resolved 2");
        check("resolve, reopen", "open 1");
        check("resolve, person: again", "open 2");
        check(
            "resolve, claude: but",
            "resolved 1 thread t1 is resolved; the person can reopen it with `countersign threads reopen t1`",
        );
    }

    #[test]
    fn what_is_repeated_empty_or_too_long_is_left_out() {
        check("claude: so, claude: so", "answered 2 repeated");
        check("claude: so, claude: so!", "answered? 3");
        check("claude:  ", "open 1 the message is empty");
        let long = "x".repeat(MOST_BYTES);
        check(&format!("claude: {long}"), "answered 2");
        check(
            &format!("claude: x{long}"),
            "open 1 the message has 16385 bytes, and a thread takes 16384",
        );
    }

    #[test]
    fn a_thread_has_a_bounded_number_of_messages() {
        let steps: Vec<String> = (0..250).map(|n| format!("claude: {n}")).collect();
        check(
            &steps.join(", "),
            "answered 200 thread t1 is full: begin another one",
        );
        let long = |n: usize| format!("claude: {n}{}", "x".repeat(MOST_BYTES - 9));
        let steps: Vec<String> = (0..9).map(long).collect();
        check(
            &steps.join(", "),
            "answered 9 thread t1 is full: begin another one",
        );
    }
}
