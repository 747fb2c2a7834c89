//! Failed edits per agent and file; repeated failures get a longer hint.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::review::Report;
use crate::store::{Root, SavedReview};

/// The most files that are remembered of one agent, and the most agents.
const MOST: usize = 200;

/// The files in which the last edit of each agent failed. It is kept beside the locks and the journal; where it cannot be, it
/// is forgotten at the end.
#[derive(Debug)]
pub(crate) struct Failures {
    kept: Option<SavedReview>,
    known: FailedFiles,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct FailedFiles {
    agents: BTreeMap<String, BTreeSet<String>>,
}

impl Failures {
    /// Opens the record of a root.
    pub(crate) fn of(root: &Root) -> Self {
        let kept = root.failures().ok();
        let bytes = kept.as_ref().and_then(|kept| kept.read().ok()?);
        let known = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            kept,
            known: known.unwrap_or_default(),
        }
    }

    /// Takes note of what became of an agent's edits. The files in which they have failed for the second time in a row.
    pub(crate) fn note(&mut self, agent: &str, report: &Report) -> BTreeSet<String> {
        let failed: BTreeSet<String> = (report.hunks.iter())
            .filter(|hunk| hunk.status.is_to_be_sent_again())
            .map(|hunk| hunk.path.clone())
            .collect();
        if self.known.agents.len() >= MOST && !self.known.agents.contains_key(agent) {
            self.known.agents.clear();
        }
        let before = self.known.agents.entry(agent.to_owned()).or_default();
        if before.len() >= MOST {
            before.clear();
        }
        let again = failed.intersection(before).cloned().collect();
        let was = before.clone();
        for file in &report.files {
            before.remove(&file.path);
        }
        before.extend(failed);
        if *before != was
            && let Some(kept) = &self.kept
        {
            // A count that is lost costs an agent a hint.
            let _ = kept.replace(&serde_json::to_vec(&self.known).unwrap_or_default());
        }
        again
    }
}
