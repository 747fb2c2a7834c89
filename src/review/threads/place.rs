//! Places threads in the files of a review, by the engine that places edits: the lines of a thread are looked for as those of a hunk.

use std::ops::Range;

use super::passage::Passage;
use super::record::{Author, Thread, ThreadKind};
use crate::locate::{Confidence, Location, Placement, Tolerance, place_all};
use crate::proposal::{Body, Hunk, HunkOrder, InputSpan};
use crate::review::session::file::FileReview;
use crate::review::session::placed_thread::{PlacedThread, ThreadPlace};
use crate::review::session::review_session::ReviewSession;
use crate::text::{Document, LineIdx, LineNo};

/// Placeholder for the lines of a thread in the hunk that looks for them.
const MARK: &str = "countersign thread\u{0}";

/// Places the unresolved threads of every file, and those that were resolved since they were placed in it. Returns whether anything
/// changed.
pub fn place_threads(session: &mut ReviewSession, threads: &[Thread]) -> bool {
    let mut has_changed = false;
    for file in &mut session.files {
        let is_known = |id: &str| file.threads.iter().any(|known| known.id == id);
        let own = (threads.iter())
            .filter(|thread| file.is_open() && file.concerns(&thread.path))
            .filter(|thread| thread.is_unresolved() || is_known(&thread.id));
        let placed: Vec<PlacedThread> = own.map(|thread| placed_at(file, thread)).collect();
        if placed != file.threads {
            file.threads = placed;
            has_changed = true;
        }
    }
    has_changed
}

fn placed_at(file: &FileReview, thread: &Thread) -> PlacedThread {
    PlacedThread {
        id: thread.id.clone(),
        state: thread.state,
        place: place_of(file, &thread.passage),
        count: thread.passage.lines.len(),
        text: shown(thread),
    }
}

/// Returns the conversation as the screen shows it.
fn shown(thread: &Thread) -> String {
    let (id, state) = (&thread.id, thread.state.name());
    let kind = match thread.kind {
        ThreadKind::Comment => "thread",
        ThreadKind::Question => "question",
    };
    let mut lines = vec![if thread.is_to_be_confirmed() {
        format!("{kind} {id}, {state}: the agent proposes to resolve it")
    } else {
        format!("{kind} {id}, {state}")
    }];
    for message in &thread.messages {
        let author = match &message.author {
            Author::Person => "you",
            Author::Agent(name) => name,
        };
        lines.push(format!("{author}: {}", message.text));
    }
    lines.join("\n")
}

/// Returns the line of a file under review that a thread is shown below: of the proposed text where its lines are, else of the
/// text that they were in, else of what is left around them.
fn place_of(file: &FileReview, passage: &Passage) -> Option<ThreadPlace> {
    let (proposed, base) = (file.yours(), &file.base);
    let right = |lines: Range<LineIdx>| right_place(file, lines.end.checked_sub(1)?);
    let left = |lines: Range<LineIdx>| Some(ThreadPlace::Base(lines.end.checked_sub(1)?));
    (find(proposed, passage, Placement::is_sure).and_then(right))
        .or_else(|| find(base, passage, near).and_then(left))
        .or_else(|| find(proposed, passage, near).and_then(right))
        .or_else(|| find_around(proposed, passage).and_then(right))
}

/// Returns the place of the lines of a thread in a text, if they are there.
pub fn placed_in(document: &Document, passage: &Passage) -> Option<Range<LineIdx>> {
    find(document, passage, near)
}

/// Returns true for the only place that comes near, and for one of several at exactly the line that the thread was at.
fn near(placement: &Placement) -> bool {
    placement.confidence <= Confidence::Fuzzy
        || (placement.confidence == Confidence::Hinted && placement.offset == Some(0))
}

/// Finds the lines with those around them, else by themselves.
fn find(
    document: &Document,
    passage: &Passage,
    is_enough: impl Fn(&Placement) -> bool,
) -> Option<Range<LineIdx>> {
    let Passage {
        line,
        lines,
        before,
        after,
    } = passage;
    let whole = hunk(before, lines, after, line.saturating_sub(before.len()));
    let alone = hunk(&[], lines, &[], *line);
    [whole, alone]
        .iter()
        .find_map(|hunk| replaced(document, hunk, &is_enough))
}

/// Finds the place by the lines above or below alone: the lines themselves are others now.
fn find_around(document: &Document, passage: &Passage) -> Option<Range<LineIdx>> {
    let line = passage.line.saturating_sub(passage.before.len());
    let above = hunk(&[], &passage.before, &[], line);
    let below = hunk(&[], &passage.after, &[], passage.line + passage.lines.len());
    let above =
        replaced(document, &above, &Placement::is_sure).map(|lines| lines.end..lines.end + 1);
    let found = above.or_else(|| {
        let first = replaced(document, &below, &Placement::is_sure)?.start;
        Some(first.checked_sub(1)?..first)
    })?;
    (found.end <= document.len()).then_some(found)
}

/// Returns the lines that a hunk with the mark in it would replace.
fn replaced(
    document: &Document,
    hunk: &Hunk,
    is_enough: &impl Fn(&Placement) -> bool,
) -> Option<Range<LineIdx>> {
    if hunk.body.preimage.is_empty() {
        return None;
    }
    let located = place_all(&[hunk], HunkOrder::Any, document, Tolerance::default());
    let Some(Location::Placed(placement)) = located.into_iter().next() else {
        return None;
    };
    let (first, last) = (placement.changes.first()?, placement.changes.last()?);
    let lines = first.lines.start..last.lines.end;
    (is_enough(&placement) && !lines.is_empty()).then_some(lines)
}

/// A hunk that replaces some lines by the mark.
fn hunk(before: &[String], lines: &[String], after: &[String], line: usize) -> Hunk {
    let mark = [MARK.to_owned()];
    let marked = if lines.is_empty() { &[][..] } else { &mark };
    let body = Body {
        preimage: [before, lines, after].concat(),
        postimage: [before, marked, after].concat(),
    };
    let mut hunk = Hunk::new(body, InputSpan::of(0..1));
    hunk.hint = LineNo::new(line);
    hunk
}

/// Returns what a line of the right side is: a line that a hunk adds, or one of the base.
fn right_place(file: &FileReview, wanted: LineIdx) -> Option<ThreadPlace> {
    let (mut old, mut new) = (0, 0);
    for group in &file.groups {
        let unchanged = group.base.start - old;
        if wanted < new + unchanged {
            break;
        }
        new += unchanged;
        old = group.base.end;
        let lines = &file.hunks[group.hunk].state.lines;
        for line in group
            .lines
            .clone()
            .filter(|&line| lines[line].adds.is_some())
        {
            if new == wanted {
                let hunk = group.hunk;
                return Some(ThreadPlace::Added { hunk, line });
            }
            new += 1;
        }
    }
    let line = old + (wanted - new);
    (line < file.base.len()).then_some(ThreadPlace::Base(line))
}
