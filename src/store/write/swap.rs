//! One file on its way to its new state: checked, staged, placed, and then finished or taken back.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, CommitStep};
use super::disk::{Disk, StagedFile};
use super::metadata::KeptMetadata;
use super::plan::{NewBytes, NewFile, PlannedWrite};
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::{
    Folder, FoundName, NameKind, NameStat, OpenFolders, split,
};
use crate::store::folder::snapshot::{ContentHash, FileVersion, VersionKind};
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal::{FileRecord, ReplaceMethod};
use crate::store::state::pack::PackContent;
use crate::store::state::receipt::WrittenHashes;
use crate::store::tree::root::Root;
use crate::store::tree::symlinks::Admitted;

/// One file on its way to its new state.
#[derive(Debug)]
pub(in crate::store) struct Swap<'a> {
    pub(in crate::store) path: RepoPath,
    pub(in crate::store) target: RepoPath,
    /// The old version.
    pub(in crate::store) before: Option<FileVersion>,
    /// Its bytes, where they are in memory.
    bytes: Option<&'a [u8]>,
    /// The new version.
    pub(in crate::store) after: Option<FileVersion>,
    /// The new file to write; `None` if there is none, or if it was made by an interrupted commit.
    pub(in crate::store) new: Option<NewFile<'a>>,
    /// Its number in the batch.
    number: usize,
    /// The folder of the staged name and the spare name, where it is not the target's own.
    beside: Option<PathBuf>,
    /// The path in the history that the old file is moved to, if it is.
    pub(in crate::store) history: Option<PathBuf>,
    /// The name beside the target under which the new file is staged.
    pub(in crate::store) staged: PathBuf,
    /// The name beside the target under which a removed file is kept.
    pub(in crate::store) spare: PathBuf,
    /// The old file as it was checked; `None` if there is none.
    pub(in crate::store) old: Option<NameStat>,
    pub(in crate::store) way: ReplaceMethod,
    pub(in crate::store) progress: SwapProgress,
}

/// An old file as it was when it was compared with what was reviewed.
#[derive(Debug)]
pub(in crate::store) struct CheckedFile {
    stat: NameStat,
    /// Its bytes, if they were not in memory.
    bytes: Option<Vec<u8>>,
}

/// Progress of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum SwapProgress {
    Untouched,
    /// There may be a part of the new file beside the target.
    Staging,
    /// The new file is beside the target.
    Staged(StagedFile),
    /// The new file is in place where nothing was.
    Created(StagedFile),
    /// The new file is in place, and the old one has the staged name.
    Replaced(StagedFile),
    /// The old file has the spare name.
    Removed,
    /// The old file holds the new bytes, or a part of them, and these of its metadata.
    Overwritten(KeptMetadata),
}

impl<'a> Swap<'a> {
    /// A change that is not begun.
    pub(in crate::store) fn new(change: PlannedWrite<'a>, commit: BatchId, n: usize) -> Self {
        let after = change.after.as_ref().map(|new| new.version);
        let (staged, spare) = names_beside(commit, n);
        Self {
            path: change.path,
            target: change.target,
            before: change.before,
            bytes: change.bytes,
            after,
            new: change.after,
            number: n,
            beside: None,
            history: None,
            staged,
            spare,
            old: None,
            way: ReplaceMethod::Exchange,
            progress: SwapProgress::Untouched,
        }
    }

    /// A change that was begun by an interrupted commit. How far it is remains to be seen.
    pub(in crate::store) fn resumed(record: FileRecord, commit: BatchId, n: usize) -> Self {
        let (staged, spare) = names_beside(commit, n);
        Self {
            path: record.path,
            target: record.target,
            before: record.before,
            bytes: None,
            after: record.after,
            new: None,
            number: n,
            beside: None,
            history: None,
            staged,
            spare,
            old: None,
            way: record.way,
            progress: SwapProgress::Untouched,
        }
    }

    /// Returns its entry in the journal.
    pub(in crate::store) fn record(&self) -> FileRecord {
        FileRecord {
            path: self.path.clone(),
            target: self.target.clone(),
            before: self.before,
            mode: self.old.map(|old| old.mode),
            after: self.after,
            way: self.way,
        }
    }

    /// Returns true if there is a symbolic link or a folder before or after, and so nothing is followed.
    fn is_of_entry(&self) -> bool {
        let versions = [self.before, self.after];
        let mut versions = versions.iter().flatten();
        versions.any(|version| !version.kind.is_file())
    }

    /// Returns true if the batch makes or removes a folder of this name.
    fn makes_or_removes_folder(&self) -> bool {
        let is_folder =
            |version: Option<FileVersion>| version.is_some_and(|it| it.kind == VersionKind::Folder);
        is_folder(self.before) != is_folder(self.after)
    }

    /// The folder of the file.
    pub(in crate::store) fn folder(&self) -> &Path {
        split(&self.target).0
    }

    /// The folder of the staged name and of the spare name: the target's own, or the nearest above it that the batch
    /// neither makes nor removes.
    pub(in crate::store) fn staging_folder(&self) -> &Path {
        self.beside.as_deref().unwrap_or(self.folder())
    }

    /// The folders in which names change and that are there when all is in place.
    pub(in crate::store) fn folders(&self) -> impl Iterator<Item = &Path> {
        let own = self.after.is_some().then(|| self.folder());
        [self.staging_folder()].into_iter().chain(own)
    }

    /// The file's name in its folder.
    pub(in crate::store) fn name(&self) -> &Path {
        split(&self.target).1
    }

    /// The device that holds what was staged or found; `None` if there is neither.
    pub(in crate::store) fn device(&self) -> Option<u64> {
        match self.progress {
            SwapProgress::Staged(staged)
            | SwapProgress::Created(staged)
            | SwapProgress::Replaced(staged) => Some(staged.identity.device),
            SwapProgress::Untouched
            | SwapProgress::Staging
            | SwapProgress::Removed
            | SwapProgress::Overwritten(_) => self.old.map(|old| old.identity.device),
        }
    }

    /// Compares the file with what was reviewed, but for bytes that are in memory; returns it if it is there.
    pub(in crate::store) fn check(
        &self,
        root: &Root,
        folders: &mut OpenFolders<'_>,
        left: &BTreeSet<&Path>,
    ) -> Result<Option<CheckedFile>, CommitError> {
        let failed = |error| self.failed(CommitStep::Check, error);
        let admitted = match (&self.beside, self.before) {
            // Nothing can be there yet, whatever is in the place of its folder now.
            (Some(_), None) => {
                let admitted = root.admit_name(&self.path);
                return admitted.map(|()| None).map_err(|_| self.conflict());
            }
            (Some(_) | None, _) if self.is_of_entry() => {
                let admitted = root.admit_entry(folders, &self.path);
                admitted.map(|target| Admitted { target, stat: None })
            }
            (Some(_) | None, _) => root.admitted(folders, &self.path),
        };
        let moved = (admitted.as_ref()).map_or(true, |admitted| admitted.target != self.target);
        let stat = admitted.ok().and_then(|admitted| admitted.stat);
        // Bytes that are in memory are compared later: the file need not be opened for them.
        if let (false, Some(stat), Some(before), Some(_)) = (moved, stat, self.before, self.bytes)
            && stat.kind == NameKind::File
            && before.kind.is_file()
        {
            return self.checked(folders, stat, before, None).map(Some);
        }
        let found = match folders.look(&self.target) {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(CommitError::NotAFolder {
                    path: self.path.clone(),
                });
            }
            found => found.map_err(failed)?,
        };
        match (found, self.before) {
            (FoundName::Nothing, None) if !moved => Ok(None),
            (FoundName::Folder, Some(before)) if !moved && before.kind == VersionKind::Folder => {
                let folder = folders.get(self.target.as_path()).map_err(failed)?;
                let mut names = folder.names().map_err(failed)?.into_iter();
                let is_left = |name: &OsString| left.contains(&*self.target.as_path().join(name));
                if let Some(name) = names.find(|name| !is_left(name)) {
                    return Err(CommitError::NotEmpty {
                        path: self.path.clone(),
                        holds: name.to_string_lossy().into_owned(),
                    });
                }
                let folder = folders.get(self.folder()).map_err(failed)?;
                let stat = folder.stat(self.name()).map_err(failed)?;
                let bytes = Some(Vec::new());
                stat.map(|stat| Some(CheckedFile { stat, bytes }))
                    .ok_or_else(|| self.conflict())
            }
            (FoundName::Link, Some(before)) if !moved && before.kind == VersionKind::Link => {
                let folder = folders.get(self.folder()).map_err(failed)?;
                let stat = folder.stat(self.name()).map_err(failed)?;
                let target = folder.link_target(self.name()).map_err(failed)?;
                match (stat, target) {
                    (Some(stat), Some(target)) if FileVersion::of_link(&target) == before => {
                        Ok(Some(CheckedFile {
                            stat,
                            bytes: Some(target.into_bytes()),
                        }))
                    }
                    (_, _) => Err(self.conflict()),
                }
            }
            (FoundName::File(mut file), Some(before)) if !moved && before.kind.is_file() => {
                let bytes = file.read().map_err(failed)?;
                if ContentHash::of(&bytes) != before.hash {
                    return Err(self.conflict());
                }
                self.checked(folders, file.stat, before, Some(bytes))
                    .map(Some)
            }
            (
                FoundName::Nothing
                | FoundName::File(_)
                | FoundName::Folder
                | FoundName::Link
                | FoundName::Special,
                None | Some(_),
            ) => Err(self.conflict()),
        }
    }

    /// Compares the mode of a file with what was reviewed, and returns it if it may be written.
    fn checked(
        &self,
        folders: &mut OpenFolders<'_>,
        stat: NameStat,
        before: FileVersion,
        bytes: Option<Vec<u8>>,
    ) -> Result<CheckedFile, CommitError> {
        if stat.executable() != before.executable {
            return Err(self.conflict());
        }
        let folder = folders.get(self.folder());
        let folder = folder.map_err(|error| self.failed(CommitStep::Check, error))?;
        if !folder.may_write(self.name(), &stat) {
            return Err(CommitError::ReadOnly {
                path: self.path.clone(),
            });
        }
        Ok(CheckedFile { stat, bytes })
    }

    /// Compares the file with the bytes that are in memory, if any are.
    pub(in crate::store) fn compare(
        &self,
        folders: &mut OpenFolders<'_>,
    ) -> Result<(), CommitError> {
        let (Some(bytes), Some(old)) = (self.bytes, self.old) else {
            return Ok(());
        };
        let failed = |error| self.failed(CommitStep::Check, error);
        let found = folders.open(&self.target, &old);
        let same = match found.map_err(failed)? {
            FoundName::File(mut file) => file.stat == old && file.holds(bytes).map_err(failed)?,
            FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => false,
        };
        if same { Ok(()) } else { Err(self.conflict()) }
    }

    /// Notes the file as it was checked.
    pub(in crate::store) fn take(&mut self, checked: &CheckedFile) {
        if checked.stat.links > 1 && self.after.is_some() && !self.is_of_entry() {
            self.way = ReplaceMethod::Overwrite;
        }
        self.old = Some(checked.stat);
    }

    /// Notes that the old file is to be moved into the folder of the history, if there is one that gives up its name.
    pub(in crate::store) fn move_into(&mut self, folder: &Path) {
        let is_file = self.before.is_some_and(|before| before.kind.is_file());
        if is_file && self.way == ReplaceMethod::Exchange {
            self.history = Some(folder.join(self.number.to_string()));
        }
    }

    /// Clears a name beside the target: moves the old file into the history if that is agreed,
    /// and removes anything else.
    pub(in crate::store) fn put_away(
        &self,
        disk: &impl Disk,
        folder: &Folder,
        name: &Path,
    ) -> io::Result<()> {
        let has_old = match self.after {
            Some(_) => &self.staged,
            None => &self.spare,
        };
        match &self.history {
            Some(to) if name == has_old => disk.put_away(folder, name, to),
            Some(_) | None => disk.remove(folder, name),
        }
    }

    /// The old and the new contents as the history keeps them. Bytes that are taken over are kept with the file that they
    /// come from.
    pub(in crate::store) fn contents<'c>(
        &'c self,
        checked: Option<&'c CheckedFile>,
    ) -> impl Iterator<Item = PackContent<'c>> {
        let old_bytes = self.before.and_then(|before| {
            let bytes = checked?.bytes.as_deref().or(self.bytes)?;
            Some((before.hash, bytes))
        });
        let new = self.new.as_ref().and_then(|new| {
            let (hash, bytes) = (new.version.hash, new.bytes.as_ref()?);
            let spliced = old_bytes.and_then(|(of, old)| Some((of, bytes.splices(old)?)));
            Some(match (bytes, spliced) {
                (_, Some((of, text))) => PackContent::spliced(hash, of, text),
                (NewBytes::Whole(bytes), None) => PackContent::whole(hash, Cow::Borrowed(bytes)),
                (NewBytes::PieceTable(text), None) => {
                    PackContent::whole(hash, Cow::Owned(text.to_string().into_bytes()))
                }
            })
        });
        let old = match (&self.history, self.before, self.old) {
            (Some(_), Some(before), Some(old)) => {
                Some(PackContent::file(before.hash, self.number, old.size))
            }
            (Some(_) | None, _, _) => {
                old_bytes.map(|(hash, bytes)| PackContent::whole(hash, Cow::Borrowed(bytes)))
            }
        };
        old.into_iter().chain(new)
    }

    /// Returns its entry in the receipt.
    pub(in crate::store) fn written(&self) -> WrittenHashes {
        WrittenHashes {
            path: self.path.clone(),
            before: self.before.map(|version| version.hash),
            after: self.after.map(|version| version.hash),
        }
    }

    pub(in crate::store) fn failed(&self, step: CommitStep, source: io::Error) -> CommitError {
        CommitError::Failed {
            path: self.path.clone(),
            step,
            source,
        }
    }

    pub(in crate::store) fn conflict(&self) -> CommitError {
        CommitError::Conflict {
            paths: vec![self.path.clone()],
        }
    }
}

/// Lets what is below a folder that the batch makes or removes be staged, and kept, beside the outermost such folder.
pub(in crate::store) fn stage_outside(swaps: &mut [Swap<'_>]) {
    let unsteady = swaps.iter().filter(|swap| swap.makes_or_removes_folder());
    let unsteady: BTreeSet<PathBuf> = unsteady
        .map(|swap| swap.target.as_path().to_owned())
        .collect();
    if unsteady.is_empty() {
        return;
    }
    for swap in swaps {
        let above = swap.target.as_path().ancestors().skip(1);
        let outermost = above.filter(|above| unsteady.contains(*above)).last();
        swap.beside = outermost.and_then(Path::parent).map(Path::to_owned);
    }
}

/// The names beside a target that the n-th file of a commit uses.
fn names_beside(commit: BatchId, n: usize) -> (PathBuf, PathBuf) {
    (
        format!(".countersign-{commit}-{n}.new").into(),
        format!(".countersign-{commit}-{n}.old").into(),
    )
}
