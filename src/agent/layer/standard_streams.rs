//! The standard streams of a command. A command can open a file or folder again by the handle that it inherits, for writing too,
//! whatever the handle is for (`/proc/self/fd/0`): it would reach the real tree.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{OFlags, fcntl_getfl};

/// A copy of the rest of the file that standard input is.
#[derive(Debug)]
pub(super) struct InputCopy {
    original: File,
    /// The position in the original at which the copy begins.
    start: u64,
    copy: File,
}

/// Gives a command its standard streams. Standard input that is a file is copied to a file without a name in `folder`; a folder,
/// and output that cannot be written, is replaced by nothing. Output to a file was opened for the command, and stays.
pub(super) fn pass(command: &mut Command, folder: &Path) -> io::Result<Option<InputCopy>> {
    if !is_kept(io::stdout().as_fd())? {
        command.stdout(Stdio::null());
    }
    if !is_kept(io::stderr().as_fd())? {
        command.stderr(Stdio::null());
    }
    let stdin = io::stdin();
    let input = File::from(stdin.as_fd().try_clone_to_owned()?);
    let meta = input.metadata()?;
    if meta.is_file() && access(stdin.as_fd())? != OFlags::WRONLY {
        let copied = InputCopy::of(input, folder)?;
        command.stdin(copied.copy.try_clone()?);
        return Ok(Some(copied));
    }
    if meta.is_dir() || meta.is_file() {
        command.stdin(Stdio::null());
    }
    Ok(None)
}

impl InputCopy {
    fn of(mut original: File, folder: &Path) -> io::Result<Self> {
        let path = folder.join("input");
        let mut options = File::options();
        let mut copy = (options.read(true).write(true).create(true).truncate(true)).open(&path)?;
        fs::remove_file(&path)?;
        let start = original.stream_position()?;
        io::copy(&mut original, &mut copy)?;
        copy.rewind()?;
        original.seek(SeekFrom::Start(start))?;
        Ok(Self {
            original,
            start,
            copy,
        })
    }

    /// Moves standard input to behind what the command has read of the copy, as if it had read the file itself.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let read = self.copy.stream_position()?;
        self.original.seek(SeekFrom::Start(self.start + read))?;
        Ok(())
    }
}

/// Returns whether a handle is for reading, writing or both.
fn access(stream: BorrowedFd<'_>) -> io::Result<OFlags> {
    Ok(fcntl_getfl(stream)? & OFlags::RWMODE)
}

/// Returns true if the command may have an output stream: one that is no folder, and no file that is open for reading.
fn is_kept(stream: BorrowedFd<'_>) -> io::Result<bool> {
    let meta = File::from(stream.try_clone_to_owned()?).metadata()?;
    Ok(!meta.is_dir() && (!meta.is_file() || access(stream)? != OFlags::RDONLY))
}
