//! The links of some folders, by what they lead to.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::store::folder::bounded_read::read_regular;
use crate::store::folder::folder_handle::{is_missing, is_no_folder};
use crate::store::rules::own_files::without_links;
use crate::store::rules::protection::Protected;

/// The largest file of git's settings that is read, in bytes.
const MOST_SETTINGS: u64 = 1 << 20;

/// The links that were found for a batch, by the folder from which they were looked for.
#[derive(Debug, Default)]
pub(in crate::store) struct LinkedNames(Mutex<HashMap<PathBuf, FoundLinks>>);

/// Links by what they lead to, or the folder that cannot be read.
pub(super) type FoundLinks = Result<Arc<Links>, Protected>;

/// Links by the absolute path that they lead to.
#[derive(Debug, Default)]
pub(super) struct Links(HashMap<PathBuf, Vec<LinkName>>);

/// A link, or a setting that leads to a folder.
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
fn unread(name: &Path, error: &io::Error) -> Protected {
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

    fn insert(&mut self, target: PathBuf, link: PathBuf) {
        let shown = link.display().to_string();
        let link = LinkName { path: link, shown };
        self.0.entry(target).or_default().push(link);
    }

    /// Adds the folder in which git looks for hooks: they may call any other file in it.
    fn insert_hooks(&mut self, folder: PathBuf) {
        let path = PathBuf::from(".githooks");
        let shown = "core.hooksPath".to_owned();
        self.0
            .entry(folder)
            .or_default()
            .push(LinkName { path, shown });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the links that lead to an absolute path.
    pub(super) fn to(&self, target: &Path) -> Option<&[LinkName]> {
        self.0.get(target).map(Vec::as_slice)
    }

    /// Adds the links among the hooks of a repository, given by its top folder, and the folder of the hooks if it is one.
    pub(super) fn add_hooks(&mut self, top: &Path) -> Result<(), Protected> {
        let git = git_folder(&top.join(".git"));
        let name = PathBuf::from(".git/hooks");
        let mut folder = git.join("hooks");
        if folder.is_symlink() {
            folder = without_links(&folder);
            self.insert(folder.clone(), name.clone());
        }
        self.add(&NamedFolder { folder, name })?;
        let home = std::env::home_dir();
        let usual = home.iter().map(|home| home.join(".gitconfig"));
        let settings = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        let settings = settings.or_else(|| home.as_ref().map(|home| home.join(".config")));
        let settings = settings.map(|folder| folder.join("git/config"));
        let mut folders = BTreeSet::new();
        for file in [git.join("config"), git.join("config.worktree")]
            .into_iter()
            .chain(usual)
            .chain(settings)
        {
            match read_regular(&file, MOST_SETTINGS) {
                Ok(text) => folders.extend(hooks_paths(&String::from_utf8_lossy(&text))),
                Err(error) if is_missing(&error) || is_no_folder(&error) => (),
                Err(error) => return Err(unread(&file, &error)),
            }
        }
        for folder in folders {
            let folder = match (folder.strip_prefix("~/"), &home) {
                (Ok(rest), Some(home)) => home.join(rest),
                _ => top.join(folder),
            };
            let folder = without_links(&folder);
            if let Ok(name) = folder.strip_prefix(top) {
                let name = name.to_owned();
                if folder != top {
                    self.insert_hooks(folder.clone());
                }
                self.add(&NamedFolder { folder, name })?;
            }
        }
        Ok(())
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

/// Returns the folder of a repository's hooks and settings; that of the main tree for a linked one.
fn git_folder(git: &Path) -> PathBuf {
    let own = text_of(git).and_then(|text| {
        let folder = text.strip_prefix("gitdir:")?.trim_start();
        Some(git.parent()?.join(folder))
    });
    let own = own.unwrap_or_else(|| git.to_owned());
    match text_of(&own.join("commondir")) {
        Some(common) => own.join(common),
        None => own,
    }
}

/// Returns the text of a small file of git, if it can be read.
fn text_of(file: &Path) -> Option<String> {
    let bytes = read_regular(file, MOST_SETTINGS).ok()?;
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// Returns the values of `hooksPath` in settings of git, in whatever section.
fn hooks_paths(settings: &str) -> impl Iterator<Item = PathBuf> {
    settings.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        let key = key.rsplit(']').next().unwrap_or(key).trim();
        if !key.eq_ignore_ascii_case("hooksPath") {
            return None;
        }
        let value = value.trim();
        let value = match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next().unwrap_or(quoted),
            None => value.split(['#', ';']).next().unwrap_or(value).trim_end(),
        };
        Some(PathBuf::from(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_hooks_is_read_from_settings_of_git() {
        let check = |settings: &str, expected: &[&str]| {
            let found: Vec<_> = hooks_paths(settings).collect();
            let expected: Vec<_> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(found, expected, "{settings:?}");
        };
        check(
            "[core]\n\tbare = false\n\thooksPath = tools/hooks\n",
            &["tools/hooks"],
        );
        check("[core] hookspath=tools/hooks # ours\n", &["tools/hooks"]);
        check("[core]\nHOOKSPATH = \"a b;c\"\r\n", &["a b;c"]);
        check("[core]\n# hooksPath = x\n; hooksPath = y\nhooks = z\n", &[]);
    }
}
