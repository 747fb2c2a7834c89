//! The text being typed: lines, a cursor, a selection, undo.
//!
//! The text area keeps the text and its history; it is never drawn. What it lacks is added here: whole graphemes,
//! indentation like the lines around, undo by words.

mod caret_motion;
mod indentation;
mod undo;
mod undo_step;

use std::cmp::Ordering;
use std::ops::Range;

use regex::Regex;
use tui_textarea::{CursorMove, TextArea};

use crate::text::IndentUnit;
use crate::ui::command::Typing;
use crate::ui::pattern::matches_in;
use undo_step::{StepKind, UndoStep};

/// The most lines, and the most characters of a line: the text area counts the rows and columns of its cursor in 16 bits.
pub(crate) const MOST_CHARS: usize = u16::MAX as usize;
/// The most steps that can be taken back.
const MOST_STEPS: usize = 10_000;

/// A text with a cursor.
pub struct Editor {
    area: TextArea<'static>,
    unit: IndentUnit,
    undo: Vec<UndoStep>,
    /// Number of changes so far.
    version: u64,
    redo: Vec<UndoStep>,
    /// The column that vertical motions keep to.
    goal: Option<usize>,
    page: usize,
    /// True if the last change would have made the text too large, and was not made.
    refused: bool,
}

/// A position in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Caret {
    /// The line.
    pub line: usize,
    /// The byte in the line.
    pub byte: usize,
}

impl Editor {
    /// A text to change, with the cursor at its start.
    pub fn new(lines: Vec<String>, unit: IndentUnit) -> Self {
        let mut area = TextArea::new(lines);
        area.set_max_histories(MOST_STEPS);
        Self {
            area,
            unit,
            undo: Vec::new(),
            version: 0,
            redo: Vec::new(),
            goal: None,
            page: 20,
            refused: false,
        }
    }

    /// One line to fill in, with the cursor at its end.
    pub fn prompt(text: &str) -> Self {
        let lines = text.split('\n').map(str::to_owned).collect();
        let mut editor = Self::new(lines, IndentUnit::Spaces(4));
        editor.area.move_cursor(CursorMove::Bottom);
        editor.area.move_cursor(CursorMove::End);
        editor
    }

    /// The lines as they are now.
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    /// Another number whenever the text is another.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns true if the last change would have made the text too large, and forgets it. Such a change is not made.
    pub fn take_refusal(&mut self) -> bool {
        std::mem::take(&mut self.refused)
    }

    /// The whole text.
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// Returns the position of the caret.
    pub fn caret(&self) -> Caret {
        let cursor = self.area.cursor();
        self.caret_at((cursor.0, cursor.1))
    }

    /// The selected bytes of a line, and whether the selection goes on in the next one.
    pub fn selected(&self, line: usize) -> Option<(Range<usize>, bool)> {
        let (start, end) = self.area.selection_range()?;
        let (start, end) = (self.caret_at(start), self.caret_at(end));
        if line < start.line || line > end.line {
            return None;
        }
        let from = if line == start.line { start.byte } else { 0 };
        let to = if line == end.line {
            end.byte
        } else {
            self.lines()[line].len()
        };
        Some((from..to, line < end.line))
    }

    /// Returns the starts of all matches of a pattern, in order.
    pub fn matches(&self, pattern: &Regex) -> Vec<Caret> {
        let lines = self.lines().iter().enumerate();
        let matches = lines.flat_map(|(line, text)| {
            let found = matches_in(pattern, text).into_iter();
            found.map(move |range| Caret {
                line,
                byte: range.start,
            })
        });
        matches.collect()
    }

    /// Puts the cursor somewhere.
    pub fn go(&mut self, caret: Caret) {
        self.area.cancel_selection();
        self.goal = None;
        self.jump(caret);
    }

    /// Selects from where the cursor is, or where the selection began, to another place.
    pub fn select_to(&mut self, caret: Caret) {
        if !self.area.is_selecting() {
            self.area.start_selection();
        }
        self.goal = None;
        self.jump(caret);
    }

    /// Says how far a page is.
    pub fn set_page(&mut self, lines: usize) {
        self.page = lines.max(1);
    }

    /// Types a character over the selection.
    pub fn type_char(&mut self, c: char) {
        let kind = if c.is_alphanumeric() || c == '_' {
            StepKind::Word
        } else {
            StepKind::Blank
        };
        let selecting = self.area.is_selecting();
        let closes = matches!(c, '}' | ')' | ']') && !selecting && self.close_level();
        if closes {
            // It is taken back together with the bracket.
            self.undo.pop();
        }
        let changes = 1 + usize::from(selecting) + usize::from(closes);
        self.goal = None;
        self.area.insert_char(c);
        self.did(if changes > 1 { StepKind::Alone } else { kind }, changes);
    }

    /// Pastes text over the selection.
    pub fn paste(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.goal = None;
        let selecting = self.area.is_selecting();
        if self.area.insert_str(text) {
            self.did(StepKind::Alone, 1 + usize::from(selecting));
        }
    }

    /// Does what a key says; text to copy out, if the command copies.
    pub fn command(&mut self, command: Typing) -> Option<String> {
        let goal = self.goal.take();
        match command {
            Typing::Newline => self.newline(),
            Typing::Indent => self.indent(),
            Typing::Outdent => self.outdent(),
            Typing::DeleteBack => self.delete(Self::grapheme_before),
            Typing::DeleteForward => self.delete(Self::grapheme_after),
            Typing::DeleteWordBack => self.by_area(StepKind::Alone, TextArea::delete_word),
            Typing::DeleteWordForward => self.by_area(StepKind::Alone, TextArea::delete_next_word),
            Typing::DeleteToEnd => self.by_area(StepKind::Alone, TextArea::delete_line_by_end),
            Typing::DeleteToStart => self.by_area(StepKind::Alone, TextArea::delete_line_by_head),
            Typing::Undo => self.take_back(),
            Typing::Redo => self.take_again(),
            Typing::SelectAll => self.area.select_all(),
            Typing::Cut => {
                self.by_area(StepKind::Alone, TextArea::cut);
                return Some(self.area.yank_text());
            }
            Typing::Copy => {
                self.area.copy();
                return Some(self.area.yank_text());
            }
            Typing::Paste => {
                let text = self.area.yank_text();
                self.paste(&text);
            }
            Typing::Go(travel) => {
                self.area.cancel_selection();
                self.travel(travel, goal);
            }
            Typing::Select(travel) => {
                if !self.area.is_selecting() {
                    self.area.start_selection();
                }
                self.travel(travel, goal);
            }
        }
        None
    }

    /// Deletes the selection, else from the cursor to where `target` says.
    fn delete(&mut self, target: impl Fn(&Self, Caret) -> Caret) {
        if self.area.is_selecting() {
            self.by_area(StepKind::Alone, TextArea::delete_char);
            return;
        }
        let here = self.caret();
        let there = target(self, here);
        let (start, end) = match there.cmp(&here) {
            Ordering::Less => (there, here),
            Ordering::Equal => return,
            Ordering::Greater => (here, there),
        };
        self.jump(start);
        let chars = if start.line == end.line {
            self.lines()[start.line][start.byte..end.byte]
                .chars()
                .count()
        } else {
            1
        };
        self.by_area(StepKind::Delete, |area| area.delete_str(chars));
    }
}

/// Returns true if a line has more characters than can be edited.
pub(crate) fn is_too_long(line: &str) -> bool {
    line.len() > MOST_CHARS && line.chars().count() > MOST_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::CaretMotion;

    /// Types and presses: a word in angle brackets is a command, the rest is typed. `|` in the result is the cursor.
    #[track_caller]
    fn check(text: &str, keys: &str, expected: &str) {
        let lines = text.split('\n').map(str::to_owned).collect();
        let mut editor = Editor::new(lines, IndentUnit::Spaces(2));
        for piece in keys.split_inclusive('>') {
            let (typed, name) = match piece.strip_suffix('>') {
                Some(piece) => piece.split_once('<').unwrap(),
                None => (piece, ""),
            };
            typed.chars().for_each(|c| editor.type_char(c));
            let command = match name {
                "" => continue,
                "end" => Typing::Go(CaretMotion::End),
                "home" => Typing::Go(CaretMotion::Home),
                "up" => Typing::Go(CaretMotion::Up),
                "down" => Typing::Go(CaretMotion::Down),
                "left" => Typing::Go(CaretMotion::Left),
                "right" => Typing::Go(CaretMotion::Right),
                "word" => Typing::Go(CaretMotion::WordRight),
                "back" => Typing::DeleteBack,
                "del" => Typing::DeleteForward,
                "enter" => Typing::Newline,
                "tab" => Typing::Indent,
                "untab" => Typing::Outdent,
                "undo" => Typing::Undo,
                "redo" => Typing::Redo,
                "select" => Typing::Select(CaretMotion::Right),
                "sdown" => Typing::Select(CaretMotion::Down),
                "cut" => Typing::Cut,
                "paste" => Typing::Paste,
                other => panic!("{other}"),
            };
            editor.command(command);
        }
        let caret = editor.caret();
        let mut lines = editor.lines().to_vec();
        lines[caret.line].insert(caret.byte, '|');
        assert_eq!(lines.join("\n"), expected, "{keys}");
    }

    #[test]
    fn a_grapheme_is_one_step_of_the_cursor() {
        check("a👩‍👩‍👧b", "<right><right>", "a👩‍👩‍👧|b");
        check("a👩‍👩‍👧b", "<end><left><back>", "a|b");
        check("e\u{301}x", "<del>", "|x");
        check("ab\ncd", "<end><right><back>", "ab|cd");
        check("ab\ncd", "<end><del>", "ab|cd");
    }

    #[test]
    fn vertical_motions_keep_their_column() {
        check(
            "abcdef\nx\nabcdef",
            "<right><right><right><down><down>",
            "abcdef\nx\nabc|def",
        );
        check("日本語\nabcdef", "<right><right><down>", "日本語\nabcd|ef");
    }

    #[test]
    fn new_lines_are_indented_like_the_line_above() {
        check("  a", "<end><enter>b", "  a\n  b|");
        check("  a", "<enter>", "\n|  a");
        check("a\nb", "<sdown><select><tab>", "  a\n  b|");
        check("    a", "<end><untab><untab><untab>", "a|");
        check("\ta", "<untab>", "|a");
        check("a {", "<end><enter>b<enter>}", "a {\n  b\n}|");
        check("  a(", "<end><enter>)", "  a(\n  )|");
        check("f()", "<right><right><enter>x", "f(\n  x|\n)");
        check("a\n  b", "<down><end>)", "a\n  b)|");
        check("a {", "<end><enter>}<undo><undo>", "a {|");
    }

    #[test]
    fn undo_takes_a_word() {
        check("", "let it be<undo>", "let it|");
        check("", "let it be<undo><undo><redo>", "let it|");
        check("ab", "<end><back><back><undo>", "ab|");
        check("abc", "<select><select><cut><end><paste>", "cab|");
        check("  a", "<end><enter>x<undo><undo>", "  a|");
    }
}
