//! Display settings that the person can change.

use super::areas::{LIST_FROM, SPLIT_FROM};
use crate::review::Layout;
use crate::ui::theme::{Signs, Theme};

/// The narrowest that the file list gets.
const NARROWEST: u16 = 12;

/// The narrowest that the file list gets by itself: its title fits.
const USUAL: u16 = 26;

/// Width below which the file list is hidden unless the person chose one: a name would have no room beside its mark and kind.
const NAMES: u16 = 20;

/// The widest that the file list gets by itself.
const WIDEST: u16 = 60;

/// Display settings.
#[derive(Debug, Clone)]
pub struct DisplaySettings {
    /// The colours.
    pub theme: Theme,
    /// The signs.
    pub signs: &'static Signs,
    /// The layout asked for; else the width decides.
    pub layout: Option<Layout>,
    /// True if the file list is shown; `None` lets the width decide.
    pub list: Option<bool>,
    /// Cells that the names and counts in the file list need.
    pub list_needed: usize,
    /// Width of the file list; `None` lets the screen decide.
    pub list_width: Option<u16>,
    /// True if words that differ are emphasised.
    pub words: bool,
    /// True if blanks, tabs and line endings are shown.
    pub blanks: bool,
    /// Initial treatment of long lines.
    pub long_lines: LongLines,
    /// Initial choice of files in the stream.
    pub files: FilesShown,
    /// Unchanged lines around hunks at first.
    pub context: usize,
    /// True if the cursor goes to the next undecided hunk after a decision.
    pub advance: bool,
}

/// Text columns that a side must have to show every file side by side.
pub(crate) const WIDE_SIDE: u16 = 80;

impl DisplaySettings {
    /// Returns true if a file is shown side by side only where its changed lines fit.
    pub fn fits_layout(&self) -> bool {
        self.layout.is_none()
    }

    /// The layout at a width of the screen.
    pub fn layout_at(&self, width: u16) -> Layout {
        let by_width = if width < SPLIT_FROM {
            Layout::Unified
        } else {
            Layout::Split
        };
        self.layout.unwrap_or(by_width)
    }

    /// Returns the width of the file list on a screen of a width, or `None` if it is hidden: what its names and counts need, up to a
    /// third of the screen, if that has room for names.
    pub fn list_width_at(&self, width: u16) -> Option<u16> {
        let third = width / 3;
        if !self.list_at(width) || (self.list_width.is_none() && third < NAMES) {
            return None;
        }
        let needed = u16::try_from(self.list_needed).unwrap_or(u16::MAX);
        let by_names = needed.min(third).clamp(USUAL.min(third), WIDEST);
        let wanted = self.list_width.unwrap_or(by_names);
        let most = (width / 2).max(NARROWEST);
        Some(wanted.clamp(NARROWEST, most))
    }

    /// Returns true if the file list is shown on a screen of a width.
    pub fn list_at(&self, width: u16) -> bool {
        self.list.unwrap_or(width >= LIST_FROM)
    }
}

/// Treatment of long lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LongLines {
    /// Changed lines continue in the next row; lines that stay are cut.
    WrapChanged,
    /// They run out, and the screen scrolls sideways.
    Cut,
    /// They go on in the next row.
    Wrap,
}

/// Files that the cursor moves through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesShown {
    /// All, one below the other.
    All,
    /// The one that it is in; whatever goes to a place in another file shows that one.
    One,
}
