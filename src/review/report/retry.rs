//! Instructions for a model's next attempt, with the lines that it needs for that.

use std::collections::BTreeSet;
use std::fmt;

use super::batch::Report;
use super::hunk::HunkReport;
use crate::text::{Document, LineIdx};

/// Lines shown around the place where an edit failed for the second time, on each side of it.
const AROUND: usize = 12;
/// The most hunks that are named for one piece of advice.
const MOST_NAMED: usize = 5;
/// The most lines shown there.
const MOST_SHOWN: usize = 48;

/// Writes which hunks to send again, and how.
pub(in crate::review) fn write_next(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    let hunks = || report.hunks.iter();
    let again: Vec<&HunkReport> = hunks()
        .filter(|hunk| hunk.status.is_to_be_sent_again())
        .collect();
    if again.is_empty() && report.problems.is_empty() {
        return Ok(());
    }
    let noun = again.first().map_or("hunk", |hunk| noun(hunk.dialect));
    let stands = hunks().any(|hunk| hunk.status.is_done());
    let next = if hunks().any(|hunk| hunk.held_back) {
        format!("send everything again, with the failed {noun}s corrected")
    } else if stands {
        format!("send only the failed {noun}s again, not those that were applied")
    } else {
        format!("send only the failed {noun}s again")
    };
    writeln!(f, "Next: {next}.")?;
    let mut told = BTreeSet::new();
    for hunk in &again {
        if let Some(advice) = hunk.advice.filter(|advice| told.insert(*advice)) {
            let same = again.iter().filter(|other| other.advice == Some(advice));
            let mut names: Vec<String> = same.map(|hunk| name(hunk)).collect();
            if let Some(more) = names.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
                names.truncate(MOST_NAMED);
                names.push(format!("{more} more"));
            }
            writeln!(f, "- {}: {advice}", names.join(", "))?;
        }
    }
    if !report.problems.is_empty() {
        writeln!(
            f,
            "- send the parts that could not be read again, complete and in the expected form"
        )?;
    }
    Ok(())
}

/// Returns the path and the number of a hunk.
fn name(hunk: &HunkReport) -> String {
    format!("{} hunk {}", hunk.path, hunk.hunk)
}

/// The file's lines around the place where an edit failed again.
pub(in crate::review) fn write_lines_now(
    f: &mut fmt::Formatter<'_>,
    base: &Document,
    hunk: &HunkReport,
) -> fmt::Result {
    if base.is_empty() {
        return Ok(());
    }
    let (first, last): (LineIdx, LineIdx) = match (hunk.nearest.first(), hunk.places.first()) {
        (Some(nearest), _) => (nearest.line.idx(), nearest.last.idx()),
        (None, Some(place)) => (place.line.idx(), place.line.idx()),
        (None, None) => (0, 0),
    };
    let start = first.saturating_sub(AROUND).min(base.len());
    let end = (last + 1 + AROUND).min(base.len()).min(start + MOST_SHOWN);
    let all = base.len();
    writeln!(
        f,
        "  It failed before as well. Lines {} to {end} of {all}, as they are now (the numbers are not part of them):",
        start + 1
    )?;
    for idx in start..end {
        writeln!(f, "  {:>5} | {}", idx + 1, base.line(idx))?;
    }
    writeln!(f, "  {}", other_way(hunk.dialect))
}

/// Returns the word that a dialect uses for its hunks.
fn noun(dialect: &str) -> &'static str {
    match dialect {
        "search-replace" | "aider" => "SEARCH/REPLACE block",
        "tool-call" | "roo-xml" => "edit",
        "sketch" | "whole" => "section",
        _ => "hunk",
    }
}

/// Another way to say the same, for who has failed twice in one.
fn other_way(dialect: &str) -> &'static str {
    match dialect {
        "search-replace" | "aider" | "tool-call" | "roo-xml" => {
            "Copy the lines to search for from there, or write the whole file."
        }
        _ => "Copy the context from there, or use a SEARCH/REPLACE block, or write the whole file.",
    }
}
