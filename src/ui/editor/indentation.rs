//! Indentation while typing: new lines like the ones above, levels by the file's unit.

use std::ops::Range;

use super::undo_step::StepKind;
use super::{Caret, Editor};
use crate::text::{IndentUnit, indent_of};

/// The bracket that closes the one that a text ends with.
fn opened(text: &str) -> Option<char> {
    match text.trim_end().chars().next_back()? {
        '{' => Some('}'),
        '(' => Some(')'),
        '[' => Some(']'),
        _ => None,
    }
}

impl Editor {
    pub(crate) fn newline(&mut self) {
        let here = self.caret();
        let line = &self.lines()[here.line];
        let indent = indent_of(line);
        let indent = indent[..indent.len().min(here.byte)].to_owned();
        let (before, after) = line.split_at(here.byte);
        let closing = opened(before).filter(|_| !self.area.is_selecting());
        let Some(closing) = closing else {
            return self.paste(&format!("\n{indent}"));
        };
        let deeper = format!("\n{indent}{}", self.level());
        if !after.trim_start().starts_with(closing) {
            return self.paste(&deeper);
        }
        // Between two brackets the line that is begun has one to itself.
        self.paste(&format!("{deeper}\n{indent}"));
        self.go(Caret {
            line: here.line + 1,
            byte: deeper.len() - 1,
        });
    }

    /// Before a closing bracket is typed that begins its line: takes the line back to the level of what it closes; whether that
    /// was a step.
    pub(crate) fn close_level(&mut self) -> bool {
        let here = self.caret();
        let (above, below) = self.lines().split_at(here.line);
        let is_indent = below
            .first()
            .is_some_and(|line| line.len() == here.byte && line.trim().is_empty());
        let above = above.iter().rfind(|line| !line.trim().is_empty());
        let Some(above) = above.filter(|_| is_indent) else {
            return false;
        };
        let indent = indent_of(above);
        let wanted = match opened(above) {
            Some(_) => indent.len(),
            None => indent.len().saturating_sub(self.level().len()),
        };
        let too_many = here.byte.saturating_sub(wanted);
        let start = Caret {
            byte: wanted,
            ..here
        };
        self.delete_at(start, too_many);
        too_many > 0
    }

    pub(crate) fn indent(&mut self) {
        let level = self.level();
        match self.selected_lines() {
            Some(lines) => self.each_line(lines, |editor, line| {
                if !editor.lines()[line].is_empty() {
                    editor.insert_at(Caret { line, byte: 0 }, &level);
                }
            }),
            None => self.paste(&level),
        }
    }

    pub(crate) fn outdent(&mut self) {
        let width = self.level().len();
        let lines = self.selected_lines().unwrap_or_else(|| {
            let line = self.caret().line;
            line..line + 1
        });
        self.each_line(lines, |editor, line| {
            let indent = indent_of(&editor.lines()[line]);
            let gone = if indent.starts_with('\t') {
                1
            } else {
                indent
                    .bytes()
                    .take(width.max(1))
                    .take_while(|&byte| byte == b' ')
                    .count()
            };
            editor.delete_at(Caret { line, byte: 0 }, gone);
        });
    }

    /// One level of indentation.
    pub(crate) fn level(&self) -> String {
        match self.unit {
            IndentUnit::Tab => "\t".to_owned(),
            IndentUnit::Spaces(width) => " ".repeat(width),
        }
    }

    /// The lines of a selection that spans more than one.
    pub(crate) fn selected_lines(&self) -> Option<Range<usize>> {
        let ((first, _), (last, _)) = self.area.selection_range()?;
        (first < last).then_some(first..last + 1)
    }

    /// Changes each of some lines at its start, as one step; the cursor stays on its character.
    pub(crate) fn each_line(&mut self, lines: Range<usize>, change: impl Fn(&mut Self, usize)) {
        let here = self.caret();
        let length = self.lines()[here.line].len();
        let steps = self.undo.len();
        for line in lines {
            change(self, line);
        }
        let moved = self.lines()[here.line].len().cast_signed() - length.cast_signed();
        self.go(Caret {
            byte: here.byte.saturating_add_signed(moved),
            ..here
        });
        let changes = self.undo.drain(steps..).map(|step| step.changes).sum();
        if changes > 0 {
            self.did(StepKind::Alone, changes);
        }
    }

    pub(crate) fn insert_at(&mut self, caret: Caret, text: &str) {
        self.go(caret);
        if self.area.insert_str(text) {
            self.did(StepKind::Alone, 1);
        }
    }

    pub(crate) fn delete_at(&mut self, caret: Caret, bytes: usize) {
        self.go(caret);
        if bytes > 0 && self.area.delete_str(bytes) {
            self.did(StepKind::Alone, 1);
        }
    }
}
