//! Notes for the end of a review: all that a person should know before it is finished, besides the counts.

use super::app::App;
use super::shown_lines::never_shown;
use super::unresolved_threads::unresolved;
use crate::review::ReviewSession;
use crate::text::{plural, sanitize_name};

/// Returns them in sentences: edits without a place, lines never shown, threads, files that were announced and not changed, texts that were not sent.
pub(crate) fn finish_notes(app: &App) -> Vec<String> {
    let notes = [
        waiting_edits(&app.session),
        never_shown(app.session.seen_of_accepted(), "accepted line"),
        unresolved(app),
        app.summaries.missing_words(),
        app.drafts.words(),
    ];
    notes.into_iter().flatten().collect()
}

/// Names the person's edits that have no place, so that they would not be written.
fn waiting_edits(session: &ReviewSession) -> Option<String> {
    let mut edits = session.waiting_edits();
    let first = edits.next()?;
    let file = &session.files[first.file];
    let number = file.number_of(first.hunk).0;
    let first = format!("hunk {number} in {}", sanitize_name(&file.path));
    Some(match edits.count() {
        0 => format!("your edit of {first} has no place: it would not be written"),
        more => format!(
            "your edits of {first} and {} have no place: they would not be written",
            plural(more, "more hunk")
        ),
    })
}

/// Returns true if a review can be finished without a question: everything is decided, nothing needs attention, and there is
/// nothing to know. In the resident reviewer the end is always asked about.
pub(crate) fn is_settled(app: &App) -> bool {
    let (summaries, counts) = (&app.summaries, &app.summaries.counts);
    let is_resident = app.empty_state.is_some() || !app.session.calls.is_empty();
    let is_decided = counts.hunks > 0 && counts.undecided + counts.mixed == 0;
    let is_quiet = summaries.needs_attention == 0 && summaries.unread == 0;
    !is_resident && is_decided && is_quiet && finish_notes(app).is_empty()
}
