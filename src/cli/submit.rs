//! `countersign submit`: any script's way to a person.

use std::path::{Path, PathBuf};
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::exit::Exit;
use super::server_args::SubmitArgs;
use super::shared_args::ReportForm;
use super::{input, output, settings};
use crate::agent::{
    Cancel, MOST_BYTES, ProposalProgress, SeenFile, Submission, Verdict, WriteMode,
};
use crate::app::ask_reviewer::{self, OverlayPolicy};
use crate::app::input::InputError;
use crate::store::read_regular_text;

/// Hands edits to the reviewer, and prints what became of them.
pub(super) fn run(args: &SubmitArgs) -> anyhow::Result<Exit> {
    let settings = settings::load(&args.settings, &args.root)?.settings;
    let submission = Submission {
        format: (args.input.format.0).map(|dialect| dialect.name().to_owned()),
        path: args.input.path.clone(),
        session: args.session.clone(),
        seen: (args.seen.iter())
            .map(read_seen)
            .collect::<Result<_, _>>()?,
        mode: if args.agent_writes {
            WriteMode::AgentWrites
        } else {
            WriteMode::Write
        },
        partial: !args.whole,
        ..Submission::new(&args.agent, input::texts(&args.input)?.join("\n"))
    };
    let cancel = Cancel::new();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, cancel.flag())?;
    }
    let overlay = if args.no_overlay {
        OverlayPolicy::Never
    } else {
        OverlayPolicy::Opened(&settings)
    };
    let deadline = args.wait.map(|wait| Instant::now() + wait);
    let verdict = ask(&args.root, &submission, overlay, deadline, &cancel)?;
    Ok(print(&verdict, args.report))
}

/// Reads a file as the agent saw it.
fn read_seen((path, file): &(String, PathBuf)) -> Result<SeenFile, InputError> {
    let text = read_regular_text(file, MOST_BYTES as u64);
    let text = text.map_err(|source| InputError::Unreadable {
        path: file.clone(),
        source,
    })?;
    let path = path.clone();
    Ok(SeenFile { path, text })
}

fn ask(
    root: &Path,
    submission: &Submission,
    overlay: OverlayPolicy<'_>,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> anyhow::Result<Verdict> {
    let verdict = ask_reviewer::ask(
        root,
        submission,
        overlay,
        deadline,
        cancel,
        &mut say_progress,
    )?;
    Ok(verdict)
}

/// Prints the place of a proposal among those that wait.
fn say_progress(progress: ProposalProgress) {
    match progress {
        ProposalProgress::Queued(1) => output::say("handed over; waiting for the reviewer"),
        ProposalProgress::Queued(at) => {
            output::say(&format!(
                "handed over; {at} proposals wait for the reviewer"
            ));
        }
        ProposalProgress::Waiting => (),
    }
}

/// Prints a verdict, and tells what it comes to.
fn print(verdict: &Verdict, form: ReportForm) -> Exit {
    let text = match form {
        ReportForm::Text | ReportForm::Agent => Ok(verdict.message.clone()),
        ReportForm::Json => serde_json::to_string_pretty(verdict).map(|json| json + "\n"),
    };
    output::report_failure(
        text.map_err(Into::into)
            .and_then(|text| output::write(&text)),
    );
    Exit::from(verdict.status)
}
