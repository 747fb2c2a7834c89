//! The lines that settled hunks change, and the bounds that they set for the others.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::align::Match;
use super::super::script::{Script, touched};
use super::found::{AllDone, Found};
use crate::text::LineIdx;

/// The lines that settled hunks change.
pub(super) struct Taken {
    /// First line → line after the last, and the hunk.
    changed: BTreeMap<LineIdx, (LineIdx, usize)>,
    /// Each hunk's outermost changed lines, by its position.
    of_hunk: BTreeMap<usize, Range<LineIdx>>,
}

impl Taken {
    pub(super) fn of(found: &[Option<Found<'_>>], done: &AllDone) -> Self {
        let done = done.iter().map(|(&hunk, done)| (hunk, done.lines.clone()));
        let mut taken = Self {
            changed: BTreeMap::new(),
            of_hunk: done.collect(),
        };
        for (i, found) in found.iter().enumerate() {
            if let Some(Found {
                script, matches, ..
            }) = found
                && let [matched] = &matches[..]
            {
                taken.take(i, script, matched);
            }
        }
        taken
    }

    pub(super) fn take(&mut self, hunk: usize, script: &Script, matched: &Match) {
        let lines = touched(script, matched);
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            self.of_hunk.insert(hunk, first.start..last.end);
        }
        for lines in lines {
            self.changed.insert(lines.start, (lines.end, hunk));
        }
    }

    /// Whether any of these lines is changed by a settled hunk, or is inserted at where one inserts.
    pub(super) fn holds(&self, lines: &[Range<LineIdx>]) -> bool {
        lines.iter().any(|lines| {
            let before = self.changed.range(..=lines.start).next_back();
            let inside = self
                .changed
                .range(lines.start..lines.end.max(lines.start + 1))
                .next();
            before.is_some_and(|(&start, &(end, _))| {
                end > lines.start || (start == lines.start && end == start && lines.is_empty())
            }) || inside.is_some_and(|(&start, &(end, _))| !lines.is_empty() && end > start)
        })
    }

    /// The lines between the settled hunks before and after a hunk.
    pub(super) fn bounds(&self, hunk: usize) -> Range<LineIdx> {
        let before = self
            .of_hunk
            .range(..hunk)
            .next_back()
            .map_or(0, |(_, lines)| lines.end);
        let after = self
            .of_hunk
            .range(hunk + 1..)
            .next()
            .map_or(usize::MAX, |(_, lines)| lines.start);
        before..after
    }
}
