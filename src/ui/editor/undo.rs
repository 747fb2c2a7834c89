//! Undo and redo: changes of the text area, grouped as a person expects.

use tui_textarea::TextArea;

use super::undo_step::{StepKind, UndoStep};
use super::{Editor, MOST_CHARS, is_too_long};

impl Editor {
    pub(crate) fn by_area(
        &mut self,
        kind: StepKind,
        change: impl FnOnce(&mut TextArea<'static>) -> bool,
    ) {
        if change(&mut self.area) {
            self.did(kind, 1);
        }
    }

    /// Counts changes of the text area as a step, or as a part of the last one. They are taken back if the text is too large now.
    pub(crate) fn did(&mut self, kind: StepKind, changes: usize) {
        self.redo.clear();
        if self.is_too_large() {
            self.area.cancel_selection();
            for _ in 0..changes {
                self.area.undo();
            }
            self.refused = true;
            return;
        }
        self.version += 1;
        match self.undo.last_mut() {
            Some(last) if last.kind == kind && kind != StepKind::Alone => last.changes += changes,
            // The blank before a word is taken back with it.
            Some(last) if last.kind == StepKind::Blank && kind == StepKind::Word => {
                *last = UndoStep {
                    kind,
                    changes: last.changes + changes,
                };
            }
            Some(_) | None => self.undo.push(UndoStep { kind, changes }),
        }
    }

    fn is_too_large(&self) -> bool {
        let lines = self.lines();
        lines.len() > MOST_CHARS || lines.iter().any(|line| is_too_long(line))
    }

    pub(crate) fn take_back(&mut self) {
        self.area.cancel_selection();
        if let Some(step) = self.undo.pop() {
            self.version += 1;
            for _ in 0..step.changes {
                self.area.undo();
            }
            self.redo.push(UndoStep {
                kind: StepKind::Alone,
                ..step
            });
        }
    }

    pub(crate) fn take_again(&mut self) {
        self.area.cancel_selection();
        if let Some(step) = self.redo.pop() {
            self.version += 1;
            for _ in 0..step.changes {
                self.area.redo();
            }
            self.undo.push(step);
        }
    }
}
