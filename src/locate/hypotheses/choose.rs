//! Choice between several hypotheses about a hunk.
//!
//! The cheapest one wins, unless another one costs nearly as little. Of two about the same lines the one that explains more
//! wins; of two about different places the order of the hunks, an anchor, the end of the file or the line number may decide.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::locate::hypotheses::evidence::{Evidence, Veto};
use crate::locate::hypotheses::variants::Variant;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::has_word;
use crate::locate::placement::{Chosen, Rung};
use crate::proposal::Body;
use crate::text::LineIdx;

/// Differences in cost that are too small to tell two places apart, in bits: of places where words or lines differ, and of
/// places where only blanks and punctuation do.
const MARGIN: f64 = 6.0;
pub(crate) const CHEAP_MARGIN: f64 = 0.2;
/// Maximum cost of a place where only blanks and punctuation differ, in bits.
pub(crate) const CHEAP: f64 = 1.9;
/// Minimum information that a rival place has in common with the hunk, in bits; or half as much as the best place, if that is
/// less.
const RIVAL: f64 = 12.0;

/// A variant of a hunk that may hold at a place.
#[derive(Debug, Clone)]
pub(crate) struct Hypothesis {
    pub(crate) variant: Variant,
    /// The lines that the variant expects, and the postimage.
    pub(crate) body: Rc<Body>,
    pub(crate) rung: Rung,
    pub(crate) matched: Match,
    pub(crate) evidence: Evidence,
}

/// Further evidence about the place of a hunk.
pub(crate) struct Circumstances<'c> {
    /// The lines between the hunks before and after it; all lines as long as the order may not choose yet.
    pub(crate) bounds: Range<LineIdx>,
    /// The same lines, in every round.
    pub(crate) order: Range<LineIdx>,
    /// Returns true if another hunk changes some of these lines.
    pub(crate) is_taken: &'c dyn Fn(&[Range<LineIdx>]) -> bool,
    /// Returns those of these places that the anchors point at.
    pub(crate) anchored: &'c dyn Fn(&[LineIdx]) -> Vec<LineIdx>,
    /// The line after the last one of the file, if the hunk must end there.
    pub(crate) end: Option<LineIdx>,
    /// The lines that its line number may refer to.
    pub(crate) targets: &'c [LineIdx],
}

/// The outcome of a choice between hypotheses, by their positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// There is no hypothesis.
    Gone,
    /// Each of these may hold, the likeliest first.
    Several(Vec<usize>),
    /// This one holds, with the evidence that distinguishes it from others, if any.
    One(usize, Option<Chosen>),
}

impl Hypothesis {
    fn cost(&self) -> f64 {
        self.evidence.cost
    }

    pub(crate) fn is_done(&self) -> bool {
        self.variant == Variant::Postimage
    }

    /// Returns true if it is about the same lines as another one: they share more than half of the shorter place. Places that only
    /// meet with their context are two places.
    fn is_about(&self, other: &Self) -> bool {
        let (a, b) = (&self.matched.lines, &other.matched.lines);
        let shared = a.end.min(b.end).saturating_sub(a.start.max(b.start));
        2 * shared > a.len().min(b.len())
    }

    fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.matched.lines, &other.matched.lines);
        a.start < b.end && b.start < a.end
    }

    /// Returns true if it matches a line outside of the other's place that the other's variant does not have. A further copy of a
    /// line that both have counts only if the hunk removes it: a copy that it adds may be the equal line above or below.
    fn explains_more_than(&self, other: &Self) -> bool {
        let own = self.body.preimage.iter().enumerate();
        let mut outside = own
            .filter(|(nth, _)| {
                let line = self.matched.line_of(*nth);
                line.is_some_and(|line| !other.matched.lines.contains(&line))
            })
            .map(|(_, line)| line)
            .filter(|line| has_word(line))
            .peekable();
        if outside.peek().is_none() {
            return false;
        }
        let (copies, others) = (copies(&self.body.preimage), copies(&other.body.preimage));
        outside.any(|line| match others.get(line.as_str()) {
            None => true,
            Some(known) => self.variant == Variant::Preimage && copies[line.as_str()] > *known,
        })
    }

    /// Returns true if two variants of the hunk match at overlapping places, and neither explains the file better than the other.
    fn is_rival_of(&self, other: &Self) -> bool {
        let are_plain = self.is_plain() && other.is_plain();
        if !are_plain || self.variant == other.variant || self.matched.lines == other.matched.lines
        {
            return false;
        }
        match (
            self.explains_more_than(other),
            other.explains_more_than(self),
        ) {
            (false, false) => true,
            (true, true) => self.is_about(other),
            (true, false) | (false, true) => false,
        }
    }

    /// Returns true if it explains the file better than another one about the same lines.
    fn is_better_than(&self, other: &Self) -> bool {
        if self.is_plain() && other.is_plain() && self.variant != other.variant {
            let is_more = self.explains_more_than(other);
            if is_more != other.explains_more_than(self) {
                return is_more;
            }
        }
        let key = |one: &Self| {
            let evidence = &one.evidence;
            (
                evidence.veto.is_some(),
                -evidence.support,
                evidence.cost,
                one.is_done(),
            )
        };
        key(self) < key(other)
    }

    /// Returns true if the hunk also matches without its change at the lines where another hypothesis takes it for made.
    pub(crate) fn is_unmade_at(&self, done: &Self) -> bool {
        self.variant == Variant::Preimage && self.is_plain() && self.meets(done)
    }

    /// Returns true if a gap is the only evidence: the hunk only removes lines, and these are missing.
    pub(crate) fn is_gap(&self) -> bool {
        self.is_done() && self.evidence.only_joins && self.evidence.left_bits < 2.0 * RIVAL
    }

    /// Returns true if all its changes are within a range of lines.
    fn is_within(&self, bounds: &Range<LineIdx>) -> bool {
        let mut touched = self.evidence.touched.iter();
        touched.all(|lines| bounds.start <= lines.start && lines.end <= bounds.end)
    }

    /// Returns true if it begins at a line that the hunk names.
    fn is_named(&self, known: &Circumstances<'_>) -> bool {
        known.targets.contains(&self.matched.lines.start)
    }

    /// Returns true if it is an applied hunk of one line without context, as many lines of the file may be by chance.
    fn is_lone(&self) -> bool {
        self.is_done() && !self.evidence.has_context && self.matched.lines.len() <= 1
    }

    /// Returns true if only blanks and punctuation differ, and there is no veto.
    pub(crate) fn is_plain(&self) -> bool {
        self.cost() <= CHEAP && self.evidence.veto.is_none()
    }
}

/// Counts equal lines.
fn copies(lines: &[String]) -> FxHashMap<&str, usize> {
    let mut copies = FxHashMap::default();
    for line in lines {
        *copies.entry(line.as_str()).or_default() += 1;
    }
    copies
}

/// Chooses between hypotheses.
pub(crate) fn choose(hypotheses: &[Hypothesis], known: &Circumstances<'_>) -> Choice {
    // A result that is out of the order of the hunks counts only if the hunk has no place within it.
    let has_place = hypotheses
        .iter()
        .any(|one| !one.is_done() && one.is_plain() && one.is_within(&known.order));
    let is_free = |nth: &usize| {
        let one = &hypotheses[*nth];
        let is_in_order = !has_place || one.is_within(&known.order);
        !(known.is_taken)(&one.evidence.touched) && (!one.is_done() || is_in_order)
    };
    let mut ranked: Vec<usize> = (0..hypotheses.len()).filter(is_free).collect();
    if ranked.is_empty() {
        // Overlaps with other hunks are found later.
        ranked = (0..hypotheses.len()).collect();
    }
    let at = |nth: usize| &hypotheses[nth];
    ranked.sort_by(|&a, &b| {
        let by_cost = at(a).cost().total_cmp(&at(b).cost());
        by_cost.then(at(b).evidence.support.total_cmp(&at(a).evidence.support))
    });
    let Some(&cheapest) = ranked.first() else {
        return Choice::Gone;
    };
    let mut best = cheapest;
    // Of those about the same lines, prefer the one that explains more: if only blanks and punctuation differ, at any cost.
    let most = at(cheapest).cost().max(CHEAP);
    for &other in &ranked {
        let is_near = at(other).cost() <= at(cheapest).cost() + 1e-9
            || (at(other).cost() <= most && at(other).evidence.veto.is_none());
        if is_near && at(other).is_about(at(cheapest)) && at(other).is_better_than(at(best)) {
            best = other;
        }
    }
    // A deletion is not made if the lines that it removes are still beside those that it leaves, even with other words: then
    // nothing tells its result from a twin of its place.
    if at(best).is_done() && at(best).evidence.only_joins {
        let is_unmade = |nth: &usize| {
            let one = at(*nth);
            let has_removed = one.evidence.veto != Some(Veto::Lost);
            one.variant == Variant::Preimage
                && has_removed
                && one.is_about(at(best))
                && one.explains_more_than(at(best))
        };
        best = ranked.iter().copied().find(is_unmade).unwrap_or(best);
    }
    let is_as_stated = at(best).is_plain() && !at(best).is_done();
    if !is_as_stated && let Some(stated) = passed_over(hypotheses, &ranked, best, known) {
        return Choice::Several(if at(best).is_done() {
            vec![stated, best]
        } else {
            vec![best, stated]
        });
    }
    // A result found elsewhere does not hide lines that match here apart from blanks.
    if at(best).is_done() {
        let undone = ranked.iter().copied().find(|&nth| {
            let is_there = if at(best).evidence.only_joins {
                at(nth).evidence.veto.is_none()
            } else {
                at(nth).is_plain()
            };
            is_there && at(nth).variant == Variant::Preimage && !at(nth).is_about(at(best))
        });
        if let Some(undone) = undone {
            let is_like = at(undone).cost() > CHEAP;
            let is_worse = at(undone).cost() - at(best).cost() >= MARGIN && at(best).is_plain();
            let is_chance = at(best).is_lone()
                && at(undone).cost() <= at(best).cost()
                && at(undone).is_within(&known.order);
            if is_chance
                || at(best).is_gap()
                || (at(best).evidence.only_joins && is_like && !is_worse)
            {
                best = undone;
            } else if !is_like && at(undone).cost() > at(best).cost() {
                return Choice::Several(vec![undone, best]);
            }
        }
    }
    // A partly applied variant does not win where the whole hunk is applied, or where it is not applied at all: a line that it adds
    // at its edge may have been there before.
    let is_whole = |nth: &usize| {
        let other = at(*nth);
        let is_mixed = matches!(other.variant, Variant::Mixed(_));
        !is_mixed && other.is_plain() && other.meets(at(best))
    };
    if matches!(at(best).variant, Variant::Mixed(_))
        && let Some(whole) = ranked.iter().copied().find(is_whole)
    {
        return decide(hypotheses, vec![best, whole], known);
    }
    let rivals = rivals(hypotheses, &ranked, best, known);
    let mut candidates = vec![best];
    let is_candidate =
        |nth: &usize| at(*nth).evidence.veto.is_none() || at(*nth).cost() <= at(best).cost();
    candidates.extend(rivals.into_iter().filter(is_candidate));
    decide(hypotheses, candidates, known)
}

/// Returns a hypothesis about other lines than the best one, of which the hunk states more to the letter: all lines of context
/// where the best one differs, whatever became of the changed lines; or the changed lines, at the very line that the hunk names.
fn passed_over(
    hypotheses: &[Hypothesis],
    ranked: &[usize],
    best: usize,
    known: &Circumstances<'_>,
) -> Option<usize> {
    let best = &hypotheses[best];
    if best.is_named(known) {
        return None;
    }
    let is_between = |one: &Hypothesis| best.cost() > CHEAP && one.evidence.is_context_literal;
    let is_stated = |one: &Hypothesis| one.evidence.is_change_literal && one.is_named(known);
    ranked.iter().copied().find(|nth| {
        let one = &hypotheses[*nth];
        one.variant == Variant::Preimage
            && !one.is_about(best)
            && (is_stated(one) || (is_between(one) && one.evidence.has_context))
    })
}

/// Decides between candidates, the likeliest first.
fn decide(hypotheses: &[Hypothesis], candidates: Vec<usize>, known: &Circumstances<'_>) -> Choice {
    if let [only] = candidates[..] {
        return Choice::One(only, None);
    }
    match break_tie(hypotheses, &candidates, known) {
        Some((nth, chosen)) => Choice::One(nth, Some(chosen)),
        None => Choice::Several(candidates),
    }
}

/// Returns the hypotheses that cost nearly as little as the best one.
fn rivals(
    hypotheses: &[Hypothesis],
    ranked: &[usize],
    best: usize,
    known: &Circumstances<'_>,
) -> Vec<usize> {
    let best_one = &hypotheses[best];
    let is_in_order = best_one.is_within(&known.order);
    let cost = best_one.cost();
    let margin = if cost > CHEAP { MARGIN } else { CHEAP_MARGIN };
    let is_rival = |nth: &usize| {
        let one = &hypotheses[*nth];
        let is_same = one.meets(best_one)
            && !one.is_rival_of(best_one)
            && if one.variant == best_one.variant {
                one.evidence.touched == best_one.evidence.touched
            } else {
                one.cost() <= cost.max(CHEAP) + 1e-9
            };
        // A gap at the very line that the hunk names may have been left by the hunk.
        let is_named = one.is_done() && one.is_named(known);
        let is_no_evidence = one.is_done()
            && !is_named
            && (one.evidence.veto == Some(Veto::Nothing)
                || ((one.is_gap() || (one.is_lone() && is_in_order))
                    && !best_one.is_done()
                    && cost <= CHEAP));
        *nth != best
            && !is_same
            && !is_no_evidence
            && one.cost() - cost < margin
            && (is_named || one.evidence.support >= RIVAL.min(best_one.evidence.support / 2.0))
    };
    ranked.iter().copied().filter(|nth| is_rival(nth)).collect()
}

/// Returns the candidate that further evidence tells apart from the others, and the kind of that evidence.
fn break_tie(
    hypotheses: &[Hypothesis],
    candidates: &[usize],
    known: &Circumstances<'_>,
) -> Option<(usize, Chosen)> {
    let lines = |nth: usize| &hypotheses[nth].matched.lines;
    let is_within = |nth: &usize| hypotheses[*nth].is_within(&known.bounds);
    let mut left: Vec<usize> = candidates.iter().copied().filter(is_within).collect();
    if let [only] = left[..] {
        return Some((only, Chosen::Order));
    }
    if left.is_empty() {
        left = candidates.to_vec();
    }
    let starts: Vec<LineIdx> = left.iter().map(|&nth| lines(nth).start).collect();
    let anchored = (known.anchored)(&starts);
    // The heading of a diff is only the nearest line above that looks like one: it does not outvote a line number.
    let named = |start: &LineIdx| known.targets.contains(start);
    if anchored.iter().any(named) || !starts.iter().any(named) {
        left.retain(|&nth| anchored.contains(&lines(nth).start));
    }
    if let [only] = left[..] {
        return Some((only, Chosen::Anchor));
    }
    if let Some(end) = known.end {
        let mut last = left.iter().filter(|&&nth| lines(nth).end == end);
        if let (Some(only), None) = (last.next(), last.next()) {
            return Some((*only, Chosen::End));
        }
    }
    let starts: Vec<LineIdx> = left.iter().map(|&nth| lines(nth).start).collect();
    let near = nearest(&starts, known.targets).map(|nth| left[nth])?;
    // A line number is no evidence for a result at another line than the one that it names.
    let is_named = !hypotheses[near].is_done() || known.targets.contains(&lines(near).start);
    is_named.then_some((near, Chosen::Hint))
}

/// Returns the place that every target points at: the one at the target, or one that is at least twice as near as the next.
pub(crate) fn nearest(starts: &[LineIdx], targets: &[LineIdx]) -> Option<usize> {
    let mut found = targets.iter().map(|target| nearest_to(starts, *target));
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

/// Returns the place that is at least twice as near to a line as the next.
fn nearest_to(starts: &[LineIdx], target: LineIdx) -> Option<usize> {
    let distances = starts.iter().map(|start| start.abs_diff(target)).zip(0..);
    let mut by_distance: Vec<(usize, usize)> = distances.collect();
    by_distance.sort_unstable();
    match by_distance[..] {
        [(_, nth)] => Some(nth),
        [(first, nth), (second, _), ..] if first < second && (1 + first) * 2 <= 1 + second => {
            Some(nth)
        }
        _ => None,
    }
}
