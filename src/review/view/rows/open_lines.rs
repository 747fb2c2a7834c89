//! The unchanged lines that no fold hides: opened ones, those with a comment or a thread, and those with another line ending.

use std::ops::Range;

use super::row::Folds;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::Step;
use crate::review::session::placed_thread::ThreadPlace;
use crate::review::session::versions::Found;
use crate::text::LineIdx;

/// Returns the base lines of a file that no fold hides, as ranges in ascending order that do not touch.
pub(super) fn open_lines(review: &FileReview, file: usize, folds: &Folds) -> Vec<Range<LineIdx>> {
    let opened = (folds.opened.iter()).filter(|(of, _)| *of == file);
    let opened = opened.map(|(_, range)| range.clone());
    let comments = review.passages.iter().map(|said| said.lines.clone());
    let threads = (review.threads.iter()).filter_map(|thread| match thread.place {
        Some(ThreadPlace::Base(line)) => Some(line..line + 1),
        Some(ThreadPlace::Added { .. }) | None => None,
    });
    let lines = opened.chain(comments).chain(threads);
    merged(lines.chain(changed_endings(review)).collect())
}

/// Returns the lines that stay and whose line ending changes, if they are fewer than the lines that keep theirs. Where most lines
/// change, the heading of the step says it for all of them.
fn changed_endings(review: &FileReview) -> Vec<Range<LineIdx>> {
    let mut steps = review.hunks.iter().filter_map(|hunk| hunk.step.as_ref());
    let has_form = steps.any(|step| matches!(step, Step::Form { .. }));
    let new = review.sides.as_ref().map(|sides| &sides.new);
    let (true, Some(Found::Text { document: new, .. })) = (has_form, new) else {
        return Vec::new();
    };
    // After an edit that adds or removes lines, the two versions have other positions.
    if new.len() != review.right_len() {
        return Vec::new();
    }
    let mut changed = Vec::new();
    let (mut kept, mut done, mut shift) = (0, 0, 0_isize);
    let ends = [(review.base.len()..review.base.len(), 0)];
    let groups = (review.groups.iter()).map(|group| (group.base.clone(), group.adds));
    for (base, adds) in groups.chain(ends) {
        for old in done..base.start {
            if review.base.ending(old) == new.ending(old.saturating_add_signed(shift)) {
                kept += 1;
            } else {
                changed.push(old..old + 1);
            }
        }
        shift += adds.cast_signed() - base.len().cast_signed();
        done = base.end;
    }
    if changed.len() < kept {
        changed
    } else {
        Vec::new()
    }
}

/// Sorts ranges, and joins those that overlap or touch.
fn merged(mut ranges: Vec<Range<LineIdx>>) -> Vec<Range<LineIdx>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<LineIdx>> = Vec::with_capacity(ranges.len());
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            Some(_) | None => merged.push(range),
        }
    }
    merged
}
