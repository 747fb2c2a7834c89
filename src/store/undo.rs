//! Taking back a batch that was written: every file as it was before, if it still is as it was written.

use std::borrow::Cow;

use thiserror::Error;

use super::commit_error::CommitError;
use super::history::{self, HistoryError};
use super::journal::FileRecord;
use super::plan::{Change, NewFile, NewMode};
use super::real_disk::RealDisk;
use super::receipt::Receipt;
use super::recover::recover;
use super::root::Root;
use super::snapshot::Version;
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
    let mut changes = Vec::new();
    for file in &record.files {
        let bytes = match file.before {
            None => None,
            Some(Version { hash, .. }) => {
                Some(history::content(&state, &record, hash).ok_or(HistoryError::Lost { hash })?)
            }
        };
        changes.push(inverse(file, bytes));
    }
    Ok(commit_on(&RealDisk, root, changes)?)
}

/// The change that brings a file back to what it was, where `bytes` is what it held.
fn inverse(file: &FileRecord, bytes: Option<Vec<u8>>) -> Change<'static> {
    let after = file.before.zip(bytes).map(|(version, bytes)| NewFile {
        version,
        bytes: Some(Cow::Owned(bytes)),
        mode: file.mode.map_or(NewMode::Keep, NewMode::Exactly),
        like: file.after.map(|_| file.target.clone()),
    });
    Change {
        path: file.path.clone(),
        target: file.target.clone(),
        before: file.after,
        after,
    }
}
