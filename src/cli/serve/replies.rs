//! Replies of the scheduler: carries out decisions when they are due, and answers the agents.

use std::time::Instant;

use super::answer::{self, CarriedOut};
use super::request::PendingRequest;
use super::scheduler::Scheduler;
use crate::agent::{Denial, Refused, ReviewerMessage};
use crate::app::{finished_reviews, rejections};
use crate::review::{ReviewSession, Stance, Standing, Writing};
use crate::store::StateError;
use crate::ui::{Ending, SessionChange};

impl Scheduler {
    /// Carries out what was decided long enough ago.
    pub(super) fn carry_out_what_is_due(&mut self) {
        let now = Instant::now();
        let due =
            |request: &PendingRequest| request.decided.as_ref().is_some_and(|(at, _)| *at <= now);
        let due: Vec<u64> = (self.requests.iter())
            .filter(|(_, request)| due(request))
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in due {
            let decided = self
                .requests
                .get_mut(&ticket)
                .and_then(|request| request.decided.take());
            if let Some((_, session)) = decided {
                self.carry_out(ticket, session);
            }
        }
    }

    /// Writes what was decided about a proposal, or lets the agent write it, and answers. If files have changed meanwhile it
    /// is placed again instead.
    pub(super) fn carry_out(&mut self, ticket: u64, session: ReviewSession) {
        let Some(request) = self.requests.get_mut(&ticket) else {
            return;
        };
        let answer = answer::carry_out(request, session);
        if let Writing::Conflict { paths, .. } = &answer.writing {
            let changed = paths.join(", ");
            return self.place(ticket, &|_, _| {
                Some(format!(
                    "{changed}: changed on disk, nothing is written yet"
                ))
            });
        }
        self.give(ticket, &answer);
    }

    /// Answers a proposal, which leaves the review, and remembers what became of it.
    fn give(&mut self, ticket: u64, answer: &CarriedOut) {
        let Some(mut request) = self.requests.remove(&ticket) else {
            return;
        };
        let again = self.failures.note(&request.call.agent, &answer.report);
        let verdict = answer.verdict(&request, &again);
        let (root, call) = (request.source.root(), &request.call);
        // Where nothing can be kept the log has no word of it; the answer has.
        let _: Result<(), StateError> = finished_reviews::keep_of(
            root,
            "serve",
            Some(&call.agent),
            &call.intent,
            &answer.report,
            verdict.approved(),
        );
        let until = Instant::now() + self.context.timing.writes_within;
        rejections::keep(root, &answer.rejections);
        self.expected.extend(answer.expected(&request, until));
        let waits = request.waiting.is_some();
        let concluded = (request.source).conclude(&answer.session, &answer.writing, waits);
        let remark = concluded.unwrap_or_else(|error| Some(format!("{error:#}")));
        let told: Vec<String> = [Some(answer.status_message(&request)), remark]
            .into_iter()
            .flatten()
            .collect();
        let told = told.join("; ");
        self.imprints.remove(&ticket);
        if let Some(kept) = &request.kept {
            // What stays is forgotten in a month.
            let _ = kept.remove();
        }
        let verdict = Box::new(verdict);
        self.context
            .server
            .answer(request.waiting.unwrap_or(ticket), |id| {
                ReviewerMessage::Verdict { id, verdict }
            });
        self.answer_deciders(ticket, &told, answer.report.status);
        self.show(SessionChange::Left {
            call: ticket,
            standing: Standing::Answered,
            told,
            last: None,
        });
    }

    /// Answers every agent with the decisions so far. The server answers the rest when it closes.
    pub(super) fn close(mut self, session: &ReviewSession, ending: Ending) {
        self.keep();
        for call in std::mem::take(&mut self.withdrawn) {
            self.keep_comments(&session.of_call(call));
        }
        match ending {
            Ending::Keep | Ending::Aborted => return,
            Ending::Write | Ending::Discard => (),
        }
        let tickets: Vec<u64> = self.requests.keys().copied().collect();
        for ticket in tickets {
            let Some(request) = self.requests.get_mut(&ticket) else {
                continue;
            };
            // What the command in a layer has written is no rejected proposal: what is not decided stays there.
            if request.is_of_layer && (ending == Ending::Discard || !session.is_decided(ticket)) {
                continue;
            }
            let joined = session.calls.iter().any(|own| own.call.number == ticket);
            let decided = if joined && request.held.is_empty() {
                Some(session.of_call(ticket))
            } else {
                request.source.place().ok()
            };
            let answer = match decided {
                None => continue,
                Some(decided) if ending != Ending::Discard => answer::carry_out(request, decided),
                // Edits that were written already stay, but nobody has accepted them.
                Some(decided) if decided.stance() == Stance::Standing => continue,
                Some(decided) => answer::discard(request, decided),
            };
            self.give(ticket, &answer);
        }
    }

    /// Answers a proposal that cannot be reviewed.
    pub(super) fn refuse(&self, ticket: u64, code: Denial, message: String) {
        self.context.server.answer(ticket, |id| {
            ReviewerMessage::Refused(Refused {
                id: Some(id),
                code,
                message,
            })
        });
    }
}
