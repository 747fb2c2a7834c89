//! How far a file's hunks have moved together.

use std::collections::BTreeMap;

use super::found::{AllDone, Found};
use crate::text::LineIdx;

/// How far surely placed hunks stand from where they say.
pub(in super::super) struct Offsets(BTreeMap<LineIdx, isize>);

impl Offsets {
    pub(in super::super) fn of(found: &[Option<Found<'_>>], done: &AllDone) -> Self {
        let known = done.values().filter_map(|done| {
            let hint = done.hint?;
            Some((hint, done.start.cast_signed() - hint.cast_signed()))
        });
        let offset = |found: &Found<'_>| {
            let hint = found.hint?.idx();
            let [matched] = &found.matches[..] else {
                return None;
            };
            (found.chosen.is_none() && !found.is_doubtful)
                .then(|| (hint, matched.lines.start.cast_signed() - hint.cast_signed()))
        };
        Self(
            known
                .chain(found.iter().flatten().filter_map(offset))
                .collect(),
        )
    }

    /// The lines that a line number may mean: corrected by the offset of the hunk before and by that of the hunk after.
    pub(in super::super) fn targets(&self, hint: LineIdx) -> impl Iterator<Item = LineIdx> {
        let before = self.0.range(..hint).next_back().map(|(_, &offset)| offset);
        let after = self.0.range(hint + 1..).next().map(|(_, &offset)| offset);
        let none = if before.is_none() && after.is_none() {
            Some(0)
        } else {
            None
        };
        [before, after, none]
            .into_iter()
            .flatten()
            .map(move |offset| hint.saturating_add_signed(offset))
    }
}
