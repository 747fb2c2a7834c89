//! Difference between two frames: runs of cells that are written together.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;

use super::cell_style::{CellStyle, is_bare};
use crate::ui::glyphs::terminal_width::terminal_width;

/// Neighbours in a row that differ from what is shown and look alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) at: Position,
    /// The column after it.
    pub(crate) end: u16,
    pub(crate) style: CellStyle,
    /// True for blanks, where only the background matters.
    pub(crate) bare: bool,
    /// True if terminals may disagree on widths in its row.
    pub(crate) unsure: bool,
}

/// The runs from top to bottom and from left to right.
pub(crate) fn differing(before: &Buffer, frame: &Buffer) -> Vec<Run> {
    let mut runs = Vec::new();
    for y in frame.area.top()..frame.area.bottom() {
        row(&mut runs, before, frame, y);
    }
    runs
}

fn row(runs: &mut Vec<Run>, before: &Buffer, frame: &Buffer, y: u16) {
    let (area, first) = (frame.area, runs.len());
    let (mut x, mut unsure) = (area.left(), false);
    // What a wide character covered that is there no more.
    let mut bared = x;
    while x < area.right() {
        let cell = &frame[(x, y)];
        let end = (x + columns(cell)).min(area.right());
        let differs = x < bared
            || (x..end).any(|x| !show_alike(&frame[(x, y)], &before[(x, y)]))
            || columns(&before[(x, y)]) != columns(cell);
        if differs {
            unsure |= is_unsure(cell);
            let joined = runs[first..]
                .last_mut()
                .is_some_and(|run| run.end == x && run.joins(cell, end));
            if !joined {
                runs.push(Run {
                    at: Position { x, y },
                    end,
                    style: CellStyle::of(cell),
                    bare: is_bare(cell),
                    unsure: false,
                });
            }
            let ends = (x..end).map(|x| x + columns(&before[(x, y)]));
            bared = ends.fold(bared, u16::max);
        }
        x = end;
    }
    for run in &mut runs[first..] {
        run.unsure = unsure;
    }
}

/// Returns true if two cells look the same.
fn show_alike(cell: &Cell, other: &Cell) -> bool {
    cell == other || is_bare(cell) && is_bare(other) && cell.bg == other.bg
}

/// Returns true if terminals may disagree on the width of a cell: it has more than one character.
pub(crate) fn is_unsure(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

/// The columns that a cell's character covers; one for those that have no width.
pub(crate) fn columns(cell: &Cell) -> u16 {
    match cell.symbol().as_bytes() {
        [_] => 1,
        _ => u16::try_from(terminal_width(cell.symbol()))
            .unwrap_or(1)
            .max(1),
    }
}

impl Run {
    /// Goes on to `end` with a cell, if that can be written with the same look; that of a run of blanks may become the cell's.
    fn joins(&mut self, cell: &Cell, end: u16) -> bool {
        let style = CellStyle::of(cell);
        let takes = self.bare && style.has_background_of(self.style) && style.leaves_blanks_bare();
        if takes && !is_bare(cell) {
            (self.style, self.bare) = (style, false);
        }
        let joins = takes || self.style.fits(cell);
        self.end = if joins { end } else { self.end };
        joins
    }

    /// The look that it is written with after another one.
    pub(crate) fn style_from(&self, now: Option<CellStyle>) -> CellStyle {
        match now {
            Some(now) if self.bare && now.leaves_blanks_bare() => now.on_background_of(self.style),
            Some(_) | None => self.style,
        }
    }
}
