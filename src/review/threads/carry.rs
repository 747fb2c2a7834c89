//! Carries the lines of threads through a finished review: what was accepted moves them, replaces them, or leaves them out.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::collect::{comments_in, lines_at};
use super::moved::{FileAfter, moved_to};
use super::passage::Passage;
use super::place::{LinesFound, lines_of};
use super::record::Thread;
use crate::review::plan::outcome_map::{OutcomeMap, as_left};
use crate::review::session::decision::Decision;
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Step};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Stance;

/// A comment of a review, or a known thread, as the review leaves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried<'a, T> {
    /// The text of the comment, or the name of the thread.
    pub what: T,
    /// The file, by the name that it has then.
    pub path: &'a str,
    /// The lines, where they are in the file then.
    pub passage: Passage,
}

/// Returns the comments at lines of a review, with their texts. `is_written` is false where nothing could be written.
pub fn comments_of(session: &ReviewSession, is_written: bool) -> Vec<Carried<'_, &str>> {
    let mut comments = Vec::new();
    for file in session.files.iter().filter(|file| file.is_open()) {
        let of_file = comments_in(file);
        if of_file.is_empty() {
            continue;
        }
        let after = as_left(file);
        let map = OutcomeMap::new(&after, is_written);
        for (spot, what) in of_file {
            // Lines of the review as it was seen: an edit that is left out changes where they are.
            let proposed = lines_at(file, &spot).map(|found| found.passage(file));
            let found = lines_at(&after, &spot);
            let passage = match (proposed, found) {
                (Some(passage), Some(found)) => carried(&map, &passage, &found),
                (Some(passage), None) => passage,
                (None, _) => Passage::default(),
            };
            comments.push(Carried {
                what,
                path: path_after(file, is_written),
                passage,
            });
        }
    }
    comments
}

/// Returns the comments on the files of a review, and those on all of it at its first file, as of no lines.
pub(crate) fn comments_on_files(
    session: &ReviewSession,
) -> impl Iterator<Item = Carried<'_, &str>> {
    let on_files = session.files.iter().filter(|file| file.is_open());
    let on_files = on_files.map(|file| (file, &file.comment));
    let on_all = session.files.first().map(|file| (file, &session.comment));
    let all = on_files.chain(on_all);
    all.filter_map(|(file, comment)| {
        Some(Carried {
            what: comment.as_deref()?,
            path: path_after(file, false),
            passage: Passage::default(),
        })
    })
}

/// Returns the lines of the threads at the files of a review, with their names. Threads whose lines are not found are left out,
/// unless their file gets another name.
pub fn kept_passages<'a>(
    session: &'a ReviewSession,
    threads: &'a [Thread],
    is_written: bool,
) -> Vec<Carried<'a, &'a str>> {
    let mut kept: Vec<Carried<'a, &str>> = Vec::new();
    for file in session.files.iter().filter(|file| file.is_open()) {
        let is_new = |thread: &&Thread| !kept.iter().any(|known| known.what == thread.id);
        let own = threads.iter().filter(|thread| file.concerns(&thread.path));
        let own: Vec<&Thread> = own.filter(is_new).collect();
        if own.is_empty() {
            continue;
        }
        let path = path_after(file, is_written);
        let after = as_left(file);
        let map = OutcomeMap::new(&after, is_written);
        for thread in own {
            let found = lines_of(&after, &thread.passage);
            let passage = match found {
                Some(found) => carried(&map, &thread.passage, &found),
                None if thread.path == path => continue,
                None => thread.passage.clone(),
            };
            kept.push(Carried {
                what: thread.id.as_str(),
                path,
                passage,
            });
        }
    }
    follow_moves(session, threads, is_written, &mut kept);
    kept
}

/// Takes threads whose lines the review removes from their file to the file where it adds the same lines.
fn follow_moves<'a>(
    session: &'a ReviewSession,
    threads: &[Thread],
    is_written: bool,
    kept: &mut [Carried<'a, &str>],
) {
    let in_file = threads.iter().filter(|thread| thread.passage.gap.is_none());
    let in_file: BTreeSet<&str> = in_file.map(|thread| thread.id.as_str()).collect();
    let removed = kept.iter_mut();
    let removed = removed.filter(|kept| kept.passage.gap.is_some() && in_file.contains(kept.what));
    let removed: Vec<&mut Carried<'a, &str>> = removed.collect();
    if removed.is_empty() {
        return;
    }
    let open = || session.files.iter().filter(|file| file.is_open());
    let left: Vec<Cow<'_, FileReview>> = open().map(as_left).collect();
    let paths: Vec<&str> = open().map(|file| path_after(file, is_written)).collect();
    let files = left.iter().zip(&paths).map(|(file, path)| FileAfter {
        path,
        base: file.base.lines().collect(),
        lines: OutcomeMap::new(file, is_written).lines,
    });
    let files: Vec<FileAfter<'_>> = files.collect();
    for thread in removed {
        if let Some((nth, first)) = moved_to(&files, thread.path, &thread.passage) {
            let text = &files[nth].lines;
            let lines = first..first + thread.passage.lines.len();
            thread.path = paths[nth];
            thread.passage = Passage::from_lines(text.len(), |line| text[line], lines);
        }
    }
}

/// Returns lines as a review leaves them. Those that are not in the file afterwards are kept as they were, with their place.
fn carried(map: &OutcomeMap<'_>, passage: &Passage, found: &LinesFound) -> Passage {
    let (stays, around) = match found {
        LinesFound::Right(lines) => (map.of_right(lines.clone()), map.around_right(lines.clone())),
        LinesFound::Base(lines) => (map.of_base(lines.clone()), map.around_base(lines.clone())),
        LinesFound::Between(lines) => {
            (map.added_in(lines.clone()), map.around_right(lines.clone()))
        }
    };
    match stays {
        Some(lines) => Passage::from_lines(map.lines.len(), |line| map.lines[line], lines),
        None => passage.left_out(&map.lines, around),
    }
}

/// Returns the name of a file after the review.
fn path_after(file: &FileReview, is_written: bool) -> &str {
    let FileKind::Renamed { to } = &file.kind else {
        return &file.path;
    };
    let is_rename = |hunk: &&HunkReview| hunk.step == Some(Step::Rename);
    let rename = file.hunks.iter().find(is_rename);
    let has = |decision| rename.is_some_and(|rename| rename.has_decision(decision));
    let is_renamed = match file.stance() {
        Stance::Proposed => is_written && has(Decision::Accepted),
        Stance::Standing => !is_written || !has(Decision::Rejected),
    };
    if is_renamed { to } else { &file.path }
}
