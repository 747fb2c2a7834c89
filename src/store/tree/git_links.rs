//! Files of the tree that git's settings name, and links among git's hooks.

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};

use super::linked_names::{Links, NamedFolder, unread};
use crate::store::folder::bounded_read::read_regular;
use crate::store::folder::folder_handle::{is_missing, is_no_folder};
use crate::store::rules::git_settings::{GitSetting, ValueKind, folders_of, git_settings};
use crate::store::rules::own_files::without_links;
use crate::store::rules::protection::Protected;

/// The largest file of git's settings that is read, in bytes.
const MOST_SETTINGS: u64 = 1 << 20;

impl Links {
    /// Adds the links among the hooks of a repository, given by its top folder, and what its settings name. `$GIT_DIR` counts as well if
    /// the repository is that of the root.
    pub(super) fn add_git(&mut self, top: &Path, is_own: bool) -> Result<(), Protected> {
        let named = env::var_os("GIT_DIR").filter(|name| is_own && !name.is_empty());
        for git in [Some(top.join(".git")), named.map(|name| top.join(name))] {
            if let Some(git) = git.filter(|git| git.symlink_metadata().is_ok()) {
                self.add_repository(top, &git)?;
            }
        }
        Ok(())
    }

    fn add_repository(&mut self, top: &Path, git: &Path) -> Result<(), Protected> {
        let own = git_folder(git);
        let git = common_folder(&own);
        let name = PathBuf::from(".git/hooks");
        let mut folder = git.join("hooks");
        if folder.is_symlink() {
            folder = without_links(&folder);
            self.insert(folder.clone(), name.clone());
        }
        self.add_all(&NamedFolder { folder, name })?;
        let mut files = vec![git.join("config"), git.join("config.worktree")];
        files.push(own.join("config.worktree"));
        files.extend(files_of_the_user());
        let mut read = BTreeSet::new();
        for setting in settings_of_the_environment() {
            self.add_setting(top, top, &setting, &mut files)?;
        }
        while let Some(file) = files.pop() {
            if !read.insert(file.clone()) {
                continue;
            }
            let text = match read_regular(&file, MOST_SETTINGS) {
                Ok(text) => text,
                Err(error) if is_missing(&error) || is_no_folder(&error) => continue,
                Err(error) => return Err(unread(&file, &error)),
            };
            let folder = file.parent().unwrap_or(top);
            for setting in git_settings(&String::from_utf8_lossy(&text)) {
                self.add_setting(top, folder, &setting, &mut files)?;
            }
        }
        Ok(())
    }

    /// Adds what a setting of a file in a folder names, and lists a file that it includes. Conditions of includes are taken to be met.
    fn add_setting(
        &mut self,
        top: &Path,
        folder: &Path,
        setting: &GitSetting,
        files: &mut Vec<PathBuf>,
    ) -> Result<(), Protected> {
        let value = &setting.value;
        match setting.kind() {
            ValueKind::Data => (),
            ValueKind::Include => {
                let file = expanded(folder, value);
                self.insert_named(top, &file, setting);
                files.push(without_links(&file));
            }
            ValueKind::Path => {
                let path = expanded(top, value);
                self.insert_named(top, &path, setting);
                let folder = without_links(&path);
                if let Ok(name) = folder.strip_prefix(top) {
                    let name = name.to_owned();
                    self.add_all(&NamedFolder { folder, name })?;
                }
            }
            ValueKind::Command => {
                let words = setting.words();
                let folders = folders_of(&words, |folder| top.join(folder).is_dir());
                let pairs = folders
                    .iter()
                    .flat_map(|folder| words.iter().map(move |word| (folder, word)));
                for (folder, word) in pairs {
                    let path = expanded(&top.join(folder), word);
                    let is_named = match path.metadata() {
                        Ok(meta) => !meta.is_dir(),
                        // A word alone is mostly the name of a program.
                        Err(_) => word.contains('/') && !word.ends_with('/'),
                    };
                    if is_named {
                        self.insert_named(top, &path, setting);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a path that a setting names, and where it leads, if they are below the top.
    fn insert_named(&mut self, top: &Path, path: &Path, setting: &GitSetting) {
        let target = without_links(path);
        let name = path.file_name().zip(path.parent());
        let link = name.map(|(name, folder)| without_links(folder).join(name));
        let link = link.filter(|link| *link != target);
        for path in link.into_iter().chain([target]) {
            if path != top && path.starts_with(top) {
                self.insert_setting(path, setting.key.clone());
            }
        }
    }
}

/// Returns the path that a value means, which counts from a folder.
fn expanded(folder: &Path, value: &str) -> PathBuf {
    match (value.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => folder.join(value),
    }
}

/// Returns the files of settings that hold for all repositories of the user.
fn files_of_the_user() -> impl Iterator<Item = PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from);
    let home = env::home_dir();
    let settings = variable("XDG_CONFIG_HOME");
    let settings = settings.or_else(|| home.as_ref().map(|home| home.join(".config")));
    [
        Some(PathBuf::from("/etc/gitconfig")),
        home.map(|home| home.join(".gitconfig")),
        settings.map(|folder| folder.join("git/config")),
        variable("GIT_CONFIG_SYSTEM"),
        variable("GIT_CONFIG_GLOBAL"),
    ]
    .into_iter()
    .flatten()
    // `/dev/null` says that there is none.
    .filter(|file| file != Path::new("/dev/null"))
}

/// Returns the settings that `GIT_CONFIG_COUNT` and its companions name.
fn settings_of_the_environment() -> Vec<GitSetting> {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let count = number("GIT_CONFIG_COUNT").unwrap_or(0);
    (0..count).map_while(setting_of_the_environment).collect()
}

fn setting_of_the_environment(at: usize) -> Option<GitSetting> {
    let key = env::var(format!("GIT_CONFIG_KEY_{at}")).ok()?;
    let value = env::var(format!("GIT_CONFIG_VALUE_{at}")).ok()?;
    Some(GitSetting::new(&key, &value))
}

/// Returns the folder that a `.git` is or leads to.
fn git_folder(git: &Path) -> PathBuf {
    let named = text_of(git).and_then(|text| {
        let folder = text.strip_prefix("gitdir:")?.trim_start();
        Some(git.parent()?.join(folder))
    });
    named.unwrap_or_else(|| git.to_owned())
}

/// Returns the folder of a repository's hooks and settings; that of the main tree for a linked one.
fn common_folder(own: &Path) -> PathBuf {
    match text_of(&own.join("commondir")) {
        Some(common) => own.join(common),
        None => own.to_owned(),
    }
}

/// Returns the text of a small file of git, if it can be read.
fn text_of(file: &Path) -> Option<String> {
    let bytes: io::Result<Vec<u8>> = read_regular(file, MOST_SETTINGS);
    Some(String::from_utf8_lossy(&bytes.ok()?).trim_end().to_owned())
}
