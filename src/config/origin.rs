//! Origins of values, and problems with them.

use std::fmt;

use crate::text::LineNo;

/// Origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingOrigin {
    /// From nowhere: nobody set it.
    Default,
    /// From a line of a file.
    File {
        /// The file, for people.
        name: String,
        /// The line.
        line: LineNo,
    },
    /// From a variable of the environment.
    Environment(String),
    /// From an argument.
    Argument(&'static str),
}

impl SettingOrigin {
    /// The line, if it is one of a file.
    pub fn line(&self) -> Option<LineNo> {
        match self {
            Self::File { line, .. } => Some(*line),
            Self::Default | Self::Environment(_) | Self::Argument(_) => None,
        }
    }
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { name, line } => write!(f, "{name}:{line}"),
            Self::Environment(name) => write!(f, "${name}"),
            Self::Argument(name) => f.write_str(name),
        }
    }
}

/// Problem with a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    /// Its origin.
    pub at: SettingOrigin,
    /// The problem, and the expected value.
    pub text: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}
