//! Hunks that a proposal holds twice.

use rustc_hash::FxHashMap;

use super::found::Found;
use crate::proposal::Body;
use crate::text::LineNo;

/// For each hunk the first one that is the same edit: of the same lines, and with the same line number. The two are meant for
/// one place, so the second must not get another one because the first has that.
pub(super) fn twins(found: &[Option<Found<'_>>]) -> Vec<Option<usize>> {
    let mut first: FxHashMap<(LineNo, &Body), usize> = FxHashMap::default();
    let hunks = found
        .iter()
        .map(|found| found.as_ref().map(|found| found.hunk));
    let hunks = hunks.enumerate().map(|(i, hunk)| {
        let hunk = hunk?;
        let known = *first.entry((hunk.hint?, &hunk.body)).or_insert(i);
        (known < i).then_some(known)
    });
    hunks.collect()
}
