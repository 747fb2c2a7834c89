//! Protection of files and folders that links with protected names lead to.
//!
//! Links are looked for in the whole repository, the upper folders first; whatever the size of the tree, in the folders on the way to the
//! edited file, in the protected folders inside these, in the hooks of the repository, and in the folders that git's settings name. What
//! these settings name counts like a link. Each folder is listed once for a batch.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use super::linked_names::{FoundFolder, LinkName, Links, NamedFolder};
use super::root::Root;
use crate::proposal::RepoPath;
use crate::store::rules::protection::Protected;

/// The most names that are read in one search: about 25 ms.
const MOST_NAMES: usize = 20_000;

/// Folders in which links are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchExtent {
    /// All but git's own.
    Tree,
    /// The first one, and the protected ones in it.
    Protected,
}

impl Root {
    /// Returns why a file that is named without links is protected by the name of a link that leads to it or to a folder above it.
    pub(super) fn protection_by_link(&self, path: &RepoPath) -> Option<Protected> {
        let file = self.path().join(path.as_path());
        let top = self.enclosing.top();
        let within = file.parent().unwrap_or(top).strip_prefix(top).ok()?;
        let folders = within.ancestors().flat_map(|name| {
            let links = self.linked_names.found(name, |links| {
                self.add_links(links, self.named(name), SearchExtent::Protected)
            });
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
        self.protection_by_one_of(self.links_of_tree(), &file)
    }

    /// Returns why a link is protected by the name of another link that goes through it.
    pub(super) fn protection_of_step(&self, link: &RepoPath) -> Option<Protected> {
        let path = self.path().join(link.as_path());
        let mut links = self.links_of_tree().through(&path).iter();
        links.find_map(|link| self.protection_of_linked(link, &path, Path::new("")))
    }

    fn links_of_tree(&self) -> &Links {
        self.linked_names.of_tree(|links| {
            // A folder that cannot be read holds nothing that a tool of the same user reads.
            let _: Result<(), Protected> =
                self.add_links(links, self.named(Path::new("")), SearchExtent::Tree);
        })
    }

    /// Returns a folder that is named from the top of the repository.
    fn named(&self, name: &Path) -> NamedFolder {
        NamedFolder {
            folder: self.enclosing.top().join(name),
            name: name.to_owned(),
        }
    }

    fn protection_by_one_of(&self, links: &Links, file: &Path) -> Option<Protected> {
        if links.is_empty() {
            return None;
        }
        file.ancestors().find_map(|target| {
            let rest = file.strip_prefix(target).ok()?;
            let mut links = links.to(target).iter();
            links.find_map(|link| self.protection_of_linked(link, target, rest))
        })
    }

    /// Returns why what a link leads to, or a file below that, is protected by the name of the link.
    fn protection_of_linked(
        &self,
        link: &LinkName,
        target: &Path,
        rest: &Path,
    ) -> Option<Protected> {
        let name = if rest.as_os_str().is_empty() {
            link.path.clone()
        } else {
            link.path.join(rest)
        };
        let why = self.protection_of_name_from_top(&name)?;
        Some(Protected::Linked {
            link: link.shown.clone(),
            target: self.shown(target),
            why: Box::new(why),
        })
    }

    /// Adds the links of a folder and of those in it. Links to folders are followed where what lies below may be protected by their
    /// names.
    fn add_links(
        &self,
        links: &mut Links,
        start: NamedFolder,
        extent: SearchExtent,
    ) -> Result<(), Protected> {
        let mut names_left = MOST_NAMES;
        let mut known = HashSet::new();
        let mut folders = VecDeque::from([(start, SearchDepth::Start)]);
        while let Some((at, depth)) = folders.pop_front() {
            let found = match links.add(&at, &mut names_left) {
                Ok(found) => found,
                // Folders deep in those of unknown tools may belong to others.
                Err(_) if depth == SearchDepth::Deep => continue,
                Err(unread) => return Err(unread),
            };
            for FoundFolder { folder, is_link } in found {
                if folder.name.ends_with(".git") {
                    continue;
                }
                let is_in_tree = extent == SearchExtent::Tree && !is_link;
                let below = if is_in_tree {
                    None
                } else {
                    self.protection_below(&folder.name)
                };
                if !is_in_tree && below.is_none() {
                    continue;
                }
                let is_tool = below == Some(Protected::Tool);
                let depth =
                    if extent == SearchExtent::Tree || is_tool && depth != SearchDepth::Start {
                        SearchDepth::Deep
                    } else {
                        SearchDepth::Protected
                    };
                // A folder has its own name, and perhaps one by which it is protected.
                let is_named_by_link = folder.folder != self.enclosing.top().join(&folder.name);
                if known.insert((folder.folder.clone(), is_named_by_link)) {
                    folders.push_back((folder, depth));
                }
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

/// Distance of a folder from the first one of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchDepth {
    Start,
    /// In the first one or in a folder that is protected by a known name. One that cannot be read is an error.
    Protected,
    /// Elsewhere.
    Deep,
}
