//! Deciding, and taking decisions back.

use std::ops::Range;

use super::{batch, changed, jump};
use crate::review::{
    Decided, Decision, Direction, FileReview, HunkId, HunkReview, Layout, Mark, ReviewSession, Row,
    Side, Stepped, Target,
};
use crate::ui::app::{App, Tone};
use crate::ui::batch::BatchRow;
use crate::ui::command::{Command, Editing, Landmark, Leaving, Scope, Verdict};
use crate::ui::mode::{Mode, Question};

pub(super) fn decide(app: &mut App, scope: Scope, verdict: Verdict) {
    let in_batch = matches!(app.mode, Mode::Batch);
    let file = app.file();
    let closed = file.filter(|&file| !app.session.files[file].is_open());
    if let Some(file) = closed.filter(|_| scope != Scope::Rest) {
        return changed::dismiss(app, file);
    }
    match (scope, in_batch) {
        (Scope::Rest, _) => ask_rest(app, verdict),
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

/// Whether a decision about a file took everything in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    All,
    /// Something is left for a look, or a question is asked about it.
    Part,
}

/// Decides what is chosen in the list of all files, else the group or the file of its cursor.
fn decide_listed(app: &mut App, verdict: Verdict) {
    let chosen = app.batch.chosen();
    let files = match app.batch.row() {
        _ if !chosen.is_empty() => chosen,
        Some(BatchRow::Group(group)) => app.batch.members(group),
        Some(BatchRow::File(file)) => {
            if decide_file(app, file, verdict) == Taken::All {
                app.batch.step(1);
                app.batch.show_cursor(app.batch_page());
            }
            return;
        }
        None => return,
    };
    let marks = files
        .iter()
        .filter_map(|&file| app.summaries.files[file].mark);
    let decision = decision(verdict, Mark::of(marks).unwrap_or(Mark::Undecided));
    ask(app, Target::Files(files), decision);
}

fn decide_here(app: &mut App, verdict: Verdict) {
    if let Some(rows) = app.selected() {
        app.mode = Mode::Review;
        decide_rows(app, rows, verdict);
        return;
    }
    match (app.stream.hunk(), app.stream.row()) {
        (Some(id), _) => decide_hunk(app, id, verdict),
        (None, Some(Row::File { file })) => {
            if decide_file(app, file, verdict) == Taken::All {
                advance(app, verdict);
            }
        }
        (None, _) => app.say(Tone::Refused, "no hunk here"),
    }
}

fn decide_hunk(app: &mut App, id: HunkId, verdict: Verdict) {
    let Some(mark) = app.summaries.hunk(id).mark else {
        let emptied = app.session.hunk(id).is_some_and(HunkReview::is_decidable);
        let why = if emptied {
            let restore = app.key(Command::Edit(Editing::Restore));
            format!("nothing is left of this hunk; {restore} puts the agent's text back")
        } else {
            "this hunk has no place yet, so there is nothing to decide".to_owned()
        };
        app.say(Tone::Refused, why);
        return;
    };
    app.session
        .decide(&Target::Hunk(id), decision(verdict, mark));
    app.decided(Some(id.file));
    advance(app, verdict);
}

/// Decides a file. What is placed loosely or protected is accepted only when nothing else is left, after a question.
fn decide_file(app: &mut App, file: usize, verdict: Verdict) -> Taken {
    let Some(mark) = app.summaries.files[file].mark else {
        app.say(Tone::Refused, "there is nothing to decide in this file");
        return Taken::All;
    };
    let decision = decision(verdict, mark);
    let sure = Target::Files(vec![file]);
    let Decided { changed, left } = app.session.would_decide(&sure, decision);
    if changed == 0 && left > 0 {
        ask(app, Target::File(file), decision);
        return Taken::Part;
    }
    app.session.decide(&sure, decision);
    app.decided(Some(file));
    let done = format!("{} {}", hunks(changed), word(decision));
    if left == 0 {
        app.say(Tone::Done, done);
        return Taken::All;
    }
    let what = "placed loosely or protected, which the same key takes if pressed again";
    app.say(Tone::Done, format!("{done}; {} left, {what}", hunks(left)));
    Taken::Part
}

/// Decides the changed lines among some rows, and nothing else of their hunks.
fn decide_rows(app: &mut App, rows: Range<usize>, verdict: Verdict) {
    let targets = lines_in(app, rows.clone());
    if decide_lines(app, targets, verdict) {
        app.stream.go(&app.session, rows.end, true);
    }
}

/// Decides the changed lines of some rows in one step, wherever in their file these are; the cursor stays.
pub(in crate::ui) fn decide_picked(app: &mut App, rows: &[usize], verdict: Verdict) {
    let lines = rows.iter().flat_map(|&row| lines_in(app, row..row + 1));
    let lines = lines.collect();
    decide_lines(app, lines, verdict);
}

/// Decides lines in one step; whether there are any.
fn decide_lines(app: &mut App, lines: Vec<(HunkId, Range<usize>, Side)>, verdict: Verdict) -> bool {
    if lines.is_empty() {
        app.say(Tone::Refused, "no changed line is selected");
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
    app.decided(file);
    let noun = if count == 1 { "line" } else { "lines" };
    app.say(Tone::Done, format!("{count} {noun} {}", word(decision)));
    true
}

/// The changed lines among some rows of the file that the first of them is in, those that follow each other together.
pub(super) fn lines_in(app: &App, rows: Range<usize>) -> Vec<(HunkId, Range<usize>, Side)> {
    let file = app.stream.rows.get(rows.start).map(Row::file);
    let mut targets: Vec<(HunkId, Range<usize>, Side)> = Vec::new();
    for row in rows.filter_map(|idx| app.stream.rows.get(idx)) {
        let Row::Change { id, line, side, .. } = row else {
            continue;
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
            Some((hunk, lines, of)) if *hunk == id && *of == side && lines.end == line => {
                lines.end += 1;
            }
            Some(_) | None => targets.push((id, line..line + 1, side)),
        }
    }
    targets
}

/// Decides one changed line, or one side of it.
pub(super) fn toggle_line(app: &mut App, hunk: HunkId, line: usize, side: Side) {
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
        .decide(&target, decision(Verdict::Toggle, now.into()));
    app.decided(Some(hunk.file));
}

/// Decides a hunk and leaves the cursor where it is.
pub(super) fn toggle_hunk(app: &mut App, hunk: HunkId) {
    if let Some(mark) = app.summaries.hunk(hunk).mark {
        app.session
            .decide(&Target::Hunk(hunk), decision(Verdict::Toggle, mark));
        app.decided(Some(hunk.file));
    }
}

/// Decides a file and leaves the cursor where it is.
pub(super) fn toggle_file(app: &mut App, file: usize) {
    decide_file(app, file, Verdict::Toggle);
}

/// What a verdict means for something that has a mark.
fn decision(verdict: Verdict, mark: Mark) -> Decision {
    match (verdict, mark) {
        (Verdict::Accept, _) | (Verdict::Toggle, Mark::Undecided | Mark::Mixed) => {
            Decision::Accepted
        }
        (Verdict::Reject, _) | (Verdict::Toggle, Mark::Accepted) => Decision::Rejected,
        (Verdict::Clear, _) | (Verdict::Toggle, Mark::Rejected) => Decision::Undecided,
    }
}

/// Goes on to what is undecided next, if there is anything, after a verdict that settles something.
fn advance(app: &mut App, verdict: Verdict) {
    let refused = app
        .notice
        .as_ref()
        .is_some_and(|notice| notice.tone == Tone::Refused);
    if refused || matches!(verdict, Verdict::Clear | Verdict::Toggle) {
        return;
    }
    if !app.look.advance && app.summaries.counts.undecided + app.summaries.counts.mixed > 0 {
        return;
    }
    if !jump::undecided(app, Direction::Forward) && app.notice.is_none() {
        let undecided = app.summaries.counts.undecided + app.summaries.counts.mixed;
        let finish = app.key(Command::Leave(Leaving::Ask));
        let before = app.key(Command::Jump(Landmark::Undecided, Direction::Backward));
        app.say(
            Tone::Done,
            match undecided {
                0 => format!("everything is decided: press {finish} to finish"),
                n => format!(
                    "nothing undecided after this; {} before it ({before})",
                    hunks(n)
                ),
            },
        );
    }
}

fn ask_rest(app: &mut App, verdict: Verdict) {
    ask(app, Target::Rest, decision(verdict, Mark::Undecided));
}

/// Asks whether to decide something wide, with its numbers.
fn ask(app: &mut App, target: Target, decision: Decision) {
    let Decided { changed, left } = app.session.would_decide(&target, decision);
    if changed == 0 {
        app.say(
            Tone::Refused,
            match left {
                0 if target == Target::Rest => "nothing is undecided".to_owned(),
                0 => format!("there is nothing that is not {}", word(decision)),
                n => format!(
                    "{} left, loosely placed or protected: decide each by itself",
                    hunks(n)
                ),
            },
        );
        return;
    }
    app.mode = Mode::Question(Question::Rest {
        target,
        decision,
        changed,
        left,
        from_batch: matches!(app.mode, Mode::Batch),
    });
}

/// Decides what was asked about.
pub(super) fn rest(app: &mut App, target: &Target, decision: Decision) {
    let Decided { changed, left } = app.session.decide(target, decision);
    app.decided(None);
    app.batch.choose_none();
    let but = if left > 0 {
        format!("; {} left for a look", hunks(left))
    } else {
        String::new()
    };
    app.say(
        Tone::Done,
        format!("{} {}{but}", hunks(changed), word(decision)),
    );
}

pub(super) fn undo(app: &mut App, count: Option<usize>) {
    step_back(app, count, "nothing to undo", ReviewSession::undo);
}

pub(super) fn redo(app: &mut App, count: Option<usize>) {
    step_back(app, count, "nothing to redo", ReviewSession::redo);
}

/// As many files as are sooner counted one by one than all together.
const FEW: usize = 8;

/// Takes steps back, or takes them again, and goes to what they were about.
fn step_back(
    app: &mut App,
    count: Option<usize>,
    nothing: &str,
    step: impl Fn(&mut ReviewSession) -> Option<Stepped>,
) {
    for _ in 0..count.unwrap_or(1) {
        let files = app.session.files.iter();
        let before: Vec<u64> = files.map(FileReview::revision).collect();
        let Some(Stepped { hunk, files }) = step(&mut app.session) else {
            app.say(Tone::Refused, nothing);
            return;
        };
        for (file, before) in before.into_iter().enumerate() {
            if app.session.files[file].revision() != before {
                app.rewritten(file);
            }
        }
        // What was said may stand in other rows, or in none.
        if (1..=FEW).contains(&files.len()) {
            for &file in &files {
                app.said(file);
            }
        } else {
            app.stream.lay_out(&app.session);
            app.decided(None);
        }
        if matches!(app.mode, Mode::Batch) {
            if let Some(file) = files.first() {
                app.batch.go_to_file(*file);
                app.batch.show_cursor(app.batch_page());
            }
        } else if let Some(id) = hunk {
            app.go_to_hunk(id);
        } else if let Some(&file) = files.first() {
            batch::show_file(app, file);
        }
    }
}

fn hunks(count: usize) -> String {
    format!("{count} {}", if count == 1 { "hunk" } else { "hunks" })
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Accepted => "accepted",
        Decision::Rejected => "rejected",
        Decision::Undecided => "undecided again",
    }
}
