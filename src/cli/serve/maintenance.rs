//! Maintenance between two events: saves decisions, watches files, and ends the review when nothing is left.

use std::collections::BTreeSet;
use std::time::Instant;

use super::event::SchedulerEvent;
use super::scheduler::Scheduler;
use crate::proposal::RepoPath;
use crate::ui::SessionChange;

impl Scheduler {
    /// Writes down what was decided since the last time.
    pub(super) fn keep(&mut self) {
        for (ticket, imprint) in std::mem::take(&mut self.imprints) {
            let request = self.requests.get(&ticket);
            // What is remembered and not taken up yet is not forgotten.
            let request = request.filter(|request| request.remembered.is_none());
            if let Some(kept) = request.and_then(|request| request.kept.as_ref()) {
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
        let requests = self.requests.values();
        let latest = requests.flat_map(|request| request.source.placings().latest());
        let expected = self.expected.iter().map(|expected| &expected.before);
        let snapshots: Vec<_> = latest.chain(expected).collect();
        let names: BTreeSet<RepoPath> = snapshots.iter().map(|file| file.path.clone()).collect();
        let watched = self.watch.as_ref();
        if watched.is_some_and(|(watched, _)| *watched == names) {
            return;
        }
        let events = self.context.events.clone();
        let watch = self.context.root.watch(snapshots, move || {
            // Nobody listens any more when the review has ended.
            let _ = events.send(SchedulerEvent::Touched);
        });
        self.watch = Some((names, watch));
    }

    /// Ends the screen when nobody has come in time, or when all who came are answered and it was opened for them only.
    pub(super) fn end_if_done(&self) {
        let nobody_came = self.patience.is_some_and(|at| at <= Instant::now());
        let served =
            self.context.timing.once && self.patience.is_none() && self.requests.is_empty();
        if nobody_came || served {
            self.show(SessionChange::Ended);
        }
    }
}
