//! Protection of files and folders that links with protected names lead to.
//!
//! Links are looked for in the folders on the way from the top of the repository to the edited file, in the protected folders
//! inside these, in the hooks of the repository, and in the folders that git's settings name. What these settings name counts like a
//! link. Each folder is listed once for a batch.

use std::path::Path;

use super::linked_names::{LinkName, Links, NamedFolder};
use super::root::Root;
use crate::proposal::RepoPath;
use crate::store::rules::protection::Protected;

/// Levels of folders that are listed in a protected folder.
const LEVELS: usize = 3;

impl Root {
    /// Returns why a file that is named without links is protected by the name of a link that leads to it or to a folder above it.
    pub(super) fn protection_by_link(&self, path: &RepoPath) -> Option<Protected> {
        let file = self.path().join(path.as_path());
        let top = self.enclosing.top();
        let within = file.parent().unwrap_or(top).strip_prefix(top).ok()?;
        let folders = within.ancestors().flat_map(|name| {
            let links = self
                .linked_names
                .found(name, |links| self.add_protected(links, name));
            // A file may lie in a repository inside that of the root.
            let git = self.linked_names.found(&name.join(".git"), |links| {
                links.add_git(&top.join(name), name.as_os_str().is_empty())
            });
            [git, links]
        });
        for found in folders {
            let links = match found {
                Ok(links) => links,
                Err(unread) => return Some(unread),
            };
            if let Some(protected) = self.protection_by_one_of(&links, &file) {
                return Some(protected);
            }
        }
        None
    }

    fn protection_by_one_of(&self, links: &Links, file: &Path) -> Option<Protected> {
        if links.is_empty() {
            return None;
        }
        file.ancestors().find_map(|target| {
            let names = links.to(target)?;
            let rest = file.strip_prefix(target).ok()?;
            names.iter().find_map(|LinkName { path, shown }| {
                let name = if rest.as_os_str().is_empty() {
                    path.clone()
                } else {
                    path.join(rest)
                };
                let why = self.protection_of_name_from_top(&name)?;
                Some(Protected::Linked {
                    link: shown.clone(),
                    target: self.shown(target),
                    why: Box::new(why),
                })
            })
        })
    }

    /// Adds the links of a folder and those of the protected folders in it.
    fn add_protected(&self, links: &mut Links, name: &Path) -> Result<(), Protected> {
        let mut left: Vec<(NamedFolder, usize)> = Vec::new();
        let here = NamedFolder {
            folder: self.enclosing.top().join(name),
            name: name.to_owned(),
        };
        for inner in links.add(&here)? {
            if inner.name.ends_with(".git") {
                continue;
            }
            match self.protection_of_name_from_top(&inner.name.join("x")) {
                None => (),
                // Folders of which nothing is known may be large: environments and caches.
                Some(Protected::Tool) => left.push((inner, 1)),
                Some(_) => left.push((inner, LEVELS)),
            }
        }
        while let Some((folder, levels)) = left.pop() {
            let inside = links.add(&folder)?;
            if levels > 1 {
                left.extend(inside.into_iter().map(|folder| (folder, levels - 1)));
            }
        }
        Ok(())
    }

    fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(self.path()) {
            Ok(path) if path.as_os_str().is_empty() => "the root".to_owned(),
            Ok(path) => path.display().to_string(),
            Err(_) => path.display().to_string(),
        }
    }
}
