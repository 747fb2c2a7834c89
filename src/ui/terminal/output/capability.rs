//! What the terminal can be asked to do.

use ratatui::layout::Rect;

/// What the terminal can be asked to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TerminalCapability {
    /// What all terminals do.
    #[default]
    Common,
    /// Moving rows between columns as well (left and right margins, `DECSLRM`). Terminals that do this, which begins with the
    /// VT420, also repeat a character (`REP`).
    Margins,
}

impl TerminalCapability {
    /// What moves when the rows of an area are to move.
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
