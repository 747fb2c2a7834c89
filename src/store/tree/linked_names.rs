//! The links of some folders, by what they lead to.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::store::folder::folder_handle::{is_missing, is_no_folder};
use crate::store::rules::own_files::without_links;
use crate::store::rules::protection::Protected;

/// As many links as the kernel follows on one path.
const MOST_LINKS: usize = 40;

/// The links that were found for a batch.
#[derive(Debug, Default)]
pub(in crate::store) struct LinkedNames {
    /// The links on the way to a file, by the folder from which they were looked for.
    nearby: Mutex<HashMap<PathBuf, FoundLinks>>,
    /// The links of the whole tree.
    tree: OnceLock<Links>,
}

/// Links by what they lead to, or the folder that cannot be read.
pub(super) type FoundLinks = Result<Arc<Links>, Protected>;

/// Links by the absolute path that they lead to.
#[derive(Debug, Default)]
pub(super) struct Links {
    targets: HashMap<PathBuf, Vec<LinkName>>,
    /// Links by the absolute paths of other links that they go through.
    steps: HashMap<PathBuf, Vec<LinkName>>,
}

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
        let earlier = (self.nearby)
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned();
        earlier.unwrap_or_else(|| {
            let mut links = Links::default();
            let found = find(&mut links).map(|()| Arc::new(links));
            let mut known = self.nearby.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(name.to_owned(), found.clone());
            found
        })
    }

    /// Returns the links of the whole tree, and looks for them the first time.
    pub(super) fn of_tree(&self, find: impl FnOnce(&mut Links)) -> &Links {
        self.tree.get_or_init(|| {
            let mut links = Links::default();
            find(&mut links);
            links
        })
    }
}

/// Folder that was found in another one.
#[derive(Debug)]
pub(super) struct FoundFolder {
    pub(super) folder: NamedFolder,
    /// True if it is a link.
    pub(super) is_link: bool,
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
    /// Adds all links of a folder.
    pub(super) fn add_all(&mut self, folder: &NamedFolder) -> Result<(), Protected> {
        self.add(folder, &mut { usize::MAX }).map(drop)
    }

    /// Adds the links of a folder, of which up to `left` names are read; returns the folders in it, and those that links lead to.
    pub(super) fn add(
        &mut self,
        NamedFolder { folder, name }: &NamedFolder,
        left: &mut usize,
    ) -> Result<Vec<FoundFolder>, Protected> {
        let unread = |error: &io::Error| unread(name, error);
        let mut folders = Vec::new();
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if is_missing(&error) || is_no_folder(&error) => return Ok(folders),
            Err(error) => return Err(unread(&error)),
        };
        for entry in entries.take(*left) {
            *left -= 1;
            let entry = entry.map_err(|error| unread(&error))?;
            let kind = entry.file_type().map_err(|error| unread(&error))?;
            let is_link = kind.is_symlink();
            let name = name.join(entry.file_name());
            let folder = if is_link {
                let way = follow(&entry.path()).map_err(|error| unread(&error))?;
                for step in way.steps {
                    let shown = name.display().to_string();
                    let path = name.clone();
                    let link = LinkName { path, shown };
                    self.steps.entry(step).or_default().push(link);
                }
                self.insert(way.target.clone(), name.clone());
                way.target
            } else {
                entry.path()
            };
            if kind.is_dir() || is_link && folder.is_dir() {
                let folder = NamedFolder { folder, name };
                folders.push(FoundFolder { folder, is_link });
            }
        }
        Ok(folders)
    }

    pub(super) fn insert(&mut self, target: PathBuf, link: PathBuf) {
        let shown = link.display().to_string();
        let link = LinkName { path: link, shown };
        self.targets.entry(target).or_default().push(link);
    }

    /// Adds a file or folder that a setting of git names: hooks may call any other file in their folder.
    pub(super) fn insert_setting(&mut self, target: PathBuf, key: String) {
        let path = PathBuf::from(".githooks");
        let link = LinkName { path, shown: key };
        self.targets.entry(target).or_default().push(link);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the links that lead to an absolute path.
    pub(super) fn to(&self, target: &Path) -> &[LinkName] {
        self.targets.get(target).map_or(&[], Vec::as_slice)
    }

    /// Returns the links that go through another link on their way.
    pub(super) fn through(&self, link: &Path) -> &[LinkName] {
        self.steps.get(link).map_or(&[], Vec::as_slice)
    }
}

/// The way of a link.
struct LinkWay {
    /// The end of the way, whether or not anything is there. A way in a circle ends at one of its links.
    target: PathBuf,
    /// The other links on the way.
    steps: Vec<PathBuf>,
}

/// Follows a link step by step: what lies behind one that leads to nothing is found as well.
fn follow(link: &Path) -> io::Result<LinkWay> {
    let mut target = without_links(link.parent().unwrap_or(link));
    let mut steps = Vec::new();
    let mut left: VecDeque<OsString> = VecDeque::new();
    push_front(&mut left, &mut target, &fs::read_link(link)?);
    while let Some(part) = left.pop_front() {
        if part == ".." {
            target.pop();
            continue;
        }
        target.push(part);
        if steps.len() < MOST_LINKS
            && let Ok(to) = fs::read_link(&target)
        {
            steps.push(target.clone());
            target.pop();
            push_front(&mut left, &mut target, &to);
        }
    }
    let target = without_links(&target);
    Ok(LinkWay { target, steps })
}

/// Puts the parts of the text of a link in front of the parts that are left, and goes to the top for an absolute one.
fn push_front(left: &mut VecDeque<OsString>, target: &mut PathBuf, to: &Path) {
    for part in to.components().rev() {
        match part {
            Component::Normal(name) => left.push_front(name.to_owned()),
            Component::ParentDir => left.push_front("..".into()),
            Component::RootDir => *target = PathBuf::from("/"),
            Component::CurDir | Component::Prefix(_) => (),
        }
    }
}
