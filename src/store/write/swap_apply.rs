//! Putting a new file in place, and what follows: the old one is removed, or put back.
//!
//! Placing is one step that keeps the old file under another name: an exchange of names for a replacement, a rename that
//! refuses to overwrite for a creation, a rename away for a removal. What was moved aside is compared once more with what
//! was reviewed, so a change that came in between is put back and never lost. Only a file that has other names is written
//! in place, after a copy of it was made.

use std::io;
use std::path::Path;

use super::commit_error::{CommitError, CommitStep};
use super::disk::{Disk, StagedFile};
use super::swap::{Swap, SwapProgress};
use crate::store::folder::folder_handle::{Folder, FoundName, NameKind, NameStat, OpenFolders};
use crate::store::folder::snapshot::FileVersion;
use crate::store::state::journal::ReplaceMethod;
use crate::store::state::receipt::Warning;

impl Swap<'_> {
    /// Puts the new file in its place, or takes the old one away.
    pub(in crate::store) fn place(
        &mut self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> Result<(), CommitError> {
        let is_due = match self.progress {
            SwapProgress::Staged(_) | SwapProgress::Overwritten(_) => true,
            SwapProgress::Untouched => self.old.is_some(),
            SwapProgress::Staging
            | SwapProgress::Created(_)
            | SwapProgress::Replaced(_)
            | SwapProgress::Removed => false,
        };
        if !is_due {
            return Ok(());
        }
        let failed = |error| self.failed(CommitStep::Place, error);
        let folder = folders.get(self.folder()).map_err(failed)?;
        let beside = folders.get(self.staging_folder()).map_err(failed)?;
        let name = self.name();
        match (self.progress, self.old) {
            (SwapProgress::Staged(_) | SwapProgress::Overwritten(_), old)
                if self.way == ReplaceMethod::Overwrite =>
            {
                if let SwapProgress::Staged(staged) = self.progress {
                    if folder.stat(name).ok().flatten() != old {
                        return Err(self.conflict());
                    }
                    self.progress = SwapProgress::Overwritten(staged.kept);
                }
                disk.overwrite(&folder, self.name(), &self.staged)
                    .map_err(|error| self.failed(CommitStep::Place, error))
            }
            (SwapProgress::Staged(staged), None) => {
                disk.rename((&beside, &self.staged), (&folder, name))
                    .map_err(|error| self.lost_or_failed(CommitStep::Place, error))?;
                self.progress = SwapProgress::Created(staged);
                Ok(())
            }
            (SwapProgress::Staged(staged), Some(old)) => {
                disk.exchange(&folder, &self.staged, name, &self.spare)
                    .map_err(|error| self.lost_or_failed(CommitStep::Place, error))?;
                self.progress = SwapProgress::Replaced(staged);
                self.is_still(&folder, &self.staged, &old)
            }
            (SwapProgress::Untouched, Some(old)) => {
                disk.rename((&folder, name), (&beside, &self.spare))
                    .map_err(|error| self.lost_or_failed(CommitStep::Remove, error))?;
                self.progress = SwapProgress::Removed;
                self.is_still(&beside, &self.spare, &old)
            }
            (
                SwapProgress::Untouched
                | SwapProgress::Staging
                | SwapProgress::Created(_)
                | SwapProgress::Replaced(_)
                | SwapProgress::Removed
                | SwapProgress::Overwritten(_),
                _,
            ) => Ok(()),
        }
    }

    /// Takes back whatever was done. A file that another program has changed since is left alone, which is an error.
    pub(in crate::store) fn take_back(
        &mut self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> io::Result<()> {
        if self.progress == SwapProgress::Untouched {
            return Ok(());
        }
        let beside = match folders.get(self.staging_folder()) {
            Ok(beside) => beside,
            // The folder was not even made.
            Err(error)
                if self.progress == SwapProgress::Staging
                    && error.kind() == io::ErrorKind::NotFound =>
            {
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let name = self.name();
        match self.progress {
            SwapProgress::Untouched => (),
            SwapProgress::Staging => self.remove_copies(disk, &beside)?,
            SwapProgress::Staged(_) if self.way == ReplaceMethod::Overwrite => {
                self.remove_copies(disk, &beside)?;
            }
            SwapProgress::Staged(staged) => {
                if beside.stat(&self.spare)?.is_some() {
                    // An exchange that could be neither completed nor undone: the old file must not be forgotten.
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                if !staged.is(beside.stat(&self.staged)?) {
                    // An exchange in several steps has moved the file of another program there.
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&beside, &self.staged)?;
            }
            SwapProgress::Overwritten(_) => {
                disk.overwrite(&beside, name, &self.spare)?;
                self.remove_copies(disk, &beside)?;
            }
            SwapProgress::Created(staged) => {
                let folder = folders.get(self.folder())?;
                let (target, aside) = ((&*folder, name), (&*beside, self.staged.as_path()));
                disk.rename(target, aside)?;
                if !self.is_own(&beside, staged)? {
                    disk.rename(aside, target)?;
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&beside, &self.staged)?;
            }
            // What is replaced is never staged in another folder.
            SwapProgress::Replaced(staged) => {
                disk.exchange(&beside, &self.staged, name, &self.spare)?;
                if !self.is_own(&beside, staged)? {
                    disk.exchange(&beside, &self.staged, name, &self.spare)?;
                    return Err(io::ErrorKind::ResourceBusy.into());
                }
                disk.remove(&beside, &self.staged)?;
            }
            SwapProgress::Removed => {
                let folder = folders.get(self.folder())?;
                disk.rename((&beside, &self.spare), (&folder, name))?;
            }
        }
        self.progress = SwapProgress::Untouched;
        Ok(())
    }

    /// Removes the old file after all is in place, or moves it into the history.
    pub(in crate::store) fn finish(
        &self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> Vec<Warning> {
        let mut warnings = Vec::new();
        match self.progress {
            SwapProgress::Untouched
            | SwapProgress::Staging
            | SwapProgress::Staged(_)
            | SwapProgress::Created(_) => return warnings,
            SwapProgress::Removed => (),
            SwapProgress::Replaced(staged) => {
                let path = || self.path.clone();
                warnings.extend((!staged.kept.owner).then(|| Warning::OwnerChanged(path())));
                let lost = !staged.kept.privileges;
                warnings.extend(lost.then(|| Warning::PrivilegesRemoved(path())));
            }
            SwapProgress::Overwritten(kept) => {
                warnings.push(Warning::OtherNames(self.path.clone()));
                let lost = !kept.privileges;
                warnings.extend(lost.then(|| Warning::PrivilegesRemoved(self.path.clone())));
            }
        }
        let folder = folders.get(self.staging_folder());
        for name in [&self.staged, &self.spare] {
            let removed = match &folder {
                Ok(folder) if self.is_written_late(folder, name) => {
                    let warning = Warning::WrittenLate(self.path.clone(), name.clone());
                    warnings.push(warning);
                    continue;
                }
                Ok(folder) => unless_missing(self.put_away(disk, folder, name)).is_ok(),
                Err(_) => false,
            };
            if !removed {
                warnings.push(Warning::Leftover(self.path.clone(), name.clone()));
            }
        }
        warnings
    }

    /// True if a name holds the old file, and another program has written to it since it was compared: an editor that had
    /// it open. Its text must not be removed.
    fn is_written_late(&self, folder: &Folder, name: &Path) -> bool {
        let holds_old = match self.progress {
            SwapProgress::Replaced(_) => name == self.staged,
            SwapProgress::Removed => name == self.spare,
            SwapProgress::Untouched
            | SwapProgress::Staging
            | SwapProgress::Staged(_)
            | SwapProgress::Created(_)
            | SwapProgress::Overwritten(_) => false,
        };
        let (true, Some(old), Ok(Some(now))) = (holds_old, self.old, folder.stat(name)) else {
            return false;
        };
        if (now.identity, now.size, now.modified) == (old.identity, old.size, old.modified) {
            return false;
        }
        // A time that has changed is no change of the text.
        match folder.look(name) {
            Ok(FoundName::File(mut file)) => file.version().ok() != self.before,
            Ok(FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special)
            | Err(_) => false,
        }
    }

    /// Returns true if the staged name has the new file. A new folder in which another program has put something is no longer
    /// the batch's own.
    fn is_own(&self, beside: &Folder, staged: StagedFile) -> io::Result<bool> {
        let is_it = staged.is(beside.stat(&self.staged)?);
        Ok(is_it && (!beside.is_folder(&self.staged) || beside.inside(&self.staged)?.is_empty()))
    }

    /// Removes the copies beside the target.
    fn remove_copies(&self, disk: &impl Disk, folder: &Folder) -> io::Result<()> {
        unless_missing(disk.remove(folder, &self.staged))?;
        unless_missing(disk.remove(folder, &self.spare))
    }

    /// A file that appeared or vanished between the check and the step is a conflict.
    fn lost_or_failed(&self, step: CommitStep, error: io::Error) -> CommitError {
        if matches!(
            error.kind(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound
        ) {
            self.conflict()
        } else {
            self.failed(step, error)
        }
    }

    /// Checks that the file that was moved aside is the one that was checked before.
    fn is_still(&self, folder: &Folder, aside: &Path, old: &NameStat) -> Result<(), CommitError> {
        let failed = |error| self.failed(CommitStep::Check, error);
        let stat = folder.stat(aside).map_err(failed)?;
        if stat.as_ref() == Some(old) && old.kind != NameKind::Folder {
            return Ok(());
        }
        if stat.is_some_and(|stat| stat.kind == NameKind::Folder) {
            let is_empty = folder.inside(aside).map_err(failed)?.is_empty();
            let is_it = self.before == Some(FileVersion::of_folder()) && is_empty;
            return if is_it { Ok(()) } else { Err(self.conflict()) };
        }
        let same = match folder.look(aside).map_err(failed)? {
            FoundName::File(mut file) => Some(file.version().map_err(failed)?) == self.before,
            FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => false,
        };
        if same { Ok(()) } else { Err(self.conflict()) }
    }
}

fn unless_missing(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
