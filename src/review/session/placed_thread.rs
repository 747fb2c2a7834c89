//! Threads as they are shown in a review.

use crate::review::threads::record::ThreadState;
use crate::text::LineIdx;

/// A thread at a file under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedThread {
    /// The name of the thread.
    pub id: String,
    /// Its state.
    pub state: ThreadState,
    /// The last of its lines; `None` if they are not in the file any more.
    pub place: Option<ThreadPlace>,
    /// The number of its lines.
    pub count: usize,
    /// The conversation, as it is shown.
    pub text: String,
}

/// A line of a file under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadPlace {
    /// A line of the base.
    Base(LineIdx),
    /// A line that a hunk adds.
    Added {
        /// The hunk.
        hunk: usize,
        /// The position among its changed lines.
        line: usize,
    },
}
