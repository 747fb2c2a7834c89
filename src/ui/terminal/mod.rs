//! The terminal itself: entered, drawn to, and left as it was found.
//!
//! All reading and drawing is on `/dev/tty`, so standard input may be a pipe and standard output stays free for results.
//! `leave` undoes everything and may be called at any time and more than once: on the way out, from the panic hook,
//! before a suspend.

mod cell_style;
pub(crate) mod late_replies;
pub mod output;
mod scroll_detection;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};

use crate::ui::probe::{self, Probe, TerminalReplies};
use crate::ui::state::app::App;
use crate::ui::threads::WORKER;
use crate::ui::view;
use output::Output;

/// True while the program owns the terminal; for the panic hook.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The terminal while a review is open. Dropping it leaves the terminal as it was found.
pub(crate) struct Terminal {
    output: Output,
    tty: File,
    mouse: bool,
}

impl Terminal {
    /// Opens and enters the controlling terminal, with the mouse or without it, and makes sure that a panic leaves it again.
    ///
    /// # Errors
    ///
    /// If there is no controlling terminal or it cannot be set up.
    pub(crate) fn open(mouse: bool) -> io::Result<Self> {
        restore_on_panic();
        // The theme decides about colours, by `NO_COLOR` too.
        crossterm::style::force_color_output(true);
        let tty = open_tty()?;
        enter(mouse)?;
        Ok(Self {
            output: Output::default(),
            tty,
            mouse,
        })
    }

    /// Takes the terminal over again, after a suspend or an editor.
    pub(crate) fn enter(&self) -> io::Result<()> {
        enter(self.mouse)
    }

    /// Draws one frame; the terminal shows it at once or not at all.
    ///
    /// If the terminal was resized since the layout, the part that fits is shown.
    pub(crate) fn draw(&mut self, app: &App) -> io::Result<()> {
        let (mut frame, mut caret) = view::draw(app);
        let size = Rect::from((Position::ORIGIN, Size::from(terminal::size()?)));
        if frame.area.intersection(size) != frame.area {
            frame = cut(&frame, size);
            caret = caret.filter(|caret| size.contains(*caret));
        }
        let mut bytes = Vec::with_capacity(1 << 12);
        queue!(bytes, BeginSynchronizedUpdate)?;
        bytes.append(&mut self.output.show(frame, caret, view::scrolls(app))?);
        queue!(bytes, EndSynchronizedUpdate)?;
        self.tty.write_all(&bytes)
    }

    /// Forgets the shown frame, so that the next one is drawn completely.
    pub(crate) fn forget(&mut self) {
        self.output.forget();
    }

    /// Writes text to the clipboard of the terminal (OSC 52).
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        let copy = crossterm::clipboard::CopyToClipboard::to_clipboard_from(text);
        execute!(self.tty, copy)
    }

    /// Asks the terminal whether its background is dark or light. Nothing else may read it meanwhile.
    pub(crate) fn ask(&self, what: Probe) -> TerminalReplies {
        probe::ask(&self.tty, what)
    }

    /// Throws away what was typed before there was anything to see.
    pub(crate) fn forget_typed_ahead(&self) {
        // What cannot be flushed is read as keys, as it would be without this.
        tcflush(&self.tty, QueueSelector::IFlush).ok();
    }

    /// Returns true if the terminal still exists. A closed window ends neither reading nor polling with an
    /// error.
    pub(crate) fn is_alive(&self) -> bool {
        let mut fds = [PollFd::new(&self.tty, PollFlags::empty())];
        let at_once = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        match poll(&mut fds, Some(&at_once)) {
            Ok(_) => !fds[0].revents().intersects(PollFlags::HUP | PollFlags::ERR),
            Err(_) => true,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
    }
}

/// Cuts a frame to a size.
fn cut(frame: &Buffer, size: Rect) -> Buffer {
    let area = frame.area.intersection(size);
    let mut part = Buffer::empty(area);
    for position in area.positions() {
        part[position] = frame[position].clone();
    }
    part
}

/// The controlling terminal, to be read and written.
pub(crate) fn open_tty() -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open("/dev/tty")
}

/// Takes the terminal over.
fn enter(mouse: bool) -> io::Result<()> {
    ENTERED.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut tty = open_tty()?;
    execute!(
        tty,
        EnterAlternateScreen,
        Hide,
        EnableBracketedPaste,
        // Pushed without asking whether it is known: a terminal that does not answer would block for two seconds.
        PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES),
    )?;
    if mouse {
        execute!(tty, EnableMouseCapture)?;
    }
    Ok(())
}

/// Gives the terminal back as it was found. Does nothing if it is not ours.
pub(crate) fn leave() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    if let Ok(mut tty) = open_tty() {
        // Nothing can be done about a terminal that does not take these.
        execute!(
            tty,
            EndSynchronizedUpdate,
            PopKeyboardEnhancementFlags,
            DisableMouseCapture,
            DisableBracketedPaste,
            LeaveAlternateScreen,
            Show,
        )
        .ok();
        tty.flush().ok();
    }
    disable_raw_mode().ok();
}

/// Installs a panic hook that restores the terminal first. Panics of worker threads are not printed while the
/// screen is open; the review goes on without their result.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let thread = thread::current();
            let in_worker = thread.name().is_some_and(|name| name.starts_with(WORKER));
            if in_worker && ENTERED.load(Ordering::SeqCst) {
                return;
            }
            leave();
            previous(info);
        }));
    });
}
