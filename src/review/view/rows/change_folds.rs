//! Folds of changed lines that the person knows, so that what differs meets the eye: moved lines that are the same at their other
//! end, or indented otherwise by the same blanks in each line, and lines that the person was shown in the version of a hunk that was rejected.
//!
//! A fold is inside of a run of such lines. What is beside the run differs, and so the line next to it is shown.

use std::ops::Range;

use super::entry::LineEntry;
use super::row::{ChangeFold, Row, SideLines};
use crate::review::session::hunk::{HunkId, HunkReview, ShownBefore, Side};
use crate::review::session::review_session::ReviewSession;
use crate::review::view::moved_lines::{LineId, Moved};
use crate::text::LineIdx;

/// The least number of lines worth folding.
const LEAST: usize = 3;

/// A reason to show a line that could be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenLine {
    /// It was opened, with what is next to it.
    Opened,
    /// A comment or a thread follows it.
    Commented,
}

/// Returns the entries of a group to fold, as ranges of their positions in ascending order. Lines for which `open` returns a reason are
/// shown.
pub(super) fn change_folds(
    session: &ReviewSession,
    moved: &Moved,
    id: HunkId,
    entries: &[LineEntry],
    open: impl Fn(usize) -> Option<OpenLine>,
) -> Vec<(Range<usize>, ChangeFold)> {
    let mut folds = Vec::new();
    if session.hunk(id).is_some_and(HunkReview::is_known_whole) {
        let is_open = |entry: &LineEntry| open(entry.line).is_some();
        let is_worth = entries.len() >= LEAST && !entries.iter().any(is_open);
        let all = is_worth.then_some((0..entries.len(), ChangeFold::AcceptedBefore));
        return all.into_iter().collect();
    }
    if let Some(hunk) = session.hunk(id).filter(|hunk| hunk.has_shown_before()) {
        let shown: Vec<ShownEntry<'_>> = (entries.iter())
            .map(|entry| ShownEntry {
                entry,
                known: shown_before(hunk, entry),
                open: open(entry.line),
            })
            .collect();
        folds = folds_of_shown(&shown);
    }
    if !moved.is_empty() {
        let mut ends: Vec<Option<MovedEnd<'_>>> = (entries.iter())
            .map(|entry| {
                let end = other_end(session, moved, (id, entry.line), entry.side);
                end.filter(|_| open(entry.line).is_none())
            })
            .collect();
        for fold in &folds {
            ends[fold.clone()].fill(None);
        }
        let of_moved = folds_of_moved(session, entries, &ends);
        let of_moved = of_moved.into_iter().map(|fold| (fold, ChangeFold::Moved));
        let of_shown = folds
            .into_iter()
            .map(|fold| (fold, ChangeFold::ShownBefore));
        let mut all: Vec<_> = of_shown.chain(of_moved).collect();
        all.sort_by_key(|(fold, _)| fold.start);
        return all;
    }
    let of_shown = folds
        .into_iter()
        .map(|fold| (fold, ChangeFold::ShownBefore));
    of_shown.collect()
}

/// Returns the row of some folded entries.
pub(super) fn folded_row(id: HunkId, entries: &[LineEntry], fold: ChangeFold) -> Option<Row> {
    let (first, last) = (entries.first()?, entries.last()?);
    let is_alike = entries.iter().all(|entry| entry.side == first.side);
    Some(Row::FoldedChange {
        id,
        start: first.line,
        end: last.line + 1,
        side: if is_alike { first.side } else { Side::Both },
        old: side_lines(entries.iter().filter_map(|entry| entry.old)),
        new: side_lines(entries.iter().filter_map(|entry| entry.new)),
        fold,
    })
}

/// Returns adjacent lines of a side.
fn side_lines(mut lines: impl Iterator<Item = LineIdx>) -> SideLines {
    lines
        .next()
        .map_or_else(SideLines::default, |first| SideLines {
            first,
            count: 1 + lines.count(),
        })
}

/// An entry of a hunk of which the rejected version was shown.
struct ShownEntry<'a> {
    entry: &'a LineEntry,
    /// Its position in the rejected version, if it was shown there.
    known: Option<ShownBefore>,
    /// The reason to show it, if there is one.
    open: Option<OpenLine>,
}

/// Returns what is known of an entry of which every side was shown in the rejected version.
fn shown_before(hunk: &HunkReview, entry: &LineEntry) -> Option<ShownBefore> {
    let known = hunk.shown_before(entry.line)?;
    let is_known = (entry.old.is_none() || known.removed.is_some())
        && (entry.new.is_none() || known.added.is_some());
    is_known.then_some(known)
}

/// Returns the entries to fold that follow each other in the rejected version as well.
fn folds_of_shown(entries: &[ShownEntry<'_>]) -> Vec<Range<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    while start < entries.len() {
        let end = start + run_length(&entries[start..]);
        if end > start {
            let above = usize::from(differs_at(start, entries));
            let below = usize::from(differs_at(end, entries));
            let inside = start + above..end - below;
            if inside.len() >= LEAST {
                folds.push(inside);
            }
        }
        start = end.max(start + 1);
    }
    folds
}

/// Returns the number of entries at the start that may be folded and follow each other in the rejected version as well.
fn run_length(entries: &[ShownEntry<'_>]) -> usize {
    let (mut next_removed, mut next_added) = (None, None);
    let mut above: Option<&LineEntry> = None;
    let run = entries.iter().take_while(|shown| {
        let entry = shown.entry;
        let Some(known) = shown.known.filter(|_| shown.open.is_none()) else {
            return false;
        };
        let is_below = above.is_none_or(|above| above.line < entry.line);
        let removed = known.removed.filter(|_| entry.old.is_some());
        let added = known.added.filter(|_| entry.new.is_some());
        above = Some(entry);
        is_below && goes_on(&mut next_removed, removed) && goes_on(&mut next_added, added)
    });
    run.count()
}

/// Returns true if a position is the next one, or if there is none; afterwards, the one below it is the next one.
fn goes_on(next: &mut Option<usize>, at: Option<usize>) -> bool {
    let Some(at) = at else {
        return true;
    };
    let is_next = next.is_none_or(|next| next == at);
    *next = Some(at + 1);
    is_next
}

/// Returns true if something differs above an entry, or is opened there. Nothing does at the ends of the group, next to a known line with a
/// comment, and where all is known and the added lines follow the removed ones.
fn differs_at(at: usize, entries: &[ShownEntry<'_>]) -> bool {
    let Some([above, below]) = at.checked_sub(1).and_then(|above| entries.get(above..=at)) else {
        return false;
    };
    let lines = [above, below];
    let is_same =
        |line: &&ShownEntry<'_>| line.known.is_some() && line.open != Some(OpenLine::Opened);
    let is_commented = lines.iter().any(|line| line.open.is_some());
    !lines.iter().all(is_same) || !is_commented && above.entry.line < below.entry.line
}

/// The other end of a moved line.
#[derive(Debug, Clone, Copy)]
struct MovedEnd<'a> {
    line: LineId,
    indent: IndentChange<'a>,
}

/// The difference between the two ends of a moved line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IndentChange<'a> {
    /// An empty line, which has no indentation.
    Empty,
    /// No difference.
    None,
    /// These blanks are at the start of it here only.
    Deeper(&'a str),
    /// These blanks are at the start of it at the other end only.
    Shallower(&'a str),
}

impl<'a> IndentChange<'a> {
    /// Compares the two ends; `None` if they differ in anything else than blanks before all of the text.
    fn of(here: &'a str, there: &'a str) -> Option<Self> {
        let blanks = |text: &&str| text.trim().is_empty();
        if here == there {
            return Some(if here.is_empty() {
                Self::Empty
            } else {
                Self::None
            });
        }
        let deeper = here.strip_suffix(there).filter(blanks);
        let shallower = there.strip_suffix(here).filter(blanks);
        (deeper.map(Self::Deeper)).or(shallower.map(Self::Shallower))
    }
}

/// Returns the moved entries to fold, each of them indented like the others at the other end. `ends` holds the other end of each moved line that may be folded.
fn folds_of_moved(
    session: &ReviewSession,
    entries: &[LineEntry],
    ends: &[Option<MovedEnd<'_>>],
) -> Vec<Range<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    while start < entries.len() {
        let side = entries[start].side;
        let mut indent = IndentChange::Empty;
        let further = (start + 1..entries.len()).take_while(|&at| {
            let both = ends[at - 1].zip(ends[at]);
            let both = both.filter(|(above, below)| {
                is_alike(&mut indent, above.indent) && is_alike(&mut indent, below.indent)
            });
            let both = both.map(|(above, below)| (above.line, below.line));
            entries[at].side == side && both.is_some_and(|both| are_adjacent(session, both, side))
        });
        let end = start + 1 + further.count();
        if end - start >= LEAST + 2 {
            folds.push(start + 1..end - 1);
        }
        start = end;
    }
    folds
}

/// Returns true if a line is indented like those above it, whose change is remembered; an empty line is like any.
fn is_alike<'a>(above: &mut IndentChange<'a>, own: IndentChange<'a>) -> bool {
    if *above == IndentChange::Empty {
        *above = own;
    }
    own == IndentChange::Empty || *above == own
}

/// Returns true if two lines at the other end follow each other on their side.
fn are_adjacent(session: &ReviewSession, (above, below): (LineId, LineId), side: Side) -> bool {
    let other = side.opposite();
    let lines = session.hunk(above.0).map(|hunk| &hunk.state.lines);
    let between = lines.and_then(|lines| lines.get(above.1 + 1..below.1));
    above.0 == below.0 && between.is_some_and(|lines| !lines.iter().any(|line| line.has(other)))
}

/// Returns the other end of an entry of a hunk that shows one moved side, if the same text is there, whatever its indentation.
fn other_end<'a>(
    session: &'a ReviewSession,
    moved: &Moved,
    line: LineId,
    side: Side,
) -> Option<MovedEnd<'a>> {
    if side == Side::Both {
        return None;
    }
    let end = moved.of(line, side)?;
    let here = session.line_text(line, side)?;
    let there = session.line_text(end, side.opposite())?;
    let indent = IndentChange::of(here, there)?;
    Some(MovedEnd { line: end, indent })
}
