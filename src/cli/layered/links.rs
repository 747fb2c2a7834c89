//! Symbolic links in a layer, which are reviewed as links and never followed.

use super::renames::Candidate;
use super::source::LayerChanges;
use crate::app::intake::{link_protection, look_at_entry};
use crate::app::three_way::{Merged, is_same, merge};
use crate::proposal::RepoPath;
use crate::review::{EVERYTHING, Found};
use crate::store::{FileState, LayerEntry, LayerEntryKind};

/// A changed name as a symbolic link.
pub(super) enum Linked {
    /// It is a file on one side at least, or is not there on either.
    No,
    /// The tree has the same.
    AsInTree,
    /// The layer changes it.
    Changed(Box<Candidate>),
}

impl LayerChanges {
    /// Merges a symbolic link that is made, removed or aimed elsewhere.
    pub(super) fn link(&mut self, entry: &LayerEntry, shown: &str) -> anyhow::Result<Linked> {
        let Ok(path) = RepoPath::parse(shown) else {
            return Ok(Linked::No);
        };
        let target = match &entry.kind {
            LayerEntryKind::Link(target) => Some(target.to_str()),
            LayerEntryKind::Removed => None,
            LayerEntryKind::File | LayerEntryKind::Folder | LayerEntryKind::Special => {
                return Ok(Linked::No);
            }
        };
        // The state that is read here is kept for writing, so files are left to their own reading.
        let is_link = self.root.read_entry(&path).ok().map(|now| match now.state {
            FileState::Link { .. } => Some(true),
            FileState::Absent => Some(false),
            FileState::File { .. } | FileState::Opaque { .. } => None,
        });
        let theirs = match (is_link.flatten(), target) {
            (Some(_), Some(Some(target))) => Found::Link(target.to_owned()),
            (Some(true), None) => Found::Absent,
            (_, _) => return Ok(Linked::No),
        };
        let now = look_at_entry(&self.root, &mut self.placings, &path);
        if is_same(&theirs, &now) {
            return Ok(Linked::AsInTree);
        }
        let base = self.base.version(&self.layer, &self.about, shown, &now)?;
        let mut merged = match base {
            Some(base) => merge(&base, &theirs, &now),
            None => Merged {
                goal: theirs.clone(),
                doubtful: vec![EVERYTHING],
            },
        };
        if is_same(&merged.goal, &now) {
            return Ok(Linked::AsInTree);
        }
        if let Found::Link(to) = &theirs
            && let Err(refusal) = link_protection(&self.root, &path, to)
        {
            merged.goal = Found::Refused(refusal);
        }
        Ok(Linked::Changed(Box::new(Candidate {
            name: shown.to_owned(),
            now,
            merged,
        })))
    }
}
