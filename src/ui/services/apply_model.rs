//! The apply model, as far as the review knows of it: what it is asked, and what it answers.
//!
//! Whoever opened the review sends the question, beside it; here is only what is known of that. One question is open at a
//! time, and its answer is shown as soon as that disturbs nothing.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::proposal::Hunk;
use crate::text::{Document, LineIdx};

/// An apply model that is configured, and how to ask it.
pub struct ModelService {
    /// Host of the endpoint, for display.
    pub host: String,
    /// Asks it beside the review, or gives up what it was asked.
    pub order: RunModelCommand,
    /// Answers.
    pub news: Receiver<ModelNews>,
}

/// Function that sends commands to the apply model.
pub type RunModelCommand = Box<dyn FnMut(ModelCommand<'_>)>;

/// Commands to the apply model.
#[derive(Debug, Clone, Copy)]
pub enum ModelCommand<'a> {
    /// It is to be asked this. The number is for the answer.
    Ask(u64, &'a ModelRequest),
    /// Nobody waits for its answer any more, and nothing more is to be sent.
    GiveUp,
}

/// A question to the apply model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRequest {
    /// The name of the file that it is about.
    pub path: String,
    /// The call that the file came with, in a review that stays open.
    pub call: Option<u64>,
    /// The text that it is about.
    pub text: Arc<Document>,
    /// Task.
    pub task: Task,
}

/// Tasks for the apply model.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// To put a hunk that has no place into the text.
    Place {
        /// The hunk.
        hunk: Box<Hunk>,
        /// The lines near which it belongs, if anything is known of that.
        near: Option<Range<LineIdx>>,
    },
    /// To change some lines of the text.
    Draft {
        /// The lines.
        lines: Range<LineIdx>,
        /// Instruction in the person's words.
        instruction: String,
    },
}

/// Answer to a request, or its error.
#[derive(Debug)]
pub struct ModelNews {
    /// The number of the question.
    pub number: u64,
    /// The answer; or why there is none, and what to do about that.
    pub answer: Result<ModelAnswer, String>,
}

/// Answers of the apply model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAnswer {
    /// A hunk that leads from the text to the one after the edit; it has its line.
    Hunk(Box<Hunk>),
    /// The lines that come in the place of those that were to be changed.
    Lines(Vec<String>),
}

/// The apply model of a review, and what is known of it.
#[derive(Debug)]
pub struct ModelState {
    /// Host of the endpoint, for display.
    pub host: String,
    /// The open request, and the time since it was sent.
    pub open: Option<(ModelRequest, Duration)>,
    /// An answer that waits for its moment.
    pub answered: Option<(ModelRequest, Result<ModelAnswer, String>)>,
    /// The number of the last question.
    pub number: u64,
}

impl ModelState {
    /// One that was not asked yet.
    pub fn new(host: String) -> Self {
        Self {
            host,
            open: None,
            answered: None,
            number: 0,
        }
    }

    /// Takes note of a question.
    pub fn begin(&mut self, inquiry: ModelRequest) {
        self.number += 1;
        self.open = Some((inquiry, Duration::ZERO));
    }

    /// Takes an answer; those to earlier questions are dropped.
    pub fn take(&mut self, news: ModelNews) {
        if news.number == self.number
            && let Some((inquiry, _)) = self.open.take()
        {
            self.answered = Some((inquiry, news.answer));
        }
    }
}
