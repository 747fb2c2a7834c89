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

/// Describes those at the files of one proposal, and counts its comments at lines, which open threads with its answer.
pub(crate) fn unresolved_of_call(app: &App, call: u64) -> Option<String> {
    app.threads.as_ref().filter(|threads| threads.asks)?;
    let files = || (app.session.files.iter()).filter(|file| file.is_of(call));
    let comments: usize = files().map(FileReview::comments_at_lines).sum();
    let opened = match comments {
        0 => None,
        1 => Some("1 comment opens a thread".to_owned()),
        n => Some(format!("{n} comments open threads")),
    };
    let known = unresolved_in(app, |file| file.is_of(call));
    let words: Vec<String> = known.into_iter().chain(opened).collect();
    (!words.is_empty()).then(|| words.join("; "))
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
