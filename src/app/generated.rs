//! The command that makes generated files: it runs on a copy of the files before a proposal is placed, and what it made is compared.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::agent::{ShellCommand, ShellEnd};
use crate::app::check_tree::{laid, path, take_undecided};
use crate::app::source::Preparation;
use crate::policy::Generated;
use crate::review::{FileReview, ReviewSession};
use crate::store::{Laid, TreeCopy};

/// The longest time for the command.
const LIMIT: Duration = Duration::from_mins(1);

/// Runs the command of [`Generated`], and keeps what it made.
pub(crate) struct Generator {
    rule: Generated,
    root: PathBuf,
    outcome: Arc<Mutex<Option<RunOutcome>>>,
}

/// The files that a run begins with, beside those of the tree, and those that it is to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inputs {
    laid: Vec<Laid>,
    makes: Vec<String>,
}

/// The outcome of a run.
struct RunOutcome {
    inputs: Inputs,
    made: Result<BTreeMap<String, Arc<[u8]>>, String>,
}

impl Generator {
    /// A generator for the files below a root.
    pub(crate) fn new(rule: Generated, root: PathBuf) -> Self {
        Self {
            rule,
            root,
            outcome: Arc::default(),
        }
    }

    /// Returns true if the command makes a file of this name.
    pub(crate) fn makes(&self, path: &str) -> bool {
        self.rule.makes(path)
    }

    /// Returns the inputs of the command for a proposal that is accepted as a whole; `None` if it has no file to make.
    pub(crate) fn inputs_of_all(&self, session: &ReviewSession) -> Option<Result<Inputs, String>> {
        let makes_any = |file: &FileReview| file.is_open() && self.makes(&file.path);
        session.files.iter().any(makes_any).then(|| {
            let mut all = session.clone();
            take_undecided(&mut all);
            self.inputs(&all)
        })
    }

    /// Returns the inputs of the command as a session decides: each file to make as it is, and what it is made from as it will be.
    fn inputs(&self, session: &ReviewSession) -> Result<Inputs, String> {
        let mut inputs = Inputs {
            laid: Vec::new(),
            makes: Vec::new(),
        };
        for file in session.files.iter().filter(|file| file.is_open()) {
            if self.makes(&file.path) {
                inputs.laid.extend(before(file)?);
                inputs.makes.push(file.path.clone());
            } else if self.rule.reads(&file.path) || self.rule.reads(file.new_path()) {
                inputs.laid.extend(laid(file)?);
            }
        }
        Ok(inputs)
    }

    /// Returns a run of the command for these inputs; `None` if its outcome is known.
    pub(crate) fn preparation(&self, inputs: Inputs) -> Option<Preparation> {
        let is_known =
            (lock(&self.outcome).as_ref()).is_some_and(|outcome| outcome.inputs == inputs);
        if is_known {
            return None;
        }
        let (command, root) = (self.rule.command.clone(), self.root.clone());
        let kept = Arc::clone(&self.outcome);
        Some(Box::new(move |stop| {
            let made = run(&command, &root, &inputs, stop);
            *lock(&kept) = Some(RunOutcome { inputs, made });
        }))
    }

    /// Returns the bytes that the command has made of a file.
    ///
    /// # Errors
    ///
    /// Why they are not known.
    pub(crate) fn generated_bytes(&self, inputs: &Inputs, path: &str) -> Result<Arc<[u8]>, String> {
        let outcome = lock(&self.outcome);
        let outcome = (outcome.as_ref())
            .filter(|outcome| outcome.inputs == *inputs)
            .ok_or_else(|| format!("`{}` was not run on these files", self.rule.command))?;
        let made = outcome.made.as_ref().map_err(Clone::clone)?;
        let made = made.get(path);
        made.cloned()
            .ok_or_else(|| format!("`{}` makes no such file", self.rule.command))
    }

    /// Returns why a file of a session is not the one that the command makes of what the session decides; `None` if it is.
    pub(crate) fn refutes(&self, session: &ReviewSession, file: &FileReview) -> Option<String> {
        match self.is_generated(session, file) {
            Ok(true) => None,
            Ok(false) => Some(format!("`{}` makes another text", self.rule.command)),
            Err(why) => Some(why),
        }
    }

    /// Returns true if a file, as the decisions leave it, is what the command makes.
    fn is_generated(&self, session: &ReviewSession, file: &FileReview) -> Result<bool, String> {
        let made = self.generated_bytes(&self.inputs(session)?, &file.path)?;
        let written = laid(file)?.and_then(|laid| laid.bytes);
        Ok(written.is_some_and(|written| *written == *made))
    }
}

/// Returns a file as it is; `None` if it is not there yet.
fn before(file: &FileReview) -> Result<Option<Laid>, String> {
    if file.base.text().is_empty() {
        return Ok(None);
    }
    let bytes = file.base.encode(file.base.text());
    let own = path(&file.path)?;
    Ok(Some(Laid {
        from: own.clone(),
        to: Some(own),
        bytes: Some(bytes.map_err(|error| error.to_string())?),
        executable: None,
        stays: false,
    }))
}

/// Runs the command on a copy of the files, and reads what it has made.
fn run(
    command: &str,
    root: &Path,
    inputs: &Inputs,
    stop: &AtomicBool,
) -> Result<BTreeMap<String, Arc<[u8]>>, String> {
    let copy = TreeCopy::new(root, &inputs.laid, stop)
        .map_err(|error| format!("the files cannot be copied: {error}"))?;
    let shell = ShellCommand {
        command: command.to_owned(),
        limit: LIMIT,
    };
    let ran = shell.run(copy.path(), &[], Vec::new(), stop, &mut drop);
    let why = match ran.map_err(|error| format!("`{command}` cannot be run: {error}"))? {
        (ShellEnd::Exit(Some(0)), _) => None,
        (ShellEnd::Exit(Some(code)), said) => Some(match said.last() {
            Some(last) => format!("`{command}` failed with {code}: {last}"),
            None => format!("`{command}` failed with {code}"),
        }),
        (ShellEnd::Exit(None), _) => Some(format!("`{command}` was ended by a signal")),
        (ShellEnd::TimedOut, _) => Some(format!(
            "`{command}` took more than {} seconds",
            LIMIT.as_secs()
        )),
        (ShellEnd::Stopped, _) => Some(format!("`{command}` was stopped")),
    };
    if let Some(why) = why {
        return Err(why);
    }
    let mut made = BTreeMap::new();
    for name in &inputs.makes {
        let bytes = copy.read(name);
        if let Some(bytes) = bytes.map_err(|error| format!("`{name}`: {error}"))? {
            made.insert(name.clone(), bytes.into());
        }
    }
    Ok(made)
}

fn lock(outcome: &Mutex<Option<RunOutcome>>) -> MutexGuard<'_, Option<RunOutcome>> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}
