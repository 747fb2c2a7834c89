//! Notes above a hunk in three texts: that it has no place, or that nothing is left.

use crate::review::{FileKind, FileReview, HunkId, HunkReview};
use crate::text::{LineIdx, LineNo};
use crate::ui::command::{ByHand, Command};
use crate::ui::state::app::App;

/// Says that a hunk has no place at all, and which key chooses one.
pub(crate) fn no_place_words(app: &App, id: HunkId) -> String {
    let hunk = app.session.hunk(id);
    if hunk.is_some_and(HunkReview::can_be_placed) {
        let key = app.key(Command::Place(ByHand::Begin));
        return format!("this hunk has no place: {key} in the review chooses one");
    }
    "this hunk has no place".to_owned()
}

/// Says that a hunk has no place, and at which of its likely places it is compared.
pub(crate) fn likely_place(app: &App, places: &[LineIdx], place: usize) -> String {
    let line = LineNo::from_idx(places[place]);
    let key = app.key(Command::Place(ByHand::Begin));
    let at = match (place, places.len()) {
        (0, 1) => format!("its likeliest, line {line}"),
        (nth, count) => format!("likely place {} of {count}, line {line}", nth + 1),
    };
    format!("this hunk has no place: compared at {at}; {key} in the review places it")
}

/// States that a hunk removes all lines that are shown.
pub(crate) fn nothing_left(file: &FileReview) -> String {
    let words = match file.kind {
        FileKind::Deleted => "the file is deleted",
        FileKind::Modified
        | FileKind::Created
        | FileKind::Renamed { .. }
        | FileKind::Copied { .. } => "no lines are left",
    };
    format!("{words}: these lines are removed")
}
