//! Exit codes, and errors on their way to a person.

use std::io::Write;
use std::process::ExitCode;

use super::diff::DiffError;
use super::hook::install::InstallError;
use super::input::similar_command;
use super::json_report::Document;
use super::settings::SettingsError;
use crate::agent::git::GitError;
use crate::agent::layer::EnterError;
use crate::agent::model::ModelError;
use crate::agent::{ClientError, SocketError};
use crate::app::input::InputError;
use crate::app::threads::ThreadError;
use crate::review::{NotDecisions, Status};
use crate::store::{
    CommitError, HistoryError, LayerError, LockError, OpenError, RecoverError, StateError,
    UndoError,
};
use crate::text::sanitize;
use crate::ui::UiError;

/// Outcome of a run, as its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything is written, or was there already.
    Done,
    /// Some of it is written.
    Partial,
    /// Nothing is written: refused, or not wanted.
    Refused,
    /// The arguments or the configuration are wrong.
    Usage,
    /// It could not be written; everything is as it was.
    Failed,
    /// Interrupted; nothing is written.
    Interrupted,
    /// A command was run and nothing was reviewed: its own exit code.
    Command(u8),
}

impl Exit {
    /// The number that the process exits with.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Partial => 1,
            Self::Refused => 2,
            Self::Usage => 3,
            Self::Failed => 4,
            Self::Interrupted => 130,
            Self::Command(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Self {
        match status {
            Status::Applied | Status::AlreadyApplied => Self::Done,
            Status::Partial => Self::Partial,
            Status::Refused => Self::Refused,
            Status::Failed => Self::Failed,
        }
    }
}

/// Shows what is wrong with the arguments, or the help that was asked for.
pub(super) fn of_usage(error: &clap::Error, document: Document) -> Exit {
    // Nothing can be done about a message that cannot be shown.
    let _ = error.print();
    if error.use_stderr() {
        document.print(Exit::Usage, &error.to_string());
        Exit::Usage
    } else {
        Exit::Done
    }
}

/// Says what went wrong and what to do about it.
pub(super) fn of_error(error: &anyhow::Error, document: Document) -> Exit {
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        return of_usage(error, document);
    }
    let (exit, hint) = judge(error);
    // Nothing can be done about a message that cannot be shown.
    let told = format!("{}\nhint: {hint}", with_causes(error));
    let _ = writeln!(std::io::stderr(), "countersign: {}", sanitize(&told));
    document.print(exit, &told);
    exit
}

/// An error and what caused it, as far as it does not say so itself.
fn with_causes(error: &anyhow::Error) -> String {
    error
        .chain()
        .skip(1)
        .fold(error.to_string(), |told, cause| {
            let cause = cause.to_string();
            if told.contains(&cause) {
                told
            } else {
                format!("{told}: {cause}")
            }
        })
}

/// Returns the exit code and the advice for an error.
fn judge(error: &anyhow::Error) -> (Exit, String) {
    let fixed = |exit, hint: &str| (exit, hint.to_owned());
    if let Some(error) = error.downcast_ref::<InputError>() {
        let command = if let InputError::Unreadable { path, .. } = error {
            similar_command(path)
        } else {
            None
        };
        let hint = command.map(|command| format!("did you mean the command `{command}`?"));
        (Exit::Usage, hint.unwrap_or_else(|| error.hint()))
    } else if let Some(error) = error.downcast_ref::<SettingsError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<ClientError>() {
        fixed(of_client(error), error.hint())
    } else if let Some(error) = error.downcast_ref::<SocketError>() {
        fixed(Exit::Failed, error.hint())
    } else if let Some(error) = error.downcast_ref::<OpenError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<UiError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<UndoError>() {
        fixed(of_undo(error), error.hint())
    } else if let Some(error) = error.downcast_ref::<HistoryError>() {
        fixed(of_history(error), error.hint())
    } else if let Some(error) = error.downcast_ref::<DiffError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<ModelError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<GitError>() {
        fixed(Exit::Usage, error.hint())
    } else if let Some(error) = error.downcast_ref::<LayerError>() {
        let exit = match error {
            LayerError::Unknown { .. } | LayerError::None { .. } => Exit::Usage,
            LayerError::InUse { .. }
            | LayerError::StateInRoot { .. }
            | LayerError::Unusable { .. }
            | LayerError::State(_) => Exit::Failed,
        };
        fixed(exit, error.hint())
    } else if let Some(error) = error.downcast_ref::<ThreadError>() {
        let exit = if error.is_of_request() {
            Exit::Usage
        } else {
            Exit::Failed
        };
        fixed(exit, error.hint())
    } else if let Some(error) = error.downcast_ref::<EnterError>() {
        fixed(Exit::Command(error.code()), error.hint())
    } else if let Some(error) = error.downcast_ref::<RecoverError>() {
        fixed(Exit::Failed, error.hint())
    } else if let Some(error) = error.downcast_ref::<LockError>() {
        fixed(Exit::Failed, error.hint())
    } else if let Some(error) = error.downcast_ref::<InstallError>() {
        let exit = match error {
            InstallError::NoTurns(_) => Exit::Usage,
            // Whatever it is that called it takes this for a no.
            InstallError::NotCalled(_) => Exit::Refused,
            InstallError::File { .. }
            | InstallError::Settings { .. }
            | InstallError::NotAsked(_)
            | InstallError::NoHome => Exit::Failed,
        };
        fixed(exit, error.hint())
    } else if error.is::<NotDecisions>() {
        fixed(
            Exit::Usage,
            "name another file, or one that `--decisions` wrote",
        )
    } else {
        fixed(Exit::Failed, "fix the problem above and retry")
    }
}

fn of_client(error: &ClientError) -> Exit {
    if matches!(error, ClientError::Cancelled) {
        Exit::Interrupted
    } else if error.is_sure() {
        Exit::Refused
    } else {
        Exit::Failed
    }
}

fn of_undo(error: &UndoError) -> Exit {
    match error {
        UndoError::History(error) => of_history(error),
        UndoError::Commit(CommitError::Conflict { .. }) => Exit::Refused,
        UndoError::Commit(error) if error.refused().is_some() => Exit::Refused,
        UndoError::Commit(_) => Exit::Failed,
    }
}

fn of_history(error: &HistoryError) -> Exit {
    match error {
        HistoryError::State(StateError::NoHome) | HistoryError::Unknown { .. } => Exit::Usage,
        HistoryError::Empty | HistoryError::AllUndone | HistoryError::Lost { .. } => Exit::Refused,
        HistoryError::State(StateError::Unusable { .. }) | HistoryError::Unreadable { .. } => {
            Exit::Failed
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::store::LockError;

    #[track_caller]
    fn check(error: impl Into<anyhow::Error>, exit: Exit, hint: &str) {
        assert_eq!(judge(&error.into()), (exit, hint.to_owned()));
    }

    #[test]
    fn causes_are_told_once() {
        let cause = io::Error::other("it is full");
        let said = UiError::Terminal(io::Error::other("it is full"));
        let context = anyhow::Error::from(cause).context("`a.txt`");
        assert_eq!(with_causes(&context), "`a.txt`: it is full");
        assert_eq!(
            with_causes(&said.into()),
            "the terminal cannot be used: it is full"
        );
    }

    #[test]
    fn every_error_has_a_code_and_says_what_to_do() {
        let system = || io::Error::from(io::ErrorKind::PermissionDenied);
        check(
            InputError::NoInput,
            Exit::Usage,
            "`agent | countersign`, or `countersign edits.md`; `countersign demo` shows how it looks",
        );
        check(
            UiError::Terminal(system()),
            Exit::Usage,
            "a review needs a terminal of its own; `apply` and `check` do without",
        );
        check(
            RecoverError::Journal {
                path: "journal".into(),
                source: system(),
            },
            Exit::Failed,
            "fix its permissions, or remove it if the files are as they should be",
        );
        check(
            HistoryError::Unknown { id: "1".into() },
            Exit::Usage,
            "`countersign log` names the batches that are known",
        );
        check(
            UndoError::History(HistoryError::Empty),
            Exit::Refused,
            "the latest 100 batches are kept, others for 30 days, up to 256 MB in all; look into git's history",
        );
        check(
            UndoError::Commit(CommitError::Conflict { paths: Vec::new() }),
            Exit::Refused,
            "`countersign undo` on a terminal shows what can be taken back, and what came later",
        );
        check(
            UndoError::Commit(LockError::Held { holder: None }.into()),
            Exit::Failed,
            "finish there first, or hand the edit to it",
        );
        check(system(), Exit::Failed, "fix the problem above and retry");
    }
}
