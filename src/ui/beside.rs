//! What goes on beside a review: someone writes down what is decided, and someone watches the files.

use std::io;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use super::input::Message;
use super::terminal::WORKER;
use crate::review::ReviewSession;

/// What goes on beside a review.
pub struct Beside<'a> {
    /// What is said at the bottom until the first key, if there is something to say.
    pub notice: Option<String>,
    /// Is given the session whenever a decision, an edit that has ended or a comment has changed. The next key waits for
    /// it.
    pub changed: &'a mut dyn FnMut(&ReviewSession),
    /// Brings the proposal as it is placed in files that have changed on disk.
    pub placed: Receiver<Placed>,
}

/// A proposal that was placed anew because files have changed on disk.
#[derive(Debug)]
pub struct Placed {
    /// It, with nothing decided.
    pub session: ReviewSession,
    /// The names of the files that have changed.
    pub changed: Vec<String>,
}

/// Brings what is placed anew to the event loop, until either end is closed.
///
/// # Errors
///
/// If no thread can be started.
pub(super) fn forward(placed: Receiver<Placed>, messages: Sender<Message>) -> io::Result<()> {
    thread::Builder::new()
        .name(format!("{WORKER}placed"))
        .spawn(move || {
            for placed in placed {
                if messages.send(Message::Placed(Box::new(placed))).is_err() {
                    return;
                }
            }
        })?;
    Ok(())
}
