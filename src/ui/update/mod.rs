//! Actions change the state. No key, no terminal, no file, and nothing that waits.

mod batch;
mod changed;
mod decide;
mod edit;
mod external;
mod find;
mod jump;
mod leave;
mod matching;
mod model;
mod motion;
mod mouse;
mod palette;
mod place;
mod placed;
mod prompt;
mod read;
mod split;
mod steps;
mod view;

pub(super) use decide::decide_picked;
pub(super) use find::words as found_in_edit;
pub(super) use model::can_ask;

use super::Ending;
use super::action::{Action, Effect};
use super::app::{App, Tone};
use super::beside::Change;
use super::command::{Command, Landmark, Leaving};
use super::mode::{Mode, Question};

/// Lets an action change the state, and says what the outside has to do.
pub fn update(app: &mut App, action: Action) -> Effect {
    let effect = take(app, action);
    if effect == Effect::None {
        placed::settle(app);
    }
    effect
}

fn take(app: &mut App, action: Action) -> Effect {
    match action {
        Action::Command(command, count) => {
            app.notice = None;
            return obey(app, command, count);
        }
        Action::Type(c) => edit::type_char(app, c),
        Action::Paste(text) => edit::paste(app, &text),
        Action::Mouse(mouse, position) => mouse::mouse(app, mouse, position),
        Action::Resize(size) => app.resize(size),
        Action::Painted(painted) => app.colours.take(painted),
        Action::EditorEnded(errand, result) => external::ended(app, &errand, result),
        Action::Placed(placed) => placed::take(app, *placed),
        Action::Changed(change) if matches!(*change, Change::Ended) => {
            return Effect::End(Ending::Write);
        }
        Action::Changed(change) => app.changes.push_back(*change),
        Action::Judged(judged) => read::judged(app, judged),
        Action::Checked(news) => read::checked(app, news),
        Action::Answered(news) => {
            if let Some(model) = &mut app.model {
                model.take(news);
            }
        }
        Action::Waited(time) => model::waited(app, time),
        Action::Moved(number, moved) => app.moves.take(number, moved),
    }
    Effect::None
}

fn obey(app: &mut App, command: Command, count: Option<usize>) -> Effect {
    // What cannot be seen is not decided.
    if app.screen().is_none() && command.needs_all_placed() {
        return Effect::None;
    }
    if app.summaries.unread > 0 && command.needs_all_placed() {
        app.say(Tone::Refused, "not yet: the edits are still being placed");
        return Effect::None;
    }
    match command {
        Command::Move(motion) => motion::travel(app, motion, count),
        Command::Scroll(scroll) => motion::scroll(app, scroll, count),
        Command::Jump(Landmark::Found, direction) if matches!(app.mode, Mode::Edit(_)) => {
            find::step(app, direction, count);
        }
        Command::Jump(landmark, direction) => jump::jump(app, landmark, direction, count),
        Command::Decide(scope, verdict) => decide::decide(app, scope, verdict),
        Command::SelectLines => {
            app.mode = Mode::Lines {
                from: app.stream.cursor,
            }
        }
        Command::Undo => steps::undo(app, count),
        Command::Redo => steps::redo(app, count),
        Command::Edit(editing) => return edit::edit(app, editing),
        Command::Place(placing) => place::place(app, placing),
        Command::AskModel => return model::ask(app),
        Command::Split => split::split(app),
        Command::Match(matching) => return matching::match_by(app, matching),
        Command::Read(reading) => return read::read(app, reading),
        Command::Type(typing) => return edit::typing(app, typing),
        Command::Comment(about) => prompt::comment(app, about),
        Command::View(view) => view::change(app, view),
        Command::List(list) => batch::list(app, list),
        Command::Search => prompt::search(app),
        Command::Copy => return view::copy(app),
        Command::Help => {
            app.mode = Mode::Help {
                top: 0,
                filter: String::new(),
            }
        }
        Command::Palette => palette::open(app),
        Command::Suspend => return Effect::Suspend,
        Command::Redraw => return Effect::Redraw,
        Command::Leave(leaving) => return leave::leave(app, leaving),
        Command::Back if matches!(app.mode, Mode::Review) && app.is_asking() => {
            return model::give_up(app);
        }
        Command::Back => back(app),
        Command::Submit => return prompt::submit(app),
        Command::Yes => yes(app),
    }
    Effect::None
}

/// Goes back from whatever is in front.
fn back(app: &mut App) {
    match std::mem::replace(&mut app.mode, Mode::Review) {
        Mode::Question(Question::Drop(edit)) | Mode::Edit(edit) => app.mode = Mode::Edit(edit),
        Mode::Question(Question::Rest {
            from_batch: true, ..
        }) => app.mode = Mode::Batch,
        Mode::Prompt(prompt) => prompt::cancel(app, *prompt),
        Mode::Review => app.search.seek(None),
        Mode::Batch if app.batch.choose_none() => app.mode = Mode::Batch,
        Mode::Question(Question::Rest {
            from_batch: false, ..
        })
        | Mode::Lines { .. }
        | Mode::Batch
        | Mode::Finish
        | Mode::Help { .. } => (),
        Mode::Place(placing) => place::cancel(app, &placing),
        Mode::Read => read::leave(app),
    }
}

/// Answers a question with yes.
fn yes(app: &mut App) {
    match std::mem::replace(&mut app.mode, Mode::Review) {
        Mode::Question(Question::Drop(edit)) => edit::drop_edit(app, &edit),
        Mode::Question(Question::Rest {
            target,
            decision,
            from_batch,
            ..
        }) => {
            if from_batch {
                app.mode = Mode::Batch;
            }
            decide::rest(app, &target, decision);
        }
        other @ (Mode::Review
        | Mode::Lines { .. }
        | Mode::Batch
        | Mode::Edit(_)
        | Mode::Prompt(_)
        | Mode::Finish
        | Mode::Place(_)
        | Mode::Read
        | Mode::Help { .. }) => app.mode = other,
    }
}

/// Ends the review, whatever is in front: a lost terminal or a signal never accepts anything.
pub fn abort(app: &mut App) -> Effect {
    leave::leave(app, Leaving::Abort)
}
