//! The stops of a search: rows that match, and lines of folds.

use std::ops::Range;

use regex::Regex;

use super::texts;
use crate::review::{HunkId, ReviewSession, Row, Rows, Side, Subject, said_of};
use crate::text::LineIdx;

/// A place where a search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The name of a part of a file.
    File(usize, usize),
    /// An unchanged line.
    Context(usize, LineIdx),
    /// A changed line, or one side of it.
    Change(HunkId, usize, Side),
    /// A line of a note.
    Note(usize, Option<usize>, usize),
    /// A line that a person wrote.
    Comment(usize, Subject, usize),
    /// A line of a part of the input that could not be read.
    Problem(usize, usize),
}

impl Stop {
    /// Returns the stop that a row is; `None` for one at which no search stops, and for a fold, which hides several.
    pub(super) fn of(row: Row) -> Option<Self> {
        match row {
            Row::File { file, part } => Some(Self::File(file, part)),
            Row::Context { file, old, .. } => Some(Self::Context(file, old)),
            Row::Change { id, line, side, .. } => Some(Self::Change(id, line, side)),
            Row::Note { file, hunk, line } => Some(Self::Note(file, hunk, line)),
            Row::Comment { file, about, line } => Some(Self::Comment(file, about, line)),
            Row::Problem { problem, line, .. } => Some(Self::Problem(problem, line)),
            Row::Purpose { .. }
            | Row::Hunk { .. }
            | Row::Fold { .. }
            | Row::FoldedChange { .. }
            | Row::Elsewhere { .. }
            | Row::Gap { .. } => None,
        }
    }
}

/// Returns the stops of a search in a row: the row itself, or the lines of a fold.
pub(super) fn stops(session: &ReviewSession, rows: &Rows, row: Row, pattern: &Regex) -> Vec<Stop> {
    match row {
        Row::Fold { file, start, end } => folded_lines(session, file, start..end, pattern)
            .map(|line| Stop::Context(file, line))
            .collect(),
        Row::FoldedChange {
            id,
            start,
            end,
            side,
            ..
        } => folded_changes(session, id, start..end, side, pattern)
            .map(|line| Stop::Change(id, line, side))
            .collect(),
        Row::File { .. }
        | Row::Purpose { .. }
        | Row::Note { .. }
        | Row::Hunk { .. }
        | Row::Context { .. }
        | Row::Change { .. }
        | Row::Elsewhere { .. }
        | Row::Comment { .. }
        | Row::Problem { .. }
        | Row::Gap { .. } => {
            let stop = Stop::of(row).filter(|_| is_match(session, rows, row, pattern));
            stop.into_iter().collect()
        }
    }
}

/// Returns the unchanged lines of a fold that match.
pub(super) fn folded_lines<'a>(
    session: &'a ReviewSession,
    file: usize,
    lines: Range<LineIdx>,
    pattern: &'a Regex,
) -> impl DoubleEndedIterator<Item = LineIdx> + use<'a> {
    let base = &session.files[file].base;
    let text = base.raw_lines(lines.clone());
    // The end of a line is where its carriage return is, and a pattern may look for it.
    let may_match = text.contains('\r') || pattern.is_match(text);
    let lines = if may_match { lines } else { 0..0 };
    lines.filter(|&line| pattern.is_match(base.line(line)))
}

/// Returns the changed lines of a fold that match on the side that is folded.
pub(super) fn folded_changes<'a>(
    session: &'a ReviewSession,
    id: HunkId,
    lines: Range<usize>,
    side: Side,
    pattern: &'a Regex,
) -> impl DoubleEndedIterator<Item = usize> + use<'a> {
    let sides: &[Side] = match side {
        Side::Old => &[Side::Old],
        Side::New => &[Side::New],
        Side::Both => &[Side::Old, Side::New],
    };
    lines.filter(move |line| {
        let texts = sides.iter();
        let mut texts = texts.filter_map(|side| session.line_text((id, *line), *side));
        texts.any(|text| pattern.is_match(text))
    })
}

/// Returns true if what a row shows matches; false for a fold.
pub(super) fn is_match(session: &ReviewSession, rows: &Rows, row: Row, pattern: &Regex) -> bool {
    let matches = |text: Option<&str>| text.is_some_and(|text| pattern.is_match(text));
    match row {
        Row::File { file, .. } => pattern.is_match(&session.files[file].path),
        Row::Note { file, hunk, line } => {
            let note = rows.note(file, hunk, line);
            matches(note.map(|note| note.text.as_str()))
        }
        Row::Context { .. } => matches(texts(session, row).0),
        Row::Change { .. } => {
            let (old, new) = texts(session, row);
            matches(old) || matches(new)
        }
        Row::Comment { file, about, line } => {
            matches(said_of(session, file, about).and_then(|said| said.lines().nth(line)))
        }
        Row::Problem { problem, line, .. } => {
            let Some(problem) = session.problems.get(problem) else {
                return false;
            };
            match line.checked_sub(1) {
                None => pattern.is_match(&problem.to_string()),
                Some(line) => matches(problem.text.get(line).map(String::as_str)),
            }
        }
        Row::Hunk { .. }
        | Row::Elsewhere { .. }
        | Row::Purpose { .. }
        | Row::Fold { .. }
        | Row::FoldedChange { .. }
        | Row::Gap { .. } => false,
    }
}
