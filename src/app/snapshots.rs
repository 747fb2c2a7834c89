//! The files of a batch as they were read, once for each time that it is placed in them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::proposal::RepoPath;
use crate::review::{ReviewSession, Writing};
use crate::store::{FileVersion, ReadError, Root, Snapshot};

/// Every file read, by its name; new names of renames too.
pub(crate) type Files = BTreeMap<String, Arc<Snapshot>>;

/// The files as they were read for each placing, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Snapshots(Vec<Files>);

impl Snapshots {
    /// Begins a placing, and gives its number.
    pub(crate) fn begin(&mut self) -> u64 {
        self.0.push(Files::new());
        self.0.len() as u64
    }

    /// Reads many files at once, on all cores. What cannot be read is left for who asks for it by itself.
    pub(crate) fn read_all(&mut self, root: &Root, paths: &[RepoPath]) {
        for snapshot in root.read_all(paths).into_iter().flatten() {
            self.keep(Arc::new(snapshot));
        }
    }

    /// A file as it is in this placing, for which it is read once.
    pub(crate) fn read(
        &mut self,
        root: &Root,
        path: &RepoPath,
    ) -> Result<Arc<Snapshot>, ReadError> {
        self.once(path, || root.read(path))
    }

    /// The same without following a link of that name.
    pub(crate) fn read_entry(
        &mut self,
        root: &Root,
        path: &RepoPath,
    ) -> Result<Arc<Snapshot>, ReadError> {
        self.once(path, || root.read_entry(path))
    }

    /// The same for a name that may be a folder's, without following a link of that name.
    pub(crate) fn read_any(
        &mut self,
        root: &Root,
        path: &RepoPath,
    ) -> Result<Arc<Snapshot>, ReadError> {
        self.once(path, || root.read_any(path))
    }

    fn once(
        &mut self,
        path: &RepoPath,
        read: impl FnOnce() -> Result<Snapshot, ReadError>,
    ) -> Result<Arc<Snapshot>, ReadError> {
        match self.known(&path.to_string()) {
            Some(known) => Ok(Arc::clone(known)),
            None => Ok(self.keep(Arc::new(read()?))),
        }
    }

    /// Keeps a name that was read by other means for this placing.
    pub(crate) fn keep_read(&mut self, snapshot: Snapshot) -> Arc<Snapshot> {
        self.keep(Arc::new(snapshot))
    }

    /// A file that was read in this placing.
    pub(crate) fn known(&self, name: &str) -> Option<&Arc<Snapshot>> {
        self.0.last()?.get(name)
    }

    /// A file as it was in the first placing that read it.
    pub(crate) fn first(&self, name: &str) -> Option<&Arc<Snapshot>> {
        self.0.iter().find_map(|files| files.get(name))
    }

    /// All files of this placing.
    pub(crate) fn latest(&self) -> impl Iterator<Item = &Snapshot> {
        let files = self.0.last().into_iter().flat_map(Files::values);
        files.map(Arc::as_ref)
    }

    /// The names of the files that are others than in the placing before.
    pub(crate) fn changed(&self) -> Vec<String> {
        let none = Files::new();
        let (before, now) = match self.0.as_slice() {
            [.., before, now] => (before, now),
            [now] => (&none, now),
            [] => return Vec::new(),
        };
        let version = |files: &Files, name: &str| -> Option<Option<FileVersion>> {
            files.get(name).map(|file| file.version())
        };
        let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let changed = names
            .into_iter()
            .filter(|name| version(before, name) != version(now, name));
        changed.cloned().collect()
    }

    /// The files that a session was placed in.
    pub(crate) fn of(&self, session: &ReviewSession) -> Result<&Files, Writing> {
        let placed = usize::try_from(session.placing).ok();
        placed
            .and_then(|placed| self.0.get(placed.checked_sub(1)?))
            .ok_or_else(|| Writing::Failed {
                error: "the session was not placed in these files".to_owned(),
                stuck: Vec::new(),
            })
    }

    /// Keeps a file for the placing that is being made; as it was kept for the one before if it is the same.
    fn keep(&mut self, read: Arc<Snapshot>) -> Arc<Snapshot> {
        let name = read.path.to_string();
        let before = self.0.iter().rev().nth(1);
        let same = before.and_then(|files| files.get(&name).filter(|before| **before == read));
        let kept = same.map_or(read, Arc::clone);
        if let Some(files) = self.0.last_mut() {
            files.insert(name, Arc::clone(&kept));
        }
        kept
    }
}
