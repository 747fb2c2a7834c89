//! Caret motions by graphemes, words and lines.

use tui_textarea::CursorMove;
use unicode_segmentation::UnicodeSegmentation;

use super::{Caret, Editor};
use crate::text::indent_of;
use crate::ui::command::CaretMotion;
use crate::ui::glyphs;

impl Editor {
    /// Moves the cursor. `goal` is the column that the vertical motions before kept to.
    pub(crate) fn travel(&mut self, travel: CaretMotion, goal: Option<usize>) {
        let here = self.caret();
        let line = &self.lines()[here.line];
        let last = self.lines().len() - 1;
        let caret = match travel {
            CaretMotion::Up => return self.go_to_line(here.line.saturating_sub(1), goal),
            CaretMotion::Down => return self.go_to_line(here.line + 1, goal),
            CaretMotion::PageUp => {
                return self.go_to_line(here.line.saturating_sub(self.page), goal);
            }
            CaretMotion::PageDown => return self.go_to_line(here.line + self.page, goal),
            CaretMotion::Left => self.grapheme_before(here),
            CaretMotion::Right => self.grapheme_after(here),
            CaretMotion::WordLeft => word_before(line, here).unwrap_or(self.grapheme_before(here)),
            CaretMotion::WordRight => word_after(line, here).unwrap_or(self.grapheme_after(here)),
            CaretMotion::Home => {
                let indent = indent_of(line).len();
                Caret {
                    byte: if here.byte == indent { 0 } else { indent },
                    ..here
                }
            }
            CaretMotion::End => Caret {
                byte: line.len(),
                ..here
            },
            CaretMotion::First => Caret { line: 0, byte: 0 },
            CaretMotion::Last => Caret {
                line: last,
                byte: self.lines()[last].len(),
            },
        };
        self.goal = None;
        self.jump(caret);
    }

    /// Moves the cursor to a line, or to the last one, in the column of the vertical motions before.
    fn go_to_line(&mut self, line: usize, goal: Option<usize>) {
        let here = self.caret();
        let column = goal.unwrap_or_else(|| glyphs::column_of(&self.lines()[here.line], here.byte));
        let line = line.min(self.lines().len() - 1);
        let byte = glyphs::byte_at(&self.lines()[line], column);
        self.goal = Some(column);
        self.jump(Caret { line, byte });
    }

    pub(crate) fn grapheme_before(&self, here: Caret) -> Caret {
        let line = &self.lines()[here.line];
        match line[..here.byte].graphemes(true).next_back() {
            Some(grapheme) => Caret {
                byte: here.byte - grapheme.len(),
                ..here
            },
            None if here.line > 0 => Caret {
                line: here.line - 1,
                byte: self.lines()[here.line - 1].len(),
            },
            None => here,
        }
    }

    pub(crate) fn grapheme_after(&self, here: Caret) -> Caret {
        let line = &self.lines()[here.line];
        match line[here.byte..].graphemes(true).next() {
            Some(grapheme) => Caret {
                byte: here.byte + grapheme.len(),
                ..here
            },
            None if here.line + 1 < self.lines().len() => Caret {
                line: here.line + 1,
                byte: 0,
            },
            None => here,
        }
    }

    pub(crate) fn jump(&mut self, caret: Caret) {
        let line = caret.line.min(self.lines().len() - 1);
        let text = &self.lines()[line];
        let chars = text
            .char_indices()
            .take_while(|(byte, _)| *byte < caret.byte)
            .count();
        // The text area counts in 16 bits: neither more lines nor longer ones are edited.
        let short = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.area
            .move_cursor(CursorMove::Jump(short(line), short(chars)));
    }

    pub(crate) fn caret_at(&self, (line, chars): (usize, usize)) -> Caret {
        let text = &self.lines()[line];
        let byte = text
            .char_indices()
            .nth(chars)
            .map_or(text.len(), |(byte, _)| byte);
        Caret { line, byte }
    }
}

fn word_before(line: &str, here: Caret) -> Option<Caret> {
    let mut words = line[..here.byte].unicode_word_indices();
    words.next_back().map(|(byte, _)| Caret { byte, ..here })
}

fn word_after(line: &str, here: Caret) -> Option<Caret> {
    let mut words = line[here.byte..].unicode_word_indices();
    words.next().map(|(byte, word)| Caret {
        byte: here.byte + byte + word.len(),
        ..here
    })
}
