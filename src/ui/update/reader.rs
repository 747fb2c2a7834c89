//! Reading: opening what there is to read, moving in it, searching in it.

use crate::review::{
    DiffPosition, Direction, HunkId, HunkReview, Row, not_removed_words, result, result_changes,
    result_line, three_texts, three_texts_at, three_texts_without_place,
};
use crate::ui::action::Effect;
use crate::ui::command::{Command, ReaderPage, Scroll};
use crate::ui::glyphs;
use crate::ui::highlight::{Half, SyntaxReport, TextSource};
use crate::ui::keymap::KeyContext;
use crate::ui::services::check::{CheckNews, CheckState, CheckTask};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, PromptPurpose};
use crate::ui::state::plan;
use crate::ui::state::reader::{Comparison, FileResult, Reader, ReaderContent};
use crate::ui::state::unplaced_help;
use crate::ui::update::comparison_note::{likely_place, no_place_words, nothing_left};
use crate::ui::update::open_prompt::open;
use crate::ui::update::result_change::next_change;

/// Message while the hunk that breaks the check is searched for.
const FINDING: &str = "the check runs on fewer and fewer hunks";
/// Refusal where no check command is set.
const NO_CHECK: &str = "no check command is configured";

pub(crate) fn read(app: &mut App, reading: ReaderPage) -> Effect {
    match reading {
        ReaderPage::Result => {
            if let Some(file) = app.file() {
                return open_result(app, file);
            }
            app.notify(Tone::Refused, "no file here");
        }
        ReaderPage::Plan => return open_plan(app),
        ReaderPage::Compare => open_comparison(app),
        ReaderPage::Next => return step(app, 1),
        ReaderPage::Previous => return step(app, -1),
        ReaderPage::NextPlace => next_stop(app, Direction::Forward),
        ReaderPage::PreviousPlace => next_stop(app, Direction::Backward),
        ReaderPage::Search => open(app, PromptPurpose::SearchReader, ""),
        ReaderPage::NextFound => found(app, 1),
        ReaderPage::PreviousFound => found(app, -1),
        ReaderPage::Check => return check(app),
        ReaderPage::Breaking => return find_breaking(app),
    }
    Effect::None
}

fn show(app: &mut App, what: ReaderContent) {
    let from_file_list = match &app.reader {
        Some(reader) if matches!(app.mode, Mode::Read) => reader.from_file_list,
        Some(_) | None => matches!(app.mode, Mode::FileList),
    };
    let mut reader = Reader::new(what, from_file_list);
    reader.fit(app.size.width);
    app.reader = Some(reader);
    app.mode = Mode::Read;
}

/// Opens a file as it would be written: at the line of the cursor, or at the first change where the cursor is in another file.
fn open_result(app: &mut App, file: usize) -> Effect {
    let composed = result(&app.session.files[file]);
    let added = composed.added.first().map_or(0, |lines| lines.start);
    let here = cursor_line(app, file).map(|at| result_line(&app.session.files[file], at));
    let first = here.unwrap_or(added);
    let mut changes = result_changes(&app.session.files[file]);
    // Where the end of a file is removed, its last line is shown.
    match composed.text.len().checked_sub(1) {
        Some(last) => changes
            .iter_mut()
            .for_each(|line| *line = (*line).min(last)),
        None => changes.clear(),
    }
    app.tokens.renewed(TextSource {
        file,
        half: Half::Result,
    });
    show(
        app,
        ReaderContent::Result(FileResult {
            file,
            fate: composed.fate,
            text: composed.text,
            added: composed.added,
            is_deleted: composed.is_deleted,
            changes,
            at: None,
            judgement: None,
        }),
    );
    app.syntax_checks += 1;
    let last = height(app).saturating_sub(page(app));
    go(app, first.saturating_sub(page(app) / 3).min(last));
    if let Some(Reader {
        what: ReaderContent::Result(result),
        ..
    }) = &mut app.reader
    {
        result.at = Some(first);
    }
    Effect::Judge
}

/// Returns the position of the cursor's line in a file, if the cursor is on a line, a fold or a hunk of it.
fn cursor_line(app: &App, file: usize) -> Option<DiffPosition> {
    let of_file = |row: &Row| row.file() == file;
    let row = app.stream.row().filter(of_file)?;
    if matches!(app.mode, Mode::FileList) {
        return None;
    }
    if let Row::Change { id, line, .. } = row {
        return Some(DiffPosition::Changed(id.hunk, line));
    }
    if let Row::Context { old, .. } = row {
        return Some(DiffPosition::Base(old));
    }
    if let Row::Fold { start, .. } = row {
        return Some(DiffPosition::Base(start));
    }
    let id = row.hunk()?;
    let likely = || app.session.places_near(id).first().copied();
    let hunk = app.session.hunk(id)?;
    let line = if hunk.is_decidable() {
        Some(hunk.first_line())
    } else {
        likely()
    };
    line.map(DiffPosition::Base)
}

fn open_plan(app: &mut App) -> Effect {
    let stamp = app.revision;
    let due = (app.check.as_mut()).filter(|check| check.is_due(stamp));
    let effect = due.map_or(Effect::None, |check| {
        check.begin(CheckTask::Check, stamp);
        Effect::Check
    });
    let plan = plan::plan(app);
    show(app, ReaderContent::Plan(plan));
    effect
}

fn open_comparison(app: &mut App) {
    let Some(id) = app.stream.hunk() else {
        return app.notify(Tone::Refused, unplaced_help::no_hunk(app));
    };
    compare(app, id, 0);
}

/// Goes to the next change of a file that is read, or compares a hunk without a place at another of its likely places.
fn next_stop(app: &mut App, direction: Direction) {
    match app.reader.as_ref().map(|reader| &reader.what) {
        Some(ReaderContent::Result(_)) => next_change(app, direction, page(app)),
        Some(ReaderContent::Compare(_)) => compare_elsewhere(app, direction),
        Some(ReaderContent::Plan(_)) => {
            app.notify(Tone::Refused, "the plan has no changes to go to");
        }
        None => (),
    }
}

/// Compares a hunk without a place at another of its likely places.
fn compare_elsewhere(app: &mut App, direction: Direction) {
    let by = match direction {
        Direction::Forward => 1,
        Direction::Backward => -1,
    };
    let Some(comparison) = app.reader.as_ref().and_then(Reader::comparison) else {
        return;
    };
    let (id, place) = (comparison.hunk, comparison.place);
    let count = app.session.places_near(id).len().cast_signed();
    if count < 2 {
        return app.notify(Tone::Refused, "no other likely place");
    }
    let next = (place.cast_signed() + by).rem_euclid(count);
    compare(app, id, usize::try_from(next).unwrap_or(0));
}

/// Shows a hunk in three texts; one that has no place at the one of its likely places with this index.
fn compare(app: &mut App, id: HunkId, place: usize) {
    let file = &app.session.files[id.file];
    let places = app.session.places_near(id);
    let (mut rows, mut note) = match places.get(place) {
        Some(&at) => (
            three_texts_at(file, id.hunk, at),
            Some(likely_place(app, &places, place)),
        ),
        None => (
            three_texts(file, id.hunk),
            app.session.hunk(id).and_then(not_removed_words),
        ),
    };
    let has_place = (app.session.hunk(id)).is_some_and(HunkReview::is_decidable);
    let is_without_place = rows.is_empty() && !has_place;
    if is_without_place {
        rows = three_texts_without_place(file, id.hunk);
        note = Some(no_place_words(app, id));
    }
    if rows.is_empty() {
        let no_lines = || "this hunk changes no lines that could be compared".to_owned();
        let why = unplaced_help::words(app, id).unwrap_or_else(no_lines);
        return app.notify(Tone::Refused, why);
    }
    let has_text = |nth: usize| rows.iter().any(|row| row.texts()[nth].is_some());
    if !has_text(1) {
        note = note.or_else(|| Some(nothing_left(file)));
    }
    let is_edited = (app.session.hunk(id)).is_some_and(|hunk| hunk.state.edited);
    let shown = if is_edited { 2 } else { 1 };
    // Where nothing is left, what is removed is shown.
    let shown = if has_text(shown) { shown } else { 0 };
    show(
        app,
        ReaderContent::Compare(Comparison {
            hunk: id,
            note,
            rows,
            is_without_place,
            place,
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
        ReaderContent::Compare(comparison) => {
            let shown = comparison.shown.cast_signed() + by;
            comparison.shown = usize::try_from(shown.rem_euclid(3)).unwrap_or(0);
        }
        ReaderContent::Result(result) => {
            let files = &app.file_list.files;
            let at = files.iter().position(|&file| file == result.file);
            let next = at.and_then(|at| files.get(at.checked_add_signed(by)?).copied());
            match next {
                Some(file) => return open_result(app, file),
                None => app.notify(Tone::Refused, "no more files that way"),
            }
        }
        ReaderContent::Plan(_) => (),
    }
    Effect::None
}

/// Runs the check command again.
fn check(app: &mut App) -> Effect {
    let stamp = app.revision;
    let is_plan = app.reader.as_ref().is_some_and(Reader::is_plan);
    match &mut app.check {
        Some(check) if is_plan => {
            check.begin(CheckTask::Check, stamp);
            let plan = plan::plan(app);
            if let Some(reader) = &mut app.reader {
                reader.what = ReaderContent::Plan(plan);
                reader.fit(app.size.width);
            }
            Effect::Check
        }
        Some(_) => Effect::None,
        None => {
            app.notify(Tone::Refused, NO_CHECK);
            Effect::None
        }
    }
}

/// Searches for the hunk that breaks the check, or goes to it if it was found.
fn find_breaking(app: &mut App) -> Effect {
    let stamp = app.revision;
    let found = app.check.as_ref().and_then(|check| check.breaking(stamp));
    if let Some(id) = found {
        app.reader = None;
        app.mode = Mode::Review;
        app.go_to_hunk(id);
        app.notify(Tone::Done, "this hunk breaks the check");
        return Effect::None;
    }
    let Some(check) = app.check.as_mut() else {
        app.notify(Tone::Refused, NO_CHECK);
        return Effect::None;
    };
    if !check.can_find(stamp) {
        let words = "the check has not failed on what is decided now";
        app.notify(Tone::Refused, words);
        return Effect::None;
    }
    check.begin(CheckTask::Find, stamp);
    app.notify(Tone::Done, FINDING);
    renew_check(app);
    Effect::Check
}

/// Takes news of the check command and updates the plan.
pub(crate) fn checked(app: &mut App, news: CheckNews) {
    if let Some(check) = &mut app.check {
        check.take(news);
        let is_over = matches!(check.state, CheckState::Ended { .. });
        app.notice
            .take_if(|notice| is_over && notice.text == FINDING);
    }
    renew_check(app);
}

fn renew_check(app: &mut App) {
    if let Some(mut reader) = app.reader.take() {
        if let ReaderContent::Plan(plan) = &mut reader.what {
            plan::renew_check(plan, app);
            reader.fit(app.size.width);
        }
        app.reader = Some(reader);
    }
}

/// Takes what a grammar says of the result being read.
pub(crate) fn judged(app: &mut App, judged: Option<SyntaxReport>) {
    if let Some(reader) = &mut app.reader
        && let ReaderContent::Result(result) = &mut reader.what
    {
        result.judgement = judged.filter(|judged| judged.number == app.syntax_checks);
    }
}

/// Goes back to where it was opened.
pub(crate) fn leave(app: &mut App) {
    let from_file_list = app
        .reader
        .take()
        .is_some_and(|reader| reader.from_file_list);
    app.mode = if from_file_list {
        Mode::FileList
    } else {
        Mode::Review
    };
}

/// The number of lines to read.
pub(crate) fn height(app: &App) -> usize {
    app.reader.as_ref().map_or(0, Reader::len)
}

/// The number of lines on the screen.
pub(crate) fn page(app: &App) -> usize {
    let head = app.reader.as_ref().map_or(0, Reader::head);
    usize::from(app.size.height).saturating_sub(2 + head).max(1)
}

/// Puts a line at the top.
pub(crate) fn go(app: &mut App, top: usize) {
    if let Some(reader) = &mut app.reader {
        reader.scroll_to(top);
    }
}

pub(crate) fn scroll(app: &mut App, by: isize) {
    let last = height(app).saturating_sub(page(app));
    if let Some(reader) = &mut app.reader {
        reader.scroll_to(reader.top.saturating_add_signed(by).min(last));
    }
}

pub(crate) fn sideways(app: &mut App, scroll: Scroll, by: usize) {
    let page = page(app);
    let Some(reader) = &mut app.reader else {
        return;
    };
    // The lines of a plan are broken where the screen ends.
    let end = if reader.is_plan() { 0 } else { reader.len() };
    let lines = reader.top..(reader.top + page).min(end);
    let widths = lines.map(|idx| glyphs::width(&reader.line(idx)));
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
            .key_for(KeyContext::Reader, Command::Read(ReaderPage::Search));
        let words = format!("nothing to search for: press {search} first");
        return app.notify(Tone::Refused, words);
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
        None => app.notify(Tone::Refused, "not found"),
    }
}

/// Takes what is searched for, and goes to the first line that has it, from the top of the screen on.
pub(crate) fn search_for(app: &mut App, pattern: Option<regex::Regex>) {
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
