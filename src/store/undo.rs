//! Taking back a batch that was written: every file as it was before, if it still is as it was written.

use std::borrow::Cow;

use thiserror::Error;

use super::commit_error::CommitError;
use super::disk::RealDisk;
use super::history::{self, HistoryError};
use super::journal::FileRecord;
use super::plan::{Change, NewFile, NewMode};
use super::receipt::Receipt;
use super::recover::recover;
use super::root::Root;
use super::transaction::commit_on;

/// Why a batch was not taken back. Nothing was written.
#[derive(Debug, Error)]
pub enum UndoError {
    /// The batch, or a content that it needs, is not known.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The files could not be written; a [`CommitError::Conflict`] names those that are not as the batch left them.
    #[error(transparent)]
    Commit(#[from] CommitError),
}

impl UndoError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::History(error) => error.hint(),
            Self::Commit(CommitError::Conflict { .. }) => {
                "these files have changed since: review the difference and take back what is wanted"
            }
            Self::Commit(error) => error.hint(),
        }
    }
}

/// Takes back a batch, the latest one if none is named. This is a commit of its own, which can be taken back as well.
///
/// # Errors
///
/// [`UndoError`] if the batch is not known, or a file is not as the batch left it; nothing is written then.
pub fn undo(root: &Root, id: Option<&str>) -> Result<Receipt, UndoError> {
    let state = root.state().map_err(HistoryError::State)?;
    recover(root).map_err(CommitError::Interrupted)?;
    let record = history::record(&state, id)?;
    let changes: Result<Vec<_>, HistoryError> = record
        .files
        .into_iter()
        .map(|file| inverse(root, file))
        .collect();
    Ok(commit_on(&RealDisk, root, changes?)?)
}

fn inverse(root: &Root, file: FileRecord) -> Result<Change<'static>, HistoryError> {
    let after = match file.before {
        None => None,
        Some(version) => Some(NewFile {
            version,
            bytes: Some(Cow::Owned(root.recall(version.hash)?)),
            mode: file.mode.map_or(NewMode::Keep, NewMode::Exactly),
            like: file.after.map(|_| file.target.clone()),
        }),
    };
    Ok(Change {
        path: file.path,
        target: file.target,
        before: file.after,
        after,
    })
}
