//! Taking back a batch that was written: every file as it was before, if it still is as it was written.

use std::borrow::Cow;

use thiserror::Error;

use super::commit::commit_on;
use super::commit_error::CommitError;
use super::plan::{FileWrite, NewBytes, NewFile, NewMode, PlannedWrite, plan};
use super::real_disk::RealDisk;
use super::recover::recover;
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{FileVersion, VersionKind};
use crate::store::records::history;
use crate::store::records::history::HistoryError;
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal::{FileRecord, Record};
use crate::store::state::receipt::{Receipt, Warning};
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::root::Root;

/// Reason why a batch was not taken back. Nothing was written, unless it is [`CommitError::Stuck`].
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
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::History(error) => error.hint(),
            Self::Commit(CommitError::Conflict { .. }) => {
                "`countersign undo` on a terminal shows what can be taken back, and what came later"
            }
            Self::Commit(error) => error.hint(),
        }
    }
}

/// A batch that was written, with all that it found and wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Its name in the log.
    pub id: String,
    /// Its files.
    pub files: Vec<PastFile>,
}

/// A file of a batch that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastFile {
    /// Its name, as it was asked for.
    pub path: RepoPath,
    /// The old version; `None` if there was no file.
    pub before: Option<PastVersion>,
    /// The new version; `None` if the file was removed.
    pub after: Option<PastVersion>,
}

/// A version of a file that was found or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastVersion {
    /// Its content.
    pub bytes: Vec<u8>,
    /// True if its owner could execute it.
    pub executable: bool,
    /// The kind of file.
    pub kind: VersionKind,
}

/// Returns a batch that was written, with its contents. If none is named, it is the one that [`undo`] would take back.
///
/// # Errors
///
/// [`UndoError`] if it is not known, or a content of it is no longer kept.
pub fn past(root: &Root, id: Option<&str>) -> Result<Past, UndoError> {
    let state = root.state().map_err(HistoryError::State)?;
    recover(root).map_err(CommitError::Interrupted)?;
    let (record, _) = find(&state, id)?;
    let mut files = Vec::with_capacity(record.files.len());
    for file in &record.files {
        files.push(PastFile {
            path: file.path.clone(),
            before: past_version(&state, &record, file.before)?,
            after: past_version(&state, &record, file.after)?,
        });
    }
    Ok(Past {
        files,
        id: record.id.to_string(),
    })
}

/// Reads a version that a commit replaced or left.
fn past_version(
    state: &StateFolder,
    record: &Record,
    version: Option<FileVersion>,
) -> Result<Option<PastVersion>, HistoryError> {
    let Some(FileVersion {
        hash,
        executable,
        kind,
    }) = version
    else {
        return Ok(None);
    };
    let bytes = history::content(state, record, hash).ok_or(HistoryError::Lost { hash })?;
    Ok(Some(PastVersion {
        bytes,
        executable,
        kind,
    }))
}

/// Takes back a batch. If none is named, it is the latest one that was not taken back and did not take one back itself.
///
/// This is a commit of its own, which can be taken back by its name.
///
/// # Errors
///
/// [`UndoError`] if the batch is not known, or a file is not as the batch left it; nothing is written then but what
/// [`CommitError::Stuck`] names.
pub fn undo(root: &Root, id: Option<&str>) -> Result<Receipt, UndoError> {
    let state = root.state().map_err(HistoryError::State)?;
    recover(root).map_err(CommitError::Interrupted)?;
    let (record, damaged) = find(&state, id)?;
    let mut changes = Vec::new();
    for file in &record.files {
        let bytes = match file.before {
            None => None,
            Some(FileVersion { hash, .. }) => {
                Some(history::content(&state, &record, hash).ok_or(HistoryError::Lost { hash })?)
            }
        };
        changes.push(inverse(file, bytes));
    }
    let mut receipt = commit_on(&RealDisk, root, changes, Some(record.id))?;
    let damaged = damaged.into_iter().map(|id| id.to_string());
    receipt.warnings.extend(damaged.map(Warning::DamagedRecord));
    Ok(receipt)
}

/// Writes what is left of a batch after a person has decided what of it to take back, so that the next plain undo goes on
/// with the batch before.
///
/// # Errors
///
/// [`UndoError`] if the batch is not known, or as [`commit`](crate::store::commit()).
pub fn commit_undo(
    root: &Root,
    batch: &str,
    writes: &[FileWrite<'_>],
) -> Result<Receipt, UndoError> {
    let state = root.state().map_err(HistoryError::State)?;
    let record = history::record(&state, batch)?;
    Ok(commit_on(&RealDisk, root, plan(writes)?, Some(record.id))?)
}

/// Finds a batch by its name, or the latest one that is in place, and the damaged records that were passed over.
fn find(state: &StateFolder, id: Option<&str>) -> Result<(Record, Vec<BatchId>), HistoryError> {
    match id {
        None => history::latest_open(state),
        Some(id) => Ok((history::record(state, id)?, Vec::new())),
    }
}

/// The change that brings a file back to what it was, where `bytes` is what it held.
fn inverse(file: &FileRecord, bytes: Option<Vec<u8>>) -> PlannedWrite<'static> {
    let after = file.before.zip(bytes).map(|(version, bytes)| NewFile {
        version,
        bytes: Some(NewBytes::Whole(Cow::Owned(bytes))),
        mode: match file.mode {
            Some(mode) if version.kind.is_file() => NewMode::Exactly(mode),
            Some(_) | None => NewMode::Keep,
        },
        like: (file
            .after
            .filter(|after| after.kind.is_file() && version.kind.is_file()))
        .map(|_| file.target.clone()),
    });
    PlannedWrite {
        path: file.path.clone(),
        target: file.target.clone(),
        before: file.after,
        bytes: None,
        after,
    }
}
