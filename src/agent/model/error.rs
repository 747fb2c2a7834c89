//! Why the apply model gave no text.

use thiserror::Error;

/// Why the model gave no hunk.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum ModelError {
    /// There is no service.
    #[error("no apply model is configured")]
    NotConfigured,
    /// The program was built without it.
    #[error("this program was built without the apply model")]
    NotBuilt,
    /// The key is not where it should be.
    #[error(
        "the environment has no variable `{variable}`, which should hold the key to the apply model"
    )]
    NoKey {
        /// Its name.
        variable: String,
    },
    /// The hunk is none that it could help with.
    #[error("the apply model is for hunks that have no place")]
    NotNeeded,
    /// The file is too large to be sent, and the edit does not name a part of it.
    #[error("the request has {bytes} bytes, and the limit is {most}")]
    TooLarge {
        /// The size in bytes.
        bytes: usize,
        /// The limit in bytes.
        most: usize,
    },
    /// Nobody answered.
    #[error("the apply model did not answer: {why}")]
    NoAnswer {
        /// The cause.
        why: String,
    },
    /// It answered with an error.
    #[error("the apply model answered with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// Its answer is longer than may be.
    #[error("the apply model's answer has more than {most} bytes")]
    TooLong {
        /// The limit in bytes.
        most: usize,
    },
    /// Its answer is not in the shape that its style has.
    #[error("the apply model's answer cannot be read: {why}")]
    Unreadable {
        /// The problem.
        why: String,
    },
    /// Its answer is not whole.
    #[error("the apply model's answer is cut off")]
    CutOff,
    /// Its answer leaves lines out.
    #[error("the apply model's answer leaves lines out: `{line}`")]
    LeavesOut {
        /// The placeholder line.
        line: String,
    },
    /// Its answer changes what the edit is not about.
    #[error("the apply model's answer changes line {line}, far from the edit")]
    FarAway {
        /// The line of the file.
        line: usize,
    },
    /// It was cancelled.
    #[error("the request to the apply model was cancelled")]
    GivenUp,
    /// Its answer is the text as it was.
    #[error("the apply model's answer changes nothing")]
    NoChange,
}

impl ModelError {
    /// Returns advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotConfigured => {
                "set `model.endpoint` in your settings; `countersign config` shows all of them"
            }
            Self::NotBuilt => "build it with `--features model`",
            Self::NoKey { .. } => "set it, or name another with `model.api_key_env`",
            Self::NotNeeded => "decide the hunk as it is",
            Self::TooLarge { .. } | Self::TooLong { .. } => "raise `model.max_bytes`",
            Self::NoAnswer { .. } => "check `model.endpoint`, or raise `model.timeout`",
            Self::Status { .. } | Self::Unreadable { .. } => {
                "check `model.endpoint`, `model.style`, `model.name` and the key"
            }
            Self::CutOff
            | Self::LeavesOut { .. }
            | Self::FarAway { .. }
            | Self::GivenUp
            | Self::NoChange => "ask again, or do it by hand",
        }
    }

    /// Returns whether a retry may succeed.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::NoAnswer { .. } => true,
            Self::Status { status } => *status == 429 || *status >= 500,
            Self::NotConfigured
            | Self::NotBuilt
            | Self::NoKey { .. }
            | Self::NotNeeded
            | Self::TooLarge { .. }
            | Self::TooLong { .. }
            | Self::Unreadable { .. }
            | Self::CutOff
            | Self::LeavesOut { .. }
            | Self::FarAway { .. }
            | Self::GivenUp
            | Self::NoChange => false,
        }
    }
}
