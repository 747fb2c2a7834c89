//! Finds the lines that a person points at: those of comments and questions.

use std::ops::Range;

use super::passage::Passage;
use super::place::LinesFound;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::Side;
use crate::text::LineIdx;

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

/// Returns the comments at lines of a review, each with the place that it is about.
pub(super) fn comments_in(file: &FileReview) -> Vec<(Spot, &str)> {
    let mut comments = Vec::new();
    for passage in &file.passages {
        comments.push((Spot::Base(passage.lines.clone()), passage.text.as_str()));
    }
    for (hunk, review) in file.hunks.iter().enumerate() {
        if let Some(text) = &review.state.comment {
            comments.push((Spot::Hunk(hunk), text.as_str()));
        }
        for comment in &review.state.line_comments {
            let spot = Spot::Lines {
                hunk,
                lines: comment.lines.clone(),
                side: comment.side,
            };
            comments.push((spot, comment.text.as_str()));
        }
    }
    comments
}

impl FileReview {
    /// Counts the comments at lines, each of which opens a thread when the review is finished.
    pub(crate) fn comments_at_lines(&self) -> usize {
        comments_in(self).len()
    }
}

/// Returns lines of a file with those around them: as they are proposed, else as they were.
pub fn passage_at(file: &FileReview, spot: &Spot) -> Passage {
    match lines_at(file, spot) {
        Some(found) => found.passage(file),
        None => Passage::default(),
    }
}

/// Returns the lines of a file that a person points at: as they are proposed, else as they were. `None` for a hunk without lines.
pub(super) fn lines_at(file: &FileReview, spot: &Spot) -> Option<LinesFound> {
    match spot {
        Spot::Hunk(hunk) => {
            let count = file.hunks.get(*hunk)?.state.lines.len();
            changed_lines(file, *hunk, 0..count, Side::Both)
        }
        Spot::Lines { hunk, lines, side } => changed_lines(file, *hunk, lines.clone(), *side),
        Spot::Base(lines) => Some(match file.right_of(lines.clone()) {
            Some(first) => LinesFound::Right(first..first + lines.len()),
            None => LinesFound::Base(lines.clone()),
        }),
    }
}

fn changed_lines(
    file: &FileReview,
    hunk: usize,
    lines: Range<usize>,
    side: Side,
) -> Option<LinesFound> {
    let review = file.hunks.get(hunk)?;
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
    let new = span(&new).map(LinesFound::Right);
    new.or_else(|| span(&old).map(LinesFound::Base))
}
