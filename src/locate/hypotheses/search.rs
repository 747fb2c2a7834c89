//! Hypotheses about one hunk: the places where each of its variants may match.
//!
//! The [`ladder`](crate::locate::matching::ladder) finds all places where only blanks and punctuation differ. Only a hunk without such a place is
//! aligned with the file word by word.

use std::borrow::Cow;
use std::rc::Rc;

use crate::locate::hypotheses::choose::{CHEAP_MARGIN, Hypothesis};
use crate::locate::hypotheses::evidence::{Evidence, Trial};
use crate::locate::hypotheses::interpretation::{self, Interpretation, similarity};
use crate::locate::hypotheses::scale::{ByLength, InBits};
use crate::locate::hypotheses::variants::{HunkRow, HunkRows, Variant};
use crate::locate::matching::candidates::{align_near, alignments};
use crate::locate::matching::edit_script::{Script, changes_blanks_only};
use crate::locate::matching::index::Index;
use crate::locate::matching::kmp::Prefixes;
use crate::locate::matching::ladder::{LADDER, climb};
use crate::locate::matching::line_cost::Pairing;
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::matching::normalize::fold;
use crate::locate::placement::{Location, Rung};
use crate::proposal::{Body, Hunk};
use crate::text::{LineIdx, LineNo};

/// Maximum number of matches that get a hypothesis each; of more, only evidence that names one line can choose.
const MAX_PLACES: usize = 32;
/// Maximum number of places that are kept for a variant that is aligned.
const MAX_KEPT: usize = 8;

/// Minimum similarity of paired lines at a place that a person chose, in `0..=1`.
const PARTNER: f64 = 0.6;

/// A hunk with the hypotheses about it.
#[derive(Debug)]
pub(crate) struct HunkSearch<'h> {
    pub(crate) hunk: &'h Hunk,
    /// The line that the hunk names, or the number before its first line.
    pub(crate) hint: Option<LineNo>,
    /// The reading of the hunk that the hypotheses are about.
    pub(crate) body: Cow<'h, Body>,
    pub(crate) hypotheses: Vec<Hypothesis>,
    /// All matches of the preimage where only blanks and punctuation differ.
    plain: Option<(Rung, Rc<Vec<Match>>)>,
}

/// Reads a hunk and finds the matches where only blanks and punctuation differ; there may be none.
///
/// # Errors
///
/// Returns the location of a hunk that has several readings of which none or more than one matches the file.
pub(crate) fn read<'h>(index: &Index<'_>, hunk: &'h Hunk) -> Result<HunkSearch<'h>, Location> {
    let found = interpretation::placed(index, hunk)?;
    let (body, plain) = match found {
        Some(Interpretation {
            body,
            rung,
            matches,
        }) => (body, Some((rung, matches))),
        None => (Cow::Borrowed(&hunk.body), None),
    };
    let hint = hunk.hint.or_else(|| interpretation::numbered(hunk, &body));
    Ok(HunkSearch {
        hunk,
        hint,
        body,
        hypotheses: Vec::new(),
        plain,
    })
}

impl<'h> HunkSearch<'h> {
    /// Collects the hypotheses: no change is made, some are, or all are; and the similar places, if neither the preimage nor a
    /// result matches apart from blanks and punctuation. Matches that are too many for a hypothesis each are left as a crowd.
    pub(crate) fn complete(&mut self, index: &Index<'_>) {
        if self.crowd().is_some() {
            return;
        }
        if let Some((rung, matches)) = &self.plain {
            let edit = Edit::of(self.hunk, &self.body);
            let mut found = edit.plain(index, Variant::Preimage, *rung, matches);
            let costs = found.iter().map(|one| one.evidence.cost);
            let cheapest = costs.min_by(f64::total_cmp).unwrap_or_default();
            found.extend(edit.around(index, matches));
            // A variant that costs more than this is excluded.
            found.extend(edit.made(
                index,
                rungs_up_to(*rung, cheapest + CHEAP_MARGIN),
                self.hint,
            ));
            self.hypotheses = found;
            return;
        }
        let mut best: Option<(Cow<'h, Body>, Vec<Hypothesis>)> = None;
        let mut least = (f64::INFINITY, 0.0);
        let compare =
            |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        for body in interpretation::plain(self.hunk, &self.body) {
            let edit = Edit::of(self.hunk, &body);
            let mut found: Vec<Hypothesis> = edit.made(index, &LADDER, self.hint).collect();
            // Missing lines do not prove that the hunk removed them, nor does a match apart from blanks prove a change of
            // blanks.
            let is_proof = |made: &Hypothesis| {
                let is_seen = made.rung <= Rung::TrailingBlanks || !changes_blanks_only(&body);
                !made.evidence.only_joins && is_seen
            };
            if !found.iter().any(is_proof) {
                found.extend(edit.near(index));
            }
            // Of equally cheap readings the one with more in common: only the other may have escapes in the lines that it removes.
            let costs = found
                .iter()
                .map(|one| (one.evidence.cost, -one.evidence.support));
            let cost = costs.min_by(compare).unwrap_or((f64::INFINITY, 0.0));
            if best.is_none() || compare(&cost, &least).is_lt() {
                best = Some((body, found));
                least = cost;
            }
        }
        if let Some((body, hypotheses)) = best {
            self.body = body;
            self.hypotheses = hypotheses;
        }
    }

    /// Returns all matches of the preimage, if they are too many for a hypothesis each.
    pub(crate) fn crowd(&self) -> Option<&[Match]> {
        let (_, matches) = self.plain.as_ref()?;
        (matches.len() > MAX_PLACES).then_some(matches.as_slice())
    }

    /// Returns the rung on which the preimage matches, if it does.
    pub(crate) fn rung(&self) -> Option<Rung> {
        self.plain.as_ref().map(|(rung, _)| *rung)
    }

    /// Returns the number of matches of the preimage.
    pub(crate) fn places(&self) -> usize {
        self.plain.as_ref().map_or(0, |(_, matches)| matches.len())
    }

    /// Returns the hypothesis that no change is made at the match of this position.
    pub(crate) fn of_crowd(&self, index: &Index<'_>, nth: usize) -> Option<Hypothesis> {
        let (rung, matches) = self.plain.as_ref()?;
        let edit = Edit::of(self.hunk, &self.body);
        edit.plain(index, Variant::Preimage, *rung, matches.get(nth..=nth)?)
            .pop()
    }

    /// Returns true if the postimage is exactly at a line of the file.
    pub(crate) fn is_done_at(&self, index: &Index<'_>, at: LineIdx) -> bool {
        let lines = &self.body.postimage;
        !lines.is_empty() && index.document.has_lines(at, lines)
    }
}

/// Returns the rungs whose cost is not above this, and those up to the rung on which the preimage matches: the result of the hunk
/// matches on the same one where it is in the same lines.
fn rungs_up_to(preimage: Rung, cost: f64) -> &'static [Rung] {
    let count = match cost {
        ..0.25 => 1,
        ..0.5 => 2,
        ..1.0 => 4,
        _ => LADDER.len(),
    };
    let same = LADDER.iter().take_while(|rung| **rung <= preimage).count();
    &LADDER[..count.max(same)]
}

/// Returns the places nearest to a line number, at most [`MAX_PLACES`].
fn nearest_places(places: &[Match], hint: Option<LineNo>) -> &[Match] {
    let named = hint.map_or(0, LineNo::idx);
    let after = places.partition_point(|place| place.lines.start < named);
    let first = after
        .saturating_sub(MAX_PLACES / 2)
        .min(places.len().saturating_sub(MAX_PLACES));
    &places[first..places.len().min(first + MAX_PLACES)]
}

/// A reading of a hunk, and its rows.
struct Edit<'e> {
    body: &'e Body,
    rows: HunkRows,
}

impl<'e> Edit<'e> {
    fn of(hunk: &Hunk, body: &'e Body) -> Self {
        Self {
            rows: HunkRows::of(body, &Script::of_hunk(hunk, body)),
            body,
        }
    }

    /// Returns the hypotheses that some or all changes are made already, where only blanks and punctuation differ.
    fn made(
        &self,
        index: &Index<'_>,
        rungs: &[Rung],
        hint: Option<LineNo>,
    ) -> impl Iterator<Item = Hypothesis> {
        let variants = self.rows.variants().into_iter().skip(1);
        let found = variants.filter_map(|variant| {
            let is_absent = |row: usize| {
                let is_added = matches!(self.rows.rows[row], HunkRow::Added(..));
                is_added && !index.has_line(self.rows.text(row, self.body))
            };
            if rungs.len() == 1 && self.rows.selected(variant).into_iter().any(is_absent) {
                return None;
            }
            let body = self.rows.body(variant, self.body);
            let (rung, matches) = climb(index, &body, rungs)?;
            let few = nearest_places(&matches, hint);
            Some(self.plain(index, variant, rung, few))
        });
        found.flatten().collect::<Vec<_>>().into_iter()
    }

    /// Returns the hypotheses that the hunk is applied where its postimage contains its preimage and differs from the file in
    /// blanks only.
    fn around(&self, index: &Index<'_>, matches: &[Match]) -> Vec<Hypothesis> {
        let Body {
            preimage: old,
            postimage: new,
        } = self.body;
        let prefixes = Prefixes::of(old);
        let mut equal = 0;
        let ends = new.iter().enumerate().filter(|(_, line)| {
            equal = prefixes.after(equal, line);
            equal == old.len()
        });
        let offsets: Vec<usize> = ends
            .map(|(end, _)| end + 1 - old.len())
            .take(MAX_KEPT)
            .collect();
        let look = |line| fold(Rung::Blanks, line);
        let made = |(place, offset): (&Match, &usize)| {
            let start = place.lines.start.checked_sub(*offset)?;
            let lines = start..start + new.len();
            let is_made = lines.end <= index.document.len()
                && lines
                    .clone()
                    .zip(new)
                    .all(|(at, line)| look(index.document.line(at)) == look(line));
            is_made.then(|| Match::straight(lines))
        };
        let places = matches
            .iter()
            .filter(|place| place.lines.len() == old.len());
        let found: Vec<Match> = places
            .flat_map(|place| offsets.iter().map(move |offset| (place, offset)))
            .filter_map(made)
            .collect();
        let mut found = self.plain(index, Variant::Postimage, Rung::Blanks, &found);
        found.retain(|made| made.evidence.is_change_literal);
        found
    }

    /// Returns the hypotheses of a variant at the matches that the ladder found.
    fn plain(
        &self,
        index: &Index<'_>,
        variant: Variant,
        rung: Rung,
        matches: &[Match],
    ) -> Vec<Hypothesis> {
        let selected = self.rows.selected(variant);
        let body = Rc::new(self.rows.body(variant, self.body));
        let scale = ByLength {
            document: index.document,
            lines: body.preimage.iter().map(String::as_str).collect(),
        };
        let mut hypotheses = Vec::with_capacity(matches.len());
        for matched in matches {
            let pairs: Vec<Option<LineIdx>> = (0..selected.len())
                .map(|nth| matched.line_of(nth))
                .collect();
            let trial = self.trial(index, variant, &selected, &pairs);
            let mut evidence = Evidence::of(&trial, &scale);
            if evidence.only_joins {
                // The lines that a deletion leaves must carry enough information to show that it was made.
                let lines = pairs.iter().flatten();
                evidence.left_bits = lines.map(|&at| index.words().line_bits(at)).sum();
            }
            hypotheses.push(Hypothesis {
                variant,
                body: Rc::clone(&body),
                rung,
                matched: matched.clone(),
                evidence,
            });
        }
        hypotheses
    }

    /// Returns the hypotheses at similar places.
    fn near(&self, index: &Index<'_>) -> Vec<Hypothesis> {
        let texts = (0..self.rows.rows.len()).map(|row| self.rows.text(row, self.body));
        let pairing = Pairing::new(index.document, index.words(), texts);
        let variants = self.rows.variants().into_iter();
        variants
            .flat_map(|variant| self.near_as(index, &pairing, variant))
            .collect()
    }

    /// Returns the best similar places of a variant.
    fn near_as(
        &self,
        index: &Index<'_>,
        pairing: &Pairing<'_>,
        variant: Variant,
    ) -> Vec<Hypothesis> {
        let selected = self.rows.selected(variant);
        let body = Rc::new(self.rows.body(variant, self.body));
        let aligned = alignments(index, pairing, &selected, MAX_KEPT).into_iter();
        let mut found: Vec<Hypothesis> = aligned
            .filter_map(|alignment| {
                self.hypothesis(index, pairing, (variant, &body, &selected), alignment.pairs)
            })
            .collect();
        found.sort_by(|a, b| a.evidence.cost.total_cmp(&b.evidence.cost));
        let mut kept: Vec<Hypothesis> = Vec::new();
        for one in found {
            let is_same = |known: &Hypothesis| {
                let (a, b) = (&known.matched.lines, &one.matched.lines);
                known.evidence.touched == one.evidence.touched && a.start < b.end && b.start < a.end
            };
            if !kept.iter().any(is_same) {
                kept.push(one);
            }
        }
        kept
    }

    fn hypothesis(
        &self,
        index: &Index<'_>,
        pairing: &Pairing<'_>,
        (variant, body, selected): (Variant, &Rc<Body>, &[usize]),
        pairs: Vec<Option<LineIdx>>,
    ) -> Option<Hypothesis> {
        let mut paired = pairs.iter().flatten().copied();
        let first = paired.next()?;
        let lines = first..paired.next_back().unwrap_or(first) + 1;
        let trial = self.trial(index, variant, selected, &pairs);
        let mut evidence = Evidence::of(
            &trial,
            &InBits {
                pairing,
                lines: selected,
            },
        );
        evidence.left_bits = evidence.support;
        Some(Hypothesis {
            variant,
            body: Rc::clone(body),
            rung: Rung::Similar,
            matched: Match {
                lines,
                similarity: evidence.similarity(),
                pairs: Pairs::Each(pairs),
            },
            evidence,
        })
    }

    fn trial<'t>(
        &'t self,
        index: &'t Index<'_>,
        variant: Variant,
        selected: &'t [usize],
        pairs: &'t [Option<LineIdx>],
    ) -> Trial<'t> {
        Trial {
            document: index.document,
            body: self.body,
            rows: &self.rows,
            variant,
            selected,
            pairs,
        }
    }
}

/// Returns the best alignment of a block that begins at a line of the file or a little below it. Lines that have little in
/// common are not paired: a person chose the place and sees the result.
pub(crate) fn aligned_from(index: &Index<'_>, preimage: &[String], at: LineIdx) -> Option<Match> {
    let texts = preimage.iter().map(String::as_str);
    let pairing = Pairing::new(index.document, index.words(), texts);
    let lines: Vec<usize> = (0..preimage.len()).collect();
    let mut pairs = align_near(&pairing, &lines, at)?.pairs;
    let is_partner = |(line, found): (&String, LineIdx)| {
        found >= at && similarity(line, index.document.line(found)) >= PARTNER
    };
    for (pair, line) in pairs.iter_mut().zip(preimage) {
        *pair = pair.filter(|found| is_partner((line, *found)));
    }
    let mut paired = pairs.iter().flatten().copied();
    let first = paired.next()?;
    let last = paired.next_back().unwrap_or(first);
    let alike = preimage
        .iter()
        .zip(&pairs)
        .filter(|(line, _)| !line.trim().is_empty());
    let scores: Vec<f64> = alike
        .map(|(line, at)| at.map_or(0.0, |at| similarity(line, index.document.line(at))))
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a number of lines")]
    let similarity = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    Some(Match {
        lines: first..last + 1,
        pairs: Pairs::Each(pairs),
        similarity,
    })
}
