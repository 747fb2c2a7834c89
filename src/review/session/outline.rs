//! Numbers of a file before it is placed.

use crate::proposal::FileChange;

/// A file that is still to be placed, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outline {
    /// The hunks that are for it.
    pub hunks: usize,
    /// Lines that they state beyond their context.
    pub added: usize,
    /// Lines that they look for beyond their context.
    pub removed: usize,
}

impl Outline {
    /// Counts what a part asks for, context at both ends left aside: a guess that costs no comparison.
    pub(in crate::review) fn add(&mut self, change: &FileChange) {
        self.hunks += change.hunks.len();
        for hunk in &change.hunks {
            let (before, after) = (&hunk.body.preimage, &hunk.body.postimage);
            let most = before.len().min(after.len());
            let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
            let tail = before.iter().rev().zip(after.iter().rev());
            let tail = tail.take(most - head).take_while(|(a, b)| a == b).count();
            self.added += after.len() - head - tail;
            self.removed += before.len() - head - tail;
        }
    }
}
