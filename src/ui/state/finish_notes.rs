//! Notes for the end of a review: all that a person should know before it is finished, besides the counts.

use super::app::App;
use super::shown_lines::never_shown;
use super::unresolved_threads::unresolved;
use crate::review::{HunkId, ReviewSession};
use crate::text::{plural, sanitize_name};

/// Returns them in sentences: edits without a place, lines never shown, threads, files that were announced and not changed, texts that were not sent,
/// files that the filter hides.
pub(crate) fn finish_notes(app: &App) -> Vec<String> {
    let notes = [
        waiting_edits(&app.session),
        dropped_edits(&app.session),
        selected_edits(&app.session),
        never_shown(app.session.seen_of_accepted(), "accepted line"),
        unresolved(app),
        app.summaries.missing_words(),
        app.drafts.words(),
        hidden_files(app),
    ];
    notes.into_iter().flatten().collect()
}

/// Counts the files that the filter hides, as all files are finished.
fn hidden_files(app: &App) -> Option<String> {
    let hidden = app.stream.folds.hidden.len();
    let filter = &app.file_list.filter;
    (hidden > 0).then(|| {
        let files = plural(hidden, "file");
        format!("this finishes all files, also {files} that the filter `{filter}` hides")
    })
}

/// Names the person's edits that have no place, so that they would not be written.
fn waiting_edits(session: &ReviewSession) -> Option<String> {
    Some(match edited_hunks(session, session.waiting_edits())? {
        (1, hunk) => format!("your edit of {hunk} has no place: it would not be written"),
        (_, hunks) => format!("your edits of {hunks} have no place: they would not be written"),
    })
}

/// Names the person's edits that are dropped unless they are accepted.
fn dropped_edits(session: &ReviewSession) -> Option<String> {
    Some(match edited_hunks(session, session.dropped_edits())? {
        (1, hunk) => format!("your edit of {hunk} is not accepted: its text would be dropped"),
        (_, hunks) => {
            format!("your edits of {hunks} are not accepted: their text would be dropped")
        }
    })
}

/// Names the person's edits of undecided hunks that are selected.
fn selected_edits(session: &ReviewSession) -> Option<String> {
    Some(match edited_hunks(session, session.selected_edits())? {
        (1, hunk) => format!("{hunk} is undecided, and selected with your edit"),
        (_, hunks) => format!("{hunks} are undecided, and selected with your edits"),
    })
}

/// Returns the number of edited hunks, and names the first one; `None` if there are none.
fn edited_hunks(
    session: &ReviewSession,
    mut hunks: impl Iterator<Item = HunkId>,
) -> Option<(usize, String)> {
    let first = hunks.next()?;
    let file = &session.files[first.file];
    let number = file.number_of(first.hunk).0;
    let first = format!("hunk {number} in {}", sanitize_name(&file.path));
    Some(match hunks.count() {
        0 => (1, first),
        more => (
            more + 1,
            format!("{first} and {}", plural(more, "more hunk")),
        ),
    })
}

/// Returns true if something is left that a person should know before anything is written: hunks that are undecided or need attention,
/// or one of the notes.
pub(crate) fn has_open_points(app: &App) -> bool {
    let (summaries, counts) = (&app.summaries, &app.summaries.counts);
    let is_decided = counts.undecided + counts.mixed == 0;
    let is_quiet = summaries.needs_attention == 0 && summaries.unread == 0;
    !is_decided || !is_quiet || !finish_notes(app).is_empty()
}

/// Returns true if a review can be finished without a question. The end of the resident reviewer, and of a review with nothing to
/// write, is always asked about.
pub(crate) fn is_settled(app: &App) -> bool {
    let is_resident = app.empty_state.is_some() || !app.session.calls.is_empty();
    !is_resident && app.summaries.counts.hunks > 0 && !has_open_points(app)
}
