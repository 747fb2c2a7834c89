//! One file's way to its new state: checked, staged, placed, and then finished or taken back.
//!
//! Placing is one step that keeps the old file under another name: an exchange of names for a replacement, a rename that
//! refuses to overwrite for a creation, a rename away for a removal. What was moved aside is compared once more with what
//! was reviewed, so a change that came in between is put back and never lost.

use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, Step};
use super::disk::{Content, Disk, Staged};
use super::folder::{Folder, Folders, Found, FoundFile, Stat, split};
use super::plan::Planned;
use super::receipt::{Warning, Written};
use super::root::Root;
use super::snapshot::{ContentHash, FileState, Snapshot};
use crate::proposal::RepoPath;

/// One file on its way to its new state.
#[derive(Debug)]
pub(super) struct Swap<'a> {
    planned: Planned<'a>,
    /// The name beside the target under which the new file is staged.
    staged: PathBuf,
    /// The name beside the target under which a removed file is kept.
    spare: PathBuf,
    /// The old file as it was checked; `None` if there is none.
    old: Option<Stat>,
    /// The new file's hash, once it is staged.
    hash: Option<ContentHash>,
    progress: Progress,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Untouched,
    /// There may be a part of the new file beside the target.
    Staging,
    /// The new file stands beside the target.
    Staged(Staged),
    /// The new file is in place where nothing was.
    Created(Staged),
    /// The new file is in place, and the old one has the staged name.
    Replaced(Staged),
    /// The old file has the spare name.
    Removed,
}

impl<'a> Swap<'a> {
    /// A change that is not begun. Its names beside the target hold `id`.
    pub(super) fn new(planned: Planned<'a>, id: &str) -> Self {
        Self {
            planned,
            staged: format!(".countersign-{id}.new").into(),
            spare: format!(".countersign-{id}.old").into(),
            old: None,
            hash: None,
            progress: Progress::Untouched,
        }
    }

    /// The file as it was reviewed.
    pub(super) fn snapshot(&self) -> &'a Snapshot {
        self.planned.snapshot
    }

    /// The folder of the file.
    pub(super) fn folder(&self) -> &'a Path {
        split(&self.snapshot().target).0
    }

    /// Whether there is no file yet but will be.
    pub(super) fn creates(&self) -> bool {
        self.planned.after.is_some() && self.old.is_none()
    }

    /// Whether there is a file but will be none.
    pub(super) fn removes(&self) -> bool {
        self.planned.after.is_none()
    }

    /// Compares the file with what was reviewed.
    pub(super) fn check(
        &mut self,
        root: &Root,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let snapshot = self.snapshot();
        let moved = root
            .admit(&snapshot.path)
            .map_or(true, |target| target != snapshot.target);
        let failed = |error| self.failed(Step::Check, error);
        let found = folders.look(&snapshot.target).map_err(failed)?;
        match (found, &snapshot.state) {
            (Found::Nothing, FileState::Absent) if !moved => Ok(()),
            (Found::File(mut file), FileState::File { .. }) if !moved => {
                if !is_as_reviewed(&mut file, snapshot).map_err(failed)? {
                    return Err(self.conflict());
                }
                let folder = folders.get(self.folder()).map_err(failed)?;
                may_be_replaced(&folder, snapshot, &file.stat)?;
                self.old = Some(file.stat);
                Ok(())
            }
            (
                Found::Nothing | Found::File(_) | Found::Folder | Found::Link | Found::Special,
                FileState::Absent | FileState::File { .. },
            ) => Err(self.conflict()),
        }
    }

    /// Writes the new file beside its target.
    pub(super) fn stage(
        &mut self,
        disk: &impl Disk,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let Some(after) = &self.planned.after else {
            return Ok(());
        };
        let failed = |error| self.failed(Step::Stage, error);
        let mut model = match after.like {
            None => None,
            Some(like) => match folders.look(&like.target).map_err(failed)? {
                Found::File(file) => Some(file),
                Found::Nothing | Found::Folder | Found::Link | Found::Special => {
                    return Err(self.conflict());
                }
            },
        };
        let models_bytes = match (after.bytes, &mut model) {
            (None, Some(model)) => model.read().map_err(failed)?,
            (Some(_), _) | (None, None) => Vec::new(),
        };
        let bytes = after.bytes.unwrap_or(&models_bytes);
        let hash = ContentHash::of(bytes);
        if after.bytes.is_none() && after.like.and_then(Snapshot::hash) != Some(hash) {
            return Err(self.conflict());
        }
        let content = Content {
            bytes,
            executable: after.executable,
            like: model.as_ref(),
        };
        let folder = folders.get(self.folder()).map_err(failed)?;
        self.progress = Progress::Staging;
        let staged = disk
            .stage(&folder, &self.staged, &content)
            .map_err(|error| self.failed(Step::Stage, error))?;
        self.hash = Some(hash);
        self.progress = Progress::Staged(staged);
        Ok(())
    }

    /// Puts the new file in its place, or takes the old one away.
    pub(super) fn place(
        &mut self,
        disk: &impl Disk,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let name = self.name();
        let folder = folders
            .get(self.folder())
            .map_err(|error| self.failed(Step::Place, error))?;
        match (self.progress, self.old) {
            (Progress::Staged(staged), None) => {
                disk.rename(&folder, &self.staged, name)
                    .map_err(|error| self.lost_or_failed(Step::Place, error))?;
                self.progress = Progress::Created(staged);
                Ok(())
            }
            (Progress::Staged(staged), Some(old)) => {
                disk.exchange(&folder, &self.staged, name, &self.spare)
                    .map_err(|error| self.lost_or_failed(Step::Place, error))?;
                self.progress = Progress::Replaced(staged);
                self.is_still(&folder, &self.staged, &old)
            }
            (Progress::Untouched, Some(old)) => {
                disk.rename(&folder, name, &self.spare)
                    .map_err(|error| self.lost_or_failed(Step::Remove, error))?;
                self.progress = Progress::Removed;
                self.is_still(&folder, &self.spare, &old)
            }
            (
                Progress::Untouched
                | Progress::Staging
                | Progress::Created(_)
                | Progress::Replaced(_)
                | Progress::Removed,
                _,
            ) => Ok(()),
        }
    }

    /// Takes back whatever was done. A file that another program has changed since is left alone, which is an error.
    pub(super) fn take_back(
        &mut self,
        disk: &impl Disk,
        folders: &mut Folders<'_>,
    ) -> io::Result<()> {
        if self.progress == Progress::Untouched {
            return Ok(());
        }
        let name = self.name();
        let folder = folders.get(self.folder())?;
        match self.progress {
            Progress::Untouched => (),
            Progress::Staging => match disk.remove(&folder, &self.staged) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                result => result?,
            },
            Progress::Staged(_) => disk.remove(&folder, &self.staged)?,
            Progress::Created(staged) => {
                disk.rename(&folder, name, &self.staged)?;
                if !staged.is(folder.stat(&self.staged)?) {
                    disk.rename(&folder, &self.staged, name)?;
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&folder, &self.staged)?;
            }
            Progress::Replaced(staged) => {
                disk.exchange(&folder, &self.staged, name, &self.spare)?;
                if !staged.is(folder.stat(&self.staged)?) {
                    disk.exchange(&folder, &self.staged, name, &self.spare)?;
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&folder, &self.staged)?;
            }
            Progress::Removed => disk.rename(&folder, &self.spare, name)?,
        }
        self.progress = Progress::Untouched;
        Ok(())
    }

    /// Removes the old file after all is in place.
    pub(super) fn finish(&self, disk: &impl Disk, folders: &mut Folders<'_>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let path = || self.snapshot().path.clone();
        let aside = match self.progress {
            Progress::Replaced(_) => &self.staged,
            Progress::Removed => &self.spare,
            Progress::Untouched
            | Progress::Staging
            | Progress::Staged(_)
            | Progress::Created(_) => return warnings,
        };
        let removed = folders
            .get(self.folder())
            .and_then(|folder| disk.remove(&folder, aside));
        if removed.is_err() {
            warnings.push(Warning::Leftover(path(), aside.clone()));
        }
        if let Progress::Replaced(staged) = self.progress
            && !staged.owner_kept
        {
            warnings.push(Warning::OwnerChanged(path()));
        }
        warnings
    }

    /// What was done, for the receipt.
    pub(super) fn written(&self) -> Written {
        Written {
            path: self.snapshot().path.clone(),
            before: self.snapshot().hash(),
            after: self.hash,
        }
    }

    pub(super) fn failed(&self, step: Step, source: io::Error) -> CommitError {
        CommitError::Failed {
            path: self.snapshot().path.clone(),
            step,
            source,
        }
    }

    fn name(&self) -> &'a Path {
        split(&self.snapshot().target).1
    }

    fn conflict(&self) -> CommitError {
        CommitError::Conflict {
            paths: vec![self.snapshot().path.clone()],
        }
    }

    /// A file that appeared or vanished between the check and the step is a conflict.
    fn lost_or_failed(&self, step: Step, error: io::Error) -> CommitError {
        if matches!(
            error.kind(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
        ) {
            self.conflict()
        } else {
            self.failed(step, error)
        }
    }

    /// Whether the file that was moved aside is the one that was checked.
    fn is_still(&self, folder: &Folder, aside: &Path, old: &Stat) -> Result<(), CommitError> {
        let failed = |error| self.failed(Step::Check, error);
        let same = match folder.look(aside).map_err(failed)? {
            Found::File(file) if file.stat == *old => true,
            Found::File(mut file) => is_as_reviewed(&mut file, self.snapshot()).map_err(failed)?,
            Found::Nothing | Found::Folder | Found::Link | Found::Special => false,
        };
        if same { Ok(()) } else { Err(self.conflict()) }
    }
}

fn is_as_reviewed(file: &mut FoundFile, snapshot: &Snapshot) -> io::Result<bool> {
    match snapshot.state {
        FileState::Absent => Ok(false),
        FileState::File {
            hash, executable, ..
        } => Ok(file.stat.executable() == executable && ContentHash::of(&file.read()?) == hash),
    }
}

/// Whether a file is one that a new one may take the place of.
fn may_be_replaced(folder: &Folder, snapshot: &Snapshot, stat: &Stat) -> Result<(), CommitError> {
    let path = || -> RepoPath { snapshot.path.clone() };
    if !folder.may_write(split(&snapshot.target).1, stat) {
        Err(CommitError::ReadOnly { path: path() })
    } else if stat.links > 1 {
        Err(CommitError::HardLinked {
            path: path(),
            links: stat.links,
        })
    } else {
        Ok(())
    }
}
