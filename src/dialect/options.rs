//! Options for reading an input.

use crate::dialect::dialect_trait::Dialect;
use crate::dialect::input::Turns;

/// Options for reading an input.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The one dialect to read; without it every dialect is.
    pub dialect: Option<&'static dyn Dialect>,
    /// The file for a dialect that names none.
    pub path: Option<String>,
    /// The turns of a transcript to read.
    pub turns: Turns,
}
