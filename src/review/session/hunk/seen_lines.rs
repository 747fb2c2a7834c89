//! Changed lines of a hunk that were shown.
//!
//! What was shown is kept beside the lines that it is about, so that a line that an edit changes has to be shown again, and one that
//! it leaves does not.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::state::{ChangedLine, Side};
use crate::text::Document;

/// The changed lines of a hunk that were shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::review) struct SeenLines {
    /// The changed lines of the hunk when they were shown.
    lines: Arc<[ChangedLine]>,
    sides: Vec<SeenSides>,
}

/// The sides of a changed line that were shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::review) struct SeenSides {
    /// True if the removed line was shown.
    pub(in crate::review) removed: bool,
    /// True if the added line was shown.
    pub(in crate::review) added: bool,
}

impl SeenLines {
    /// Returns the shown sides of some lines: of those that are still the same, counted from the start and from the end.
    pub(in crate::review) fn of(&self, lines: &Arc<[ChangedLine]>) -> Cow<'_, [SeenSides]> {
        if Arc::ptr_eq(&self.lines, lines) {
            return Cow::Borrowed(&self.sides);
        }
        let same = |(was, is): &(&ChangedLine, &ChangedLine)| {
            was.removes == is.removes && was.adds == is.adds
        };
        let (was, is) = (&self.lines, lines);
        let start = was.iter().zip(is.iter()).take_while(same).count();
        let rest = was[start..].iter().rev().zip(is[start..].iter().rev());
        let end = rest.take_while(same).count();
        let mut sides = vec![SeenSides::default(); is.len()];
        sides[..start].copy_from_slice(&self.sides[..start]);
        sides[is.len() - end..].copy_from_slice(&self.sides[was.len() - end..]);
        Cow::Owned(sides)
    }

    /// Takes note that a side of a line is on the screen.
    pub(in crate::review) fn mark(&mut self, lines: &Arc<[ChangedLine]>, line: usize, side: Side) {
        if !Arc::ptr_eq(&self.lines, lines) {
            self.sides = self.of(lines).into_owned();
            self.lines = Arc::clone(lines);
        }
        if let Some(sides) = self.sides.get_mut(line) {
            sides.removed |= side != Side::New;
            sides.added |= side != Side::Old;
        }
    }

    /// Returns the shown lines of a part of a hunk: `range` of its lines, which are the `part`.
    pub(in crate::review) fn part(
        &self,
        whole: &Arc<[ChangedLine]>,
        range: Range<usize>,
        part: &Arc<[ChangedLine]>,
    ) -> Self {
        Self {
            lines: Arc::clone(part),
            sides: self.of(whole)[range].to_vec(),
        }
    }

    /// Returns the same for the lines of a later placement, with both base texts; nothing is seen if the lines differ.
    pub(in crate::review) fn moved_to(
        &self,
        lines: &Arc<[ChangedLine]>,
        [base, before]: [&Document; 2],
    ) -> Self {
        let mut pairs = lines.iter().zip(self.lines.iter());
        let is_same = lines.len() == self.lines.len()
            && pairs.all(|(is, was)| {
                is.removes == was.removes
                    && is.adds == was.adds
                    && (!is.removes || base.line(is.at) == before.line(was.at))
            });
        if !is_same {
            return Self::default();
        }
        Self {
            lines: Arc::clone(lines),
            sides: self.sides.clone(),
        }
    }
}
