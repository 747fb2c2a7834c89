//! The roots that a folder belongs to: which records `undo` and `log` take for those of a folder.

use std::path::PathBuf;

use super::history::{HistoryError, latest_open, record};
use crate::store::folder::enclosing_folders::{is_repository, repository_of};
use crate::store::state::batch_id::BatchId;
use crate::store::state::state_folder::{StateFolder, recorded_roots};
use crate::store::tree::root::Root;

impl Root {
    /// Lists the roots that have records and contain this folder or lie in it, without itself: those of the same repository; outside
    /// of repositories, those that contain it.
    pub(crate) fn related(&self) -> Vec<Self> {
        let Some(base) = self.state_folder() else {
            return Vec::new();
        };
        let top = repository_of(self.path());
        let above = self.path().ancestors().skip(1);
        let above = above
            .take_while(|folder| top.is_none_or(|top| folder.starts_with(top)))
            .filter(|folder| StateFolder::of(base, folder).is_there());
        let mut paths: Vec<PathBuf> = above.map(PathBuf::from).collect();
        if top.is_some() {
            let is_below = |path: &PathBuf| path.starts_with(self.path()) && path != self.path();
            let mut below = recorded_roots(base);
            // Not those of a repository inside this one.
            below.retain(|path| {
                let mut inner = path.ancestors().take_while(|at| *at != self.path());
                is_below(path) && !inner.any(is_repository)
            });
            below.sort();
            paths.extend(below);
        }
        // One whose folder is gone has no files that could be taken back.
        let roots = paths.iter().filter_map(|path| Self::open(path).ok());
        roots.map(|root| root.keeping_state_in(base)).collect()
    }

    /// Finds the root, of this one and those that are related to it, that has a batch, or without an id has written the latest
    /// that was not taken back. If none has, it is this one.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] if a history cannot be read.
    pub(crate) fn with_batch(self, id: Option<&str>) -> Result<Self, HistoryError> {
        let mut found: Option<(BatchId, Self)> = None;
        let related = self.related();
        for root in related {
            if let Some(batch) = root.batch(id)?
                && found.as_ref().is_none_or(|(latest, _)| batch > *latest)
            {
                found = Some((batch, root));
            }
        }
        let own = self.batch(id)?;
        Ok(match found {
            Some((batch, root)) if own.is_none_or(|own| batch > own) => root,
            _ => self,
        })
    }

    /// Returns the batch that is named, or the latest that was not taken back; `None` if there is none.
    fn batch(&self, id: Option<&str>) -> Result<Option<BatchId>, HistoryError> {
        let state = self.state()?;
        let found = match id {
            Some(id) => record(&state, id),
            None => latest_open(&state).map(|(record, _)| record),
        };
        match found {
            Ok(record) => Ok(Some(record.id)),
            Err(
                HistoryError::Empty
                | HistoryError::AllUndone
                | HistoryError::Damaged { .. }
                | HistoryError::Unknown { .. },
            ) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
