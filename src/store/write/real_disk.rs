//! The disk itself: each step as one call of the system where there is one.

use std::fs::{DirBuilder, File};
use std::io::{self, IoSlice, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::disk::{Disk, Name, StagedContent, StagedFile, exchange_by_renames, rename_by_link};
use super::metadata::{KeptMetadata, bits, set_mode, take_over};
use super::plan::NewMode;
use crate::store::folder::folder_handle::{Folder, FoundName, NameStat};
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal;
use crate::store::state::journal::{Order, Phase, Record};
use crate::store::state::pack;
use crate::store::state::pack::Pack;
use crate::store::state::state_folder::StateFolder;

/// The disk itself.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct RealDisk;

impl Disk for RealDisk {
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(at, name, bits(0o777))?)
    }

    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(at, name, AtFlags::REMOVEDIR)?)
    }

    fn stage(
        &self,
        at: &Folder,
        name: &Path,
        content: &StagedContent<'_>,
    ) -> io::Result<StagedFile> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = match (&content.like, content.mode) {
            (Some(_), _) | (None, NewMode::Exactly(_)) => 0o600,
            (None, NewMode::Executable(true)) => 0o777,
            (None, NewMode::Executable(false) | NewMode::Keep) => 0o666,
        };
        let file: File = rustix::fs::openat(at, name, flags, bits(mode))?.into();
        begin_writing_when_closed(&file);
        write_parts(&file, content.parts)?;
        let kept = match &content.like {
            Some(model) => take_over(&file, model, content.mode)?,
            None => KeptMetadata::ALL,
        };
        if let NewMode::Exactly(mode) = content.mode {
            set_mode(&file, mode)?;
        }
        let identity = NameStat::from(rustix::fs::fstat(&file)?).identity;
        Ok(StagedFile { identity, kept })
    }

    fn stage_link(&self, at: &Folder, name: &Path, target: &Path) -> io::Result<StagedFile> {
        rustix::fs::symlinkat(target, at, name)?;
        let stat = at.stat(name)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(StagedFile::found(stat))
    }

    fn flush(&self, at: &Folder, name: &Path) -> io::Result<()> {
        match at.look(name)? {
            FoundName::File(found) => found.file.sync_all(),
            FoundName::Nothing | FoundName::Folder | FoundName::Link | FoundName::Special => {
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }

    fn flush_all(&self, at: &Folder) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        return Ok(rustix::fs::syncfs(at.readable()?)?);
        #[cfg(not(target_os = "linux"))]
        {
            let _ = at;
            rustix::fs::sync();
            Ok(())
        }
    }

    fn stage_folder(&self, at: &Folder, name: &Path) -> io::Result<StagedFile> {
        rustix::fs::mkdirat(at, name, bits(0o777))?;
        let stat = at.stat(name)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(StagedFile::found(stat))
    }

    fn rename(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        match rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE) {
            Err(errno) if is_unsupported(errno) => rename_by_link(self, from, to),
            result => Ok(result?),
        }
    }

    fn link(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        Ok(rustix::fs::linkat(
            from.0,
            from.1,
            to.0,
            to.1,
            AtFlags::empty(),
        )?)
    }

    fn move_folder(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        Ok(rustix::fs::renameat(from.0, from.1, to.0, to.1)?)
    }

    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()> {
        match rustix::fs::renameat_with(at, staged, at, target, RenameFlags::EXCHANGE) {
            Err(errno) if is_unsupported(errno) => {
                exchange_by_renames(self, at, staged, target, spare)
            }
            result => Ok(result?),
        }
    }

    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()> {
        let FoundName::File(mut source) = at.look(from)? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let bytes = source.read()?;
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file: File = rustix::fs::openat(at, target, flags, Mode::empty())?.into();
        // In this order a part of it can be distinguished from any other change: new bytes, then old ones.
        file.write_all(&bytes)?;
        file.set_len(bytes.len() as u64)?;
        if NameStat::from(rustix::fs::fstat(&file)?).mode != source.stat.mode {
            set_mode(&file, source.stat.mode)?;
        }
        file.sync_all()
    }

    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()> {
        match rustix::fs::unlinkat(at, name, AtFlags::empty()) {
            // Linux answers with the one, other systems with the other.
            Err(Errno::ISDIR | Errno::PERM) if at.is_folder(name) => self.remove_folder(at, name),
            result => Ok(result?),
        }
    }

    fn put_away(&self, at: &Folder, name: &Path, to: &Path) -> io::Result<()> {
        let rename = || rustix::fs::renameat(at, name, CWD, to);
        if rename().is_ok() {
            return Ok(());
        }
        let FoundName::File(mut file) = at.look(name)? else {
            return Err(io::ErrorKind::NotFound.into());
        };
        if let Some(folder) = to.parent() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        if rename().is_ok() {
            return Ok(());
        }
        // Another mount, or a system that lets nothing be renamed from here to there: then it goes there as a copy.
        let mut options = File::options();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(to)?.write_all(&file.read()?)?;
        self.remove(at, name)
    }

    fn sync(&self, at: &Folder) -> io::Result<()> {
        match rustix::fs::fsync(at.readable()?) {
            // Some file systems have nothing to write through for a folder.
            Err(Errno::INVAL) => Ok(()),
            result => Ok(result?),
        }
    }

    fn device_in_order(&self, state: &StateFolder) -> Option<u64> {
        state.device_in_order()
    }

    fn pack(&self, state: &StateFolder, id: BatchId) -> io::Result<Pack> {
        Pack::create(state, id)
    }

    fn keep(&self, pack: &mut Pack, content: &pack::PackContent<'_>) -> io::Result<()> {
        pack.add(content)
    }

    fn begin(&self, state: &StateFolder, record: &Record) -> io::Result<()> {
        journal::begin(state, record)
    }

    fn mark(&self, state: &StateFolder, phase: Phase) -> io::Result<()> {
        journal::mark(state, phase)
    }

    fn discard(&self, state: &StateFolder, id: BatchId) -> io::Result<()> {
        journal::discard(state, id)
    }

    fn archive(&self, state: &StateFolder, id: BatchId, order: Order) -> io::Result<()> {
        journal::archive(state, id, order)
    }
}

/// Lets the disk begin with a new file as soon as it is closed, so that little is left to wait for when it is written
/// through: ext4, XFS and btrfs do so with a file that was emptied. Elsewhere it has no effect.
fn begin_writing_when_closed(file: &File) {
    let _: io::Result<()> = file.set_len(0);
}

/// Writes parts one after the other, as many at once as the system takes.
fn write_parts(mut file: &File, parts: &[&[u8]]) -> io::Result<()> {
    let mut parts: Vec<IoSlice<'_>> = (parts.iter())
        .filter(|part| !part.is_empty())
        .map(|part| IoSlice::new(part))
        .collect();
    let mut left = parts.as_mut_slice();
    while !left.is_empty() {
        match file.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut left, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_unsupported(errno: Errno) -> bool {
    matches!(errno, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cap_std::ambient_authority;
    use cap_std::fs::Dir;

    use super::*;

    #[test]
    fn parts_are_written_one_after_the_other() {
        let text: Vec<u8> = (0..=255).cycle().take(300_000).collect();
        for size in [1, 7, 100, 70_000, 300_000] {
            let mut parts: Vec<&[u8]> = text.chunks(size).collect();
            parts.insert(parts.len() / 2, &[]);
            let file = tempfile::NamedTempFile::new().unwrap();
            write_parts(file.as_file(), &parts).unwrap();
            assert!(fs::read(file.path()).unwrap() == text, "in parts of {size}");
        }
    }

    #[test]
    fn a_file_that_is_written_in_place_gets_the_bytes_and_the_mode() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let temp = tempfile::tempdir().unwrap();
        let [target, from] = ["target", "from"].map(|name| temp.path().join(name));
        for (mode, text) in [
            (0o755, "longer than before\n"),
            (0o600, "\n"),
            (0o600, "a\n"),
        ] {
            if !target.exists() {
                fs::write(&target, "before\n").unwrap();
            }
            fs::write(&from, text).unwrap();
            fs::set_permissions(&from, fs::Permissions::from_mode(mode)).unwrap();
            let before = fs::metadata(&target).unwrap().ino();
            let dir = Dir::open_ambient_dir(temp.path(), ambient_authority()).unwrap();
            let folder = Folder::open(&dir, Path::new("")).unwrap();
            RealDisk
                .overwrite(&folder, Path::new("target"), Path::new("from"))
                .unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            let after = fs::metadata(&target).unwrap();
            assert_eq!((after.ino(), after.mode() & 0o777), (before, mode));
        }
    }

    #[test]
    fn what_cannot_be_renamed_to_its_place_is_put_away_as_a_copy() {
        let temp = tempfile::tempdir().unwrap();
        fs::write(temp.path().join("file"), "old\n").unwrap();
        let dir = Dir::open_ambient_dir(temp.path(), ambient_authority()).unwrap();
        let folder = Folder::open(&dir, Path::new("")).unwrap();
        let put_away = |to: &Path| RealDisk.put_away(&folder, Path::new("file"), to);

        put_away(&temp.path().join("file/0")).unwrap_err();
        assert!(temp.path().join("file").exists());
        // A file system of its own on every Linux.
        let memory = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .unwrap();
        let to = memory.path().join("commit/0");
        put_away(&to).unwrap();
        assert_eq!(fs::read(to).unwrap(), b"old\n");
        let error = put_away(&memory.path().join("commit/1")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "it is gone");
    }
}
