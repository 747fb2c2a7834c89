//! Proposals that wait for a verdict, each on a thread of its own, and the tickets by which they are found again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use crate::agent::{
    Asking, Cancel, ClientError, ProposalProgress, Submission, Verdict, ask_or_open,
};

/// The proposals that no call waits for at the moment.
#[derive(Debug, Default)]
pub(super) struct Tickets(Mutex<BTreeMap<String, PendingTicket>>);

/// A proposal that waits.
#[derive(Debug)]
pub(super) struct PendingTicket {
    /// The ticket's name.
    pub(super) ticket: String,
    /// Receiver of the status.
    pub(super) told: watch::Receiver<TicketStatus>,
    cancel: Cancel,
}

/// Status of a pending proposal.
#[derive(Debug, Clone)]
pub(super) enum TicketStatus {
    /// It is on its way to the reviewer.
    Sent,
    /// It is in the queue, at this place from 1.
    Queued(usize),
    /// It is decided, or cannot be.
    Done(Arc<Result<Verdict, String>>),
}

impl Tickets {
    /// Keeps a proposal for a later call.
    pub(super) fn keep(&self, pending: PendingTicket) {
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.insert(pending.ticket.clone(), pending);
    }

    /// The proposal of a ticket, for one call to wait for.
    pub(super) fn take(&self, ticket: &str) -> Option<PendingTicket> {
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.remove(ticket)
    }
}

impl PendingTicket {
    /// Hands a proposal to the reviewer of a folder; where there is none, one is opened, by a command of the person's own if
    /// there is one.
    pub(super) fn ask(
        folder: &Path,
        overlay: Option<&str>,
        submission: Submission,
    ) -> std::io::Result<Self> {
        let (tell, told) = watch::channel(TicketStatus::Sent);
        let (cancel, ticket) = (Cancel::new(), submission.id.clone());
        let (folder, cancelled) = (folder.to_owned(), cancel.clone());
        let overlay = overlay.map(str::to_owned);
        std::thread::Builder::new()
            .name("asking".to_owned())
            .spawn(move || {
                let asking = Asking {
                    deadline: None,
                    cancel: &cancelled,
                };
                let own = overlay.as_deref();
                let answer = ask_or_open(&folder, &submission, own, asking, &mut |progress| {
                    if let ProposalProgress::Queued(position) = progress {
                        tell.send_replace(TicketStatus::Queued(position));
                    }
                });
                let answer = answer.map_err(|error| failure(&error));
                tell.send_replace(TicketStatus::Done(Arc::new(answer)));
            })?;
        Ok(Self {
            ticket,
            told,
            cancel,
        })
    }

    /// Returns the result, if there is one.
    pub(super) fn done(&self) -> Option<Arc<Result<Verdict, String>>> {
        match &*self.told.borrow() {
            TicketStatus::Done(answer) => Some(Arc::clone(answer)),
            TicketStatus::Sent | TicketStatus::Queued(_) => None,
        }
    }

    /// Returns the status in words.
    pub(super) fn words(&self) -> String {
        match &*self.told.borrow() {
            TicketStatus::Sent => "on its way to the reviewer".to_owned(),
            TicketStatus::Queued(1) => "waiting for the person to decide".to_owned(),
            TicketStatus::Queued(position) => {
                format!("number {position} in the queue of the reviewer")
            }
            TicketStatus::Done(_) => "decided".to_owned(),
        }
    }
}

impl Drop for PendingTicket {
    /// A proposal that nobody waits for any more is withdrawn.
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// Why there is no verdict, for the model.
fn failure(error: &ClientError) -> String {
    let known = if error.is_sure() {
        ""
    } else {
        ", as far as is known"
    };
    let hint = error.hint();
    format!("{error}; nothing is written{known}. To do: {hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_not_said() {
        let sure = failure(&ClientError::TimeUp);
        assert!(sure.contains("; nothing is written. To do: "), "{sure}");
        let unsure = failure(&ClientError::Gone);
        assert!(unsure.contains(", as far as is known. To do: "), "{unsure}");
    }
}
