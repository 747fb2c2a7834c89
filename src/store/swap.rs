//! One file's way to its new state: checked, staged, placed, and then finished or taken back.
//!
//! Placing is one step that keeps the old file under another name: an exchange of names for a replacement, a rename that
//! refuses to overwrite for a creation, a rename away for a removal. What was moved aside is compared once more with what
//! was reviewed, so a change that came in between is put back and never lost.

use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, Step};
use super::disk::{Content, Disk, Staged};
use super::folder::{Folder, Folders, Found, Stat, split};
use super::journal::FileRecord;
use super::plan::{Change, NewFile};
use super::receipt::{Warning, Written};
use super::root::Root;
use super::snapshot::{ContentHash, Version};
use super::state::State;
use crate::proposal::RepoPath;

/// One file on its way to its new state.
#[derive(Debug)]
pub(super) struct Swap<'a> {
    pub(super) path: RepoPath,
    pub(super) target: RepoPath,
    /// What was there at first.
    pub(super) before: Option<Version>,
    /// What shall be there at last.
    pub(super) after: Option<Version>,
    /// How to make the new file; `None` if there is none, or if it was made by an interrupted commit.
    new: Option<NewFile<'a>>,
    /// The name beside the target under which the new file is staged.
    pub(super) staged: PathBuf,
    /// The name beside the target under which a removed file is kept.
    pub(super) spare: PathBuf,
    /// The old file as it was checked; `None` if there is none.
    pub(super) old: Option<Stat>,
    pub(super) progress: Progress,
}

/// How far a file is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
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
    /// A change that is not begun.
    pub(super) fn new(change: Change<'a>, commit: &str, n: usize) -> Self {
        let after = change.after.as_ref().map(|new| new.version);
        let (staged, spare) = names_beside(commit, n);
        Self {
            path: change.path,
            target: change.target,
            before: change.before,
            after,
            new: change.after,
            staged,
            spare,
            old: None,
            progress: Progress::Untouched,
        }
    }

    /// A change that was begun by an interrupted commit. How far it is remains to be seen.
    pub(super) fn resumed(record: FileRecord, commit: &str, n: usize) -> Self {
        let (staged, spare) = names_beside(commit, n);
        Self {
            path: record.path,
            target: record.target,
            before: record.before,
            after: record.after,
            new: None,
            staged,
            spare,
            old: None,
            progress: Progress::Untouched,
        }
    }

    /// What the journal says of it.
    pub(super) fn record(&self) -> FileRecord {
        FileRecord {
            path: self.path.clone(),
            target: self.target.clone(),
            before: self.before,
            mode: self.old.map(|old| old.mode),
            after: self.after,
        }
    }

    /// The folder of the file.
    pub(super) fn folder(&self) -> &Path {
        split(&self.target).0
    }

    /// The file's name in its folder.
    pub(super) fn name(&self) -> &Path {
        split(&self.target).1
    }

    /// Compares the file with what was reviewed, and keeps it for the history.
    pub(super) fn check(
        &mut self,
        disk: &impl Disk,
        root: &Root,
        state: &State,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let failed = |error| self.failed(Step::Check, error);
        let moved = root
            .admit(&self.path)
            .map_or(true, |target| target != self.target);
        let found = folders.look(&self.target).map_err(failed)?;
        match (found, self.before) {
            (Found::Nothing, None) if !moved => Ok(()),
            (Found::File(mut file), Some(before)) if !moved => {
                let bytes = file.read().map_err(failed)?;
                if file.stat.executable() != before.executable
                    || ContentHash::of(&bytes) != before.hash
                {
                    return Err(self.conflict());
                }
                let folder = folders.get(self.folder()).map_err(failed)?;
                self.may_be_replaced(&folder, &file.stat)?;
                disk.keep(state, before.hash, &bytes)
                    .map_err(|error| self.failed(Step::Keep, error))?;
                self.old = Some(file.stat);
                Ok(())
            }
            (
                Found::Nothing | Found::File(_) | Found::Folder | Found::Link | Found::Special,
                None | Some(_),
            ) => Err(self.conflict()),
        }
    }

    /// Writes the new file beside its target, and keeps it for the history.
    pub(super) fn stage(
        &mut self,
        disk: &impl Disk,
        state: &State,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let Some(new) = &self.new else {
            return Ok(());
        };
        let failed = |error| self.failed(Step::Stage, error);
        let mut model = match &new.like {
            None => None,
            Some(like) => match folders.look(like).map_err(failed)? {
                Found::File(file) => Some(file),
                Found::Nothing | Found::Folder | Found::Link | Found::Special => {
                    return Err(self.conflict());
                }
            },
        };
        let models_bytes = match (&new.bytes, &mut model) {
            (None, Some(model)) => model.read().map_err(failed)?,
            (Some(_), _) | (None, None) => Vec::new(),
        };
        let bytes = new.bytes.as_deref().unwrap_or(&models_bytes);
        if new.bytes.is_none() && ContentHash::of(bytes) != new.version.hash {
            return Err(self.conflict());
        }
        disk.keep(state, new.version.hash, bytes)
            .map_err(|error| self.failed(Step::Keep, error))?;
        let content = Content {
            bytes,
            mode: new.mode,
            like: model.as_ref(),
        };
        let folder = folders.get(self.folder()).map_err(failed)?;
        self.progress = Progress::Staging;
        let staged = disk
            .stage(&folder, &self.staged, &content)
            .map_err(|error| self.failed(Step::Stage, error))?;
        self.progress = Progress::Staged(staged);
        Ok(())
    }

    /// Puts the new file in its place, or takes the old one away.
    pub(super) fn place(
        &mut self,
        disk: &impl Disk,
        folders: &mut Folders<'_>,
    ) -> Result<(), CommitError> {
        let folder = folders
            .get(self.folder())
            .map_err(|error| self.failed(Step::Place, error))?;
        let name = self.name();
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
        let folder = folders.get(self.folder())?;
        let name = self.name();
        match self.progress {
            Progress::Untouched => (),
            Progress::Staging => match disk.remove(&folder, &self.staged) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                result => result?,
            },
            Progress::Staged(_) => {
                if folder.stat(&self.spare)?.is_some() {
                    // An exchange that could be neither completed nor undone: the old file must not be forgotten.
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&folder, &self.staged)?;
            }
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
            warnings.push(Warning::Leftover(self.path.clone(), aside.clone()));
        }
        if let Progress::Replaced(staged) = self.progress
            && !staged.owner_kept
        {
            warnings.push(Warning::OwnerChanged(self.path.clone()));
        }
        warnings
    }

    /// What was done, for the receipt.
    pub(super) fn written(&self) -> Written {
        Written {
            path: self.path.clone(),
            before: self.before.map(|version| version.hash),
            after: self.after.map(|version| version.hash),
        }
    }

    pub(super) fn failed(&self, step: Step, source: io::Error) -> CommitError {
        CommitError::Failed {
            path: self.path.clone(),
            step,
            source,
        }
    }

    fn conflict(&self) -> CommitError {
        CommitError::Conflict {
            paths: vec![self.path.clone()],
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
            Found::File(mut file) => Some(file.version().map_err(failed)?) == self.before,
            Found::Nothing | Found::Folder | Found::Link | Found::Special => false,
        };
        if same { Ok(()) } else { Err(self.conflict()) }
    }

    /// Whether the file is one that a new one may take the place of.
    fn may_be_replaced(&self, folder: &Folder, stat: &Stat) -> Result<(), CommitError> {
        if !folder.may_write(self.name(), stat) {
            Err(CommitError::ReadOnly {
                path: self.path.clone(),
            })
        } else if stat.links > 1 {
            Err(CommitError::HardLinked {
                path: self.path.clone(),
                links: stat.links,
            })
        } else {
            Ok(())
        }
    }
}

/// The names beside a target that the n-th file of a commit uses.
fn names_beside(commit: &str, n: usize) -> (PathBuf, PathBuf) {
    (
        format!(".countersign-{commit}-{n}.new").into(),
        format!(".countersign-{commit}-{n}.old").into(),
    )
}
