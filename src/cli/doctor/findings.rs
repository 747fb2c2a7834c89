//! Findings of `doctor`: one for each thing that it checks.

use std::fmt::{self, Write as _};

use serde::Serialize;

/// Result of one check.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The thing that was checked.
    pub(super) area: &'static str,
    pub(super) state: FindingState,
    /// The result, in words.
    found: String,
    /// Advice.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// State of a thing that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FindingState {
    /// It works.
    Good,
    /// It is there, and nothing shows whether it works.
    Untried,
    /// It is not there, or not known, which is no fault.
    Absent,
    /// It does not work.
    Bad,
}

impl fmt::Display for FindingState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Good => "✓",
            Self::Untried => "?",
            Self::Absent => "·",
            Self::Bad => "✗",
        })
    }
}

impl Finding {
    /// Makes a finding without advice.
    pub(super) fn new(area: &'static str, state: FindingState, found: impl Into<String>) -> Self {
        Self {
            area,
            state,
            found: found.into(),
            hint: None,
        }
    }

    /// Changes the state, and completes the result.
    pub(super) fn become_state(&mut self, state: FindingState, found: &str) {
        self.state = state;
        self.found.push_str(found);
    }

    /// Adds advice.
    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

/// Formats findings for a person.
pub(super) fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding {
        area,
        state,
        found,
        hint,
    } in findings
    {
        let _ = writeln!(text, "{state} {area:<12} {found}");
        if let Some(hint) = hint {
            let _ = writeln!(text, "{:15}{hint}", "");
        }
    }
    text
}
