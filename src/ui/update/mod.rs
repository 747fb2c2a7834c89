//! Actions change the state. No key, no terminal, no file, and nothing that waits.

mod apply_model;
mod apply_pending;
mod calls;
mod comparison_note;
mod decide;
mod display;
mod edit;
mod file_list;
mod leave;
mod manual_placement;
mod match_threshold;
mod mouse;
mod navigate;
mod open_prompt;
mod prompt;
mod queue;
mod reader;
mod refresh;
mod result_change;
mod split;
mod spot;
mod text_input;
mod threads;
mod undo;

pub(crate) use decide::decide_picked;
use edit::external;
use navigate::{jump, motion};
use prompt::palette;

use crate::ui::action::{Action, Effect};
use crate::ui::command::{About, Command, Editing, Landmark, Leaving};
use crate::ui::outcome::Ending;
use crate::ui::services::background::SessionChange;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::{Mode, PromptPurpose, Question};

/// Lets an action change the state, and says what the outside has to do.
pub fn update(app: &mut App, action: Action) -> Effect {
    let effect = take(app, action);
    // What the person has confirmed stays as it is until the end.
    if effect == Effect::None && !app.is_leaving() {
        apply_pending::settle(app);
    }
    app.follow_sideways();
    effect
}

fn take(app: &mut App, action: Action) -> Effect {
    if app.is_leaving() && !is_taken_while_leaving(app, &action) {
        return Effect::None;
    }
    match action {
        Action::Command(command, count) => {
            app.notice = None;
            let effect = execute(app, command, count);
            return threads::hold_end(app, effect);
        }
        Action::Type(c) => text_input::type_char(app, c),
        Action::Paste(text) => text_input::paste(app, &text),
        Action::Mouse(mouse, position) => mouse::mouse(app, mouse, position),
        Action::Resize(size) => app.resize(size),
        Action::Highlighted(painted) => app.tokens.take(painted),
        Action::EditorEnded(errand, result) => external::take_edited(app, &errand, result),
        Action::Placed(placed) => refresh::take(app, *placed),
        Action::Changed(change) if matches!(*change, SessionChange::Ended) => {
            return Effect::End(Ending::Write);
        }
        Action::Changed(change) => changed(app, *change),
        Action::SyntaxChecked(judged) => reader::judged(app, judged),
        Action::CheckNews(news) => reader::checked(app, news),
        Action::ModelNews(news) => {
            if let Some(model) = &mut app.model {
                model.take(news);
            }
        }
        Action::ThreadNews(news) => return threads::take(app, news),
        Action::ModelWaited(time) => apply_model::note_elapsed(app, time),
        Action::MovedLinesFound(number, moved) => app.moves_found(number, moved),
    }
    Effect::None
}

/// Returns true if something happens although the review is about to end: no key decides anything more, and one gives the end up.
fn is_taken_while_leaving(app: &mut App, action: &Action) -> bool {
    match action {
        Action::Command(Command::Back, _) => {
            threads::stay(app);
            false
        }
        Action::Command(Command::Leave(Leaving::Abort) | Command::Redraw, _)
        | Action::Resize(_)
        | Action::Highlighted(_)
        | Action::Placed(_)
        | Action::Changed(_)
        | Action::SyntaxChecked(_)
        | Action::CheckNews(_)
        | Action::ModelNews(_)
        | Action::ThreadNews(_)
        | Action::ModelWaited(_)
        | Action::MovedLinesFound(..) => true,
        Action::Command(..)
        | Action::Type(_)
        | Action::Paste(_)
        | Action::Mouse(..)
        | Action::EditorEnded(..) => false,
    }
}

/// Queues what joins or leaves. Another terminal is answered at once, whatever the person is doing.
fn changed(app: &mut App, change: SessionChange) {
    match change {
        SessionChange::Asked(reader) => (reader.0)(&app.session),
        SessionChange::Decided(decider) if app.is_busy() => {
            (decider.0)(None);
        }
        SessionChange::Decided(_)
        | SessionChange::Joined { .. }
        | SessionChange::Left { .. }
        | SessionChange::Queue(_)
        | SessionChange::Said(_)
        | SessionChange::Warned(_)
        | SessionChange::Ended => queue::queue(app, change),
    }
}

fn execute(app: &mut App, command: Command, count: Option<usize>) -> Effect {
    // What cannot be seen is not decided.
    if app.screen().is_none() && command.needs_all_placed() {
        return Effect::None;
    }
    if app.summaries.unread > 0 && command.needs_all_placed() {
        app.notify(Tone::Refused, "not yet: the edits are still being placed");
        return Effect::None;
    }
    match command {
        Command::Move(motion) => motion::travel(app, motion, count),
        Command::Scroll(scroll) => motion::scroll(app, scroll, count),
        Command::Jump(Landmark::Found, direction) if matches!(app.mode, Mode::Edit(_)) => {
            edit::search::step(app, direction, count);
        }
        Command::Jump(landmark, direction) => jump::jump(app, landmark, direction, count),
        Command::Decide(scope, verdict) => decide::decide(app, scope, verdict),
        Command::SelectLines => {
            app.mode = Mode::Lines {
                from: app.stream.cursor,
            }
        }
        Command::Undo => return undo::undo(app, count),
        Command::Redo => return undo::redo(app, count),
        Command::Edit(Editing::Keep) if app.mode.edit().is_none() => back(app),
        Command::Edit(editing) => return edit::edit(app, editing),
        Command::Place(placing) => manual_placement::place(app, placing),
        Command::AskModel => return apply_model::ask(app),
        Command::Split => split::split(app),
        Command::Match(matching) => return match_threshold::match_by(app, matching),
        Command::Read(reading) => return reader::read(app, reading),
        Command::Type(typing) => return text_input::typing(app, typing),
        Command::Comment(About::Hunk) if threads::reply(app) => (),
        Command::Comment(about) => prompt::comment::comment(app, about),
        Command::AskAgent => threads::ask(app),
        Command::ResolveThread => return threads::resolve(app),
        Command::View(view) => display::change(app, view),
        Command::List(list) => file_list::list(app, list),
        Command::Search => prompt::search(app),
        Command::Copy => return display::copy(app),
        Command::Help if is_filtering_help(app) => return prompt::submit(app),
        Command::Help => open_help(app),
        Command::Palette => palette::open_palette(app),
        Command::Suspend => return Effect::Suspend,
        Command::Redraw => return Effect::Redraw,
        Command::Leave(leaving) => return leave::leave(app, leaving),
        Command::Back if matches!(app.mode, Mode::Review) && app.is_asking() => {
            return apply_model::give_up(app);
        }
        Command::Back => back(app),
        Command::Submit => {
            return match palette::chosen(app) {
                Some((command, count)) => {
                    prompt::close(app);
                    execute(app, command, count)
                }
                None => prompt::submit(app),
            };
        }
        Command::Yes => yes(app),
    }
    Effect::None
}

fn is_filtering_help(app: &App) -> bool {
    let prompt = app.mode.prompt();
    prompt.is_some_and(|prompt| prompt.purpose == PromptPurpose::HelpFilter)
}

/// Shows the keys, those of the mode in front first. It goes on behind the help.
fn open_help(app: &mut App) {
    let help = Mode::Help {
        top: 0,
        filter: String::new(),
    };
    let behind = std::mem::replace(&mut app.mode, help);
    app.behind_help = (!matches!(behind, Mode::Review)).then(|| Box::new(behind));
}

/// Goes back from whatever is in front.
fn back(app: &mut App) {
    match std::mem::replace(&mut app.mode, Mode::Review) {
        Mode::Question(Question::Drop(edit)) | Mode::Edit(edit) => app.mode = Mode::Edit(edit),
        Mode::Question(Question::Rest {
            from_file_list: true,
            ..
        }) => app.mode = Mode::FileList,
        Mode::Prompt(prompt) => prompt::cancel(app, *prompt),
        Mode::Review if app.search.pattern.is_none() => app.leave_filter(),
        Mode::Review => app.search.seek(None),
        Mode::FileList if app.file_list.choose_none() => app.mode = Mode::FileList,
        Mode::FileList if !app.file_list.filter.is_empty() => {
            app.leave_filter();
            app.mode = Mode::FileList;
        }
        Mode::Question(Question::Rest {
            from_file_list: false,
            ..
        })
        | Mode::Lines { .. }
        | Mode::FileList
        | Mode::Finish => (),
        Mode::Help { .. } => app.mode = app.behind_help.take().map_or(Mode::Review, |mode| *mode),
        Mode::Place(placing) => manual_placement::cancel(app, &placing),
        Mode::Read => reader::leave(app),
    }
}

/// Answers a question with yes.
fn yes(app: &mut App) {
    match std::mem::replace(&mut app.mode, Mode::Review) {
        Mode::Question(Question::Drop(edit)) => edit::in_place::drop_edit(app, &edit),
        Mode::Question(Question::Rest {
            target,
            decision,
            from_file_list,
            ..
        }) => {
            if from_file_list {
                app.mode = Mode::FileList;
            }
            decide::rest(app, &target, decision);
        }
        other @ (Mode::Review
        | Mode::Lines { .. }
        | Mode::FileList
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
