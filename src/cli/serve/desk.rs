//! The desk behind the screen: takes proposals in, lets them join the review, and answers each when all of it is decided.
//!
//! It works on a thread of its own and is the only one that writes. Proposals for one file come one after the other, in the
//! order in which they arrived: a later one is held until the earlier one is answered, and is placed in what that one left.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::answer;
use super::caller::Caller;
use super::expected::Expected;
use super::told::{Decided, Told};
use crate::agent::{Denial, Door, Knock, Reply, Submission};
use crate::app::failures::Failures;
use crate::cli::settings;
use crate::config::Config;
use crate::proposal::RepoPath;
use crate::review::{Decision, Imprint, ReviewSession, Standing, Target};
use crate::store::{Root, Watch};
use crate::ui::command::{About, Command};
use crate::ui::keymap::KeyContext;
use crate::ui::{Change, Ending};

/// How soon it is looked again whether the person has finished what they are in the middle of.
const SOON: Duration = Duration::from_millis(50);
/// How long a reviewer that was opened for one proposal waits for it.
const COMES_WITHIN: Duration = Duration::from_secs(20);

/// Something happened.
pub(super) enum Event {
    /// A client wants something.
    Knock(Knock),
    /// The person has decided or said something.
    Told(Told),
    /// A call is to be placed with another precision, in hundredths.
    Match {
        /// Its number.
        call: u64,
        /// The precision.
        percent: u8,
    },
    /// A file may have changed on disk.
    Touched,
    /// The review has ended.
    Ended(Box<ReviewSession>, Ending),
}

/// How to go about it.
pub(super) struct Manner {
    /// How long a rejection without a word waits for one.
    pub(super) grace: Duration,
    /// How long an agent that writes by itself has until the next proposal for the same file goes on without it.
    pub(super) writes_within: Duration,
    /// Whether to leave when nothing is left to review.
    pub(super) once: bool,
}

/// Where a desk stands.
pub(super) struct Room {
    pub(super) root: Root,
    pub(super) config: Config,
    pub(super) manner: Manner,
    pub(super) door: Door,
    pub(super) screen: Sender<Change>,
    /// Where the desk is told that a file has changed.
    pub(super) events: Sender<Event>,
    /// Whether the person is in the middle of something.
    pub(super) busy: Arc<AtomicBool>,
}

/// The desk.
pub(super) struct Desk {
    pub(super) room: Room,
    pub(super) failures: Failures,
    pub(super) callers: BTreeMap<u64, Caller>,
    pub(super) expected: Vec<Expected>,
    pub(super) watch: Option<(BTreeSet<RepoPath>, Watch)>,
    pub(super) imprints: BTreeMap<u64, Imprint>,
    /// Until when somebody has to come, if nobody has yet.
    pub(super) patience: Option<Instant>,
}

impl Desk {
    pub(super) fn new(room: Room) -> Self {
        Self {
            failures: Failures::of(&room.root),
            patience: room.manner.once.then(|| Instant::now() + COMES_WITHIN),
            room,
            callers: BTreeMap::new(),
            expected: Vec::new(),
            watch: None,
            imprints: BTreeMap::new(),
        }
    }

    /// Works until the review has ended.
    pub(super) fn work(mut self, inbox: &Receiver<Event>) {
        loop {
            let first = match self.next_step() {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => inbox.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            let mut next = match first {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // Asked before the events are taken: what the person did before they were done is among them.
            let free = !self.room.busy.load(Ordering::Acquire);
            while let Some(event) = next.take().or_else(|| inbox.try_recv().ok()) {
                match event {
                    Event::Knock(Knock::Submitted { ticket, submission }) => {
                        self.take_in(ticket, *submission);
                    }
                    Event::Knock(Knock::Withdrawn { ticket }) => self.withdraw(ticket),
                    Event::Told(told) => self.hear(told),
                    Event::Match { call, percent } => self.match_by(call, percent),
                    Event::Touched => self.look_again(),
                    Event::Ended(session, ending) => return self.close(&session, ending),
                }
            }
            if free {
                self.carry_out_what_is_due();
            }
            self.release();
            self.keep();
            self.watch_files();
            self.end_if_done();
        }
    }

    /// When to look again without being told.
    fn next_step(&self) -> Option<Instant> {
        let now = Instant::now();
        let due = self.callers.values().filter_map(|caller| {
            let (due, _) = caller.decided.as_ref()?;
            Some(*due)
        });
        // What is due already waits for the person to be done.
        let due = due.map(|due| if due <= now { now + SOON } else { due });
        let expected = self.expected.iter().map(|expected| expected.until);
        due.chain(expected).chain(self.patience).min()
    }

    /// Takes a proposal in, or says why not.
    fn take_in(&mut self, ticket: u64, submission: Submission) {
        let agent = submission.agent.clone();
        let caller = match Caller::new(ticket, submission, &self.room.root, &self.room.config) {
            Ok(caller) => caller,
            Err(error) => {
                let message = format!("{error:#}");
                self.say(format!("{agent}: {message}"));
                self.refuse(ticket, Denial::NoEdits, message);
                return;
            }
        };
        self.patience = None;
        self.callers.insert(ticket, caller);
        self.room.door.welcome(ticket, self.callers.len());
        self.place(ticket, &|agent, names| {
            Some(format!("{agent} proposes {names}"))
        });
    }

    /// Places a proposal in the files as they are now, and lets it join the review; what leaves nothing to decide is
    /// answered at once.
    pub(super) fn place(&mut self, ticket: u64, told: &dyn Fn(&str, &str) -> Option<String>) {
        let Some(caller) = self.callers.get_mut(&ticket) else {
            return;
        };
        caller.decided = None;
        let session = match caller.source.place() {
            Ok(session) => session,
            Err(error) => {
                self.callers.remove(&ticket);
                return self.refuse(ticket, Denial::NoEdits, format!("{error:#}"));
            }
        };
        self.seat(ticket, session, told);
    }

    pub(super) fn seat(
        &mut self,
        ticket: u64,
        mut session: ReviewSession,
        told: &dyn Fn(&str, &str) -> Option<String>,
    ) {
        let taken = self.taken_before(ticket);
        let Some(caller) = self.callers.get_mut(&ticket) else {
            return;
        };
        if !self.expected.is_empty() {
            let mut taken_whole = session.clone();
            taken_whole.decide(&Target::Rest, Decision::Accepted);
            if answer::is_allowed_already(caller, &taken_whole, &self.expected) {
                return self.carry_out(ticket, taken_whole);
            }
        }
        let call = caller.seat(&mut session, &taken);
        if caller.held.is_empty() && caller.is_hopeless(&session) {
            return self.carry_out(ticket, session);
        }
        let told = told(&caller.call.agent, &Caller::names(&session));
        let kept = caller.remembered.take_if(|_| caller.held.is_empty());
        self.show(Change::Joined {
            call,
            files: session.files,
            kept,
            told,
        });
    }

    /// The files for which another proposal comes before this one, or an agent is still to write.
    fn taken_before(&self, ticket: u64) -> BTreeSet<RepoPath> {
        let earlier = self.callers.range(..ticket);
        let files = earlier.flat_map(|(_, caller)| caller.files.iter().cloned());
        let awaited = self.expected.iter().map(|expected| expected.file.clone());
        files.chain(awaited).collect()
    }

    /// A client has gone or has thought better of it.
    fn withdraw(&mut self, ticket: u64) {
        self.room.door.answer(ticket, |id| Reply::Withdrawn { id });
        self.keep();
        if let Some(caller) = self.callers.remove(&ticket) {
            self.show(Change::Left {
                call: ticket,
                standing: Standing::Withdrawn,
                told: format!("{} has withdrawn its proposal", caller.call.agent),
            });
        }
    }

    /// Takes note of what the person has decided.
    fn hear(&mut self, told: Told) {
        let Told { decided, imprints } = told;
        self.imprints.extend(imprints);
        let mut decided: BTreeMap<u64, Decided> =
            decided.into_iter().map(|one| (one.call, one)).collect();
        let mut quiet = Vec::new();
        for (ticket, caller) in &mut self.callers {
            caller.decided = decided.remove(ticket).map(|now| {
                let wait = if now.wordless {
                    self.room.manner.grace
                } else {
                    Duration::ZERO
                };
                if !wait.is_zero() {
                    quiet.push(caller.call.agent.clone());
                }
                let due = Instant::now() + wait;
                (due, now.session)
            });
        }
        if let Some(agent) = quiet.first() {
            let seconds = self.room.manner.grace.as_secs_f32();
            let keymap = settings::keymap(&self.room.config).0;
            let key = |command| keymap.key_for(KeyContext::Stream, command);
            let (why, back) = (key(Command::Comment(About::Hunk)), key(Command::Undo));
            self.say(format!(
                "{agent} is told in {seconds} s; {why} says why, {back} takes it back"
            ));
        }
    }

    /// Places everything anew whose files have changed.
    fn look_again(&mut self) {
        let tickets: Vec<u64> = self.callers.keys().copied().collect();
        for ticket in tickets {
            let Some(caller) = self.callers.get_mut(&ticket) else {
                continue;
            };
            let Some(placed) = caller.source.place_anew() else {
                continue;
            };
            caller.decided = None;
            let changed = placed.changed.join(", ");
            self.seat(ticket, placed.session, &|_, _| {
                Some(format!("{changed}: changed on disk, placed anew"))
            });
        }
    }

    /// Lets proposals go on whose files are free now.
    fn release(&mut self) {
        let now = Instant::now();
        let root = &self.room.root;
        self.expected
            .retain(|expected| now < expected.until && !expected.has_come(root));
        let waiting: Vec<u64> = (self.callers.iter())
            .filter(|(_, caller)| !caller.held.is_empty())
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in waiting {
            let taken = self.taken_before(ticket);
            let free = |caller: &Caller| !caller.held.is_subset(&taken);
            if self.callers.get(&ticket).is_some_and(free) {
                self.place(ticket, &|agent, names| {
                    Some(format!("next for {names}: {agent}"))
                });
            }
        }
    }

    pub(super) fn say(&self, told: String) {
        self.show(Change::Said(told));
    }

    pub(super) fn show(&self, change: Change) {
        // A screen that has ended shows nothing more.
        let _ = self.room.screen.send(change);
    }
}
