//! Deciding: what is under the cursor, what is selected or chosen, or all the rest.

mod lines;
mod verdict;

use self::verdict::{decision, word};
use super::calls;
use super::navigate::jump;
use crate::review::{
    Decided, Decision, Direction, HunkId, HunkReview, Mark, Row, ShownCount, Target, left_out,
};
use crate::text::plural;
use crate::ui::command::{ByHand, Command, DecideAction, Editing, Landmark, Leaving, Scope};
use crate::ui::file_list::FileListRow;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::finish_notes::is_settled;
use crate::ui::state::mode::{Mode, Question};
use crate::ui::state::shown_lines::never_shown;
use crate::ui::state::unplaced_help;
pub(crate) use lines::decide_picked;
pub(crate) use lines::{lines_in, toggle_line};

pub(crate) fn decide(app: &mut App, scope: Scope, verdict: DecideAction) {
    let in_file_list = matches!(app.mode, Mode::FileList);
    let file = app.file();
    let closed = file.filter(|&file| !app.session.files[file].is_open());
    if let Some(file) = closed.filter(|_| scope != Scope::Rest) {
        return calls::dismiss(app, file);
    }
    match (scope, in_file_list) {
        (Scope::Rest, _) => ask(app, app.shown_rest(), decision(verdict, Mark::Undecided)),
        (Scope::Here | Scope::File, true) => decide_listed(app, verdict),
        (Scope::File, false) => {
            if let Some(file) = file
                && decide_file(app, file, verdict) == Taken::All
            {
                advance(app, verdict);
            }
        }
        (Scope::Here, false) => decide_here(app, verdict),
    }
}

/// Result of a decision about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    All,
    /// Some hunks need their own review, or a question is open.
    Part,
}

/// Decides what is chosen in the list of all files, else the group or the file of its cursor.
fn decide_listed(app: &mut App, verdict: DecideAction) {
    let chosen = app.file_list.chosen();
    let rows = match app.file_list.row() {
        _ if !chosen.is_empty() => chosen,
        Some(row @ (FileListRow::Group(_) | FileListRow::Folder(_))) => app.file_list.members(row),
        Some(row @ FileListRow::Part { .. }) => {
            if decide_part(app, row, verdict) == Taken::All {
                app.file_list.step(1);
                app.file_list.show_cursor(app.file_list_page());
            }
            return;
        }
        Some(FileListRow::File(file)) => {
            if decide_file(app, file, verdict) == Taken::All {
                app.file_list.step(1);
                app.file_list.show_cursor(app.file_list_page());
            }
            return;
        }
        Some(FileListRow::Problem(_)) => {
            let words = "this could not be read: there is nothing to decide";
            return app.notify(Tone::Refused, words);
        }
        None => return,
    };
    decide_rows(app, &rows, verdict);
}

/// Asks about the files and parts of some rows of the list.
fn decide_rows(app: &mut App, rows: &[FileListRow], verdict: DecideAction) {
    let decision = decision(verdict, mark_of(app, rows).unwrap_or(Mark::Undecided));
    ask(app, app.listed_target(rows), decision);
}

/// Returns the sum of the decisions about the files and parts of some rows of the list.
fn mark_of(app: &App, rows: &[FileListRow]) -> Option<Mark> {
    let files = rows.iter().filter_map(|&row| Some((row, row.file()?)));
    Mark::of(files.filter_map(|(row, file)| app.listed_summary(row, file).mark))
}

fn decide_here(app: &mut App, verdict: DecideAction) {
    if let Some(rows) = app.selected() {
        app.mode = Mode::Review;
        lines::decide_rows(app, rows, verdict);
        return;
    }
    match (app.stream.hunk(), app.stream.row()) {
        (Some(id), _) => decide_hunk(app, id, verdict),
        (None, Some(Row::File { file, .. })) => {
            if decide_file(app, file, verdict) == Taken::All {
                advance(app, verdict);
            }
        }
        (None, Some(Row::Purpose { purpose, .. })) => {
            decide_rows(app, &app.parts_of_purpose(purpose), verdict);
        }
        (None, _) => app.notify(Tone::Refused, unplaced_help::no_hunk(app)),
    }
}

fn decide_hunk(app: &mut App, id: HunkId, verdict: DecideAction) {
    if !try_decide(app, id, verdict) {
        let why = unplaced_help::words(app, id).unwrap_or_else(|| {
            let restore = app.key(Command::Edit(Editing::Restore));
            format!("nothing is left of this hunk; {restore} puts the agent's text back")
        });
        app.notify(Tone::Refused, why);
        return;
    }
    let review = app.session.hunk(id);
    if review.is_some_and(|hunk| hunk.is_edit_waiting() && hunk.mark() == Some(Mark::Accepted)) {
        let place = app.key(Command::Place(ByHand::Begin));
        let restore = app.key(Command::Edit(Editing::Restore));
        let told = format!(
            "the agent's lines are accepted, your edit is not: {place} places it, {restore} drops it"
        );
        app.notify(Tone::Refused, told);
    }
    advance(app, verdict);
}

/// Decides a hunk if it can be decided in that way: one without a place can only be rejected.
fn try_decide(app: &mut App, id: HunkId, verdict: DecideAction) -> bool {
    let can_be_dropped = (app.session.hunk(id)).is_some_and(HunkReview::can_be_dropped);
    let mark = app.summaries.hunk(id).mark;
    let Some(mark) = mark.or(can_be_dropped.then_some(Mark::Undecided)) else {
        return false;
    };
    let decision = decision(verdict, mark);
    if can_be_dropped && decision == Decision::Accepted {
        return false;
    }
    app.session.decide(&Target::Hunk(id), decision);
    app.decisions_changed(Some(id.file));
    true
}

/// Decides the hunks of a part of a file. What needs attention is left out.
fn decide_part(app: &mut App, row: FileListRow, verdict: DecideAction) -> Taken {
    let (Some(file), Some(mark)) = (row.file(), mark_of(app, &[row])) else {
        app.notify(Tone::Refused, "there is nothing to decide here");
        return Taken::All;
    };
    let decision = decision(verdict, mark);
    let target = app.listed_target(&[row]);
    let Decided { changed, left } = app.session.would_decide(&target, decision);
    if changed == 0 && left > 0 {
        ask(app, target, decision);
        return Taken::Part;
    }
    let done = take(app, file, &target, decision);
    if left == 0 {
        app.notify(Tone::Done, done);
        return Taken::All;
    }
    app.notify(Tone::Done, format!("{done}; {}", left_out(left)));
    Taken::Part
}

/// Decides a file. What needs attention is accepted only when nothing else is left, after a question.
fn decide_file(app: &mut App, file: usize, verdict: DecideAction) -> Taken {
    let Some(mark) = app.summaries.files[file].mark else {
        app.notify(Tone::Refused, "there is nothing to decide in this file");
        return Taken::All;
    };
    let decision = decision(verdict, mark);
    let sure = Target::Files(vec![file]);
    let Decided { changed, left } = app.session.would_decide(&sure, decision);
    if changed == 0 && left > 0 {
        ask(app, Target::File(file), decision);
        return Taken::Part;
    }
    let done = take(app, file, &sure, decision);
    if left == 0 {
        app.notify(Tone::Done, done);
        return Taken::All;
    }
    let again = "press the same key again to decide the rest";
    app.notify(Tone::Done, format!("{done}; {}; {again}", left_out(left)));
    Taken::Part
}

/// Decides hunks of a file, and returns what was done in words.
fn take(app: &mut App, file: usize, target: &Target, decision: Decision) -> String {
    let seen = accepted_lines(app, target, decision);
    let Decided { changed, .. } = app.session.decide(target, decision);
    app.decisions_changed(Some(file));
    done(changed, decision, seen)
}

/// Decides a hunk and leaves the cursor where it is.
pub(crate) fn toggle_hunk(app: &mut App, hunk: HunkId) {
    try_decide(app, hunk, DecideAction::Toggle);
}

/// Decides a file and leaves the cursor where it is.
pub(crate) fn toggle_file(app: &mut App, file: usize) {
    decide_file(app, file, DecideAction::Toggle);
}

/// Decides what a row of the list shows and leaves the cursor where it is.
pub(crate) fn toggle_row(app: &mut App, row: FileListRow) {
    match row {
        FileListRow::File(file) => toggle_file(app, file),
        FileListRow::Part { .. } => _ = decide_part(app, row, DecideAction::Toggle),
        FileListRow::Group(_) | FileListRow::Folder(_) | FileListRow::Problem(_) => (),
    }
}

/// Goes on to what is undecided next, if there is anything, after a verdict that settles something.
fn advance(app: &mut App, verdict: DecideAction) {
    let refused = app
        .notice
        .as_ref()
        .is_some_and(|notice| notice.tone == Tone::Refused);
    if refused || matches!(verdict, DecideAction::Clear | DecideAction::Toggle) {
        return;
    }
    let undecided = app.summaries.waiting;
    if !app.display.advance && undecided > 0 {
        return;
    }
    if jump::undecided(app, Direction::Forward) || app.notice.is_some() {
        return;
    }
    let told = if undecided == 0 {
        let finish = app.key(Command::Leave(Leaving::Ask));
        if is_settled(app) {
            format!("everything is decided: {finish} writes it and leaves")
        } else {
            format!("everything is decided: press {finish} to finish")
        }
    } else {
        let before = undecided - app.hidden_waiting();
        jump::only_before(app, Landmark::Undecided, before) + &app.and_hidden()
    };
    app.notify(Tone::Done, told);
}

/// Asks whether to decide something wide, with its numbers.
fn ask(app: &mut App, target: Target, decision: Decision) {
    let Decided { changed, left } = app.session.would_decide(&target, decision);
    if changed == 0 {
        app.notify(
            Tone::Refused,
            match left {
                0 if matches!(target, Target::Rest | Target::RestOf(_)) => {
                    format!("nothing is undecided{}", app.and_hidden())
                }
                0 => format!("everything is {} already", word(decision)),
                n => format!("{}: decide each by itself", left_out(n)),
            },
        );
        return;
    }
    let seen = accepted_lines(app, &target, decision);
    app.mode = Mode::Question(Question::Rest {
        target,
        decision,
        changed,
        left,
        seen,
        from_file_list: matches!(app.mode, Mode::FileList),
    });
}

/// Lets hunks leave while a question about several may be open, which is asked again about those that are left.
pub(crate) fn leave_out(app: &mut App, leave: impl FnOnce(&mut App)) {
    leave(app);
    if let Mode::Question(Question::Rest {
        target,
        decision,
        from_file_list,
        ..
    }) = &app.mode
    {
        let (target, decision) = (target.clone(), *decision);
        app.mode = if *from_file_list {
            Mode::FileList
        } else {
            Mode::Review
        };
        let told = app.notice.take();
        ask(app, target, decision);
        app.notice = told;
    }
}

/// Decides what was asked about.
pub(crate) fn rest(app: &mut App, target: &Target, decision: Decision) {
    let seen = accepted_lines(app, target, decision);
    let Decided { changed, left } = app.session.decide(target, decision);
    app.decisions_changed(None);
    app.file_list.choose_none();
    let but = if left > 0 {
        format!("; {}", left_out(left))
    } else {
        String::new()
    };
    app.notify(
        Tone::Done,
        format!("{}{but}", done(changed, decision, seen)),
    );
}

/// Counts the lines that a decision accepts; `None` for other decisions.
fn accepted_lines(app: &App, target: &Target, decision: Decision) -> Option<ShownCount> {
    let accepts = decision == Decision::Accepted;
    accepts.then(|| app.session.seen_of(target)).flatten()
}

/// Returns the number of hunks that were decided, and of accepted lines that were never shown.
fn done(changed: usize, decision: Decision, seen: Option<ShownCount>) -> String {
    let hunks = format!("{} {}", plural(changed, "hunk"), word(decision));
    match never_shown(seen, "line") {
        Some(lines) => format!("{hunks}: {lines}"),
        None => hunks,
    }
}
