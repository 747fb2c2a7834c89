//! The links of some folders, by what they lead to.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::store::folder::folder_handle::{is_missing, is_no_folder};
use crate::store::rules::own_files::without_links;
use crate::store::rules::protection::Protected;

/// The links that were found for a batch, by the folder from which they were looked for.
#[derive(Debug, Default)]
pub(in crate::store) struct LinkedNames(Mutex<HashMap<PathBuf, FoundLinks>>);

/// Links by what they lead to, or the folder that cannot be read.
pub(super) type FoundLinks = Result<Arc<Links>, Protected>;

/// Links by the absolute path that they lead to.
#[derive(Debug, Default)]
pub(super) struct Links(HashMap<PathBuf, Vec<LinkName>>);

/// A link, or a setting of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinkName {
    /// The name as seen from the top of the repository, which may be protected.
    pub(super) path: PathBuf,
    /// The name for messages.
    pub(super) shown: String,
}

impl LinkedNames {
    /// Returns the links that were looked for under a name, and looks for them the first time.
    pub(super) fn found(
        &self,
        name: &Path,
        find: impl FnOnce(&mut Links) -> Result<(), Protected>,
    ) -> FoundLinks {
        let Self(known) = self;
        let earlier = known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        earlier.unwrap_or_else(|| {
            let mut links = Links::default();
            let found = find(&mut links).map(|()| Arc::new(links));
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(name.to_owned(), found.clone());
            found
        })
    }
}

/// A folder and its name as seen from the top of the repository, on which there may be a link.
#[derive(Debug)]
pub(super) struct NamedFolder {
    pub(super) folder: PathBuf,
    pub(super) name: PathBuf,
}

/// Returns the reason to protect everything if links cannot be read.
pub(super) fn unread(name: &Path, error: &io::Error) -> Protected {
    let is_top = name.as_os_str().is_empty();
    let name = if is_top { Path::new(".") } else { name };
    Protected::LinksUnread {
        folder: name.display().to_string(),
        error: error.to_string(),
    }
}

impl Links {
    /// Adds the links of a folder; returns the folders in it, and those that links lead to.
    pub(super) fn add(
        &mut self,
        NamedFolder { folder, name }: &NamedFolder,
    ) -> Result<Vec<NamedFolder>, Protected> {
        let unread = |error: &io::Error| unread(name, error);
        let mut folders = Vec::new();
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) || is_no_folder(&error) => return Ok(folders),
            Err(error) => return Err(unread(&error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| unread(&error))?;
            let kind = entry.file_type().map_err(|error| unread(&error))?;
            let name = name.join(entry.file_name());
            if kind.is_symlink() {
                let folder = target(&entry.path()).map_err(|error| unread(&error))?;
                self.insert(folder.clone(), name.clone());
                if folder.is_dir() {
                    folders.push(NamedFolder { folder, name });
                }
            } else if kind.is_dir() {
                let folder = entry.path();
                folders.push(NamedFolder { folder, name });
            }
        }
        Ok(folders)
    }

    pub(super) fn insert(&mut self, target: PathBuf, link: PathBuf) {
        let shown = link.display().to_string();
        let link = LinkName { path: link, shown };
        self.0.entry(target).or_default().push(link);
    }

    /// Adds a file or folder that a setting of git names: hooks may call any other file in their folder.
    pub(super) fn insert_setting(&mut self, target: PathBuf, key: String) {
        let path = PathBuf::from(".githooks");
        let link = LinkName { path, shown: key };
        self.0.entry(target).or_default().push(link);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the links that lead to an absolute path.
    pub(super) fn to(&self, target: &Path) -> Option<&[LinkName]> {
        self.0.get(target).map(Vec::as_slice)
    }
}

/// Returns where a link leads, whether or not anything is there.
fn target(link: &Path) -> io::Result<PathBuf> {
    let folder = link.parent().unwrap_or(link);
    let mut target = without_links(folder);
    for part in fs::read_link(link)?.components() {
        match part {
            Component::ParentDir => {
                target = without_links(&target);
                target.pop();
            }
            Component::CurDir => (),
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => target.push(part),
        }
    }
    Ok(without_links(&target))
}
