//! Separates a hunk with distant changes into hunks that are decided each by itself, where nobody chose its bounds.
//!
//! A diff and a search block state where a hunk begins and ends. A whole text does not, and neither does one replacement in
//! many places: each group of their changes is a hunk. What the write as a whole would lose is held against all of them.

use std::ops::Range;
use std::sync::Arc;

use super::line_changes::stretches;
use crate::locate::Placement;
use crate::proposal::{Extent, FinalNewline};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{
    ChangedLine, HunkReview, HunkState, Outcome, SeenLines, StatedHunk,
};

/// Separates the hunks of a file, which keep their order.
pub(in crate::review) fn separate(mut review: FileReview) -> FileReview {
    let groups: Vec<Vec<Range<usize>>> = review.hunks.iter().map(groups).collect();
    if groups.iter().all(|groups| groups.len() < 2) {
        return review;
    }
    let mut hunks = Vec::new();
    // The positions of what each hunk has become.
    let mut positions: Vec<Range<usize>> = Vec::with_capacity(groups.len());
    for (hunk, groups) in review.hunks.into_iter().zip(groups) {
        let start = hunks.len();
        match groups.as_slice() {
            [] | [_] => hunks.push(hunk),
            several => hunks.extend(
                several
                    .iter()
                    .map(|group| piece(&hunk, group, review.base.len())),
            ),
        }
        positions.push(start..hunks.len());
    }
    for hunk in &mut hunks {
        if let Outcome::Follows { hunks: leaders } = &mut hunk.outcome
            && let Some(of) = positions.get(leaders.clone())
            && let (Some(first), Some(last)) = (of.first(), of.last())
        {
            *leaders = first.start..last.end;
        }
    }
    review.hunks = hunks;
    review.rebuild();
    review
}

/// Groups the changed lines of a hunk by nearness, as ranges of their positions; one group at most if its bounds were chosen.
fn groups(hunk: &HunkReview) -> Vec<Range<usize>> {
    if hunk.placement().is_none() || has_bounds(hunk) {
        return Vec::new();
    }
    stretches(hunk.proposed.iter().map(|line| line.at..line.end()))
}

/// Returns true if the edit states where the hunk begins and ends.
fn has_bounds(hunk: &HunkReview) -> bool {
    let Some(asked) = hunk.asked.as_ref().and_then(StatedHunk::hunk) else {
        // A whole text, whose lines nobody looked for.
        return false;
    };
    match asked.extent {
        Extent::EveryText
        | Extent::Texts(_)
        | Extent::Sketch
        | Extent::JsonPatch
        | Extent::Pattern { .. } => false,
        Extent::Lines
        | Extent::Insertion
        | Extent::Text
        | Extent::Span { .. }
        | Extent::Numbered(_)
        | Extent::Cell { .. }
        | Extent::Hashed(_) => true,
    }
}

/// The hunk of some of the changed lines of another, in a file of `len` lines.
fn piece(hunk: &HunkReview, group: &Range<usize>, len: usize) -> HunkReview {
    let proposed: Arc<[ChangedLine]> = hunk.proposed[group.clone()].into();
    let lines = proposed[0].at..proposed[proposed.len() - 1].end();
    let own = |placement: &Placement| {
        let changes = placement.changes.iter();
        let changes = changes
            .filter(|change| lines.start <= change.lines.start && change.lines.end <= lines.end);
        Placement {
            lines: lines.clone(),
            changes: changes.cloned().collect(),
            ..placement.clone()
        }
    };
    let outcome = match hunk.placement() {
        Some(placement) => Outcome::Placed(own(placement)),
        None => hunk.outcome.clone(),
    };
    let final_newline = if lines.end == len {
        hunk.final_newline
    } else {
        FinalNewline::Keep
    };
    HunkReview {
        outcome,
        final_newline,
        state: HunkState::new(Arc::clone(&proposed), false),
        proposed,
        seen: SeenLines::default(),
        ..hunk.clone()
    }
}
