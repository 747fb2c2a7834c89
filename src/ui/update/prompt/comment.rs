//! Comments: on lines, a hunk, a file, or everything.

use std::ops::Range;

use super::open::open;
use crate::review::{HunkId, Row, Side, Spot, Subject};
use crate::ui::command::About;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{PromptPurpose, TextPurpose};
use crate::ui::state::model_target::span;
use crate::ui::update::decide;

pub(crate) fn comment(app: &mut App, about: About) {
    let file = app.file();
    let spot = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => spot_among(app, rows),
        (About::Hunk, None) => spot_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((file, spot)) = spot {
        let said = match &spot {
            Spot::Lines { hunk, lines, side } => {
                let id = HunkId { file, hunk: *hunk };
                app.session.line_comment(id, lines, *side)
            }
            Spot::Base(lines) => app.session.files[file].passage(lines),
            Spot::Hunk(_) => None,
        };
        let said = said.unwrap_or_default().to_owned();
        return open(
            app,
            PromptPurpose::Text(TextPurpose::Comment(file, spot)),
            &said,
        );
    }
    let (purpose, said) = match (about, app.stream.hunk(), file) {
        (About::Batch, _, _) => {
            let said = app.session.said_of_batch(file).map(ToOwned::to_owned);
            (TextPurpose::CommentBatch(file), said)
        }
        (About::Hunk, Some(id), _) => {
            let said = app
                .session
                .hunk(id)
                .and_then(|hunk| hunk.state.comment.clone());
            (TextPurpose::Comment(id.file, Spot::Hunk(id.hunk)), said)
        }
        (About::Hunk, None, Some(file)) | (About::File, _, Some(file)) => (
            TextPurpose::CommentFile(file),
            app.session.files[file].comment.clone(),
        ),
        (About::Hunk | About::File, _, None) => return app.notify(Tone::Refused, "no file here"),
    };
    open(app, PromptPurpose::Text(purpose), &said.unwrap_or_default());
}

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
fn spot_here(app: &App) -> Option<(usize, Spot)> {
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
