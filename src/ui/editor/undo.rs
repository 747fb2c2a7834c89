//! Undo and redo: changes of the text area, grouped as a person expects.

use tui_textarea::TextArea;

use super::Editor;
use super::undo_step::{StepKind, UndoStep};

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

    /// Counts changes of the text area as a step, or as a part of the last one.
    pub(crate) fn did(&mut self, kind: StepKind, changes: usize) {
        self.redo.clear();
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
