//! Hunks under review as they begin: nothing is decided yet.

use std::ops::Range;
use std::sync::Arc;

use crate::locate::{Change, Placement, with_final_newline};
use crate::proposal::{FileChange, FinalNewline, InputSpan};
use crate::review::session::hunk::{ChangedLine, HunkReview, HunkState, Outcome, SeenLines, Step};
use crate::review::session::pair::pair;
use crate::text::{Document, LineIdx};

/// A hunk of which nothing is decided.
pub(in crate::review) fn hunk_review(
    dialect: &'static str,
    span: InputSpan,
    outcome: Outcome,
    final_newline: FinalNewline,
    step: Option<Step>,
    lines: Vec<ChangedLine>,
) -> HunkReview {
    let proposed: Arc<[ChangedLine]> = lines.into();
    let has_no_lines = step.is_some() || matches!(outcome, Outcome::Unplaced(_) | Outcome::Refused);
    let state = HunkState::new(Arc::clone(&proposed), has_no_lines);
    HunkReview {
        dialect,
        span,
        outcome,
        step,
        final_newline,
        remarks: Vec::new(),
        proposed,
        state,
        asked: None,
        part: None,
        identity: None,
        seen: SeenLines::default(),
        kept_edit: None,
    }
}

/// A hunk that changes no lines.
pub(in crate::review) fn bare(
    dialect: &'static str,
    span: InputSpan,
    outcome: Outcome,
    step: Option<Step>,
) -> HunkReview {
    hunk_review(dialect, span, outcome, FinalNewline::Keep, step, Vec::new())
}

/// A hunk whose file is already as it wants it.
pub(in crate::review) fn already(change: &FileChange) -> HunkReview {
    let outcome = Outcome::AlreadyApplied { at: None };
    bare(change.dialect, change.span, outcome, None)
}

/// A hunk that changes the file without changing any of its lines.
pub(in crate::review) fn whole_step(change: &FileChange, step: Step) -> HunkReview {
    let outcome = Outcome::Placed(whole_file(0));
    bare(change.dialect, change.span, outcome, Some(step))
}

/// From a text to other lines, and to this end of the last one: what is equal in both stays.
pub(in crate::review) fn replacement(
    base: &Document,
    lines: &[String],
    newline: FinalNewline,
) -> Vec<ChangedLine> {
    let old: Vec<&str> = base.lines().collect();
    let new: Vec<&str> = lines.iter().map(String::as_str).collect();
    let ops = similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new);
    let changes = ops
        .into_iter()
        .filter(|op| op.tag() != similar::DiffTag::Equal)
        .map(|op| Change {
            lines: op.old_range(),
            with: lines[op.new_range()].to_vec(),
        });
    with_final_newline(changes.collect(), newline, base, base.len())
        .into_iter()
        .flat_map(|change| pair(base, change.lines, change.with))
        .collect()
}

/// A placement that needs no looking for: the file as a whole.
pub(in crate::review) fn whole_file(lines: usize) -> Placement {
    Placement::exact(0..lines, Vec::new())
}

/// Returns the lines of a file after some changes, which are in order.
pub(in crate::review) fn changed(base: &Document, changes: &[Change]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut done = 0;
    let stays = |range: Range<LineIdx>| range.map(|at| base.line(at).to_owned());
    for change in changes {
        lines.extend(stays(done..change.lines.start));
        lines.extend(change.with.iter().cloned());
        done = change.lines.end;
    }
    lines.extend(stays(done..base.len()));
    lines
}
