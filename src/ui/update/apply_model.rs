//! Asking the apply model, for a hunk without a place or for lines that are to be changed, and taking what it answers.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crate::review::{HunkId, HunkReview, ModelQuestion};
use crate::text::{LineIdx, LineNo};
use crate::ui::action::Effect;
use crate::ui::command::{Command, DecideAction, Scope};
use crate::ui::services::apply_model::{ModelAnswer, ModelRequest, ModelState, Task};
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, PromptPurpose};
use crate::ui::state::model_target::chosen;
use crate::ui::update::open_prompt::open;

/// Asks about the hunk of the cursor if it has no place, else what is to be done to its lines or to the selected ones.
pub(crate) fn ask(app: &mut App) -> Effect {
    let give_up = app.key(Command::Back);
    let refusal = match &app.model {
        None => "no apply model is configured: set `model.endpoint` in your settings".to_owned(),
        Some(model) if model.open.is_some() => {
            format!("one question at a time: {give_up} cancels the open one")
        }
        Some(_) => {
            let here = app
                .stream
                .hunk()
                .filter(|_| matches!(app.mode, Mode::Review));
            if let Some(id) = here
                && let Some(ModelQuestion { asked, near }) = app.session.question(id)
            {
                let task = Task::Place {
                    hunk: Box::new(asked.clone()),
                    near,
                };
                return send(app, id.file, task);
            }
            match chosen(app) {
                Some((file, lines)) => match app.session.region_of(file, &lines) {
                    Ok(_) => {
                        let (first, end) = (lines.start, lines.end);
                        open(app, PromptPurpose::Draft { file, first, end }, "");
                        return Effect::None;
                    }
                    Err(why) => why.to_string(),
                },
                None => "nothing here to ask the apply model about".to_owned(),
            }
        }
    };
    app.notify(Tone::Refused, refusal);
    Effect::None
}

/// Asks what was filled in.
pub(crate) fn draft(
    app: &mut App,
    file: usize,
    lines: Range<LineIdx>,
    said: Option<String>,
) -> Effect {
    let Some(instruction) = said else {
        return Effect::None;
    };
    send(app, file, Task::Draft { lines, instruction })
}

fn send(app: &mut App, file: usize, task: Task) -> Effect {
    // Its call is not answered meanwhile.
    if let Some(call) = app.session.call_of(file) {
        call.asked = true;
    }
    let (Some(review), Some(model)) = (app.session.files.get(file), &mut app.model) else {
        return Effect::None;
    };
    model.begin(ModelRequest {
        path: review.path.clone(),
        call: review.call.as_ref().map(|call| call.number),
        text: Arc::clone(match task {
            Task::Place { .. } => &review.base,
            Task::Draft { .. } => review.yours(),
        }),
        task,
    });
    Effect::AskModel
}

/// Takes note of how long it has been asked.
pub(crate) fn note_elapsed(app: &mut App, time: Duration) {
    if let Some(ModelState {
        open: Some((_, waited)),
        ..
    }) = &mut app.model
    {
        *waited = time;
    }
}

/// Waits for the answer no longer.
pub(crate) fn give_up(app: &mut App) -> Effect {
    if let Some(model) = &mut app.model {
        model.open = None;
    }
    let_go_on(app);
    app.notify(Tone::Done, "the question to the apply model is cancelled");
    Effect::GiveUpModel
}

/// Lets the call that the apply model was asked about go on.
fn let_go_on(app: &mut App) {
    let mut waits = false;
    for call in &mut app.session.calls {
        waits |= std::mem::take(&mut call.asked);
    }
    if waits {
        app.decisions_changed(None);
    }
}

/// Shows an answer that has come, unless the person is in the middle of something.
pub(crate) fn settle(app: &mut App) {
    let answered = app.model.as_mut().and_then(|model| model.answered.take());
    let Some((inquiry, answer)) = answered else {
        return;
    };
    let taken = answer.and_then(|answer| take(app, &inquiry, answer));
    let_go_on(app);
    match taken {
        Ok(told) => app.notify(Tone::Done, told),
        Err(why) => app.notify(Tone::Refused, format!("{}: {why}", inquiry.path)),
    }
}

/// Takes an answer, and says where it is and what can be done with it; or why it is not taken.
fn take(app: &mut App, inquiry: &ModelRequest, answer: ModelAnswer) -> Result<String, String> {
    let mut files = app.session.files.iter();
    let file = files.position(|file| {
        let call = file.call.as_ref().map(|call| call.number);
        file.path == inquiry.path && call == inquiry.call && file.is_open()
    });
    let file =
        file.ok_or("the file that the apply model was asked about is no longer in the review")?;
    let here = app.stream.hunk();
    let (id, done) = match (&inquiry.task, answer) {
        (Task::Place { hunk, .. }, ModelAnswer::Hunk(answer)) => {
            let hunks = 0..app.session.files[file].hunks.len();
            let mut ids = hunks.map(|hunk| HunkId { file, hunk });
            let id = ids.find(|id| {
                let question = app.session.question(*id);
                question.is_some_and(|question| *question.asked == **hunk)
            });
            let id =
                id.ok_or("the hunk that the apply model was asked about has its place by now")?;
            let taken = app.session.take_answer(id, &answer);
            taken.map_err(|why| format!("the apply model's answer is not taken: {why}"))?;
            (id, "the apply model has placed it")
        }
        (Task::Draft { lines, .. }, ModelAnswer::Lines(new)) => {
            let old: Vec<String> = (lines.clone())
                .map(|idx| inquiry.text.line(idx).to_owned())
                .collect();
            let taken = app.session.take_draft(file, lines, &old, &new);
            let id = taken.map_err(|why| why.to_string())?;
            (id, "the apply model has changed your lines")
        }
        (Task::Place { .. }, ModelAnswer::Lines(_))
        | (Task::Draft { .. }, ModelAnswer::Hunk(_)) => {
            return Err("the apply model has answered something else".to_owned());
        }
    };
    app.lines_replaced(file);
    if here == Some(id) {
        app.go_to_hunk(id);
    }
    let line = (app.session.hunk(id)).map_or(0, HunkReview::first_line);
    let (path, line) = (&inquiry.path, LineNo::from_idx(line));
    let accept = app.key(Command::Decide(Scope::Here, DecideAction::Accept));
    let undo = app.key(Command::Undo);
    Ok(format!(
        "{path}:{line}: {done}: look at it, {accept} accepts it, {undo} takes it back"
    ))
}
