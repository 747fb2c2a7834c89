//! Records of finished reviews: agents, intent, decisions.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::app::notice::say;
use crate::review::{Report, ReviewSession};
use crate::store::{Root, StateError};

/// The name and version of the form.
const SCHEMA: &str = "countersign-review/1";

/// A review that was finished.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Finished {
    /// The name and version of this form.
    pub(crate) schema: String,
    /// When it was finished, in seconds since 1970.
    pub(crate) time: u64,
    /// The command that it was made with.
    pub(crate) command: String,
    /// The agents that asked, as far as they said who they are.
    pub(crate) agents: Vec<String>,
    /// Intent of the agents, in their words.
    pub(crate) intent: String,
    /// Outcome in one sentence.
    pub(crate) summary: String,
    /// The report for people.
    pub(crate) text: String,
    /// The report for programs, as `countersign schema` describes it.
    pub(crate) report: serde_json::Value,
    /// The hashes of what files were approved to hold, for an agent that waited; `None` for one that was to go.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) approved: BTreeMap<String, Option<String>>,
}

/// Keeps a review that was finished. That there is no place for it is said, and stops nobody.
pub(crate) fn keep(root: &Root, command: &str, session: &ReviewSession, report: &Report) {
    let kept = keep_of(
        root,
        command,
        None,
        &session.intent,
        report,
        BTreeMap::new(),
    );
    if let Err(error) = kept {
        say(&format!("the review is not entered in the log: {error}"));
    }
}

/// Keeps a review of what an agent asked for, which is known by its name.
pub(crate) fn keep_of(
    root: &Root,
    command: &str,
    agent: Option<&str>,
    intent: &str,
    report: &Report,
    approved: BTreeMap<String, Option<String>>,
) -> Result<(), StateError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let finished = Finished {
        schema: SCHEMA.to_owned(),
        time: now.map_or(0, |now| now.as_secs()),
        command: command.to_owned(),
        agents: agent.into_iter().map(str::to_owned).collect(),
        intent: intent.to_owned(),
        summary: report.summary(),
        text: report.to_string(),
        report: serde_json::to_value(report).unwrap_or_default(),
        approved,
    };
    let bytes = serde_json::to_vec(&finished).unwrap_or_default();
    match root.keep_finished(report.id.as_deref(), &bytes) {
        Ok(_) | Err(StateError::NoHome) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Keeps a warning about what an agent did after a review.
pub(crate) fn keep_warning(root: &Root, agent: &str, warning: &str) -> Result<(), StateError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let finished = Finished {
        schema: SCHEMA.to_owned(),
        time: now.map_or(0, |now| now.as_secs()),
        command: format!("hook {agent}"),
        agents: vec![agent.to_owned()],
        intent: String::new(),
        summary: warning.to_owned(),
        text: warning.to_owned(),
        report: serde_json::Value::Null,
        approved: BTreeMap::new(),
    };
    let bytes = serde_json::to_vec(&finished).unwrap_or_default();
    root.keep_finished(None, &bytes).map(drop)
}

/// A review that was kept under a name; `None` if there is none, or it is of another form.
pub(crate) fn read(root: &Root, id: &str) -> Option<Finished> {
    let bytes = root.read_finished(id).ok()??;
    let finished: Finished = serde_json::from_slice(&bytes).ok()?;
    (finished.schema == SCHEMA).then_some(finished)
}
