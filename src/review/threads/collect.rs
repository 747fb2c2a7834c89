//! Collects the lines that the comments of a review are about.

use std::ops::Range;

use super::passage::Passage;
use crate::review::session::decision::Decision;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::Side;
use crate::review::session::placed_thread::{PlacedThread, ThreadPlace};
use crate::review::session::review_session::ReviewSession;
use crate::text::{Document, LineIdx};

/// Lines that are kept on each side.
const AROUND: usize = 3;
/// Most lines of a thread that are kept.
const MOST_LINES: usize = 40;
/// Most bytes of a line that are kept.
const MOST_WIDTH: usize = 1_000;

/// Lines of a file under review that a person points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// A hunk.
    Hunk(usize),
    /// Changed lines of a hunk.
    Lines {
        /// The hunk.
        hunk: usize,
        /// Their positions.
        lines: Range<usize>,
        /// The side that is meant.
        side: Side,
    },
    /// Lines of the base.
    Base(Range<LineIdx>),
}

/// Returns the comments at lines of a review: the file, the lines and the text of each.
pub fn comments_of(session: &ReviewSession) -> Vec<(&str, Passage, &str)> {
    let mut comments = Vec::new();
    for file in session.files.iter().filter(|file| file.is_open()) {
        let mut add = |spot: &Spot, text| {
            comments.push((file.path.as_str(), passage_at(file, spot), text));
        };
        for passage in &file.passages {
            add(&Spot::Base(passage.lines.clone()), passage.text.as_str());
        }
        for (hunk, review) in file.hunks.iter().enumerate() {
            if let Some(text) = &review.state.comment {
                add(&Spot::Hunk(hunk), text);
            }
            for comment in &review.state.line_comments {
                let spot = Spot::Lines {
                    hunk,
                    lines: comment.lines.clone(),
                    side: comment.side,
                };
                add(&spot, &comment.text);
            }
        }
    }
    comments
}

/// Returns lines of a file with those around them: as they are proposed, else as they were.
pub fn passage_at(file: &FileReview, spot: &Spot) -> Passage {
    match spot {
        Spot::Hunk(hunk) => {
            let count = file
                .hunks
                .get(*hunk)
                .map_or(0, |hunk| hunk.state.lines.len());
            changed_passage(file, *hunk, 0..count, Side::Both)
        }
        Spot::Lines { hunk, lines, side } => changed_passage(file, *hunk, lines.clone(), *side),
        Spot::Base(lines) => match file.right_of(lines.clone()) {
            Some(first) => passage(file.yours(), first..first + lines.len()),
            None => passage(&file.base, lines.clone()),
        },
    }
}

fn changed_passage(file: &FileReview, hunk: usize, lines: Range<usize>, side: Side) -> Passage {
    let Some(review) = file.hunks.get(hunk) else {
        return Passage::default();
    };
    let changed = review.state.lines.iter().enumerate();
    let changed = changed.filter(|(at, _)| lines.contains(at));
    let (mut old, mut new): (Vec<LineIdx>, Vec<LineIdx>) = (Vec::new(), Vec::new());
    for (at, line) in changed {
        if line.adds.is_some() && side != Side::Old {
            new.extend(file.new_line(hunk, at));
        }
        if line.removes && side != Side::New {
            old.push(line.at);
        }
    }
    let span = |lines: &[LineIdx]| Some(*lines.first()?..lines.last()? + 1);
    match (span(&new), span(&old)) {
        (Some(new), _) => passage(file.yours(), new),
        (None, Some(old)) => passage(&file.base, old),
        (None, None) => Passage::default(),
    }
}

/// Returns lines of a text with those around them.
fn passage(document: &Document, lines: Range<LineIdx>) -> Passage {
    let end = lines.end.min(document.len());
    let start = lines.start.min(end);
    let last = end.min(start + MOST_LINES);
    let kept = |lines: Range<LineIdx>| lines.map(|line| clipped(document.line(line))).collect();
    Passage {
        line: start + 1,
        lines: kept(start..last),
        before: kept(start.saturating_sub(AROUND)..start),
        after: kept(last..(last + AROUND).min(document.len())),
    }
}

fn clipped(line: &str) -> String {
    line[..line.floor_char_boundary(MOST_WIDTH)].to_owned()
}

/// Returns the lines of the threads of a review as it leaves them, where they are in the file then: each with the name of the
/// thread.
pub fn kept_passages(session: &ReviewSession) -> Vec<(String, Passage)> {
    let mut kept = Vec::new();
    for file in session.files.iter().filter(|file| file.is_open()) {
        for thread in &file.threads {
            if let Some(lines) = lines_afterwards(file, thread) {
                kept.push((thread.id.clone(), passage(file.yours(), lines)));
            }
        }
    }
    kept
}

/// Returns the lines of a thread on the right side: those that stay, or the accepted ones that were added in their place.
fn lines_afterwards(file: &FileReview, thread: &PlacedThread) -> Option<Range<LineIdx>> {
    let accepted = |hunk: usize, lines: Range<usize>| {
        let state = &file.hunks[hunk].state;
        let changed = state.lines.iter().zip(&state.marks).enumerate();
        let mut added = changed.filter(|(at, (line, _))| lines.contains(at) && line.adds.is_some());
        added.all(|(_, (_, marks))| marks.added == Decision::Accepted)
    };
    let ending_at = |last: LineIdx| (last + 1).saturating_sub(thread.count.max(1))..last + 1;
    let group_at = |old: LineIdx| file.groups.iter().find(|group| group.base.contains(&old));
    match thread.place? {
        ThreadPlace::Added { hunk, line } => {
            let group = (file.groups.iter())
                .find(|group| group.hunk == hunk && group.lines.contains(&line))?;
            let last = file.new_line(hunk, line)?;
            accepted(hunk, group.lines.clone()).then_some(ending_at(last))
        }
        ThreadPlace::Base(old) => match group_at(old) {
            None => file.right_of(old..old + 1).map(ending_at),
            Some(group) => {
                let first = file.new_line(group.hunk, group.lines.start)?;
                let is_kept = group.adds > 0 && accepted(group.hunk, group.lines.clone());
                is_kept.then_some(first..first + group.adds)
            }
        },
    }
}
