//! Diffs of one file that lead from version to version, as `git log -p` and `git format-patch` list them.
//!
//! If the `index` line of each diff names the version that the one before leaves, and the first the file as it is, every hunk has its place
//! in its own version. Nothing is searched for in the file: hunks of other lines are decided by themselves, and those that change lines of
//! earlier ones are one change with them.

use std::slice;
use std::sync::Arc;

use super::new_hunk::hunk_review;
use super::part::{Intake, VersionSource, named};
use super::text_review::text_review;
use crate::locate::{Composed, Placement, Tolerance, compose};
use crate::proposal::{FinalNewline, Operation};
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::hunk::{ChangedLine, HunkReview, Outcome};
use crate::review::session::pair::pair_placed;
use crate::review::session::versions::Found;
use crate::text::{Document, LineNo};

/// Reviews diffs of successive versions of a file, the first of which it has; `None` for anything else.
pub(super) fn review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> Option<FileReview> {
    let Found::Text {
        document: base,
        executable,
    } = &group.first()?.found
    else {
        return None;
    };
    if group.len() < 2 || !group.iter().all(changes_lines_only) {
        return None;
    }
    let mut now = Arc::clone(base);
    let (mut hunks, mut changes) = (Vec::new(), Vec::new());
    for part in group {
        let bytes = now.encode(now.text()).ok()?;
        if !part.change.blobs.as_ref()?.is_before(&bytes) {
            return None;
        }
        let alone = Intake {
            found: Found::Text {
                document: Arc::clone(&now),
                executable: *executable,
            },
            ..part.clone()
        };
        let review = text_review(slice::from_ref(&alone), tolerance, versions);
        let mut of_version = Vec::new();
        for (hunk, at) in review.hunks.iter().zip(hunks.len()..) {
            let own = hunk.placement()?.changes.iter().cloned();
            of_version.extend(own.map(|change| (at, change)));
        }
        of_version.sort_by_key(|(_, change)| (change.lines.start, change.lines.end));
        changes.push(of_version);
        now = Arc::clone(review.yours());
        hunks.extend(review.hunks);
    }
    for together in compose(base, changes, hunks.len()) {
        place_together(&mut hunks, base, together);
    }
    let review = FileReview::new(
        FileKind::Modified,
        Arc::clone(base),
        hunks,
        FileContent::Text,
    );
    let review = named(review, group);
    (review.yours().text() == now.text()).then_some(review)
}

/// Returns true for a diff that names its versions and changes lines, but neither the mode of the file nor the newline at its end.
fn changes_lines_only(part: &Intake) -> bool {
    let change = &part.change;
    change.operation == Operation::Modify
        && change.executable.is_none()
        && change.blobs.is_some()
        && !change.hunks.is_empty()
        && (change.hunks.iter()).all(|hunk| hunk.final_newline == FinalNewline::Keep)
}

/// Gives hunks that are one change their place in the file: the first leads, the others follow.
fn place_together(hunks: &mut [HunkReview], base: &Document, together: Composed) {
    let Composed {
        hunks: all,
        changes,
    } = together;
    let Some((&leader, followers)) = all.split_first() else {
        return;
    };
    let placements = all.iter().filter_map(|at| hunks[*at].placement());
    let Some(loosest) = placements.max_by_key(|placement| placement.confidence) else {
        return;
    };
    let lines = match (changes.first(), changes.last()) {
        (Some(first), Some(last)) => first.lines.start..last.lines.end,
        _ => loosest.lines.clone(),
    };
    let rows = changes.iter().flat_map(|change| pair_placed(base, change));
    let rows = rows.collect();
    let (outcome, follows) = if changes.is_empty() {
        let at = Some(LineNo::from_idx(lines.start));
        let applied = Outcome::AlreadyApplied { at };
        (applied.clone(), applied)
    } else {
        let placed = Outcome::Placed(Placement {
            lines,
            changes,
            ..loosest.clone()
        });
        let hunks = leader..leader + 1;
        (placed, Outcome::Follows { hunks })
    };
    for &at in followers {
        replace(&mut hunks[at], follows.clone(), Vec::new());
    }
    replace(&mut hunks[leader], outcome, rows);
}

/// Replaces the place and the lines of a hunk, and keeps what is known of its text.
fn replace(hunk: &mut HunkReview, outcome: Outcome, rows: Vec<ChangedLine>) {
    let (remarks, asked) = (std::mem::take(&mut hunk.remarks), hunk.asked.take());
    let placed = hunk_review(
        hunk.dialect,
        hunk.span,
        outcome,
        hunk.final_newline,
        None,
        rows,
    );
    *hunk = HunkReview {
        remarks,
        asked,
        ..placed
    };
}
