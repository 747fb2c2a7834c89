//! Saying lines and hearing answers: on the terminal as it is, or over standard input and standard error.
//!
//! The terminal is left in the mode that it has, with its own editing of the line. Nothing is read before it is asked for, so that
//! an editor that is run in between has the terminal for itself.

use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::ui::event_loop::input::watch_signals;
use crate::ui::event_loop::message::Message;
use crate::ui::glyphs::{GlyphKind, glyphs};
use crate::ui::options::Answers;
use crate::ui::terminal::open_tty;
use crate::ui::threads::WORKER;

/// Events while the program waits for a line.
pub(crate) enum LineEvent {
    /// A line, without its end; `None` when no more will come.
    Line(Option<String>),
    /// Something else has happened.
    News(Message),
}

impl From<Message> for LineEvent {
    fn from(message: Message) -> Self {
        Self::News(message)
    }
}

/// Output of lines and input of answers.
pub(crate) struct LineIo {
    out: Box<dyn Write>,
    /// True if input is echoed because nobody sees it typed.
    echoes: bool,
    wanted: Sender<()>,
    heard: Receiver<LineEvent>,
    /// For whatever else is to be heard.
    pub(crate) sender: Sender<LineEvent>,
    signals: signal_hook::iterator::Handle,
}

impl LineIo {
    /// Opens the terminal, or takes standard input and standard error.
    ///
    /// # Errors
    ///
    /// If there is no terminal where one is asked for, or no thread can be started.
    pub(crate) fn open(answers: Answers) -> io::Result<Self> {
        let (sender, heard) = channel();
        let (wanted, asked) = channel();
        let piped = answers == Answers::Input && !io::stdin().is_terminal();
        let (input, out): (_, Box<dyn Write>) = if piped {
            (None, Box::new(io::stderr()))
        } else {
            let terminal = open_tty()?;
            (Some(terminal.try_clone()?), Box::new(terminal))
        };
        let lines = sender.clone();
        let reader = thread::Builder::new().name(format!("{WORKER}answers"));
        reader.spawn(move || match input {
            Some(terminal) => read(BufReader::new(terminal), &asked, &lines),
            // Its buffer is the program's: another review goes on with the lines that follow.
            None => read(io::stdin().lock(), &asked, &lines),
        })?;
        Ok(Self {
            out,
            echoes: piped,
            wanted,
            heard,
            signals: watch_signals(sender.clone())?,
            sender,
        })
    }

    /// Says a line, or several.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        let mut shown: String = text.lines().map(|line| plain(line) + "\n").collect();
        if text.is_empty() {
            shown.push('\n');
        }
        self.out.write_all(shown.as_bytes())
    }

    /// Says something that an answer follows on the same line.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<()> {
        write!(self.out, "{} ", plain(question))?;
        self.out.flush()
    }

    /// Wants one line to be read.
    pub(crate) fn listen(&self) {
        // A reader that has ended has said so.
        let _ = self.wanted.send(());
    }

    /// Waits for whatever happens next.
    pub(crate) fn hear(&mut self) -> LineEvent {
        let heard = self.heard.recv().unwrap_or(LineEvent::Line(None));
        if let LineEvent::Line(Some(line)) = &heard
            && self.echoes
        {
            // A reader that has gone is noticed at the next line.
            let _ = writeln!(self.out, "{}", plain(line));
        }
        heard
    }

    /// Returns the events that are waiting.
    pub(crate) fn pending_events(&self) -> Vec<LineEvent> {
        self.heard.try_iter().collect()
    }
}

impl Drop for LineIo {
    fn drop(&mut self) {
        self.signals.close();
    }
}

/// Reads a line whenever one is wanted.
fn read(mut input: impl BufRead, asked: &Receiver<()>, heard: &Sender<LineEvent>) {
    while asked.recv().is_ok() {
        let mut line = Vec::new();
        // What is cut off in its middle is no answer.
        let whole = input.read_until(b'\n', &mut line).is_ok() && line.pop() == Some(b'\n');
        let line = whole.then(|| String::from_utf8_lossy(&line).trim_end().to_owned());
        if heard.send(LineEvent::Line(line)).is_err() {
            return;
        }
    }
}

/// A line in which nothing moves the cursor or stays unseen. Tabs stay tabs.
fn plain(line: &str) -> String {
    let shown = glyphs(line).map(|glyph| match glyph.kind {
        GlyphKind::Tab => "\t".into(),
        GlyphKind::Plain | GlyphKind::Escaped => glyph.text,
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_said_without_what_steers_a_terminal() {
        assert_eq!(
            plain("\tlet x = \"\u{1b}[2J\u{202e}é日\";"),
            "\tlet x = \"␛[2J<202E>é日\";"
        );
    }
}
