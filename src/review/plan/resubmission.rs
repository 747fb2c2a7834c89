//! Edits that were written already and are sent again.
//!
//! Most of them are recognized by the text that they leave (`locate`). That does not work for a line that is added without any
//! context, or for hunks that leave behind what they look for, in a file of many equal lines. But it is known what the latest
//! batches found in the file and left there: if the same edit makes the one of the other, that batch wrote it; and it is applied
//! still if the lines that it left are in the file.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::file_review::file_review;
use super::new_hunk::bare;
use super::part::{Intake, OnlyNow, Rewrite, VersionSource};
use crate::locate::{LineMap, Tolerance};
use crate::proposal::Body;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{ChangedLine, HunkReview, Outcome, StatedHunk};
use crate::review::session::versions::Found;
use crate::text::{Document, LineIdx, LineNo};

/// Returns the review of a file in which hunks that one of the latest batches wrote are marked as already applied.
pub(in crate::review) fn mark(
    mut review: FileReview,
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    let Some(first) = group.first() else {
        return review;
    };
    if !review.hunks.iter().any(asks) {
        return review;
    }
    // A file that has no result of the edit was written by it only if it is just as the edit left it.
    let base = Arc::clone(&review.base);
    let just_left = (!may_be_written(&review)).then_some(&*base);
    for Rewrite { before, after } in versions.rewrites(&first.path, just_left) {
        let before = Arc::new(before);
        let Some(then) = on_version(group, &before) else {
            return review;
        };
        // The versions that are known now may include what the batch left, and an edit is not looked for in its own result. Only an
        // edit that the file alone did not place is placed by them.
        let knowledge: [&dyn VersionSource; 2] = [&OnlyNow, versions];
        let mut reviews = knowledge
            .into_iter()
            .map(|versions| file_review(&then, tolerance, versions));
        let made = reviews.find(|then| {
            then.refusal().is_none()
                && then.hunks.len() == review.hunks.len()
                && then.yours().text() == after.text()
        });
        if let Some(then) = made {
            let is_left = after.text() == review.base.text();
            let maps = [&*before, &after].map(|text| LineMap::of(text, &review.base));
            mark_written(
                &mut review,
                &then.hunks,
                |[was, is]: [Range<LineIdx>; 2]| {
                    // It may have been taken back since.
                    let is_there = is_left || maps[0].unchanged(&was).is_none();
                    let at = maps[1].unchanged(&is).or(is_left.then_some(is.start));
                    at.filter(|_| is_there)
                },
            );
            return review;
        }
    }
    review
}

/// Marks the hunks that a batch wrote and whose result is still in the file: `still` returns its first line there, for the lines that a
/// hunk changed and those of its result.
fn mark_written(
    review: &mut FileReview,
    then: &[HunkReview],
    still: impl Fn([Range<LineIdx>; 2]) -> Option<LineIdx>,
) {
    for ((hunk, then), lines) in review.hunks.iter_mut().zip(then).zip(results(then)) {
        let was_written = !matches!(then.outcome, Outcome::Unplaced(_) | Outcome::Refused);
        if was_written
            && asks(hunk)
            && let Some(at) = lines.and_then(&still)
        {
            let at = Some(LineNo::from_idx(at));
            let outcome = Outcome::AlreadyApplied { at };
            let (remarks, asked) = (std::mem::take(&mut hunk.remarks), hunk.asked.take());
            *hunk = HunkReview {
                remarks,
                asked,
                ..bare(hunk.dialect, hunk.span, outcome, None)
            };
        }
    }
    review.rebuild();
}

/// Returns true if a hunk asks for lines that are not in the file yet, as far as the file shows.
fn asks(hunk: &HunkReview) -> bool {
    hunk.step.is_none()
        && !matches!(
            hunk.outcome,
            Outcome::AlreadyApplied { .. } | Outcome::Refused
        )
}

/// Returns true if the file has all lines that one of the asking hunks adds: most new edits add one that it does not have, and nothing
/// is read for them.
fn may_be_written(review: &FileReview) -> bool {
    let lines: FxHashSet<&str> = review.base.lines().map(str::trim).collect();
    let mut asking = review.hunks.iter().filter(|hunk| asks(hunk));
    asking.any(|hunk| {
        let body = hunk.asked.as_ref().and_then(StatedHunk::hunk);
        body.is_none_or(|hunk| {
            let Body {
                preimage,
                postimage,
            } = &hunk.body;
            let old: FxHashSet<&String> = preimage.iter().collect();
            let mut added = postimage.iter().filter(|line| !old.contains(line));
            added.all(|line| lines.contains(line.trim()))
        })
    })
}

/// The parts for another version of a file.
fn on_version(group: &[Intake], version: &Arc<Document>) -> Option<Vec<Intake>> {
    let Found::Text { executable, .. } = group.first()?.found else {
        return None;
    };
    let mut parts = group.to_vec();
    for part in &mut parts {
        part.found = Found::Text {
            document: Arc::clone(version),
            executable,
        };
    }
    Some(parts)
}

/// Returns for each hunk the lines that it changes, and those of its result in the file after all hunks are written; empty if it only
/// adds or only removes lines.
fn results(hunks: &[HunkReview]) -> Vec<Option<[Range<LineIdx>; 2]>> {
    let growth = Growth::of(hunks);
    (hunks.iter())
        .map(|hunk| match hunk.outcome {
            Outcome::Follows { hunks: ref leaders } => growth.result(hunks.get(leaders.start)?),
            Outcome::AlreadyApplied { at } => {
                let (was, is) = (at?.idx(), growth.line_after(at?.idx()));
                Some([was..was, is..is + 1])
            }
            Outcome::Placed(_) | Outcome::Unplaced(_) | Outcome::Refused => growth.result(hunk),
        })
        .collect()
}

/// Number of lines by which a file grows before each changed line.
struct Growth<'h> {
    lines: Vec<&'h ChangedLine>,
    /// The growth before each of the lines, and after the last.
    by: Vec<isize>,
}

impl<'h> Growth<'h> {
    /// Counts the lines that hunks add and remove.
    fn of(hunks: &'h [HunkReview]) -> Self {
        let mut lines: Vec<&ChangedLine> =
            hunks.iter().flat_map(|hunk| hunk.proposed.iter()).collect();
        lines.sort_by_key(|line| line.at);
        let mut by = vec![0_isize];
        for line in &lines {
            let before = by.last().copied().unwrap_or_default();
            by.push(before + isize::from(line.adds.is_some()) - isize::from(line.removes));
        }
        Self { lines, by }
    }

    /// Returns the growth by the changes before a line.
    fn before(&self, at: LineIdx) -> isize {
        self.by[self.lines.partition_point(|line| line.at < at)]
    }

    /// Returns the position of a line once all hunks are written.
    fn line_after(&self, at: LineIdx) -> LineIdx {
        at.saturating_add_signed(self.before(at))
    }

    /// Returns the lines that a hunk changes, and those of its result.
    fn result(&self, hunk: &HunkReview) -> Option<[Range<LineIdx>; 2]> {
        let (first, last) = (hunk.proposed.first()?.at, hunk.proposed.last()?.at);
        let is_removed = (hunk.proposed.iter()).any(|line| line.removes && line.at == last);
        let after = last + usize::from(is_removed);
        let end = after.saturating_add_signed(self.before(last + 1));
        Some([first..after, self.line_after(first)..end])
    }
}
