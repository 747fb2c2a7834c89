//! Separates a hunk with distant changes into hunks that are decided each by itself, where nobody chose its bounds.
//!
//! A diff and a search block state where a hunk begins and ends. A whole text does not, and neither does one replacement in
//! many places: each group of their changes is a hunk. What the write as a whole would lose is held against all of them.

use std::mem;
use std::ops::Range;
use std::sync::Arc;

use super::line_changes::stretches;
use crate::locate::Unplaced;
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
            several => hunks.extend(pieces(hunk, several, review.base.len())),
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
        if let Outcome::Unplaced(Unplaced::Overlap { with, .. }) = &mut hunk.outcome
            && let Some(of) = positions.get(*with)
        {
            *with = of.start;
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

/// The hunks of some groups of the changed lines of another, in a file of `len` lines.
fn pieces(
    mut hunk: HunkReview,
    groups: &[Range<usize>],
    len: usize,
) -> impl Iterator<Item = HunkReview> {
    // Each piece has its own of these.
    let proposed = mem::replace(&mut hunk.proposed, Arc::new([]));
    hunk.state = HunkState::new(Arc::clone(&hunk.proposed), false);
    hunk.seen = SeenLines::default();
    let changes = match &mut hunk.outcome {
        Outcome::Placed(placement) => mem::take(&mut placement.changes),
        Outcome::AlreadyApplied { .. }
        | Outcome::Refused
        | Outcome::Follows { .. }
        | Outcome::Unplaced(_) => Vec::new(),
    };
    groups.iter().map(move |group| {
        let proposed: Arc<[ChangedLine]> = proposed[group.clone()].into();
        let lines = proposed[0].at..proposed[proposed.len() - 1].end();
        let mut piece = hunk.clone();
        if let Outcome::Placed(placement) = &mut piece.outcome {
            let first = changes.partition_point(|change| change.lines.start < lines.start);
            let own = changes[first..].iter();
            let own = own.take_while(|change| change.lines.end <= lines.end);
            placement.changes = own.cloned().collect();
            placement.lines = lines.clone();
        }
        if lines.end != len {
            piece.final_newline = FinalNewline::Keep;
        }
        piece.state = HunkState::new(Arc::clone(&proposed), false);
        piece.proposed = proposed;
        piece
    })
}
