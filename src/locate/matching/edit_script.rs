//! Changes that a hunk makes.
//!
//! The changes are the differences between the hunk's two halves: a line in both is context, and context is never written.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::matching::indent_shift::IndentPair;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::Change;
use crate::proposal::{Body, FinalNewline};
use crate::text::{Document, LineIdx, indent_of};

/// The differences between the two halves of a hunk, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    steps: Vec<EditStep>,
}

/// Removed preimage lines and the postimage lines that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EditStep {
    pub(crate) removed: Range<usize>,
    pub(crate) added: Range<usize>,
}

/// A side of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeSide {
    Above,
    Below,
}

impl Script {
    pub(crate) fn of(body: &Body) -> Self {
        if let Some(only) = EditStep::alone(body) {
            return Self { steps: vec![only] };
        }
        let steps = capture_diff_slices(Algorithm::Myers, &body.preimage, &body.postimage)
            .into_iter()
            .filter(|op| op.tag() != DiffTag::Equal)
            .map(|op| EditStep {
                removed: op.old_range(),
                added: op.new_range(),
            });
        Self {
            steps: steps.collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn steps(&self) -> &[EditStep] {
        &self.steps
    }

    /// Returns true if a context line is not blank.
    pub(crate) fn has_solid_context(&self, preimage: &[String]) -> bool {
        let removed = |line: usize| self.steps.iter().any(|step| step.removed.contains(&line));
        preimage
            .iter()
            .enumerate()
            .any(|(i, line)| !is_blank(line) && !removed(i))
    }
}

impl EditStep {
    /// Returns the one step of a body that replaces a few lines by others which have none in common with them. Most hunks are
    /// of this kind, and need no diff.
    fn alone(
        Body {
            preimage,
            postimage,
        }: &Body,
    ) -> Option<Self> {
        const FEW: usize = 8;
        let equal = |(a, b): &(&String, &String)| a == b;
        let head = preimage.iter().zip(postimage).take_while(equal).count();
        let (removed, added) = (&preimage[head..], &postimage[head..]);
        let tail = removed.iter().rev().zip(added.iter().rev());
        let tail = tail.take_while(equal).count();
        let (removed, added) = (
            &removed[..removed.len() - tail],
            &added[..added.len() - tail],
        );
        let are_few = removed.len() <= FEW && added.len() <= FEW;
        let is_replacement = are_few
            && !removed.is_empty()
            && !added.is_empty()
            && !removed.iter().any(|line| added.contains(line));
        is_replacement.then(|| Self {
            removed: head..head + removed.len(),
            added: head..head + added.len(),
        })
    }
}

/// Adds the change of the last line that gets or loses its ending, if no other change writes that line. Only a hunk whose place
/// ends with the file does so.
pub(crate) fn with_final_newline(
    mut changes: Vec<Change>,
    said: FinalNewline,
    document: &Document,
    place_end: LineIdx,
) -> Vec<Change> {
    let stands = match said {
        FinalNewline::Keep => return changes,
        FinalNewline::Add => document.has_final_newline(),
        FinalNewline::Remove => !document.has_final_newline(),
    };
    if stands || place_end < document.len() {
        return changes;
    }
    let mut end = document.len();
    let mut at_end = changes.pop_if(|change| change.lines.end == end && change.with.is_empty());
    if let Some(removal) = &at_end {
        // The line above a removal at the end becomes the last one.
        end = removal.lines.start;
    }
    let is_written = changes.last().is_some_and(|change| change.lines.end == end);
    if let Some(last) = end.checked_sub(1).filter(|_| !is_written) {
        at_end = Some(Change {
            lines: last..document.len(),
            with: vec![document.line(last).to_owned()],
        });
    }
    changes.extend(at_end);
    changes
}

/// Returns the indentation of every matched line that is not blank, in the edit and in the file.
pub(crate) fn indent_pairs<'a>(
    body: &'a Body,
    matched: &Match,
    document: &'a Document,
) -> Vec<IndentPair<'a>> {
    let pair = |(i, line): (usize, &'a String)| {
        let file = document.line(matched.line_of(i)?);
        (!is_blank(line) && !is_blank(file)).then(|| (i, indent_of(line), indent_of(file)))
    };
    body.preimage.iter().enumerate().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_changes_only_with_a_hunk_at_the_end() {
        let document = Document::from_text("a\nb\nc\n");
        let change = Change {
            lines: 1..2,
            with: vec!["x".to_owned()],
        };
        let last = Change {
            lines: 2..3,
            with: vec!["c".to_owned()],
        };
        let check = |place_end, expected: &[&Change]| {
            let changes = vec![change.clone()];
            let found = with_final_newline(changes, FinalNewline::Remove, &document, place_end);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{place_end}");
        };
        check(2, &[&change]);
        check(3, &[&change, &last]);
    }
}
