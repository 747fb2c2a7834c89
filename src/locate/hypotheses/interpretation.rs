//! Readings of a hunk's text, in the order in which they are tried.
//!
//! As it is, exactly; without line numbers; on the looser rungs; unescaped; by similarity. A delimiter that could be content
//! gives several readings, and the file decides: the only one that matches exactly is used, and if none or more than one does,
//! the hunk is malformed.

use std::borrow::Cow;
use std::rc::Rc;

use crate::locate::hypotheses::entities::{unescaped, untypeset};
use crate::locate::matching::index::Index;
use crate::locate::matching::ladder::{LADDER, climb, on_rung};
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::matching::normalize::fold;
use crate::locate::placement::{Differs, Location, Nearest, Rung, Unplaced};
use crate::proposal::{Body, Hunk, numbered_line};
use crate::text::{LineIdx, LineNo};

/// A reading of a hunk and all its matches on a rung.
pub(crate) struct Interpretation<'h> {
    pub(crate) body: Cow<'h, Body>,
    pub(crate) rung: Rung,
    pub(crate) matches: Rc<Vec<Match>>,
}

/// Maximum number of similar places that are reported.
pub(crate) const MAX_NEAREST: usize = 3;
/// Maximum length of a line, in bytes, that is compared by similarity; longer ones are only compared for equality.
const LONGEST: usize = 400;

/// Returns the first reading of a hunk that matches apart from blanks and punctuation.
///
/// # Errors
///
/// Returns the location of a hunk whose delimiters have several readings of which none or more than one matches the file.
pub(crate) fn placed<'h>(
    index: &Index<'_>,
    hunk: &'h Hunk,
) -> Result<Option<Interpretation<'h>>, Location> {
    let body = &hunk.body;
    if hunk
        .other_readings
        .iter()
        .any(|other| splits_elsewhere(body, other))
    {
        return decided_by_file(index, hunk).map(Some);
    }
    let on = |body: Cow<'h, Body>, rungs: &[Rung]| {
        let (rung, matches) = climb(index, &body, rungs)?;
        Some(Interpretation {
            body,
            rung,
            matches,
        })
    };
    let (exact, looser) = LADDER.split_at(1);
    // If several readings match, the one with the longest preimage is used.
    let mut readings: Vec<&Body> = std::iter::once(body).chain(&hunk.other_readings).collect();
    readings.sort_by_key(|reading| std::cmp::Reverse(reading.preimage.len()));
    let bare = without_line_numbers(body);
    let of_bare = |rungs| bare.clone().and_then(|bare| on(Cow::Owned(bare), rungs));
    let found = (readings.into_iter())
        .find_map(|reading| on(Cow::Borrowed(reading), exact))
        .or_else(|| of_bare(exact))
        .or_else(|| on(Cow::Owned(untypeset(body)?), exact))
        .or_else(|| on(Cow::Borrowed(body), looser))
        .or_else(|| of_bare(looser))
        .or_else(|| on(Cow::Owned(unescaped(body)?), &LADDER));
    Ok(found)
}

/// Returns the readings of a hunk: as it is, and without line numbers or escapes that tools added.
pub(crate) fn plain<'h>(hunk: &'h Hunk, body: &Cow<'h, Body>) -> Vec<Cow<'h, Body>> {
    let mut readings = vec![body.clone()];
    readings.extend(without_additions(&hunk.body).map(Cow::Owned));
    readings
}

/// Returns the number before a hunk's first line, if its lines are read without their numbers.
pub(crate) fn numbered(hunk: &Hunk, read: &Body) -> Option<LineNo> {
    let first = hunk.body.preimage.first()?;
    let (number, rest) = numbered_line(first)?;
    (read.preimage.first().is_some_and(|line| line == rest)).then(|| LineNo::new(number))?
}

fn without_additions(body: &Body) -> impl Iterator<Item = Body> {
    let readings = [without_line_numbers(body), unescaped(body)];
    readings.into_iter().flatten()
}

/// Returns true if another reading splits the halves at another line, so that it is not the same text with or without escapes.
fn splits_elsewhere(body: &Body, other: &Body) -> bool {
    body.postimage.len() != other.postimage.len()
}

fn decided_by_file<'h>(index: &Index<'_>, hunk: &'h Hunk) -> Result<Interpretation<'h>, Location> {
    let readings = std::iter::once(&hunk.body).chain(&hunk.other_readings);
    let mut matching = readings
        .filter(|body| has_no_divider_of_its_own(body))
        .filter_map(|body| {
            let matches = on_rung(index, body, Rung::Exact);
            (!matches.is_empty()).then_some(Interpretation {
                body: Cow::Borrowed(body),
                rung: Rung::Exact,
                matches,
            })
        });
    match (matching.next(), matching.next()) {
        (Some(only), None) => Ok(only),
        (first, _) => {
            let several = first.is_some();
            Err(Location::Unplaced(Unplaced::Unclear {
                readings: hunk.other_readings.len() + 1,
                several,
            }))
        }
    }
}

/// Returns true if the postimage has no divider that the preimage lacks; such a divider suggests that the halves were split too
/// early.
fn has_no_divider_of_its_own(body: &Body) -> bool {
    let dividers = |lines: &[String]| lines.iter().filter(|line| is_divider(line)).count();
    dividers(&body.postimage) <= dividers(&body.preimage)
}

fn is_divider(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 5 && line.bytes().all(|byte| byte == b'=')
}

/// Returns the body without the line numbers that a tool printed before its lines (`12 | code`), if every line of the preimage
/// has one and they are consecutive. The postimage must have them on every line or on none.
fn without_line_numbers(body: &Body) -> Option<Body> {
    let preimage: Vec<(usize, &str)> = body
        .preimage
        .iter()
        .map(|line| numbered_line(line))
        .collect::<Option<_>>()?;
    let run = preimage.windows(2).all(|two| two[1].0 == two[0].0 + 1);
    let bare = |lines: &[(usize, &str)]| lines.iter().map(|(_, line)| (*line).to_owned()).collect();
    let postimage = if body
        .postimage
        .iter()
        .all(|line| numbered_line(line).is_none())
    {
        body.postimage.clone()
    } else {
        bare(
            &body
                .postimage
                .iter()
                .map(|line| numbered_line(line))
                .collect::<Option<Vec<_>>>()?,
        )
    };
    run.then(|| Body {
        preimage: bare(&preimage),
        postimage,
    })
}

/// Returns the similar places with their differing lines, as they are reported to a person or an agent.
pub(crate) fn to_nearest<'m>(
    index: &Index<'_>,
    body: &Body,
    near: impl Iterator<Item = &'m Match>,
) -> Vec<Nearest> {
    let document = index.document;
    let tell = |matched: &Match| {
        // In file order; a line that the file lacks comes after the one before it.
        let mut differs: Vec<(LineIdx, Differs)> = Vec::new();
        let mut known: Vec<LineIdx> = Vec::new();
        for (i, line) in body.preimage.iter().enumerate() {
            let at = matched.line_of(i);
            known.extend(at);
            if at.is_some_and(|at| {
                fold(Rung::Similar, line) == fold(Rung::Similar, document.line(at))
            }) {
                continue;
            }
            let differing = Differs {
                line: at.map(LineNo::from_idx),
                found: at.map(|at| document.line(at).to_owned()),
                expected: Some(line.clone()),
            };
            let near = known.last().copied().unwrap_or(matched.lines.start);
            differs.push((near, differing));
        }
        if matches!(matched.pairs, Pairs::Each(_)) {
            let extra = matched.lines.clone();
            let extra = extra.filter(|line| known.binary_search(line).is_err());
            differs.extend(extra.map(|line| {
                let extra = Differs {
                    line: Some(LineNo::from_idx(line)),
                    found: Some(document.line(line).to_owned()),
                    expected: None,
                };
                (line, extra)
            }));
        }
        differs.sort_by_key(|(line, _)| *line);
        let differs = differs.into_iter().map(|(_, differs)| differs).collect();
        Nearest {
            line: LineNo::from_idx(matched.lines.start),
            last: LineNo::from_idx(matched.lines.end - 1),
            similarity: matched.similarity,
            differs,
        }
    };
    near.take(MAX_NEAREST).map(tell).collect()
}

/// Returns the similarity of two lines with plain punctuation, in `0..=1`.
pub(crate) fn similarity(a: &str, b: &str) -> f64 {
    let (a, b) = (fold(Rung::Similar, a), fold(Rung::Similar, b));
    if a == b {
        return 1.0;
    }
    if a.len().max(b.len()) > LONGEST {
        return 0.0;
    }
    strsim::normalized_levenshtein(&a, &b)
}
