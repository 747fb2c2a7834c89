//! The ignore files of the agents, which list what an agent may not touch.
//!
//! All are written like `.gitignore`, and like it they hold for their own folder and below, where a deeper file may take back
//! what a higher one says. Each kind is judged by itself: a file is ignored if any kind ignores it. Those between the root
//! and the top of its repository hold as well.

use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use ignore::gitignore::Gitignore;

use super::guard_file::read_guard;
use super::root::Root;
use crate::proposal::RepoPath;
use crate::store::folder::folder_handle::Folder;
use crate::store::rules::guard::Forbidden;
use crate::store::rules::ignore_rules::{
    FolderRules, IgnoreFile, IgnoreFiles, NAMES, check_part, compile, text_of,
};

impl IgnoreFiles {
    /// Refuses a path that any ignore file matches, or whose folder any does: what is in an ignored folder cannot be
    /// taken back.
    pub(in crate::store) fn check(&self, root: &Root, path: &RepoPath) -> Result<(), Forbidden> {
        let full = root.enclosing.seen_from_top(path);
        let mut parts: Vec<&Path> = full.ancestors().collect();
        // Now the path itself is last; the top folder is first.
        parts.reverse();
        let mut ruled: Vec<(&Path, Arc<Vec<IgnoreFile>>)> = Vec::new();
        for folder in &parts[..parts.len().saturating_sub(1)] {
            match self.of_folder(root, path, folder)? {
                Some(files) if files.is_empty() => (),
                Some(files) => ruled.push((folder, files)),
                // What lies below is missing too; what a link leads to is checked under its own name.
                None => break,
            }
        }
        if ruled.is_empty() {
            return Ok(());
        }
        parts
            .iter()
            .skip(1)
            .try_for_each(|part| check_part(&ruled, path, part, *part != full))
    }

    fn of_folder(
        &self,
        root: &Root,
        path: &RepoPath,
        folder: &Path,
    ) -> Result<FolderRules, Forbidden> {
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = known.get(folder) {
            return Ok(files.clone());
        }
        let files = self.read_folder(root, path, folder)?.map(Arc::new);
        known.insert(folder.to_owned(), files.clone());
        Ok(files)
    }

    /// Reads the ignore files of one folder on the way to `path`. One that cannot be read in full is an error: it might
    /// forbid anything.
    fn read_folder(
        &self,
        root: &Root,
        path: &RepoPath,
        folder: &Path,
    ) -> Result<Option<Vec<IgnoreFile>>, Forbidden> {
        let open = root
            .guard_folder(folder)
            .map_err(|source| Forbidden::Unreadable {
                path: path.clone(),
                source,
            })?;
        let Some(open) = open else {
            return Ok(None);
        };
        let mut files = Vec::new();
        let more = self.more.iter().map(String::as_str);
        for name in NAMES.into_iter().chain(more) {
            let shown = root.enclosing.shown(folder, name);
            match read_file(root, &open, folder, name) {
                Ok(found) => files.extend(found.map(|(text, rules)| IgnoreFile {
                    name: name.to_owned(),
                    shown,
                    rules,
                    text,
                })),
                Err(source) => {
                    return Err(Forbidden::IgnoreFile {
                        file: shown,
                        source,
                    });
                }
            }
        }
        Ok(Some(files))
    }
}

/// Reads an ignore file in an open folder: its text and its rules. `None` if there is none.
fn read_file(
    root: &Root,
    open: &Folder,
    folder: &Path,
    name: &str,
) -> io::Result<Option<(String, Gitignore)>> {
    let Some(bytes) = read_guard(root, open, folder, name)? else {
        return Ok(None);
    };
    let text = text_of(bytes)?;
    let rules = compile(&text)?;
    Ok(Some((text, rules)))
}
