//! The lines that a thread is about, as they are kept between reviews.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::{Document, LineIdx};

/// Lines that are kept on each side.
const AROUND: usize = 3;
/// Most lines of a thread that are kept.
pub(super) const MOST_LINES: usize = 40;
/// Most bytes of a line that are kept.
const MOST_WIDTH: usize = 1_000;

/// Adjacent lines of a file, with those around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The number of the first line, from 1.
    pub line: usize,
    /// The lines.
    pub lines: Vec<String>,
    /// The lines above, in order.
    pub before: Vec<String>,
    /// The lines below.
    pub after: Vec<String>,
    /// The place in the file, if the lines are not in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<LeftOutPlace>,
}

/// The place of lines that were proposed and are not in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutPlace {
    /// The lines of the file above the change, in order.
    pub above: Vec<String>,
    /// The lines below it.
    pub below: Vec<String>,
}

impl Passage {
    /// Returns lines of a text with those around them.
    pub(super) fn of(document: &Document, lines: Range<LineIdx>) -> Self {
        Self::from_lines(document.len(), |line| document.line(line), lines)
    }

    /// Returns some of a number of lines with those around them.
    pub(super) fn from_lines<'a>(
        count: usize,
        line: impl Fn(usize) -> &'a str,
        lines: Range<usize>,
    ) -> Self {
        let end = lines.end.min(count);
        let start = lines.start.min(end);
        let last = end.min(start + MOST_LINES);
        let kept = |lines: Range<usize>| lines.map(|at| clipped(line(at))).collect();
        Self {
            line: start + 1,
            lines: kept(start..last),
            before: kept(start.saturating_sub(AROUND)..start),
            after: kept(last..(last + AROUND).min(count)),
            gap: None,
        }
    }

    /// Returns the same lines as lines that are not in a text, in the place of some others.
    pub(super) fn left_out(&self, text: &[&str], place: Range<usize>) -> Self {
        let kept = |lines: Range<usize>| text[lines].iter().map(|line| clipped(line)).collect();
        Self {
            line: place.start + 1,
            gap: Some(LeftOutPlace {
                above: kept(place.start.saturating_sub(AROUND)..place.start),
                below: kept(place.end..(place.end + AROUND).min(text.len())),
            }),
            ..self.clone()
        }
    }
}

fn clipped(line: &str) -> String {
    line[..line.floor_char_boundary(MOST_WIDTH)].to_owned()
}
