//! The terminal: a review on the screen, and nothing else.
//!
//! [`run`] takes a [`ReviewSession`] and gives it back with what a person decided; nothing is written here. Inside,
//! [`update`] changes the [`app::App`] by [`action::Action`]s and [`view`] draws it; keys become actions by the one table in
//! [`keymap`]; whatever takes time runs on a thread and comes back as an action.

pub mod action;
pub mod app;
pub mod batch;
mod beside;
pub mod check;
pub mod chord;
pub mod colours;
pub mod command;
mod command_name;
mod dispatch;
pub mod editor;
mod event_loop;
pub mod external;
mod fates;
mod headline;
pub mod highlight;
pub mod idle;
mod input;
pub mod keymap;
pub mod keys;
pub mod linear;
pub mod look;
pub mod measure;
pub mod mode;
mod model;
pub mod moves;
mod of_use;
pub mod output;
pub mod paint;
pub mod palette;
pub mod plan;
mod question;
pub mod reader;
mod replies;
pub mod ruler;
pub mod screen;
pub mod script;
pub mod search;
pub mod stream;
pub mod summary;
mod tally;
mod terminal;
pub mod theme;
pub mod update;
pub mod view;
pub mod wrap;

use std::env;
use std::io;

use thiserror::Error;

use crate::review::{Layout, ReviewSession};
pub use beside::{Beside, Change, Placed, Precision, Resident};
pub use check::{Check, CheckEnd, CheckNews, CheckState, Undecided};
use keymap::Keymap;
use linear::Answers;
use look::Look;
use measure::Ambiguous;
pub use model::{Asker, Inquiry, Model, ModelAnswer, ModelNews, ModelOrder, OrderModel, Task};
pub use question::Asks;
use stream::{FilesShown, LongLines};
use theme::{Background, Depth, Palette, Signs, Theme};

/// How the screen looks and behaves at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether the terminal is dark or light.
    pub background: Background,
    /// What the terminal is asked first.
    pub asks: Asks,
    /// The colours; else the usual ones of the background.
    pub palette: Option<Palette>,
    /// How many colours it shows.
    pub depth: Depth,
    /// The signs of states.
    pub signs: &'static Signs,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// The layout; else the width decides.
    pub layout: Option<Layout>,
    /// Whether the file list is at the side; else the width decides.
    pub list: Option<bool>,
    /// What happens to long lines.
    pub long_lines: LongLines,
    /// Whether all files stand in one stream.
    pub files: FilesShown,
    /// Unchanged lines around hunks.
    pub context: usize,
    /// Whether words that differ are emphasised.
    pub words: bool,
    /// Whether the cursor goes to the next undecided hunk after a decision.
    pub advance: bool,
    /// The command line of the editor for proposed text; else the environment names it.
    pub editor: Option<String>,
    /// How wide characters of ambiguous width are.
    pub ambiguous: Ambiguous,
    /// The keys.
    pub keymap: Keymap,
    /// Whether the review goes line by line instead of on a screen, and where its answers come from then.
    pub linear: Option<Answers>,
}

impl Default for Options {
    /// A dark screen of true colours, with the width deciding.
    fn default() -> Self {
        Self {
            background: Background::Dark,
            asks: Asks::Nothing,
            palette: None,
            depth: Depth::True,
            signs: &Signs::UNICODE,
            mouse: true,
            layout: None,
            list: None,
            long_lines: LongLines::Cut,
            files: FilesShown::All,
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

/// What the environment lets the terminal be asked: nothing if it is none that is known to answer, not for colours that it says
/// itself or that do not matter.
fn asks(var: impl Fn(&str) -> Option<String>) -> Asks {
    const SILENT: [&str; 5] = ["dumb", "linux", "screen", "Eterm", "cygwin"];
    let said = |name: &str| var(name).is_some_and(|value| !value.is_empty());
    let terminal = var("TERM").unwrap_or_default();
    let silent = SILENT
        .iter()
        .any(|known| terminal.split(['.', '-']).next() == Some(*known));
    if terminal.is_empty() || silent || said("CI") {
        Asks::Nothing
    } else if said("NO_COLOR") || said("COLORFGBG") {
        Asks::Skill
    } else {
        Asks::Ground
    }
}

/// Whether the terminal cannot move its cursor, or nobody says what it can.
fn is_dumb(var: impl Fn(&str) -> Option<String>) -> bool {
    matches!(var("TERM").as_deref(), None | Some("" | "dumb"))
}

impl Options {
    /// What the environment says of the terminal.
    pub fn from_env() -> Self {
        let var = |name: &str| env::var(name).ok();
        Self {
            background: Background::from_env(var),
            asks: asks(var),
            depth: Depth::from_env(var),
            signs: Signs::from_env(var),
            linear: is_dumb(var).then_some(Answers::Terminal),
            ..Self::default()
        }
    }

    /// The colours on a background.
    fn theme(&self, background: Background) -> Theme {
        let usual = || Palette::usual(background);
        Theme::new(&self.palette.unwrap_or_else(usual), self.depth)
    }

    fn look(&self) -> Look {
        Look {
            theme: self.theme(self.background),
            signs: match self.ambiguous {
                // Of the others some would be as wide as two.
                Ambiguous::Wide if *self.signs == Signs::UNICODE => &Signs::EVEN,
                Ambiguous::Wide | Ambiguous::Narrow => self.signs,
            },
            layout: self.layout,
            list: self.list,
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

/// What a review came to.
#[derive(Debug)]
pub struct Outcome {
    /// The session with every decision, edit and comment.
    pub session: ReviewSession,
    /// How the review ended.
    pub ending: Ending,
}

/// How a review ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The person finished: what is accepted is to be written.
    Write,
    /// Nothing is to be written now, and the review is to be kept for later.
    Keep,
    /// Nothing is to be written, and the review is to be dropped.
    Discard,
    /// The review was not finished: aborted, or the terminal went away. Nothing is to be written.
    Aborted,
}

/// Why there was no review.
#[derive(Debug, Error)]
pub enum UiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[source] io::Error),
    /// The review is to stay open, and to go line by line.
    #[error("a review that stays open needs a screen: it cannot go line by line")]
    NoScreen,
}

impl UiError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Terminal(_) => {
                "a review needs a terminal of its own; `apply` and `check` do without"
            }
            Self::NoScreen => "set `TERM` to what the terminal is, and `ui.linear` to `false`",
        }
    }
}

/// Lets a person review a session on the terminal, until it is finished or the terminal goes away.
///
/// Keys are read from the terminal itself and the screen is drawn to it, so standard input and output stay untouched; unless
/// it goes line by line, and its answers come from standard input.
///
/// # Errors
///
/// [`UiError`] if there is no terminal, or none with a screen for a review that stays open. One that is lost later ends the review as [`Ending::Aborted`].
pub fn run(
    session: ReviewSession,
    options: Options,
    beside: Beside<'_>,
) -> Result<Outcome, UiError> {
    let reviewed = match options.linear {
        Some(_) if beside.resident.is_some() => return Err(UiError::NoScreen),
        Some(answers) => linear::run(session, options, answers, beside),
        None => event_loop::run(session, options, beside),
    };
    reviewed.map_err(UiError::Terminal)
}
