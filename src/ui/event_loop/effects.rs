//! Executes the effects that an update asks for.

use std::io;
use std::ops::ControlFlow;
use std::thread;
use std::time::Instant;

use ratatui::layout::Size;
use rustix::process::{Signal, kill_current_process_group};

use super::RunningScreen;
use super::message::Message;
use crate::ui::action::{Action, Effect};
use crate::ui::highlight::check_syntax;
use crate::ui::outcome::Ending;
use crate::ui::services::apply_model::ModelCommand;
use crate::ui::services::external_editor::ExternalEdit;
use crate::ui::services::threads::ThreadNews;
use crate::ui::terminal;
use crate::ui::threads::WORKER;
use crate::ui::update::update;

impl RunningScreen<'_, '_> {
    /// Carries an effect out.
    pub(crate) fn effect(&mut self, effect: Effect) -> ControlFlow<Ending> {
        match effect {
            Effect::None => (),
            Effect::End(ending) => return ControlFlow::Break(ending),
            Effect::Redraw => self.terminal.forget(),
            Effect::Copy(text) => io_or_abort(self.terminal.copy(&text))?,
            Effect::Suspend => {
                // What cannot be suspended goes on.
                self.aside(|| kill_current_process_group(Signal::TSTP).ok())?;
            }
            Effect::OpenEditor(errand) => return self.run_editor(errand),
            Effect::Judge => self.check_syntax(),
            Effect::Match { call, percent } => {
                if let Some(set) = &mut self.precision {
                    set(call, percent);
                }
            }
            Effect::AskModel => {
                let question = (self.app.model.as_ref())
                    .and_then(|model| Some((model.number, &model.open.as_ref()?.0)));
                if let (Some(order), Some((number, inquiry))) = (&mut self.model, question) {
                    order(ModelCommand::Ask(number, inquiry));
                    self.asked = Some(Instant::now());
                }
            }
            Effect::GiveUpModel => {
                if let Some(order) = &mut self.model {
                    order(ModelCommand::GiveUp);
                }
            }
            Effect::Thread(request) => {
                let threads = self.threads.as_ref();
                let is_sent = threads.is_some_and(|threads| threads.send(*request).is_ok());
                if !is_sent {
                    update(self.app, Action::ThreadNews(ThreadNews::without_worker()));
                }
            }
            Effect::Check => {
                if let (Some(run), Some(check)) = (&mut self.check, &self.app.check) {
                    run(check.run, check.task, &self.app.session);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Lets a grammar judge the result that is read, on a thread of its own. Without a thread nothing is said of it.
    fn check_syntax(&self) {
        let Some(case) = self.app.case() else {
            return;
        };
        let messages = self.sender.clone();
        let worker = thread::Builder::new().name(format!("{WORKER}judge"));
        let spawned = worker.spawn(move || {
            let checked = Message::SyntaxChecked(check_syntax(&case));
            messages.send(checked).ok()
        });
        spawned.ok();
    }

    fn run_editor(&mut self, errand: ExternalEdit) -> ControlFlow<Ending> {
        let editor = self.editor.clone();
        let result = self.aside(|| errand.run(editor.as_deref()))?;
        let effect = update(self.app, Action::EditorEnded(errand, result));
        self.effect(effect)?;
        // An interrupt was meant for the editor.
        let meanwhile: Vec<Message> = self.messages.try_iter().collect();
        for message in meanwhile
            .into_iter()
            .filter(|message| !matches!(message, Message::Interrupt))
        {
            self.take(message)?;
        }
        ControlFlow::Continue(())
    }

    /// Leaves the terminal to someone else for a while.
    pub(crate) fn aside<T>(&mut self, what: impl FnOnce() -> T) -> ControlFlow<Ending, T> {
        self.input.pause();
        terminal::leave();
        let result = what();
        io_or_abort(self.terminal.enter())?;
        self.terminal.forget();
        if let Ok((width, height)) = crossterm::terminal::size() {
            update(self.app, Action::Resize(Size { width, height }));
        }
        self.input.resume();
        ControlFlow::Continue(result)
    }
}

/// A terminal that cannot be written to is gone, and the review with it: nothing is accepted by that.
fn io_or_abort<T>(result: io::Result<T>) -> ControlFlow<Ending, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(_) => ControlFlow::Break(Ending::Aborted),
    }
}
