//! Placing a hunk by hand: going through places, and staying at one.

use std::sync::Arc;

use crate::review::{HunkId, HunkReview, NotPlaced, Row};
use crate::text::{LineIdx, LineNo};
use crate::ui::command::{ByHand, Command, DecideAction, Scope};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, Placing};
use crate::ui::state::unplaced_help;

/// Lines that are opened above and below the place.
const AROUND: usize = 6;

pub(crate) fn place(app: &mut App, step: ByHand) {
    match step {
        ByHand::Begin => begin(app),
        ByHand::Next => near(app, |at, near| {
            let here = near.iter().position(|&other| other == at);
            let next = here.map_or(0, |here| (here + 1) % near.len());
            near.get(next).copied()
        }),
        ByHand::Previous => near(app, |at, near| {
            let here = near.iter().position(|&other| other == at);
            let before = here.unwrap_or(0).checked_sub(1);
            near.get(before.unwrap_or(near.len().saturating_sub(1)))
                .copied()
        }),
        ByHand::Take => take(app),
    }
}

fn begin(app: &mut App) {
    let Some(id) = app.stream.hunk() else {
        return app.notify(Tone::Refused, unplaced_help::no_hunk(app));
    };
    let near = app.session.places_near(id);
    let placed = app.session.hunk(id).and_then(|hunk| hunk.placement());
    let at = placed.map(|placement| placement.lines.start);
    if let Err(why) = app.session.begin_place(id) {
        let words = match why {
            NotPlaced::HasPlace => unplaced_help::words(app, id),
            NotPlaced::Split
            | NotPlaced::NoLines
            | NotPlaced::Applied(_)
            | NotPlaced::Changed(_)
            | NotPlaced::Overlaps(_) => None,
        };
        return app.notify(Tone::Refused, words.unwrap_or_else(|| why.to_string()));
    }
    let at = at.or_else(|| near.first().copied()).unwrap_or(0);
    app.mode = Mode::Place(Box::new(Placing {
        hunk: id,
        near,
        at,
        refused: None,
        opened: at..at,
    }));
    go(app, at);
}

/// Goes to another of the places that come near.
fn near(app: &mut App, other: impl Fn(LineIdx, &[LineIdx]) -> Option<LineIdx>) {
    let Mode::Place(placing) = &app.mode else {
        return;
    };
    match other(placing.at, &placing.near) {
        Some(at) => go(app, at),
        None => app.notify(Tone::Refused, "no similar place: go to a line, or click it"),
    }
}

/// Shows the hunk at a line.
pub(crate) fn go(app: &mut App, at: LineIdx) {
    let Mode::Place(placing) = &mut app.mode else {
        return;
    };
    let hunk = placing.hunk;
    let before = Arc::clone(app.session.files[hunk.file].yours());
    let tried = app.session.try_place(at);
    placing.at = at;
    placing.refused = tried.err();
    let opened = at.saturating_sub(AROUND)..at + AROUND;
    let was = std::mem::replace(&mut placing.opened, opened.clone());
    let folds = &mut app.stream.folds;
    folds.closed.retain(|&closed| closed != hunk.file);
    folds
        .opened
        .retain(|(file, lines)| *file != hunk.file || *lines != was);
    folds.opened.push((hunk.file, opened));
    // A place that is only tried decides and counts nothing.
    let counts = app.summaries.counts_with(hunk.file);
    app.lines_edited(hunk.file, 0, &before);
    app.summaries.keep_counts(hunk.file, &counts);
    app.stream.lay_out_file(&app.session, hunk.file);
    if let Some(why) = tried.err() {
        app.notify(Tone::Refused, why.to_string());
    }
    show(app, hunk, at);
}

/// Brings the place into sight: the first line that would change, or the line itself.
fn show(app: &mut App, hunk: HunkId, at: LineIdx) {
    let rows = &app.stream.rows;
    let own = |row: Row| matches!(row, Row::Change { id, .. } if id == hunk);
    let named = |row: Row| row.lines().0 == Some(at);
    let file = rows.of_file(hunk.file);
    let row = rows
        .find_in_file(hunk.file, own)
        .or_else(|| rows.find_in_file(hunk.file, named))
        .unwrap_or_else(|| file.end.saturating_sub(1).max(file.start));
    app.stream.jump(&app.session, row);
    app.stream.align(&app.session, app.stream.page() / 3);
    app.stream.show_cursor(&app.session);
}

/// Chooses the line of a row that was clicked.
pub(crate) fn point(app: &mut App, row: usize) {
    let Mode::Place(placing) = &app.mode else {
        return;
    };
    let file = placing.hunk.file;
    let old = match app.stream.rows.get(row) {
        Some(Row::Context { file: of, old, .. }) if of == file => Some(old),
        Some(Row::Change { id, old, .. }) if id.file == file => old,
        Some(_) | None => None,
    };
    if let Some(at) = old {
        go(app, at);
    }
}

fn take(app: &mut App) {
    let Mode::Place(placing) = &app.mode else {
        return;
    };
    if let Some(why) = placing.refused {
        return app.notify(Tone::Refused, why.to_string());
    }
    let (id, opened, at) = (placing.hunk, placing.opened.clone(), placing.at);
    app.session.finish_place();
    end(app, id, &opened);
    // The line that the heading names.
    let line = app.session.hunk(id).map_or(at, HunkReview::first_line);
    let line = LineNo::from_idx(line);
    let accept = app.key(Command::Decide(Scope::Here, DecideAction::Accept));
    let undo = app.key(Command::Undo);
    let words =
        format!("placed by hand at line {line}: {accept} accepts it, {undo} takes the place back");
    app.notify(Tone::Done, words);
}

/// Leaves the hunk where it was.
pub(crate) fn cancel(app: &mut App, placing: &Placing) {
    let id = placing.hunk;
    let before = Arc::clone(app.session.files[id.file].yours());
    app.session.cancel_place();
    app.lines_edited(id.file, 0, &before);
    end(app, id, &placing.opened);
}

fn end(app: &mut App, id: HunkId, opened: &std::ops::Range<LineIdx>) {
    app.mode = Mode::Review;
    let folds = &mut app.stream.folds.opened;
    folds.retain(|(file, lines)| *file != id.file || lines != opened);
    app.stream.lay_out_file(&app.session, id.file);
    app.decisions_changed(Some(id.file));
    app.go_to_hunk(id);
}
