//! Places that outlive a new layout.

use crate::review::{HunkId, Row, Rows, SideLines};
use crate::text::LineIdx;

/// A place in the review that outlives a new layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ViewAnchor {
    file: usize,
    hunk: Option<HunkId>,
    old: Option<LineIdx>,
    new: Option<LineIdx>,
    /// The row itself, if its place is neither a hunk nor a line.
    row: Option<Row>,
}

impl ViewAnchor {
    pub(crate) fn of(row: Row) -> Self {
        let (old, new) = if let Row::Fold { start, .. } = row {
            (Some(start), None)
        } else if let Row::FoldedChange { old, new, .. } = row {
            let first = |lines: SideLines| (lines.count > 0).then_some(lines.first);
            (first(old), first(new))
        } else {
            row.lines()
        };
        let is_border = matches!(
            row,
            Row::File { .. } | Row::Purpose { .. } | Row::Elsewhere { .. }
        );
        Self {
            file: row.file(),
            hunk: row.hunk(),
            old,
            new,
            row: is_border.then_some(row),
        }
    }

    /// The row that shows the place now, or what it went into, or the nearest thing before it.
    pub(crate) fn find(self, rows: &Rows) -> usize {
        (self.new)
            .and_then(|new| rows.of_new_line(self.file, new))
            .or_else(|| {
                let old = self.old?;
                rows.find_in_file(self.file, |row| has_old_line(row, old))
            })
            .or_else(|| rows.find_in_file(self.file, |row| self.is_in_folded_change(row)))
            .or_else(|| self.hunk.and_then(|id| rows.of_hunk(id)))
            .or_else(|| rows.find_in_file(self.file, |row| Some(row) == self.row))
            .unwrap_or_else(|| rows.of_file(self.file).start)
    }

    /// Returns true for a fold of changed lines that contains the place.
    fn is_in_folded_change(&self, row: Row) -> bool {
        let Row::FoldedChange { old, new, .. } = row else {
            return false;
        };
        self.new.is_some_and(|line| new.contains(line))
            || self.old.is_some_and(|line| old.contains(line))
    }
}

/// Returns true for the row of a line of the base, or a fold that contains it.
fn has_old_line(row: Row, old: LineIdx) -> bool {
    if let Row::Fold { start, end, .. } = row {
        (start..end).contains(&old)
    } else {
        row.lines().0 == Some(old)
    }
}
