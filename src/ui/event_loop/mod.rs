//! The loop between the terminal and the state: wait, take all that has happened, draw once.

pub(crate) mod connect;
mod effects;
pub(crate) mod input;
pub(crate) mod message;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};
use ratatui::layout::Size;

use crate::review::ReviewSession;
use crate::ui::action::{Action, Effect};
use crate::ui::command::Command;
use crate::ui::dispatch;
use crate::ui::highlight::Highlighter;
use crate::ui::keymap::key_sequence::KeyReader;
use crate::ui::options::ScreenOptions;
use crate::ui::outcome::{Ending, ReviewOutcome};
use crate::ui::services::apply_model::{ModelService, RunModelCommand};
use crate::ui::services::background::{LastKey, Services};
use crate::ui::services::check::{Check, RunCheck};
use crate::ui::services::threads::{ThreadRequest, ThreadService};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::empty_state::EmptyState;
use crate::ui::terminal::Terminal;
use crate::ui::threads::WORKER;
use crate::ui::update::{abort, update};
use connect::forward;
use input::{InputThread, await_earlier, watch_signals};
use message::Message;

/// Interval at which a silent terminal is checked for being alive.
const WATCH: Duration = Duration::from_secs(1);
/// A burst that goes on longer than this gets a frame in between.
const BURST: Duration = Duration::from_millis(40);
/// Nobody answers a frame sooner than this, and no key is longer on its way.
const REACTION: Duration = Duration::from_millis(60);
/// The longest wait for what was written to agents at the end of a review; another program may keep the threads locked for 10 seconds.
const STORING: Duration = Duration::from_secs(12);

/// Reviews a session on the terminal.
pub(crate) fn run(
    session: ReviewSession,
    mut options: ScreenOptions,
    services: Services<'_>,
) -> io::Result<ReviewOutcome> {
    let (sender, messages) = channel();
    let signals = watch_signals(sender.clone())?;
    await_earlier();
    let mut terminal = Terminal::open(options.mouse)?;
    let answer = terminal.ask(options.probe);
    options.background = answer.background.unwrap_or(options.background);
    let (width, height) = crossterm::terminal::size()?;
    let mut app = App::new(session, &options, Size { width, height });
    app.empty_state = (services.resident.as_ref()).map(|resident| EmptyState {
        lines: resident.idle.clone(),
        ..EmptyState::default()
    });
    if let Some(notice) = services.notice {
        app.notify(Tone::Refused, notice);
    }
    // The first frame is drawn before any key is read, so no key answers a question that was not shown.
    terminal.draw(&app)?;
    app.count_shown();
    terminal.forget_typed_ahead();
    let input = InputThread::start(sender.clone(), answer.unfinished)?;
    forward(services.placed, sender.clone(), Message::Placed)?;
    let mut busy = None;
    let mut last_key = None;
    if let Some(resident) = services.resident {
        forward(resident.changes, sender.clone(), Message::Changed)?;
        busy = Some(resident.busy);
        last_key = Some(resident.last_key);
    }
    let painter = sender.clone();
    let highlighter =
        Highlighter::start(move |painted| painter.send(Message::Highlighted(painted)).is_ok());
    let connected = |check: Check| check.connect(&mut app, sender.clone());
    let check = services.check.map(connected).transpose()?;
    let connected = |model: ModelService| model.connect(&mut app, sender.clone());
    let model = services.model.map(connected).transpose()?;
    let precision = (services.precision).map(|precision| precision.connect(&mut app));
    let connected = |threads: ThreadService| threads.connect(&mut app, sender.clone());
    let threads = services.threads.map(connected).transpose()?;
    let mut running = RunningScreen {
        app: &mut app,
        keys: KeyReader::default(),
        terminal,
        input,
        highlighter,
        messages,
        changed: services.changed,
        editor: options.editor,
        busy,
        last_key,
        precision,
        check,
        model,
        threads,
        asked: None,
        leaving: None,
        sender,
        blind: false,
    };
    let ending = running.until_end();
    let messages = running.close();
    signals.close();
    await_stored(&mut app, &messages);
    let unsent = app.unsent(ending);
    Ok(ReviewOutcome {
        session: app.session,
        ending,
        unsent,
    })
}

/// Waits until every request about threads has its outcome, where the review was broken off or its scheduler has ended.
fn await_stored(app: &mut App, messages: &Receiver<Message>) {
    let deadline = Instant::now() + STORING;
    while app.is_storing() {
        let left = deadline.saturating_duration_since(Instant::now());
        match messages.recv_timeout(left) {
            Ok(Message::ThreadNews(news)) => {
                update(app, Action::ThreadNews(*news));
            }
            Ok(_) => (),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Panics if a test asks for it, to see that the terminal is given back. Never in a release.
fn provoke_panic() {
    let wanted = || std::env::var_os("COUNTERSIGN_PANIC").is_some_and(|place| place == "draw");
    assert!(!(cfg!(debug_assertions) && wanted()), "COUNTERSIGN_PANIC");
}

struct RunningScreen<'a, 'b> {
    app: &'a mut App,
    keys: KeyReader,
    terminal: Terminal,
    input: InputThread,
    highlighter: Highlighter,
    messages: Receiver<Message>,
    changed: &'a mut dyn FnMut(&ReviewSession),
    editor: Option<String>,
    /// Flag for other threads: the person is in the middle of something.
    busy: Option<Arc<AtomicBool>>,
    /// Time of the latest key, for other threads.
    last_key: Option<LastKey>,
    precision: Option<&'b mut (dyn FnMut(Option<u64>, u8) + 'b)>,
    check: Option<RunCheck>,
    model: Option<RunModelCommand>,
    threads: Option<Sender<ThreadRequest>>,
    /// Since when the apply model is asked.
    asked: Option<Instant>,
    /// Since when the end waits for what was written to agents.
    leaving: Option<Instant>,
    sender: Sender<Message>,
    /// True while input is dropped because the screen was too small when it was typed.
    blind: bool,
}

/// Result of handling a message: does the screen need a new frame?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextFrame {
    Due,
    Stands,
}

impl RunningScreen<'_, '_> {
    /// Runs until the review ends. What is being typed when it is broken off is kept.
    fn until_end(&mut self) -> Ending {
        let ending = self.until_left();
        if ending == Ending::Aborted {
            // A lost terminal ends it without a message.
            abort(self.app);
            self.keep_changes();
        }
        ending
    }

    fn until_left(&mut self) -> Ending {
        loop {
            // A terminal that cannot be drawn to is gone.
            if self.draw().is_err() {
                return Ending::Aborted;
            }
            let waited = self.wait();
            self.limit_leaving();
            // A verdict has the questions that were asked before the decision.
            let busy = self.app.is_busy() || self.app.is_storing();
            if busy {
                self.say_busy(busy);
            }
            self.keep_changes();
            // Who waits for the person to be done finds what came of it.
            self.say_busy(busy);
            if let ControlFlow::Break(ending) = waited {
                return ending;
            }
        }
    }

    /// Brings the review back if what was written to agents is not stored in time.
    fn limit_leaving(&mut self) {
        if !self.app.is_leaving() {
            self.leaving = None;
            return;
        }
        if self.leaving.get_or_insert_with(Instant::now).elapsed() > STORING {
            update(self.app, Action::Command(Command::Back, None));
        }
    }

    /// Leaves the terminal, and returns the messages that still come.
    fn close(self) -> Receiver<Message> {
        self.messages
    }

    /// Saves what has changed.
    fn keep_changes(&mut self) {
        if self.app.has_changed() {
            (self.changed)(&self.app.session);
        }
    }

    /// Says whether the person is in the middle of something.
    fn say_busy(&self, busy: bool) {
        if let Some(told) = &self.busy {
            told.store(busy, Ordering::Release);
        }
    }

    /// Notes that the person is at the screen.
    fn note_key(&self) {
        if let Some(last_key) = &self.last_key {
            last_key.note();
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        if let Some(wants) = self.app.prepare() {
            self.highlighter.ask(wants);
        }
        self.look_for_moves();
        provoke_panic();
        self.terminal.draw(self.app)?;
        self.app.count_shown();
        if self.blind {
            self.forget_typed_blindly();
        }
        Ok(())
    }

    /// Has moved lines looked for on a thread of its own. Without a thread none are marked.
    fn look_for_moves(&mut self) {
        let Some((number, lines)) = self.app.wanted_moves() else {
            return;
        };
        let messages = self.sender.clone();
        let worker = thread::Builder::new().name(format!("{WORKER}moves"));
        let spawned = worker.spawn(move || {
            let found = Message::MovedLinesFound(number, lines.moved());
            messages.send(found).ok()
        });
        spawned.ok();
    }

    /// Forgets what was typed while nothing could be seen: what was read before, what the terminal still has of it, and what is on
    /// its way.
    fn forget_typed_blindly(&mut self) {
        self.input.pause();
        let seen = Instant::now() + REACTION;
        while let Ok(true) = event::poll(seen.saturating_duration_since(Instant::now()))
            && event::read().is_ok()
        {}
        // It comes behind all that was read. There is always somebody to take it.
        let _ = self.sender.send(Message::Seen);
        self.input.resume();
    }

    /// Waits until something has happened that changes the screen, and takes everything else that is there with it.
    fn wait(&mut self) -> ControlFlow<Ending> {
        loop {
            let first = match self.messages.recv_timeout(WATCH) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) if self.terminal.is_alive() => {
                    if self.app.is_leaving() {
                        return ControlFlow::Continue(());
                    }
                    if self.app.waiting.tell_time(Instant::now()) {
                        return ControlFlow::Continue(());
                    }
                    if let Some(since) = self.asked.filter(|_| self.app.is_asking()) {
                        update(self.app, Action::ModelWaited(since.elapsed()));
                        return ControlFlow::Continue(());
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return ControlFlow::Break(Ending::Aborted);
                }
            };
            let mut frame = self.take(first)?;
            let begun = Instant::now();
            while begun.elapsed() < BURST
                && let Ok(message) = self.messages.try_recv()
            {
                if self.take(message)? == NextFrame::Due {
                    frame = NextFrame::Due;
                }
            }
            if frame == NextFrame::Due {
                return ControlFlow::Continue(());
            }
        }
    }

    fn take(&mut self, message: Message) -> ControlFlow<Ending, NextFrame> {
        let effect = match message {
            // The terminal tells of its size by a signal and by a report; the size when it is asked is the one that counts.
            Message::Resized | Message::Input(Event::Resize(..)) => {
                let Ok((width, height)) = crossterm::terminal::size() else {
                    return ControlFlow::Continue(NextFrame::Stands);
                };
                // Even at the same size the screen may have lost something, if it had another in between.
                self.terminal.forget();
                self.blind |= self.app.screen().is_none();
                update(self.app, Action::Resize(Size { width, height }))
            }
            Message::Input(_) if self.blind => return ControlFlow::Continue(NextFrame::Stands),
            Message::Seen => {
                self.blind = false;
                return ControlFlow::Continue(NextFrame::Stands);
            }
            Message::Input(event) => {
                self.note_key();
                match dispatch::report(self.app, &mut self.keys, event) {
                    Some(effect) => effect,
                    None => return ControlFlow::Continue(NextFrame::Stands),
                }
            }
            Message::Highlighted(painted) => update(self.app, Action::Highlighted(painted)),
            Message::Placed(placed) => update(self.app, Action::Placed(placed)),
            Message::Changed(change) => update(self.app, Action::Changed(change)),
            Message::SyntaxChecked(judged) => update(self.app, Action::SyntaxChecked(judged)),
            Message::CheckNews(news) => update(self.app, Action::CheckNews(*news)),
            Message::ModelNews(news) => update(self.app, Action::ModelNews(*news)),
            Message::ThreadNews(news) => update(self.app, Action::ThreadNews(*news)),
            Message::MovedLinesFound(number, moved) => {
                update(self.app, Action::MovedLinesFound(number, moved))
            }
            Message::Stop | Message::Interrupt => abort(self.app),
            Message::Continued => {
                self.aside(|| ())?;
                Effect::None
            }
        };
        self.effect(effect)?;
        ControlFlow::Continue(NextFrame::Due)
    }
}
