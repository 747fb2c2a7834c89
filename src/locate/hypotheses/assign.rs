//! Assigns places to all hunks of a file together.
//!
//! Each hunk is first placed by itself. The others then choose between the places of those that match in several: by their
//! order, where the dialect has one, by the lines that they change, and by their offsets from the lines that they name.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::locate::hypotheses::choose::{Choice, Circumstances, Hypothesis, choose};
use crate::locate::hypotheses::occupied::Occupied;
use crate::locate::hypotheses::permit::level;
use crate::locate::hypotheses::search::HunkSearch;
use crate::locate::matching::anchor;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::placement::{Chosen, Confidence};
use crate::proposal::Body;
use crate::text::{LineIdx, LineNo};

/// Maximum number of rounds; a choice in one may help in the next.
const ROUNDS: usize = 3;

/// Place of a hunk, as far as all hunks of the file show.
#[derive(Debug, Clone)]
pub(crate) enum Assigned {
    /// No place is similar.
    Gone,
    /// Each of these may hold, the likeliest first.
    Several(Vec<Hypothesis>),
    /// The hunk matches in so many places that only a line number could choose.
    Crowd,
    /// The postimage is at the line that the hunk names.
    Done(LineIdx),
    /// This holds, with the evidence that distinguishes it from others, if any.
    One(Hypothesis, Option<Chosen>),
}

/// The known places of all hunks.
struct Round<'r, 'i> {
    index: &'r Index<'i>,
    occupied: Occupied,
    is_ordered: bool,
    /// True if line numbers count: hunks that need none are placed first.
    with_hints: bool,
}

/// Assigns places to hunks, by their positions among all hunks of the file.
pub(crate) fn assign(
    index: &Index<'_>,
    sought: &[(usize, HunkSearch<'_>)],
    is_ordered: bool,
) -> Vec<Assigned> {
    let is_ordered = is_ordered && sought.iter().filter_map(|(_, one)| one.hint).is_sorted();
    let mut round = Round {
        index,
        occupied: Occupied::default(),
        is_ordered,
        with_hints: sought.len() == 1,
    };
    let mut assigned = vec![Assigned::Gone; sought.len()];
    let mut open: Vec<usize> = (0..sought.len()).collect();
    let same = same_edits(sought);
    for _ in 0..ROUNDS {
        let mut left = Vec::new();
        for nth in open {
            let (hunk, one) = &sought[nth];
            let known = same[nth].map(|first| assigned[first].clone());
            let found = match known {
                Some(found @ (Assigned::One(..) | Assigned::Done(_))) => found,
                _ => round.place(*hunk, one),
            };
            match &found {
                Assigned::One(hypothesis, chosen) => round.note(*hunk, one, hypothesis, *chosen),
                Assigned::Done(_) => (),
                Assigned::Gone | Assigned::Several(_) | Assigned::Crowd => left.push(nth),
            }
            assigned[nth] = found;
        }
        if left.is_empty() || (round.with_hints && sought.len() == 1) {
            break;
        }
        open = left;
        round.with_hints = true;
    }
    share_out(index, sought, &mut assigned, is_ordered);
    doubt_done(sought, &mut assigned);
    assigned
}

/// Takes a hunk whose lines match with and without its change for one that may be applied, if another hunk of the file is not.
fn doubt_done(sought: &[(usize, HunkSearch<'_>)], assigned: &mut [Assigned]) {
    let is_undone = |one: &Assigned| matches!(one, Assigned::One(found, _) if !found.is_done());
    if !assigned.iter().any(is_undone) {
        return;
    }
    for ((_, one), assigned) in sought.iter().zip(assigned) {
        if let Assigned::One(done, _) = assigned
            && done.is_done()
            && let Some(undone) = one.hypotheses.iter().find(|other| other.is_unmade_at(done))
        {
            *assigned = Assigned::Several(vec![undone.clone(), done.clone()]);
        }
    }
}

impl Round<'_, '_> {
    fn place(&self, hunk: usize, one: &HunkSearch<'_>) -> Assigned {
        let order = if self.is_ordered {
            self.occupied.bounds(hunk)
        } else {
            0..usize::MAX
        };
        let bounds = if self.with_hints {
            order.clone()
        } else {
            0..usize::MAX
        };
        let targets = match one.hint.map(LineNo::idx) {
            Some(hint) if self.with_hints => self.occupied.targets(hint),
            _ => Vec::new(),
        };
        if let Some(crowd) = one.crowd() {
            return self.of_crowd(one, crowd, &bounds, &targets);
        }
        let anchors = &one.hunk.anchors;
        let known = Circumstances {
            bounds,
            order,
            is_taken: &|lines| self.occupied.holds(lines),
            anchored: &|starts| anchor::narrow(self.index, anchors, starts),
            end: one.hunk.at_end.then_some(self.index.document.len()),
            targets: &targets,
        };
        let hypotheses = &one.hypotheses;
        match choose(hypotheses, &known) {
            Choice::Gone => Assigned::Gone,
            Choice::One(nth, chosen) => Assigned::One(hypotheses[nth].clone(), chosen),
            Choice::Several(several) => Assigned::Several(
                several
                    .into_iter()
                    .map(|nth| hypotheses[nth].clone())
                    .collect(),
            ),
        }
    }

    /// Chooses among very many places: by the order of the hunks, an anchor, the end of the file, or the very line that is
    /// named.
    fn of_crowd(
        &self,
        one: &HunkSearch<'_>,
        crowd: &[Match],
        bounds: &Range<LineIdx>,
        targets: &[LineIdx],
    ) -> Assigned {
        let first = crowd.partition_point(|place| place.lines.start < bounds.start);
        let end = crowd.partition_point(|place| place.lines.end <= bounds.end);
        let found = |nth: usize, chosen| {
            let one = one.of_crowd(self.index, nth)?;
            Some(Assigned::One(one, Some(chosen)))
        };
        let by_order = || (end.checked_sub(first) == Some(1)).then(|| found(first, Chosen::Order));
        let target = targets
            .first()
            .filter(|first| targets.iter().all(|other| other == *first));
        let start = |place: &Match| place.lines.start;
        let number = || crowd.binary_search_by_key(target?, start).ok();
        let by_anchor = || {
            let lines = anchor::lines(self.index, &one.hunk.anchors);
            let &[line] = lines.as_slice() else {
                return None;
            };
            let after = crowd.partition_point(|place| place.lines.start < line);
            (after < crowd.len() && number().is_none_or(|named| named == after))
                .then(|| found(after, Chosen::Anchor))
        };
        let by_end = || {
            let last = crowd.len() - 1;
            let is_last = crowd[last].lines.end == self.index.document.len();
            (one.hunk.at_end && is_last).then(|| found(last, Chosen::End))
        };
        if let Some(&at) = target
            && one.is_done_at(self.index, at)
        {
            return Assigned::Done(at);
        }
        let by_number = || number().map(|nth| found(nth, Chosen::Hint));
        by_order()
            .or_else(by_anchor)
            .or_else(by_end)
            .or_else(by_number)
            .flatten()
            .unwrap_or(Assigned::Crowd)
    }

    /// Records the place of a hunk, for the others.
    fn note(
        &mut self,
        hunk: usize,
        one: &HunkSearch<'_>,
        found: &Hypothesis,
        chosen: Option<Chosen>,
    ) {
        let touched = &found.evidence.touched;
        if level(&found.evidence, found.rung, chosen).0 == Confidence::Doubtful {
            return;
        }
        if found.is_done() {
            self.occupied.keep(hunk, touched);
        } else {
            self.occupied.take(hunk, touched);
        }
        if let Some(hint) = one.hint
            && chosen != Some(Chosen::Hint)
        {
            let grown = if found.is_done() {
                let Body {
                    preimage,
                    postimage,
                } = &*one.body;
                postimage.len().cast_signed() - preimage.len().cast_signed()
            } else {
                0
            };
            let start = found.matched.lines.start;
            self.occupied.correct(hint.idx(), start, grown);
        }
    }
}

/// Returns for each hunk the first one that is the same edit with the same line number: both have one place.
fn same_edits(sought: &[(usize, HunkSearch<'_>)]) -> Vec<Option<usize>> {
    let mut first: FxHashMap<(LineNo, &Body), usize> = FxHashMap::default();
    let same = |(nth, (_, one)): (usize, &'_ (usize, HunkSearch<'_>))| -> Option<(LineNo, usize)> {
        one.hint.map(|hint| (hint, nth))
    };
    let mut result = vec![None; sought.len()];
    for (hint, nth) in sought.iter().enumerate().filter_map(same) {
        let known = *first.entry((hint, &sought[nth].1.hunk.body)).or_insert(nth);
        result[nth] = (known < nth).then_some(known);
    }
    result
}

/// Gives hunks with the same matches, as many hunks as matches, one each: in order, where the dialect has an order, and in any
/// order where the hunks are the same.
fn share_out(
    index: &Index<'_>,
    sought: &[(usize, HunkSearch<'_>)],
    assigned: &mut [Assigned],
    is_ordered: bool,
) {
    let mut groups: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
    for (nth, found) in assigned.iter().enumerate() {
        if matches!(found, Assigned::Several(_) | Assigned::Crowd) {
            let preimage = sought[nth].1.body.preimage.as_slice();
            groups.entry(preimage).or_default().push(nth);
        }
    }
    for hunks in groups.into_values().filter(|hunks| hunks.len() > 1) {
        let one = &sought[hunks[0]].1;
        if !is_ordered && hunks.iter().any(|nth| sought[*nth].1.body != one.body) {
            continue;
        }
        if one.places() != hunks.len() {
            continue;
        }
        for (place, nth) in hunks.into_iter().enumerate() {
            if let Some(found) = sought[nth].1.of_crowd(index, place) {
                assigned[nth] = Assigned::One(found, Some(Chosen::Order));
            }
        }
    }
}
