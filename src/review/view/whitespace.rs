//! Hunks that change whitespace alone.

use crate::review::session::file::FileReview;
use crate::review::session::hunk::ChangedLine;

/// Whitespace that a hunk changes, where it changes nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhitespaceChange {
    /// Blanks in lines, and blank lines, as `git diff --ignore-all-space --ignore-blank-lines` would leave them out.
    Blanks,
    /// Also the places where lines end.
    LineBreaks,
}

/// Returns the kind of a hunk that changes whitespace only. Changed lines that are next to each other count as one text, so that text
/// that is wrapped otherwise is the same.
pub fn whitespace_change(file: &FileReview, hunk: usize) -> Option<WhitespaceChange> {
    let lines = &file.hunks.get(hunk)?.state.lines;
    let mut change = None;
    for run in lines.chunk_by(|line, next| line.end() == next.at) {
        change = change.max(Some(change_of(file, run)?));
    }
    change
}

fn change_of(file: &FileReview, run: &[ChangedLine]) -> Option<WhitespaceChange> {
    let is_text = |line: &&str| !line.trim().is_empty();
    let old = run.iter().filter(|line| line.removes);
    let old: Vec<&str> = (old.map(|line| file.base.line(line.at)))
        .filter(is_text)
        .collect();
    let new = run.iter().filter_map(|line| line.adds.as_deref());
    let new: Vec<&str> = new.filter(is_text).collect();
    let is_line_kept = |(old, new): (&&str, &&str)| is_same(&[old], &[new]);
    if old.len() == new.len() && old.iter().zip(&new).all(is_line_kept) {
        return Some(WhitespaceChange::Blanks);
    }
    is_same(&old, &new).then_some(WhitespaceChange::LineBreaks)
}

/// Compares texts without their whitespace.
fn is_same(old: &[&str], new: &[&str]) -> bool {
    let solid = |c: &char| !c.is_whitespace();
    let old = old.iter().flat_map(|line| line.chars());
    old.filter(solid)
        .eq(new.iter().flat_map(|line| line.chars()).filter(solid))
}
