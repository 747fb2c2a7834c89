//! Resolves the links of a path one by one, so that the result can be opened without following any.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::root::Root;
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::{NameKind, NameStat, OpenFolders, is_missing, split};
use crate::store::rules::guard::Forbidden;

/// As many links as the kernel follows on one path.
const MOST_LINKS: usize = 40;

/// Target of a path, found without following links.
#[derive(Debug)]
pub(in crate::store) struct Admitted {
    pub(in crate::store) target: RepoPath,
    /// The metadata of the target when it was found; `None` if nothing is there.
    pub(in crate::store) stat: Option<NameStat>,
}

impl Admitted {
    /// Returns true if the target is a regular file.
    pub(in crate::store) fn is_file(&self) -> bool {
        self.stat.is_some_and(|stat| stat.kind == NameKind::File)
    }
}

/// One step of a way that is still to go.
enum PathStep {
    Down(OsString),
    Up,
}

/// Finds where `path` leads inside the root without links, whether or not a file is there.
///
/// A relative link is followed as long as it stays inside; an absolute one is taken as relative to the root if it points
/// into it.
pub(in crate::store) fn resolve_links(
    root: &Root,
    folders: &mut OpenFolders<'_>,
    path: &RepoPath,
) -> Result<Admitted, Forbidden> {
    if let Some(admitted) = itself(folders, path) {
        return Ok(admitted);
    }
    let mut way: VecDeque<PathStep> = steps(path.as_path()).collect();
    let mut real = PathBuf::new();
    let mut last_link = PathBuf::new();
    let mut links = 0;
    // The length of the shortest way that leads to nothing: there are no links below it.
    let mut missing: Option<usize> = None;
    while let Some(step) = way.pop_front() {
        let name = match step {
            PathStep::Down(name) => name,
            PathStep::Up if real.pop() => {
                missing = missing.filter(|missing| real.as_os_str().len() >= *missing);
                continue;
            }
            PathStep::Up => return Err(link_out(path, &last_link)),
        };
        if missing.is_some() {
            real.push(&name);
            continue;
        }
        let here = real.join(&name);
        let found = read_link(root, &here).map_err(|source| Forbidden::Unreadable {
            path: path.clone(),
            source,
        })?;
        let link = match found {
            PathEntryKind::Link(link) => link,
            PathEntryKind::Other => {
                real = here;
                continue;
            }
            PathEntryKind::Missing => {
                missing = Some(here.as_os_str().len());
                real = here;
                continue;
            }
        };
        links += 1;
        if links > MOST_LINKS {
            return Err(Forbidden::LinkLoop { path: path.clone() });
        }
        let inside = if link.is_absolute() {
            real = PathBuf::new();
            missing = None;
            root.relative(&link).ok_or_else(|| link_out(path, &here))?
        } else {
            &link
        };
        last_link = here;
        for step in steps(inside).collect::<Vec<_>>().into_iter().rev() {
            way.push_front(step);
        }
    }
    match real.to_str().map(RepoPath::parse) {
        Some(Ok(target)) if target.as_path() == real => {
            let stat = stat(folders, &target)?;
            Ok(Admitted { target, stat })
        }
        Some(_) | None => Err(link_out(path, &last_link)),
    }
}

/// Returns a path as its own target; `None` if there may be a link on the way or at its end. Mostly there is none, which one system
/// call shows.
fn itself(folders: &mut OpenFolders<'_>, path: &RepoPath) -> Option<Admitted> {
    let (folder, name) = split(path);
    let stat = folders.get(folder).ok()?.stat(name).ok()?;
    let is_link = stat.is_some_and(|stat| stat.kind == NameKind::Link);
    let target = path.clone();
    (!is_link).then_some(Admitted { target, stat })
}

/// Kind of a name on the way.
enum PathEntryKind {
    /// A link, and where it points.
    Link(PathBuf),
    Other,
    Missing,
}

fn read_link(root: &Root, path: &Path) -> io::Result<PathEntryKind> {
    match root.dir().symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => {
            root.dir().read_link_contents(path).map(PathEntryKind::Link)
        }
        Ok(_) => Ok(PathEntryKind::Other),
        Err(error) if is_missing(&error) => Ok(PathEntryKind::Missing),
        Err(error) => Err(error),
    }
}

fn steps(path: &Path) -> impl Iterator<Item = PathStep> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(PathStep::Down(name.to_owned())),
        Component::ParentDir => Some(PathStep::Up),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

fn link_out(path: &RepoPath, link: &Path) -> Forbidden {
    Forbidden::LinkOut {
        path: path.clone(),
        link: link.display().to_string(),
    }
}

/// Returns the metadata of a path without links; `None` if nothing is there.
pub(in crate::store) fn stat(
    folders: &mut OpenFolders<'_>,
    target: &RepoPath,
) -> Result<Option<NameStat>, Forbidden> {
    let (folder, name) = split(target);
    match folders.get(folder).and_then(|folder| folder.stat(name)) {
        Ok(stat) => Ok(stat),
        Err(error) if is_missing(&error) => Ok(None),
        Err(source) => Err(Forbidden::Unreadable {
            path: target.clone(),
            source,
        }),
    }
}
