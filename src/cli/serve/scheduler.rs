//! Scheduler behind the screen: queues proposals, adds them to the review, and answers each when all of it is decided.
//!
//! It works on a thread of its own and is the only one that writes. Proposals for one file come one after the other, in the
//! order in which they arrived: a later one is held until the earlier one is answered, and is placed in what that one left.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::answer;
use super::decision_message::{DecidedCall, DecisionMessage};
use super::event::SchedulerEvent;
use super::expected_write::ExpectedWrite;
use super::notifier::Notifier;
use super::preparing::Preparing;
use super::request::PendingRequest;
use crate::agent::{ClientEvent, Denial, RemoteDecided, ReviewerMessage, SocketServer, Submission};
use crate::app::failures::Failures;
use crate::app::threads::{self, ProseReplies};
use crate::app::{policy, rejections};
use crate::cli::settings;
use crate::config::Config;
use crate::proposal::RepoPath;
use crate::review::{Decision, Imprint, ReviewSession, Target, replies_in};
use crate::store::{Root, Watch};
use crate::ui::SessionChange;
use crate::ui::command::{About, Command};
use crate::ui::keymap::KeyContext;

/// Poll interval while the person is busy.
const SOON: Duration = Duration::from_millis(50);
/// The longest wait of a reviewer that was opened for one proposal.
const COMES_WITHIN: Duration = Duration::from_secs(20);

/// Timing of answers.
pub(super) struct Timing {
    /// Delay of a rejection without a comment.
    pub(super) grace: Duration,
    /// The longest wait for an agent that writes by itself, before the next proposal for the same file goes on.
    pub(super) writes_within: Duration,
    /// True to leave when nothing is left to review.
    pub(super) once: bool,
}

/// Surroundings of the scheduler.
pub(super) struct SchedulerContext {
    pub(super) root: Root,
    pub(super) config: Config,
    pub(super) timing: Timing,
    /// True if other terminals may decide.
    pub(super) takes_remote_decisions: bool,
    /// Notifies the person, if that is set.
    pub(super) notifier: Option<Notifier>,
    pub(super) server: SocketServer,
    pub(super) screen: Sender<SessionChange>,
    /// Sender for events about changed files.
    pub(super) events: Sender<SchedulerEvent>,
    /// True if the person is in the middle of something.
    pub(super) busy: Arc<AtomicBool>,
}

/// State of the queue: the ticket of each proposal, and the number of its latest placement.
pub(super) type QueueKey = Vec<(u64, u64)>;

/// A decision whose proposal is not answered yet.
pub(super) struct Decider {
    pub(super) ticket: u64,
    pub(super) call: u64,
    pub(super) decided: RemoteDecided,
    /// True once the scheduler has the decisions.
    pub(super) is_confirmed: bool,
}

pub(super) struct Scheduler {
    pub(super) context: SchedulerContext,
    pub(super) failures: Failures,
    pub(super) requests: BTreeMap<u64, PendingRequest>,
    pub(super) expected: Vec<ExpectedWrite>,
    pub(super) watch: Option<(BTreeSet<RepoPath>, Watch)>,
    pub(super) imprints: BTreeMap<u64, Imprint>,
    /// The latest ticket of each layer that was shown.
    pub(super) layers: BTreeMap<String, u64>,
    /// Withdrawn proposals that are still on the screen as if they could be decided.
    pub(super) withdrawn: BTreeSet<u64>,
    /// Decisions from other terminals whose proposals are not answered yet.
    pub(super) deciders: Vec<Decider>,
    /// The queue as it was shown last.
    pub(super) shown_queue: QueueKey,
    /// Work for proposals that are not shown yet.
    pub(super) preparing: BTreeMap<u64, Preparing>,
    /// Deadline for the first proposal, if none has come yet.
    pub(super) patience: Option<Instant>,
}

impl Scheduler {
    pub(super) fn new(context: SchedulerContext) -> Self {
        Self {
            failures: Failures::of(&context.root),
            patience: context.timing.once.then(|| Instant::now() + COMES_WITHIN),
            context,
            requests: BTreeMap::new(),
            expected: Vec::new(),
            watch: None,
            imprints: BTreeMap::new(),
            layers: BTreeMap::new(),
            withdrawn: BTreeSet::new(),
            deciders: Vec::new(),
            shown_queue: QueueKey::default(),
            preparing: BTreeMap::new(),
        }
    }

    /// Runs until the review has ended.
    pub(super) fn work(mut self, inbox: &Receiver<SchedulerEvent>) {
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
            let free = !self.context.busy.load(Ordering::Acquire);
            while let Some(event) = next.take().or_else(|| inbox.try_recv().ok()) {
                match event {
                    SchedulerEvent::Client(ClientEvent::Submitted { ticket, submission }) => {
                        self.take_in(ticket, *submission);
                    }
                    SchedulerEvent::Client(ClientEvent::Withdrawn { ticket }) => {
                        self.withdraw(ticket);
                    }
                    SchedulerEvent::Client(ClientEvent::Warned(warning)) => {
                        self.show(SessionChange::Warned(format!(
                            "{}: {}",
                            warning.agent, warning.message
                        )));
                    }
                    SchedulerEvent::Decision(told) => self.hear(told),
                    SchedulerEvent::Match { call, percent } => self.match_by(call, percent),
                    SchedulerEvent::Layer { id } => self.show_layer(&id),
                    SchedulerEvent::Client(ClientEvent::Asked { ticket, question }) => {
                        self.list_pending(ticket, question);
                    }
                    SchedulerEvent::Client(ClientEvent::Decided { ticket, decision }) => {
                        self.decide_remotely(ticket, decision);
                    }
                    SchedulerEvent::LeftScreen { call, session } => {
                        self.withdrawn.remove(&call);
                        self.keep_comments(&session);
                    }
                    SchedulerEvent::Answered { ticket, answer } => {
                        self.answer_remote(ticket, answer);
                    }
                    SchedulerEvent::Overview(overview) => self.notify(overview),
                    SchedulerEvent::Notified(ended) => self.end_notification(ended),
                    SchedulerEvent::Prepared(ticket) => self.show_prepared(ticket),
                    SchedulerEvent::Touched => self.look_again(),
                    SchedulerEvent::Ended(session, ending) => return self.close(&session, ending),
                }
            }
            if free {
                self.carry_out_what_is_due();
            }
            self.release();
            self.keep();
            self.watch_files();
            self.show_queue();
            self.notify_if_due();
            self.end_if_done();
        }
    }

    /// Returns the time of the next timed step.
    fn next_step(&self) -> Option<Instant> {
        let now = Instant::now();
        let due = self.requests.values().filter_map(|request| {
            let (due, _) = request.decided.as_ref()?;
            Some(*due)
        });
        // What is due already waits for the person to be done.
        let due = due.map(|due| if due <= now { now + SOON } else { due });
        let expected = self.expected.iter().map(|expected| expected.until);
        due.chain(expected)
            .chain(self.patience)
            .chain(self.notification_due())
            .min()
    }

    /// Queues a proposal, or refuses it with the reason.
    fn take_in(&mut self, ticket: u64, submission: Submission) {
        let agent = submission.agent.clone();
        if let Some(id) = &submission.layer {
            return self.wait_for_layer(id, ticket, &agent);
        }
        let answers = !replies_in(&submission.input).is_empty();
        let prose = answers.then(|| submission.input.clone());
        let request =
            match PendingRequest::new(ticket, submission, &self.context.root, &self.context.config)
            {
                Ok(request) => request,
                Err(error) => {
                    let replies = prose
                        .map(|prose| threads::take_replies(&self.context.root, &agent, &prose));
                    let ProseReplies { taken, refused } = replies.unwrap_or_default();
                    let taken = (!taken.is_empty())
                        .then(|| format!("the replies to {} are kept", taken.join(", ")));
                    let parts = taken.into_iter().chain(refused);
                    let parts: Vec<String> = parts.chain([format!("{error:#}")]).collect();
                    let message = parts.join("; ");
                    self.say(format!("{agent}: {message}"));
                    self.refuse(ticket, Denial::NoEdits, message);
                    return;
                }
            };
        self.patience = None;
        self.requests.insert(ticket, request);
        self.context
            .server
            .confirm_queued(ticket, self.requests.len());
        self.show_new(ticket);
    }

    /// Shows a new proposal, once what has to be done before is done.
    fn show_new(&mut self, ticket: u64) {
        let request = self.requests.get_mut(&ticket);
        let prepare = request.and_then(|request| request.source.preparation());
        if let Some(prepare) = prepare {
            let events = self.context.events.clone();
            let preparing = Preparing::start(prepare, move || {
                // Nobody listens any more when the review has ended.
                let _ = events.send(SchedulerEvent::Prepared(ticket));
            });
            if let Ok(preparing) = preparing {
                self.preparing.insert(ticket, preparing);
                return;
            }
        }
        self.show_prepared(ticket);
    }

    /// Shows a new proposal for which everything is done.
    fn show_prepared(&mut self, ticket: u64) {
        self.preparing.remove(&ticket);
        let request = self.requests.get(&ticket);
        let warning = request.and_then(PendingRequest::reply_warning);
        self.place(ticket, &|agent, names| {
            Some(format!("{agent} proposes {names}"))
        });
        // It replaces the message about the proposal, which is on the screen.
        if let Some(warning) = warning {
            self.show(SessionChange::Warned(warning));
        }
    }

    /// Places a proposal in the current files and adds it to the review; one with nothing to decide is answered at
    /// once.
    pub(super) fn place(&mut self, ticket: u64, told: &dyn Fn(&str, &str) -> Option<String>) {
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        request.decided = None;
        self.reopen_for_deciders(ticket);
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        let session = match request.source.place() {
            Ok(session) => session,
            Err(error) => {
                self.requests.remove(&ticket);
                return self.refuse(ticket, Denial::NoEdits, format!("{error:#}"));
            }
        };
        self.add_to_review(ticket, session, told);
    }

    pub(super) fn add_to_review(
        &mut self,
        ticket: u64,
        mut session: ReviewSession,
        told: &dyn Fn(&str, &str) -> Option<String>,
    ) {
        let taken = self.taken_before(ticket);
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        if !self.expected.is_empty() {
            let mut taken_whole = session.clone();
            taken_whole.decide(&Target::Rest, Decision::Accepted);
            if answer::is_allowed_already(request, &taken_whole, &self.expected) {
                return self.carry_out(ticket, taken_whole);
            }
        }
        let call = request.add_to_review(&mut session, &taken);
        let needs_nobody = request.is_hopeless(&session) || rejections::is_answered(&session);
        if request.held.is_empty() && needs_nobody {
            return self.carry_out(ticket, session);
        }
        let told = told(&request.call.agent, &PendingRequest::names(&session));
        let told = policy::with_summary(told, &session);
        let kept = request.remembered.take_if(|_| request.held.is_empty());
        self.show(SessionChange::Joined {
            call,
            files: session.files,
            kept,
            told,
        });
    }

    /// Returns the files for which an earlier proposal waits or an agent is about to write.
    fn taken_before(&self, ticket: u64) -> BTreeSet<RepoPath> {
        let earlier = self.requests.range(..ticket);
        let files = earlier.flat_map(|(_, request)| request.files.iter().cloned());
        let awaited = self.expected.iter().map(|expected| expected.file.clone());
        files.chain(awaited).collect()
    }

    /// Withdraws the proposal of a client that has ended or changed its mind.
    fn withdraw(&mut self, ticket: u64) {
        self.context
            .server
            .answer(ticket, |id| ReviewerMessage::Withdrawn { id });
        if self.stop_waiting(ticket) {
            return;
        }
        self.preparing.remove(&ticket);
        self.keep();
        if let Some(request) = self.requests.remove(&ticket) {
            self.refuse_deciders(ticket, "the proposal was withdrawn before it was answered");
            let agent = &request.call.agent;
            self.show_withdrawn(ticket, format!("{agent} has withdrawn its proposal"));
        }
    }

    /// Records the decisions of the person.
    fn hear(&mut self, told: DecisionMessage) {
        let DecisionMessage { decided, imprints } = told;
        self.imprints.extend(imprints);
        let mut decided: BTreeMap<u64, DecidedCall> =
            decided.into_iter().map(|one| (one.call, one)).collect();
        let mut quiet = Vec::new();
        for (ticket, request) in &mut self.requests {
            request.decided = decided.remove(ticket).map(|now| {
                let wait = if now.wordless {
                    self.context.timing.grace
                } else {
                    Duration::ZERO
                };
                if !wait.is_zero() {
                    quiet.push(request.call.agent.clone());
                }
                let due = Instant::now() + wait;
                (due, now.session)
            });
        }
        self.confirm_deciders();
        if let Some(agent) = quiet.first() {
            let seconds = self.context.timing.grace.as_secs_f32();
            let keymap = settings::keymap(&self.context.config).0;
            let key = |command| keymap.key_for(KeyContext::Stream, command);
            let (why, back) = (key(Command::Comment(About::Hunk)), key(Command::Undo));
            self.say(format!(
                "{agent} gets the answer in {seconds} s; {why} adds a reason, {back} undoes it"
            ));
        }
    }

    /// Places all proposals again whose files have changed.
    fn look_again(&mut self) {
        let tickets: Vec<u64> = self.requests.keys().copied().collect();
        for ticket in tickets {
            let Some(request) = self.requests.get_mut(&ticket) else {
                continue;
            };
            let Some(placed) = request.source.place_anew() else {
                continue;
            };
            request.decided = None;
            let changed = placed.changed.join(", ");
            self.reopen_for_deciders(ticket);
            self.add_to_review(ticket, placed.session, &|_, _| {
                Some(format!("{changed}: changed on disk, placed again"))
            });
        }
    }

    /// Continues proposals whose files are free now.
    fn release(&mut self) {
        let now = Instant::now();
        let root = &self.context.root;
        self.expected
            .retain(|expected| now < expected.until && !expected.has_come(root));
        let waiting: Vec<u64> = (self.requests.iter())
            .filter(|(_, request)| !request.held.is_empty())
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in waiting {
            let taken = self.taken_before(ticket);
            let free = |request: &PendingRequest| !request.held.is_subset(&taken);
            if self.requests.get(&ticket).is_some_and(free) {
                self.place(ticket, &|agent, names| {
                    Some(format!("next for {names}: {agent}"))
                });
            }
        }
    }

    pub(super) fn say(&self, told: String) {
        self.show(SessionChange::Said(told));
    }

    pub(super) fn show(&self, change: SessionChange) {
        // A screen that has ended shows nothing more.
        let _ = self.context.screen.send(change);
    }
}
