//! What a review that stays open shows while there is nothing to review.

use std::collections::VecDeque;

/// How many answers are remembered.
const LATELY: usize = 8;

/// What is shown while there is nothing to review.
#[derive(Debug, Clone, Default)]
pub struct EmptyState {
    /// Where the review listens, and how to reach it.
    pub lines: Vec<String>,
    /// What was answered lately, the latest first.
    pub lately: VecDeque<String>,
}

impl EmptyState {
    /// Remembers an answer.
    pub fn note(&mut self, told: String) {
        self.lately.push_front(told);
        self.lately.truncate(LATELY);
    }
}
