//! Capabilities of the terminal.

use ratatui::layout::Rect;

/// Capabilities of the terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TerminalCapability {
    /// Features of every terminal.
    #[default]
    Common,
    /// Moving rows between columns as well (left and right margins, `DECSLRM`). Terminals that do this, which begins with the
    /// VT420, also repeat a character (`REP`).
    Margins,
}

impl TerminalCapability {
    /// Returns the area that moves when the rows of an area are scrolled.
    pub(crate) fn moves(self, area: Rect, screen: Rect) -> Rect {
        match self {
            Self::Margins => area,
            Self::Common => Rect {
                x: screen.x,
                width: screen.width,
                ..area
            },
        }
    }
}
