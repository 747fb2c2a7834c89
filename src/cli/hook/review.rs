//! One call of an agent, put before the reviewer.

use std::time::{Duration, Instant};

use super::place::Place;
use super::{note, write};
use crate::agent::hook::{self, Agent, Allowed, Answer, Asked, Call, Outcome};
use crate::agent::{Cancel, ClientError, FileDecision, FileVerdict, Submission, Verdict, ask};
use crate::proposal::RepoPath;
use crate::store::{Root, Snapshot};

/// How long the file may take to become what was reviewed: the agent may be writing what was approved just before.
const SETTLING: Duration = Duration::from_secs(5);

/// What the agent is told about a call. Every error is a no, with its reason.
pub(super) fn decide(agent: Agent, input: &[u8], deadline: Instant) -> Answer {
    let done = match hook::read(agent, input) {
        Ok(Asked::Other) => Ok(Answer::Pass),
        Ok(Asked::Forbidden(why)) => Ok(Answer::Deny(format!("countersign: {why}"))),
        Ok(Asked::Amended(call)) => Ok(note::afterwards(&call)),
        Ok(Asked::Write(call)) => review(&call, deadline),
        Err(error) => Err(error.into()),
    };
    done.unwrap_or_else(|error| Answer::Deny(refusal(&error)))
}

/// Why there was no review, and what the model should do.
fn refusal(error: &anyhow::Error) -> String {
    let nobody = error.downcast_ref::<ClientError>();
    let advice = match nobody {
        Some(ClientError::Nobody(_)) => {
            "Ask the person to run `countersign serve` in a terminal in that folder, then make the same edit again."
        }
        Some(error) if !error.is_sure() => "Look at the files before you go on.",
        Some(_) | None => "Tell the person.",
    };
    format!(
        "countersign: {error:#}, so nothing is written. {advice} Do not write the file in another way."
    )
}

fn review(call: &Call, deadline: Instant) -> anyhow::Result<Answer> {
    let ready = Ready::of(call)?;
    let verdict = ready.ask(Some(deadline), &Cancel::new())?;
    ready.answer(call, &verdict)
}

/// A call that can be put before the reviewer.
pub(in crate::cli) struct Ready {
    place: Place,
    root: Root,
    submission: Submission,
}

impl Ready {
    /// Finds the reviewer of a call, and what it proposes there.
    pub(in crate::cli) fn of(call: &Call) -> anyhow::Result<Self> {
        let place = Place::of(call)?;
        let root = Root::open(&place.root)?;
        let (path, before) = match &place.file {
            Some(file) => (Some(file.to_string()), Some(root.read(file)?)),
            None => (None, None),
        };
        let base = before.as_ref().and_then(Snapshot::document);
        let Some(mut submission) = call.submission(path.as_deref(), base) else {
            anyhow::bail!("this call of `{}` cannot be reviewed", call.tool);
        };
        submission.folder = place.folder_name();
        Ok(Self {
            place,
            root,
            submission,
        })
    }

    /// Waits for the verdict.
    pub(in crate::cli) fn ask(
        &self,
        deadline: Option<Instant>,
        cancel: &Cancel,
    ) -> Result<Verdict, ClientError> {
        ask(&self.place.root, &self.submission, deadline, cancel)
    }

    /// What the agent is told of a verdict.
    pub(in crate::cli) fn answer(&self, call: &Call, verdict: &Verdict) -> anyhow::Result<Answer> {
        let Self { place, root, .. } = self;
        let mut files = Vec::new();
        for file in &verdict.files {
            if let Some(approved) = &file.result {
                files.push((file, approved, settled(root, file)?));
            }
        }
        if files.is_empty() {
            return Ok(Answer::Deny(note::rejected(verdict)));
        }
        if let Some(own) = &place.file
            && files.iter().any(|(file, ..)| file.path != own.to_string())
        {
            anyhow::bail!("the verdict is about another file than `{own}`");
        }
        let names: Vec<(String, Option<String>)> = files
            .iter()
            .map(|(file, ..)| {
                let rename = file
                    .rename
                    .as_deref()
                    .map(|name| place.name_for_agent(name));
                (place.name_for_agent(&file.path), rename)
            })
            .collect();
        let outcomes: Vec<Outcome<'_>> = files
            .iter()
            .zip(&names)
            .map(|((file, approved, snapshot), (path, rename))| Outcome {
                path,
                rename: rename.as_deref(),
                base: snapshot.document(),
                approved,
                is_amended: file.decision == FileDecision::Amended,
            })
            .collect();
        let note = note::amended(verdict);
        Ok(match hook::allowed(call, &outcomes) {
            Allowed::AsSent => Answer::Allow { input: None, note },
            Allowed::Amended(input) => Answer::Allow {
                input: Some(input),
                note,
            },
            Allowed::Impossible => {
                let writes: Vec<_> = files
                    .iter()
                    .map(|(file, approved, snapshot)| (*file, *approved, snapshot))
                    .collect();
                write::write(root, &writes)?;
                Answer::Deny(note::written(verdict))
            }
        })
    }
}

/// The file as it was reviewed. Waits a little for it to become so.
fn settled(root: &Root, file: &FileVerdict) -> anyhow::Result<Snapshot> {
    let path = RepoPath::parse(&file.path)?;
    let begin = Instant::now();
    loop {
        let snapshot = root.read(&path)?;
        if snapshot.hash().map(|hash| hash.to_string()) == file.base_sha256 {
            return Ok(snapshot);
        }
        if begin.elapsed() > SETTLING {
            anyhow::bail!("`{path}` has changed since it was reviewed");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
