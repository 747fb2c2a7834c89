//! The apply model, asked from a review: the question is sent beside it, and the review goes on.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::agent::Cancel;
use crate::agent::model::{Draft, Errand, ModelError};
use crate::app::model::service;
use crate::config::{Config, ModelSettings};
use crate::ui::{self, ModelAnswer, ModelCommand, ModelNews, ModelRequest, Task};

/// The apply model that the person has configured, for a review; `None` if there is none. When it is dropped, nothing more is
/// sent.
pub(crate) fn model(config: &Config) -> Option<ui::ModelService> {
    let model = config.settings.model.clone();
    let host = host(model.endpoint.as_deref()?);
    let (sender, news) = channel();
    let mut questioner = Questioner {
        model,
        news: sender,
        cancel: Cancel::new(),
    };
    Some(ui::ModelService {
        host,
        order: Box::new(move |order| questioner.obey(order)),
        news,
    })
}

/// The part of an address that names the machine.
fn host(endpoint: &str) -> String {
    let address = endpoint
        .split_once("://")
        .map_or(endpoint, |(_, rest)| rest);
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    host.to_owned()
}

/// Asks the apply model, one question at a time.
struct Questioner {
    model: ModelSettings,
    news: Sender<ModelNews>,
    /// Gives up the last question.
    cancel: Cancel,
}

impl Questioner {
    /// Does what the review wants of it.
    fn obey(&mut self, order: ModelCommand<'_>) {
        self.cancel.cancel();
        let ModelCommand::Ask(number, inquiry) = order else {
            return;
        };
        let cancel = Cancel::new();
        self.cancel = cancel.clone();
        let (model, news, inquiry) = (self.model.clone(), self.news.clone(), inquiry.clone());
        // It is not waited for when the review ends: it may take as long as the model does.
        let thread = thread::Builder::new().name("countersign-model".to_owned());
        let spawned = thread.spawn(move || {
            let answer = answer(&model, &inquiry, &cancel);
            let answer = answer.map_err(|error| format!("{error}; {}", error.hint()));
            // Nobody waits for it any more when the review has ended.
            let _ = news.send(ModelNews { number, answer });
        });
        if let Err(error) = spawned {
            let answer = Err(format!("no thread can be started: {error}"));
            let _ = self.news.send(ModelNews { number, answer });
        }
    }
}

impl Drop for Questioner {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn answer(
    model: &ModelSettings,
    inquiry: &ModelRequest,
    cancel: &Cancel,
) -> Result<ModelAnswer, ModelError> {
    let service = service(model)?;
    let ModelRequest { path, text, .. } = inquiry;
    match &inquiry.task {
        Task::Place { hunk, near } => {
            let base = text.clone();
            let errand = Errand::new(path, base, hunk, near.clone(), service.most_bytes)?;
            let hunk = errand.run(&service, cancel)?;
            Ok(ModelAnswer::Hunk(Box::new(hunk)))
        }
        Task::Draft { lines, instruction } => {
            let draft = Draft::new(path, text, lines.clone(), instruction, service.most_bytes)?;
            Ok(ModelAnswer::Lines(draft.run(&service, cancel)?))
        }
    }
}
