//! Matches of the search in the text that is being edited.

use super::app::App;
use super::mode::HunkEdit;
use crate::ui::editor::Caret;

/// Returns the number of the current match and the number of matches in the edited text, or `None` without a
/// match.
pub(crate) fn words(app: &App, edit: &HunkEdit) -> Option<String> {
    let all = edit.editor.matches(app.search.pattern.as_ref()?);
    (!all.is_empty()).then(|| words_of(&all, edit.editor.caret()))
}

pub(crate) fn words_of(all: &[Caret], here: Caret) -> String {
    match all.binary_search(&here) {
        Ok(nth) => format!("{} of {}", nth + 1, all.len()),
        Err(_) => format!("{} found", all.len()),
    }
}
