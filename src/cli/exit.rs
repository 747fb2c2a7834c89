//! Exit codes.

use std::process::ExitCode;

use crate::review::Status;

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
