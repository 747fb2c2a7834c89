//! The lines that a proposed change has in common with a rejected one, of those that the person was shown.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::collect::ChangedRun;
use super::record::RejectedChange;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::ShownBefore;

/// Returns, for each hunk of a run, the changed lines that a rejected change has as well, in the same order and with the same
/// indentation, and that were shown in its review.
pub(super) fn shown_before(
    file: &FileReview,
    run: &ChangedRun,
    rejected: &RejectedChange,
) -> Vec<Vec<ShownBefore>> {
    let shown = &rejected.shown;
    let removed = positions(&rejected.removed, &run.removed(file), &shown.removed);
    let added = positions(&rejected.added, &run.added(file), &shown.added);
    let mut added = added.into_iter();
    let mut of_hunks = Vec::new();
    for (hunk, lines) in &run.hunks {
        let changed = file.hunks[*hunk].state.lines.get(lines.clone());
        let mut shown = Vec::new();
        for (line, changed) in lines.clone().zip(changed.unwrap_or_default()) {
            let at = changed.at.checked_sub(run.base.start);
            let at = at.filter(|_| changed.removes);
            let known = ShownBefore {
                line,
                removed: at.and_then(|at| removed.get(at).copied().flatten()),
                added: (changed.adds.as_ref()).and_then(|_| added.next().flatten()),
            };
            if known.removed.is_some() || known.added.is_some() {
                shown.push(known);
            }
        }
        of_hunks.push(shown);
    }
    of_hunks
}

/// Returns the position of each line among the old ones, if it is there and was shown.
fn positions(old: &[String], new: &[&str], shown: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut positions = vec![None; new.len()];
    if shown.is_empty() {
        return positions;
    }
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let mut shown = shown.iter().peekable();
    for op in capture_diff_slices(Algorithm::Myers, &old, new) {
        if op.tag() != DiffTag::Equal {
            continue;
        }
        for (at, position) in op.old_range().zip(&mut positions[op.new_range()]) {
            while shown.next_if(|range| range.end <= at).is_some() {}
            let is_shown = shown.peek().is_some_and(|range| range.contains(&at));
            *position = is_shown.then_some(at);
        }
    }
    positions
}
