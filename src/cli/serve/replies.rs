//! How the desk replies: what was decided is carried out when it is due, and who asked is told.

use std::time::Instant;

use super::answer::{self, Answer};
use super::caller::Caller;
use super::desk::Desk;
use crate::agent::{Denial, Refused, Reply};
use crate::app::finished_reviews;
use crate::review::{ReviewSession, Stance, Standing, Writing};
use crate::store::StateError;
use crate::ui::{Change, Ending};

impl Desk {
    /// Carries out what was decided long enough ago.
    pub(super) fn carry_out_what_is_due(&mut self) {
        let now = Instant::now();
        let due = |caller: &Caller| caller.decided.as_ref().is_some_and(|(at, _)| *at <= now);
        let due: Vec<u64> = (self.callers.iter())
            .filter(|(_, caller)| due(caller))
            .map(|(ticket, _)| *ticket)
            .collect();
        for ticket in due {
            let decided = self
                .callers
                .get_mut(&ticket)
                .and_then(|caller| caller.decided.take());
            if let Some((_, session)) = decided {
                self.carry_out(ticket, session);
            }
        }
    }

    /// Writes what was decided about a proposal, or lets the agent write it, and answers. If files have changed meanwhile it
    /// is placed anew instead.
    pub(super) fn carry_out(&mut self, ticket: u64, session: ReviewSession) {
        let Some(caller) = self.callers.get_mut(&ticket) else {
            return;
        };
        let answer = answer::carry_out(caller, session);
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
    fn give(&mut self, ticket: u64, answer: &Answer) {
        let Some(caller) = self.callers.remove(&ticket) else {
            return;
        };
        let again = self.failures.note(&caller.call.agent, &answer.report);
        let verdict = answer.verdict(&caller, &again);
        let (root, call) = (caller.source.root(), &caller.call);
        // Where nothing can be kept the log has no word of it; the answer has.
        let _: Result<(), StateError> = finished_reviews::keep_of(
            root,
            "serve",
            Some(&call.agent),
            &call.intent,
            &answer.report,
            verdict.approved(),
        );
        let until = Instant::now() + self.room.manner.writes_within;
        self.expected.extend(answer.expected(&caller, until));
        let told = answer.told(&caller);
        self.imprints.remove(&ticket);
        if let Some(kept) = &caller.kept {
            // What stays is forgotten in a month.
            let _ = kept.remove();
        }
        let verdict = Box::new(verdict);
        self.room
            .door
            .answer(ticket, |id| Reply::Verdict { id, verdict });
        self.show(Change::Left {
            call: ticket,
            standing: Standing::Answered,
            told,
        });
    }

    /// Answers everybody as far as that was decided. Who is not answered is told by the door that nobody has decided.
    pub(super) fn close(mut self, session: &ReviewSession, ending: Ending) {
        self.keep();
        match ending {
            Ending::Keep | Ending::Aborted => return,
            Ending::Write | Ending::Discard => (),
        }
        let tickets: Vec<u64> = self.callers.keys().copied().collect();
        for ticket in tickets {
            let Some(caller) = self.callers.get_mut(&ticket) else {
                continue;
            };
            let joined = session.calls.iter().any(|own| own.call.number == ticket);
            let decided = if joined && caller.held.is_empty() {
                Some(session.of_call(ticket))
            } else {
                caller.source.place().ok()
            };
            let Some(mut decided) = decided else {
                continue;
            };
            if ending == Ending::Discard {
                // What stands already stays, and nobody has said that it may.
                if decided.stance() == Stance::Standing {
                    continue;
                }
                decided.reject_all();
            }
            let answer = answer::carry_out(caller, decided);
            self.give(ticket, &answer);
        }
    }

    /// Answers a proposal that cannot be reviewed.
    pub(super) fn refuse(&self, ticket: u64, code: Denial, message: String) {
        self.room.door.answer(ticket, |id| {
            Reply::Refused(Refused {
                id: Some(id),
                code,
                message,
            })
        });
    }
}
