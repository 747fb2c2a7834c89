//! The threads that are asked about before a review is finished.

use super::app::App;
use crate::review::{FileReview, ThreadState};
use crate::text::plural;

/// Most threads that are named.
const MOST_NAMED: usize = 6;

/// Describes the threads of the review that are not resolved; `None` if there are none, or they are not asked about.
pub(crate) fn unresolved(app: &App) -> Option<String> {
    unresolved_in(app, FileReview::is_open)
}

/// Describes those at the files of one proposal.
pub(crate) fn unresolved_of_call(app: &App, call: u64) -> Option<String> {
    unresolved_in(app, |file| file.is_of(call))
}

fn unresolved_in(app: &App, is_wanted: impl Fn(&FileReview) -> bool) -> Option<String> {
    app.threads.as_ref().filter(|threads| threads.asks)?;
    let shown = app.session.files.iter().filter(|file| is_wanted(file));
    let shown = shown.flat_map(|file| &file.threads);
    let mut names = Vec::new();
    let mut answered = 0;
    for thread in shown.filter(|thread| thread.state != ThreadState::Resolved) {
        if !names.contains(&thread.id.as_str()) {
            names.push(thread.id.as_str());
            answered += usize::from(thread.state == ThreadState::Answered);
        }
    }
    let count = names.len();
    if count == 0 {
        return None;
    }
    let verb = if count == 1 { "is" } else { "are" };
    let answered = match answered {
        0 => String::new(),
        n => format!(", {n} answered"),
    };
    let threads = plural(count, "thread");
    names.truncate(MOST_NAMED);
    let names = names.join(", ");
    let more = if count > MOST_NAMED { ", …" } else { "" };
    Some(format!(
        "{threads} {verb} not resolved{answered}: {names}{more}"
    ))
}
