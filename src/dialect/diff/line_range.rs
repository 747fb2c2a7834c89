//! Ranges of lines in the classic diff forms: `5` or `5,7`.

use crate::text::LineNo;

/// The first and the last line, as they are written. The first of an empty range is the line before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineRange {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl LineRange {
    /// Takes a range off the front of a text.
    pub(super) fn take(text: &str) -> Option<(Self, &str)> {
        let (first, rest) = number(text)?;
        let (last, rest) = match rest.strip_prefix(',') {
            Some(rest) => number(rest)?,
            None => (first, rest),
        };
        (last >= first).then_some((Self { first, last }, rest))
    }

    /// The number of lines.
    pub(super) fn count(self) -> usize {
        (self.last - self.first).saturating_add(1)
    }

    /// Returns the line at which a replacement of the range begins.
    pub(super) fn here(self) -> Option<LineNo> {
        LineNo::new(self.first)
    }

    /// Returns the line at which an addition after the range begins.
    pub(super) fn after(self) -> Option<LineNo> {
        LineNo::new(self.last.saturating_add(1))
    }
}

fn number(text: &str) -> Option<(usize, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}
