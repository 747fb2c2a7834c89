//! Finds the progress of an interrupted commit, file by file, from the files that are there now.

use std::io;
use std::path::Path;

use super::disk::{Disk, StagedFile};
use super::metadata::KeptMetadata;
use super::swap::{Swap, SwapProgress};
use crate::store::folder::bounded_read::MOST_BYTES;
use crate::store::folder::folder_handle::{Folder, FoundName, NameStat, OpenFolders, is_no_folder};
use crate::store::folder::snapshot::FileVersion;
use crate::store::state::journal::ReplaceMethod;

/// Possible recovery of a file of an interrupted commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum RecoveryOption {
    /// It can be brought to its new state.
    Forward,
    /// It can only be brought back.
    Back,
    /// Another program has changed the old file, so it is left alone, and the commit cannot be finished.
    Changed,
    /// Another program has changed the new file, so it is left alone, and the commit can be finished around it.
    ChangedSince,
}

impl RecoveryOption {
    /// Returns true if this file does not keep the commit from being finished.
    pub(in crate::store) fn can_finish(self) -> bool {
        match self {
            Self::Forward | Self::ChangedSince => true,
            Self::Back | Self::Changed => false,
        }
    }

    /// Returns true if the file is left alone.
    pub(in crate::store) fn is_changed(self) -> bool {
        match self {
            Self::Forward | Self::Back => false,
            Self::Changed | Self::ChangedSince => true,
        }
    }
}

/// State of a name, as far as recovery needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameState {
    Nothing,
    File(FileVersion, NameStat),
    Other,
}

impl Swap<'_> {
    /// Finds out how far the file is, and notes it.
    pub(in crate::store) fn scan(
        &mut self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> io::Result<RecoveryOption> {
        let beside = match folders.get(self.staging_folder()) {
            Ok(beside) => beside,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(match (self.before, self.after) {
                    (None, _) => RecoveryOption::Back,
                    (Some(_), None) => RecoveryOption::Forward,
                    (Some(_), Some(_)) => RecoveryOption::Changed,
                });
            }
            Err(error) => return Err(error),
        };
        if self.way == ReplaceMethod::Overwrite {
            return self.scan_overwritten(&beside);
        }
        let folder = match folders.get(self.folder()) {
            // The batch has not made it yet, or has removed it already.
            Err(error) if is_no_folder(&error) => None,
            folder => Some(folder?),
        };
        if let Some(folder) = &folder {
            self.complete_step(disk, folder, &beside)?;
        }
        let target = match &folder {
            Some(folder) => name_state(folder, self.name())?,
            None => NameState::Nothing,
        };
        let staged = name_state(&beside, &self.staged)?;
        let spare = name_state(&beside, &self.spare)?;
        let (progress, prospect) = match (self.after, target) {
            (None, NameState::File(version, stat)) if Some(version) == self.before => {
                self.old = Some(stat);
                (SwapProgress::Untouched, RecoveryOption::Forward)
            }
            (None, NameState::Nothing) => match spare {
                NameState::Nothing => (SwapProgress::Untouched, RecoveryOption::Forward),
                spare if spare.is(self.before) => (SwapProgress::Removed, RecoveryOption::Forward),
                NameState::File(..) | NameState::Other => {
                    (SwapProgress::Removed, RecoveryOption::Back)
                }
            },
            (Some(after), target) if target.is(self.before) => {
                self.old = target.stat();
                match staged {
                    NameState::File(version, stat) if version == after => (
                        SwapProgress::Staged(StagedFile::found(stat)),
                        RecoveryOption::Forward,
                    ),
                    // All new files were complete when the placing began, so another file is another program's.
                    NameState::Nothing | NameState::File(..) | NameState::Other => {
                        (SwapProgress::Untouched, RecoveryOption::Back)
                    }
                }
            }
            (Some(after), NameState::File(version, stat)) if version == after => {
                let new = StagedFile::found(stat);
                match (self.before, staged) {
                    (None, _) => (SwapProgress::Created(new), RecoveryOption::Forward),
                    (Some(_), NameState::Nothing) => {
                        (SwapProgress::Untouched, RecoveryOption::Forward)
                    }
                    (before, staged) if staged.is(before) => {
                        (SwapProgress::Replaced(new), RecoveryOption::Forward)
                    }
                    (Some(_), NameState::File(..) | NameState::Other) => {
                        (SwapProgress::Replaced(new), RecoveryOption::Back)
                    }
                }
            }
            (None | Some(_), NameState::Nothing | NameState::File(..) | NameState::Other) => {
                let was_placed = match self.before {
                    None => staged == NameState::Nothing,
                    before => staged.is(before) || spare.is(before),
                };
                let prospect = if was_placed {
                    RecoveryOption::ChangedSince
                } else {
                    RecoveryOption::Changed
                };
                (SwapProgress::Untouched, prospect)
            }
        };
        self.progress = progress;
        Ok(prospect)
    }

    /// The same for a file that is written in place, and may be written in part.
    fn scan_overwritten(&mut self, folder: &Folder) -> io::Result<RecoveryOption> {
        let target = name_state(folder, self.name())?;
        let is_staged = name_state(folder, &self.staged)?.is(self.after);
        let is_copied = name_state(folder, &self.spare)?.is(self.before);
        self.old = target.stat();
        let (progress, prospect) = match target {
            NameState::File(_, stat) if target.is(self.before) => {
                if is_staged && is_copied {
                    (
                        SwapProgress::Staged(StagedFile::found(stat)),
                        RecoveryOption::Forward,
                    )
                } else {
                    (SwapProgress::Staging, RecoveryOption::Back)
                }
            }
            NameState::File(..) if is_staged && is_copied && self.is_torn(folder)? => (
                SwapProgress::Overwritten(KeptMetadata::ALL),
                RecoveryOption::Forward,
            ),
            NameState::File(..) if target.is(self.after) => {
                (SwapProgress::Untouched, RecoveryOption::Forward)
            }
            NameState::Nothing | NameState::File(..) | NameState::Other => {
                (SwapProgress::Untouched, RecoveryOption::Changed)
            }
        };
        self.progress = progress;
        Ok(prospect)
    }

    /// Returns true if the target may come from writing the new file over the old one, or the other way round, up to any byte.
    fn is_torn(&self, folder: &Folder) -> io::Result<bool> {
        let found = file_bytes(folder, self.name())?;
        let [new, old] = [
            file_bytes(folder, &self.staged)?,
            file_bytes(folder, &self.spare)?,
        ];
        let lengths = new.len().min(old.len())..=new.len().max(old.len());
        let is_from_either =
            |(i, byte): (usize, &u8)| new.get(i) == Some(byte) || old.get(i) == Some(byte);
        Ok(lengths.contains(&found.len()) && found.iter().enumerate().all(is_from_either))
    }

    /// Does away with what the commit left beside the file, unless another program has made something else of it.
    pub(in crate::store) fn clear_away(
        &self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> io::Result<()> {
        let folder = match folders.get(self.staging_folder()) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for name in [&self.staged, &self.spare] {
            let sight = name_state(&folder, name)?;
            if sight != NameState::Nothing && (sight.is(self.before) || sight.is(self.after)) {
                self.put_away(disk, &folder, name)?;
            }
        }
        Ok(())
    }

    /// Brings what the system had to do in several steps to a state that one step could have left.
    fn complete_step(&self, disk: &impl Disk, folder: &Folder, beside: &Folder) -> io::Result<()> {
        let (Some(_), name) = (self.after, self.name()) else {
            return Ok(());
        };
        let target = name_state(folder, name)?;
        let staged = name_state(beside, &self.staged)?;
        let spare = name_state(beside, &self.spare)?;
        if self.before.is_none() {
            return if target.is(self.after) && staged.is(self.after) {
                disk.remove(beside, &self.staged)
            } else {
                Ok(())
            };
        }
        let rename = |from, to| disk.rename((folder, from), (folder, to));
        if !spare.is(self.before) {
            Ok(())
        } else if target == NameState::Nothing {
            rename(&self.spare, name)
        } else if target.is(self.before) || staged.is(self.before) {
            disk.remove(folder, &self.spare)
        } else if target.is(self.after) && staged == NameState::Nothing {
            rename(&self.spare, &self.staged)
        } else if target.is(self.after) && staged.is(self.after) {
            disk.remove(folder, &self.staged)?;
            rename(&self.spare, &self.staged)
        } else {
            Ok(())
        }
    }
}

impl NameState {
    /// Returns true if it is this version, where `None` is no file.
    fn is(self, version: Option<FileVersion>) -> bool {
        match self {
            Self::Nothing => version.is_none(),
            Self::File(found, _) => version == Some(found),
            Self::Other => false,
        }
    }

    fn stat(self) -> Option<NameStat> {
        match self {
            Self::File(_, stat) => Some(stat),
            Self::Nothing | Self::Other => None,
        }
    }
}

fn name_state(folder: &Folder, name: &Path) -> io::Result<NameState> {
    Ok(match folder.look(name)? {
        FoundName::Nothing => NameState::Nothing,
        // No commit has read or written one that large.
        FoundName::File(file) if file.stat.size > MOST_BYTES => NameState::Other,
        FoundName::File(mut file) => NameState::File(file.version()?, file.stat),
        FoundName::Link => match (folder.link_target(name)?, folder.stat(name)?) {
            (Some(target), Some(stat)) => NameState::File(FileVersion::of_link(&target), stat),
            (_, _) => NameState::Other,
        },
        FoundName::Folder => match folder.stat(name)? {
            Some(stat) => NameState::File(FileVersion::of_folder(), stat),
            None => NameState::Nothing,
        },
        FoundName::Special => NameState::Other,
    })
}

/// Reads a file of a folder; what is no file has no bytes.
fn file_bytes(folder: &Folder, name: &Path) -> io::Result<Vec<u8>> {
    match folder.look(name)? {
        FoundName::File(mut file) => file.read(),
        FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => {
            Ok(Vec::new())
        }
    }
}
