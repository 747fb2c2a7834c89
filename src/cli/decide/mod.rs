//! `countersign decide`: the pending proposals of the open reviewer, listed, shown and decided from another terminal.

mod text;

use std::io;

use rustix::termios::tcgetwinsize;

use super::exit::Exit;
use super::output;
use super::server_args::{DecideArgs, DecisionArg};
use super::shared_args::ReportForm;
use crate::agent::{self, PendingDocument};
use crate::review::{Decision, Status};
use text::ListedProposals;

/// Width of text that goes to no terminal.
const WIDTH: usize = 100;

/// Lists, shows or decides.
pub(super) fn run(args: &DecideArgs) -> anyhow::Result<Exit> {
    let pending = match (&args.proposal, args.verdict) {
        (Some(proposal), Some(verdict)) => {
            let (hunks, comment) = (args.hunks.clone(), args.comment.clone());
            agent::decide(&args.root, proposal, decision(verdict), hunks, comment)?
        }
        (proposal, _) => agent::pending(&args.root, proposal.as_deref())?,
    };
    let text = match args.report {
        ReportForm::Json => serde_json::to_string_pretty(&pending)? + "\n",
        ReportForm::Text | ReportForm::Agent => {
            text::page(&pending, shown(args), &args.root, width())
        }
    };
    output::report_failure(output::write(&text));
    Ok(exit(&pending))
}

fn shown(args: &DecideArgs) -> ListedProposals {
    match args.proposal {
        Some(_) => ListedProposals::One,
        None => ListedProposals::All,
    }
}

fn decision(verdict: DecisionArg) -> Decision {
    match verdict {
        DecisionArg::Accept => Decision::Accepted,
        DecisionArg::Reject => Decision::Rejected,
    }
}

/// Returns the exit code: a decision that left hunks out is one in part.
fn exit(pending: &PendingDocument) -> Exit {
    match &pending.decided {
        Some(decided) if decided.status == Some(Status::Failed) => Exit::Failed,
        Some(decided) if !decided.left_out.is_empty() => Exit::Partial,
        Some(_) | None => Exit::Done,
    }
}

/// Returns the width of the terminal.
fn width() -> usize {
    let size = tcgetwinsize(io::stdout()).ok();
    let columns = size.map(|size| usize::from(size.ws_col));
    columns.filter(|columns| *columns > 0).unwrap_or(WIDTH)
}
