//! Syntax highlighting, on a thread of its own.
//!
//! Whole texts are read, never lone hunks, so that a string or comment that began far above is known. What is on the
//! screen comes first; a window far below what has been read gets a guess at once and its true colours later. Answers say
//! for which version of a text they are, and one that comes too late is dropped by its receiver.

mod checkpoints;
mod grammar;
mod request;
mod syntax_check;
mod token;
pub(crate) mod token_cache;
mod worker;

pub use request::{Half, HighlightRequest, HighlightedLines, LineTokens, TextSource, TokenRun};
pub use syntax_check::{SyntaxCheck, SyntaxFault, SyntaxReport, check_syntax};
pub use token::TokenKind;
pub use worker::Highlighter;
