//! The rows of one file: its head, what there is to know before its changes, and its changes with the lines around them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::note::Note;
use super::super::notes::{notes, whole_notes};
use super::change_folds::{OpenLine, change_folds, folded_row};
use super::entry::{self, LineEntry};
use super::open_lines::open_lines;
use super::part::FilePart;
use super::problem_rows::problem_rows;
use super::row::{Folds, Layout, Row, Subject};
use crate::review::session::file::{ChangeGroup, FileReview};
use crate::review::session::hunk::{HunkId, Side};
use crate::review::session::placed_thread::ThreadPlace;
use crate::review::session::request::Standing;
use crate::review::session::review_session::{Direction, ReviewSession};
use crate::text::LineIdx;

/// The least number of unchanged lines worth folding: a fold of one line would hide nothing.
const LEAST_FOLD: usize = 2;

/// The rows of a file, and the notes that they show.
#[derive(Debug, Clone, Default)]
pub(in crate::review) struct FileRows {
    pub(in crate::review) rows: Vec<Row>,
    /// By the hunk that they are about; those on the file as a whole under `None`.
    pub(in crate::review) notes: BTreeMap<Option<usize>, Vec<Note>>,
}

/// A part, with those before and after it in the order of the stream.
#[derive(Debug, Clone, Copy)]
pub(in crate::review) struct Neighbours<'a> {
    pub(in crate::review) before: &'a [FilePart],
    pub(in crate::review) part: &'a FilePart,
    pub(in crate::review) after: &'a [FilePart],
}

/// Lays out a part of a file.
pub(in crate::review) fn file_rows(
    session: &ReviewSession,
    Neighbours {
        before,
        part,
        after,
    }: Neighbours,
    layout: Layout,
    folds: &Folds,
) -> FileRows {
    let file = part.file;
    let review = &session.files[file];
    let is_shown = |other: &FilePart| {
        session.files[other.file].standing != Standing::Gone && !folds.hidden.contains(&other.file)
    };
    if !is_shown(part) {
        return FileRows::default();
    }
    let mut shown = BTreeMap::new();
    let mut note = |hunk: Option<usize>| {
        let is_whole = hunk.is_some_and(|hunk| folds.opened_notes.contains(&HunkId { file, hunk }));
        let notes = if is_whole {
            whole_notes(review, hunk)
        } else {
            notes(review, hunk)
        };
        let count = notes.len();
        if count > 0 {
            shown.insert(hunk, notes);
        }
        (0..count).map(move |line| Row::Note { file, hunk, line })
    };
    let mut rows = Vec::new();
    // From the nearest file on: the work for all files is linear.
    let mut above = before
        .iter()
        .rev()
        .filter(|other| is_shown(other))
        .peekable();
    if above.peek().is_none() {
        rows.extend(problem_rows(session, file, None));
    }
    let of_call =
        |other: &FilePart| is_shown(other) && session.files[other.file].call == review.call;
    if !before.iter().rev().any(of_call) {
        rows.extend(comment(
            file,
            Subject::Batch,
            session.said_of_batch(Some(file)),
        ));
    }
    if above
        .next()
        .is_none_or(|above| above.purpose != part.purpose)
    {
        let heading = |purpose| Row::Purpose { file, purpose };
        rows.extend(part.purpose.map(heading));
    }
    rows.push(Row::File {
        file,
        part: part.nth,
    });
    if !folds.closed.contains(&file) {
        if part.nth == 0 {
            rows.extend(comment(file, Subject::File, review.comment.as_deref()));
            rows.extend(problem_rows(session, file, Some(&review.path)));
            rows.extend(threads(review, file, |place| place.is_none()));
            rows.extend(note(None));
        }
        let own = review.hunks.iter().enumerate();
        for (hunk, hunk_review) in own.filter(|(hunk, _)| part.has(review, *hunk)) {
            let said = hunk_review.state.comment.as_deref();
            let said = comment(file, Subject::Hunk(hunk), said);
            let notes = note(Some(hunk));
            if !hunk_review.is_decidable() {
                rows.extend(notes);
                rows.extend(said);
            } else if hunk_review.state.lines.is_empty() {
                // A step has no lines, and neither has a hunk of which an edit left nothing.
                let id = HunkId { file, hunk };
                rows.push(Row::Hunk { id });
                rows.extend(notes);
                rows.extend(said);
            }
        }
        FileLayout {
            session,
            review,
            part,
            file,
            layout,
            folds,
            opened: open_lines(review, file, folds),
            shift: 0,
            notes: &shown,
            rows: &mut rows,
        }
        .lay_out();
    }
    if after.iter().any(is_shown) {
        rows.push(Row::Gap { file });
    }
    FileRows { rows, notes: shown }
}

fn comment(file: usize, about: Subject, text: Option<&str>) -> impl Iterator<Item = Row> {
    let count = text.map_or(0, |text| text.lines().count());
    (0..count).map(move |line| Row::Comment { file, about, line })
}

/// The rows of the threads of a file at some places.
fn threads(
    review: &FileReview,
    file: usize,
    is_wanted: impl Fn(Option<ThreadPlace>) -> bool,
) -> impl Iterator<Item = Row> {
    let own = review.threads.iter().enumerate();
    own.filter(move |(_, thread)| is_wanted(thread.place))
        .flat_map(move |(nth, thread)| comment(file, Subject::Thread(nth), Some(&thread.text)))
}

/// The changes of one file being laid out.
struct FileLayout<'a> {
    session: &'a ReviewSession,
    review: &'a FileReview,
    part: &'a FilePart,
    file: usize,
    layout: Layout,
    folds: &'a Folds,
    /// In ascending order, apart.
    opened: Vec<Range<LineIdx>>,
    /// Right-side position less base position, at the place reached.
    shift: isize,
    notes: &'a BTreeMap<Option<usize>, Vec<Note>>,
    rows: &'a mut Vec<Row>,
}

impl FileLayout<'_> {
    /// Lays out the changes of the part and the unchanged lines around them. Of the lines between two changes of different parts, each
    /// part has its half, so that no line is shown twice.
    fn lay_out(&mut self) {
        let review = self.review;
        let mut done = 0;
        let mut before: Option<&ChangeGroup> = None;
        let mut skipped = BTreeSet::new();
        for group in &review.groups {
            let lines = done..group.base.start;
            let is_own = self.part.has(review, group.hunk);
            let was_own = before.map(|before| self.part.has(review, before.hunk));
            let middle = lines.start + lines.len() / 2;
            match (was_own, is_own) {
                (None | Some(true), true) => {
                    let trailing = if before.is_some() {
                        self.folds.context
                    } else {
                        0
                    };
                    self.gap(
                        lines,
                        trailing,
                        self.folds.context,
                        self.head(before, group),
                    );
                }
                (Some(false), true) => {
                    self.elsewhere(&mut skipped);
                    self.gap(
                        middle..lines.end,
                        0,
                        self.folds.context,
                        self.head(before, group),
                    );
                }
                (Some(true), false) => self.gap(lines.start..middle, self.folds.context, 0, None),
                (None | Some(false), false) => (),
            }
            if is_own {
                let id = HunkId {
                    file: self.file,
                    hunk: group.hunk,
                };
                self.changes(id, group);
            } else {
                skipped.insert(group.hunk);
            }
            self.shift += group.adds.cast_signed() - group.base.len().cast_signed();
            done = group.base.end;
            before = Some(group);
        }
        let ends_own = before.map(|before| self.part.has(review, before.hunk));
        match ends_own {
            Some(true) => self.gap(done..review.base.len(), self.folds.context, 0, None),
            Some(false) => self.elsewhere(&mut skipped),
            None if !self.opened.is_empty() => self.folded(done..review.base.len()),
            None => (),
        }
    }

    /// Returns the hunk of a group if the group before it belongs to another one.
    fn head(&self, before: Option<&ChangeGroup>, group: &ChangeGroup) -> Option<HunkId> {
        let is_new = before.is_none_or(|before| before.hunk != group.hunk);
        is_new.then_some(HunkId {
            file: self.file,
            hunk: group.hunk,
        })
    }

    /// Names the hunks that were passed over: those of the parts before, and those of the parts after.
    fn elsewhere(&mut self, skipped: &mut BTreeSet<usize>) {
        let skipped = std::mem::take(skipped);
        for direction in [Direction::Backward, Direction::Forward] {
            let is_there =
                |hunk: &&usize| self.part.direction_of(self.review, **hunk) == Some(direction);
            let mut hunks = skipped.iter().filter(is_there);
            self.rows.extend(hunks.next().map(|&hunk| Row::Elsewhere {
                file: self.file,
                hunk,
                count: 1 + hunks.count(),
                direction,
                part: self.part.nth,
            }));
        }
    }

    /// Unchanged lines between two changes: `trailing` of them for the change above, `leading` for the one below, and the
    /// head of the hunk below between the two.
    fn gap(
        &mut self,
        lines: Range<LineIdx>,
        trailing: usize,
        leading: usize,
        head: Option<HunkId>,
    ) {
        let split = lines
            .end
            .saturating_sub(leading)
            .max((lines.start + trailing).min(lines.end));
        let after_above = (lines.start + trailing).min(split);
        self.context_lines(lines.start..after_above);
        self.folded(after_above..split);
        if let Some(id) = head {
            self.rows.push(Row::Hunk { id });
            let (file, hunk) = (self.file, Some(id.hunk));
            let notes = self.notes.get(&hunk).map_or(0, Vec::len);
            self.rows
                .extend((0..notes).map(|line| Row::Note { file, hunk, line }));
            let said = self.review.hunks[id.hunk].state.comment.as_deref();
            self.rows
                .extend(comment(self.file, Subject::Hunk(id.hunk), said));
        }
        self.context_lines(split..lines.end);
    }

    /// Folds unchanged lines, except for those that are open.
    fn folded(&mut self, lines: Range<LineIdx>) {
        let mut start = lines.start;
        let next = (self.opened).partition_point(|range| range.end <= lines.start);
        let opened = self.opened[next..].iter();
        let opened = opened.take_while(|range| range.start < lines.end).cloned();
        for range in opened.collect::<Vec<_>>() {
            let range = range.start.max(start)..range.end.min(lines.end);
            self.fold(start..range.start);
            self.context_lines(range.clone());
            start = range.end;
        }
        self.fold(start..lines.end);
    }

    fn fold(&mut self, lines: Range<LineIdx>) {
        if lines.len() < LEAST_FOLD {
            self.context_lines(lines);
        } else {
            self.rows.push(Row::Fold {
                file: self.file,
                start: lines.start,
                end: lines.end,
            });
        }
    }

    fn context_lines(&mut self, lines: Range<LineIdx>) {
        for old in lines {
            let new = old.saturating_add_signed(self.shift);
            self.rows.push(Row::Context {
                file: self.file,
                old,
                new,
            });
            self.passages(old);
        }
    }

    /// Adds the comments and threads on unchanged lines of which this base line is the last.
    fn passages(&mut self, old: LineIdx) {
        for (nth, said) in self.review.passages.iter().enumerate() {
            if said.lines.end == old + 1 {
                let about = Subject::Passage(nth);
                self.rows
                    .extend(comment(self.file, about, Some(&said.text)));
            }
        }
        self.threads(ThreadPlace::Base(old));
    }

    /// Adds the threads at a place.
    fn threads(&mut self, at: ThreadPlace) {
        self.rows
            .extend(threads(self.review, self.file, |place| place == Some(at)));
    }

    fn changes(&mut self, id: HunkId, group: &ChangeGroup) {
        let beside = self.layout == Layout::Split && !self.folds.is_apart(id, group.lines.start);
        let layout = if beside {
            Layout::Split
        } else {
            Layout::Unified
        };
        let lines = &self.review.hunks[group.hunk].state.lines;
        let entries = entry::entries(lines, group, self.shift, layout);
        let open = |line: usize| self.open_line(id, line);
        let moved = &self.folds.moved;
        let folds = if self.folds.shows_all_changes {
            Vec::new()
        } else {
            change_folds(self.session, moved, id, &entries, open)
        };
        let mut at = 0;
        for (range, fold) in folds {
            self.lay_out_entries(id, &entries[at..range.start]);
            self.rows
                .extend(folded_row(id, &entries[range.clone()], fold));
            at = range.end;
        }
        self.lay_out_entries(id, &entries[at..]);
    }

    fn lay_out_entries(&mut self, id: HunkId, entries: &[LineEntry]) {
        for entry in entries {
            self.rows.push(Row::Change {
                id,
                line: entry.line,
                side: entry.side,
                old: entry.old,
                new: entry.new,
            });
            self.push_line_comments(id.hunk, entry.line, entry.said);
            if let Some(old) = entry.old {
                self.passages(old);
            }
        }
    }

    /// Returns the reason to show a changed line that could be folded, if there is one.
    fn open_line(&self, id: HunkId, line: usize) -> Option<OpenLine> {
        if self.folds.is_opened_change(id, line) {
            Some(OpenLine::Opened)
        } else {
            let is_said = self.is_said(id.hunk, line);
            is_said.then_some(OpenLine::Commented)
        }
    }

    /// Returns true if a comment or a thread follows a changed line.
    fn is_said(&self, hunk: usize, line: usize) -> bool {
        let state = &self.review.hunks[hunk].state;
        let at = state.lines.get(line).map(|line| line.at);
        let mut passages = self.review.passages.iter();
        let mut threads = self.review.threads.iter();
        (state.line_comments.iter()).any(|said| said.lines.contains(&line))
            || passages.any(|said| Some(said.lines.end) == at.map(|at| at + 1))
            || threads.any(|thread| match thread.place {
                Some(ThreadPlace::Base(base)) => Some(base) == at,
                Some(ThreadPlace::Added {
                    hunk: of,
                    line: own,
                }) => (of, own) == (hunk, line),
                None => false,
            })
    }

    /// Adds the comments on lines of which this one is the last.
    fn push_line_comments(&mut self, hunk: usize, line: usize, sides: &[Side]) {
        let all = &self.review.hunks[hunk].state.line_comments;
        for (nth, said) in all.iter().enumerate() {
            if said.lines.end == line + 1 && sides.contains(&said.side) {
                let about = Subject::Lines { hunk, nth };
                self.rows
                    .extend(comment(self.file, about, Some(&said.text)));
            }
        }
        if sides.contains(&Side::New) {
            self.threads(ThreadPlace::Added { hunk, line });
        }
    }
}
