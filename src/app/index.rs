//! Entries of a git index as the decisions of a review make them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::agent::git::{Blob, ChangedEntry, GitError, Repository, SideIndex, Staging};
use crate::app::apply::never_read;
use crate::app::write_comparison::{name_on_disk, settled, why};
use crate::review::{Bytes, FileReview, ReviewSession, Settled, Writing};
use crate::store::TreeCopy;

/// The index of a repository, and what differs in it.
pub(crate) struct GitIndex {
    pub(crate) repository: Repository,
    pub(crate) changed: Arc<Vec<ChangedEntry>>,
}

impl GitIndex {
    /// The files that a commit would have, if what is decided were written: as git checks them out, filters and all. Nothing is
    /// written in the repository.
    ///
    /// # Errors
    ///
    /// Why that cannot be, for people.
    pub(crate) fn lay_out(&self, session: &ReviewSession) -> Result<TreeCopy, String> {
        let not_made = |error| format!("no folder for a copy can be made: {error}");
        let own = TreeCopy::empty().map_err(not_made)?;
        let copy = TreeCopy::empty().map_err(not_made)?;
        let said = |error: GitError| error.to_string();
        let next = SideIndex::new(&self.repository, own.path()).map_err(said)?;
        let staging = stagings(session, &self.changed, &|bytes| {
            next.repository().store(bytes)
        });
        let staging = staging.map_err(|(file, unwritten)| why(file, unwritten))?;
        next.check_out(&staging, copy.path()).map_err(said)?;
        Ok(copy)
    }
}

/// Function that stores a content and returns its object name.
type Store<'a> = &'a dyn Fn(&[u8]) -> Result<String, GitError>;

/// Returns the new entries of an index by the decisions of a session; or the file of which no entry can be made, and why.
pub(crate) fn stagings<'a>(
    session: &'a ReviewSession,
    changed: &[ChangedEntry],
    store: Store<'_>,
) -> Result<Vec<Staging>, (&'a FileReview, Writing)> {
    let known: FxHashMap<&str, &ChangedEntry> = (changed.iter())
        .map(|changed| (changed.path.as_str(), changed))
        .collect();
    let mut all = Vec::new();
    for file in &session.files {
        if let Some(of_file) = known.get(file.path.as_str()) {
            all.extend(staging(file, of_file, store).map_err(|unwritten| (file, unwritten))?);
        }
    }
    Ok(all)
}

/// Returns the new entries of one file.
fn staging(
    file: &FileReview,
    changed: &ChangedEntry,
    store: Store<'_>,
) -> Result<Vec<Staging>, Writing> {
    let Some(settled) = settled(file)? else {
        return Ok(Vec::new());
    };
    let name = name_on_disk(file).to_owned();
    let before = changed.new.clone();
    let (path, after) = match settled {
        Settled::Absent => (name.clone(), None),
        // Links are no part of these reviews: they are left alone.
        Settled::Link { .. } | Settled::Folder => return Ok(Vec::new()),
        Settled::File {
            path,
            bytes,
            executable,
        } => {
            let mode = if executable { "100755" } else { "100644" };
            let blob = Blob {
                mode: mode.to_owned(),
                id: stored(file, changed, bytes, store)?,
            };
            (path, Some(blob))
        }
    };
    let mut staging = Vec::new();
    if path != name {
        staging.push(Staging {
            path: name,
            before,
            after: None,
        });
        staging.push(Staging {
            path,
            before: None,
            after,
        });
    } else if before != after {
        staging.push(Staging {
            path,
            before,
            after,
        });
    }
    Ok(staging)
}

/// The name of a content, which is stored if need be.
fn stored(
    file: &FileReview,
    changed: &ChangedEntry,
    bytes: Bytes,
    store: Store<'_>,
) -> Result<String, Writing> {
    let known = match bytes {
        Bytes::Old => changed.old.as_ref(),
        Bytes::New => changed.new.as_ref(),
        Bytes::These(bytes) => return store(&bytes).map_err(|error| failed(&error)),
    };
    let known = known.ok_or_else(|| never_read(&file.path))?;
    Ok(known.id.clone())
}

/// That git does not do it.
pub(crate) fn failed(error: &GitError) -> Writing {
    Writing::Failed {
        error: format!("{error}\nhint: {}", error.hint()),
        stuck: Vec::new(),
    }
}
