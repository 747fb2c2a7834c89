//! Places hunks by a version that the file had, as a merge of three versions does.
//!
//! In the version that it was written against, a hunk matches exactly. What has happened to the file [`Since`] has only moved
//! what it does not touch: so each change of the hunk is carried over. A change whose lines, or the lines beside them, have
//! changed since is a conflict.
//!
//! A diff may name its version, and of an agent it may be known what it has seen. Other edits are taken to be written against the
//! newest version that they match in one place. Likeness cannot distinguish a reworded target from the twin of one that is gone; a version can. Hence it is
//! asked before anything but an exact match is believed.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::locate::hypotheses::interpretation;
use crate::locate::matching::edit_script::{Script, with_final_newline};
use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::is_blank;
use crate::locate::matching::tolerance::Tolerance;
use crate::locate::place_all::place_all;
use crate::locate::placement::{
    Change, Chosen, Confidence, Location, Nearest, Placement, Rung, Unplaced,
};
use crate::locate::resolve::overlap;
use crate::locate::versions::version_diff::Since;
use crate::proposal::{Extent, Hunk, HunkOrder, Version, VersionName};
use crate::text::{Document, LineIdx, LineNo};

/// Maximum number of versions in which the hunks of a file are placed. Of the others only the lines are compared.
const MAX_SEARCHED: usize = 8;

/// Relation of a version to the hunks that it places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// They were written against it.
    Known,
    /// They may have been.
    Possible,
}

/// Returns true if the version that hunks were written against may say more of a hunk's place than the file alone: also of a hunk that matches
/// exactly in one place, which may be the twin of what it was made for.
pub fn may_merge(location: &Location) -> bool {
    match location {
        Location::Unplaced(unplaced) => {
            matches!(
                unplaced,
                Unplaced::NotFound { .. } | Unplaced::Ambiguous { .. }
            )
        }
        Location::Placed(placement) => placement.version.is_none(),
        Location::AlreadyApplied { .. } | Location::Follows { .. } => false,
    }
}

/// Returns true if a version that nothing names may say more: unless the hunk matches the file exactly in one place, for then it was
/// most likely written against the file as it is.
fn is_open(location: &Location) -> bool {
    let is_exact = matches!(
        location,
        Location::Placed(placement)
            if placement.confidence == Confidence::Exact && placement.chosen != Some(Chosen::Hint)
    );
    may_merge(location) && !is_exact
}

/// Places the hunks of `part`, all made from the very version that the file has, at the lines that they name. There nothing can be
/// applied already, whatever the lines beside them are. A hunk whose lines are not there keeps its location.
pub fn place_in_own_version(
    hunks: &[&Hunk],
    part: Range<usize>,
    document: &Document,
    locations: &mut [Location],
) {
    let joined = joined(locations);
    for i in part.filter(|i| !joined.contains(i)) {
        let Some(own) = at_its_lines(hunks[i], document) else {
            continue;
        };
        let is_known = matches!(
            &locations[i],
            Location::Placed(alone)
                if alone.confidence == Confidence::Exact && alone.changes == own.changes
        );
        if !is_known {
            locations[i] = Location::Placed(own);
        }
    }
    overlap::refuse(locations);
}

/// Returns the hunks that are one change with others. The place of such a hunk is theirs as well: with another one for it alone, the
/// others would be lost.
fn joined(locations: &[Location]) -> FxHashSet<usize> {
    let hunks = locations.iter().enumerate();
    let pairs = hunks.filter_map(|(follower, location)| match location {
        Location::Follows { hunk } => Some([*hunk, follower]),
        Location::Placed(_) | Location::AlreadyApplied { .. } | Location::Unplaced(_) => None,
    });
    pairs.flatten().collect()
}

/// Returns the placement of a hunk at the lines that it names, if they are its preimage and it changes them.
fn at_its_lines(hunk: &Hunk, document: &Document) -> Option<Placement> {
    let old = &hunk.body.preimage;
    let first = hunk.hint?.idx();
    let lines = first..first + old.len();
    if !document.has_lines(first, old) {
        return None;
    }
    let changes = with_final_newline(
        changes_at(hunk, first),
        hunk.final_newline,
        document,
        lines.end,
    );
    (!changes.is_empty()).then(|| Placement {
        offset: Some(0),
        confidence: Confidence::Safe,
        chosen: Some(Chosen::Version),
        ..Placement::exact(lines, changes)
    })
}

/// Returns the changes of a hunk whose preimage begins at a line.
fn changes_at(hunk: &Hunk, first: LineIdx) -> Vec<Change> {
    let script = Script::of_hunk(hunk, &hunk.body);
    let changes = script.steps().iter().map(|step| Change {
        lines: first + step.removed.start..first + step.removed.end,
        with: hunk.body.postimage[step.added.clone()].to_vec(),
    });
    changes.collect()
}

/// Places the hunks of `part`, all made from a known version, by what has happened to it since, and refuses those that overlap now.
pub fn merge(
    hunks: &[&Hunk],
    part: Range<usize>,
    version: &Version,
    document: &Document,
    locations: &mut [Location],
) {
    let is_same = version.text.text() == document.text();
    if is_same && !locations[part.clone()].iter().any(is_open) {
        return;
    }
    let (was, is) = (Index::new(&version.text), Index::new(document));
    let since = Since::of(&was, &is);
    let joined = joined(locations);
    for i in part {
        if may_merge(&locations[i])
            && !joined.contains(&i)
            && let Some(lines) = matching(hunks[i], &was)
        {
            let then = Then {
                hunk: hunks[i],
                changes: changes_at(hunks[i], lines.start),
                lines,
                rung: Rung::Exact,
                confidence: Confidence::Safe,
                version: &version.name,
                origin: Origin::Known,
            };
            then.settle(&since, &is, None, &mut locations[i]);
        }
    }
    overlap::refuse(locations);
}

/// Places the hunks of a file by the newest version that they match, and refuses those that overlap now. By versions that they may
/// have been written against, only those are placed that do not match the file exactly. The versions are asked for one by one, the
/// newest first, as long as there is such a hunk.
pub fn place_by_versions(
    hunks: &[&Hunk],
    order: HunkOrder,
    versions: impl Iterator<Item = Version>,
    origin: Origin,
    document: &Document,
    locations: &mut [Location],
) {
    // An operation on values or matches is meant for the file as it is.
    let quotes = |hunk: &Hunk| !matches!(hunk.extent, Extent::JsonPatch | Extent::Pattern { .. });
    let is_unsure = match origin {
        Origin::Known => may_merge,
        Origin::Possible => is_open,
    };
    let pairs = locations.iter().zip(hunks);
    let mut open: Vec<bool> =
        (pairs.map(|(location, hunk)| is_unsure(location) && quotes(hunk))).collect();
    for hunk in joined(locations) {
        open[hunk] = false;
    }
    if !open.contains(&true) {
        return;
    }
    let is = Index::new(document);
    let mut newer: Option<Arc<VersionName>> = None;
    let mut searched = 0;
    for version in versions {
        let text = &version.text;
        let lines = lines_of(text);
        // No other hunk was written against it.
        let fitting: Vec<usize> = (0..hunks.len())
            .filter(|&i| has_lines(hunks[i], &lines))
            .collect();
        if text.text() != document.text() && fitting.iter().any(|&i| open[i]) {
            searched += 1;
            let was = Index::new(text);
            let since = Since::of(&was, &is);
            let of_version: Vec<&Hunk> = fitting.iter().map(|&i| hunks[i]).collect();
            let then = place_all(&of_version, order, text, Tolerance { precision: 1.0 });
            for (i, then) in fitting.into_iter().zip(then) {
                let Location::Placed(then) = then else {
                    continue;
                };
                if then.confidence > Confidence::Safe || !open[i] {
                    continue;
                }
                open[i] = false;
                let confidence = match then.confidence {
                    Confidence::Exact => Confidence::Safe,
                    Confidence::Safe
                    | Confidence::Fuzzy
                    | Confidence::Hinted
                    | Confidence::Doubtful => Confidence::Fuzzy,
                };
                let then = Then {
                    hunk: hunks[i],
                    lines: then.lines,
                    changes: then.changes,
                    rung: then.rung,
                    confidence,
                    version: &version.name,
                    origin,
                };
                then.settle(&since, &is, newer.as_ref(), &mut locations[i]);
            }
        }
        if searched == MAX_SEARCHED || !open.contains(&true) {
            break;
        }
        newer = Some(version.name);
    }
    overlap::refuse(locations);
}

/// The lines of a text that are not blank, without the blanks around them.
fn lines_of(document: &Document) -> FxHashSet<&str> {
    let lines = document.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).collect()
}

/// Returns true if a text has all lines of a hunk's preimage, wherever they are. True for hunks whose lines need not be whole
/// lines of a file.
fn has_lines(hunk: &Hunk, lines: &FxHashSet<&str>) -> bool {
    match hunk.extent {
        Extent::Lines | Extent::Insertion => {
            (hunk.body.preimage.iter()).all(|line| is_blank(line) || lines.contains(line.trim()))
        }
        Extent::Numbered(_)
        | Extent::Sketch
        | Extent::Cell { .. }
        | Extent::Hashed(_)
        | Extent::JsonPatch
        | Extent::Pattern { .. }
        | Extent::Span { .. }
        | Extent::Text
        | Extent::EveryText
        | Extent::Texts(_) => true,
    }
}

/// A hunk that matches an older version.
struct Then<'a> {
    hunk: &'a Hunk,
    /// Its lines in that version.
    lines: Range<LineIdx>,
    /// Its changes there.
    changes: Vec<Change>,
    rung: Rung,
    /// The confidence of the place if nothing is in conflict.
    confidence: Confidence,
    version: &'a Arc<VersionName>,
    origin: Origin,
}

impl Then<'_> {
    /// Replaces the answer of the file alone, if the version says more. `newer` is the next version, which the hunk does not match
    /// any more.
    fn settle(
        self,
        since: &Since,
        is: &Index<'_>,
        newer: Option<&Arc<VersionName>>,
        location: &mut Location,
    ) {
        let now: Vec<LineIdx> = since.lines_now(&self.lines).into_iter().flatten().collect();
        let is_there =
            |placement: &Placement| now.iter().any(|line| placement.lines.contains(line));
        if let Some(found) = self.carried(since, is.document) {
            // Blanks and signs that differ in the file are known better by the file.
            let is_known = matches!(
                (&*location, &found),
                (Location::Placed(alone), Location::Placed(found))
                    if alone.confidence <= found.confidence && is_there(alone)
            );
            if !is_known {
                *location = found;
            }
            return;
        }
        let is_gone = match location {
            Location::Placed(alone) => {
                let is_known = self.origin == Origin::Known;
                !is_there(alone) || (is_known && alone.confidence > Confidence::Safe)
            }
            // A conflict says nothing of equal places.
            Location::Unplaced(unplaced) => !matches!(unplaced, Unplaced::Ambiguous { .. }),
            Location::AlreadyApplied { .. } | Location::Follows { .. } => false,
        };
        if is_gone {
            let nearest = self.side_by_side(since, is);
            *location = Location::Unplaced(Unplaced::Conflict {
                nearest,
                matched_in: Arc::clone(self.version),
                changed_in: newer.cloned(),
            });
        }
    }

    /// The lines of a conflict beside those in their place now.
    fn side_by_side(&self, since: &Since, is: &Index<'_>) -> Vec<Nearest> {
        let near = since.side_by_side(&self.lines, &self.hunk.body.preimage, is.document);
        interpretation::to_nearest(is, &self.hunk.body, near.iter())
    }

    /// The answer if each change can be carried over and one of the hunk's lines is left.
    fn carried(&self, since: &Since, document: &Document) -> Option<Location> {
        let changes = since.carry(self.changes.iter().cloned(), document)?;
        // The place of the first line that is left, from which that of the first line of all follows.
        let pairs = since.lines_now(&self.lines);
        let first = |(i, line): (usize, &Option<LineIdx>)| line.map(|line| (i, line));
        let (skipped, first) = pairs.iter().enumerate().find_map(first)?;
        let last = pairs.iter().rev().find_map(|line| *line).unwrap_or(first);
        let changes = with_final_newline(changes, self.hunk.final_newline, document, last + 1);
        let begins = first.cast_signed() - skipped.cast_signed();
        if changes.is_empty() {
            return Some(Location::AlreadyApplied {
                at: LineNo::from_idx(usize::try_from(begins).unwrap_or(first)),
            });
        }
        Some(Location::Placed(Placement {
            offset: (self.hunk.hint).map(|hint| begins - hint.idx().cast_signed()),
            rung: self.rung,
            confidence: self.confidence,
            chosen: Some(Chosen::Version),
            version: Some(Arc::clone(self.version)),
            ..Placement::exact(first..last + 1, changes)
        }))
    }
}

/// The lines of the ancestor that a hunk was made from: those that it names, or the only ones that read like it.
fn matching(hunk: &Hunk, was: &Index<'_>) -> Option<Range<LineIdx>> {
    let places = was.places(Rung::Exact, &hunk.body.preimage);
    let named = |place: &&Range<LineIdx>| hunk.hint.map(LineNo::idx) == Some(place.start);
    match places.as_slice() {
        [only] => Some(only.clone()),
        several => several.iter().find(named).cloned(),
    }
}
