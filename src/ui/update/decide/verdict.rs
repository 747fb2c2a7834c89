//! Decisions that verdicts lead to.

use crate::review::{Decision, Mark};
use crate::ui::command::Verdict;

/// Returns the decision of a verdict for a mark.
pub(crate) fn decision(verdict: Verdict, mark: Mark) -> Decision {
    match (verdict, mark) {
        (Verdict::Accept, _) | (Verdict::Toggle, Mark::Undecided | Mark::Mixed) => {
            Decision::Accepted
        }
        (Verdict::Reject, _) | (Verdict::Toggle, Mark::Accepted) => Decision::Rejected,
        (Verdict::Clear, _) | (Verdict::Toggle, Mark::Rejected) => Decision::Undecided,
    }
}

pub(crate) fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Undecided => "undecided again",
        Decision::Accepted | Decision::Rejected => decision.name(),
    }
}
