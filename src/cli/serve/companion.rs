//! The companion of Gemini CLI beside the reviewer: a diff that Gemini wants to show is a proposal like any other.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use crate::agent::Cancel;
use crate::agent::companion::{Companion, Diff, DiffOutcome, Opener, Showing};
use crate::agent::hook::{self, Agent, GateAnswer, HookCall, HookRequest};
use crate::agent::{FileDecision, Verdict};
use crate::cli::hook::review::Ready;

/// Opens the companion of a root.
pub(super) fn open(root: &Path) -> anyhow::Result<Companion> {
    let folder = root.to_owned();
    let opener: Opener =
        Arc::new(move |diff| show(&folder, diff).map_err(|error| format!("{error:#}")));
    Companion::open(root, opener)
        .map_err(|error| anyhow::anyhow!("there can be no companion for Gemini CLI: {error}"))
}

/// Looks whether a diff can be reviewed; what is wrong with it Gemini hears at once.
fn show(folder: &Path, diff: Diff) -> anyhow::Result<Showing> {
    let Diff { file, text } = diff;
    let asked = json!({
        "tool_name": "openDiff",
        "cwd": folder,
        "tool_input": {"filePath": file, "newContent": text},
    });
    let HookRequest::Write(call) = hook::read(Agent::Gemini, asked.to_string().as_bytes())? else {
        anyhow::bail!("`{}` cannot be reviewed", file.display());
    };
    let ready = Ready::new(call)?;
    Ok(Box::new(move |cancel: &Cancel| {
        // What fails here leaves the decision to Gemini's own window.
        let Ok(verdict) = ready.ask(None, cancel) else {
            return DiffOutcome::Undecided;
        };
        if stands_already(&verdict) {
            return DiffOutcome::Accepted(text);
        }
        match ready.answer(&verdict) {
            Ok(answer) => outcome(ready.call(), answer),
            Err(_) => DiffOutcome::Rejected,
        }
    }))
}

fn stands_already(verdict: &Verdict) -> bool {
    let stands = |decision| decision == FileDecision::AlreadyApplied;
    verdict.files.iter().all(|file| stands(file.decision)) && !verdict.files.is_empty()
}

fn outcome(call: &HookCall, answer: GateAnswer) -> DiffOutcome {
    let (GateAnswer::Allow { input, .. }, own) = (answer, &call.args) else {
        return DiffOutcome::Rejected;
    };
    let args = input.as_ref().unwrap_or(own);
    match args.get("newContent").and_then(|text| text.as_str()) {
        Some(text) => DiffOutcome::Accepted(text.to_owned()),
        None => DiffOutcome::Rejected,
    }
}
