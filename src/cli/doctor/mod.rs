//! `countersign doctor`: checks what works here, and tries the installed gates.

mod findings;
mod gates;
#[cfg(feature = "mcp")]
mod probes;
mod protection;
mod switches;
mod terminal;

use std::path::Path;

use super::agent_args::DoctorArgs;
use super::exit::Exit;
use super::output;
use super::shared_args::ReportForm;
use crate::agent::hook::Agent;
use crate::agent::served_root;
use crate::store::{IGNORE_FILES, Root};
use findings::{Finding, FindingState, text};
use gates::GateState;

/// Checks everything. Ends with [`Exit::Refused`] if something does not work, and with [`Exit::Partial`] if a gate is not tried.
pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    let mut findings = terminal::terminal();
    findings.push(terminal::overlay());
    findings.push(reviewer(&args.root));
    // The clients take their time to tell their versions.
    let checks = std::thread::scope(|scope| {
        let checks = Agent::ALL.map(|agent| scope.spawn(move || gates::check(agent, args)));
        checks.map(std::thread::ScopedJoinHandle::join)
    });
    let (mut gated, mut untried) = (Vec::new(), Vec::new());
    for check in checks {
        let checked = match check {
            Ok(checked) => checked?,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        findings.extend(checked.findings);
        match checked.gates {
            GateState::Holds => gated.push(checked.agent),
            GateState::Untried => untried.push(checked.agent),
            GateState::Nothing => (),
        }
    }
    findings.extend(protection::layers()?);
    findings.push(protection::protection(&root, &gated, &untried)?);
    findings.push(ignore_files(&root));
    output::write(&match args.report {
        ReportForm::Text | ReportForm::Agent => text(&findings),
        ReportForm::Json => serde_json::to_string_pretty(&findings)? + "\n",
    })?;
    let has = |state| findings.iter().any(|finding| finding.state == state);
    Ok(if has(FindingState::Bad) {
        Exit::Refused
    } else if has(FindingState::Untried) {
        Exit::Partial
    } else {
        Exit::Done
    })
}

fn reviewer(folder: &Path) -> Finding {
    match served_root(folder) {
        Ok(root) => Finding::new(
            "reviewer",
            FindingState::Good,
            format!("one serves `{}`", root.display()),
        ),
        Err(error) => {
            Finding::new("reviewer", FindingState::Absent, error.to_string()).hint(error.hint())
        }
    }
}

fn ignore_files(root: &Root) -> Finding {
    let there: Vec<&str> = IGNORE_FILES
        .into_iter()
        .filter(|name| root.path().join(name).is_file())
        .collect();
    if there.is_empty() {
        return Finding::new(
            "ignore files",
            FindingState::Absent,
            "none; files that git ignores are not kept from agents",
        );
    }
    Finding::new(
        "ignore files",
        FindingState::Good,
        format!("{} obeyed", there.join(", ")),
    )
}
