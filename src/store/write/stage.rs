//! Writing a new file beside its target, so that all that can fail has been done before any file is changed.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::commit_error::{CommitError, CommitStep};
use super::disk::{Disk, StagedContent};
use super::plan::{NewBytes, NewMode};
use super::swap::{Swap, SwapProgress};
use crate::store::folder::folder_handle::{Folder, FoundFile, FoundName, OpenFolders};
use crate::store::folder::snapshot::{ContentHash, VersionKind};
use crate::store::state::journal::ReplaceMethod;

impl Swap<'_> {
    /// Writes the new file beside its target.
    pub(in crate::store) fn stage(
        &mut self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> Result<(), CommitError> {
        let Some(new) = &self.new else {
            return Ok(());
        };
        let failed = |error| self.failed(CommitStep::Stage, error);
        let target = match (new.version.kind, &new.bytes) {
            (VersionKind::File, _) => None,
            (VersionKind::Link | VersionKind::Folder, bytes) => {
                let parts = bytes.iter().flat_map(NewBytes::parts);
                Some(parts.flatten().copied().collect::<Vec<u8>>())
            }
        };
        if let Some(target) = target {
            let is_link = new.version.kind == VersionKind::Link;
            let folder = folders.get(self.staging_folder()).map_err(failed)?;
            self.progress = SwapProgress::Staging;
            let staged = if is_link {
                disk.stage_link(&folder, &self.staged, OsStr::from_bytes(&target).as_ref())
            } else {
                disk.stage_folder(&folder, &self.staged)
            };
            let staged = staged.map_err(|error| self.failed(CommitStep::Stage, error))?;
            self.progress = SwapProgress::Staged(staged);
            return Ok(());
        }
        let mut model = match &new.like {
            None => None,
            Some(like) => match folders.look(like).map_err(failed)? {
                FoundName::File(file) => Some(file),
                FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => {
                    return Err(self.conflict());
                }
            },
        };
        let taken_over = match (&new.bytes, &mut model) {
            (Some(_), _) | (None, None) => None,
            (None, Some(model)) => Some(model.read().map_err(failed)?),
        };
        if let Some(bytes) = &taken_over
            && ContentHash::of(bytes) != new.version.hash
        {
            return Err(self.conflict());
        }
        let parts: Vec<&[u8]> = match (&new.bytes, &taken_over) {
            (Some(bytes), _) => bytes.parts().collect(),
            (None, taken_over) => taken_over.iter().map(Vec::as_slice).collect(),
        };
        let content = StagedContent {
            parts: &parts,
            mode: new.mode,
            like: model.as_ref(),
        };
        let folder = folders.get(self.staging_folder()).map_err(failed)?;
        let copied = match self.way {
            ReplaceMethod::Exchange => None,
            ReplaceMethod::Overwrite => Some(self.old_file(&folder)?),
        };
        self.progress = SwapProgress::Staging;
        if let Some((old, bytes)) = copied {
            let copy = StagedContent {
                parts: &[&bytes],
                mode: NewMode::Keep,
                like: Some(&old),
            };
            disk.stage(&folder, &self.spare, &copy)
                .map_err(|error| self.failed(CommitStep::Stage, error))?;
        }
        let staged = disk
            .stage(&folder, &self.staged, &content)
            .map_err(|error| self.failed(CommitStep::Stage, error))?;
        self.progress = SwapProgress::Staged(staged);
        Ok(())
    }

    /// Writes what was staged through to the disk. This is done when all is staged, so that the disk can do it together.
    pub(in crate::store) fn flush(
        &self,
        disk: &impl Disk,
        folders: &mut OpenFolders<'_>,
    ) -> Result<(), CommitError> {
        // A link and a folder have no data of their own: they are written through with the folder they are in.
        if self.after.is_none_or(|after| !after.kind.is_file()) {
            return Ok(());
        }
        let copy = match self.way {
            ReplaceMethod::Exchange => None,
            ReplaceMethod::Overwrite => Some(&self.spare),
        };
        for name in [&self.staged].into_iter().chain(copy) {
            folders
                .get(self.staging_folder())
                .and_then(|folder| disk.flush(&folder, name))
                .map_err(|error| self.failed(CommitStep::Stage, error))?;
        }
        Ok(())
    }

    /// The old file with its bytes, if it still is as it was checked.
    fn old_file(&self, folder: &Folder) -> Result<(FoundFile, Vec<u8>), CommitError> {
        let failed = |error| self.failed(CommitStep::Stage, error);
        match folder.look(self.name()).map_err(failed)? {
            FoundName::File(mut file) if Some(file.stat) == self.old => {
                let bytes = file.read().map_err(failed)?;
                Ok((file, bytes))
            }
            FoundName::Nothing
            | FoundName::File(_)
            | FoundName::Folder
            | FoundName::Link
            | FoundName::Special => Err(self.conflict()),
        }
    }
}
