//! The lines that a comment or a question is about: the selected ones, or those of the cursor.

use std::ops::Range;

use super::decide;
use crate::review::{HunkId, Row, Side, Spot, Subject};
use crate::ui::state::app::App;
use crate::ui::state::model_target::span;

/// Returns the lines among some rows: the changed ones of the first hunk, or else those that stay.
pub(crate) fn spot_among(app: &App, rows: Range<usize>) -> Option<(usize, Spot)> {
    changed_among(app, rows.clone()).or_else(|| unchanged_among(app, rows))
}

/// The changed lines of the first hunk among some rows.
fn changed_among(app: &App, rows: Range<usize>) -> Option<(usize, Spot)> {
    let all = decide::lines_in(app, rows);
    let (hunk, _, _) = all.first()?;
    let own: Vec<_> = all.iter().filter(|(of, _, _)| of == hunk).collect();
    let start = own.iter().map(|(_, lines, _)| lines.start).min()?;
    let end = own.iter().map(|(_, lines, _)| lines.end).max()?;
    let side = own.first().map(|(_, _, side)| *side)?;
    let side = if own.iter().all(|(_, _, of)| *of == side) {
        side
    } else {
        Side::Both
    };
    let lines = start..end;
    let HunkId { file, hunk } = *hunk;
    Some((file, Spot::Lines { hunk, lines, side }))
}

/// The lines that stay among some rows of the cursor's file.
fn unchanged_among(app: &App, rows: Range<usize>) -> Option<(usize, Spot)> {
    let file = app.stream.file()?;
    let old = rows.filter_map(|row| {
        let Row::Context { file: of, old, .. } = app.stream.rows.get(row)? else {
            return None;
        };
        (of == file).then_some(old)
    });
    span(old).map(|lines| (file, Spot::Base(lines)))
}

/// The lines of the comment that the cursor is on.
pub(crate) fn spot_here(app: &App) -> Option<(usize, Spot)> {
    let Some(Row::Comment { file, about, .. }) = app.stream.row() else {
        return None;
    };
    let spot = match about {
        Subject::Lines { hunk, nth } => {
            let review = app.session.hunk(HunkId { file, hunk })?;
            let said = review.state.line_comments.get(nth)?;
            let (lines, side) = (said.lines.clone(), said.side);
            Spot::Lines { hunk, lines, side }
        }
        Subject::Passage(nth) => Spot::Base(
            app.session
                .files
                .get(file)?
                .passages
                .get(nth)?
                .lines
                .clone(),
        ),
        Subject::Batch | Subject::File | Subject::Hunk(_) | Subject::Thread(_) => return None,
    };
    Some((file, spot))
}
