//! What a new file takes over from the one whose place it takes: owner, mode and extended attributes.

use std::fs::File;
use std::io;

use rustix::fs::Mode;
use rustix::io::Errno;
use xattr::FileExt;

use super::folder::{FoundFile, Stat};
use super::plan::NewMode;

/// Gives a new file the metadata of another, as far as the user is permitted to. Tells whether the owner was kept.
pub(super) fn take_over(file: &File, model: &FoundFile, mode: NewMode) -> io::Result<bool> {
    let FoundFile { file: model, stat } = model;
    let owner_kept = keep_owner(file, stat)?;
    let mode = match mode {
        NewMode::Keep => stat.mode,
        NewMode::Exactly(mode) => mode,
        NewMode::Executable(false) => stat.mode & !0o111,
        // Whoever may read it may execute it.
        NewMode::Executable(true) => stat.mode | ((stat.mode & 0o444) >> 2),
    };
    rustix::fs::fchmod(file, Mode::from_raw_mode(mode))?;
    let names = match model.list_xattr() {
        Ok(names) => names,
        Err(error) if is_refusal(&error) => return Ok(owner_kept),
        Err(error) => return Err(error),
    };
    for name in names {
        let Some(value) = model.get_xattr(&name)? else {
            continue;
        };
        match file.set_xattr(&name, &value) {
            Err(error) if !is_refusal(&error) => return Err(error),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(owner_kept)
}

fn keep_owner(file: &File, stat: &Stat) -> io::Result<bool> {
    let (user, group) = stat.owner;
    let new = Stat::from(rustix::fs::fstat(file)?);
    if new.owner == stat.owner {
        return Ok(true);
    }
    let group = Some(rustix::fs::Gid::from_raw(group));
    let user = Some(rustix::fs::Uid::from_raw(user));
    match rustix::fs::fchown(file, user, group) {
        Ok(()) => Ok(true),
        // The group alone may still be within the user's rights.
        Err(Errno::PERM) => match rustix::fs::fchown(file, None, group) {
            Ok(()) | Err(Errno::PERM) => Ok(false),
            Err(errno) => Err(errno.into()),
        },
        Err(errno) => Err(errno.into()),
    }
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported
    )
}
