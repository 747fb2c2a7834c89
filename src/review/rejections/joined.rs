//! Changes near each other as one, with the unchanged lines between them: those of one hunk, which a person decides about as a whole, and
//! those of several.
//!
//! A diff chooses which of several equal lines stay, and chooses otherwise when more or fewer lines change around them. So two diffs of
//! one change may cut it at different lines. Joined, both have the same first and last line.

use std::ops::Range;

use super::change::ChangeLines;
use super::collect::{AROUND, ChangedRun};
use super::record::{PastVerdict, RejectedChange, ShownLines};
use crate::review::session::file::FileReview;

/// Most bytes of joined changes.
const MOST_BYTES: usize = 64 << 10;

/// Joins the rejected changes of a review that are near each other: those of each hunk, and all.
pub(super) fn joined_records(changes: &[RejectedChange]) -> Vec<RejectedChange> {
    let pairs = || changes.iter().zip(changes.iter().skip(1));
    let gaps: Vec<Option<usize>> = pairs().map(|(first, second)| gap(first, second)).collect();
    let of_one_hunk = pairs().zip(&gaps).map(|((first, second), gap)| {
        let is_one = first.hunk.is_some() && first.hunk == second.hunk;
        gap.filter(|_| is_one)
    });
    let of_one_hunk: Vec<Option<usize>> = of_one_hunk.collect();
    let mut all = joined_at(changes, &of_one_hunk);
    if gaps != of_one_hunk {
        all.extend(joined_at(changes, &gaps));
    }
    all
}

/// Joins changes that have so many unchanged lines between each and the next one.
fn joined_at(changes: &[RejectedChange], gaps: &[Option<usize>]) -> Vec<RejectedChange> {
    let mut all = Vec::new();
    let mut last: Option<RejectedChange> = None;
    for ((first, second), gap) in changes.iter().zip(changes.iter().skip(1)).zip(gaps) {
        let size = last.as_ref().map_or(0, size);
        match gap.filter(|_| size + 2 * self::size(second) <= MOST_BYTES) {
            Some(gap) => {
                let first = last.take().unwrap_or_else(|| first.clone());
                last = Some(joined(first, second, gap));
            }
            None => all.extend(last.take()),
        }
    }
    all.extend(last);
    all
}

fn size(change: &RejectedChange) -> usize {
    let lines = change.removed.iter().chain(&change.added);
    lines.map(|line| line.len() + 1).sum()
}

/// Returns the number of unchanged lines between two changes that follow each other, if they are near.
fn gap(first: &RejectedChange, second: &RejectedChange) -> Option<usize> {
    let is_rejected = |change: &RejectedChange| change.verdict == PastVerdict::Rejected;
    if first.path != second.path || !is_rejected(first) || !is_rejected(second) {
        return None;
    }
    let most = first.after.len().min(second.before.len());
    (1..=most).find(|count| is_gap(first, second, *count))
}

/// Returns true if there may be so many unchanged lines between two changes.
fn is_gap(first: &RejectedChange, second: &RejectedChange, count: usize) -> bool {
    let (between, below) = first.after.split_at(count);
    let Some(above) = second.before.strip_suffix(between) else {
        return false;
    };
    let mut below = below.iter().zip(&second.removed);
    let lines_of_first = first.before.iter().chain(&first.removed).rev();
    let mut above = above.iter().rev().zip(lines_of_first);
    below.all(|(one, other)| one == other) && above.all(|(one, other)| one == other)
}

fn joined(mut first: RejectedChange, second: &RejectedChange, gap: usize) -> RejectedChange {
    let between = &second.before[second.before.len() - gap..];
    let ShownLines { removed, added } = &second.shown;
    let [removed, added] = [
        moved_by(removed, first.removed.len() + gap),
        moved_by(added, first.added.len() + gap),
    ];
    first.shown.removed.extend(removed);
    first.shown.added.extend(added);
    first
        .removed
        .extend(between.iter().chain(&second.removed).cloned());
    first
        .added
        .extend(between.iter().chain(&second.added).cloned());
    first.after.clone_from(&second.after);
    let reasons = first.reason.iter().chain(&second.reason);
    let mut reasons: Vec<&str> = reasons.map(String::as_str).collect();
    reasons.dedup();
    first.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    first
}

fn moved_by(lines: &[Range<usize>], by: usize) -> Vec<Range<usize>> {
    let lines = lines.iter();
    lines
        .map(|lines| lines.start + by..lines.end + by)
        .collect()
}

/// Returns the positions of proposed changes that are near each other, of each several together: those of each hunk, and then all.
pub(super) fn joined_runs(runs: &[ChangedRun]) -> Vec<Range<usize>> {
    let mut all = joined_if(runs, is_one_hunk);
    let near = joined_if(runs, |_| true);
    let several = near
        .into_iter()
        .filter(|near| !is_one_hunk(&runs[near.clone()]));
    all.extend(several);
    all
}

/// Returns the positions of changes that are near each other, if each and the next one are to be joined.
fn joined_if(runs: &[ChangedRun], is_joined: fn(&[ChangedRun]) -> bool) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        let is_near = at > 0
            && run.base.start - runs[at - 1].base.end <= AROUND
            && is_joined(&runs[at - 1..=at]);
        match all.last_mut() {
            Some(last) if is_near => last.end = at + 1,
            Some(_) | None => all.push(at..at + 1),
        }
    }
    all.retain(|runs| runs.len() > 1);
    all
}

/// Returns true if each change and the next one have lines of one hunk.
fn is_one_hunk(runs: &[ChangedRun]) -> bool {
    runs.windows(2).all(|pair| {
        let [last, first] = [pair[0].hunks.last(), pair[1].hunks.first()];
        last.zip(first)
            .is_some_and(|(last, first)| last.0 == first.0)
    })
}

/// Returns the lines of proposed changes with the unchanged ones between them.
pub(super) fn joined_lines<'a>(
    file: &'a FileReview,
    runs: &[ChangedRun],
) -> Option<ChangeLines<'a>> {
    let (first, last) = (runs.first()?, runs.last()?);
    let mut added = Vec::new();
    let mut done = first.base.start;
    for run in runs {
        added.extend((done..run.base.start).map(|line| file.base.line(line)));
        added.extend(run.added(file));
        done = run.base.end;
    }
    let whole = ChangedRun {
        base: first.base.start..last.base.end,
        hunks: Vec::new(),
    };
    let [before, after] = whole.around(file);
    Some(ChangeLines {
        removed: whole.removed(file),
        added,
        before,
        after,
    })
}
