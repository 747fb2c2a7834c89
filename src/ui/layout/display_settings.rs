//! What is shown and in which style, as far as the person chooses.

use super::areas::{LIST_FROM, SPLIT_FROM};
use crate::review::Layout;
use crate::ui::theme::{Signs, Theme};

/// The narrowest that the file list gets.
const NARROWEST: u16 = 12;

/// What is shown and in which style.
#[derive(Debug, Clone)]
pub struct DisplaySettings {
    /// The colours.
    pub theme: Theme,
    /// The signs.
    pub signs: &'static Signs,
    /// The layout asked for; else the width decides.
    pub layout: Option<Layout>,
    /// Whether the file list is at the side, if asked; else the width decides.
    pub list: Option<bool>,
    /// How wide the file list is, if asked; else the screen decides.
    pub list_width: Option<u16>,
    /// Whether words that differ are emphasised.
    pub words: bool,
    /// Whether blanks, tabs and line endings are shown.
    pub blanks: bool,
    /// What happens to long lines at first.
    pub long_lines: LongLines,
    /// Which files the stream shows at first.
    pub files: FilesShown,
    /// Unchanged lines around hunks at first.
    pub context: usize,
    /// Whether the cursor goes to the next undecided hunk after a decision.
    pub advance: bool,
}

impl DisplaySettings {
    /// The layout at a width of the screen.
    pub fn layout_at(&self, width: u16) -> Layout {
        let by_width = if width < SPLIT_FROM {
            Layout::Unified
        } else {
            Layout::Split
        };
        self.layout.unwrap_or(by_width)
    }

    /// How wide the file list at the side is at a width of the screen; `None` if it is not there.
    pub fn list_width_at(&self, width: u16) -> Option<u16> {
        let wanted = self.list_width.unwrap_or((width / 4).clamp(16, 40));
        let most = (width / 2).max(NARROWEST);
        self.list_at(width).then(|| wanted.clamp(NARROWEST, most))
    }

    /// Whether the file list is at the side at a width of the screen.
    pub fn list_at(&self, width: u16) -> bool {
        self.list.unwrap_or(width >= LIST_FROM)
    }
}

/// Whether long lines are broken or run out of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLines {
    /// They run out, and the screen scrolls sideways.
    Cut,
    /// They go on in the next row.
    Wrap,
}

/// Which files the cursor goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesShown {
    /// All, one below the other.
    All,
    /// The one that it is in; whatever goes to a place in another file shows that one.
    One,
}
