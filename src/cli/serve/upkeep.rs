//! What the desk does between two events: it writes down what was decided, watches the files, and leaves when it may.

use std::collections::BTreeSet;
use std::time::Instant;

use super::desk::{Desk, Event};
use crate::proposal::RepoPath;
use crate::ui::Change;

impl Desk {
    /// Writes down what was decided since the last time.
    pub(super) fn keep(&mut self) {
        for (ticket, imprint) in std::mem::take(&mut self.imprints) {
            let caller = self.callers.get(&ticket);
            // What is remembered and not taken up yet is not forgotten.
            let caller = caller.filter(|caller| caller.remembered.is_none());
            if let Some(kept) = caller.and_then(|caller| caller.kept.as_ref()) {
                // What cannot be kept is decided again.
                let _ = if imprint.is_empty() {
                    kept.remove()
                } else {
                    kept.replace(&imprint.decisions().to_json())
                };
            }
        }
    }

    /// Watches the files of all proposals.
    pub(super) fn watch_files(&mut self) {
        let snapshots = || {
            let of_callers = self
                .callers
                .values()
                .flat_map(|caller| caller.source.placings().latest());
            of_callers.chain(self.expected.iter().map(|expected| &expected.before))
        };
        let names: BTreeSet<RepoPath> = snapshots().map(|file| file.path.clone()).collect();
        let watched = self.watch.as_ref();
        if watched.is_some_and(|(watched, _)| *watched == names) {
            return;
        }
        let events = self.room.events.clone();
        let watch = self.room.root.watch(snapshots(), move || {
            // Nobody listens any more when the review has ended.
            let _ = events.send(Event::Touched);
        });
        self.watch = Some((names, watch));
    }

    /// Ends the screen when nobody has come in time, or when all who came are answered and it was opened for them only.
    pub(super) fn end_if_done(&self) {
        let nobody_came = self.patience.is_some_and(|at| at <= Instant::now());
        let served = self.room.manner.once && self.patience.is_none() && self.callers.is_empty();
        if nobody_came || served {
            self.show(Change::Ended);
        }
    }
}
