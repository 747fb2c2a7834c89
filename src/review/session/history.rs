//! The steps of a review, to take back and to take again.

use super::review_session::ReviewSession;
use super::steps::{History, Saved, Stepped, UndoneKind};

impl ReviewSession {
    /// Returns true if there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.history.undo.is_empty()
    }

    /// Returns the number of steps to undo, and of those to redo.
    pub fn history_len(&self) -> (usize, usize) {
        (self.history.undo.len(), self.history.redo.len())
    }

    /// Returns true if there is a step to redo.
    pub fn can_redo(&self) -> bool {
        !self.history.redo.is_empty()
    }

    /// Forgets all steps, where nobody takes one back.
    pub fn forget_all_steps(&mut self) {
        self.history = History::default();
    }

    /// Takes the last step back. `None` if there is nothing to take back.
    pub fn undo(&mut self) -> Option<Stepped> {
        let saved = self.history.undo.pop()?;
        let (stepped, redo) = self.swap(saved);
        self.history.redo.push(redo);
        Some(stepped)
    }

    /// Takes the last undo back.
    pub fn redo(&mut self) -> Option<Stepped> {
        let saved = self.history.redo.pop()?;
        let (stepped, undo) = self.swap(saved);
        self.history.undo.push(undo);
        Some(stepped)
    }

    /// Puts what was saved in place, the last of it first, and gives what that replaces.
    fn swap(&mut self, saved: Vec<Saved>) -> (Stepped, Vec<Saved>) {
        let mut stepped = Stepped::default();
        let mut moved = Vec::new();
        let mut replaced = Vec::with_capacity(saved.len());
        for saved in saved.into_iter().rev() {
            stepped.files.extend(saved.file());
            let was = self.put(saved, &mut moved);
            self.describe(&was, &mut stepped);
            replaced.push(was);
        }
        moved.sort_unstable();
        moved.dedup();
        for file in moved {
            self.files[file].rebuild();
        }
        stepped.files.sort_unstable();
        stepped.files.dedup();
        (stepped, replaced)
    }

    /// Adds to the description of a step what was replaced by what is there now.
    fn describe(&self, was: &Saved, stepped: &mut Stepped) {
        match was {
            Saved::State { id, state } => {
                if let Some(now) = self.hunk(*id) {
                    stepped.add_state(*id, state, &now.state);
                }
            }
            Saved::Hunk { id, hunk } => {
                if let Some(now) = self.hunk(*id) {
                    stepped.add_whole(*id, hunk, now);
                }
            }
            Saved::Tail { .. } => (),
            Saved::FileComment { .. } | Saved::BatchComment { .. } => {
                stepped.kind = UndoneKind::Comment;
            }
            Saved::Passages { file, passages } => {
                let now = &self.files[*file].passages;
                let gone = passages.iter().find(|said| !now.contains(said));
                let new = now.iter().find(|said| !passages.contains(said));
                stepped.kind = UndoneKind::Comment;
                let lines = gone.or(new).map(|said| &said.lines);
                stepped.base_line = lines.and_then(|lines| lines.end.checked_sub(1));
            }
        }
    }

    /// Puts one thing in place and gives what that replaces. `moved` gets the file if its lines are others now.
    fn put(&mut self, saved: Saved, moved: &mut Vec<usize>) -> Saved {
        match saved {
            Saved::State { id, state } => {
                let hunk = &mut self.files[id.file].hunks[id.hunk];
                if hunk.state.lines != state.lines {
                    moved.push(id.file);
                }
                let state = std::mem::replace(&mut hunk.state, state);
                Saved::State { id, state }
            }
            Saved::Hunk { id, hunk } => {
                moved.push(id.file);
                let hunk = std::mem::replace(&mut self.files[id.file].hunks[id.hunk], *hunk);
                let hunk = Box::new(hunk);
                Saved::Hunk { id, hunk }
            }
            Saved::Tail { file, from, hunks } => {
                moved.push(file);
                let all = &mut self.files[file].hunks;
                let was = all.split_off(from.min(all.len()));
                all.extend(hunks);
                let hunks = was;
                Saved::Tail { file, from, hunks }
            }
            Saved::FileComment { file, comment } => {
                let comment = std::mem::replace(&mut self.files[file].comment, comment);
                Saved::FileComment { file, comment }
            }
            Saved::Passages { file, passages } => {
                let passages = std::mem::replace(&mut self.files[file].passages, passages);
                Saved::Passages { file, passages }
            }
            Saved::BatchComment { call, comment } => {
                let said = self.comment_of(call);
                let comment = said.and_then(|said| std::mem::replace(said, comment));
                Saved::BatchComment { call, comment }
            }
        }
    }
}
