//! Exit codes, and errors on their way to a person.

use std::io::Write;
use std::process::ExitCode;

use super::input::InputError;
use crate::review::{NotDecisions, Status};
use crate::store::{CommitError, LockError, OpenError};

/// What a run came to, as its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Everything is written, or stood there already.
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
pub(super) fn of_usage(error: &clap::Error) -> Exit {
    // Nothing can be done about a message that cannot be shown.
    let _ = error.print();
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Done
    }
}

/// Says what went wrong and what to do about it.
pub(super) fn of_error(error: &anyhow::Error) -> Exit {
    let _ = writeln!(std::io::stderr(), "countersign: {error:#}");
    if let Some(hint) = hint(error) {
        let _ = writeln!(std::io::stderr(), "\nhint: {hint}");
    }
    if error.is::<OpenError>() || error.is::<InputError>() || error.is::<NotDecisions>() {
        Exit::Usage
    } else {
        Exit::Failed
    }
}

fn hint(error: &anyhow::Error) -> Option<String> {
    let open = || {
        error
            .downcast_ref()
            .map(|error: &OpenError| error.hint().to_owned())
    };
    let input = || error.downcast_ref().map(|error: &InputError| error.hint());
    let commit = || {
        error
            .downcast_ref()
            .map(|error: &CommitError| error.hint().to_owned())
    };
    let lock = || {
        error
            .downcast_ref()
            .map(|error: &LockError| error.hint().to_owned())
    };
    open().or_else(input).or_else(commit).or_else(lock)
}
