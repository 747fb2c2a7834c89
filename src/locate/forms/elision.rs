//! Hunks that leave lines out: `...`, or a comment such as `// ... existing code ...`.
//!
//! The stretches between the elisions are placed one by one, in order and on the rungs that need no score. An elision is in
//! both halves and has the same lines in both, so each stretch of the preimage has its partner in the postimage, and the elided
//! lines are never changed.
//!
//! A mark that the file has as a line between the stretches may be that line: then a place where the hunk is done line by line goes
//! first, and any other one is doubtful.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::locate::matching::edit_script::{Script, indent_pairs};
use crate::locate::matching::index::Index;
use crate::locate::matching::ladder::{LADDER, climb};
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::{Change, Confidence, Doubt, Location, Placement, Rung, Unplaced};
use crate::locate::resolve::reindent::{IndentConfidence, IndentLevels};
use crate::proposal::{Body, Hunk, is_elision};
use crate::text::{LineIdx, LineNo};

/// Maximum number of stretches; no edit that anyone wrote has more.
const MAX_STRETCHES: usize = 32;

/// Places a hunk with elisions. `None` if it has none, or if the stretches of neither half match the file in order.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Option<Location> {
    let (preimage, postimage) = (
        stretches(&hunk.body.preimage),
        stretches(&hunk.body.postimage),
    );
    if preimage.len() < 2 || preimage.len() > MAX_STRETCHES {
        return None;
    }
    if preimage.len() != postimage.len() {
        let (expected, found) = (preimage.len() - 1, postimage.len() - 1);
        return Some(Location::Unplaced(Unplaced::Elisions { expected, found }));
    }
    // Blank lines alone say nothing about the place.
    let is_solid = |lines: &[String]| lines.iter().any(|line| !is_blank(line));
    let bodies = (preimage.into_iter().zip(postimage))
        .filter(|(before, after)| before != after || is_solid(before));
    let bodies: Vec<Body> = bodies
        .map(|(preimage, postimage)| Body {
            preimage,
            postimage,
        })
        .collect();
    if let Some(stretches) = in_order(index, &bodies) {
        let location = settle(index, hunk, &stretches);
        return match location {
            Location::Placed(placement) if has_mark(index, hunk, &placement.lines) => {
                let is_done = climb(index, &hunk.body.reversed(), &LADDER).is_some();
                (!is_done).then_some(Location::Placed(Placement {
                    confidence: Confidence::Doubtful,
                    doubt: Some(Doubt::Rival),
                    ..placement
                }))
            }
            Location::Placed(_)
            | Location::AlreadyApplied { .. }
            | Location::Follows { .. }
            | Location::Unplaced(_) => Some(location),
        };
    }
    let bodies: Vec<Body> = bodies.iter().map(Body::reversed).collect();
    let stretches = in_order(index, &bodies)?;
    let mut changing = stretches
        .iter()
        .filter(|stretch| !stretch.script.is_empty());
    let at = LineNo::from_idx(changing.clone().next()?.matches.first()?.lines.start);
    changing
        .all(|stretch| stretch.matches.len() == 1)
        .then_some(Location::AlreadyApplied { at })
}

/// Returns the stretches with their matches, if they match the file one below the other.
fn in_order<'a>(index: &Index<'_>, bodies: &'a [Body]) -> Option<Vec<MatchedStretch<'a>>> {
    let mut first = 0;
    let mut stretches = Vec::with_capacity(bodies.len());
    for body in bodies {
        stretches.push(MatchedStretch::find(index, body, first)?);
        first += body.preimage.len();
    }
    keep_in_order(&mut stretches)?;
    Some(stretches)
}

/// Returns true if a mark of the hunk is a line of the file among these.
fn has_mark(index: &Index<'_>, hunk: &Hunk, lines: &Range<LineIdx>) -> bool {
    let marks = hunk.body.preimage.iter().filter(|line| is_elision(line));
    let looks: BTreeSet<_> = marks.map(|line| line.trim()).collect();
    let mut inside = lines.clone().map(|line| index.document.line(line).trim());
    inside.any(|line| looks.contains(line))
}

/// Returns the lines between elisions; an elision at an edge gives an empty stretch.
fn stretches(lines: &[String]) -> Vec<Vec<String>> {
    lines
        .split(|line| is_elision(line))
        .map(<[String]>::to_vec)
        .collect()
}

/// One stretch and its matches.
struct MatchedStretch<'a> {
    /// The preimage position of its first line among those of all stretches.
    first: usize,
    body: &'a Body,
    script: Script,
    rung: Rung,
    matches: Vec<Match>,
}

impl<'a> MatchedStretch<'a> {
    fn find(index: &Index<'_>, body: &'a Body, first: usize) -> Option<Self> {
        let (rung, matches) = climb(index, body, &LADDER)?;
        Some(Self {
            first,
            body,
            script: Script::of(body),
            rung,
            matches: matches.to_vec(),
        })
    }

    /// Returns the changes at a match, and the reliability of the new lines' indentation. Where no matched line is indented, the
    /// other stretches show it.
    fn changes(
        &self,
        index: &Index<'_>,
        matched: &Match,
        whole: &WholeHunk,
    ) -> (Vec<Change>, IndentConfidence) {
        let pairs = indent_pairs(self.body, matched, index.document);
        let is_indented = pairs
            .iter()
            .any(|(_, edit, file)| !(edit.is_empty() && file.is_empty()));
        let levels = if is_indented {
            IndentLevels::of(&self.script, self.body, matched, self.rung, index)
        } else {
            whole.levels(index).from(self.first)
        };
        let changes = (self.script).changes_at(self.body, matched, self.rung, index, &levels);
        (changes, levels.sure)
    }
}

/// All stretches of a hunk as one; the lines of those that have several places have no line of the file.
struct WholeHunk {
    body: Body,
    matched: Match,
    rung: Rung,
}

impl WholeHunk {
    fn of(stretches: &[MatchedStretch<'_>]) -> Self {
        let (mut preimage, mut postimage, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        let mut rung = Rung::Exact;
        for stretch in stretches {
            let only = match stretch.matches.as_slice() {
                [only] => Some(only),
                _ => None,
            };
            let lines = 0..stretch.body.preimage.len();
            pairs.extend(lines.map(|line| only?.line_of(line)));
            preimage.extend_from_slice(&stretch.body.preimage);
            postimage.extend_from_slice(&stretch.body.postimage);
            rung = rung.max(stretch.rung);
        }
        let mut lines = pairs.iter().flatten();
        let first = lines.next().copied().unwrap_or(0);
        let last = lines.next_back().copied().unwrap_or(first);
        Self {
            body: Body {
                preimage,
                postimage,
            },
            matched: Match {
                pairs: Pairs::Each(pairs),
                ..Match::straight(first..last + 1)
            },
            rung,
        }
    }

    fn levels<'a>(&'a self, index: &'a Index<'_>) -> IndentLevels<'a> {
        let script = Script::of(&self.body);
        IndentLevels::of(&script, &self.body, &self.matched, self.rung, index)
    }
}

/// Drops every match that has no match of the previous stretch above it, or none of the next stretch below it.
fn keep_in_order(stretches: &mut [MatchedStretch<'_>]) -> Option<()> {
    let mut least = 0;
    for stretch in stretches.iter_mut() {
        stretch
            .matches
            .retain(|matched| matched.lines.start >= least);
        least = stretch
            .matches
            .iter()
            .map(|matched| matched.lines.end)
            .min()?;
    }
    let mut most = LineIdx::MAX;
    for stretch in stretches.iter_mut().rev() {
        stretch.matches.retain(|matched| matched.lines.end <= most);
        most = stretch
            .matches
            .iter()
            .map(|matched| matched.lines.start)
            .max()?;
    }
    Some(())
}

/// Returns the location of a hunk whose stretches match in order. Each stretch that changes something must have one match; the
/// others may have several.
fn settle(index: &Index<'_>, hunk: &Hunk, stretches: &[MatchedStretch<'_>]) -> Location {
    let mut pairs: Vec<(&MatchedStretch<'_>, &Match)> = Vec::new();
    for stretch in stretches
        .iter()
        .filter(|stretch| !stretch.script.is_empty())
    {
        match stretch.matches.as_slice() {
            [] => (),
            [only] => pairs.push((stretch, only)),
            several => {
                let lines = several.iter().map(|matched| matched.lines.start);
                return Location::Unplaced(Unplaced::ambiguous(stretch.rung, lines));
            }
        }
    }
    let Some((_, first)) = pairs.first() else {
        return Location::Unplaced(Unplaced::NoChange);
    };
    let whole = WholeHunk::of(stretches);
    let (changes, sure): (Vec<Vec<Change>>, Vec<IndentConfidence>) = (pairs.iter())
        .map(|(stretch, matched)| stretch.changes(index, matched, &whole))
        .unzip();
    let is_applied = pairs.iter().all(|(stretch, matched)| {
        let mut places = index
            .places(Rung::Exact, &stretch.body.postimage)
            .into_iter();
        places.any(|lines| lines.start <= matched.lines.start && matched.lines.end <= lines.end)
    });
    if is_applied {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(first.lines.start),
        };
    }
    let rung = stretches
        .iter()
        .map(|stretch| stretch.rung)
        .max()
        .unwrap_or(Rung::Exact);
    let forgiven = pairs.iter().flat_map(|(stretch, matched)| {
        matched.forgiven(index.document, &stretch.body.preimage, stretch.rung)
    });
    let matches = stretches.iter().flat_map(|stretch| &stretch.matches);
    let start = matches.clone().map(|matched| matched.lines.start).min();
    let end = matches.map(|matched| matched.lines.end).max();
    let lines = start.unwrap_or(0)..end.unwrap_or(0);
    let sure = sure.into_iter().max().unwrap_or(IndentConfidence::Yes);
    Location::Placed(Placement {
        offset: hunk
            .hint
            .map(|hint| lines.start.cast_signed() - hint.idx().cast_signed()),
        rung,
        confidence: match sure {
            IndentConfidence::Yes => Confidence::Safe,
            IndentConfidence::Guess => Confidence::Fuzzy,
            IndentConfidence::No => Confidence::Doubtful,
        },
        doubt: (sure == IndentConfidence::No).then_some(Doubt::Indentation),
        forgiven: forgiven.collect(),
        ..Placement::exact(lines, changes.concat())
    })
}
