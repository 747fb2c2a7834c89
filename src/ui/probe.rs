//! Asks the terminal, before any key is read, whether its background is dark or light.
//!
//! The query is `OSC 11 ; ?`, followed by `DA1`, which nearly every terminal answers, so that nobody waits for a reply that does not
//! come. The reply is `ESC ] 11 ; rgb:RRRR/GGGG/BBBB`, ended by `BEL` or `ESC \` (xterm's Control Sequences). Replies that arrive
//! after `PATIENCE` are for `late_replies`.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::ui::theme::Background;

/// The longest that an answer is waited for: nobody notices it in front of the first frame.
const PATIENCE: Duration = Duration::from_millis(100);
/// Query for the background colour, followed by the query that every terminal answers.
const QUERY: &[u8] = b"\x1b]11;?\x07\x1b[c";
/// Start of the reply to the background query.
const ANSWER: &[u8] = b"\x1b]11;";
/// Start of the other replies.
const REPORT: &[u8] = b"\x1b[?";

/// Queries to send.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Probe {
    /// Nothing: it may not answer.
    #[default]
    Nothing,
    /// The colour of the background.
    Background,
}

/// Replies of the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TerminalReplies {
    /// Dark or light, if the terminal said so in time.
    pub(crate) background: Option<Background>,
    /// True if a reply began and did not end in time; the rest is still to come.
    pub(crate) unfinished: bool,
}

/// Asks the terminal. What else comes meanwhile was typed before there was anything to see, and is dropped.
pub(crate) fn ask(tty: &File, what: Probe) -> TerminalReplies {
    if what == Probe::Nothing {
        return TerminalReplies::default();
    }
    let begun = Instant::now();
    let mut came = Vec::new();
    // A terminal that cannot be asked is as it was.
    let _: io::Result<()> = ask_until_answered(tty, begun, &mut came);
    understand(&came).0
}

fn ask_until_answered(mut tty: &File, begun: Instant, came: &mut Vec<u8>) -> io::Result<()> {
    tty.write_all(QUERY)?;
    tty.flush()?;
    let mut part = [0; 256];
    while let Some(left) = patience(came).checked_sub(begun.elapsed()) {
        let left = Timespec {
            tv_sec: 0,
            tv_nsec: left.subsec_nanos().into(),
        };
        let mut ready = [PollFd::new(tty, PollFlags::IN)];
        if poll(&mut ready, Some(&left))? == 0 {
            break;
        }
        let length = tty.read(&mut part)?;
        came.extend_from_slice(&part[..length]);
        if length == 0 || understand(came).1 {
            break;
        }
    }
    Ok(())
}

/// Returns the time to wait: longer inside of a reply, because nobody else would recognise its rest.
fn patience(came: &[u8]) -> Duration {
    let last = memchr::memmem::rfind(came, REPORT);
    if last.is_some_and(|at| end(&came[at..]).is_none()) {
        2 * PATIENCE
    } else {
        PATIENCE
    }
}

/// Returns the final letter of a report, given its first byte and what follows; `None` if it has not arrived.
fn end(report: &[u8]) -> Option<u8> {
    let body = report.strip_prefix(REPORT)?;
    body.iter()
        .copied()
        .find(|byte| matches!(byte, b'@'..=b'~'))
}

/// Parses the replies so far; true if the last query was answered.
fn understand(came: &[u8]) -> (TerminalReplies, bool) {
    let mut reports = memchr::memmem::find_iter(came, REPORT);
    let fenced = reports.any(|at| end(&came[at..]) == Some(b'c'));
    let Some(at) = memchr::memmem::find(came, ANSWER) else {
        // The letters of its beginning may be all that has come.
        let begun = (1..ANSWER.len()).any(|length| came.ends_with(&ANSWER[..length]));
        let answer = TerminalReplies {
            background: None,
            unfinished: begun,
        };
        return (answer, fenced);
    };
    let body = &came[at + ANSWER.len()..];
    let end = body.iter().position(|byte| matches!(byte, 0x07 | 0x1b));
    let whole = end.filter(|end| body[*end] == 0x07 || body.get(end + 1) == Some(&b'\\'));
    let answer = TerminalReplies {
        background: whole.and_then(|end| background(&body[..end])),
        unfinished: whole.is_none(),
    };
    (answer, fenced && whole.is_some())
}

/// Parses the intensity of one primary colour, one to four hexadecimal digits, as a share of the greatest.
fn intensity(text: &str) -> Option<f64> {
    let digits = u32::try_from(text.len()).ok()?;
    if !(1..=4).contains(&digits) {
        return None;
    }
    let value = u32::from_str_radix(text, 16).ok()?;
    Some(f64::from(value) / f64::from(16_u32.pow(digits) - 1))
}

/// Classifies a colour as dark or light by its luma (ITU-R BT.601).
fn background(colour: &[u8]) -> Option<Background> {
    let colour = std::str::from_utf8(colour).ok()?.strip_prefix("rgb:")?;
    let mut parts = colour.split('/').map(intensity);
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    Some(if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 {
        Background::Light
    } else {
        Background::Dark
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(came: &str, background: Option<Background>, unfinished: bool, done: bool) {
        let (answer, answered) = understand(came.as_bytes());
        assert_eq!(answer.background, background, "{came:?}");
        assert_eq!(answer.unfinished, unfinished, "{came:?}");
        assert_eq!(answered, done, "{came:?}");
    }

    #[test]
    fn an_answer_is_understood_wherever_it_stands() {
        let light = Some(Background::Light);
        check(
            "\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;4c",
            light,
            false,
            true,
        );
        check("\x1b]11;rgb:fd/f6/e3\x1b\\\x1b[?6c", light, false, true);
        check("aj\x1b]11;rgb:f/f/f\x07k\x1b[?6c", light, false, true);
        check(
            "\x1b]11;rgb:0/2b/36\x07\x1b[?6c",
            Some(Background::Dark),
            false,
            true,
        );
        check("\x1b]11;rgb:ffff/ffff/ffff\x07", light, false, false);
        check("\x1b[?6c", None, false, true);
        check("\x1b[?6c\x1b]11;rgb:ff/ff/ff\x07", light, false, true);
        check("\x1b]11;what\x07\x1b[?6c", None, false, true);
        check("\x1b]11;rgb:ff/ff\x07\x1b[?6c", None, false, true);
        check("", None, false, false);
    }

    #[test]
    fn an_answer_that_has_begun_is_to_be_ended_elsewhere() {
        let answer = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\";
        for end in 1..answer.len() {
            check(&answer[..end], None, true, false);
        }
    }

    #[test]
    fn a_reply_that_has_begun_is_waited_for_longer() {
        assert_eq!(patience(b"\x1b[?2026;2$y\x1b[?6"), 2 * PATIENCE);
        assert_eq!(patience(b"\x1b[?2026;2$y"), PATIENCE);
    }
}
