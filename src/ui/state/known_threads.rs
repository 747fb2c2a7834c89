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
    /// The messages that were sent, among the steps that can be undone.
    pub sent: Vec<SentMessage>,
}

/// Message that was sent, which cannot be undone.
#[derive(Debug, Clone, Copy)]
pub struct SentMessage {
    /// It in words.
    pub words: &'static str,
    /// The numbers of steps that could be undone then: of the session, and of the match threshold.
    pub at: (usize, usize),
}

impl KnownThreads {
    /// Records that a message was sent, after so many steps of the session and of the match threshold.
    pub(crate) fn record_sent(&mut self, words: &'static str, at: (usize, usize)) {
        self.sent.push(SentMessage { words, at });
    }

    /// Returns true if a message was sent after the last step that can be undone.
    pub(crate) fn is_last_sent(&self, at: (usize, usize)) -> bool {
        let last = self.sent.last();
        last.is_some_and(|sent| sent.at.0 >= at.0 && sent.at.1 >= at.1)
    }

    /// Returns the message that was sent after the last step that can be undone, once.
    pub(crate) fn take_last_sent(&mut self, at: (usize, usize)) -> Option<&'static str> {
        if !self.is_last_sent(at) {
            return None;
        }
        self.sent.pop().map(|sent| sent.words)
    }

    /// Takes note that the session may hold fewer steps now, as lines changed.
    pub(crate) fn clamp(&mut self, steps: usize) {
        for sent in &mut self.sent {
            sent.at.0 = sent.at.0.min(steps);
        }
    }
}
