//! The hunks to choose places for: those that stand somewhere, and those that were applied already.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::super::align::Match;
use super::super::place::{Chosen, Rung};
use super::super::script::Script;
use crate::proposal::{Body, Hunk, numbered_line};
use crate::text::{LineIdx, LineNo};

/// Places of one hunk that are told apart. A block that stands more often says nothing about where it belongs; only a line
/// number can, and the places nearest to it are kept.
const MOST_PLACES: usize = 512;

/// A hunk that was applied already: it bounds the others as a placed one does.
#[derive(Debug)]
pub(in super::super) struct Done {
    pub(super) hint: Option<LineIdx>,
    /// Where its postimage begins.
    pub(super) start: LineIdx,
    /// The lines that it has left, context aside.
    pub(super) lines: Range<LineIdx>,
}

impl Done {
    /// A hunk whose postimage begins at a line.
    pub(in super::super) fn at(hunk: &Hunk, start: LineIdx) -> Self {
        let script = Script::of(&hunk.body);
        let first = script.steps().first().map_or(0, |step| step.comes.start);
        let last = script.steps().last().map_or(0, |step| step.comes.end);
        Self {
            hint: hunk.hint.map(LineNo::idx),
            start,
            lines: start + first..start + last.max(first),
        }
    }
}

/// The hunks that were applied already, by their positions.
pub(in super::super) type AllDone = BTreeMap<usize, Done>;

/// A hunk that stands in one place or more.
#[derive(Debug)]
pub(in super::super) struct Found<'a> {
    pub(in super::super) hunk: &'a Hunk,
    /// The line that the hunk names, or that the numbers before its lines do.
    pub(in super::super) hint: Option<LineNo>,
    /// The reading of the hunk that stands there.
    pub(in super::super) body: Cow<'a, Body>,
    pub(in super::super) script: Script,
    pub(in super::super) rung: Rung,
    /// The places; one, once it is settled.
    pub(in super::super) matches: Vec<Match>,
    /// How many places there are in all.
    pub(in super::super) count: usize,
    pub(in super::super) chosen: Option<Chosen>,
    /// Whether it may have been applied already, so that its only place proves nothing for the others.
    pub(in super::super) is_doubtful: bool,
}

impl<'a> Found<'a> {
    pub(in super::super) fn new(
        hunk: &'a Hunk,
        body: Cow<'a, Body>,
        rung: Rung,
        mut matches: Vec<Match>,
    ) -> Self {
        let count = matches.len();
        let hint = hunk.hint.or_else(|| numbered(hunk, &body));
        if count > MOST_PLACES {
            let hint = hint.map_or(0, LineNo::idx);
            matches.sort_by_key(|matched| matched.lines.start.abs_diff(hint));
            matches.truncate(MOST_PLACES);
            matches.shrink_to_fit();
            matches.sort_by_key(|matched| matched.lines.start);
        }
        let script = Script::of(&body);
        Self {
            hunk,
            hint,
            body,
            script,
            rung,
            matches,
            count,
            chosen: None,
            is_doubtful: false,
        }
    }

    /// Whether there are more places than are told apart.
    pub(super) fn is_crowded(&self) -> bool {
        self.count > MOST_PLACES
    }

    pub(super) fn is_settled(&self) -> bool {
        self.matches.len() == 1
    }

    /// The only place left, if one is.
    pub(super) fn settled_place(&self) -> Option<Match> {
        match &self.matches[..] {
            [place] => Some(place.clone()),
            _ => None,
        }
    }

    pub(super) fn settle(&mut self, matched: Match, chosen: Chosen) {
        self.matches = vec![matched];
        self.chosen = Some(chosen);
    }
}

/// The number before a hunk's first line, if its lines are read without their numbers.
fn numbered(hunk: &Hunk, read: &Body) -> Option<LineNo> {
    let first = hunk.body.preimage.first()?;
    let (number, rest) = numbered_line(first)?;
    (read.preimage.first().is_some_and(|line| line == rest)).then(|| LineNo::new(number))?
}
