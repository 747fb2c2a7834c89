//! Moves decisions to a text that may have changed: they are kept only where their lines are found.

use super::decisions::{HunkDecisions, LineDecisions, PlaceDecision};
use crate::proposal::{Body, Hunk, InputSpan};
use crate::review::session::hunk::{ChangedLine, HunkState, LineComment, LineMarks};
use crate::text::{Document, LineIdx, LineNo};

impl HunkDecisions {
    /// Returns the state of a hunk with its first line at `anchor`; `None` if the lines do not fit there.
    pub(in crate::review) fn state(
        &self,
        base: &Document,
        anchor: LineIdx,
        fresh: &HunkState,
    ) -> Option<HunkState> {
        let mut state = HunkState {
            comment: self.comment.clone(),
            ..fresh.clone()
        };
        if let Some(lines) = &self.lines {
            let is_step = fresh.marks.len() != fresh.lines.len();
            if is_step {
                return None;
            }
            let placed = placed(lines, base, anchor)?;
            if !self.edited && placed != *fresh.lines {
                return None;
            }
            state.marks = lines.iter().map(LineDecisions::marks).collect();
            state.edited = self.edited;
            state.lines = placed.into();
        }
        let len = state.lines.len();
        let said = self.comments.iter().filter(|said| said.last < len);
        let said = said.map(|said| LineComment {
            lines: said.first.min(said.last)..said.last + 1,
            side: said.side,
            text: said.text.clone(),
        });
        state.line_comments = said.collect();
        if let Some(decision) = self.decision {
            state.marks.fill(LineMarks {
                removed: decision,
                added: decision,
            });
        }
        let is_still_by = state.in_advance.as_ref().is_some_and(|by| {
            let mut decisions = state.decisions(0..usize::MAX);
            !state.edited && decisions.all(|decision| decision == by.decision())
        });
        if !is_still_by {
            state.in_advance = None;
        }
        Some(state)
    }
}

impl PlaceDecision {
    /// Returns the line at which the saved lines are now: the line where they were, else the only line where they
    /// match.
    pub(in crate::review) fn find(&self, base: &Document) -> Option<LineIdx> {
        let is = |idx: Option<LineIdx>, text: &Option<String>| {
            let line = idx.filter(|&idx| idx < base.len());
            line.map(|idx| base.line(idx)) == text.as_deref()
        };
        let stands = |&start: &LineIdx| {
            let end = start + self.lines.len();
            base.has_lines(start, &self.lines)
                // Between two lines there is nothing to be known by but those.
                && (!self.lines.is_empty()
                    || is(start.checked_sub(1), &self.above) && is(Some(end), &self.below))
        };
        let known = self.line.checked_sub(1).filter(stands);
        let mut all = (0..=base.len()).filter(stands);
        known.or_else(|| all.next().filter(|_| all.next().is_none()))
    }

    /// Returns the answer of the apply model, for the lines at this place.
    pub(in crate::review) fn answer(&self, line: LineIdx) -> Option<Hunk> {
        let body = Body {
            preimage: self.lines.clone(),
            postimage: self.becomes.clone()?,
        };
        Some(Hunk {
            hint: Some(LineNo::from_idx(line)),
            ..Hunk::new(body, InputSpan::of(0..1))
        })
    }
}

impl LineDecisions {
    fn marks(&self) -> LineMarks {
        LineMarks {
            removed: self.removed,
            added: self.added,
        }
    }
}

/// Returns the changed lines of a hunk at `anchor`; `None` unless all lines that it removes match there, in order.
fn placed(lines: &[LineDecisions], base: &Document, anchor: LineIdx) -> Option<Vec<ChangedLine>> {
    let mut end = 0;
    let mut placed = Vec::with_capacity(lines.len());
    for line in lines {
        let at = anchor.checked_add_signed(line.at)?;
        let is_there = match &line.removes {
            Some(text) => at < base.len() && base.line(at) == text,
            None => at <= base.len() && line.adds.is_some(),
        };
        let is_whole = !line.adds.as_ref().is_some_and(|text| text.contains('\n'));
        if !is_there || !is_whole || end > at {
            return None;
        }
        let changed = ChangedLine {
            at,
            removes: line.removes.is_some(),
            adds: line.adds.clone(),
        };
        end = changed.end();
        placed.push(changed);
    }
    Some(placed)
}
