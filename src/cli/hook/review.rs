//! Review of one call of an agent.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::carried_out;
use super::in_layer::{HeldBack, note_key};
use super::location::{CallLocation, resolve};
use super::settings_file::{read_settings, settings_file};
use super::{note, write};
use crate::agent::hook::{
    self, Agent, Allowed, FileOutcome, GateAnswer, HookCall, HookRequest, NOT_OTHERWISE,
    SettingsScope, settings,
};
use crate::agent::{
    Cancel, ClientError, FileDecision, FileVerdict, Submission, Verdict, ask, leave_note,
    served_root, take_note,
};
use crate::proposal::RepoPath;
use crate::store::{ReadingAgent, Root, Snapshot};

/// The longest wait for the file to become as it was reviewed: the agent may still be writing an earlier approval.
const SETTLING: Duration = Duration::from_secs(5);

/// Reason for a client that does not wait for as long as a person may take.
const UNDECIDED: &str = "countersign: there was no decision in time, so nothing is written yet. Make the same edit again to wait for the \
    person's decision; do not write the file in another way.";

/// Returns the answer to a call. Every error is a denial, with its reason. Sets `is_known` for a tool of the client itself.
pub(super) fn decide(
    agent: Agent,
    input: &[u8],
    deadline: Instant,
    cancel: &Cancel,
    is_known: &AtomicBool,
) -> GateAnswer {
    let done = match hook::read(agent, input) {
        Ok(HookRequest::Other) => Ok(GateAnswer::Pass),
        Ok(HookRequest::Shell(call)) => {
            Ok(HeldBack::of(&call).map_or(GateAnswer::Pass, HeldBack::answer))
        }
        Ok(HookRequest::Forbidden(why)) => Ok(GateAnswer::Deny(format!("countersign: {why}"))),
        Ok(HookRequest::Opaque(call, why)) => Ok(match HeldBack::of(&call) {
            Some(held_back) => held_back.answer(),
            None => GateAnswer::Deny(format!("countersign: {why}")),
        }),
        Ok(HookRequest::OfOther(other, folder)) => Ok(beside_gate(other, &folder)),
        Ok(HookRequest::Done(call)) => Ok(afterwards(&call)),
        Ok(HookRequest::Write(call)) => {
            let held_back = HeldBack::of(&call).map(HeldBack::answer);
            Ok(held_back.unwrap_or_else(|| {
                is_known.store(true, Ordering::Release);
                known_tool(call, deadline, cancel)
            }))
        }
        Err(error) => Err(error.into()),
    };
    done.unwrap_or_else(|error| GateAnswer::Deny(refusal(&error)))
}

/// Returns the answer to the call of another client: its own gate reviews the call, where it is installed.
fn beside_gate(client: Agent, folder: &Path) -> GateAnswer {
    let is_gated = [SettingsScope::Project, SettingsScope::User].into_iter().any(|scope| {
        let settings = settings_file(client, scope, folder).map(|file| read_settings(&file));
        matches!(settings, Some(Ok(Some(text))) if !settings::commands(client, &text).is_empty())
    });
    if is_gated {
        return GateAnswer::Pass;
    }
    GateAnswer::Deny(format!(
        "countersign: {client} has no gate of its own here, so nothing is written. Ask the person to run `countersign hook {} --install`, \
         then make the same edit again. {NOT_OTHERWISE}",
        client.name()
    ))
}

/// Formats the reason for a missing review, and advice for the model.
pub(in crate::cli) fn refusal(error: &anyhow::Error) -> String {
    let nobody = error.downcast_ref::<ClientError>();
    let advice = match nobody {
        Some(ClientError::Nobody(_)) => {
            "Ask the person to run `countersign serve` in a terminal in that folder, then make the same edit again."
        }
        Some(error) if !error.is_sure() => "Look at the files before you go on.",
        Some(_) | None => "Tell the person.",
    };
    format!("countersign: {error:#}, so nothing is written. {advice} {NOT_OTHERWISE}")
}

/// Returns the answer to a call of a tool of the client itself.
fn known_tool(call: HookCall, deadline: Instant, cancel: &Cancel) -> GateAnswer {
    let agent = call.agent;
    let answer = review(call, deadline, cancel).unwrap_or_else(|error| {
        let is_late = matches!(error.downcast_ref(), Some(ClientError::TimeUp));
        GateAnswer::Deny(if is_late && agent.hurries() {
            UNDECIDED.to_owned()
        } else {
            refusal(&error)
        })
    });
    answer.for_known_tool(agent)
}

fn review(call: HookCall, deadline: Instant, cancel: &Cancel) -> anyhow::Result<GateAnswer> {
    let ready = Ready::new(call)?;
    let verdict = ready.ask(Some(deadline), cancel)?;
    let answer = ready.answer(&verdict)?;
    if let GateAnswer::Allow { input, .. } = &answer {
        carried_out::keep(&ready.call, input.as_ref());
    }
    // Some clients read no note before the tool runs; their hook after the tool delivers it.
    if let GateAnswer::Allow {
        note: Some(note), ..
    } = &answer
        && ready.call.agent.takes_notes_afterwards()
        && let Err(error) = leave_note(&note_key(&ready.call), note)
    {
        anyhow::bail!("the comment of the person cannot be delivered: {error}");
    }
    Ok(answer)
}

/// Returns the message for the model after a call was carried out.
fn afterwards(call: &HookCall) -> GateAnswer {
    // Without it an edit is placed by what else is known.
    let _: anyhow::Result<()> = keep_read(call);
    let left = if call.agent.takes_notes_afterwards() {
        take_note(&note_key(call))
    } else {
        None
    };
    let changed = carried_out::warn_if_changed(call);
    let of_person = match left {
        // What was carried out is not the text of the person then.
        None if changed.is_none() && note::is_amended(call) => Some(note::afterwards(call)),
        left => left,
    };
    let notes: Vec<String> = changed.into_iter().chain(of_person).collect();
    if notes.is_empty() {
        GateAnswer::Pass
    } else {
        GateAnswer::Note(notes.join("\n"))
    }
}

/// Keeps the content of the file that a call has read or written: the agent's next edit is written against it.
fn keep_read(call: &HookCall) -> anyhow::Result<()> {
    let Some(name) = call.path() else {
        return Ok(());
    };
    let (_, file) = resolve(&call.folder, name)?;
    let folder = call.folder.canonicalize()?;
    let root = if file.starts_with(&folder) {
        folder
    } else {
        served_root(file.parent().unwrap_or(&folder))?
    };
    let path = RepoPath::parse(&file.strip_prefix(&root)?.to_string_lossy())?;
    let reader = ReadingAgent {
        agent: call.agent.name().to_owned(),
        session: call.session.clone(),
        time: SystemTime::now(),
    };
    Root::open(&root)?.keep_agent_read(&path, &reader)?;
    Ok(())
}

/// A call that can be reviewed.
pub(in crate::cli) struct Ready {
    call: HookCall,
    location: CallLocation,
    root: Root,
    submission: Submission,
}

impl Ready {
    /// Finds the reviewer of a call, and makes a proposal of it.
    ///
    /// # Errors
    ///
    /// If nobody reviews, or if the call cannot be reviewed.
    pub(in crate::cli) fn new(mut call: HookCall) -> anyhow::Result<Self> {
        let location = CallLocation::find(&call)?;
        let root = Root::open(&location.root)?;
        let (path, before) = match &location.file {
            Some(file) => {
                call.rename_file(&file.client_name);
                (Some(file.path.to_string()), Some(root.read(&file.path)?))
            }
            None => (None, None),
        };
        let base = before.as_ref().and_then(Snapshot::document);
        let Some(mut submission) = call.submission(path.as_deref(), base) else {
            anyhow::bail!("this call of `{}` cannot be reviewed", call.tool);
        };
        // The name of one file is from the root already.
        if location.file.is_none() {
            submission.folder = location.folder_name();
        }
        Ok(Self {
            call,
            location,
            root,
            submission,
        })
    }

    /// Returns the arguments of the call.
    #[cfg(feature = "mcp")]
    pub(in crate::cli) fn call(&self) -> &HookCall {
        &self.call
    }

    /// Waits for the verdict.
    pub(in crate::cli) fn ask(
        &self,
        deadline: Option<Instant>,
        cancel: &Cancel,
    ) -> Result<Verdict, ClientError> {
        ask(&self.location.root, &self.submission, deadline, cancel)
    }

    /// Returns the answer to the agent for a verdict. Writes the files where the agent's client would write something else.
    ///
    /// # Errors
    ///
    /// If the files have changed since they were reviewed, or cannot be written.
    pub(in crate::cli) fn answer(&self, verdict: &Verdict) -> anyhow::Result<GateAnswer> {
        let Self {
            call,
            location,
            root,
            ..
        } = self;
        let mut files = Vec::new();
        for file in &verdict.files {
            if let Some(approved) = &file.result {
                files.push((file, approved, settled(root, file)?));
            }
        }
        if files.is_empty() {
            return Ok(GateAnswer::Deny(note::rejected(verdict)));
        }
        if let Some(own) = &location.file
            && files
                .iter()
                .any(|(file, ..)| file.path != own.path.to_string())
        {
            anyhow::bail!("the verdict is about another file than `{}`", own.path);
        }
        let mut names: Vec<(String, Option<String>)> = Vec::new();
        for (file, ..) in &files {
            let rename = file.rename.as_deref();
            let rename = rename
                .map(|name| location.name_in_patch(name))
                .transpose()?;
            names.push((location.name_in_patch(&file.path)?, rename));
        }
        let outcomes: Vec<FileOutcome<'_>> = files
            .iter()
            .zip(&names)
            .map(|((file, approved, snapshot), (path, rename))| FileOutcome {
                path,
                rename: rename.as_deref(),
                base: snapshot.document(),
                approved,
                is_amended: file.decision == FileDecision::Amended,
            })
            .collect();
        let note = note::amended(verdict);
        Ok(match hook::allowed(call, &outcomes) {
            Allowed::AsSent => GateAnswer::Allow { input: None, note },
            Allowed::Amended(input) => GateAnswer::Allow {
                input: Some(input),
                note,
            },
            Allowed::Impossible => {
                let writes: Vec<_> = files
                    .iter()
                    .map(|(file, approved, snapshot)| (*file, *approved, snapshot))
                    .collect();
                write::write(root, &writes)?;
                GateAnswer::Deny(note::written(verdict))
            }
        })
    }
}

/// Reads a file as it was reviewed. Waits a little for it to become so.
pub(in crate::cli) fn settled(root: &Root, file: &FileVerdict) -> anyhow::Result<Snapshot> {
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
