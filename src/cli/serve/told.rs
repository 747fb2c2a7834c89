//! What the screen tells the desk: which proposals are wholly decided, and what to write down of the others.

use crate::review::{FileReview, HunkReview, Imprint, Mark, ReviewSession};

/// What the person has decided so far.
pub(super) struct Told {
    /// The proposals of which nothing is left to decide.
    pub(super) decided: Vec<Decided>,
    /// What was made of every proposal, to be kept.
    pub(super) imprints: Vec<(u64, Imprint)>,
}

/// A proposal of which nothing is left to decide.
pub(super) struct Decided {
    pub(super) call: u64,
    /// It alone.
    pub(super) session: ReviewSession,
    /// Whether something is rejected and nobody has said why.
    pub(super) wordless: bool,
}

impl Told {
    pub(super) fn of(session: &ReviewSession) -> Self {
        let calls = || session.calls.iter().map(|call| call.call.number);
        Self {
            decided: calls()
                .filter(|&call| session.is_decided(call))
                .map(|call| Decided::of(session, call))
                .collect(),
            imprints: calls()
                .map(|call| (call, Imprint::of_call(session, call)))
                .collect(),
        }
    }
}

impl Decided {
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
