//! The names that a layer changes, each merged of three versions: as it was, as the layer has it, and as it is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::base::repository_of;
use super::changes::LayerChanges;
use super::renames::RenameCandidate;
use crate::app::link_targets::link_protection;
use crate::app::look::{look_at_any, look_at_vacant, look_by_name};
use crate::app::three_way_merge::{Merged, is_same, merge};
use crate::proposal::RepoPath;
use crate::review::{EVERYTHING, Found, Refusal};
use crate::store::{LayerEntry, LayerEntryKind};
use crate::text::plural;

impl LayerChanges {
    /// Lists the changed names that are reviewed.
    pub(super) fn entries(&mut self) -> anyhow::Result<Vec<LayerEntry>> {
        let changes = self.layer.changes(&self.about)?;
        let mut entries = changes.entries;
        self.remarks.clear();
        self.left.clear();
        let unreadable = changes.unreadable.iter();
        self.left.extend(unreadable.map(|path| {
            format!(
                "`{}` cannot be read, and stays in the layer",
                path.display()
            )
        }));
        if !changes.git.is_empty() {
            self.remarks.push(format!(
                "git's own files stay in the layer: {}",
                some_of(&changes.git)
            ));
        }
        let ignored = changes.ignored.len();
        if ignored > 0 {
            // A tracked file is no ignored one, whatever the rules say.
            if let Some(repository) = repository_of(&self.about.root) {
                for path in repository.tracked(&changes.ignored)? {
                    entries.extend(self.layer.entry(&self.about, &path)?);
                }
            }
            let stay = if ignored == 1 {
                "1 ignored file or folder stays".to_owned()
            } else {
                format!("{ignored} ignored files and folders stay")
            };
            self.remarks.push(format!(
                "{stay} in the layer, for `countersign run --resume`"
            ));
        }
        let special = entries
            .iter()
            .filter(|entry| entry.kind == LayerEntryKind::Special);
        let special = special.count();
        if special > 0 {
            let stays = if special == 1 { "stays" } else { "stay" };
            self.remarks.push(format!(
                "{} {stays} in the layer",
                plural(special, "special file")
            ));
        }
        let mut others = changes.ignored;
        others.extend(changes.git);
        self.staying.clone_from(&others);
        (self.staying).extend(changes.unreadable.iter().cloned());
        let is_reviewed: BTreeSet<&PathBuf> = entries.iter().map(|entry| &entry.path).collect();
        self.staying.retain(|path| !is_reviewed.contains(path));
        self.note_folders(&entries, &others, &changes.unreadable);
        entries.retain(|entry| match entry.kind {
            LayerEntryKind::Special => false,
            LayerEntryKind::Folder => {
                self.empty.contains(&entry.path) || self.replaced.contains(&entry.path)
            }
            LayerEntryKind::File | LayerEntryKind::Link(_) | LayerEntryKind::Removed => true,
        });
        entries.sort();
        entries.dedup_by(|one, other| one.path == other.path);
        Ok(entries)
    }

    /// Notes which of the layer's new folders are empty, and which take the place of something else.
    fn note_folders(&mut self, entries: &[LayerEntry], others: &[PathBuf], unreadable: &[PathBuf]) {
        let folders = entries
            .iter()
            .filter(|entry| entry.kind == LayerEntryKind::Folder);
        let folders: BTreeSet<&PathBuf> = folders.map(|entry| &entry.path).collect();
        let all = entries.iter().map(|entry| &entry.path).chain(others);
        let holding: BTreeSet<&Path> = all
            .flat_map(|path| path.ancestors().skip(1))
            .chain(unreadable.iter().flat_map(|path| path.ancestors()))
            .filter(|path| !path.as_os_str().is_empty())
            .collect();
        let is_there = |path: &Path| matches!(self.about.changed_at(path), Ok(Some(_)));
        self.replaced = folders
            .iter()
            .filter(|path| is_there(path))
            .map(|path| (*path).clone())
            .collect();
        self.empty = folders
            .into_iter()
            .filter(|path| !holding.contains(path.as_path()))
            .cloned()
            .collect();
    }

    /// Reads a name as it is in the root.
    pub(super) fn now(&mut self, name: &str) -> Found {
        let Ok(path) = RepoPath::parse(name) else {
            return look_by_name(&self.root, &mut self.placings, name);
        };
        let mut above = path.as_path().ancestors().skip(1);
        if above.any(|above| self.replaced.contains(above)) {
            return look_at_vacant(&self.root, &mut self.placings, &path);
        }
        look_at_any(&self.root, &mut self.placings, &path)
    }

    /// Notes a change that cannot be reviewed. The rest of the layer can be written without it.
    fn leave(&mut self, entry: &LayerEntry, why: String) -> Option<RenameCandidate> {
        self.left.push(why);
        self.staying.push(entry.path.clone());
        None
    }

    /// Merges the three versions of a changed name; `None` if the layer changes nothing there.
    pub(super) fn candidate(
        &mut self,
        entry: &LayerEntry,
    ) -> anyhow::Result<Option<RenameCandidate>> {
        let shown = entry.path.display().to_string();
        let is_text = entry.path.to_str() == Some(&shown);
        let parsed = RepoPath::parse(&shown).ok();
        let parsed = parsed.filter(|path| is_text && path.as_path() == entry.path);
        let Some(path) = parsed else {
            let why = format!("`{shown}` is a name that cannot be written, and stays in the layer");
            return Ok(self.leave(entry, why));
        };
        let now = self.now(&shown);
        if let Found::Refused(Refusal::Unreadable(why)) = now {
            return Ok(self.leave(entry, why));
        }
        if let Found::Refused(refusal) = now {
            self.staying.push(entry.path.clone());
            return Ok(Some(refused(shown, refusal)));
        }
        let is_behind_link =
            (self.placings.known(&shown)).is_some_and(|file| file.path != file.target);
        if is_behind_link {
            let why = format!("`{shown}` is behind a symbolic link in the tree, and is left alone");
            return Ok(self.leave(entry, why));
        }
        let theirs = match &entry.kind {
            LayerEntryKind::Link(target) => {
                let Some(target) = target.to_str() else {
                    let why = format!(
                        "`{shown}` is a symbolic link to a name that is no text, and stays in the layer"
                    );
                    return Ok(self.leave(entry, why));
                };
                Found::Link(target.to_owned())
            }
            LayerEntryKind::File => look_by_name(&self.content, &mut self.layered, &shown),
            LayerEntryKind::Folder if self.empty.contains(&entry.path) => Found::Folder,
            LayerEntryKind::Folder | LayerEntryKind::Removed => Found::Absent,
            LayerEntryKind::Special => return Ok(None),
        };
        if let Found::Refused(Refusal::Unreadable(why)) = theirs {
            return Ok(self.leave(entry, format!("{why}; it stays in the layer")));
        }
        if is_same(&theirs, &now) {
            return Ok(None);
        }
        let base = self.base.version(&self.layer, &self.about, &shown, &now)?;
        let mut merged = match base {
            Some(base) => merge(&base, &theirs, &now),
            None => Merged {
                goal: theirs,
                doubtful: vec![EVERYTHING],
            },
        };
        if is_same(&merged.goal, &now) {
            return Ok(None);
        }
        if let Found::Link(to) = &merged.goal
            && let Err(refusal) = link_protection(&self.root, &path, to)
        {
            merged.goal = Found::Refused(refusal);
        }
        Ok(Some(RenameCandidate {
            name: shown,
            now,
            merged,
        }))
    }
}

/// Names the first of some files, and counts the others.
fn some_of(paths: &[PathBuf]) -> String {
    /// The most files that are named.
    const MOST: usize = 5;
    let shown = paths.iter().take(MOST);
    let shown: Vec<String> = shown.map(|path| format!("`{}`", path.display())).collect();
    let shown = shown.join(", ");
    match paths.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A name that is shown, and of which nothing can be accepted.
fn refused(name: String, refusal: Refusal) -> RenameCandidate {
    let refusal = Found::Refused(refusal);
    RenameCandidate {
        name,
        now: refusal.clone(),
        merged: Merged {
            goal: refusal,
            doubtful: Vec::new(),
        },
    }
}
