//! A row of the stream and where it is drawn, as all parts of its drawing need it.

use ratatui::layout::Rect;

use crate::review::Row;
use crate::ui::layout::areas::Columns;
use crate::ui::state::app::App;

/// One row of the stream and where it is drawn.
pub(crate) struct RowView<'a> {
    pub(crate) app: &'a App,
    pub(crate) columns: Columns,
    pub(crate) idx: usize,
    pub(crate) row: Row,
    pub(crate) area: Rect,
    /// Screen lines of the row that are above the area.
    pub(crate) skip: usize,
}
