//! Location of a hunk whose hypotheses are known: its placement with the evidence, or the reason why it has none.

use std::collections::HashSet;
use std::ops::Range;

use crate::locate::hypotheses::assign::Assigned;
use crate::locate::hypotheses::choose::{CHEAP, Hypothesis};
use crate::locate::hypotheses::interpretation;
use crate::locate::hypotheses::occupied::Occupied;
use crate::locate::hypotheses::permit::level;
use crate::locate::hypotheses::search::{self, HunkSearch};
use crate::locate::matching::anchor;
use crate::locate::matching::edit_script::{Script, with_final_newline};
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::{fold, has_word, is_blank};
use crate::locate::matching::scope;
use crate::locate::matching::tolerance::Tolerance;
use crate::locate::placement::{
    Chosen, Confidence, Doubt, Location, Nearest, Placement, Rung, Unplaced,
};
use crate::locate::resolve::guards;
use crate::locate::resolve::reindent::{self, IndentConfidence, IndentLevels};
use crate::proposal::{AnchorStrength, Body, Extent, FinalNewline, Hunk};
use crate::text::{LineIdx, LineNo};

/// Minimum share of the hunk's information that a place must match to be shown as its place.
const LIKE: f64 = 0.5;
/// Minimum share for a place of the preimage that shows which lines are not removed.
const MUCH_ALIKE: f64 = 0.8;
/// Maximum number of places that are listed for a hunk that matches very often.
const MAX_LISTED: usize = 20;

/// Returns the location of a hunk.
pub(crate) fn settle(
    index: &Index<'_>,
    one: &HunkSearch<'_>,
    assigned: Assigned,
    tolerance: Tolerance,
) -> Location {
    match assigned {
        Assigned::Gone => not_found(index, one),
        Assigned::Done(at) => Location::AlreadyApplied {
            at: LineNo::from_idx(at),
        },
        Assigned::Crowd => crowded(index, one),
        Assigned::One(found, chosen) => single(index, one, &found, (chosen, None), tolerance),
        Assigned::Several(several) => among(index, one, &several, tolerance),
    }
}

/// Returns the location of a hunk of which one hypothesis holds.
fn single(
    index: &Index<'_>,
    one: &HunkSearch<'_>,
    found: &Hypothesis,
    (chosen, rival): (Option<Chosen>, Option<Doubt>),
    tolerance: Tolerance,
) -> Location {
    let at = LineNo::from_idx(found.matched.lines.start);
    let (confidence, doubt) = level(&found.evidence, found.rung, chosen);
    if found.is_done() {
        let is_named = chosen == Some(Chosen::Hint) || one.hint == Some(at);
        let is_telling = found.body.postimage.iter().any(|line| has_word(line));
        let is_its_result = (is_named && is_telling) || is_like_preimage(one);
        if !is_its_result {
            let is_there = one
                .hypotheses
                .iter()
                .any(|other| !other.is_done() && other.is_plain());
            return if is_there {
                unclear(index, one, found)
            } else {
                not_found(index, one)
            };
        }
        // A single line that stays shows no gap.
        let is_gap_named = is_named && found.matched.lines.len() > 1;
        return if doubt.or(rival).is_none()
            && (is_gap_named || !has_removed_line_beside(index, one, found))
        {
            Location::AlreadyApplied { at }
        } else {
            unclear(index, one, found)
        };
    }
    let is_unlike = found.matched.similarity < LIKE || !found.evidence.is_telling;
    if doubt.is_some() && is_unlike {
        return not_found(index, one);
    }
    let is_precise = found.matched.similarity >= tolerance.precision;
    let is_unproven = found.evidence.is_partly_replaced && !has_own_context(index, one, found.rung);
    let doubt = (doubt.or(rival))
        .or((!is_precise).then_some(Doubt::Lines))
        .or(is_unproven.then_some(Doubt::Changed));
    placed(index, one, found, chosen, (confidence, doubt))
}

/// Returns true if the hunk shows a line that stays and that the file has once.
fn has_own_context(index: &Index<'_>, one: &HunkSearch<'_>, rung: Rung) -> bool {
    let Body {
        preimage,
        postimage,
    } = &*one.body;
    let is_own = |line: &String| index.folded(rung).count(&fold(rung, line)) == 1;
    let mut context = preimage.iter().filter(|line| postimage.contains(line));
    context.any(|line| has_word(line) && is_own(line))
}

/// Returns true if the postimage can be recognised as the result of the hunk: a line is in both halves, or the two are similar.
fn is_like_preimage(one: &HunkSearch<'_>) -> bool {
    let (old, new) = (&one.body.preimage, &one.body.postimage);
    let stays = old.iter().any(|line| has_word(line) && new.contains(line));
    stays || interpretation::similarity(&old.join(" "), &new.join(" ")) >= LIKE
}

/// Returns true if a line that the hunk removes is directly beside its postimage in the file: then it was not removed there. The line
/// is equal, or a place of the preimage that is much like it pairs the two.
fn has_removed_line_beside(index: &Index<'_>, one: &HunkSearch<'_>, done: &Hypothesis) -> bool {
    let lines = &done.matched.lines;
    let solid = |line: &LineIdx| !is_blank(index.document.line(*line));
    let above = (0..lines.start).rev().find(solid);
    let below = (lines.end..index.document.len()).find(solid);
    let mut beside = above.into_iter().chain(below);
    let undone = one.hypotheses.iter().filter(|other| !other.is_done());
    let alike: Vec<&Hypothesis> = undone
        .filter(|other| other.matched.similarity >= MUCH_ALIKE)
        .collect();
    beside.any(|at| {
        let line = index.document.line(at).trim();
        removed_rows(&one.body).any(|row| one.body.preimage[row].trim() == line)
            || alike.iter().any(|other| {
                removed_rows(&other.body).any(|row| other.matched.line_of(row) == Some(at))
            })
    })
}

/// Returns the positions of the preimage lines with a word that the postimage lacks.
fn removed_rows(body: &Body) -> impl Iterator<Item = usize> + '_ {
    let kept: HashSet<&str> = body.postimage.iter().map(|line| line.trim()).collect();
    let rows = body.preimage.iter().enumerate();
    rows.filter(move |(_, line)| has_word(line) && !kept.contains(line.trim()))
        .map(|(row, _)| row)
}

/// Returns the location of a hunk that may be applied already, with its place.
fn unclear(index: &Index<'_>, one: &HunkSearch<'_>, done: &Hypothesis) -> Location {
    let undone = one.hypotheses.iter().filter(|other| !other.is_done());
    let like = undone.filter(|other| other.matched.similarity >= LIKE);
    let best = like.min_by(|a, b| a.evidence.cost.total_cmp(&b.evidence.cost));
    if best.is_none() && done.matched.similarity < LIKE {
        return not_found(index, one);
    }
    let shown = best.unwrap_or(done);
    if best.is_some() && (done.evidence.cost > CHEAP || !shown.is_plain()) {
        let doubts = (Confidence::Doubtful, Some(Doubt::Done));
        return placed(index, one, shown, None, doubts);
    }
    Location::Unplaced(Unplaced::Ambiguous {
        places: vec![scope::place(index.document, shown.matched.lines.start)],
        count: 1,
        rung: shown.rung,
    })
}

/// Returns the location of a hunk of which several hypotheses may hold.
fn among(
    index: &Index<'_>,
    one: &HunkSearch<'_>,
    several: &[Hypothesis],
    tolerance: Tolerance,
) -> Location {
    let best = &several[0];
    if several.iter().all(Hypothesis::is_done) {
        return single(index, one, best, (None, None), tolerance);
    }
    let next = several[1..].iter().map(|other| other.evidence.cost);
    let next = next.fold(f64::INFINITY, f64::min);
    let is_ahead = best.evidence.cost > CHEAP && best.evidence.cost + 1e-9 < next;
    if is_ahead && !best.is_done() {
        return single(index, one, best, (None, Some(Doubt::Rival)), tolerance);
    }
    let mut undone = several.iter().filter(|other| !other.is_done());
    if let (Some(only), None) = (undone.next(), undone.next())
        && !only.is_plain()
    {
        return single(index, one, only, (None, Some(Doubt::Done)), tolerance);
    }
    let mut matches: Vec<Match> = several
        .iter()
        .filter(|other| !other.is_done())
        .map(|other| other.matched.clone())
        .collect();
    matches.sort_by_key(|matched| matched.lines.start);
    matches.dedup_by_key(|matched| matched.lines.start);
    Location::Unplaced(Unplaced::Ambiguous {
        places: scope::places(index.document, &matches),
        count: matches.len(),
        rung: best.rung,
    })
}

/// Returns the location of a hunk that matches in very many places.
fn crowded(index: &Index<'_>, one: &HunkSearch<'_>) -> Location {
    let crowd = one.crowd().unwrap_or_default();
    let near = one.hint.map_or(0, |hint| {
        let after = crowd.partition_point(|place| place.lines.start < hint.idx());
        after.saturating_sub(MAX_LISTED / 2)
    });
    let first = near.min(crowd.len().saturating_sub(MAX_LISTED));
    let listed = &crowd[first..(first + MAX_LISTED).min(crowd.len())];
    Location::Unplaced(Unplaced::Ambiguous {
        places: scope::places(index.document, listed),
        count: crowd.len(),
        rung: one.rung().unwrap_or(Rung::Exact),
    })
}

/// Returns the location of a hunk without a match, with the similar places.
fn not_found(index: &Index<'_>, one: &HunkSearch<'_>) -> Location {
    let mut near: Vec<&Hypothesis> = (one.hypotheses.iter())
        .filter(|other| !other.is_done())
        .collect();
    near.sort_by(|a, b| b.matched.similarity.total_cmp(&a.matched.similarity));
    let mut nearest: Vec<Nearest> = Vec::new();
    for other in near {
        let found = interpretation::to_nearest(index, &other.body, std::iter::once(&other.matched));
        let overlaps = |a: &Nearest, b: &Nearest| a.line <= b.last && b.line <= a.last;
        let is_known =
            (nearest.iter()).any(|known| found.iter().any(|found| overlaps(known, found)));
        if !is_known && nearest.len() < interpretation::MAX_NEAREST {
            nearest.extend(found);
        }
    }
    Location::Unplaced(Unplaced::NotFound { nearest })
}

/// Returns the placement of a hunk.
fn placed(
    index: &Index<'_>,
    one: &HunkSearch<'_>,
    found: &Hypothesis,
    chosen: Option<Chosen>,
    (confidence, doubt): (Confidence, Option<Doubt>),
) -> Location {
    let hunk = one.hunk;
    let at = LineNo::from_idx(found.matched.lines.start);
    let matched = &found.matched;
    // The edit with the file's indentation in its preimage, if only that is wrong.
    let own = reindent::with_its_own_search(&found.body, matched, found.rung, index.document);
    let (body, read_on) = match &own {
        Some(own) => (own, Rung::Exact),
        None => (&*found.body, found.rung),
    };
    let script = Script::of_hunk(hunk, body);
    if script.is_empty() && hunk.final_newline == FinalNewline::Keep {
        return if read_on == Rung::Exact && hunk.extent == Extent::Lines {
            Location::AlreadyApplied { at }
        } else {
            Location::Unplaced(Unplaced::NoChange)
        };
    }
    let levels = IndentLevels::of(&script, body, matched, read_on, index);
    let doubt = doubt
        .or((levels.sure == IndentConfidence::No).then_some(Doubt::Indentation))
        .or_else(|| guards::overlooked(&script, body, matched, read_on, index.document))
        .or_else(|| is_elsewhere(index, hunk, &matched.lines).then_some(Doubt::Elsewhere))
        .or_else(|| guards::own_level(index, &found.body, matched, found.rung));
    let changes = script.changes_at(body, matched, read_on, index, &levels);
    let changes = with_final_newline(
        changes,
        hunk.final_newline,
        index.document,
        matched.lines.end,
    );
    if changes.is_empty() {
        return if doubt.is_some() {
            not_found(index, one)
        } else {
            Location::AlreadyApplied { at }
        };
    }
    let confidence = match doubt {
        Some(_) => Confidence::Doubtful,
        None if levels.sure == IndentConfidence::Guess => confidence.max(Confidence::Fuzzy),
        None => confidence,
    };
    // Where a part is made, what the edit expects differs more than the lines that the file has then.
    let as_stated = (found.evidence.is_partly_replaced)
        .then(|| search::aligned_from(index, &one.body.preimage, matched.lines.start))
        .flatten();
    let (similarity, nearest) = match &as_stated {
        Some(stated) => (stated.similarity, (&*one.body, stated)),
        None => (matched.similarity, (&*found.body, matched)),
    };
    let differs = match confidence {
        Confidence::Doubtful => {
            let (body, matched) = nearest;
            interpretation::to_nearest(index, body, std::iter::once(matched))
        }
        Confidence::Exact | Confidence::Safe | Confidence::Fuzzy | Confidence::Hinted => Vec::new(),
    };
    let differs = differs.into_iter().flat_map(|near| near.differs).collect();
    let offset = |hint: LineNo| matched.lines.start.cast_signed() - hint.idx().cast_signed();
    Location::Placed(Placement {
        differs,
        forgiven: matched.forgiven(index.document, &found.body.preimage, found.rung),
        offset: one.hint.map(offset),
        similarity,
        lines: matched.lines.clone(),
        rung: found.rung,
        confidence,
        chosen,
        version: None,
        doubt,
        changes,
        final_newline: FinalNewline::Keep,
    })
}

/// Marks as doubtful the hunks that remove the result of an applied hunk of the file: the whole batch may be applied already.
pub(crate) fn doubt_resent(locations: &mut [Location], done: &Occupied) {
    for location in locations {
        if let Location::Placed(placement) = location {
            let removed: Vec<Range<LineIdx>> = (placement.changes.iter())
                .map(|change| change.lines.clone())
                .filter(|lines| !lines.is_empty())
                .collect();
            if done.holds(&removed) {
                placement.confidence = Confidence::Doubtful;
                placement.doubt = Some(Doubt::Done);
            }
        }
    }
}

/// Returns true if a place is not where the edit states: above every line that its stated anchor may refer to, or not at the
/// end of the file, where the hunk must end.
fn is_elsewhere(index: &Index<'_>, hunk: &Hunk, lines: &Range<LineIdx>) -> bool {
    let blank = |line| is_blank(index.document.line(line));
    let not_last = hunk.at_end && !(lines.end..index.document.len()).all(blank);
    let stated = hunk
        .anchors
        .last()
        .is_some_and(|anchor| anchor.strength == AnchorStrength::Stated);
    let above = || {
        let anchors = anchor::lines(index, &hunk.anchors);
        anchors
            .as_slice()
            .first()
            .is_some_and(|&first| first >= lines.end)
    };
    not_last || (stated && above())
}
