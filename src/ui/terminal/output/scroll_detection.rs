//! Rows that are the same as before, but further up or down.

use std::hash::{Hash, Hasher};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use rustc_hash::FxHasher;

use super::cell_style::is_bare;
use super::runs::columns;

/// By how many rows an area has moved up (down if negative), if a good part of it has only moved.
pub(crate) fn of(before: &Buffer, frame: &Buffer, area: Rect) -> Option<isize> {
    let area = area.intersection(frame.area);
    if area.height < 3 {
        return None;
    }
    let (old, new) = (&rows(before, area), &rows(frame, area));
    let stay = old.iter().zip(new).filter(|(old, new)| old == new).count();
    let height = area.height.cast_signed();
    let shifts = (1 - height..height).filter(|&by| by != 0);
    let moved = |by: i16| {
        let rows = usize::from(by.unsigned_abs());
        let (upper, lower) = if by > 0 { (new, old) } else { (old, new) };
        upper
            .iter()
            .zip(&lower[rows..])
            .filter(|(a, b)| a == b)
            .count()
    };
    let best = shifts.max_by_key(|&by| (moved(by), -by.abs()))?;
    let enough = moved(best) > stay && moved(best) * 3 > usize::from(area.height);
    enough.then_some(isize::from(best))
}

/// Returns true if no wide character crosses the sides of an area.
pub(crate) fn is_clear(before: &Buffer, area: Rect) -> bool {
    let sides = [area.left(), area.right()];
    let inner = sides
        .into_iter()
        .filter(|x| *x > before.area.left() && *x < before.area.right());
    inner.into_iter().all(|x| {
        let mut rows = area.top()..area.bottom();
        rows.all(|y| columns(&before[(x - 1, y)]) == 1)
    })
}

/// A hash of each row of an area.
fn rows(buffer: &Buffer, area: Rect) -> Vec<u64> {
    let row = |y| {
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
    };
    (area.top()..area.bottom()).map(row).collect()
}

/// Returns the frame after the terminal scrolled an area.
pub(crate) fn apply(before: &Buffer, area: Rect, by: isize) -> Buffer {
    let mut after = before.clone();
    let area = area.intersection(before.area);
    for row in area.rows() {
        let from = isize::from(row.y.cast_signed()) + by;
        let from = u16::try_from(from)
            .ok()
            .filter(|y| (area.top()..area.bottom()).contains(y));
        for x in area.left()..area.right() {
            let cell = from.and_then(|y| before.cell((x, y)));
            after[(x, row.y)] = cell.cloned().unwrap_or(Cell::EMPTY);
        }
    }
    after
}
