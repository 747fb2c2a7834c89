//! Rows that are the same as before, but further up or down.

use std::hash::{Hash, Hasher};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use rustc_hash::FxHasher;

use super::cell_style::is_bare;

/// By how many rows an area has moved up (down if negative), if a good part of it has only moved.
pub(crate) fn scrolled_rows(before: &Buffer, frame: &Buffer, area: Rect) -> Option<i16> {
    let area = area.intersection(frame.area);
    if area.height < 3 {
        return None;
    }
    let (old, new) = (&rows(before, area), &rows(frame, area));
    let stay = old.iter().zip(new).filter(|(old, new)| old == new).count();
    let height = area.height.cast_signed();
    let shifts = (1 - height..height).filter(|&by| by != 0);
    let moved = shifts.map(|by| {
        let rows = usize::from(by.unsigned_abs());
        let (upper, lower) = if by > 0 { (new, old) } else { (old, new) };
        let pairs = upper.iter().zip(&lower[rows..]);
        (pairs.filter(|(a, b)| a == b).count(), by)
    });
    let (moved, best) = moved.max_by_key(|&(moved, by)| (moved, -by.abs()))?;
    let enough = moved > stay && moved * 3 > usize::from(area.height);
    enough.then_some(best)
}

/// A hash of each row of an area.
fn rows(buffer: &Buffer, area: Rect) -> Vec<u64> {
    let rows = (area.top()..area.bottom()).map(|y| {
        let mut hasher = FxHasher::default();
        for x in area.left()..area.right() {
            let cell = &buffer[(x, y)];
            if is_bare(cell) {
                cell.bg.hash(&mut hasher);
            } else {
                cell.hash(&mut hasher);
            }
        }
        hasher.finish()
    });
    rows.collect()
}

/// Returns the screen after the terminal has moved the rows of an area, on their whole width.
pub(crate) fn scrolled(before: &Buffer, area: Rect, by: i16) -> Buffer {
    let mut after = before.clone();
    let rows = area.intersection(before.area).top()..area.intersection(before.area).bottom();
    for y in rows.clone() {
        let from = y.checked_add_signed(by).filter(|from| rows.contains(from));
        for x in before.area.left()..before.area.right() {
            let cell = from.and_then(|from| before.cell((x, from)));
            after[(x, y)] = cell.cloned().unwrap_or(Cell::EMPTY);
        }
    }
    after
}
