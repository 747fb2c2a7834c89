//! Reasons why two texts are not proven to mean the same.

use std::fmt;

/// A reason why two texts are not proven to mean the same. Lines are those of the new text, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::policy) enum Unproven {
    /// The language is not known.
    Language,
    /// The parser cannot be used.
    NoParser,
    /// The file is too large, or takes too long.
    Large,
    /// The file has an error, or the parser does not know the form of the language.
    Error {
        /// The line of the version in which it is.
        line: usize,
    },
    /// Another token is there, or the same one in another place of the syntax tree.
    Token {
        line: usize,
        /// The new token; `None` for the end.
        token: Option<String>,
    },
    /// Two tokens may be one without the blank between them.
    Joined { line: usize },
    /// A line break may have a meaning.
    Break { line: usize },
    /// A comment may speak to the line that is broken or joined.
    SpokenTo { line: usize },
    /// Documentation is new where it may be none, or all of it is removed.
    Documentation { line: usize },
    /// Another hunk changes the same tokens.
    Shared,
    /// Something between the tokens is not a blank.
    Between { line: usize },
}

impl fmt::Display for Unproven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Language => f.write_str("no parser for this language is built in"),
            Self::NoParser => f.write_str("the parser cannot be used"),
            Self::Large => f.write_str("the file is too large to parse"),
            Self::Error { line } => {
                write!(f, "line {line} of the file is not understood by the parser")
            }
            Self::Token {
                line,
                token: Some(token),
            } => {
                let first = token.lines().next().unwrap_or_default();
                let first: String = first.chars().take(40).collect();
                write!(f, "line {line}: `{first}` is new or in another place")
            }
            Self::Token { line, token: None } => write!(f, "line {line}: something is removed"),
            Self::Joined { line } => write!(
                f,
                "line {line}: a blank between two signs or two words may have a meaning"
            ),
            Self::Break { line } => write!(
                f,
                "line {line}: a line break or an indentation may have a meaning"
            ),
            Self::SpokenTo { line } => write!(
                f,
                "line {line}: a comment may speak to this line, which is broken or joined otherwise"
            ),
            Self::Documentation { line } => write!(
                f,
                "line {line}: documentation is new where no item is, or all of it is removed"
            ),
            Self::Shared => f.write_str("another hunk changes the same lines or imports"),
            Self::Between { line } => write!(f, "line {line}: there are unusual blanks"),
        }
    }
}
