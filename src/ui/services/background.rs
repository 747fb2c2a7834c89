//! What goes on beside a review: someone writes down what is decided, someone watches the files, and proposals come and go.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;

use super::apply_model::Model;
use super::check::Check;
use crate::review::{CallReview, Decisions, FileReview, ReviewSession, Standing};

/// What goes on beside a review.
pub struct Services<'a> {
    /// What is said at the bottom until the first key, if there is something to say.
    pub notice: Option<String>,
    /// Is given the session whenever a decision, an edit that has ended or a comment has changed, and when something has
    /// joined or left. The next key waits for it.
    pub changed: &'a mut dyn FnMut(&ReviewSession),
    /// Brings the proposal as it is placed in files that have changed on disk.
    pub placed: Receiver<Placed>,
    /// What a review needs that stays open with nothing to review.
    pub resident: Option<Resident>,
    /// How alike a reworded place must be, if there is anything to place.
    pub precision: Option<Precision<'a>>,
    /// A command that checks what would be written, if there is one.
    pub check: Option<Check>,
    /// The apply model, if one is configured.
    pub model: Option<Model>,
}

/// How alike a reworded place must be to the lines that are looked for.
pub struct Precision<'a> {
    /// In hundredths; `None` where each call has its own ([`CallReview::precision`]).
    pub percent: Option<u8>,
    /// Has everything placed anew with another one, beside the review: [`Services::placed`] brings it. Or the call of that number,
    /// which [`Resident::changes`] brings.
    pub set: &'a mut dyn FnMut(Option<u64>, u8),
}

/// A proposal that was placed: what was shown in outline until then, or anew because files have changed on disk.
#[derive(Debug)]
pub struct Placed {
    /// It, with nothing decided.
    pub session: ReviewSession,
    /// The names of the files that have changed; none for the first placing of what was shown in outline.
    pub changed: Vec<String>,
    /// The precision that it was placed with, in hundredths, if that was asked for in the review.
    pub precision: Option<u8>,
    /// What is to be said of it besides.
    pub notice: Option<String>,
}

/// What a review needs that stays open with nothing to review.
#[derive(Debug)]
pub struct Resident {
    /// Brings what joins and leaves.
    pub changes: Receiver<Change>,
    /// Set while the person is in the middle of something: a comment, an edit, a selection, a question.
    pub busy: Arc<AtomicBool>,
    /// What is shown while there is nothing to review.
    pub idle: Vec<String>,
}

/// Something joins or leaves a review. It is shown as soon as that disturbs nothing.
#[derive(Debug)]
pub enum Change {
    /// A call joins, or is placed anew.
    Joined {
        /// The call.
        call: CallReview,
        /// Its files, with nothing decided.
        files: Vec<FileReview>,
        /// What was decided about the same edits before.
        kept: Option<Decisions>,
        /// What to say about it.
        told: Option<String>,
    },
    /// A call has its answer, or was taken back.
    Left {
        /// Its number.
        call: u64,
        /// Which of the two.
        standing: Standing,
        /// What to say about it.
        told: String,
    },
    /// Something is to be said.
    Said(String),
    /// Nothing more will come.
    Ended,
}
