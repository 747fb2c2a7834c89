//! Diffs that are open now, by session and file.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::watch;

use super::diff::{DiffOutcome, Showing};
use crate::agent::client::Cancel;

/// All of them.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenDiffs(Arc<Mutex<BTreeMap<(String, PathBuf), One>>>);

/// One that is shown.
#[derive(Debug)]
struct One {
    cancel: Cancel,
    told: watch::Receiver<Option<DiffOutcome>>,
}

impl OpenDiffs {
    fn all(&self) -> MutexGuard<'_, BTreeMap<(String, PathBuf), One>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows a diff on its own thread, and returns a receiver for the outcome. An open diff of the same file is closed.
    pub(super) fn open(
        &self,
        session: &str,
        file: &Path,
        showing: Showing,
    ) -> io::Result<watch::Receiver<Option<DiffOutcome>>> {
        let (tell, told) = watch::channel(None);
        let cancel = Cancel::new();
        let cancelled = cancel.clone();
        thread::Builder::new()
            .name("countersign-diff".to_owned())
            .spawn(move || {
                tell.send_replace(Some(showing(&cancelled)));
            })?;
        let one = One {
            cancel,
            told: told.clone(),
        };
        let before = self
            .all()
            .insert((session.to_owned(), file.to_owned()), one);
        if let Some(before) = before {
            before.cancel.cancel();
        }
        Ok(told)
    }

    /// Closes a diff, and returns its outcome so far; `None` if none is open.
    pub(super) async fn close(&self, session: &str, file: &Path) -> Option<DiffOutcome> {
        let one = self.all().remove(&(session.to_owned(), file.to_owned()))?;
        one.cancel.cancel();
        Some(outcome(one.told).await)
    }

    /// Forgets a decided diff. Returns whether it was still open: a closed one is not reported again.
    pub(super) fn is_done(
        &self,
        session: &str,
        file: &Path,
        told: &watch::Receiver<Option<DiffOutcome>>,
    ) -> bool {
        let key = (session.to_owned(), file.to_owned());
        let mut all = self.all();
        let own = (all.get(&key)).is_some_and(|one| one.told.same_channel(told));
        own && all.remove(&key).is_some()
    }

    /// Closes everything that a session has open, as it has ended.
    pub(super) fn leave(&self, session: &str) {
        self.all().retain(|(other, _), one| {
            let stays = other != session;
            if !stays {
                one.cancel.cancel();
            }
            stays
        });
    }
}

/// Waits for the outcome of a diff.
pub(super) async fn outcome(mut told: watch::Receiver<Option<DiffOutcome>>) -> DiffOutcome {
    let decided = told.wait_for(Option::is_some).await;
    // If whoever showed it has failed within itself, nobody has decided.
    decided
        .ok()
        .and_then(|outcome| outcome.clone())
        .unwrap_or(DiffOutcome::Undecided)
}
