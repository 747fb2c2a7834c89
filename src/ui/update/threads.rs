//! Threads with the agents: questions, replies, resolving, and what the agents answer.

use std::borrow::Cow;
use std::mem;

use crate::review::{
    Author, Direction, Row, Spot, Standing, Subject, Thread, ThreadState, check_text, passage_at,
    place_threads,
};
use crate::text::plural;
use crate::ui::action::Effect;
use crate::ui::command::{Command, Landmark};
use crate::ui::outcome::Ending;
use crate::ui::services::threads::{ThreadNews, ThreadRequest};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::known_threads::SentRequest;
use crate::ui::state::mode::{PromptPurpose, TextPurpose};
use crate::ui::state::prompt_draft::PromptDraft;
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
    let Some((file, spot)) = spot else {
        return app.notify(Tone::Refused, "no lines to ask about here");
    };
    if let Some(why) = closed(app, file) {
        return app.notify(Tone::Refused, why);
    }
    open(app, PromptPurpose::Text(TextPurpose::Ask(file, spot)), "");
}

/// Returns the reason why nothing can be asked about a file; `None` if something can.
fn closed(app: &App, file: usize) -> Option<&'static str> {
    match app.session.files.get(file)?.standing {
        Standing::Open => None,
        Standing::Held => Some("an earlier proposal for the same file is decided first: ask then"),
        Standing::Answered => Some("its agent has the answer already: ask at its next proposal"),
        Standing::Withdrawn | Standing::Gone => {
            Some("its proposal was withdrawn: ask at the next one")
        }
    }
}

/// Returns the reason why the text of a box cannot be sent; `None` if it can, or is for no thread.
pub(crate) fn refusal(app: &App, purpose: &PromptPurpose, text: &str) -> Option<String> {
    let closed = if let PromptPurpose::Text(TextPurpose::Ask(file, _)) = purpose {
        closed(app, *file)
    } else if matches!(purpose, PromptPurpose::Text(TextPurpose::Reply(_))) {
        None
    } else {
        return None;
    };
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let refused = closed.map(str::to_owned);
    refused.or_else(|| Some(check_text(text).err()?.to_string()))
}

/// Returns the message about a comment at lines that will open no thread; `None` if it will.
pub(crate) fn without_thread(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let why = check_text(text).err()?;
    Some(format!("the comment is kept and opens no thread: {why}"))
}

/// Returns the request for a question that was filled in.
pub(crate) fn thread_question(
    app: &mut App,
    file: usize,
    spot: Spot,
    text: Option<String>,
) -> Effect {
    let (Some(text), Some(review)) = (text, app.session.files.get(file)) else {
        return Effect::None;
    };
    let call = review.call.as_ref();
    let passage = passage_at(review, &spot);
    let request = ThreadRequest::Ask {
        path: review.path.clone(),
        passage,
        text: text.clone(),
        agent: call.map(|call| call.agent.clone()),
        proposal: call.map(|call| call.proposal.clone()),
    };
    let done = match call {
        Some(call) if call.answers => {
            format!("asked: {} can answer while you go on", call.agent)
        }
        Some(call) => format!(
            "{} waits for the verdict and cannot answer before: the question goes with it",
            call.agent
        ),
        None => "no agent waits here: the question goes with the report".to_owned(),
    };
    let sending = Sending {
        words: "a question was sent",
        begun: "storing the question",
        done: Some(done),
        text: Some((TextPurpose::Ask(file, spot), text)),
    };
    sending.send(app, request)
}

/// A request to send, with the messages about it.
struct Sending {
    /// It in words, for an undo.
    words: &'static str,
    /// The message while it is carried out.
    begun: &'static str,
    /// The message once it is carried out.
    done: Option<String>,
    /// The text, with the purpose of its box.
    text: Option<(TextPurpose, String)>,
}

impl Sending {
    /// Returns the request, which no undo takes back.
    fn send(self, app: &mut App, request: ThreadRequest) -> Effect {
        let at = app.undo_steps();
        let draft = self.text;
        let draft = draft.map(|(purpose, text)| PromptDraft::new(&app.session, purpose, text));
        if let Some(threads) = &mut app.threads {
            threads.record_sent(self.words, at);
            threads.pending.push_back(SentRequest {
                draft,
                begun: self.begun,
                done: self.done,
                at,
            });
        }
        app.notify(Tone::Done, self.begun);
        Effect::Thread(Box::new(request))
    }
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
    let sending = Sending {
        words: "a reply was sent",
        begun: "storing the reply",
        done: Some(format!("replied in {id}")),
        text: Some((TextPurpose::Reply(number), text.clone())),
    };
    sending.send(app, ThreadRequest::Reply { id, text })
}

/// Resolves the thread of the cursor, or reopens it.
pub(crate) fn resolve(app: &mut App) -> Effect {
    let Some((id, state)) = here(app) else {
        let next = app.key(Command::Jump(Landmark::Comment, Direction::Forward));
        let words = format!("no thread here; {next} goes to the next one");
        app.notify(Tone::Refused, words);
        return Effect::None;
    };
    let (words, begun, request) = match state {
        ThreadState::Open | ThreadState::Answered => (
            "a thread was resolved",
            "resolving the thread",
            ThreadRequest::Resolve { id },
        ),
        ThreadState::Resolved => (
            "a thread was reopened",
            "reopening the thread",
            ThreadRequest::Reopen { id },
        ),
    };
    let sending = Sending {
        words,
        begun,
        done: None,
        text: None,
    };
    sending.send(app, request)
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

/// Takes news, until they can be shown. Ends the review if that waits for nothing else.
pub(crate) fn take(app: &mut App, news: ThreadNews) -> Effect {
    let Some(threads) = &mut app.threads else {
        return Effect::None;
    };
    threads.take(news);
    if threads.is_storing() {
        return Effect::None;
    }
    let Some(ending) = threads.leaving.take() else {
        return Effect::None;
    };
    // Else the review goes on: the message names what is not stored.
    let is_stored = threads.finished.iter().all(|(_, outcome)| outcome.is_ok());
    if is_stored {
        Effect::End(ending)
    } else {
        Effect::None
    }
}

/// Holds the end of the review until every request has an outcome, so that nothing that was asked is lost. An aborted review ends
/// at once.
pub(crate) fn hold_end(app: &mut App, effect: Effect) -> Effect {
    let threads = app.threads.as_mut().filter(|threads| threads.is_storing());
    match (effect, threads) {
        (Effect::End(ending), Some(threads)) if ending != Ending::Aborted => {
            threads.leaving = Some(ending);
            let stay = app.key(Command::Back);
            let words = format!("leaving when what you wrote to agents is stored; {stay} stays");
            app.notify(Tone::Done, words);
            Effect::None
        }
        (effect, _) => effect,
    }
}

/// Gives the end of the review up that waits for requests.
pub(crate) fn stay(app: &mut App) {
    if let Some(threads) = &mut app.threads {
        threads.leaving = None;
    }
    let words = "the review goes on: what you wrote to agents is not stored yet";
    app.notify(Tone::Refused, words);
}

/// Shows the threads that have arrived, and the outcome of requests.
pub(crate) fn settle(app: &mut App) {
    let Some(state) = &mut app.threads else {
        return;
    };
    let finished = mem::take(&mut state.finished);
    let mut problem = state.problem.take();
    let threads = state.waiting.take();
    let mut notice = None;
    if let Some(threads) = threads {
        notice = changes(&state.known, &threads);
        state.known.clone_from(&threads);
        let before = app.session.clone();
        if place_threads(&mut app.session, &threads) {
            app.files_changed(&before);
        }
    }
    for (request, outcome) in finished {
        match outcome {
            Ok(()) => end_begun(app, request),
            Err(why) => problem = Some(failed(app, request, &why)),
        }
    }
    match (problem, notice) {
        (Some(problem), _) => app.notify(Tone::Refused, problem),
        (None, Some(notice)) => app.notify(Tone::Done, notice),
        (None, None) => (),
    }
}

/// Replaces the message of a request that was carried out. Other messages stay.
fn end_begun(app: &mut App, request: SentRequest) {
    let shown = app.notice.as_ref().map(|notice| notice.text.as_str());
    if shown.is_none_or(|shown| shown == request.begun) {
        app.notice = None;
        if let Some(done) = request.done {
            app.notify(Tone::Done, done);
        }
    }
}

/// Takes the text of a request back that was not carried out. Returns the message.
fn failed(app: &mut App, request: SentRequest, why: &str) -> String {
    if let Some(threads) = &mut app.threads {
        threads.forget_sent(request.at);
    }
    match request.draft {
        Some(draft) => {
            app.drafts.restore(draft);
            format!("not sent, and the same key opens the text again: {why}")
        }
        None => format!("the thread is not changed: {why}"),
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
        let last = thread.messages.last();
        let author = last.map_or_else(Cow::default, |last| last.author.name());
        let is_by_agent = last.is_some_and(|last| last.author != Author::Person);
        match (known, thread.state) {
            (None, _) if before.is_empty() && now.len() > 1 => (),
            (_, ThreadState::Answered) if thread.is_to_be_confirmed() => {
                words.push(format!("{author} proposes to resolve {id} in {path}"));
            }
            (_, ThreadState::Answered) => words.push(format!("{author} answers {id} in {path}")),
            (_, ThreadState::Open) if is_by_agent && !thread.is_for(&author) => {
                let asked = thread.agent.as_deref().unwrap_or_default();
                words.push(format!("{author} writes in {id}, which waits for {asked}"));
            }
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
