//! Threads with the agents: questions, replies, resolving, and what the agents answer.

use crate::review::{
    Direction, Row, Spot, Subject, Thread, ThreadState, passage_at, place_threads,
};
use crate::text::plural;
use crate::ui::action::Effect;
use crate::ui::command::{Command, Landmark};
use crate::ui::services::threads::{ThreadNews, ThreadRequest};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{PromptPurpose, TextPurpose};
use crate::ui::update::open_prompt::open;
use crate::ui::update::spot::spot_among;

/// Opens the box for a question about the selected lines, else about the hunk or the line of the cursor.
pub(crate) fn ask(app: &mut App) {
    if app.threads.is_none() {
        return app.notify(Tone::Refused, "questions cannot be kept here");
    }
    let spot = match app.selected() {
        Some(rows) => spot_among(app, rows),
        None => match (app.stream.hunk(), app.stream.row()) {
            (Some(id), _) => Some((id.file, Spot::Hunk(id.hunk))),
            (None, Some(Row::Context { file, old, .. })) => Some((file, Spot::Base(old..old + 1))),
            (None, _) => None,
        },
    };
    match spot {
        Some((file, spot)) => open(app, PromptPurpose::Text(TextPurpose::Ask(file, spot)), ""),
        None => app.notify(Tone::Refused, "no lines to ask about here"),
    }
}

/// Returns the request for a question that was filled in.
pub(crate) fn thread_question(
    app: &mut App,
    file: usize,
    spot: &Spot,
    text: Option<String>,
) -> Effect {
    let (Some(text), Some(review)) = (text, app.session.files.get(file)) else {
        return Effect::None;
    };
    if !review.is_open() {
        app.notify(
            Tone::Refused,
            "its agent has the answer already: ask at its next proposal",
        );
        return Effect::None;
    }
    let call = review.call.as_ref();
    let passage = passage_at(review, spot);
    let request = ThreadRequest::Ask {
        path: review.path.clone(),
        passage,
        text,
        agent: call.map(|call| call.agent.clone()),
        proposal: call.map(|call| call.proposal.clone()),
    };
    let notice = match call {
        Some(call) if call.answers => {
            format!("asked: {} can answer while you go on", call.agent)
        }
        Some(call) => format!(
            "{} waits for the verdict and cannot answer before: the question goes with it",
            call.agent
        ),
        None => "no agent waits here: the question goes with the report".to_owned(),
    };
    app.notify(Tone::Done, notice);
    sent(app, "a question was sent", request)
}

/// Returns the request for a message, which no undo takes back.
fn sent(app: &mut App, words: &'static str, request: ThreadRequest) -> Effect {
    let at = app.undo_steps();
    if let Some(threads) = &mut app.threads {
        threads.record_sent(words, at);
    }
    Effect::Thread(Box::new(request))
}

/// Opens the box for a message in the thread of the cursor. Returns false if it is on none.
pub(crate) fn reply(app: &mut App) -> bool {
    match here(app).and_then(|(id, _)| id.strip_prefix('t')?.parse().ok()) {
        Some(number) => {
            open(app, PromptPurpose::Text(TextPurpose::Reply(number)), "");
            true
        }
        None => false,
    }
}

/// Returns the request for a message that was filled in.
pub(crate) fn replied(app: &mut App, number: u64, text: Option<String>) -> Effect {
    let Some(text) = text else {
        return Effect::None;
    };
    let id = format!("t{number}");
    sent(app, "a reply was sent", ThreadRequest::Reply { id, text })
}

/// Resolves the thread of the cursor, or reopens it.
pub(crate) fn resolve(app: &mut App) -> Effect {
    let Some((id, state)) = here(app) else {
        let next = app.key(Command::Jump(Landmark::Comment, Direction::Forward));
        let words = format!("no thread here; {next} goes to the next one");
        app.notify(Tone::Refused, words);
        return Effect::None;
    };
    match state {
        ThreadState::Open | ThreadState::Answered => {
            sent(app, "a thread was resolved", ThreadRequest::Resolve { id })
        }
        ThreadState::Resolved => sent(app, "a thread was reopened", ThreadRequest::Reopen { id }),
    }
}

/// Returns the thread of the cursor: its name and state.
fn here(app: &App) -> Option<(String, ThreadState)> {
    let Some(Row::Comment {
        file,
        about: Subject::Thread(nth),
        ..
    }) = app.stream.row()
    else {
        return None;
    };
    let thread = app.session.files.get(file)?.threads.get(nth)?;
    Some((thread.id.clone(), thread.state))
}

/// Takes the threads as they are now, until they can be shown.
pub(crate) fn take(app: &mut App, news: ThreadNews) {
    if let Some(threads) = &mut app.threads {
        threads.waiting = Some(news);
    }
}

/// Shows the threads that have arrived.
pub(crate) fn settle(app: &mut App) {
    let Some(state) = &mut app.threads else {
        return;
    };
    let Some(ThreadNews { threads, problem }) = state.waiting.take() else {
        return;
    };
    let notice = changes(&state.known, &threads);
    state.known.clone_from(&threads);
    let before = app.session.clone();
    if place_threads(&mut app.session, &threads) {
        app.files_changed(&before);
    }
    match (problem, notice) {
        (Some(problem), _) => app.notify(Tone::Refused, problem),
        (None, Some(notice)) => app.notify(Tone::Done, notice),
        (None, None) => (),
    }
}

/// Describes what has changed between two states of the threads.
fn changes(before: &[Thread], now: &[Thread]) -> Option<String> {
    let mut words: Vec<String> = Vec::new();
    for thread in now {
        let known = before.iter().find(|known| known.id == thread.id);
        if known.is_some_and(|known| known.revision == thread.revision) {
            continue;
        }
        let (id, path) = (&thread.id, &thread.path);
        let author = thread.messages.last().map_or("", |last| last.author.name());
        match (known, thread.state) {
            (None, _) if before.is_empty() && now.len() > 1 => (),
            (_, ThreadState::Answered) if thread.is_to_be_confirmed() => {
                words.push(format!("{author} proposes to resolve {id} in {path}"));
            }
            (_, ThreadState::Answered) => words.push(format!("{author} answers {id} in {path}")),
            (Some(_), ThreadState::Resolved) => words.push(format!("{id} is resolved")),
            (Some(_) | None, ThreadState::Open | ThreadState::Resolved) => (),
        }
    }
    match words.len() {
        0 => None,
        1 => words.pop(),
        count => Some(plural(count, "thread") + " changed"),
    }
}
