//! Hunks that state other line endings than their file has.
//!
//! The file keeps its endings, and new lines take them: most carriage returns in an edit are those of the system on which it was made. The
//! note names what is left out of the edit.

use crate::review::session::hunk::{HunkReview, Outcome, Remark, StatedHunk};
use crate::text::{Document, LineEnding};

/// Notes it at the hunks that have a place in a file with one kind of line ending.
pub(super) fn note(reviews: &mut [HunkReview], hunks: &[StatedHunk], base: &Document) {
    let states = |hunk: &StatedHunk| hunk.hunk().is_some_and(|hunk| !hunk.endings.is_empty());
    if !hunks.iter().any(states) || !base.has_one_ending() {
        return;
    }
    let kept = base.ending_near(0);
    for (review, hunk) in reviews.iter_mut().zip(hunks) {
        let endings = hunk.hunk().map_or(&[][..], |hunk| &hunk.endings);
        let is_other = |ending: &LineEnding| !matches!(ending, LineEnding::None) && *ending != kept;
        if endings.iter().any(is_other) && matches!(review.outcome, Outcome::Placed(_)) {
            review.remarks.push(Remark::Endings(kept));
        }
    }
}
