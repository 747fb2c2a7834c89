//! Places threads in the files of a review, by the engine that places edits: the lines of a thread are looked for as those of a hunk.

use std::borrow::Cow;
use std::ops::Range;

use super::passage::{MOST_LINES, Passage};
use super::record::{Author, Thread, ThreadKind};
use super::report::indented;
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
            Author::Person => Cow::Borrowed("you"),
            Author::Agent(_) => message.author.name(),
        };
        lines.push(format!("{author}: {}", indented(&message.text)));
    }
    lines.join("\n")
}

/// Lines of a file under review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LinesFound {
    /// Lines of the right side.
    Right(Range<LineIdx>),
    /// Lines of the base that the right side does not have.
    Base(Range<LineIdx>),
    /// Lines of the right side between those that were around the lines, which are others now. There may be none.
    Between(Range<LineIdx>),
}

impl LinesFound {
    /// Returns the lines with those around them.
    pub(super) fn passage(&self, file: &FileReview) -> Passage {
        match self {
            Self::Right(lines) | Self::Between(lines) => Passage::of(file.yours(), lines.clone()),
            Self::Base(lines) => Passage::of(&file.base, lines.clone()),
        }
    }
}

/// Returns the line of a file under review that a thread is shown below.
fn place_of(file: &FileReview, passage: &Passage) -> Option<ThreadPlace> {
    match lines_of(file, passage)? {
        LinesFound::Right(lines) => right_place(file, lines.end.checked_sub(1)?),
        LinesFound::Base(lines) => Some(ThreadPlace::Base(lines.end.checked_sub(1)?)),
        LinesFound::Between(lines) => right_place(file, lines.end.saturating_sub(1)),
    }
}

/// Finds the lines of a thread: in the proposed text as they are, else in the text that they were in, else by what is left around
/// them. Lines that were not in the file are looked for in the proposed text first.
pub(super) fn lines_of(file: &FileReview, passage: &Passage) -> Option<LinesFound> {
    let (proposed, base) = (file.yours(), &file.base);
    let in_base = || find(base, passage, near).map(LinesFound::Base);
    let in_proposed = || find(proposed, passage, near).map(LinesFound::Right);
    let sure = find(proposed, passage, Placement::is_sure).map(LinesFound::Right);
    let found = sure.or_else(|| {
        if passage.gap.is_none() {
            return in_base().or_else(in_proposed);
        }
        let written = replaced(base, &whole(passage), &Placement::is_sure);
        written.map(LinesFound::Base).or_else(in_proposed)
    });
    found
        .or_else(|| find_around(proposed, passage).map(|place| place.lines_in(file)))
        .or_else(|| passage.gap.as_ref().and_then(|_| in_base()))
}

/// The place of a thread in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedPassage {
    /// The lines.
    pub lines: Range<LineIdx>,
    /// True for those of the thread; false for the place between those around them.
    pub is_found: bool,
}

/// Returns the place of the lines of a thread in a text: that of the lines, else the one between the lines around them. Lines that were
/// not in the text are only taken there, unless nothing is left around them.
pub fn placed_in(document: &Document, passage: &Passage) -> Option<PlacedPassage> {
    let found = |is_found| move |lines| PlacedPassage { lines, is_found };
    let place = || find_around(document, passage).map(Around::range);
    if passage.gap.is_none() {
        let own = find(document, passage, near).map(found(true));
        return own.or_else(|| place().map(found(false)));
    }
    let Some(place) = place() else {
        return find(document, passage, near).map(found(true));
    };
    let written = find(document, passage, Placement::is_sure);
    let is_there = |lines: &Range<LineIdx>| lines.start <= place.end && place.start <= lines.end;
    let written = written.filter(is_there).map(found(true));
    Some(written.unwrap_or_else(|| found(false)(place)))
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
    let alone = hunk(&[], &passage.lines, &[], passage.line);
    [whole(passage), alone]
        .iter()
        .find_map(|hunk| replaced(document, hunk, &is_enough))
}

/// Returns the hunk that looks for lines with those around them.
fn whole(passage: &Passage) -> Hunk {
    let Passage {
        line,
        lines,
        before,
        after,
        gap: _,
    } = passage;
    hunk(before, lines, after, line.saturating_sub(before.len()))
}

/// A place that is known by the lines above and below it.
#[derive(Debug, Clone, Copy)]
enum Around {
    /// Between two lines.
    Both(LineIdx, LineIdx),
    /// From a line on.
    Above(LineIdx),
    /// Up to a line.
    Below(LineIdx),
}

impl Around {
    fn range(self) -> Range<LineIdx> {
        match self {
            Self::Both(start, end) => start..end,
            Self::Above(at) | Self::Below(at) => at..at,
        }
    }

    /// Returns the lines there: those that are added, where only one side is known.
    fn lines_in(self, file: &FileReview) -> LinesFound {
        let is_added =
            |line: &LineIdx| matches!(right_place(file, *line), Some(ThreadPlace::Added { .. }));
        LinesFound::Between(match self {
            Self::Both(start, end) => start..end,
            Self::Above(start) => {
                let added = (start..start + MOST_LINES).take_while(is_added).count();
                start..start + added
            }
            Self::Below(end) => {
                let added = (end.saturating_sub(MOST_LINES)..end).rev();
                end - added.take_while(is_added).count()..end
            }
        })
    }
}

/// Finds the place by the lines above and below alone: the lines themselves are others now, or not in the text.
fn find_around(document: &Document, passage: &Passage) -> Option<Around> {
    let (first, last) = (passage.line, passage.line + passage.lines.len());
    let gap = passage.gap.as_ref();
    let in_file = gap.and_then(|gap| between(document, &gap.above, &gap.below, first, first));
    in_file.or_else(|| between(document, &passage.before, &passage.after, first, last))
}

fn between(
    document: &Document,
    above: &[String],
    below: &[String],
    first: usize,
    last: usize,
) -> Option<Around> {
    let above = hunk(&[], above, &[], first.saturating_sub(above.len()));
    let below = hunk(&[], below, &[], last);
    let above = replaced(document, &above, &Placement::is_sure).map(|lines| lines.end);
    let below = replaced(document, &below, &Placement::is_sure).map(|lines| lines.start);
    match (above, below) {
        (Some(start), Some(end)) if start <= end && end - start <= MOST_LINES => {
            Some(Around::Both(start, end))
        }
        (Some(start), None) => Some(Around::Above(start)),
        (None, Some(end)) => Some(Around::Below(end)),
        (Some(_), Some(_)) | (None, None) => None,
    }
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
