//! Rows that continue in further screen lines where their text is too long.

use super::Stream;
use crate::review::{HunkId, Layout, ReviewSession, Row};
use crate::ui::glyphs;
use crate::ui::layout::display_settings::LongLines;

/// The longest changed line in bytes that is wrapped if only changed lines are; a longer one, and one of which the two sides do
/// not fit on a page, is scrolled sideways.
const LONGEST_WRAPPED: usize = 4096;

impl Stream {
    /// Returns true if a row continues in further screen lines where its text is too long.
    pub fn wraps(&self, session: &ReviewSession, row: Row) -> bool {
        match self.long_lines {
            LongLines::Cut => false,
            LongLines::Wrap => true,
            LongLines::WrapChanged => match row {
                Row::Change { id, line, .. } => self.fits_wrapped(session, id, line),
                Row::File { .. }
                | Row::Note { .. }
                | Row::Problem { .. }
                | Row::Hunk { .. }
                | Row::Context { .. }
                | Row::Fold { .. }
                | Row::FoldedChange { .. }
                | Row::Elsewhere { .. }
                | Row::Purpose { .. }
                | Row::Comment { .. }
                | Row::Gap { .. } => false,
            },
        }
    }

    /// Returns true if both sides of a changed line, wrapped, fit on a page below the heading and the context of their hunk. Else the
    /// difference could be on another page, and one side of it on a third. A line without another side wraps.
    fn fits_wrapped(&self, session: &ReviewSession, id: HunkId, line: usize) -> bool {
        let file = &session.files[id.file];
        let changed = file
            .hunks
            .get(id.hunk)
            .and_then(|hunk| hunk.state.lines.get(line));
        let Some(changed) = changed else {
            return true;
        };
        let old = changed.removes.then(|| file.base.line(changed.at));
        let sides = [old, changed.adds.as_deref()];
        let columns = self.columns(session, id.file);
        let is_short = |text: &str| text.len() <= LONGEST_WRAPPED;
        if !sides.into_iter().flatten().all(is_short) {
            return false;
        }
        let [Some(old), Some(new)] = sides else {
            return true;
        };
        let old = glyphs::height(old, columns.old.width.into());
        let new = glyphs::height(new, columns.new.width.into());
        let beside = self.layout_of(id.file) == Layout::Split && !self.folds.is_apart(id, line);
        let all = if beside { old.max(new) } else { old + new };
        let room = self.page().saturating_sub(1 + self.folds.context);
        // One screen line a side is no wrapping.
        all <= room.max(2)
    }
}
