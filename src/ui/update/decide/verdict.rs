//! Decisions that verdicts lead to.

use crate::review::{Decision, Mark};
use crate::ui::command::DecideAction;

/// Returns the decision of a verdict for a mark.
pub(crate) fn decision(verdict: DecideAction, mark: Mark) -> Decision {
    match (verdict, mark) {
        (DecideAction::Accept, _) | (DecideAction::Toggle, Mark::Undecided | Mark::Mixed) => {
            Decision::Accepted
        }
        (DecideAction::Reject, _) | (DecideAction::Toggle, Mark::Accepted) => Decision::Rejected,
        (DecideAction::Clear, _) | (DecideAction::Toggle, Mark::Rejected) => Decision::Undecided,
    }
}

pub(crate) fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Undecided => "undecided again",
        Decision::Accepted | Decision::Rejected => decision.name(),
    }
}
