//! The lines that a thread is about, as they are kept between reviews.

use serde::{Deserialize, Serialize};

/// Adjacent lines of a file, with those around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The number of the first line, from 1.
    pub line: usize,
    /// The lines.
    pub lines: Vec<String>,
    /// The lines above, in order.
    pub before: Vec<String>,
    /// The lines below.
    pub after: Vec<String>,
}
