//! Message from the screen to the scheduler: proposals that are decided, and snapshots of the others.

use crate::review::{FileReview, HunkReview, Imprint, Mark, ReviewSession};

/// Decisions of the person so far.
pub(super) struct DecisionMessage {
    /// The proposals of which nothing is left to decide.
    pub(super) decided: Vec<DecidedCall>,
    /// Snapshots of all proposals, for autosave.
    pub(super) imprints: Vec<(u64, Imprint)>,
}

/// A proposal of which nothing is left to decide.
pub(super) struct DecidedCall {
    pub(super) call: u64,
    /// It alone.
    pub(super) session: ReviewSession,
    /// True if something is rejected without a comment.
    pub(super) wordless: bool,
}

impl DecisionMessage {
    pub(super) fn of(session: &ReviewSession) -> Self {
        let calls = || session.calls.iter().map(|call| call.call.number);
        Self {
            decided: calls()
                .filter(|&call| session.is_decided(call))
                .map(|call| DecidedCall::of(session, call))
                .collect(),
            imprints: calls()
                .map(|call| (call, Imprint::of_call(session, call)))
                .collect(),
        }
    }
}

impl DecidedCall {
    fn of(session: &ReviewSession, call: u64) -> Self {
        let session = session.of_call(call);
        let rejects = |hunk: &HunkReview| matches!(hunk.mark(), Some(Mark::Rejected | Mark::Mixed));
        let rejected = session.hunks().any(|(_, hunk)| rejects(hunk));
        let said = session.comment.is_some() || session.files.iter().any(FileReview::is_commented);
        Self {
            call,
            wordless: rejected && !said,
            session,
        }
    }
}
