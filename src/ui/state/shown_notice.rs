//! The message as it is shown: beside the keys, or in rows above them where it would hide them.

use super::app::App;
use super::mode::Mode;
use crate::text::sanitize_name;
use crate::ui::glyphs::{self, wrap};

/// The cells of the line at the bottom that a message leaves to the keys.
const KEYS: usize = 20;
/// The share of the screen's rows that a message covers at most, as a divisor.
const SHARE: u16 = 3;

/// A message in the lines that it is shown in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ShownNotice {
    /// Beside the keys: it has the beginning of the line at the bottom.
    Beside(String),
    /// Above the keys: it has rows of its own.
    Above(Vec<String>),
    /// Instead of the keys: a question in front names its own.
    Instead(String),
}

impl App {
    /// Returns the message in lines; `None` if there is none. One that is too long for them ends with a sign.
    pub(crate) fn shown_notice(&self) -> Option<ShownNotice> {
        let text = &*sanitize_name(&self.notice.as_ref()?.text);
        let room = usize::from(self.size.width).saturating_sub(2);
        if glyphs::width(text) + KEYS <= room {
            return Some(ShownNotice::Beside(text.to_owned()));
        }
        let sign = self.display.signs.cut;
        Some(match self.mode {
            Mode::Finish | Mode::Question(_) => {
                ShownNotice::Instead(lines(text, room, 1, sign).concat())
            }
            Mode::Review
            | Mode::Lines { .. }
            | Mode::FileList
            | Mode::Edit(_)
            | Mode::Place(_)
            | Mode::Read
            | Mode::Prompt(_)
            | Mode::Help { .. } => {
                let rows = usize::from(self.size.height / SHARE);
                ShownNotice::Above(lines(text, room, rows, sign))
            }
        })
    }

    /// Returns the number of rows above the keys that a message covers.
    pub(crate) fn rows_under_notice(&self) -> usize {
        match self.shown_notice() {
            Some(ShownNotice::Above(lines)) => lines.len(),
            Some(ShownNotice::Beside(_) | ShownNotice::Instead(_)) | None => 0,
        }
    }
}

/// Breaks a text between words into so many lines at most, the last one with a sign if that is not all.
fn lines(text: &str, width: usize, most: usize, sign: &str) -> Vec<String> {
    let all = wrap::words(text, width);
    let mut shown: Vec<String> = all.iter().take(most).map(|&line| line.to_owned()).collect();
    if all.len() > most
        && let Some(last) = shown.last_mut()
    {
        let room = width.saturating_sub(glyphs::width(sign) + 1);
        *last = format!("{} {sign}", wrap::words(last, room)[0]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_text_that_is_too_long_is_cut_between_words() {
        let check = |width: usize, most: usize, expected: &str| {
            let text = "one two three four five";
            assert_eq!(lines(text, width, most, "…").join("|"), expected, "{width}");
        };
        check(23, 1, "one two three four five");
        check(22, 1, "one two three four …");
        check(14, 2, "one two three|four five");
        check(13, 1, "one two …");
        check(9, 2, "one two|three …");
    }
}
