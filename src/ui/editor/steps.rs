//! What can be taken back: the text area's changes, put together as a person would.

use tui_textarea::TextArea;

use super::Editor;

/// Changes that are taken back together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// How many changes of the text area it is.
    pub(super) changes: usize,
}

/// What a step did; changes of one kind in a row are one step, but for those that stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    Word,
    Blank,
    Delete,
    Alone,
}

impl Editor {
    pub(super) fn by_area(
        &mut self,
        kind: StepKind,
        change: impl FnOnce(&mut TextArea<'static>) -> bool,
    ) {
        if change(&mut self.area) {
            self.did(kind, 1);
        }
    }

    /// Counts changes of the text area as a step, or as a part of the last one.
    pub(super) fn did(&mut self, kind: StepKind, changes: usize) {
        self.redo.clear();
        self.version += 1;
        match self.undo.last_mut() {
            Some(last) if last.kind == kind && kind != StepKind::Alone => last.changes += changes,
            // The blank before a word is taken back with it.
            Some(last) if last.kind == StepKind::Blank && kind == StepKind::Word => {
                *last = Step {
                    kind,
                    changes: last.changes + changes,
                };
            }
            Some(_) | None => self.undo.push(Step { kind, changes }),
        }
    }

    pub(super) fn take_back(&mut self) {
        self.area.cancel_selection();
        if let Some(step) = self.undo.pop() {
            self.version += 1;
            for _ in 0..step.changes {
                self.area.undo();
            }
            self.redo.push(Step {
                kind: StepKind::Alone,
                ..step
            });
        }
    }

    pub(super) fn take_again(&mut self) {
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
