//! Taking steps back, and taking them again.

use super::{file_list, match_threshold};
use crate::review::{FileReview, ReviewSession, Stepped};
use crate::ui::action::Effect;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::mode::Mode;

/// As many files as are sooner counted one by one than all together.
const FEW: usize = 8;

pub(crate) fn undo(app: &mut App, count: Option<usize>) -> Effect {
    if let Some(effect) = match_threshold::undo(app) {
        return effect;
    }
    step_back(app, count, "nothing to undo", ReviewSession::undo);
    Effect::None
}

pub(crate) fn redo(app: &mut App, count: Option<usize>) -> Effect {
    if let Some(effect) = match_threshold::redo(app) {
        return effect;
    }
    step_back(app, count, "nothing to redo", ReviewSession::redo);
    Effect::None
}

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
            app.notify(Tone::Refused, nothing);
            return;
        };
        for (file, before) in before.into_iter().enumerate() {
            if app.session.files[file].revision() != before {
                app.lines_replaced(file);
            }
        }
        // Comments may have moved to other rows, or are gone.
        if (1..=FEW).contains(&files.len()) {
            for &file in &files {
                app.comments_changed(file);
            }
        } else {
            app.stream.lay_out(&app.session);
            app.decisions_changed(None);
        }
        if matches!(app.mode, Mode::FileList) {
            if let Some(file) = files.first() {
                app.file_list.go_to_file(*file);
                app.file_list.show_cursor(app.file_list_page());
            }
        } else if let Some(id) = hunk {
            app.go_to_hunk(id);
        } else if let Some(&file) = files.first() {
            file_list::show_file(app, file);
        }
    }
}
