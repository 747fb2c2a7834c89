//! The difference between a layer and its root, read from the layer alone: the cost grows with what was changed and not with
//! the tree.
//!
//! In the upper folder of an overlay a file or folder is itself, a device 0/0 or the attribute `overlay.whiteout` is a name
//! that was removed, and the attribute `overlay.opaque` is a folder that hides the lower one (kernel documentation,
//! `filesystems/overlayfs.rst`).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::ignored::Ignored;
use super::stat::Stat;
use super::{Layer, LayerKind, LayerRecord};

/// The attribute of a removed name, as overlayfs writes it for ordinary users and for root.
const WHITEOUT: [&str; 2] = ["user.overlay.whiteout", "trusted.overlay.whiteout"];
/// The attribute of a folder that hides the lower one.
const OPAQUE: [&str; 2] = ["user.overlay.opaque", "trusted.overlay.opaque"];

/// A name that the layer changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LayerEntry {
    /// The name, relative to the root.
    pub(crate) path: PathBuf,
    /// The kind of entry.
    pub(crate) kind: EntryKind,
}

/// The kinds of entries in a layer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link and its target.
    Link(PathBuf),
    /// A folder where the root has none: nothing, or a file or a link.
    Folder,
    /// Nothing: the name was removed.
    Removed,
    /// A device, a pipe or a socket.
    Special,
}

/// Everything that a layer changes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LayerDiff {
    /// The names that are not ignored, in order.
    pub(crate) entries: Vec<LayerEntry>,
    /// The ignored names; of an ignored folder only the folder itself.
    pub(crate) ignored: Vec<PathBuf>,
    /// The folders of git below the top, which are never reviewed.
    pub(crate) git: Vec<PathBuf>,
    /// The names that cannot be read.
    pub(crate) unreadable: Vec<PathBuf>,
}

impl Layer {
    /// Lists everything that the layer changes. `.git` is left out, at the top and in every folder.
    pub(crate) fn changes(&self, about: &LayerRecord) -> io::Result<LayerDiff> {
        let mut changes = LayerDiff::default();
        match about.kind {
            LayerKind::Overlay => {
                let walk = Walk {
                    upper: &self.upper(),
                    root: &about.root,
                    since: None,
                };
                walk.folder(
                    Path::new(""),
                    &Ignored::of(&about.root),
                    false,
                    &mut changes,
                )?;
            }
            LayerKind::Copy => {
                let copy = self.copy_of(&about.root);
                let walk = Walk {
                    upper: &copy,
                    root: &about.root,
                    since: Some(self.copied()?),
                };
                let ignored = Ignored::of(&copy);
                walk.folder(Path::new(""), &ignored, false, &mut changes)?;
                walk.missing(Path::new(""), &ignored, &mut changes)?;
            }
        }
        // The folders that were written directly are no part of the layer.
        let is_through = |path: &Path| about.through.iter().any(|folder| path.starts_with(folder));
        let (content, emptied) = (self.content(about), self.emptied()?);
        changes
            .entries
            .retain(|entry| !is_through(&entry.path) && !emptied.holds(&content, &entry.path));
        changes.ignored.retain(|path| !is_through(path));
        changes.entries.sort();
        changes.entries.dedup();
        changes.unreadable.sort();
        changes.unreadable.dedup();
        Ok(changes)
    }

    /// The folder that holds the layer's version of a changed file.
    pub(crate) fn content(&self, about: &LayerRecord) -> PathBuf {
        match about.kind {
            LayerKind::Overlay => self.upper(),
            LayerKind::Copy => self.copy_of(&about.root),
        }
    }

    /// Looks one name up that [`Layer::changes`] may have left out as ignored.
    pub(crate) fn entry(&self, about: &LayerRecord, path: &Path) -> io::Result<Option<LayerEntry>> {
        let content = self.content(about);
        let removed = LayerEntry {
            path: path.to_owned(),
            kind: EntryKind::Removed,
        };
        let mut hidden = false;
        let mut at = content.clone();
        for part in path.parent().into_iter().flat_map(Path::components) {
            at.push(part);
            match fs::symlink_metadata(&at) {
                Ok(meta) if is_whiteout(&at, &meta) => return Ok(Some(removed)),
                Ok(meta) if meta.is_dir() => hidden |= is_opaque(&at),
                Ok(_) => return Ok(Some(removed)),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    let is_removed = hidden || about.kind == LayerKind::Copy;
                    return Ok(is_removed.then_some(removed));
                }
                // It was noted as unreadable.
                Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let at = content.join(path);
        match fs::symlink_metadata(&at) {
            Ok(meta) => Ok(Some(LayerEntry {
                path: path.to_owned(),
                kind: kind_of(&at, &meta)?,
            })),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let is_removed = hidden || about.kind == LayerKind::Copy;
                Ok(is_removed.then_some(removed))
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A walk through a layer.
#[derive(Clone, Copy)]
struct Walk<'a> {
    upper: &'a Path,
    root: &'a Path,
    /// In a copy: files that were changed before this time are as they were copied.
    since: Option<(i64, u64)>,
}

impl Walk<'_> {
    /// The walk through a folder. In a copy, files of one that was moved are older than the move.
    fn within(self, folder: &Metadata) -> Self {
        let changed = Stat::from(folder).changed;
        let is_changed = self.since.is_some_and(|since| changed >= since);
        Self {
            since: if is_changed {
                Some((i64::MIN, 0))
            } else {
                self.since
            },
            ..self
        }
    }

    /// Lists one folder and those in it. `is_alone` says that nothing of the root shows through it.
    fn folder(
        &self,
        at: &Path,
        ignored: &Ignored,
        is_alone: bool,
        changes: &mut LayerDiff,
    ) -> io::Result<()> {
        let here = self.upper.join(at);
        let ignored = ignored.within(at, &here, &self.root.join(at));
        let mut names = BTreeSet::new();
        let Some(listed) = readable(at, fs::read_dir(&here), changes)? else {
            return Ok(());
        };
        for entry in listed {
            let name = entry?.file_name();
            let path = at.join(&name);
            names.insert(name.clone());
            if is_git(&name) {
                if !at.as_os_str().is_empty() {
                    changes.git.push(path);
                }
                continue;
            }
            let full = here.join(&name);
            let Some(meta) = readable(&path, fs::symlink_metadata(&full), changes)? else {
                continue;
            };
            let kind = kind_of(&full, &meta)?;
            let root_meta = fs::symlink_metadata(self.root.join(&path)).ok();
            let was_folder = root_meta.as_ref().is_some_and(Metadata::is_dir);
            let is_folder = kind == EntryKind::Folder || kind == EntryKind::Removed && was_folder;
            if ignored.matches(&path, is_folder) {
                changes.ignored.push(path);
                continue;
            }
            match kind {
                EntryKind::Folder => {
                    let hides = is_opaque(&full) && was_folder;
                    let is_as_copied =
                        (self.since).is_some_and(|since| Stat::from(&meta).changed < since);
                    if !was_folder && !is_as_copied {
                        push(changes, path.clone(), EntryKind::Folder);
                    }
                    let within = self.within(&meta);
                    within.folder(&path, &ignored, is_alone || hides, changes)?;
                }
                EntryKind::Removed => match root_meta {
                    Some(_) if was_folder => self.removed(&path, &ignored, changes)?,
                    Some(_) => push(changes, path, EntryKind::Removed),
                    None => (),
                },
                EntryKind::File | EntryKind::Link(_) | EntryKind::Special => {
                    let is_as_copied =
                        (self.since).is_some_and(|since| Stat::from(&meta).changed < since);
                    if was_folder {
                        self.removed(&path, &ignored, changes)?;
                    }
                    if !is_as_copied {
                        push(changes, path, kind);
                    }
                }
            }
        }
        if is_alone {
            self.hidden(at, &names, &ignored, changes)?;
        }
        Ok(())
    }

    /// Lists what an opaque folder hides of the root.
    fn hidden(
        &self,
        at: &Path,
        names: &BTreeSet<std::ffi::OsString>,
        ignored: &Ignored,
        changes: &mut LayerDiff,
    ) -> io::Result<()> {
        let listed = match fs::read_dir(self.root.join(at)) {
            Err(error) if is_absent(&error) => return Ok(()),
            listed => readable(at, listed, changes)?,
        };
        for entry in listed.into_iter().flatten() {
            let entry = entry?;
            let path = at.join(entry.file_name());
            if names.contains(&entry.file_name()) || is_git(&entry.file_name()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                self.removed(&path, ignored, changes)?;
            } else if !ignored.matches(&path, false) {
                push(changes, path, EntryKind::Removed);
            }
        }
        Ok(())
    }

    /// Lists every file of a folder of the root that the layer has removed, and every empty folder in it.
    fn removed(&self, at: &Path, ignored: &Ignored, changes: &mut LayerDiff) -> io::Result<()> {
        if ignored.matches(at, true) {
            changes.ignored.push(at.to_owned());
            return Ok(());
        }
        let folder = self.root.join(at);
        let ignored = ignored.within(at, &folder, &folder);
        let mut is_empty = true;
        let Some(listed) = readable(at, fs::read_dir(&folder), changes)? else {
            return Ok(());
        };
        for entry in listed {
            let entry = entry?;
            is_empty = false;
            let path = at.join(entry.file_name());
            if is_git(&entry.file_name()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                self.removed(&path, &ignored, changes)?;
            } else if !ignored.matches(&path, false) {
                push(changes, path, EntryKind::Removed);
            }
        }
        if is_empty {
            push(changes, at.to_owned(), EntryKind::Removed);
        }
        Ok(())
    }

    /// Lists every file of the root that a copy of it does not have.
    fn missing(&self, at: &Path, ignored: &Ignored, changes: &mut LayerDiff) -> io::Result<()> {
        let ignored = ignored.within(at, &self.upper.join(at), &self.root.join(at));
        let Some(listed) = readable(at, fs::read_dir(self.root.join(at)), changes)? else {
            return Ok(());
        };
        for entry in listed {
            let entry = entry?;
            let path = at.join(entry.file_name());
            if is_git(&entry.file_name()) {
                continue;
            }
            let is_folder = entry.file_type()?.is_dir();
            if ignored.matches(&path, is_folder) {
                continue;
            }
            let copied = fs::symlink_metadata(self.upper.join(&path));
            match (copied, is_folder) {
                (Ok(meta), true) if meta.is_dir() => self.missing(&path, &ignored, changes)?,
                (Ok(_), _) => (),
                (Err(error), true) if is_absent(&error) => {
                    self.removed(&path, &ignored, changes)?;
                }
                (Err(error), false) if is_absent(&error) => {
                    push(changes, path, EntryKind::Removed);
                }
                (Err(error), _) => {
                    readable::<()>(&path, Err(error), changes)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns true for the name of git's own folder.
fn is_git(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// Notes a name that the user has no permission to read, and returns `None` for it.
fn readable<T>(path: &Path, read: io::Result<T>, changes: &mut LayerDiff) -> io::Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            let top = path.as_os_str().is_empty();
            let path = if top { Path::new(".") } else { path };
            changes.unreadable.push(path.to_owned());
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn push(changes: &mut LayerDiff, path: PathBuf, kind: EntryKind) {
    changes.entries.push(LayerEntry { path, kind });
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Finds out what a name of the layer is.
fn kind_of(path: &Path, meta: &Metadata) -> io::Result<EntryKind> {
    let kind = meta.file_type();
    Ok(if is_whiteout(path, meta) {
        EntryKind::Removed
    } else if kind.is_dir() {
        EntryKind::Folder
    } else if kind.is_symlink() {
        EntryKind::Link(fs::read_link(path)?)
    } else if kind.is_file() {
        EntryKind::File
    } else {
        EntryKind::Special
    })
}

/// Returns true if a name of the upper folder marks a removed file.
pub(super) fn is_whiteout(path: &Path, meta: &Metadata) -> bool {
    let kind = meta.file_type();
    if kind.is_char_device() {
        return meta.rdev() == 0;
    }
    kind.is_file() && meta.len() == 0 && has_attribute(path, &WHITEOUT)
}

/// Returns true if a folder of the upper folder hides the lower one.
pub(super) fn is_opaque(path: &Path) -> bool {
    has_attribute(path, &OPAQUE)
}

/// Lets the lower folder show through a folder of the upper one again.
pub(super) fn make_transparent(path: &Path) -> io::Result<()> {
    for name in OPAQUE {
        if xattr::get(path, name).ok().flatten().is_some() {
            xattr::remove(path, name)?;
        }
    }
    Ok(())
}

fn has_attribute(path: &Path, names: &[&str]) -> bool {
    // `x` is a folder that may hold whiteouts by attribute, and hides nothing.
    let value = |name: &&str| xattr::get(path, name).ok().flatten();
    names
        .iter()
        .any(|name| value(name).is_some_and(|value| value != b"x"))
}
