//! The threads as the screen knows them.

use crate::review::Thread;
use crate::ui::services::threads::ThreadNews;

/// The threads with agents, where they can be kept.
#[derive(Debug, Clone, Default)]
pub struct KnownThreads {
    /// The threads as they are shown.
    pub known: Vec<Thread>,
    /// The threads as they are now, until they can be shown.
    pub waiting: Option<ThreadNews>,
    /// True if the threads that are not resolved are asked about before a review is finished.
    pub asks: bool,
}
