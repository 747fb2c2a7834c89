//! Events that reach the scheduler: from clients, the screen, layers and the notification command.

use super::decision_message::DecisionMessage;
use crate::agent::{ClientEvent, Denial, PendingDocument, RemoteDecided};
use crate::review::ReviewSession;
use crate::ui::Ending;

/// Event for the scheduler.
pub(super) enum SchedulerEvent {
    Client(ClientEvent),
    /// Decisions or comments of the person.
    Decision(DecisionMessage),
    /// A call is to be placed with another precision, in hundredths.
    Match {
        /// Its number.
        call: u64,
        /// The precision.
        percent: u8,
    },
    /// The changes in a layer of `countersign run` are others than before.
    Layer {
        id: String,
    },
    /// The screen has answered another terminal.
    Answered {
        /// The ticket of the request.
        ticket: u64,
        answer: RemoteAnswer,
    },
    /// A withdrawn call has left the screen, with all that the person wrote about it.
    LeftScreen {
        /// Its number.
        call: u64,
        /// It alone.
        session: Box<ReviewSession>,
    },
    /// The screen has listed the pending proposals for a notification.
    Overview(Overview),
    /// A notification command has ended; with the reason if it has failed.
    Notified(Option<String>),
    /// A new proposal, by its ticket, can be shown.
    Prepared(u64),
    /// A file may have changed on disk.
    Touched,
    /// The review has ended.
    Ended(Box<ReviewSession>, Ending),
}

/// Answer of the screen to another terminal.
pub(super) enum RemoteAnswer {
    /// The pending proposals.
    Pending(PendingDocument),
    /// The result of a decision, and the proposal if nothing of it is left to decide.
    Decided(RemoteDecided, Option<u64>),
    /// Nothing is shown or decided, for this reason.
    Refused(Denial, String),
}

/// The pending proposals, for a notification.
pub(super) struct Overview {
    pub(super) pending: PendingDocument,
    /// The ids of those that the person was not notified of before.
    pub(super) new: Vec<String>,
    /// The number of all.
    pub(super) count: usize,
    /// All in one sentence.
    pub(super) message: String,
}
