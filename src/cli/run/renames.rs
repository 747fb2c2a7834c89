//! Renames in a layer: a removed file and a created one of the same or nearly the same content.

use std::collections::BTreeMap;
use std::path::Path;

use crate::app::three_way_merge::Merged;
use crate::review::Found;
use crate::text::Document;

/// Of two texts with at least this share of their lines in common, in hundredths, one may be the other under a new name.
pub(super) const ALIKE: usize = 60;
/// With more removed or created files than this, only equal ones are taken for renamed.
pub(super) const MOST_COMPARED: usize = 200;

/// A file of which the versions are merged.
pub(super) struct RenameCandidate {
    pub(super) name: String,
    pub(super) now: Found,
    pub(super) merged: Merged,
}

/// Pairs removed files with created ones of the same or nearly the same content. A removal for sure is paired with a doubtful creation
/// too: it waits with it.
pub(super) fn renames(candidates: &[RenameCandidate]) -> Vec<(String, String)> {
    let is_certain = |candidate: &&RenameCandidate| candidate.merged.doubtful.is_empty();
    let removed = candidates.iter().filter(|candidate| {
        matches!(candidate.merged.goal, Found::Absent) && !matches!(candidate.now, Found::Absent)
    });
    let removed: Vec<&RenameCandidate> = removed.filter(is_certain).collect();
    let created = candidates.iter().filter(|candidate| {
        matches!(candidate.now, Found::Absent) && !matches!(candidate.merged.goal, Found::Absent)
    });
    let mut created: Vec<&RenameCandidate> = created.collect();
    let is_small = removed.len().max(created.len()) <= MOST_COMPARED;
    let mut pairs = Vec::new();
    for old in removed {
        let scored = created.iter().enumerate().filter_map(|(at, new)| {
            let score = likeness(&old.now, &new.merged.goal, is_small);
            let same_name = Path::new(&old.name).file_name() == Path::new(&new.name).file_name();
            (score >= ALIKE).then_some((score, same_name, std::cmp::Reverse(at)))
        });
        if let Some((_, _, at)) = scored.max() {
            let new = created.remove(at.0);
            pairs.push((old.name.clone(), new.name.clone()));
        }
    }
    pairs
}

/// The share of lines that two versions have in common, in hundredths.
pub(super) fn likeness(old: &Found, new: &Found, by_lines: bool) -> usize {
    match (old, new) {
        (Found::Opaque(old), Found::Opaque(new)) if old.hash == new.hash => 100,
        (Found::Text { document: old, .. }, Found::Text { document: new, .. }) => {
            if old.is_empty() {
                0
            } else if old == new {
                100
            } else if by_lines {
                common_lines(old, new)
            } else {
                0
            }
        }
        (_, _) => 0,
    }
}

fn common_lines(old: &Document, new: &Document) -> usize {
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for line in old.lines() {
        *lines.entry(line).or_default() += 1;
    }
    let mut common = 0;
    for line in new.lines() {
        if let Some(left) = lines.get_mut(line)
            && *left > 0
        {
            *left -= 1;
            common += 1;
        }
    }
    common * 100 / old.len().max(new.len()).max(1)
}
