//! Records of threads, and the rules by which they change.

use std::borrow::Cow;

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
/// Most characters of the name of an agent.
const MOST_NAME: usize = 40;
/// Words for the person, which are no names of agents.
const RESERVED: [&str; 2] = ["person", "you"];

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
    /// The part of it that is in the file now, once that was looked for.
    #[serde(skip)]
    pub presence: ThreadPresence,
}

/// The part of a thread's place that is in the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadPresence {
    /// Its lines.
    #[default]
    Present,
    /// The lines around them: its own are others now, or were not accepted.
    Replaced,
    /// Neither its lines nor those around them.
    LinesGone,
    /// Nothing: there is no such file.
    FileGone,
    /// Not known: the file cannot be read.
    Unknown,
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
    /// An agent, by its name: see [`Author::agent`].
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
    /// The name of the author is one for the person.
    #[error("an agent cannot write as `{name}`, which is the person")]
    Reserved {
        /// The name.
        name: String,
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
    /// An agent, by the name that it gives itself.
    ///
    /// # Errors
    ///
    /// [`ThreadRefusal::Reserved`] if this is a name for the person.
    pub fn agent(name: &str) -> Result<Self, ThreadRefusal> {
        let name = agent_name(name);
        if is_reserved(&name) {
            return Err(ThreadRefusal::Reserved { name });
        }
        Ok(Self::Agent(name))
    }

    /// Returns the name for people and models. No agent has that of the person.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Person => Cow::Borrowed("person"),
            Self::Agent(name) if is_reserved(name) => Cow::Owned(format!("agent `{name}`")),
            Self::Agent(name) => Cow::Borrowed(name),
        }
    }
}

/// Returns the name of an agent as proposals and messages carry it: on one line, and of bounded length.
pub fn agent_name(name: &str) -> String {
    let plain = name.chars().filter(|c| !c.is_control());
    let name: String = plain.take(MOST_NAME).collect();
    if name.trim().is_empty() {
        "agent".to_owned()
    } else {
        name
    }
}

/// Returns true for a name that is read as one for the person, whatever is around its letters.
fn is_reserved(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    RESERVED.contains(&letters.as_str())
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

    /// Returns true if the person writes to this agent in it: it began at a proposal of the agent, or of none that is known. An agent that
    /// connects again has the same name.
    pub fn is_for(&self, agent: &str) -> bool {
        let asked = self.agent.as_deref();
        asked.is_none_or(|asked| asked == agent)
    }

    /// Returns true if the person waits for words of an agent that did not get the question: see [`ThreadReport::asks`].
    ///
    /// [`ThreadReport::asks`]: super::ThreadReport::asks
    pub fn is_news_for(&self, agent: &str) -> bool {
        let is_conversation = self.kind == ThreadKind::Question || self.messages.len() > 1;
        let is_open = self.state == ThreadState::Open && is_conversation;
        self.is_for(agent) && is_open && self.person_revision > self.told_revision
    }

    /// Takes note that its agent gets what the person wrote.
    pub fn tell(&mut self) {
        self.told_revision = self.person_revision;
    }

    /// Adds a message, and changes the state accordingly: a message of the person opens the thread again, one of the agent that is asked
    /// answers it. Other agents may write in it, and it goes on waiting for the one that is asked. A message that repeats the latest one of its author is left out; returns whether it was added.
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
        let state = match &message.author {
            Author::Person => ThreadState::Open,
            Author::Agent(name) if self.is_for(name) => ThreadState::Answered,
            Author::Agent(_) => self.state,
        };
        self.messages.push(message);
        self.set(state);
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
            presence: ThreadPresence::Present,
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
    fn only_the_agent_that_is_asked_answers() {
        let passage = Passage::default();
        let mut thread = Thread::opened("a", passage, ThreadKind::Question, "why", 0).unwrap();
        thread.agent = Some("claude".to_owned());
        assert!(thread.is_news_for("claude") && !thread.is_news_for("codex"));
        thread.add(message("codex", "no idea!")).unwrap();
        assert_eq!(thread.state, ThreadState::Open);
        assert!(thread.is_news_for("claude"));
        thread.add(message("claude", "so")).unwrap();
        assert_eq!(thread.state, ThreadState::Answered);
        thread.add(message("codex", "or so")).unwrap();
        assert_eq!(thread.state, ThreadState::Answered);
    }

    #[test]
    fn no_agent_has_the_name_of_the_person() {
        let check = |name: &str, expected: &str| {
            let found = match Author::agent(name) {
                Ok(author) => author.name().into_owned(),
                Err(why) => why.to_string(),
            };
            assert_eq!(found, expected, "{name:?}");
        };
        check("claude", "claude");
        check("persona", "persona");
        check("a\x1b[31m\nb", "a[31mb");
        check(&"x".repeat(50), &"x".repeat(40));
        check(" \n", "agent");
        for name in ["person", " Person\n", "[YOU]"] {
            let words = format!(
                "an agent cannot write as `{}`, which is the person",
                name.replace('\n', "")
            );
            check(name, &words);
        }
        let earlier = Author::Agent("person".to_owned());
        assert_eq!(earlier.name(), "agent `person`");
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
