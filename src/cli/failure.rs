//! Errors on their way to a person: the message, the hint and the exit code.

use std::io::Write;

use super::diff::DiffError;
use super::exit::Exit;
use super::hook::install::InstallError;
use super::input::similar_command;
use super::json_report::JsonDocument;
use super::settings::SettingsError;
use crate::agent::git::GitError;
use crate::agent::layer::EnterError;
use crate::agent::model::ModelError;
use crate::agent::signature::SignatureError;
use crate::agent::{ClientError, SocketError};
use crate::app::input::InputError;
use crate::app::thread_error::ThreadError;
use crate::review::NotDecisions;
use crate::store::{
    CommitError, HistoryError, LayerError, LockError, OpenError, RecoverError, StateError,
    UndoError,
};
use crate::text::sanitize;
use crate::ui::UiError;

/// Shows what is wrong with the arguments, or the help that was asked for.
pub(super) fn of_usage(error: &clap::Error, document: JsonDocument) -> Exit {
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
pub(super) fn of_error(error: &anyhow::Error, document: JsonDocument) -> Exit {
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

/// Returns the exit code, by the function of its type, and the hint of an error of one of these types.
macro_rules! advice {
    ($error:expr, $($kind:ty => $exit:expr,)*) => {
        None$(.or_else(|| {
            let error: &$kind = $error.downcast_ref()?;
            let exit: fn(&$kind) -> Exit = $exit;
            Some((exit(error), error.hint().to_owned()))
        }))*
    };
}

/// Returns the exit code and the advice for an error.
fn judge(error: &anyhow::Error) -> (Exit, String) {
    if let Some(error) = error.downcast_ref::<InputError>() {
        let command = if let InputError::Unreadable { path, .. } = error {
            similar_command(path)
        } else {
            None
        };
        let hint = command.map(|command| format!("did you mean the command `{command}`?"));
        return (Exit::Usage, hint.unwrap_or_else(|| error.hint()));
    }
    let known = advice!(error,
        SettingsError => |_| Exit::Usage,
        ClientError => of_client,
        SocketError => |_| Exit::Failed,
        OpenError => |_| Exit::Usage,
        UiError => |_| Exit::Usage,
        UndoError => of_undo,
        HistoryError => of_history,
        DiffError => |_| Exit::Usage,
        ModelError => |_| Exit::Usage,
        GitError => |_| Exit::Usage,
        LayerError => of_layer,
        ThreadError => of_thread,
        EnterError => |error| Exit::Command(error.code()),
        RecoverError => |_| Exit::Failed,
        LockError => |_| Exit::Failed,
        InstallError => of_install,
        SignatureError => |_| Exit::Usage,
    );
    known.unwrap_or_else(|| {
        if error.is::<NotDecisions>() {
            let hint = "name another file, or one that `--decisions` wrote";
            (Exit::Usage, hint.to_owned())
        } else {
            (Exit::Failed, "fix the problem above and retry".to_owned())
        }
    })
}

fn of_layer(error: &LayerError) -> Exit {
    match error {
        LayerError::Unknown { .. } | LayerError::None { .. } => Exit::Usage,
        LayerError::InUse { .. }
        | LayerError::StateInRoot { .. }
        | LayerError::Unusable { .. }
        | LayerError::State(_) => Exit::Failed,
    }
}

fn of_thread(error: &ThreadError) -> Exit {
    if error.is_of_request() {
        Exit::Usage
    } else {
        Exit::Failed
    }
}

fn of_install(error: &InstallError) -> Exit {
    match error {
        InstallError::NoTurns(_) | InstallError::TooLong { .. } => Exit::Usage,
        // Whatever it is that called it takes this for a no.
        InstallError::NotCalled(_) => Exit::Refused,
        InstallError::File { .. }
        | InstallError::Settings { .. }
        | InstallError::NotAsked(_)
        | InstallError::NoHome => Exit::Failed,
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
        HistoryError::Empty
        | HistoryError::AllUndone
        | HistoryError::Damaged { .. }
        | HistoryError::Lost { .. } => Exit::Refused,
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
            "fix its permissions, or put it aside if the files are as they should be",
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
