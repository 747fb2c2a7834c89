//! Options that the screen opens with.

use std::env;

use crate::review::Layout;
use crate::ui::file_list::Sort;
use crate::ui::glyphs::terminal_width::Ambiguous;
use crate::ui::keymap::Keymap;
use crate::ui::layout::display_settings::{DisplaySettings, FilesShown, LongLines};
use crate::ui::probe::Probe;
use crate::ui::theme::{Background, Depth, Palette, Signs, Theme};

/// Initial look and behaviour of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenOptions {
    /// Background of the terminal, dark or light.
    pub background: Background,
    /// Queries sent to the terminal before the first frame.
    pub probe: Probe,
    /// The colours; else the usual ones of the background.
    pub palette: Option<Palette>,
    /// Number of colours that the terminal shows.
    pub depth: Depth,
    /// The signs of states.
    pub signs: &'static Signs,
    /// True if the mouse is used.
    pub mouse: bool,
    /// The layout; else the width decides.
    pub layout: Option<Layout>,
    /// True if the file list is at the side; by default the width decides.
    pub list: Option<bool>,
    /// Treatment of long lines.
    pub long_lines: LongLines,
    /// Files that the stream shows.
    pub files: FilesShown,
    /// Order of the files.
    pub order: Sort,
    /// Unchanged lines around hunks.
    pub context: usize,
    /// True if words that differ are emphasised.
    pub words: bool,
    /// True if the cursor goes to the next undecided hunk after a decision.
    pub advance: bool,
    /// The command line of the editor for proposed text; else the environment names it.
    pub editor: Option<String>,
    /// Width of characters of ambiguous width.
    pub ambiguous: Ambiguous,
    /// The keys.
    pub keymap: Keymap,
    /// Source of the answers in a review line by line; `None` for a review on the screen.
    pub linear: Option<Answers>,
}

/// Source of the answers in a review line by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// From the terminal itself, whatever standard input is.
    Terminal,
    /// From standard input: that is not where the edits come from.
    Input,
}

impl Default for ScreenOptions {
    /// A dark screen of true colours, with the width deciding.
    fn default() -> Self {
        Self {
            background: Background::Dark,
            probe: Probe::Nothing,
            palette: None,
            depth: Depth::True,
            signs: &Signs::UNICODE,
            mouse: true,
            layout: None,
            list: None,
            long_lines: LongLines::WrapChanged,
            files: FilesShown::All,
            order: Sort::Proposal,
            context: 3,
            words: true,
            advance: true,
            editor: None,
            ambiguous: Ambiguous::Narrow,
            keymap: Keymap::default(),
            linear: None,
        }
    }
}

/// Chooses the queries for the terminal: none if it is not known to answer, none about colours that do not
/// matter or that the environment names.
fn probe(var: impl Fn(&str) -> Option<String>) -> Probe {
    const SILENT: [&str; 5] = ["dumb", "linux", "screen", "Eterm", "cygwin"];
    let said = |name: &str| var(name).is_some_and(|value| !value.is_empty());
    let terminal = var("TERM").unwrap_or_default();
    let silent = SILENT
        .iter()
        .any(|known| terminal.split(['.', '-']).next() == Some(*known));
    let decided = ["CI", "NO_COLOR", "COLORFGBG"].into_iter().any(said);
    if terminal.is_empty() || silent || decided {
        Probe::Nothing
    } else {
        Probe::Background
    }
}

/// Returns true if the terminal cannot move its cursor, or its type is not known.
fn is_dumb(var: impl Fn(&str) -> Option<String>) -> bool {
    matches!(var("TERM").as_deref(), None | Some("" | "dumb"))
}

impl ScreenOptions {
    /// Options for the terminal that the environment describes.
    pub fn from_env() -> Self {
        let var = |name: &str| env::var(name).ok();
        Self {
            background: Background::from_env(var),
            probe: probe(var),
            depth: Depth::from_env(var),
            signs: Signs::from_env(var),
            linear: is_dumb(var).then_some(Answers::Terminal),
            order: Sort::Risk,
            ..Self::default()
        }
    }

    /// The colours on a background.
    fn theme(&self, background: Background) -> Theme {
        let usual = || Palette::usual(background);
        Theme::new(&self.palette.unwrap_or_else(usual), self.depth)
    }

    pub(crate) fn display_settings(&self) -> DisplaySettings {
        DisplaySettings {
            theme: self.theme(self.background),
            signs: match self.ambiguous {
                // Of the others some would be as wide as two.
                Ambiguous::Wide if *self.signs == Signs::UNICODE => &Signs::EVEN,
                Ambiguous::Wide | Ambiguous::Narrow => self.signs,
            },
            layout: self.layout,
            list: self.list,
            list_needed: 0,
            list_width: None,
            words: self.words,
            blanks: false,
            long_lines: self.long_lines,
            files: self.files,
            context: self.context,
            advance: self.advance,
        }
    }
}
