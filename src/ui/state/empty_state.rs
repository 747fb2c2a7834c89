//! Screen of the resident reviewer while there is nothing to review.

use std::collections::VecDeque;

/// Number of answers and warnings kept.
const LATELY: usize = 8;

/// Screen of the resident reviewer while there is nothing to review.
#[derive(Debug, Clone, Default)]
pub struct EmptyState {
    /// Address of the reviewer, and how to reach it.
    pub lines: Vec<String>,
    /// Recent answers and warnings, latest first.
    pub lately: VecDeque<String>,
}

impl EmptyState {
    /// Remembers an answer or a warning.
    pub fn note(&mut self, told: String) {
        self.lately.push_front(told);
        self.lately.truncate(LATELY);
    }
}
