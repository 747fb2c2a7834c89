//! Definitions around the hunks that were seen: searched for once, before the frame is drawn.

use rustc_hash::FxHashMap;

use crate::review::{HunkId, ReviewSession, enclosing_definitions, heading_line};
use crate::text::LineIdx;

/// Maximum number of hunks that are remembered.
const MOST: usize = 2000;

/// Definitions around the hunks that were seen.
#[derive(Debug, Default)]
pub struct EnclosingCache {
    /// The base line that was searched from, and the definitions around it.
    hunks: FxHashMap<HunkId, (LineIdx, Vec<String>)>,
}

impl EnclosingCache {
    /// Finds the definitions around a hunk, unless they are known.
    pub fn prepare(&mut self, session: &ReviewSession, id: HunkId) {
        let Some(file) = session.files.get(id.file) else {
            return;
        };
        let Some(line) = heading_line(file, id.hunk) else {
            self.hunks.remove(&id);
            return;
        };
        if self.hunks.get(&id).is_some_and(|(known, _)| *known == line) {
            return;
        }
        if self.hunks.len() > MOST {
            self.hunks.clear();
        }
        let around = enclosing_definitions(file, line);
        let around = around.into_iter().map(str::to_owned).collect();
        self.hunks.insert(id, (line, around));
    }

    /// Returns the definitions around a hunk, the outer one first; empty if they are not known.
    pub fn of(&self, id: HunkId) -> &[String] {
        self.hunks.get(&id).map_or(&[], |(_, around)| around)
    }

    /// Forgets all hunks, because their files changed.
    pub fn clear(&mut self) {
        self.hunks.clear();
    }
}
