//! The list of all files: shown, left, sorted.

use super::prompt;
use crate::ui::app::{App, Tone};
use crate::ui::command::List;
use crate::ui::mode::Mode;

pub(super) fn list(app: &mut App, list: List) {
    match list {
        List::Show => {
            if matches!(app.mode, Mode::Batch) {
                app.mode = Mode::Review;
            } else {
                if let Some(file) = app.stream.file() {
                    app.batch.go_to_file(file);
                }
                app.batch.arrange(&app.session, &app.summaries);
                app.batch.show_cursor(app.batch_page());
                app.mode = Mode::Batch;
            }
        }
        List::Open => {
            app.batch.from = None;
            if let Some(file) = app.batch.file() {
                app.mode = Mode::Review;
                show_file(app, file);
            }
        }
        List::Sort => {
            app.batch.sort = app.batch.sort.next();
            app.batch.arrange(&app.session, &app.summaries);
            app.batch.show_cursor(app.batch_page());
            app.say(Tone::Done, format!("sorted: {}", app.batch.sort.name()));
        }
        List::Choose => app.batch.choose(),
        List::Range if app.batch.from.is_some() => app.batch.choose(),
        List::Range => app.batch.from = Some(app.batch.cursor),
        List::ChooseAll => app.batch.choose_all(),
        List::Filter => prompt::filter(app),
    }
}

/// Puts the stream's cursor on the head of a file.
pub(super) fn show_file(app: &mut App, file: usize) {
    let head = app.stream.rows.of_file(file).start;
    app.stream.jump(&app.session, head);
    app.stream.align(&app.session, 0);
}
