//! Removals of files that have another name in the layer, which is not reviewed: they wait with it, as the layer would hold the only
//! copy.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::changes::LayerChanges;
use super::renames::{ALIKE, MOST_COMPARED, RenameCandidate, likeness};
use crate::app::three_way_merge;
use crate::review::Found;
use crate::store::{ContentHash, RemainingFile};
use crate::text::plural;

/// The largest file that is compared by lines, in bytes.
const MOST_BYTES: u64 = 1 << 20;
/// The name of git's own folder.
const GIT: &str = ".git";
/// The most removals that are named.
const MOST_NAMED: usize = 5;

/// A removed file, and the file in the layer that has its content, or may have it.
struct WaitingRemoval {
    name: String,
    counterpart: PathBuf,
    is_known: bool,
}

impl LayerChanges {
    /// Takes out the removals, other than those of `renamed` files, whose files may have another name that stays in the layer.
    pub(super) fn hold_removals(
        &mut self,
        candidates: &mut Vec<RenameCandidate>,
        renamed: &[(String, String)],
    ) {
        self.keeps_git = false;
        let renamed: BTreeSet<&str> = renamed.iter().map(|(from, _)| from.as_str()).collect();
        let removed = candidates.iter().filter(|candidate| {
            matches!(candidate.merged.goal, Found::Absent)
                && !renamed.contains(candidate.name.as_str())
                && has_content(&candidate.now)
        });
        let removed: Vec<&RenameCandidate> = removed.collect();
        if removed.is_empty() {
            return;
        }
        let waiting = self.waiting(&removed);
        self.keeps_git = (waiting.iter()).any(|one| one.counterpart.starts_with(GIT));
        let names: BTreeSet<&str> = waiting.iter().map(|one| one.name.as_str()).collect();
        candidates.retain(|candidate| !names.contains(candidate.name.as_str()));
        let words = waiting.iter().take(MOST_NAMED).map(|waiting| {
            let why = if waiting.is_known {
                "has its content"
            } else {
                "cannot be read and may be the same file"
            };
            format!(
                "`{}` is not removed: `{}`, which stays in the layer, {why}; remove it yourself if you do not need it",
                waiting.name,
                waiting.counterpart.display()
            )
        });
        self.left.extend(words);
        if let Some(more @ 1..) = waiting.len().checked_sub(MOST_NAMED) {
            self.left.push(format!(
                "{} more are not removed for the same reason",
                plural(more, "file")
            ));
        }
    }

    /// Finds the removals that wait, in the order of the removed files.
    fn waiting(&self, removed: &[&RenameCandidate]) -> Vec<WaitingRemoval> {
        let mut staying = self.staying.clone();
        staying.push(PathBuf::from(GIT));
        let remaining = self.layer.remaining_files(&self.about, &staying);
        let mut unknown = remaining.unknown;
        let mut by_size: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let mut by_content: BTreeMap<(u64, String), Vec<usize>> = BTreeMap::new();
        for (at, candidate) in removed.iter().enumerate() {
            if let Some((size, hash)) = identity(&candidate.now) {
                by_size.entry(size).or_default().push(at);
                by_content.entry((size, hash)).or_default().push(at);
            }
        }
        let compared = remaining.files.iter().filter(|file| is_comparable(file));
        let is_small = removed.len().max(compared.count()) <= MOST_COMPARED;
        let mut counterparts: BTreeMap<usize, PathBuf> = BTreeMap::new();
        for file in &remaining.files {
            if let Some(link) = &file.link {
                let is_it = |at: &usize| matches!(&removed[*at].now, Found::Link(to) if file.is_new && Path::new(to) == link);
                for at in (0..removed.len()).filter(is_it) {
                    counterparts.entry(at).or_insert_with(|| file.path.clone());
                }
                continue;
            }
            let by_lines = is_small && is_comparable(file);
            if file.size == 0 || !by_lines && !by_size.contains_key(&file.size) {
                continue;
            }
            let Ok(bytes) = self.layer.read_remaining(&self.about, &file.path) else {
                unknown.push(file.path.clone());
                continue;
            };
            let key = (bytes.len() as u64, ContentHash::of(&bytes).to_string());
            if let Some(same) = by_content.get(&key) {
                let in_root = || self.about.read_in_root(&file.path);
                if file.is_new || in_root().is_none_or(|root| root != bytes) {
                    for at in same {
                        counterparts.entry(*at).or_insert_with(|| file.path.clone());
                    }
                }
            } else if by_lines {
                let found = three_way_merge::found(&bytes, false);
                let alike = (0..removed.len())
                    .filter(|at| likeness(&removed[*at].now, &found, true) >= ALIKE);
                for at in alike {
                    counterparts.entry(at).or_insert_with(|| file.path.clone());
                }
            }
        }
        let waiting = removed.iter().enumerate().filter_map(|(at, candidate)| {
            let known = counterparts.get(&at);
            Some(WaitingRemoval {
                name: candidate.name.clone(),
                counterpart: known.or_else(|| unknown.first())?.clone(),
                is_known: known.is_some(),
            })
        });
        waiting.collect()
    }
}

/// Returns true for a version that is lost with its last copy.
fn has_content(found: &Found) -> bool {
    match found {
        Found::Text { document, .. } => !document.is_empty(),
        Found::Opaque(_) | Found::Link(_) => true,
        Found::Absent | Found::Folder | Found::Refused(_) => false,
    }
}

/// Returns the size and the hash of a file.
fn identity(found: &Found) -> Option<(u64, String)> {
    match found {
        Found::Text { document, .. } => {
            let bytes = document.encode(document.text()).ok()?;
            Some((bytes.len() as u64, ContentHash::of(&bytes).to_string()))
        }
        Found::Opaque(opaque) => Some((opaque.size, opaque.hash.clone())),
        Found::Absent | Found::Folder | Found::Link(_) | Found::Refused(_) => None,
    }
}

/// Returns true for a file that may be a removed one with changes. What git writes in its own folder is none.
fn is_comparable(file: &RemainingFile) -> bool {
    let is_of_git = file.path.iter().any(|part| part == OsStr::new(GIT));
    file.is_new && file.link.is_none() && file.size <= MOST_BYTES && !is_of_git
}
