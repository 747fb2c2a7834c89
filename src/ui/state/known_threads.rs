//! The threads as the screen knows them.

use std::collections::VecDeque;

use super::prompt_draft::PromptDraft;
use crate::review::Thread;
use crate::ui::outcome::Ending;
use crate::ui::services::threads::{RequestOutcome, ThreadNews};

/// The threads with agents, where they can be kept.
#[derive(Debug, Default)]
pub struct KnownThreads {
    /// The threads as they are shown.
    pub known: Vec<Thread>,
    /// True if the threads that are not resolved are asked about before a review is finished.
    pub asks: bool,
    /// The messages that were sent, among the steps that can be undone.
    pub sent: Vec<SentMessage>,
    /// The threads as they are now, until they can be shown.
    pub(crate) waiting: Option<Vec<Thread>>,
    /// The latest problem, until it can be shown.
    pub(crate) problem: Option<String>,
    /// The requests without an outcome, in their order.
    pub(crate) pending: VecDeque<SentRequest>,
    /// The requests whose outcome is not shown yet.
    pub(crate) finished: Vec<(SentRequest, RequestOutcome)>,
    /// The ending of the review that waits for the outcome of all requests.
    pub(crate) leaving: Option<Ending>,
}

/// A request about threads that is being carried out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SentRequest {
    /// The text, by the box that it was typed in; `None` if the request has none.
    pub(crate) draft: Option<PromptDraft>,
    /// The message while it is carried out.
    pub(crate) begun: &'static str,
    /// The message once it is carried out; `None` if the change of the thread shows it.
    pub(crate) done: Option<String>,
    /// The steps that could be undone when it was sent.
    pub(crate) at: (usize, usize),
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
    /// No threads yet. `asks` is true if those that are not resolved are asked about before a review is finished.
    pub fn new(asks: bool) -> Self {
        Self {
            asks,
            ..Self::default()
        }
    }

    /// Records that a message was sent, after so many steps of the session and of the match threshold.
    pub(crate) fn record_sent(&mut self, words: &'static str, at: (usize, usize)) {
        self.sent.push(SentMessage { words, at });
    }

    /// Forgets the latest message that was sent after so many steps: it was not stored.
    pub(crate) fn forget_sent(&mut self, at: (usize, usize)) {
        if let Some(last) = self.sent.iter().rposition(|sent| sent.at == at) {
            self.sent.remove(last);
        }
    }

    /// Takes news, until they can be shown.
    pub(crate) fn take(&mut self, news: ThreadNews) {
        let ThreadNews {
            threads,
            answer,
            problem,
        } = news;
        self.waiting = threads.or(self.waiting.take());
        self.problem = problem.or(self.problem.take());
        if let Some(answer) = answer
            && let Some(request) = self.pending.pop_front()
        {
            self.finished.push((request, answer));
        }
    }

    /// Returns true if a request has no outcome yet.
    pub(crate) fn is_storing(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the texts of which it is not known that they are stored.
    pub(crate) fn unstored(&self) -> impl Iterator<Item = &str> {
        let failed = self.finished.iter().filter(|(_, outcome)| outcome.is_err());
        let failed = failed.map(|(request, _)| request);
        let requests = failed.chain(&self.pending);
        requests.filter_map(|request| Some(request.draft.as_ref()?.text()))
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
