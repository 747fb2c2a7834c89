//! Choosing between equal places.
//!
//! In this order, until one is left: places taken by other hunks, and the order of the hunks where the dialect has one;
//! anchors; the end of the file; the line number, corrected by the offset that the surely placed hunks agree on. A place is
//! chosen only when everything else is excluded; nothing is taken because it comes first.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::align::Match;
use super::anchor;
use super::index::Index;
use super::place::{Chosen, Rung};
use super::script::{Script, touched};
use crate::proposal::{Body, Hunk, numbered_line};
use crate::text::{LineIdx, LineNo};

/// Rounds in which a choice may help the next one. Every input known needs two; the bound keeps hostile ones linear.
const ROUNDS: usize = 6;

/// Places of one hunk that are told apart. A block that stands more often says nothing about where it belongs; only a line
/// number can, and the places nearest to it are kept.
const MOST_PLACES: usize = 512;

/// A hunk that was applied already: it bounds the others as a placed one does.
#[derive(Debug)]
pub(super) struct Done {
    hint: Option<LineIdx>,
    /// Where its postimage begins.
    start: LineIdx,
    /// The lines that it has left, context aside.
    lines: Range<LineIdx>,
}

impl Done {
    /// A hunk whose postimage begins at a line.
    pub(super) fn at(hunk: &Hunk, start: LineIdx) -> Self {
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
pub(super) type AllDone = BTreeMap<usize, Done>;

/// A hunk that stands in one place or more.
#[derive(Debug)]
pub(super) struct Found<'a> {
    pub(super) hunk: &'a Hunk,
    /// The line that the hunk names, or that the numbers before its lines do.
    pub(super) hint: Option<LineNo>,
    /// The reading of the hunk that stands there.
    pub(super) body: Cow<'a, Body>,
    pub(super) script: Script,
    pub(super) rung: Rung,
    /// The places; one, once it is settled.
    pub(super) matches: Vec<Match>,
    /// How many places there are in all.
    pub(super) count: usize,
    pub(super) chosen: Option<Chosen>,
    /// Whether it may have been applied already, so that its only place proves nothing for the others.
    pub(super) is_doubtful: bool,
}

/// The number before a hunk's first line, if its lines are read without their numbers.
fn numbered(hunk: &Hunk, read: &Body) -> Option<LineNo> {
    let first = hunk.body.preimage.first()?;
    let (number, rest) = numbered_line(first)?;
    (read.preimage.first().is_some_and(|line| line == rest)).then(|| LineNo::new(number))?
}

impl<'a> Found<'a> {
    pub(super) fn new(
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
    fn is_crowded(&self) -> bool {
        self.count > MOST_PLACES
    }

    fn is_settled(&self) -> bool {
        self.matches.len() == 1
    }

    fn settle(&mut self, matched: Match, chosen: Chosen) {
        self.matches = vec![matched];
        self.chosen = Some(chosen);
    }
}

/// Settles what can be settled. `ordered` says that the hunks come in the order of the file.
pub(super) fn choose(
    index: &Index<'_>,
    found: &mut [Option<Found<'_>>],
    done: &AllDone,
    ordered: bool,
) {
    let ordered = ordered && hints_ascend(found);
    for _ in 0..ROUNDS {
        let open: Vec<usize> = (0..found.len())
            .filter(|&i| found[i].as_ref().is_some_and(|found| !found.is_settled()))
            .collect();
        if open.is_empty() {
            return;
        }
        let offsets = Offsets::of(found, done);
        let mut taken = Taken::of(found, done);
        let mut settled = false;
        for i in open {
            let bounds = if ordered {
                taken.bounds(i)
            } else {
                0..usize::MAX
            };
            let Some(rivals) = &mut found[i] else {
                continue;
            };
            if let Some((matched, chosen)) = one_left(index, rivals, &taken, &bounds, &offsets) {
                taken.take(i, &rivals.script, &matched);
                rivals.settle(matched, chosen);
                settled = true;
            }
        }
        if !settled && !share_out(found, ordered) {
            return;
        }
    }
}

fn one_left(
    index: &Index<'_>,
    found: &Found<'_>,
    taken: &Taken,
    bounds: &Range<LineIdx>,
    offsets: &Offsets,
) -> Option<(Match, Chosen)> {
    if found.is_crowded() {
        // Only the very line that is named counts: a place that was not kept could be as near as those that were.
        let hint = found.hint.filter(|_| found.hunk.anchors.is_empty())?;
        let mut targets = offsets.targets(hint.idx());
        let target = targets
            .next()
            .filter(|first| targets.all(|other| other == *first))?;
        let named = found
            .matches
            .iter()
            .find(|matched| matched.lines.start == target)?;
        return Some((named.clone(), Chosen::Hint));
    }
    let mut left: Vec<&Match> = found
        .matches
        .iter()
        .filter(|matched| {
            let lines = touched(&found.script, matched);
            lines
                .iter()
                .all(|lines| bounds.start <= lines.start && lines.end <= bounds.end)
                && !taken.holds(&lines)
        })
        .collect();
    if left.is_empty() {
        return None;
    }
    if let [only] = left[..] {
        return Some((only.clone(), Chosen::Order));
    }
    let starts: Vec<LineIdx> = left.iter().map(|matched| matched.lines.start).collect();
    let anchored = anchor::narrow(index, &found.hunk.anchors, &starts);
    left.retain(|matched| anchored.contains(&matched.lines.start));
    if let [only] = left[..] {
        return Some((only.clone(), Chosen::Anchor));
    }
    let at_end = |matched: &&&Match| matched.lines.end == index.document.len();
    if found.hunk.at_end
        && let Some(last) = left.iter().find(at_end)
    {
        return Some(((*last).clone(), Chosen::End));
    }
    let starts: Vec<LineIdx> = left.iter().map(|matched| matched.lines.start).collect();
    let hinted = nearest_to_hint(&starts, offsets.targets(found.hint?.idx()))?;
    Some((left[hinted].clone(), Chosen::Hint))
}

/// The place that every target points at: by an exact hit, or by being at least twice as near as the next.
pub(super) fn nearest_to_hint(
    starts: &[LineIdx],
    targets: impl Iterator<Item = usize>,
) -> Option<usize> {
    let mut winners = targets.map(|target| {
        let mut by_distance: Vec<(usize, usize)> = starts
            .iter()
            .enumerate()
            .map(|(i, start)| (start.abs_diff(target), i))
            .collect();
        by_distance.sort_unstable();
        match by_distance[..] {
            [(0, i), ..] | [(_, i)] => Some(i),
            [(nearest, i), (next, _), ..] if nearest * 2 <= next => Some(i),
            _ => None,
        }
    });
    let first = winners.next()??;
    winners.all(|winner| winner == Some(first)).then_some(first)
}

/// Hunks that stand in the same places, as many hunks as places, each get one: in order, where the dialect has an order,
/// and in any order where the hunks are the same.
fn share_out(found: &mut [Option<Found<'_>>], ordered: bool) -> bool {
    let starts = |found: &Found<'_>| {
        found
            .matches
            .iter()
            .map(|matched| matched.lines.clone())
            .collect::<Vec<_>>()
    };
    let mut groups: BTreeMap<Vec<(usize, usize)>, Vec<usize>> = BTreeMap::new();
    for (i, found) in found.iter().enumerate() {
        if let Some(found) = found
            .as_ref()
            .filter(|found| !found.is_settled() && !found.is_crowded())
        {
            let key = starts(found)
                .into_iter()
                .map(|lines| (lines.start, lines.end))
                .collect();
            groups.entry(key).or_default().push(i);
        }
    }
    let mut shared = false;
    for (places, hunks) in groups {
        let same = hunks
            .windows(2)
            .all(|two| match (&found[two[0]], &found[two[1]]) {
                (Some(a), Some(b)) => a.body == b.body,
                _ => false,
            });
        if places.len() != hunks.len() || !(ordered || same) {
            continue;
        }
        for (nth, hunk) in hunks.into_iter().enumerate() {
            if let Some(found) = &mut found[hunk] {
                let matched = found.matches[nth].clone();
                found.settle(matched, Chosen::Order);
                shared = true;
            }
        }
    }
    shared
}

/// The hunks whose only place is not where it should be among those that were applied already. Whatever it stands there for,
/// it is not what they were sent with.
pub(super) fn out_of_order(
    found: &[Option<Found<'_>>],
    done: &AllDone,
    ordered: bool,
) -> Vec<usize> {
    if done.is_empty() || !ordered || !hints_ascend(found) {
        return Vec::new();
    }
    let taken = Taken::of(&[], done);
    let is_out = |(hunk, found): (usize, &Option<Found<'_>>)| {
        let found = found.as_ref().filter(|found| found.is_settled())?;
        let bounds = taken.bounds(hunk);
        let within =
            |lines: &Range<LineIdx>| bounds.start <= lines.start && lines.end <= bounds.end;
        let lines = touched(&found.script, &found.matches[0]);
        (!lines.iter().all(within)).then_some(hunk)
    };
    found.iter().enumerate().filter_map(is_out).collect()
}

fn hints_ascend(found: &[Option<Found<'_>>]) -> bool {
    found
        .iter()
        .flatten()
        .filter_map(|found| found.hint)
        .is_sorted()
}

/// The lines that settled hunks change.
struct Taken {
    /// First line → line after the last, and the hunk.
    changed: BTreeMap<LineIdx, (LineIdx, usize)>,
    /// Each hunk's outermost changed lines, by its position.
    of_hunk: BTreeMap<usize, Range<LineIdx>>,
}

impl Taken {
    fn of(found: &[Option<Found<'_>>], done: &AllDone) -> Self {
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

    fn take(&mut self, hunk: usize, script: &Script, matched: &Match) {
        let lines = touched(script, matched);
        if let (Some(first), Some(last)) = (lines.first(), lines.last()) {
            self.of_hunk.insert(hunk, first.start..last.end);
        }
        for lines in lines {
            self.changed.insert(lines.start, (lines.end, hunk));
        }
    }

    /// Whether any of these lines is changed by a settled hunk, or is inserted at where one inserts.
    fn holds(&self, lines: &[Range<LineIdx>]) -> bool {
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
    fn bounds(&self, hunk: usize) -> Range<LineIdx> {
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

/// How far surely placed hunks stand from where they say.
pub(super) struct Offsets(BTreeMap<LineIdx, isize>);

impl Offsets {
    pub(super) fn of(found: &[Option<Found<'_>>], done: &AllDone) -> Self {
        let known = done.values().filter_map(|done| {
            let hint = done.hint?;
            Some((hint, done.start.cast_signed() - hint.cast_signed()))
        });
        let offset = |found: &Found<'_>| {
            let hint = found.hint?.idx();
            let [matched] = &found.matches[..] else {
                return None;
            };
            (found.chosen.is_none() && !found.is_doubtful)
                .then(|| (hint, matched.lines.start.cast_signed() - hint.cast_signed()))
        };
        Self(
            known
                .chain(found.iter().flatten().filter_map(offset))
                .collect(),
        )
    }

    /// The lines that a line number may mean: corrected by the offset of the hunk before and by that of the hunk after.
    pub(super) fn targets(&self, hint: LineIdx) -> impl Iterator<Item = LineIdx> {
        let before = self.0.range(..hint).next_back().map(|(_, &offset)| offset);
        let after = self.0.range(hint + 1..).next().map(|(_, &offset)| offset);
        let none = if before.is_none() && after.is_none() {
            Some(0)
        } else {
            None
        };
        [before, after, none]
            .into_iter()
            .flatten()
            .map(move |offset| hint.saturating_add_signed(offset))
    }
}
