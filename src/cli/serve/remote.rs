//! Questions and decisions of other terminals: `countersign decide`.
//!
//! The session is on the screen, so the screen answers: the scheduler hands it a function and gets the answer as an event. A
//! decision that leaves nothing open is answered when its proposal is, with what was written.

use std::collections::BTreeMap;
use std::time::Duration;

use super::event::{RemoteAnswer, SchedulerEvent};
use super::overview::{OverviewDetail, files_of, named_hunks, proposal_id, proposals};
use super::scheduler::{Decider, Scheduler};
use crate::agent::{
    Denial, PendingDocument, PendingQuestion, RemoteDecided, RemoteDecision, ReviewerMessage,
};
use crate::review::{
    Decision, FileReview, HunkId, HunkReview, Mark, ReviewSession, Standing, Status, Target,
    left_out,
};
use crate::text::plural;
use crate::ui::{SessionChange, SessionDecider, SessionReader};

impl Scheduler {
    /// Answers a question about the pending proposals.
    pub(super) fn list_pending(&mut self, ticket: u64, question: PendingQuestion) {
        let waiting = self.waiting();
        let takes_decisions = Some(self.context.takes_remote_decisions);
        self.read_session(ticket, move |session| {
            let wanted = question.proposal;
            let mut listed = proposals(session, &waiting, |id| match &wanted {
                Some(wanted) if wanted == id => OverviewDetail::Lines,
                Some(_) | None => OverviewDetail::Outline,
            });
            if let Some(wanted) = &wanted {
                if let Err((code, why)) = find(session, wanted) {
                    return RemoteAnswer::Refused(code, why);
                }
                listed.retain(|proposal| proposal.id == *wanted);
            }
            RemoteAnswer::Pending(PendingDocument {
                takes_decisions,
                ..PendingDocument::of(listed)
            })
        });
    }

    /// Hands a decision of another terminal to the screen.
    pub(super) fn decide_remotely(&mut self, ticket: u64, decision: RemoteDecision) {
        if !self.context.takes_remote_decisions {
            let why = "this reviewer takes decisions at its screen only".to_owned();
            return self.refuse(ticket, Denial::NotAllowed, why);
        }
        let events = self.context.events.clone();
        let decider = Box::new(move |session: Option<&mut ReviewSession>| {
            let answer = match session {
                Some(session) => decide(session, &decision),
                None => RemoteAnswer::Refused(
                    Denial::Busy,
                    "an edit, a comment, a selection or a question is open on the screen"
                        .to_owned(),
                ),
            };
            let message = match &answer {
                RemoteAnswer::Decided(decided, _) => {
                    Some(format!("from another terminal: {}", decided.message))
                }
                RemoteAnswer::Pending(_) | RemoteAnswer::Refused(..) => None,
            };
            // A scheduler that has ended has refused all requests.
            let _ = events.send(SchedulerEvent::Answered { ticket, answer });
            message
        });
        self.show(SessionChange::Decided(SessionDecider(decider)));
    }

    /// Passes the answer of the screen on; a decision that leaves nothing open is answered with its proposal.
    pub(super) fn answer_remote(&mut self, ticket: u64, answer: RemoteAnswer) {
        match answer {
            RemoteAnswer::Pending(pending) => self.reply(ticket, pending),
            RemoteAnswer::Refused(code, why) => self.refuse(ticket, code, why),
            RemoteAnswer::Decided(decided, None) => self.reply_decided(ticket, decided),
            RemoteAnswer::Decided(decided, Some(call)) => self.deciders.push(Decider {
                ticket,
                call,
                decided,
                is_confirmed: false,
            }),
        }
    }

    /// Notes that the decisions have arrived with the session; those that were taken back at the screen are answered.
    pub(super) fn confirm_deciders(&mut self) {
        let mut taken_back = Vec::new();
        for decider in &mut self.deciders {
            let is_decided =
                (self.requests.get(&decider.call)).is_some_and(|request| request.decided.is_some());
            if is_decided {
                decider.is_confirmed = true;
            } else if decider.is_confirmed {
                taken_back.push(decider.call);
            }
        }
        for call in taken_back {
            self.refuse_deciders(call, "the decision was taken back at the screen");
        }
    }

    /// Answers the decisions about a proposal that is placed again.
    pub(super) fn reopen_for_deciders(&mut self, call: u64) {
        self.refuse_deciders(
            call,
            "the proposal was placed again before it was answered: nothing is written yet",
        );
    }

    /// Answers the decisions about a proposal that was not carried out.
    pub(super) fn refuse_deciders(&mut self, call: u64, why: &str) {
        for decider in self.take_deciders(call) {
            self.refuse(decider.ticket, Denial::Changed, why.to_owned());
        }
    }

    /// Answers the decisions about a proposal that was answered.
    pub(super) fn answer_deciders(&mut self, call: u64, message: &str, status: Status) {
        for decider in self.take_deciders(call) {
            let decided = RemoteDecided {
                status: Some(status),
                message: format!("{}; {message}", decider.decided.message),
                ..decider.decided
            };
            self.reply_decided(decider.ticket, decided);
        }
    }

    /// Returns the time that every proposal has waited.
    pub(super) fn waiting(&self) -> BTreeMap<u64, Duration> {
        let requests = self.requests.iter();
        requests
            .map(|(call, request)| (*call, request.arrived.elapsed()))
            .collect()
    }

    /// Has the screen read the session for an answer.
    fn read_session(
        &self,
        ticket: u64,
        read: impl FnOnce(&ReviewSession) -> RemoteAnswer + Send + 'static,
    ) {
        let events = self.context.events.clone();
        let reader = Box::new(move |session: &ReviewSession| {
            let answer = read(session);
            // A scheduler that has ended has refused all requests.
            let _ = events.send(SchedulerEvent::Answered { ticket, answer });
        });
        self.show(SessionChange::Asked(SessionReader(reader)));
    }

    fn take_deciders(&mut self, call: u64) -> Vec<Decider> {
        let (taken, left) = std::mem::take(&mut self.deciders)
            .into_iter()
            .partition(|decider| decider.call == call);
        self.deciders = left;
        taken
    }

    fn reply_decided(&self, ticket: u64, decided: RemoteDecided) {
        let pending = PendingDocument {
            takes_decisions: Some(self.context.takes_remote_decisions),
            decided: Some(decided),
            ..PendingDocument::of(Vec::new())
        };
        self.reply(ticket, pending);
    }

    fn reply(&self, ticket: u64, pending: PendingDocument) {
        let pending = Box::new(pending);
        (self.context.server).answer(ticket, |id| ReviewerMessage::Pending { id, pending });
    }
}

/// Returns the call of a proposal by its id, or the reason why there is none.
fn find(session: &ReviewSession, id: &str) -> Result<u64, (Denial, String)> {
    let calls = || session.calls.iter().map(|own| &own.call);
    let same_number = |known: &str| known.split('-').next() == id.split('-').next();
    let known = calls().map(|call| (call, proposal_id(session, call.number)));
    let known: Vec<_> = known.filter(|(_, known)| same_number(known)).collect();
    match known.first() {
        Some((call, known)) if known == id => Ok(call.number),
        Some((call, known)) => {
            let files = files_of(session, call.number);
            let names: Vec<&str> = files.iter().map(|(_, file)| file.path.as_str()).collect();
            let why = format!(
                "{}'s proposal for {} has changed since it was listed as {id}; it is {known} now",
                call.agent,
                names.join(", ")
            );
            Err((Denial::Changed, why))
        }
        None => Err((Denial::Unknown, format!("no proposal `{id}` waits"))),
    }
}

/// Decides in the session what another terminal asks for, all of it or nothing.
fn decide(session: &mut ReviewSession, wanted: &RemoteDecision) -> RemoteAnswer {
    let call = match find(session, &wanted.proposal) {
        Ok(call) => call,
        Err((code, why)) => return RemoteAnswer::Refused(code, why),
    };
    if wanted.decision == Decision::Undecided {
        let why = "a proposal is accepted or rejected".to_owned();
        return RemoteAnswer::Refused(Denial::Malformed, why);
    }
    let named = named_hunks(session, call);
    let chosen = match chosen(session, wanted, &named) {
        Ok(chosen) => chosen,
        Err((code, why)) => return RemoteAnswer::Refused(code, why),
    };
    let targets = chosen.decided.iter().map(|(_, id)| Target::Hunk(*id));
    session.decide_all(&targets.collect::<Vec<_>>(), wanted.decision);
    if let Some(comment) = wanted
        .comment
        .as_deref()
        .map(str::trim)
        .filter(|c| !c.is_empty())
    {
        say(session, call, wanted, &chosen, comment);
    }
    let undecided = (named.iter())
        .filter(|(_, id)| session.hunk(*id).is_some_and(HunkReview::is_open))
        .count();
    let mut decided = RemoteDecided {
        proposal: wanted.proposal.clone(),
        decision: wanted.decision,
        hunks: names(&chosen.decided),
        left_out: names(&chosen.left_out),
        undecided,
        status: None,
        message: String::new(),
    };
    decided.message = message(session, call, &decided);
    let is_whole = session.is_decided(call);
    RemoteAnswer::Decided(decided, is_whole.then_some(call))
}

/// Returns the names of hunks. The parts of a split hunk share one.
fn names(hunks: &[(String, HunkId)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in hunks {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// Describes what was decided, and what is left.
fn message(session: &ReviewSession, call: u64, decided: &RemoteDecided) -> String {
    let own = session.calls.iter().find(|own| own.call.number == call);
    let agent = own.map_or("", |own| own.call.agent.as_str());
    let word = decided.decision.name();
    let mut parts = vec![format!(
        "{agent}: {} {word}",
        plural(decided.hunks.len(), "hunk")
    )];
    if !decided.left_out.is_empty() {
        let words = left_out(decided.left_out.len());
        parts.push(format!("{words} ({})", decided.left_out.join(", ")));
    }
    if decided.undecided > 0 {
        parts.push(format!("{} undecided", decided.undecided));
    }
    let is_held = |(_, file): &(usize, &FileReview)| file.standing == Standing::Held;
    if files_of(session, call).iter().any(is_held) {
        parts.push("a file of it waits for an earlier proposal".to_owned());
    }
    parts.join(", ")
}

/// Hunks that a decision is about.
struct ChosenHunks {
    decided: Vec<(String, HunkId)>,
    /// Those that each need a decision of their own.
    left_out: Vec<(String, HunkId)>,
}

/// Returns the hunks that are named, or all that the person has not decided, of which a rule or an earlier review may have accepted some;
/// accepting those leaves out what may not be accepted with others, and what is decided in part at the screen.
fn chosen(
    session: &ReviewSession,
    wanted: &RemoteDecision,
    named: &[(String, HunkId)],
) -> Result<ChosenHunks, (Denial, String)> {
    let rejects = wanted.decision == Decision::Rejected;
    let is_decidable = |hunk: &HunkReview| hunk.is_decidable() || rejects && hunk.can_be_dropped();
    let decidable = |id: &HunkId| session.hunk(*id).is_some_and(is_decidable);
    if !wanted.hunks.is_empty() {
        let mut decided = Vec::new();
        for name in &wanted.hunks {
            let own = named.iter().filter(|(own, _)| own == name);
            let own: Vec<_> = own.filter(|(_, id)| decidable(id)).cloned().collect();
            if own.is_empty() {
                let why = format!("no hunk {name} of {} can be decided", wanted.proposal);
                return Err((Denial::Unknown, why));
            }
            decided.extend(own);
        }
        let left_out = Vec::new();
        return Ok(ChosenHunks { decided, left_out });
    }
    let open = named.iter().filter(|(_, id)| {
        let hunk = session.hunk(*id);
        decidable(id) && hunk.is_some_and(|hunk| hunk.is_open() || hunk.is_accepted_in_advance())
    });
    let (decided, left_out): (Vec<_>, Vec<_>) = open.cloned().partition(|(_, id)| {
        let (file, hunk) = (session.files.get(id.file), session.hunk(*id));
        file.zip(hunk).is_some_and(|(file, hunk)| {
            let is_undecided = hunk.mark() == Some(Mark::Undecided);
            hunk.is_accepted_in_advance()
                || is_undecided && file.may_be_decided_with_others(hunk, wanted.decision)
        })
    });
    if decided.is_empty() && left_out.is_empty() {
        let id = &wanted.proposal;
        let why = if named.is_empty() {
            format!("{id} waits: an earlier proposal is decided first")
        } else {
            format!("nothing of {id} is undecided")
        };
        return Err((Denial::Unknown, why));
    }
    Ok(ChosenHunks { decided, left_out })
}

/// Says something about the named hunks, or about the whole proposal, after what was said before.
fn say(
    session: &mut ReviewSession,
    call: u64,
    wanted: &RemoteDecision,
    chosen: &ChosenHunks,
    comment: &str,
) {
    if wanted.hunks.is_empty() {
        let file = files_of(session, call).first().map(|(at, _)| *at);
        let before = session.said_of_batch(file).map(str::to_owned);
        return session.say_of_batch(file, Some(added_comment(before, comment)));
    }
    for (_, id) in &chosen.decided {
        let before = session
            .hunk(*id)
            .and_then(|hunk| hunk.state.comment.clone());
        session.comment(*id, Some(added_comment(before, comment)));
    }
}

/// Returns a comment with another one below it.
fn added_comment(before: Option<String>, comment: &str) -> String {
    before.map_or_else(
        || comment.to_owned(),
        |before| format!("{before}\n{comment}"),
    )
}
