//! Where a path really leads: its links taken apart by hand, so that what is left can be opened without following any.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::folder::{Folders, Kind, is_missing, split};
use super::guard::Forbidden;
use super::root::Root;
use crate::proposal::RepoPath;

/// As many links as the kernel follows on one path.
const MOST_LINKS: usize = 40;

/// One step of a way that is still to go.
enum Step {
    Down(OsString),
    Up,
}

/// The path without links that `path` leads to inside the root, whether or not a file is there.
///
/// A relative link is followed as long as it stays inside; an absolute one is taken as relative to the root if it points
/// into it.
pub(super) fn settle(
    root: &Root,
    folders: &mut Folders<'_>,
    path: &RepoPath,
) -> Result<RepoPath, Forbidden> {
    if !has_links(folders, path) {
        return Ok(path.clone());
    }
    let mut way: VecDeque<Step> = steps(path.as_path()).collect();
    let mut real = PathBuf::new();
    let mut last_link = PathBuf::new();
    let mut links = 0;
    while let Some(step) = way.pop_front() {
        let name = match step {
            Step::Down(name) => name,
            Step::Up if real.pop() => continue,
            Step::Up => return Err(link_out(path, &last_link)),
        };
        let here = real.join(&name);
        let Some(link) = read_link(root, &here).map_err(|source| Forbidden::Unreadable {
            path: path.clone(),
            source,
        })?
        else {
            real = here;
            continue;
        };
        links += 1;
        if links > MOST_LINKS {
            return Err(Forbidden::LinkLoop { path: path.clone() });
        }
        let inside = if link.is_absolute() {
            real = PathBuf::new();
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
        Some(Ok(target)) if target.as_path() == real => Ok(target),
        Some(_) | None => Err(link_out(path, &last_link)),
    }
}

/// Whether there may be a link on the way to a path or at its end. Mostly there is none, which one look can tell.
fn has_links(folders: &mut Folders<'_>, path: &RepoPath) -> bool {
    let (folder, name) = split(path);
    let Ok(folder) = folders.get(folder) else {
        return true;
    };
    !folder
        .stat(name)
        .is_ok_and(|stat| stat.is_none_or(|stat| stat.kind != Kind::Link))
}

/// What a link says; `None` if no link stands there.
fn read_link(root: &Root, path: &Path) -> io::Result<Option<PathBuf>> {
    match root.dir().symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => root.dir().read_link_contents(path).map(Some),
        Ok(_) => Ok(None),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn steps(path: &Path) -> impl Iterator<Item = Step> {
    path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(Step::Down(name.to_owned())),
        Component::ParentDir => Some(Step::Up),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}

fn link_out(path: &RepoPath, link: &Path) -> Forbidden {
    Forbidden::LinkOut {
        path: path.clone(),
        link: link.display().to_string(),
    }
}
