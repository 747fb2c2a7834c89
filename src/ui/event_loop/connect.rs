//! Connects the background services to the loop of a review.

use std::io;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use super::message::Message;
use crate::ui::services::apply_model::{ModelService, ModelState, RunModelCommand};
use crate::ui::services::background::MatchThreshold;
use crate::ui::services::check::{Check, Checking, RunCheck};
use crate::ui::services::threads::{ThreadRequest, ThreadService};
use crate::ui::state::app::App;
use crate::ui::state::known_threads::KnownThreads;
use crate::ui::threads::WORKER;

impl<'a> MatchThreshold<'a> {
    /// Shows the threshold on the screen and returns the function that changes it.
    pub(crate) fn connect(self, app: &mut App) -> &'a mut dyn FnMut(Option<u64>, u8) {
        app.precision = self.percent;
        self.set
    }
}

impl Check {
    /// Connects the check command to the screen and the loop, and returns the function that runs it.
    pub(crate) fn connect<M: From<Message> + Send + 'static>(
        self,
        app: &mut App,
        messages: Sender<M>,
    ) -> io::Result<RunCheck> {
        forward(self.news, messages, Message::CheckNews)?;
        app.check = Some(Checking::new(self.command, self.undecided));
        Ok(self.run)
    }
}

impl ModelService {
    /// Connects the apply model to the screen and the loop, and returns the function that asks it.
    pub(crate) fn connect(
        self,
        app: &mut App,
        messages: Sender<Message>,
    ) -> io::Result<RunModelCommand> {
        forward(self.news, messages, Message::ModelNews)?;
        app.model = Some(ModelState::new(self.host));
        Ok(self.order)
    }
}

impl ThreadService {
    /// Connects the threads to the screen and the loop, and returns the sender of requests.
    pub(crate) fn connect<M: From<Message> + Send + 'static>(
        self,
        app: &mut App,
        messages: Sender<M>,
    ) -> io::Result<Sender<ThreadRequest>> {
        forward(self.news, messages, Message::ThreadNews)?;
        app.threads = Some(KnownThreads::new(self.asks));
        Ok(self.requests)
    }
}

/// Brings what comes over a channel to the loop of a review, until either end is closed.
pub(crate) fn forward<T: Send + 'static, M: From<Message> + Send + 'static>(
    news: Receiver<T>,
    messages: Sender<M>,
    message: fn(Box<T>) -> Message,
) -> io::Result<()> {
    thread::Builder::new()
        .name(format!("{WORKER}news"))
        .spawn(move || {
            for piece in news {
                if messages.send(message(Box::new(piece)).into()).is_err() {
                    return;
                }
            }
        })?;
    Ok(())
}
