//! The single steps that change the disk, behind a trait so that a test can make any of them fail.

use std::io;
use std::path::Path;

use super::metadata::KeptMetadata;
use super::plan::NewMode;
use crate::store::folder::folder_handle::{Folder, FoundFile, Identity, NameStat};
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal::{Order, Phase, Record};
use crate::store::state::pack;
use crate::store::state::pack::Pack;
use crate::store::state::state_folder::StateFolder;

/// The steps that a commit is made of. Every name is a single name in an open folder, and no step follows a link.
pub(in crate::store) trait Disk: Sync {
    /// Makes a folder.
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Removes a folder if it is empty.
    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Writes a new file and its metadata.
    fn stage(
        &self,
        at: &Folder,
        name: &Path,
        content: &StagedContent<'_>,
    ) -> io::Result<StagedFile>;
    /// Makes a symbolic link.
    fn stage_link(&self, at: &Folder, name: &Path, target: &Path) -> io::Result<StagedFile>;
    /// Makes a folder, to be renamed.
    fn stage_folder(&self, at: &Folder, name: &Path) -> io::Result<StagedFile>;
    /// Writes a file through to the disk.
    fn flush(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Writes everything on a folder's file system through to the disk.
    fn flush_all(&self, at: &Folder) -> io::Result<()>;
    /// Gives a file or folder another name, which nothing may have yet.
    fn rename(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()>;
    /// Gives a file a second name, which nothing may have yet.
    fn link(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()>;
    /// Gives a folder another name. An empty folder of that name is replaced, and nothing else.
    fn move_folder(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()>;
    /// Lets two files change names at once. `spare` is used on the way where the system cannot do it at once.
    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()>;
    /// Writes the bytes and the mode of one file into another, which stays the same file, through to the disk.
    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()>;
    /// Removes a file's name, or an empty folder.
    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()>;
    /// Moves a file out of the tree, to a path of the state.
    fn put_away(&self, at: &Folder, name: &Path, to: &Path) -> io::Result<()>;

    /// Writes a folder's names through to the disk.
    fn sync(&self, at: &Folder) -> io::Result<()>;

    /// See [`StateFolder::device_in_order`].
    fn device_in_order(&self, state: &StateFolder) -> Option<u64>;

    /// Begins the pack of a commit.
    fn pack(&self, state: &StateFolder, id: BatchId) -> io::Result<Pack>;
    /// Keeps a content in the pack.
    fn keep(&self, pack: &mut Pack, content: &pack::PackContent<'_>) -> io::Result<()>;
    /// Begins the journal.
    fn begin(&self, state: &StateFolder, record: &Record) -> io::Result<()>;
    /// Notes a phase in the journal.
    fn mark(&self, state: &StateFolder, phase: Phase) -> io::Result<()>;
    /// Ends the journal of a commit that was taken back.
    fn discard(&self, state: &StateFolder, id: BatchId) -> io::Result<()>;
    /// Ends the journal of a commit that is done.
    fn archive(&self, state: &StateFolder, id: BatchId, order: Order) -> io::Result<()>;
}

/// A single name in an open folder.
pub(in crate::store) type Name<'a> = (&'a Folder, &'a Path);

/// Content and metadata of a staged file.
#[derive(Debug)]
pub(in crate::store) struct StagedContent<'a> {
    /// The bytes, in parts that follow each other.
    pub(in crate::store) parts: &'a [&'a [u8]],
    pub(in crate::store) mode: NewMode,
    /// The file whose mode, owner and extended attributes it takes over.
    pub(in crate::store) like: Option<&'a FoundFile>,
}

/// A file that was written beside its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct StagedFile {
    pub(in crate::store) identity: Identity,
    pub(in crate::store) kept: KeptMetadata,
}

impl StagedFile {
    /// A staged file that was found again.
    pub(in crate::store) fn found(stat: NameStat) -> Self {
        Self {
            identity: stat.identity,
            kept: KeptMetadata::ALL,
        }
    }

    /// Returns true if a name still is the staged file.
    pub(in crate::store) fn is(&self, stat: Option<NameStat>) -> bool {
        stat.is_some_and(|stat| stat.identity == self.identity)
    }
}

/// Gives a file another name in two steps, or in none. A folder, which cannot have two names, is moved in one.
pub(in crate::store) fn rename_by_link(
    disk: &impl Disk,
    from: Name<'_>,
    to: Name<'_>,
) -> io::Result<()> {
    if from.0.is_folder(from.1) {
        return match to.0.stat(to.1)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => disk.move_folder(from, to),
        };
    }
    disk.link(from, to)?;
    if let Err(error) = disk.remove(from.0, from.1) {
        let identity =
            |name: Name<'_>| Ok::<_, io::Error>(name.0.stat(name.1)?.map(|stat| stat.identity));
        // Another program may have put a file of its own there meanwhile.
        if identity(to)? == identity(from)? {
            disk.remove(to.0, to.1)?;
        }
        return Err(error);
    }
    Ok(())
}

/// Lets two files change names in three steps, or in none.
pub(in crate::store) fn exchange_by_renames(
    disk: &impl Disk,
    at: &Folder,
    staged: &Path,
    target: &Path,
    spare: &Path,
) -> io::Result<()> {
    disk.rename((at, target), (at, spare))?;
    if let Err(error) = disk.rename((at, staged), (at, target)) {
        disk.rename((at, spare), (at, target))?;
        return Err(error);
    }
    if let Err(error) = disk.rename((at, spare), (at, staged)) {
        disk.rename((at, target), (at, staged))?;
        disk.rename((at, spare), (at, target))?;
        return Err(error);
    }
    Ok(())
}
