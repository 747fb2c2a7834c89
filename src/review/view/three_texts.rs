//! A hunk in three texts side by side: the file as it is, as it was proposed, as the person has it now.

use crate::review::session::file::FileReview;
use crate::review::session::hunk::ChangedLine;
use crate::text::LineIdx;

/// Unchanged lines around a hunk.
const CONTEXT: usize = 3;

/// The first of the three texts in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldLine {
    /// It has no line here.
    None,
    /// A line of the file as it is.
    InFile {
        /// Its position.
        at: LineIdx,
        /// Its text.
        text: String,
    },
    /// A line that a hunk without a place expects.
    Expected(String),
}

/// A row of the three texts; `None` where a text has no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextsRow {
    /// The line as it is, or as it is expected.
    pub base: OldLine,
    /// The line as it was proposed.
    pub proposed: Option<String>,
    /// The line as the person has it.
    pub yours: Option<String>,
}

impl TextsRow {
    /// The three texts of a row.
    pub fn texts(&self) -> [Option<&str>; 3] {
        let base = match &self.base {
            OldLine::None => None,
            OldLine::InFile { text, .. } | OldLine::Expected(text) => Some(text.as_str()),
        };
        [base, self.proposed.as_deref(), self.yours.as_deref()]
    }
}

/// The rows of a hunk and some lines around it; empty for a hunk without lines.
pub fn three_texts(file: &FileReview, hunk: usize) -> Vec<TextsRow> {
    let Some(review) = file.hunks.get(hunk).filter(|hunk| hunk.is_decidable()) else {
        return Vec::new();
    };
    compare(file, &review.proposed, &review.state.lines)
}

/// The rows of a hunk that has no place, as if it were placed at a line; empty if it cannot be.
pub fn three_texts_at(file: &FileReview, hunk: usize, at: LineIdx) -> Vec<TextsRow> {
    let lines = file.lines_placed_at(hunk, at).unwrap_or_default();
    compare(file, &lines, &lines)
}

/// The rows of a hunk that has no place, and of which nothing like it is in the file: the lines that it expects, and those that it makes
/// of them. Empty for a hunk that states no lines.
pub fn three_texts_without_place(file: &FileReview, hunk: usize) -> Vec<TextsRow> {
    let Some(body) = file.hunks.get(hunk).and_then(|hunk| hunk.stated_lines()) else {
        return Vec::new();
    };
    let (old, new) = (&body.preimage, &body.postimage);
    let mut rows = Vec::new();
    for op in similar::capture_diff_slices(similar::Algorithm::Myers, old, new) {
        let (removed, added) = (&old[op.old_range()], &new[op.new_range()]);
        for nth in 0..removed.len().max(added.len()) {
            rows.push(TextsRow {
                base: match removed.get(nth) {
                    Some(line) => OldLine::Expected(line.clone()),
                    None => OldLine::None,
                },
                proposed: added.get(nth).cloned(),
                yours: added.get(nth).cloned(),
            });
        }
    }
    rows
}

/// The rows of changed lines in two versions.
fn compare(file: &FileReview, proposed: &[ChangedLine], yours: &[ChangedLine]) -> Vec<TextsRow> {
    let both = || proposed.iter().chain(yours.iter());
    let (Some(first), Some(last)) = (
        both().map(|line| line.at).min(),
        both().map(ChangedLine::end).max(),
    ) else {
        return Vec::new();
    };
    let lines = first.saturating_sub(CONTEXT)..(last + CONTEXT).min(file.base.len());
    let mut proposed = TextCursor::new(proposed);
    let mut yours = TextCursor::new(yours);
    let mut rows = Vec::new();
    for at in lines.start..=lines.end {
        let (new_proposed, new_yours) = (proposed.before(at), yours.before(at));
        for i in 0..new_proposed.len().max(new_yours.len()) {
            rows.push(TextsRow {
                base: OldLine::None,
                proposed: new_proposed.get(i).cloned(),
                yours: new_yours.get(i).cloned(),
            });
        }
        if at < lines.end {
            let base = file.base.line(at);
            rows.push(TextsRow {
                base: OldLine::InFile {
                    at,
                    text: base.to_owned(),
                },
                proposed: proposed.line(at, base),
                yours: yours.line(at, base),
            });
        }
    }
    rows
}

/// One text, read from its first changed line on.
struct TextCursor<'a> {
    lines: std::iter::Peekable<std::slice::Iter<'a, ChangedLine>>,
}

impl<'a> TextCursor<'a> {
    fn new(lines: &'a [ChangedLine]) -> Self {
        Self {
            lines: lines.iter().peekable(),
        }
    }

    /// The lines that come before a base line.
    fn before(&mut self, at: LineIdx) -> Vec<String> {
        let mut new = Vec::new();
        while let Some(line) = self.lines.next_if(|line| line.at == at && !line.removes) {
            new.extend(line.adds.clone());
        }
        new
    }

    /// Returns the text that replaces a base line.
    fn line(&mut self, at: LineIdx, base: &str) -> Option<String> {
        match self.lines.next_if(|line| line.at == at && line.removes) {
            Some(line) => line.adds.clone(),
            None => Some(base.to_owned()),
        }
    }
}
