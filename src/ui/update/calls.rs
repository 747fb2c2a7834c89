//! Calls join and leave a review that stays open. The cursor stays where it is.

use super::refresh::reopened;
use crate::review::{CallReview, Decisions, Direction, FileReview, Standing};
use crate::ui::services::background::{Queue, SessionChange, SessionDecider, SessionReader};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::unresolved_threads::unresolved_of_call;
use crate::ui::state::waiting_agents::WaitingAgents;

/// The most files that stay in sight after their calls were withdrawn.
const MOST_WITHDRAWN: usize = 16;

/// Shows what has joined and left since the last time.
pub(crate) fn settle(app: &mut App) {
    while let Some(change) = app.changes.pop_front() {
        show(app, change);
    }
    sweep(app);
}

/// Shows one change.
pub(crate) fn show(app: &mut App, change: SessionChange) {
    match change {
        SessionChange::Joined {
            call,
            files,
            kept,
            told,
        } => join(app, call, files, kept.as_ref(), told),
        SessionChange::Left {
            call,
            standing,
            told,
            last,
        } => leave(app, call, standing, told, last),
        SessionChange::Queue(queue) => show_queue(app, queue),
        SessionChange::Asked(reader) => (reader.0)(&app.session),
        SessionChange::Decided(decider) => decide(app, decider),
        SessionChange::Said(told) => app.notify(Tone::Done, told),
        SessionChange::Warned(told) => warn(app, told),
        SessionChange::Ended => (),
    }
}

/// Shows a warning, which also stays in the list of the empty screen.
fn warn(app: &mut App, told: String) {
    if let Some(idle) = &mut app.empty_state {
        idle.note(told.clone());
    }
    app.notify(Tone::Refused, told);
}

fn join(
    app: &mut App,
    call: CallReview,
    files: Vec<FileReview>,
    kept: Option<&Decisions>,
    told: Option<String>,
) {
    let number = call.call.number;
    let known = app.session.files.iter().any(|file| file.is_of(number));
    let was_empty = app.stream.rows.is_empty();
    let before = app.session.clone();
    let taken = app.session.join(call, files, kept);
    for file in 0..app.session.files.len() {
        if app.session.files[file].is_of(number) {
            app.tokens.replaced(file);
            app.changed_words.forget(file);
        }
    }
    app.files_changed(&before);
    if was_empty && let Some(id) = app.next_undecided(None, Direction::Forward) {
        app.go_to_hunk(id);
    }
    let reopened = reopened(taken.lost.len()).map(|words| format!("; {words}"));
    let resumed = match taken.hunks {
        n if n > 0 && !known => format!("; {n} decided before, as you left them"),
        _ => String::new(),
    };
    if let Some(told) = told {
        app.notify(
            Tone::Done,
            format!("{told}{resumed}{}", reopened.unwrap_or_default()),
        );
    }
}

/// Shows who waits, and which proposals conflict.
fn show_queue(app: &mut App, queue: Queue) {
    let before = app.session.clone();
    if app.session.show_forecasts(&queue.forecasts) {
        app.files_changed(&before);
    }
    app.waiting = WaitingAgents::new(queue.agents);
    app.resize(app.size);
}

/// Lets another terminal decide, and shows what it did.
fn decide(app: &mut App, decider: SessionDecider) {
    let before = app.session.clone();
    if let Some(message) = (decider.0)(Some(&mut app.session)) {
        app.files_changed(&before);
        app.notify(Tone::Done, message);
    }
}

fn leave(app: &mut App, call: u64, standing: Standing, told: String, last: Option<SessionReader>) {
    if let Some(last) = last {
        (last.0)(&app.session);
    }
    let before = app.session.clone();
    let is_answered = standing == Standing::Answered;
    let threads = unresolved_of_call(app, call).filter(|_| is_answered);
    app.session.retire(call, standing);
    app.files_changed(&before);
    app.notify(
        if standing == Standing::Withdrawn {
            Tone::Refused
        } else {
            Tone::Done
        },
        match threads {
            Some(threads) => format!("{told}; {threads}"),
            None => told.clone(),
        },
    );
    if let Some(idle) = &mut app.empty_state {
        idle.note(told);
    }
}

/// Lets go of answered files that nobody looks at, and of the oldest withdrawn ones if they are many.
fn sweep(app: &mut App) {
    let looked_at = app.stream.file();
    let files = || app.session.files.iter().enumerate();
    let stands = |standing: Standing| files().filter(move |(_, file)| file.standing == standing);
    let open = stands(Standing::Open).chain(stands(Standing::Held)).count();
    let withdrawn: Vec<usize> = stands(Standing::Withdrawn).map(|(at, _)| at).collect();
    let in_peace = open + withdrawn.len() > 0;
    let mut gone: Vec<usize> = stands(Standing::Answered)
        .map(|(at, _)| at)
        .filter(|at| !in_peace || looked_at != Some(*at))
        .collect();
    let too_many = withdrawn.len().saturating_sub(MOST_WITHDRAWN);
    gone.extend_from_slice(&withdrawn[..too_many]);
    drop_files(app, &gone);
}

/// Lets a file go that is withdrawn or answered; says why nothing can be decided in one that waits.
pub(crate) fn dismiss(app: &mut App, file: usize) {
    match app.session.files[file].standing {
        Standing::Withdrawn => {
            drop_files(app, &[file]);
            app.notify(Tone::Done, "withdrawn proposal removed from the screen");
        }
        Standing::Answered => {
            drop_files(app, &[file]);
            app.notify(Tone::Done, "answered proposal removed from the screen");
        }
        Standing::Held => app.notify(
            Tone::Refused,
            "this waits: an earlier proposal for the same file is decided first",
        ),
        Standing::Open | Standing::Gone => (),
    }
}

fn drop_files(app: &mut App, files: &[usize]) {
    if files.is_empty() {
        return;
    }
    let before = app.session.clone();
    for &file in files {
        app.session.drop_file(file);
        app.tokens.forget(file);
        app.changed_words.forget(file);
    }
    app.files_changed(&before);
}
