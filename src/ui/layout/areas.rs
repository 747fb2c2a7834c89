//! Areas of the screen, used for drawing and for the mouse.

use ratatui::layout::{Position, Rect, Size};

use crate::review::Layout;

/// The least screen that can be worked on.
pub const LEAST: Size = Size {
    width: 20,
    height: 5,
};
/// From this width on, the file list is at the side unless it is hidden.
pub const LIST_FROM: u16 = 120;
/// Below this width, changes are shown unified unless asked otherwise.
pub const SPLIT_FROM: u16 = 100;

/// The areas of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenAreas {
    /// The bar at the top.
    pub bar: Rect,
    /// The file list's title and rows, if it is at the side.
    pub list: Option<Pane>,
    /// Title and rows for agents that wait, below the file list.
    pub waiting: Option<Pane>,
    /// The stream's title and rows.
    pub stream: Pane,
    /// The line at the bottom.
    pub hints: Rect,
}

/// A pane: title line and body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pane {
    /// The line above.
    pub title: Rect,
    /// The rows.
    pub body: Rect,
}

impl Pane {
    fn new(area: Rect) -> Self {
        let title = Rect {
            height: 1.min(area.height),
            ..area
        };
        let body = Rect {
            y: area.y + title.height,
            height: area.height - title.height,
            ..area
        };
        Self { title, body }
    }
}

impl ScreenAreas {
    /// Divides a screen, with a file list of some width at the side or none; `None` if it is too small to work on.
    pub fn new(size: Size, list: Option<u16>) -> Option<Self> {
        if size.width < LEAST.width || size.height < LEAST.height {
            return None;
        }
        let middle = rows(size, 1, size.height - 2);
        let (list, stream) = if let Some(width) = list.filter(|&width| size.width >= 2 * width) {
            let list = Rect { width, ..middle };
            // One column between the two for the line that parts them.
            let stream = Rect {
                x: width + 1,
                width: size.width - width - 1,
                ..middle
            };
            (Some(Pane::new(list)), stream)
        } else {
            (None, middle)
        };
        Some(Self {
            bar: rows(size, 0, 1),
            list,
            waiting: None,
            stream: Pane::new(stream),
            hints: rows(size, size.height - 1, 1),
        })
    }

    /// Takes the lowest rows of the file list at the side for some agents, if most of it is left.
    pub(crate) fn with_waiting(mut self, agents: usize) -> Self {
        let rows = u16::try_from(agents + 1).unwrap_or(u16::MAX);
        if let Some(list) = &mut self.list
            && agents > 0
            && list.body.height / 2 >= rows
        {
            list.body.height -= rows;
            self.waiting = Some(Pane::new(Rect {
                y: list.body.bottom(),
                height: rows,
                ..list.body
            }));
        }
        self
    }
}

/// The areas of the list of all files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileListAreas {
    /// Area for the agent's intent.
    pub intent: Rect,
    /// The list's title and rows.
    pub list: Pane,
    /// Area for problems of the input, with a heading.
    pub problems: Rect,
}

impl FileListAreas {
    /// From this height on there is room for more than the list.
    const HIGH: u16 = 14;

    /// Divides a screen for an intent and problems of so many lines, as far as they leave most of it to the list.
    pub fn new(size: Size, intent: usize, problems: usize) -> Self {
        let height = size.height.saturating_sub(2);
        let is_high = size.height >= Self::HIGH;
        let [above, below] = [(intent, 0), (problems, 1)].map(|(lines, extra)| {
            let lines = lines.saturating_add(usize::from(lines > 0) * extra);
            let lines = u16::try_from(lines).unwrap_or(u16::MAX);
            if is_high { lines.min(height / 4) } else { 0 }
        });
        Self {
            intent: rows(size, 1, above),
            list: Pane::new(rows(size, 1 + above, height - above - below)),
            problems: rows(size, 1 + height - below, below),
        }
    }
}

/// One side of a row in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Column of the decision mark.
    pub mark: u16,
    /// Column of the sign, `+` or `−`.
    pub sign: u16,
    /// First column of the text.
    pub text: u16,
    /// Width of the text.
    pub width: u16,
}

/// The columns of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Side by side or unified.
    pub layout: Layout,
    /// The cells of a line number.
    pub digits: u16,
    /// The base's side; in the unified layout both are the same.
    pub old: Column,
    /// The right side.
    pub new: Column,
    /// Column of the divider between the sides.
    pub divider: Option<u16>,
}

impl Columns {
    /// Divides the width of the stream's rows.
    pub fn new(body: Rect, layout: Layout, digits: u16) -> Self {
        // The first cell is for the cursor's bar.
        let start = body.x + 1;
        let room = body.width.saturating_sub(1);
        match layout {
            Layout::Split => {
                let gutter = digits + 4;
                let width = room.saturating_sub(1 + 2 * gutter) / 2;
                let old = Column {
                    mark: start,
                    sign: start + digits + 2,
                    text: start + gutter,
                    width,
                };
                let divider = old.text + width;
                let mark = divider + 1;
                let text = mark + gutter;
                let new = Column {
                    mark,
                    sign: mark + digits + 2,
                    text,
                    width: body.right().saturating_sub(text),
                };
                Self {
                    layout,
                    digits,
                    old,
                    new,
                    divider: Some(divider),
                }
            }
            Layout::Unified => {
                let gutter = 2 * digits + 5;
                let text = start + gutter;
                let sign = start + 2 * digits + 3;
                let both = Column {
                    mark: start,
                    sign,
                    text,
                    width: body.right().saturating_sub(text),
                };
                Self {
                    layout,
                    digits,
                    old: both,
                    new: both,
                    divider: None,
                }
            }
        }
    }

    /// Returns the side of a row that a cell belongs to.
    pub fn at(&self, position: Position) -> &Column {
        if self.divider.is_some_and(|divider| position.x <= divider) {
            &self.old
        } else {
            &self.new
        }
    }
}

/// Returns rows of a screen in its full width.
fn rows(size: Size, y: u16, height: u16) -> Rect {
    Rect::new(0, y, size.width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_cover_the_screen_and_do_not_overlap() {
        for (width, height, list) in [
            (160, 50, Some(40)),
            (80, 24, None),
            (20, 5, Some(16)),
            (45, 9, Some(16)),
        ] {
            let screen = ScreenAreas::new(Size { width, height }, list).unwrap();
            let stream = screen.stream;
            assert_eq!(
                screen.bar.height + stream.title.height + stream.body.height + 1,
                height
            );
            let side = screen.list.map_or(0, |list| list.body.width + 1);
            assert_eq!(side + stream.body.width, width);
            for layout in [Layout::Split, Layout::Unified] {
                let columns = Columns::new(stream.body, layout, 4);
                assert!(columns.new.text + columns.new.width <= width.max(columns.new.text));
            }
        }
        assert_eq!(
            ScreenAreas::new(
                Size {
                    width: 19,
                    height: 30
                },
                None
            ),
            None
        );
    }
}
