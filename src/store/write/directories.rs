//! Creates the folders that new files need, and removes those that removals empty.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::commit_error::{CommitError, CommitStep};
use super::disk::Disk;
use super::swap::Swap;
use crate::store::folder::folder_handle::OpenFolders;

/// Returns the missing folders that new files need, each with the first file in it. In the order of their paths, so that a
/// folder comes before those in it.
pub(in crate::store) fn missing_folders(
    swaps: &[Swap<'_>],
    folders: &mut OpenFolders<'_>,
) -> Result<BTreeMap<PathBuf, usize>, CommitError> {
    let mut missing = BTreeMap::new();
    for (n, swap) in swaps.iter().enumerate() {
        if swap.before.is_some() || swap.after.is_none() {
            continue;
        }
        for path in swap.staging_folder().ancestors() {
            if missing.contains_key(path) {
                break;
            }
            match folders.get(path) {
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    missing.insert(path.to_owned(), n);
                }
                Err(error) => return Err(swap.failed(CommitStep::MakeFolder, error)),
            }
        }
    }
    Ok(missing)
}

/// Makes a folder. Returns true if it was not there before.
pub(in crate::store) fn make_folder(
    disk: &impl Disk,
    folders: &mut OpenFolders<'_>,
    path: &Path,
) -> io::Result<bool> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(false);
    };
    let parent = folders.get(parent)?;
    match disk.make_folder(&parent, Path::new(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a folder and those above it as long as they are empty.
pub(in crate::store) fn remove_emptied(
    disk: &impl Disk,
    folders: &mut OpenFolders<'_>,
    path: &Path,
) -> io::Result<()> {
    for path in path.ancestors().filter(|path| path.file_name().is_some()) {
        match remove_folder(disk, folders, path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => break,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            result => result?,
        }
    }
    Ok(())
}

/// Removes a folder if it is empty; never the root.
pub(in crate::store) fn remove_folder(
    disk: &impl Disk,
    folders: &mut OpenFolders<'_>,
    path: &Path,
) -> io::Result<()> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => {
            let parent = folders.get(parent)?;
            disk.remove_folder(&parent, Path::new(name))
        }
        (None, _) | (_, None) => Err(io::ErrorKind::InvalidInput.into()),
    }
}
