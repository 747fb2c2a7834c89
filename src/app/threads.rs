//! Threads of a root: opened by comments and questions of the person, answered by agents, kept from one review to the next.

use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::thread_error::ThreadError;
use super::thread_places::{follow_files, locate};
use super::thread_replies::refused_replies;
use crate::agent;
use crate::review::{
    Author, Carried, Report, ReviewSession, Stance, Thread, ThreadKind, ThreadMessage,
    ThreadRefusal, ThreadReport, ThreadState, comments_of, comments_on_files, kept_passages,
    mentioned, place_threads, replies_in,
};
use crate::store::{LockError, MOST_THREADS, OpenError, Root, StateError, ThreadsLock};

/// The threads of a root.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct RootThreads {
    /// Those that can be read, in the order of their numbers.
    pub(crate) threads: Vec<Thread>,
    /// The files of the others, each with the reason.
    pub(crate) damaged: Vec<String>,
}

/// Origin of a review, for the threads that are opened in it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ThreadOrigin<'a> {
    pub(crate) agent: Option<&'a str>,
    /// The name that the client gave the proposal.
    pub(crate) proposal: Option<&'a str>,
}

impl ThreadOrigin<'_> {
    /// Enters the origin in a new thread.
    fn enter(self, thread: Thread) -> Thread {
        Thread {
            agent: self.agent.map(str::to_owned),
            proposal: self.proposal.map(str::to_owned),
            ..thread
        }
    }
}

/// Reads the threads of a root. Damaged records are left out and named.
pub(crate) fn known(root: &Root) -> Result<RootThreads, StateError> {
    let mut known = RootThreads::default();
    for stored in root.threads()? {
        let read = stored.bytes.map_err(|error| error.to_string());
        let thread = read.and_then(|bytes| {
            serde_json::from_slice::<Thread>(&bytes).map_err(|error| error.to_string())
        });
        match thread {
            Ok(thread) if thread.id == name(stored.number) && !thread.messages.is_empty() => {
                known.threads.push(thread);
            }
            Ok(_) => {
                let path = stored.path.display();
                known
                    .damaged
                    .push(format!("{path}: it is no record of this thread"));
            }
            Err(why) => known
                .damaged
                .push(format!("{}: {why}", stored.path.display())),
        }
    }
    Ok(known)
}

/// Reads the threads of a root, at the names that their files have now.
pub(crate) fn followed(root: &Root) -> Result<RootThreads, StateError> {
    let mut known = known(root)?;
    follow_files(root, &mut known.threads);
    Ok(known)
}

/// Shows the threads of the files of a review. Those that cannot be read are left out: nothing depends on them.
pub(crate) fn mark(root: &Root, session: &mut ReviewSession) {
    if let Ok(known) = followed(root) {
        place_threads(session, &known.threads);
    }
}

/// Returns the root that a folder is reviewed in: that of the open reviewer that serves it, else the folder itself.
pub(crate) fn reviewed_root(folder: &Path) -> Result<Root, OpenError> {
    match agent::served_root(folder) {
        Ok(root) => Root::open(&root),
        Err(_) => Root::open(folder),
    }
}

/// Reads the threads of a root, with the lines where they are in the files now, and what of them is there.
pub(crate) fn located(root: &Root) -> Result<RootThreads, StateError> {
    let mut known = followed(root)?;
    for thread in &mut known.threads {
        locate(root, thread);
    }
    Ok(known)
}

/// Opens a thread for every comment at lines of a finished review, follows the lines of the others, and enters in the report those
/// that concern it. A comment that cannot be kept is still in the report as a comment.
pub(crate) fn finish(
    root: &Root,
    session: &ReviewSession,
    origin: ThreadOrigin<'_>,
    report: &mut Report,
) {
    match entered(root, session, origin, report) {
        // Where nothing can be kept there are no threads.
        Ok(())
        | Err(
            ThreadError::State(StateError::NoHome)
            | ThreadError::Lock(LockError::State(StateError::NoHome)),
        ) => (),
        Err(why) => {
            let warning = format!("the threads of this review are not kept: {why}");
            report.warnings.push(warning);
        }
    }
}

fn entered(
    root: &Root,
    session: &ReviewSession,
    origin: ThreadOrigin<'_>,
    report: &mut Report,
) -> Result<(), ThreadError> {
    // Files that are on disk already stay as they are where nothing is written.
    let is_carried_out = report.written || session.stance() == Stance::Proposed;
    let is_written = report.error.is_none() && is_carried_out;
    let comments = comments_of(session, is_written);
    let stored = known(root)?.threads;
    let mut known = stored.clone();
    follow_files(root, &mut known);
    let is_changed = kept_passages(session, &known, is_written)
        .iter()
        .any(|kept| {
            stored
                .iter()
                .any(|thread| thread.id == kept.what && !is_at(thread, kept))
        });
    let agent = origin.agent.unwrap_or("agent");
    let refused = refused_replies(agent, &session.intent, &stored);
    report.warnings.extend(refused);
    let mut opened = Vec::new();
    let threads = if comments.is_empty() && !is_changed {
        known
    } else {
        let mut change = ThreadChange::begin(root)?;
        // The earlier threads first: the latest comments are at the lines that these are at then.
        let mut threads = change.known.threads.clone();
        follow_files(root, &mut threads);
        for kept in kept_passages(session, &threads, is_written) {
            change.by(kept.what, |thread| {
                let is_moved = !is_at(thread, &kept);
                kept.path.clone_into(&mut thread.path);
                thread.passage.clone_from(&kept.passage);
                Ok(is_moved)
            })?;
        }
        for Carried {
            what,
            path,
            passage,
        } in comments
        {
            let thread = Thread::opened(path, passage, ThreadKind::Comment, what, now());
            let thread = thread.map(|thread| origin.enter(thread));
            match thread
                .map_err(ThreadError::from)
                .and_then(|thread| change.add(thread))
            {
                Ok(id) => opened.push(id),
                Err(why) => {
                    let warning = format!("{path}: a comment opens no thread: {why}");
                    report.warnings.push(warning);
                }
            }
        }
        change.known.threads
    };
    report.threads = mentioned(session, origin.proposal, &opened, &threads);
    if let Some(agent) = origin.agent {
        let told = report.threads.iter().filter(|told| told.is_for(agent));
        let told = told.map(|told| told.id.clone());
        let told: Vec<String> = told.collect();
        for thread in tell(root, agent, &told)? {
            if !report.threads.iter().any(|known| known.id == thread.id) {
                report.threads.push(ThreadReport::from(&thread));
            }
        }
    }
    Ok(())
}

/// Opens a thread for every comment on a proposal that gets no report. They are questions, as no verdict has taken them to the agent.
/// Returns the name of each, or the reason why there is none.
pub(crate) fn open_for_comments(
    root: &Root,
    session: &ReviewSession,
    origin: ThreadOrigin<'_>,
) -> Result<Vec<Result<String, ThreadError>>, ThreadError> {
    let comments = comments_of(session, false).into_iter();
    let comments = comments.chain(comments_on_files(session));
    let comments: Vec<Carried<'_, &str>> = comments.collect();
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let mut change = ThreadChange::begin(root)?;
    let opened = comments.into_iter().map(|comment| {
        let Carried {
            what,
            path,
            passage,
        } = comment;
        let thread = Thread::opened(path, passage, ThreadKind::Question, what, now())?;
        change.add(origin.enter(thread))
    });
    Ok(opened.collect())
}

/// Returns the threads with messages for an agent that it did not get yet, and takes note that it gets them.
pub(crate) fn news_for(root: &Root, agent: &str) -> Result<Vec<ThreadReport>, ThreadError> {
    let news = tell(root, agent, &[])?;
    Ok(news.iter().map(ThreadReport::from).collect())
}

/// Takes note that an agent gets some threads, and those with messages that it did not get yet. Returns the latter.
fn tell(root: &Root, agent: &str, told: &[String]) -> Result<Vec<Thread>, ThreadError> {
    let mut known = known(root)?.threads;
    known.retain(|thread| {
        let is_wanted = thread.is_news_for(agent) || told.contains(&thread.id);
        thread.told_revision < thread.person_revision && is_wanted
    });
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let mut change = ThreadChange::begin(root)?;
    let mut news = Vec::new();
    for thread in &known {
        let is_news = thread.is_news_for(agent);
        let told = change.by(&thread.id, |thread| {
            thread.tell();
            Ok(true)
        })?;
        news.extend(is_news.then_some(told));
    }
    Ok(news)
}

/// Returns true if a thread is where a review leaves it.
fn is_at(thread: &Thread, kept: &Carried<'_, &str>) -> bool {
    thread.path == kept.path && thread.passage == kept.passage
}

/// A change of threads, which one program makes at a time.
struct ThreadChange {
    lock: ThreadsLock,
    known: RootThreads,
}

impl ThreadChange {
    fn begin(root: &Root) -> Result<Self, ThreadError> {
        let lock = root.lock_threads()?;
        let known = known(root)?;
        Ok(Self { lock, known })
    }

    /// Keeps a new thread, unless an equal one is unresolved. Forgets the oldest resolved ones where there are too many. Returns the
    /// name.
    fn add(&mut self, mut thread: Thread) -> Result<String, ThreadError> {
        let threads = &mut self.known.threads;
        let first_text = thread.messages.first().map(|first| &first.text);
        let same = threads.iter().find(|other| {
            // A question is asked again after an answer, and about another proposal.
            let is_same = match thread.kind {
                ThreadKind::Comment => other.is_unresolved(),
                ThreadKind::Question => {
                    other.state == ThreadState::Open && other.proposal == thread.proposal
                }
            };
            // A comment is a question already if its proposal was withdrawn, and is sent again.
            is_same
                && (other.kind == thread.kind || thread.kind == ThreadKind::Comment)
                && other.agent == thread.agent
                && other.path == thread.path
                && other.passage.lines == thread.passage.lines
                && other.messages.first().map(|first| &first.text) == first_text
        });
        if let Some(same) = same {
            return Ok(same.id.clone());
        }
        while threads.len() + self.known.damaged.len() >= MOST_THREADS {
            let oldest = threads.iter().position(|old| !old.is_unresolved());
            let oldest = threads.remove(oldest.ok_or(ThreadError::TooMany)?);
            self.lock.remove(number(&oldest.id)?)?;
        }
        let number = self.lock.next_number()?;
        thread.id = name(number);
        write(&self.lock, &thread)?;
        threads.push(thread.clone());
        Ok(thread.id)
    }

    /// Changes a thread by a function that returns false if nothing has changed. Returns the thread.
    fn by(
        &mut self,
        id: &str,
        change: impl FnOnce(&mut Thread) -> Result<bool, ThreadRefusal>,
    ) -> Result<Thread, ThreadError> {
        let id = name(number(id)?);
        let threads = &mut self.known.threads;
        let Some(thread) = threads.iter_mut().find(|thread| thread.id == id) else {
            let file = format!("/{id}.json:");
            let mut damaged = self.known.damaged.iter();
            return Err(match damaged.find(|why| why.contains(&file)) {
                Some(why) => ThreadError::Damaged(why.clone()),
                None => ThreadError::Unknown(id),
            });
        };
        let mut changed = thread.clone();
        if change(&mut changed)? {
            write(&self.lock, &changed)?;
            thread.clone_from(&changed);
        }
        Ok(changed)
    }
}

/// Keeps a new thread, unless an equal one is unresolved. Returns its name.
pub(crate) fn add(root: &Root, thread: Thread) -> Result<String, ThreadError> {
    ThreadChange::begin(root)?.add(thread)
}

/// Adds a message to a thread. Returns the thread.
pub(crate) fn reply(
    root: &Root,
    id: &str,
    author: Author,
    text: &str,
    proposes_resolution: bool,
) -> Result<Thread, ThreadError> {
    ThreadChange::begin(root)?.by(id, |thread| {
        thread.add(message(author, text, proposes_resolution))
    })
}

/// Resolves a thread, for the person.
pub(crate) fn resolve(root: &Root, id: &str) -> Result<Thread, ThreadError> {
    ThreadChange::begin(root)?.by(id, |thread| {
        thread.resolve();
        Ok(true)
    })
}

/// Reopens a thread, for the person.
pub(crate) fn reopen(root: &Root, id: &str) -> Result<Thread, ThreadError> {
    ThreadChange::begin(root)?.by(id, |thread| {
        thread.reopen();
        Ok(true)
    })
}

/// Replies in the prose of an agent.
#[derive(Debug, Default)]
pub(crate) struct ProseReplies {
    /// The names of the threads that were answered.
    pub(crate) taken: Vec<String>,
    /// A warning for each reply that is in no thread, with the reason.
    pub(crate) refused: Vec<String>,
}

/// Takes the replies that are in the prose of an agent: lines such as `Thread t3: because …`.
pub(crate) fn take_replies(root: &Root, agent: &str, text: &str) -> ProseReplies {
    let mut replies = ProseReplies::default();
    for (id, text) in replies_in(text) {
        let author = Author::agent(agent).map_err(ThreadError::from);
        let kept = author.and_then(|author| reply(root, &id, author, &text, false));
        match kept {
            Ok(_) => replies.taken.push(id),
            Err(why) => {
                let warning = format!("the reply to {id} is not kept: {why}");
                replies.refused.push(warning);
            }
        }
    }
    replies
}

fn message(author: Author, text: &str, proposes_resolution: bool) -> ThreadMessage {
    ThreadMessage {
        author,
        text: text.trim().to_owned(),
        time: now(),
        proposes_resolution,
    }
}

fn write(lock: &ThreadsLock, thread: &Thread) -> Result<(), ThreadError> {
    let bytes = serde_json::to_vec(thread).map_err(io::Error::from)?;
    Ok(lock.replace(number(&thread.id)?, &bytes)?)
}

fn name(number: u64) -> String {
    format!("t{number}")
}

/// Parses the name of a thread.
fn number(id: &str) -> Result<u64, ThreadError> {
    let digits = id.trim().trim_start_matches(['t', 'T']);
    digits
        .parse()
        .map_err(|_| ThreadError::Unknown(id.to_owned()))
}

pub(super) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}
