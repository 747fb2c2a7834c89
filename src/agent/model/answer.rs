//! Validation of an answer: the text after the edit, accepted if it is whole and differs only near the edit.

use std::ops::Range;

use rustc_hash::FxHashSet;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::error::ModelError;
use crate::proposal::{Body, Hunk, is_elision};
use crate::text::{Document, LineIdx, LineNo};

/// Lines of context on both sides of a change.
const CONTEXT: usize = 3;
/// The largest distance of a change from a line of the edit, and the most lines that a change may add to the edit's.
const NEAR: usize = 8;

/// The hunk that leads from a section of a file to an answer. `edit` is the hunk that had no place.
pub(super) fn hunk(
    base: &Document,
    section: Range<LineIdx>,
    edit: &Hunk,
    answer: &str,
) -> Result<Hunk, ModelError> {
    let old: Vec<&str> = section.clone().map(|idx| base.line(idx)).collect();
    let new = lines(answer);
    check_whole(&old, &new)?;
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let changed = || ops.iter().filter(|op| op.tag() != DiffTag::Equal);
    let (Some(first), Some(last)) = (changed().next(), changed().next_back()) else {
        return Err(ModelError::NoChange);
    };
    let known = KnownLines::of(edit, &old, &new);
    for op in changed() {
        if !known.is_near(&op.old_range(), &op.new_range()) {
            return Err(ModelError::FarAway {
                line: section.start + op.old_range().start + 1,
            });
        }
    }
    let above = first.old_range().start.min(CONTEXT);
    let below = (old.len() - last.old_range().end).min(CONTEXT);
    let part = |all: &[&str], range: Range<usize>| -> Vec<String> {
        all[range].iter().map(ToString::to_string).collect()
    };
    let start = first.old_range().start - above;
    let body = Body {
        preimage: part(&old, start..last.old_range().end + below),
        postimage: part(
            &new,
            first.new_range().start - above..last.new_range().end + below,
        ),
    };
    Ok(Hunk {
        hint: Some(LineNo::from_idx(section.start + start)),
        ..Hunk::new(body, edit.span)
    })
}

pub(super) fn lines(answer: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = answer
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    // What follows the last newline is no line.
    lines.pop_if(|line| line.is_empty());
    lines
}

/// Refuses an answer with a placeholder line for omitted code that the text does not have.
pub(super) fn check_whole(old: &[&str], new: &[&str]) -> Result<(), ModelError> {
    let mut marks = new
        .iter()
        .filter(|line| is_elision(line) && line.trim().len() > 3);
    let line = marks.find(|line| old.iter().all(|old| old.trim() != line.trim()));
    line.map_or(Ok(()), |line| {
        let line = line.trim().to_owned();
        Err(ModelError::LeavesOut { line })
    })
}

/// Relation of a line to an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineRelation {
    /// The edit has it too.
    Known,
    /// It has no words: a bracket, a blank.
    Sign,
    /// The edit does not speak of it.
    Other,
}

/// The lines of both texts, as the edit knows them.
struct KnownLines {
    old: Vec<LineRelation>,
    new: Vec<LineRelation>,
    /// The most lines that one change may replace.
    most_taken: usize,
}

impl KnownLines {
    fn of(edit: &Hunk, old: &[&str], new: &[&str]) -> Self {
        let body = &edit.body;
        let known: FxHashSet<&str> = (body.preimage.iter().chain(&body.postimage))
            .map(|line| line.trim())
            .collect();
        let relation = |line: &&str| LineRelation::of(line, &known);
        Self {
            old: old.iter().map(relation).collect(),
            new: new.iter().map(relation).collect(),
            most_taken: body.preimage.len().max(body.postimage.len()) + NEAR,
        }
    }

    /// Returns whether a change belongs to the edit, judged by its lines: added lines contain a line of the edit or
    /// only punctuation near one; of lines that are only removed, the edit names half.
    fn is_near(&self, old: &Range<usize>, new: &Range<usize>) -> bool {
        let [removed, added] = [&self.old[old.clone()], &self.new[new.clone()]];
        let count =
            |lines: &[LineRelation], kind| lines.iter().filter(|line| **line == kind).count();
        if added.is_empty() {
            return count(removed, LineRelation::Known) >= count(removed, LineRelation::Other);
        }
        if added.contains(&LineRelation::Known) {
            return removed.len() <= self.most_taken;
        }
        let around = new.start.saturating_sub(NEAR)..(new.end + NEAR).min(self.new.len());
        let has_others = [removed, added]
            .iter()
            .any(|lines| lines.contains(&LineRelation::Other));
        !has_others && self.new[around].contains(&LineRelation::Known)
    }
}

impl LineRelation {
    /// Compares a line with the lines of an edit.
    fn of(line: &str, known: &FxHashSet<&str>) -> Self {
        if line.chars().filter(|c| c.is_alphanumeric()).count() <= 1 {
            Self::Sign
        } else if known.contains(line.trim()) {
            Self::Known
        } else {
            Self::Other
        }
    }
}
