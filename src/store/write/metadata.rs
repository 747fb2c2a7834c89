//! Metadata that a new file takes over from the old one: owner, mode and extended attributes.
//!
//! The privileges of a program (set-user-ID, set-group-ID, capabilities) are not among them: they were given to the old
//! content, and the kernel takes them away at any write as well.

use std::fs::File;
use std::io;

use rustix::fs::Mode;
use rustix::io::Errno;
use xattr::FileExt;

use super::plan::NewMode;
use crate::store::folder::folder_handle::{FoundFile, NameStat};

/// The bits that make a program run as its owner or group.
const PRIVILEGES: u32 = 0o6000;
/// The attribute that gives a program a part of the superuser's rights.
const CAPABILITIES: &str = "security.capability";

/// Metadata that a new file has from the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct KeptMetadata {
    /// True if owner and group are the same.
    pub(in crate::store) owner: bool,
    /// True if the old file gave a program no rights of its owner, its group or the superuser. A new text gets none.
    pub(in crate::store) privileges: bool,
}

impl KeptMetadata {
    /// That of a file that takes nothing over.
    pub(in crate::store) const ALL: Self = Self {
        owner: true,
        privileges: true,
    };
}

/// Gives a new file the metadata of another, as far as the user is permitted to.
pub(in crate::store) fn take_over(
    file: &File,
    model: &FoundFile,
    mode: NewMode,
) -> io::Result<KeptMetadata> {
    let FoundFile { file: model, stat } = model;
    let mut kept = KeptMetadata {
        owner: keep_owner(file, stat)?,
        privileges: stat.mode & PRIVILEGES == 0,
    };
    let mode = match mode {
        NewMode::Keep => stat.mode,
        NewMode::Exactly(mode) => mode,
        NewMode::Executable(false) => stat.mode & !0o111,
        // Whoever may read it may execute it.
        NewMode::Executable(true) => stat.mode | ((stat.mode & 0o444) >> 2),
    };
    set_mode(file, mode)?;
    let names = match model.list_xattr() {
        Ok(names) => names,
        Err(error) if is_refusal(&error) => return Ok(kept),
        Err(error) => return Err(error),
    };
    for name in names {
        if name == CAPABILITIES {
            kept.privileges = false;
            continue;
        }
        let Some(value) = model.get_xattr(&name)? else {
            continue;
        };
        match file.set_xattr(&name, &value) {
            Err(error) if !is_refusal(&error) => return Err(error),
            Ok(()) | Err(_) => (),
        }
    }
    Ok(kept)
}

/// Sets the permissions of a new file.
pub(in crate::store) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    Ok(rustix::fs::fchmod(file, bits(mode & !PRIVILEGES))?)
}

/// Permissions as the system takes them, which has a narrower type for them on some systems.
#[allow(clippy::cast_possible_truncation, reason = "they have 12 bits")]
pub(in crate::store) fn bits(mode: u32) -> Mode {
    Mode::from_raw_mode(mode as rustix::fs::RawMode)
}

fn keep_owner(file: &File, stat: &NameStat) -> io::Result<bool> {
    let (user, group) = stat.owner;
    let new = NameStat::from(rustix::fs::fstat(file)?);
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
