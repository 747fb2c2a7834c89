//! Reading: opening what there is to read, moving in it, searching in it.

use super::prompt;
use crate::review::{result, three_texts};
use crate::ui::action::Effect;
use crate::ui::app::{App, Tone};
use crate::ui::check::CheckNews;
use crate::ui::command::{Command, Reading, Scroll};
use crate::ui::highlight::{Half, Judgement, Source};
use crate::ui::keymap::Place;
use crate::ui::mode::Mode;
use crate::ui::paint;
use crate::ui::plan;
use crate::ui::reader::{Comparison, FileResult, Reader, What};

pub(super) fn read(app: &mut App, reading: Reading) -> Effect {
    match reading {
        Reading::Result => {
            if let Some(file) = app.file() {
                return open_result(app, file);
            }
            app.say(Tone::Refused, "no file here");
        }
        Reading::Plan => return open_plan(app),
        Reading::Compare => open_comparison(app),
        Reading::Next => return step(app, 1),
        Reading::Previous => return step(app, -1),
        Reading::Search => prompt::search_reader(app),
        Reading::NextFound => found(app, 1),
        Reading::PreviousFound => found(app, -1),
        Reading::Check => return check(app),
    }
    Effect::None
}

fn open(app: &mut App, what: What) {
    let from_batch = match &app.reader {
        Some(reader) if matches!(app.mode, Mode::Read) => reader.from_batch,
        Some(_) | None => matches!(app.mode, Mode::Batch),
    };
    let mut reader = Reader::new(what, from_batch);
    reader.fit(app.size.width);
    app.reader = Some(reader);
    app.mode = Mode::Read;
}

fn open_result(app: &mut App, file: usize) -> Effect {
    let composed = result(&app.session.files[file]);
    let first = composed.added.first().map_or(0, |lines| lines.start);
    app.colours.renewed(Source {
        file,
        half: Half::Result,
    });
    open(
        app,
        What::Result(FileResult {
            file,
            fate: composed.fate,
            text: composed.text,
            added: composed.added,
            judgement: None,
        }),
    );
    app.cases += 1;
    let last = height(app).saturating_sub(page(app));
    go(app, first.saturating_sub(page(app) / 3).min(last));
    Effect::Judge
}

fn open_plan(app: &mut App) -> Effect {
    let stamp = app.stamp;
    let due = (app.check.as_mut()).filter(|check| check.is_due(stamp));
    let effect = due.map_or(Effect::None, |check| {
        check.begin(stamp);
        Effect::Check
    });
    let plan = plan::plan(app);
    open(app, What::Plan(plan));
    effect
}

fn open_comparison(app: &mut App) {
    let Some(id) = app.stream.hunk() else {
        return app.say(Tone::Refused, "no hunk here");
    };
    let rows = three_texts(&app.session.files[id.file], id.hunk);
    if rows.is_empty() {
        return app.say(Tone::Refused, "this hunk has no lines to compare");
    }
    let shown = 2;
    open(
        app,
        What::Compare(Comparison {
            hunk: id,
            rows,
            shown,
        }),
    );
}

/// The next file in the list, or the next of the three texts.
fn step(app: &mut App, by: isize) -> Effect {
    let Some(reader) = &mut app.reader else {
        return Effect::None;
    };
    match &mut reader.what {
        What::Compare(comparison) => {
            let shown = comparison.shown.cast_signed() + by;
            comparison.shown = usize::try_from(shown.rem_euclid(3)).unwrap_or(0);
        }
        What::Result(result) => {
            let files = &app.batch.files;
            let at = files.iter().position(|&file| file == result.file);
            let next = at.and_then(|at| files.get(at.checked_add_signed(by)?).copied());
            match next {
                Some(file) => return open_result(app, file),
                None => app.say(Tone::Refused, "no more files that way"),
            }
        }
        What::Plan(_) => (),
    }
    Effect::None
}

/// Runs the check command again.
fn check(app: &mut App) -> Effect {
    let stamp = app.stamp;
    let is_plan = app.reader.as_ref().is_some_and(Reader::is_plan);
    match &mut app.check {
        Some(check) if is_plan => {
            check.begin(stamp);
            let plan = plan::plan(app);
            if let Some(reader) = &mut app.reader {
                reader.what = What::Plan(plan);
                reader.fit(app.size.width);
            }
            Effect::Check
        }
        Some(_) => Effect::None,
        None => {
            app.say(Tone::Refused, "no check command is configured");
            Effect::None
        }
    }
}

/// Takes what came of the check command, and tells it in the plan.
pub(super) fn checked(app: &mut App, news: CheckNews) {
    if let Some(check) = &mut app.check {
        check.take(news);
    }
    if let Some(mut reader) = app.reader.take() {
        if let What::Plan(plan) = &mut reader.what {
            plan::renew_check(plan, app);
            reader.fit(app.size.width);
        }
        app.reader = Some(reader);
    }
}

/// Takes what a grammar says of the result being read.
pub(super) fn judged(app: &mut App, judged: Option<Judgement>) {
    if let Some(reader) = &mut app.reader
        && let What::Result(result) = &mut reader.what
    {
        result.judgement = judged.filter(|judged| judged.number == app.cases);
    }
}

/// Goes back to where it was opened.
pub(super) fn leave(app: &mut App) {
    let from_batch = app.reader.take().is_some_and(|reader| reader.from_batch);
    app.mode = if from_batch {
        Mode::Batch
    } else {
        Mode::Review
    };
}

/// The number of lines to read.
pub(super) fn height(app: &App) -> usize {
    app.reader.as_ref().map_or(0, Reader::len)
}

/// The number of lines on the screen.
pub(super) fn page(app: &App) -> usize {
    let head = app.reader.as_ref().map_or(0, Reader::head);
    usize::from(app.size.height).saturating_sub(2 + head).max(1)
}

/// Puts a line at the top.
pub(super) fn go(app: &mut App, top: usize) {
    if let Some(reader) = &mut app.reader {
        reader.top = top;
    }
}

pub(super) fn scroll(app: &mut App, by: isize) {
    let last = height(app).saturating_sub(page(app));
    if let Some(reader) = &mut app.reader {
        reader.top = reader.top.saturating_add_signed(by).min(last);
    }
}

pub(super) fn sideways(app: &mut App, scroll: Scroll, by: usize) {
    let page = page(app);
    let Some(reader) = &mut app.reader else {
        return;
    };
    // The lines of a plan are broken where the screen ends.
    let end = if reader.is_plan() { 0 } else { reader.len() };
    let lines = reader.top..(reader.top + page).min(end);
    let widths = lines.map(|idx| paint::width(&reader.line(idx)));
    let widest = widths.max().unwrap_or(0).saturating_sub(1);
    reader.left = match scroll {
        Scroll::Left => reader.left.saturating_sub(by),
        Scroll::Right => (reader.left + by).min(widest),
        Scroll::RightEdge => widest.saturating_sub(usize::from(app.size.width) / 2),
        Scroll::LeftEdge
        | Scroll::CursorToTop
        | Scroll::CursorToMiddle
        | Scroll::CursorToBottom => 0,
    };
}

/// Goes to the next line that the search finds, or the previous one, round the ends.
fn found(app: &mut App, by: isize) {
    let (page, last) = (page(app), height(app).saturating_sub(page(app)));
    let Some(reader) = &mut app.reader else {
        return;
    };
    let Some(pattern) = reader.pattern.clone() else {
        let search = app
            .keymap
            .told(Place::Reader, Command::Read(Reading::Search));
        let words = format!("nothing to search for: press {search} first");
        return app.say(Tone::Refused, words);
    };
    let len = reader.len();
    let from = reader.found.unwrap_or(reader.top);
    let lines = (1..=len).map(|i| {
        let away = if by < 0 { len - i } else { i };
        (from + away) % len.max(1)
    });
    let line = { lines }.find(|&idx| pattern.is_match(&reader.line(idx)));
    match line {
        Some(line) => {
            reader.found = Some(line);
            if !(reader.top..reader.top + page).contains(&line) {
                reader.top = line.saturating_sub(page / 3).min(last);
            }
        }
        None => app.say(Tone::Refused, "not found"),
    }
}

/// Takes what is searched for, and goes to the first line that has it, from the top of the screen on.
pub(super) fn search_for(app: &mut App, pattern: Option<regex::Regex>) {
    if let Some(reader) = &mut app.reader {
        reader.pattern = pattern;
        reader.found = Some(
            reader
                .top
                .checked_sub(1)
                .unwrap_or(reader.len().saturating_sub(1)),
        );
        if reader.pattern.is_some() {
            found(app, 1);
        }
    }
}
