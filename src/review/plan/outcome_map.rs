//! The line map of a file under review: where each line of its two sides is when the decisions are applied.

use std::borrow::Cow;
use std::ops::Range;

use super::apply_decisions::without_open_edits;
use crate::review::session::decision::Decision;
use crate::review::session::file::FileReview;
use crate::review::session::versions::Stance;
use crate::text::LineIdx;

/// A file after its review, mapped line by line.
pub(in crate::review) struct OutcomeMap<'a> {
    /// The lines afterwards.
    pub(in crate::review) lines: Vec<&'a str>,
    base: Vec<MappedLine>,
    right: Vec<MappedLine>,
    changes: Vec<MappedChange>,
}

/// A line of one side.
#[derive(Debug, Clone, Copy)]
struct MappedLine {
    /// Its position afterwards, or the one that it would have.
    at: usize,
    /// True if it is there afterwards.
    stays: bool,
    /// The change that it is part of.
    change: Option<usize>,
}

/// A change afterwards.
#[derive(Debug, Clone, Default)]
struct MappedChange {
    /// All that it leaves.
    lines: Range<usize>,
    /// The lines that it added.
    added: Vec<usize>,
}

/// Returns a file with the right side that decisions are carried out on.
pub(in crate::review) fn as_left(file: &FileReview) -> Cow<'_, FileReview> {
    match file.stance() {
        Stance::Standing if !file.selects_undecided() => Cow::Owned(without_open_edits(file)),
        Stance::Standing | Stance::Proposed => Cow::Borrowed(file),
    }
}

impl<'a> OutcomeMap<'a> {
    /// Maps the lines of a file whose decisions are carried out, or which stays as it is on disk.
    pub(in crate::review) fn new(file: &'a FileReview, is_written: bool) -> Self {
        let mut map = Self {
            lines: Vec::new(),
            base: Vec::new(),
            right: Vec::new(),
            changes: Vec::new(),
        };
        let stance = file.stance();
        for (at, group) in file.groups.iter().enumerate() {
            map.keep(file, group.base.start);
            let start = map.lines.len();
            let mut added = Vec::new();
            let state = &file.hunks[group.hunk].state;
            for line in group.lines.clone() {
                let (changed, marks) = (&state.lines[line], state.marks[line]);
                if changed.removes {
                    let stays = !takes(stance, is_written, marks.removed);
                    let mapped = map.mapped(stays, Some(at));
                    map.base.push(mapped);
                    map.lines.extend(stays.then(|| file.base.line(changed.at)));
                }
                if let Some(text) = changed.adds.as_deref() {
                    let stays = takes(stance, is_written, marks.added);
                    let mapped = map.mapped(stays, Some(at));
                    map.right.push(mapped);
                    if stays {
                        added.push(map.lines.len());
                        map.lines.push(text);
                    }
                }
            }
            let lines = start..map.lines.len();
            map.changes.push(MappedChange { lines, added });
        }
        map.keep(file, file.base.len());
        map
    }

    /// Maps the unchanged lines of the base up to a line.
    fn keep(&mut self, file: &'a FileReview, end: LineIdx) {
        for line in self.base.len()..end {
            let mapped = self.mapped(true, None);
            self.base.push(mapped);
            self.right.push(mapped);
            self.lines.push(file.base.line(line));
        }
    }

    fn mapped(&self, stays: bool, change: Option<usize>) -> MappedLine {
        MappedLine {
            at: self.lines.len(),
            stays,
            change,
        }
    }

    /// Returns the lines that some lines of the right side are afterwards: from the first to the last of those that stay.
    pub(in crate::review) fn of_right(&self, lines: Range<LineIdx>) -> Option<Range<usize>> {
        hull(staying(self.right.get(lines)?))
    }

    /// Returns the added lines among some lines of the right side, as far as they stay.
    pub(in crate::review) fn added_in(&self, lines: Range<LineIdx>) -> Option<Range<usize>> {
        let lines = self.right.get(lines)?.iter();
        let added: Vec<_> = lines
            .copied()
            .filter(|line| line.change.is_some())
            .collect();
        hull(staying(&added))
    }

    /// Returns the lines that some lines of the base are afterwards: those that stay, and those that were added in the place of
    /// the others.
    pub(in crate::review) fn of_base(&self, lines: Range<LineIdx>) -> Option<Range<usize>> {
        let lines = self.base.get(lines)?;
        let mut changes: Vec<usize> = lines.iter().filter_map(|line| line.change).collect();
        changes.dedup();
        let added = changes
            .iter()
            .flat_map(|&change| &self.changes[change].added);
        hull(staying(lines).chain(added.copied()))
    }

    /// Returns the lines between the unchanged ones around some lines of the right side.
    pub(in crate::review) fn around_right(&self, lines: Range<LineIdx>) -> Range<usize> {
        self.around(&self.right, lines)
    }

    /// Returns the lines between the unchanged ones around some lines of the base.
    pub(in crate::review) fn around_base(&self, lines: Range<LineIdx>) -> Range<usize> {
        self.around(&self.base, lines)
    }

    fn around(&self, side: &[MappedLine], lines: Range<LineIdx>) -> Range<usize> {
        let start = side.get(lines.start).map_or(self.lines.len(), |first| {
            let change = first.change.map(|change| self.changes[change].lines.start);
            change.unwrap_or(first.at)
        });
        let last = side.get(lines.clone()).and_then(<[MappedLine]>::last);
        let end = last.map_or(start, |last| {
            let change = last.change.map(|change| self.changes[change].lines.end);
            change.unwrap_or(last.at + 1)
        });
        start..end.max(start)
    }
}

/// Returns true if a change is in the file afterwards.
fn takes(stance: Stance, is_written: bool, decision: Decision) -> bool {
    if is_written {
        stance.takes(decision)
    } else {
        stance == Stance::Standing
    }
}

/// Returns the positions of the lines that stay.
fn staying(lines: &[MappedLine]) -> impl Iterator<Item = usize> {
    let staying = lines.iter().filter(|line| line.stays);
    staying.map(|line| line.at)
}

/// Returns the range from the smallest to the greatest of some positions.
fn hull(positions: impl Iterator<Item = usize>) -> Option<Range<usize>> {
    positions.fold(None, |hull: Option<Range<usize>>, at| {
        Some(hull.map_or(at..at + 1, |hull| hull.start.min(at)..hull.end.max(at + 1)))
    })
}
