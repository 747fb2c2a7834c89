//! Doubts whether the text of an edit is what its author meant.
//!
//! A comment such as `# other cases stay` may belong in the file, or be written in place of code. A diff of git names the version that it
//! leads to in its `index` line. If the edits make that version, the diff was computed from two files, and nothing was left out of it.

use super::edit_markers::added_markers;
use super::loss::withhold;
use super::part::Intake;
use super::unseen::UnseenTexts;
use crate::locate::{Confidence, adds_doubtful_entities};
use crate::proposal::Hunk;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkReview, Loss, Outcome, Remark};
use crate::text::Document;

/// Reasons to ask a person about a hunk whose place is certain.
pub(in crate::review) enum TextDoubt {
    /// It adds entities such as `&lt;` that may be escaped characters.
    Entities,
    /// It seems to lose text.
    Loss(Loss),
}

/// The hunks of a file, each with its place or why it has none.
pub(in crate::review) struct PlacedHunks {
    pub(in crate::review) hunks: Vec<HunkReview>,
    /// Doubts about them, by their positions.
    pub(in crate::review) doubts: Vec<(usize, TextDoubt)>,
}

impl PlacedHunks {
    /// Hunks about which nothing is in doubt.
    pub(in crate::review) fn certain(hunks: Vec<HunkReview>) -> Self {
        Self {
            hunks,
            doubts: Vec::new(),
        }
    }
}

/// Finds reasons to doubt that the text of a placed hunk is what its author meant. `unseen` finds what the hunk removes without quoting it.
pub(super) fn text_doubts(
    review: &HunkReview,
    hunk: &Hunk,
    (base, unseen): (&Document, &UnseenTexts<'_>),
    path: &str,
) -> Vec<TextDoubt> {
    let Outcome::Placed(placement) = &review.outcome else {
        return Vec::new();
    };
    let mut found = Vec::new();
    if adds_doubtful_entities(base, hunk, &placement.changes) {
        found.push(TextDoubt::Entities);
    }
    let loss = unseen.loss(path, hunk, &placement.changes).or_else(|| {
        let added = review.proposed.iter();
        let added = added.filter_map(|line| line.adds.as_deref());
        added_markers(path, base, added)
    });
    found.extend(loss.map(TextDoubt::Loss));
    found
}

/// Withholds the hunks of a file that are in doubt, by their positions, unless the edits make the version that a diff names.
pub(super) fn withhold_doubtful(
    review: &mut FileReview,
    group: &[Intake],
    doubts: Vec<(usize, TextDoubt)>,
) {
    if doubts.is_empty() || makes_named_version(review, group) {
        return;
    }
    for (at, doubt) in doubts {
        let hunk = &mut review.hunks[at];
        match doubt {
            TextDoubt::Loss(loss) => withhold(hunk, Some(loss)),
            TextDoubt::Entities => {
                if let Outcome::Placed(placement) = &mut hunk.outcome {
                    placement.confidence = placement.confidence.max(Confidence::Fuzzy);
                    hunk.remarks.push(Remark::Entities);
                }
            }
        }
    }
}

/// Returns true if the edits make the version of the file that the last of their diffs names as the one after it.
fn makes_named_version(review: &FileReview, group: &[Intake]) -> bool {
    let mut named = (group.iter().rev()).filter_map(|part| part.change.blobs.as_ref());
    named.next().is_some_and(|blobs| {
        let made = review.base.encode(review.yours().text());
        made.is_ok_and(|made| blobs.is_after(&made))
    })
}
