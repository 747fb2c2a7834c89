//! Available commands: hints and the palette offer no others.

use super::app::App;
use super::known_threads::KnownThreads;
use super::mode::{Mode, Prompt, PromptPurpose};
use super::model_target::can_ask;
use super::reader::{Reader, ReaderContent};
use crate::review::{Direction, HunkReview, Row, Subject};
use crate::ui::command::{
    ByHand, Command, DecideAction, Editing, Landmark, Leaving, List, ReaderPage, Scope, Typing,
};
use crate::ui::keymap::KeyContext;
use crate::ui::services::check::Checking;

/// Returns true if a changed line is among the rows that are selected.
fn selects_changes(app: &App) -> bool {
    let rows = app.selected().unwrap_or_default();
    let is_change = |row: Row| matches!(row, Row::Change { .. } | Row::FoldedChange { .. });
    app.stream.rows.find(rows, false, is_change).is_some()
}

/// Returns true if there is a step to undo, or one to say of that it cannot be undone.
fn can_undo(app: &App) -> bool {
    let steps = app.undo_steps();
    let is_sent = |threads: &KnownThreads| threads.is_last_sent(steps);
    app.session.can_undo()
        || app.thresholds.can_undo(app.session.history_len())
        || app.threads.as_ref().is_some_and(is_sent)
}

/// Returns true if the hunk that breaks the check is known or can be found.
fn knows_breaking(app: &App, check: &Checking) -> bool {
    check.can_find(app.revision) || check.breaking(app.revision).is_some()
}

/// Returns true if there is a change, or a likely place, to go to in what is read.
fn has_stops(app: &App) -> bool {
    match app.reader.as_ref().map(|reader| &reader.what) {
        Some(ReaderContent::Result(result)) => !result.changes.is_empty(),
        Some(ReaderContent::Compare(it)) => app.session.places_near(it.hunk).len() > 1,
        Some(ReaderContent::Plan(_)) | None => false,
    }
}

/// Returns true if a command would do something now.
pub(crate) fn is_available(app: &App, command: Command) -> bool {
    let counts = &app.summaries.counts;
    let stream = matches!(app.mode.command_context(), KeyContext::Stream);
    let hunk = || app.stream.hunk().and_then(|id| app.session.hunk(id));
    let plan = || app.reader.as_ref().is_some_and(Reader::is_plan);
    if app.summaries.unread > 0 && command.needs_all_placed() {
        return false;
    }
    match command {
        Command::Decide(Scope::Here, verdict) if stream => {
            let drops = verdict != DecideAction::Accept;
            hunk().is_some_and(|hunk| hunk.is_decidable() || drops && hunk.can_be_dropped())
                || matches!(
                    app.stream.row(),
                    Some(Row::File { .. } | Row::Purpose { .. })
                )
        }
        Command::Decide(Scope::Here, _) if matches!(app.mode, Mode::Lines { .. }) => {
            selects_changes(app)
        }
        Command::Edit(Editing::Begin) => {
            matches!(
                app.stream.row(),
                Some(Row::Fold { .. } | Row::FoldedChange { .. })
            ) || hunk().is_some_and(|hunk| hunk.is_decidable() && hunk.step.is_none())
        }
        Command::Edit(Editing::AcceptAll) => app.session.dropped_edits().next().is_some(),
        Command::Edit(Editing::Restore) => {
            hunk().is_some_and(|hunk| hunk.state.edited || hunk.kept_edit().is_some())
        }
        Command::SelectLines => {
            let row = app.stream.row();
            matches!(row, Some(Row::Change { .. } | Row::Context { .. }))
        }
        Command::Jump(Landmark::Undecided, Direction::Forward) => {
            // In an outline the hunks of a file are one number.
            app.summaries.waiting + counts.undecided > 0
        }
        Command::Jump(Landmark::Comment, _) => {
            let files = &app.summaries.files;
            app.session.comment.is_some() || files.iter().any(|file| file.commented)
        }
        Command::AskModel => can_ask(app),
        Command::Search => !app.stream.rows.is_empty() || matches!(app.mode, Mode::Help { .. }),
        Command::Comment(_) | Command::Read(ReaderPage::Result) => app.stream.file().is_some(),
        Command::AskAgent => app.threads.is_some() && app.stream.file().is_some(),
        Command::ResolveThread => {
            let row = app.stream.row();
            let about = |about| matches!(about, Subject::Thread(_));
            matches!(row, Some(Row::Comment { about: of, .. }) if about(of))
        }
        Command::List(List::Show | List::Filter) => !app.session.files.is_empty(),
        Command::List(_) => !app.file_list.rows.is_empty(),
        Command::Read(ReaderPage::Plan) | Command::Leave(Leaving::Keep | Leaving::Discard) => {
            !app.is_idle()
        }
        Command::Decide(..) if matches!(app.mode, Mode::FileList) => !app.file_list.rows.is_empty(),
        Command::Undo => can_undo(app),
        Command::Redo => {
            app.session.can_redo() || app.thresholds.can_redo(app.session.history_len())
        }
        Command::Place(ByHand::Begin) => hunk().is_some_and(HunkReview::can_be_placed),
        Command::Read(ReaderPage::Check) => app.check.is_some() && plan(),
        Command::Read(ReaderPage::Breaking) => {
            app.check
                .as_ref()
                .is_some_and(|check| knows_breaking(app, check))
                && plan()
        }
        Command::Read(ReaderPage::Next | ReaderPage::Previous) => !plan(),
        Command::Leave(Leaving::Write) => plan() || !matches!(app.mode, Mode::Read),
        Command::Read(ReaderPage::NextPlace | ReaderPage::PreviousPlace) => has_stops(app),
        Command::Type(Typing::Newline) => {
            let comments = |prompt: &Prompt| matches!(prompt.purpose, PromptPurpose::Text(_));
            let prompt = app.mode.prompt();
            prompt.map_or_else(|| app.mode.edit().is_some(), comments)
        }
        Command::Type(_) => {
            app.mode.edit().is_some_and(|edit| edit.changed) || matches!(app.mode, Mode::Prompt(_))
        }
        Command::Move(_)
        | Command::Scroll(_)
        | Command::Jump(..)
        | Command::Decide(..)
        | Command::Edit(_)
        | Command::Place(_)
        | Command::Split
        | Command::Match(_)
        | Command::Read(_)
        | Command::View(_)
        | Command::Copy
        | Command::Help
        | Command::Palette
        | Command::Suspend
        | Command::Redraw
        | Command::Leave(_)
        | Command::Back
        | Command::Submit
        | Command::Yes => true,
    }
}
