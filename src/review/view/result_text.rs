//! The text of a file as it would be written now, for whoever wants to read it before.

use std::ops::Range;
use std::sync::Arc;

use crate::review::session::compose::{Postimage, compose};
use crate::review::session::file::{FileKind, FileReview};
use crate::text::{Document, LineIdx};

/// A file as it would be written now.
#[derive(Debug, Clone)]
pub struct ResultText {
    /// The result, in words.
    pub fate: &'static str,
    /// Its text.
    pub text: Arc<Document>,
    /// The lines that come, in order.
    pub added: Vec<Range<LineIdx>>,
    /// True if the file is deleted: its text is what is removed.
    pub is_deleted: bool,
}

/// Composes what is accepted of a file.
pub fn result(file: &FileReview) -> ResultText {
    let postimage = compose(file);
    let (fate, text) = match &postimage {
        Postimage::Unchanged if file.kind == FileKind::Created => {
            ("is not created", Arc::clone(&file.base))
        }
        Postimage::Unchanged => ("stays as it is", Arc::clone(&file.base)),
        Postimage::Kept { .. } => ("keeps its bytes", Arc::clone(&file.base)),
        Postimage::Copy { .. } => ("is a copy without changes", Arc::clone(&file.base)),
        Postimage::Bytes { .. } => ("gets new bytes", Arc::clone(&file.base)),
        Postimage::Link { to } => ("becomes a symbolic link", Arc::new(Document::from_text(to))),
        Postimage::Folder => ("becomes a folder", Arc::new(Document::from_text(""))),
        Postimage::Deleted => ("is deleted", Arc::clone(&file.base)),
        Postimage::Text { text, .. } => (
            "as it would be written",
            Arc::new(Document::from_text(text)),
        ),
    };
    let mut added: Vec<Range<LineIdx>> = Vec::new();
    if fate == "as it would be written" {
        for (_, lines) in added_by_hunk(file) {
            match added.last_mut() {
                Some(last) if last.end == lines.start => last.end = lines.end,
                Some(_) | None => added.push(lines),
            }
        }
    }
    ResultText {
        fate,
        text,
        added,
        is_deleted: matches!(postimage, Postimage::Deleted),
    }
}

/// Position of a line in a file under review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffPosition {
    /// A line of the base.
    Base(LineIdx),
    /// A changed line of a hunk, by the positions of both.
    Changed(usize, usize),
}

/// Returns the position of a line in the file as it would be written now; of a line that is removed, the position of the next
/// line that stays.
pub fn result_line(file: &FileReview, position: DiffPosition) -> LineIdx {
    let base = match position {
        DiffPosition::Base(line) => line,
        DiffPosition::Changed(hunk, line) => {
            let hunk = file.hunks.get(hunk);
            let line = hunk.and_then(|hunk| hunk.state.lines.get(line));
            line.map_or(0, |line| line.at)
        }
    };
    let stance = file.stance();
    let mut shift = 0_isize;
    for group in &file.groups {
        let state = &file.hunks[group.hunk].state;
        for at in group.lines.clone() {
            let (line, marks) = (&state.lines[at], &state.marks[at]);
            let is_it = position == DiffPosition::Changed(group.hunk, at);
            if is_it
                || line.at > base
                || (line.at == base && line.removes && position == DiffPosition::Base(base))
            {
                return base.saturating_add_signed(shift);
            }
            let goes = line.removes && stance.takes(marks.removed);
            let comes = line.adds.is_some() && stance.takes(marks.added);
            shift += isize::from(comes) - isize::from(goes);
        }
    }
    base.saturating_add_signed(shift)
}

/// Returns the hunk that adds a line to the file as it would be written now.
pub fn hunk_that_adds(file: &FileReview, line: LineIdx) -> Option<usize> {
    let added = added_by_hunk(file);
    let found = added.iter().find(|(_, lines)| lines.contains(&line));
    found.map(|(hunk, _)| *hunk)
}

/// Returns where the accepted changes begin in the file as it would be written now, in order. A change that only removes lines begins
/// at the next line that stays.
pub(crate) fn result_changes(file: &FileReview) -> Vec<LineIdx> {
    let mut changes = Vec::new();
    let mut shift = 0_isize;
    let stance = file.stance();
    for group in &file.groups {
        let state = &file.hunks[group.hunk].state;
        let mut first = None;
        for at in group.lines.clone() {
            let (line, marks) = (&state.lines[at], &state.marks[at]);
            let goes = line.removes && stance.takes(marks.removed);
            let comes = line.adds.is_some() && stance.takes(marks.added);
            if goes || comes {
                // A new line follows a line that stays.
                let above = line.at + usize::from(line.removes && !goes);
                first.get_or_insert(above.saturating_add_signed(shift));
            }
            shift += isize::from(comes) - isize::from(goes);
        }
        changes.extend(first);
    }
    changes.dedup();
    changes
}

/// The accepted new lines, by their positions in the result, with the hunks that they are from.
fn added_by_hunk(file: &FileReview) -> Vec<(usize, Range<LineIdx>)> {
    let mut added: Vec<(usize, Range<LineIdx>)> = Vec::new();
    // Positions in the result less positions in the base.
    let mut shift = 0_isize;
    let stance = file.stance();
    for group in &file.groups {
        let state = &file.hunks[group.hunk].state;
        for at in group.lines.clone() {
            let (line, marks) = (&state.lines[at], &state.marks[at]);
            let goes = line.removes && stance.takes(marks.removed);
            let comes = line.adds.is_some() && stance.takes(marks.added);
            if comes {
                // The new line follows a kept line.
                let above = line.at + usize::from(line.removes && !goes);
                let idx = above.saturating_add_signed(shift);
                match added.last_mut() {
                    Some((hunk, last)) if *hunk == group.hunk && last.end == idx => last.end += 1,
                    Some(_) | None => added.push((group.hunk, idx..idx + 1)),
                }
            }
            shift += isize::from(comes) - isize::from(goes);
        }
    }
    added
}
