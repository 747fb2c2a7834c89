//! Reviews of an agent's requests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::super::hook::location::{resolve, served};
use super::super::hook::note;
use super::super::hook::review::{refusal, settled};
use super::super::hook::write::write;
use super::approvals::Approval;
use super::lock::lock;
use crate::agent::acp::{Permission, Write};
use crate::agent::{Cancel, FileDecision, Submission, WriteMode, ask};
use crate::store::Root;

/// Result of a review: a message for the model about what is approved, or the reason why nothing is.
pub(super) type ReviewMessage = Result<Option<String>, String>;

/// The turn of an agent that a request belongs to.
pub(super) struct PromptTurn {
    /// The name that the agent gives itself.
    pub(super) agent: Option<String>,
    /// The folder of its session.
    pub(super) folder: Option<PathBuf>,
    /// Cancelled when the turn ends, or the request is cancelled.
    pub(super) cancel: Cancel,
}

/// Reviews for one agent.
pub(super) struct Reviews {
    /// Name of the program, for agents that do not give theirs.
    program: String,
    /// Folder of sessions without one.
    folder: PathBuf,
    approvals: Mutex<Vec<Approval>>,
}

impl Reviews {
    pub(super) fn new(program: &OsStr, folder: PathBuf) -> Self {
        let name = Path::new(program).file_stem().unwrap_or_default();
        Self {
            program: name.to_string_lossy().into_owned(),
            folder,
            approvals: Mutex::default(),
        }
    }

    /// Reviews a file that the agent writes, and writes what is approved.
    pub(super) fn write(&self, request: &Write, turn: &PromptTurn) -> ReviewMessage {
        self.written(request, turn)
            .unwrap_or_else(|error| Err(refusal(&error)))
    }

    /// Reviews edits that the agent will make. Where they are changed, they are written here, and the agent must not make them.
    pub(super) fn permission(&self, request: &Permission, turn: &PromptTurn) -> ReviewMessage {
        self.permitted(request, turn)
            .unwrap_or_else(|error| Err(refusal(&error)))
    }

    fn written(&self, request: &Write, turn: &PromptTurn) -> anyhow::Result<ReviewMessage> {
        let folder = turn.folder.as_deref().unwrap_or(&self.folder);
        let (_, path) = resolve(folder, &request.path)?;
        let approval = {
            let mut approvals = lock(&self.approvals);
            let at = approvals
                .iter()
                .position(|approval| approval.is(&path, &request.content));
            at.map(|at| approvals.swap_remove(at))
        };
        if let Some(approval) = approval {
            approval.carry_out()?;
            return Ok(Ok(None));
        }
        let root = served(&asked_at(folder, &path)?)?;
        let submission = Submission {
            session: Some(request.session.clone()),
            ..self.submission(turn, request.input(&below(&root, &path)?))
        };
        let verdict = ask(&root, &submission, None, &turn.cancel)?;
        let is_approved = verdict
            .files
            .iter()
            .any(|file| file.decision != FileDecision::Rejected);
        Ok(if is_approved {
            Ok(note::amended(&verdict))
        } else {
            Err(note::rejected(&verdict))
        })
    }

    fn permitted(&self, request: &Permission, turn: &PromptTurn) -> anyhow::Result<ReviewMessage> {
        let folder = turn.folder.as_deref().unwrap_or(&self.folder);
        let mut paths = Vec::new();
        for path in request.paths() {
            paths.push(resolve(folder, path)?.1);
        }
        let first = paths.first().map_or(folder, PathBuf::as_path);
        let top = served(&asked_at(folder, first)?)?;
        let names: anyhow::Result<Vec<String>> =
            paths.iter().map(|path| below(&top, path)).collect();
        let submission = Submission {
            session: Some(request.session.clone()),
            origin: request.title.clone(),
            mode: WriteMode::AgentWrites,
            ..self.submission(turn, request.input(&names?))
        };
        let verdict = ask(&top, &submission, None, &turn.cancel)?;
        let root = Root::open(&top)?;
        let mut files = Vec::new();
        for file in &verdict.files {
            if let Some(approved) = &file.result {
                files.push((file, approved, settled(&root, file)?));
            }
        }
        let is_whole = verdict.files.iter().all(|file| {
            matches!(
                file.decision,
                FileDecision::Accepted | FileDecision::AlreadyApplied
            )
        });
        if files.is_empty() {
            return Ok(Err(note::rejected(&verdict)));
        }
        if is_whole {
            lock(&self.approvals).extend(files.iter().map(|(file, ..)| Approval {
                root: top.clone(),
                path: top.join(&file.path),
                verdict: (*file).clone(),
            }));
            return Ok(Ok(note::amended(&verdict)));
        }
        let writes: Vec<_> = files
            .iter()
            .map(|(file, approved, snapshot)| (*file, *approved, snapshot))
            .collect();
        write(&root, &writes)?;
        Ok(Err(note::written(&verdict)))
    }

    fn submission(&self, turn: &PromptTurn, input: String) -> Submission {
        let agent = turn.agent.as_deref().unwrap_or(&self.program);
        Submission {
            format: Some("tool-call".to_owned()),
            ..Submission::new(agent, input)
        }
    }
}

/// Returns the name of a file below the root.
fn below(root: &Path, path: &Path) -> anyhow::Result<String> {
    match path.strip_prefix(root) {
        Ok(name) => Ok(name.to_string_lossy().into_owned()),
        Err(_) => anyhow::bail!(
            "`{}` is outside of `{}`, which is what is reviewed",
            path.display(),
            root.display()
        ),
    }
}

/// Returns the folder whose reviewer is asked about a file: that of the session, or else the nearest one of the file.
fn asked_at(folder: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    let folder = folder.canonicalize()?;
    if path.starts_with(&folder) {
        return Ok(folder);
    }
    let nearest = path.ancestors().skip(1).find(|above| above.is_dir());
    Ok(nearest.map_or(folder, Path::to_owned))
}
