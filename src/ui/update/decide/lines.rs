//! Deciding lines by themselves, and nothing else of their hunks.

use std::ops::Range;

use super::verdict::{decision, word};
use crate::review::{HunkId, Layout, Mark, Row, Side, Target};
use crate::text::plural;
use crate::ui::command::DecideAction;
use crate::ui::state::app::{App, Tone};

/// Decides the changed lines among some rows, and nothing else of their hunks.
pub(crate) fn decide_rows(app: &mut App, rows: Range<usize>, verdict: DecideAction) {
    let targets = lines_in(app, rows.clone());
    if decide_lines(app, targets, verdict) {
        app.stream.go(&app.session, rows.end, true);
    }
}

/// Decides the changed lines of some rows in one step, wherever in their file these are; the cursor stays.
pub(crate) fn decide_picked(app: &mut App, rows: &[usize], verdict: DecideAction) {
    let lines = rows.iter().flat_map(|&row| lines_in(app, row..row + 1));
    let lines = lines.collect();
    decide_lines(app, lines, verdict);
}

/// Decides lines in one step; whether there are any.
fn decide_lines(
    app: &mut App,
    lines: Vec<(HunkId, Range<usize>, Side)>,
    verdict: DecideAction,
) -> bool {
    if lines.is_empty() {
        app.notify(Tone::Refused, "no changed line is selected");
        return false;
    }
    let marks = lines
        .iter()
        .filter_map(|(hunk, lines, _)| app.session.hunk(*hunk)?.mark_of(lines.clone()));
    let decision = decision(verdict, Mark::of(marks).unwrap_or(Mark::Undecided));
    let count: usize = lines.iter().map(|(_, lines, _)| lines.len()).sum();
    let file = lines.first().map(|(hunk, _, _)| hunk.file);
    let target = |(hunk, lines, side)| Target::Lines { hunk, lines, side };
    let targets: Vec<Target> = lines.into_iter().map(target).collect();
    app.session.decide_all(&targets, decision);
    app.decisions_changed(file);
    let lines = plural(count, "line");
    app.notify(Tone::Done, format!("{lines} {}", word(decision)));
    true
}

/// The changed lines among some rows of the file that the first of them is in, those that follow each other together.
pub(crate) fn lines_in(app: &App, rows: Range<usize>) -> Vec<(HunkId, Range<usize>, Side)> {
    let file = app.stream.rows.get(rows.start).map(Row::file);
    let mut targets: Vec<(HunkId, Range<usize>, Side)> = Vec::new();
    for row in rows.filter_map(|idx| app.stream.rows.get(idx)) {
        let (id, lines, side) = match row {
            Row::Change { id, line, side, .. } => (id, line..line + 1, side),
            Row::FoldedChange {
                id,
                start,
                end,
                side,
                ..
            } => (id, start..end, side),
            Row::File { .. }
            | Row::Note { .. }
            | Row::Hunk { .. }
            | Row::Context { .. }
            | Row::Fold { .. }
            | Row::Elsewhere { .. }
            | Row::Purpose { .. }
            | Row::Comment { .. }
            | Row::Problem { .. }
            | Row::Gap { .. } => continue,
        };
        if Some(id.file) != file {
            continue;
        }
        // A row that shows both sides of its line is about both, whichever it has.
        let side = match app.stream.layout {
            Layout::Split => Side::Both,
            Layout::Unified => side,
        };
        match targets.last_mut() {
            Some((hunk, known, of)) if *hunk == id && *of == side && known.end == lines.start => {
                known.end = lines.end;
            }
            Some(_) | None => targets.push((id, lines, side)),
        }
    }
    targets
}

/// Decides one changed line, or one side of it.
pub(crate) fn toggle_line(app: &mut App, hunk: HunkId, line: usize, side: Side) {
    let Some(review) = app.session.hunk(hunk) else {
        return;
    };
    let marks = review.state.marks.get(line).copied().unwrap_or_default();
    let now = if side == Side::Old {
        marks.removed
    } else {
        marks.added
    };
    let target = Target::Lines {
        hunk,
        lines: line..line + 1,
        side,
    };
    app.session
        .decide(&target, decision(DecideAction::Toggle, now.into()));
    app.decisions_changed(Some(hunk.file));
}
