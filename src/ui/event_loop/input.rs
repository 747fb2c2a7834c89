//! Input threads: keys, mouse, paste, resizes and signals.

use std::convert::Infallible;
use std::io;
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::iterator::Signals;

use super::message::Message;
use crate::ui::terminal::late_replies::Replies;
use crate::ui::terminal::open_tty;
use crate::ui::threads::WORKER;

/// Interval at which the reader checks if it should pause.
const PATIENCE: Duration = Duration::from_millis(100);
/// The same for a call to the system.
const INTERVAL: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Closed as soon as the reader of the review before has ended.
static EARLIER: Mutex<Option<Receiver<Infallible>>> = Mutex::new(None);

/// Waits until the reader of the review before, if there was one, no longer touches the terminal: it would take the answers of a
/// terminal that is asked.
pub(crate) fn await_earlier() {
    let earlier = EARLIER
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    // A dead terminal may never let it go.
    earlier.map(|ended| ended.recv_timeout(4 * PATIENCE));
}

/// State of the thread that reads the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputState {
    Wanted,
    PauseAsked,
    Paused,
    Ended,
}

/// Thread that reads the terminal; it can be paused for another program.
pub(crate) struct InputThread {
    shared: Arc<Shared>,
}

struct Shared {
    reading: Mutex<InputState>,
    changed: Condvar,
}

impl InputThread {
    /// Starts to read; in the midst of an answer of the terminal, or where a key may come.
    pub(crate) fn start(messages: Sender<Message>, in_answer: bool) -> io::Result<Self> {
        let tty = open_tty()?;
        let shared = Arc::new(Shared {
            reading: Mutex::new(InputState::Wanted),
            changed: Condvar::new(),
        });
        let reader = Arc::clone(&shared);
        let (alive, ended) = channel();
        thread::Builder::new()
            .name(format!("{WORKER}input"))
            .spawn(move || {
                read(&reader, &tty, &messages, in_answer);
                drop(alive);
            })?;
        *EARLIER.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
        Ok(Self { shared })
    }

    /// Returns when the reader no longer touches the terminal.
    pub(crate) fn pause(&self) {
        let mut reading = self.shared.lock();
        if *reading == InputState::Wanted {
            *reading = InputState::PauseAsked;
        }
        while *reading == InputState::PauseAsked {
            let waited = self.shared.changed.wait_timeout(reading, 4 * PATIENCE);
            let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            reading = guard;
            if timeout.timed_out() {
                break;
            }
        }
    }

    /// Reads again.
    pub(crate) fn resume(&self) {
        self.shared.set(InputState::Wanted);
    }
}

impl Drop for InputThread {
    /// The thread ends by itself; it is not waited for, as a dead terminal may never let it go.
    fn drop(&mut self) {
        self.shared.set(InputState::Ended);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, InputState> {
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, reading: InputState) {
        let mut now = self.lock();
        if *now != InputState::Ended {
            *now = reading;
        }
        drop(now);
        self.changed.notify_all();
    }

    /// Returns true if another program or the next review owns the terminal now.
    fn is_to_leave(&self) -> bool {
        *self.lock() != InputState::Wanted
    }

    /// Waits while the reader is paused; returns false when it should end.
    fn may_read(&self) -> bool {
        let mut reading = self.lock();
        loop {
            match *reading {
                InputState::Wanted => return true,
                InputState::Ended => return false,
                InputState::PauseAsked => {
                    *reading = InputState::Paused;
                    self.changed.notify_all();
                }
                InputState::Paused => {
                    let waited = self.changed.wait(reading);
                    reading = waited.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}

fn read(shared: &Shared, tty: &impl AsFd, messages: &Sender<Message>, in_answer: bool) {
    let mut replies = Replies::new(Instant::now(), in_answer);
    while shared.may_read() {
        let came = match event::poll(replies.patience().unwrap_or(PATIENCE)) {
            Ok(false) if replies.patience().is_none() => {
                await_key(shared, tty);
                continue;
            }
            Ok(false) => Ok(replies.rest(Instant::now())),
            // What came while the terminal went to someone else, or to the next review, is theirs.
            Ok(true) if shared.is_to_leave() => continue,
            Ok(true) => event::read().map(|event| replies.take(event, Instant::now())),
            Err(error) => Err(error),
        };
        let Ok(events) = came else {
            // Nobody listens any more when the review has ended.
            let _ = messages.send(Message::Stop);
            return;
        };
        for event in events {
            if messages.send(Message::Input(event)).is_err() {
                return;
            }
        }
    }
}

/// Waits until the terminal has something to read, or the reader should pause. `event::poll` asks again and again in the last
/// millisecond of its time-out, which is a hundredth of a processor for as long as nobody presses a key.
fn await_key(shared: &Shared, tty: &impl AsFd) {
    let is_silent = || poll(&mut [PollFd::new(tty, PollFlags::IN)], Some(&INTERVAL)) == Ok(0);
    while !shared.is_to_leave() && is_silent() {}
}

/// Turns signals that end, continue or resize the program into messages.
pub(crate) fn watch_signals<M: From<Message> + Send + 'static>(
    messages: Sender<M>,
) -> io::Result<signal_hook::iterator::Handle> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM, SIGCONT, SIGWINCH])?;
    let handle = signals.handle();
    thread::Builder::new()
        .name(format!("{WORKER}signals"))
        .spawn(move || {
            for signal in signals.forever() {
                let message = match signal {
                    SIGCONT => Message::Continued,
                    SIGINT => Message::Interrupt,
                    SIGWINCH => Message::Resized,
                    _ => Message::Stop,
                };
                if messages.send(message.into()).is_err() {
                    return;
                }
            }
        })?;
    Ok(handle)
}
