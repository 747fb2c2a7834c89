//! Comments: on lines, a hunk, a file, or everything.

use std::ops::Range;

use super::open::open;
use crate::review::{HunkId, Row, Side, Subject};
use crate::text::LineIdx;
use crate::ui::command::About;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::PromptPurpose;
use crate::ui::state::model_target::span;
use crate::ui::update::decide;

pub(crate) fn comment(app: &mut App, about: About) {
    let file = app.file();
    let lines = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => changed_among(app, rows),
        (About::Hunk, None) => line_comment_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((hunk, lines, side)) = lines {
        let said = app
            .session
            .line_comment(hunk, &lines, side)
            .map(str::to_owned);
        let purpose = PromptPurpose::CommentLines {
            hunk,
            first: lines.start,
            end: lines.end,
            side,
        };
        return open(app, purpose, &said.unwrap_or_default());
    }
    let passage = match (about, app.selected()) {
        (About::Hunk, Some(rows)) => unchanged_among(app, rows),
        (About::Hunk, None) => passage_here(app),
        (About::File | About::Batch, _) => None,
    };
    if let Some((file, lines)) = passage {
        let said = app.session.files[file].passage(&lines).map(str::to_owned);
        let (first, end) = (lines.start, lines.end);
        let purpose = PromptPurpose::CommentPassage { file, first, end };
        return open(app, purpose, &said.unwrap_or_default());
    }
    let (purpose, said) = match (about, app.stream.hunk(), file) {
        (About::Batch, _, _) => {
            let said = app.session.said_of_batch(file).map(ToOwned::to_owned);
            (PromptPurpose::CommentBatch(file), said)
        }
        (About::Hunk, Some(id), _) => {
            let said = app
                .session
                .hunk(id)
                .and_then(|hunk| hunk.state.comment.clone());
            (PromptPurpose::CommentHunk(id), said)
        }
        (About::Hunk, None, Some(file)) | (About::File, _, Some(file)) => (
            PromptPurpose::CommentFile(file),
            app.session.files[file].comment.clone(),
        ),
        (About::Hunk | About::File, _, None) => return app.notify(Tone::Refused, "no file here"),
    };
    open(app, purpose, &said.unwrap_or_default());
}

/// Returns the question about the lines among some rows.
pub(crate) fn question_among(app: &App, rows: Range<usize>) -> Option<PromptPurpose> {
    if let Some((hunk, lines, side)) = changed_among(app, rows.clone()) {
        let (first, end) = (lines.start, lines.end);
        return Some(PromptPurpose::AskLines {
            hunk,
            first,
            end,
            side,
        });
    }
    let (file, lines) = unchanged_among(app, rows)?;
    let (first, end) = (lines.start, lines.end);
    Some(PromptPurpose::AskPassage { file, first, end })
}

/// The changed lines of the first hunk among some rows.
fn changed_among(app: &App, rows: Range<usize>) -> Option<(HunkId, Range<usize>, Side)> {
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
    Some((*hunk, start..end, side))
}

/// The lines that stay among some rows of the cursor's file.
fn unchanged_among(app: &App, rows: Range<usize>) -> Option<(usize, Range<LineIdx>)> {
    let file = app.stream.file()?;
    let old = rows.filter_map(|row| {
        let Row::Context { file: of, old, .. } = app.stream.rows.get(row)? else {
            return None;
        };
        (of == file).then_some(old)
    });
    span(old).map(|lines| (file, lines))
}

/// The comment on lines that stay that the cursor is on.
fn passage_here(app: &App) -> Option<(usize, Range<LineIdx>)> {
    let Some(Row::Comment {
        file,
        about: Subject::Passage(nth),
        ..
    }) = app.stream.row()
    else {
        return None;
    };
    let said = app.session.files.get(file)?.passages.get(nth)?;
    Some((file, said.lines.clone()))
}

/// The comment on lines that the cursor is on.
fn line_comment_here(app: &App) -> Option<(HunkId, Range<usize>, Side)> {
    let Some(Row::Comment {
        file,
        about: Subject::Lines { hunk, nth },
        ..
    }) = app.stream.row()
    else {
        return None;
    };
    let id = HunkId { file, hunk };
    let said = app.session.hunk(id)?.state.line_comments.get(nth)?;
    Some((id, said.lines.clone(), said.side))
}
