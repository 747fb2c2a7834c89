//! Reasons why a person must read a hunk that writes a whole file.

use std::fmt;

use crate::proposal::Guess;
use crate::text::{LineNo, plural};

/// A reason why a person must read a hunk before it is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// A line of the new text replaces lines that it omits.
    Omission {
        /// The line of the new text.
        mark: String,
        /// The first and the last line of the file between its neighbours that would be removed.
        lines: (LineNo, LineNo),
        /// The number of lines that would be removed there.
        count: usize,
    },
    /// Nothing states that the text of a code fence is meant for this file, or that the text is whole.
    Guess {
        /// The name of the file.
        path: String,
        /// The guess.
        guess: Guess,
    },
    /// The file keeps less than half of its lines.
    Shrinks {
        /// The number of lines that would be removed, blank ones excluded.
        lost: usize,
        /// The number of lines of the file, blank ones excluded.
        of: usize,
    },
    /// The file keeps less than half of its words.
    LosesWords {
        /// The percentage of its words that would be removed, by their length.
        percent: usize,
    },
    /// The new text has another number of lines than its call states, so it may be cut off.
    Count {
        /// The number that the call states.
        stated: usize,
        /// The number of lines of the text.
        found: usize,
    },
    /// The file is deleted, and has lines that the deletion does not state.
    Unstated {
        /// The number of these lines.
        count: usize,
    },
    /// The new text has conflict markers or edit markers that the file does not have.
    Markers {
        /// The first of them.
        mark: String,
    },
}

impl Loss {
    /// Returns the kind of loss in a few words.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Omission { .. }
            | Self::Shrinks { .. }
            | Self::LosesWords { .. }
            | Self::Count { .. }
            | Self::Unstated { .. } => "loses text",
            Self::Guess {
                guess: Guess::End(_),
                ..
            } => "may be cut off",
            Self::Guess {
                guess: Guess::Outcome(..),
                ..
            } => "may have failed",
            Self::Guess { .. } => "guessed",
            Self::Markers { mark } if is_conflict(mark) => "has a conflict marker",
            Self::Markers { .. } => "has an edit marker",
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Omission { mark, lines, count } => write!(
                f,
                "`{mark}` seems to replace omitted code: {} of lines {} to {} of the file would be removed",
                plural(*count, "line"),
                lines.0,
                lines.1
            ),
            Self::Guess {
                path,
                guess: Guess::File(line),
            } => write!(
                f,
                "that `{path}` is meant is a guess from line {line} of the input; `--format whole --path {path}` confirms it"
            ),
            Self::Guess {
                path,
                guess: Guess::Edit(line),
            } => write!(
                f,
                "the code fence with `{path}` at line {line} of the input is beside edits in another format: it may be an example"
            ),
            Self::Guess {
                path,
                guess: Guess::Language(line, language),
            } => write!(
                f,
                "the code fence at line {line} of the input is `{language}`, in which `{path}` is not written: it may be an example or an output"
            ),
            Self::Guess {
                path,
                guess: Guess::Tree(line),
            } => write!(
                f,
                "the code fence at line {line} of the input holds a tree of files, which may not be the text of `{path}`"
            ),
            Self::Guess {
                guess: Guess::End(line),
                ..
            } => write!(
                f,
                "the edit ends with the input, at line {line}, and no count or end marker shows that it is whole: it may be cut off"
            ),
            Self::Guess {
                guess: Guess::Outcome(line, text),
                ..
            } => write!(
                f,
                "the result of the call at line {line} of the input is `{text}`, which does not state that the call was carried out"
            ),
            Self::Shrinks { lost, of } => write!(
                f,
                "the new text keeps less than half of the old one: {lost} of {} would be removed",
                plural(*of, "line")
            ),
            Self::LosesWords { percent } => write!(
                f,
                "the new text keeps less than half of the old one: {percent} % of its words would be removed"
            ),
            Self::Count { stated, found } => write!(
                f,
                "the call states {}, and its text has {found}: it may be cut off",
                plural(*stated, "line")
            ),
            Self::Unstated { count } => write!(
                f,
                "the file has {} that the deletion does not state: they would be removed as well",
                plural(*count, "line")
            ),
            Self::Markers { mark } => {
                let kind = if is_conflict(mark) {
                    "a conflict marker"
                } else {
                    "an edit marker"
                };
                write!(
                    f,
                    "the new text contains {kind} that the file does not have (`{mark}`)"
                )
            }
        }
    }
}

fn is_conflict(marker: &str) -> bool {
    let runs = ["<<<<", "||||", ">>>>", "====", "%%%%"];
    let is_block = marker.ends_with("SEARCH") || marker.ends_with("REPLACE");
    runs.iter().any(|run| marker.starts_with(run)) && !is_block
}
