//! Messages to the event loop.

use crossterm::event::Event;

use crate::review::Moved;
use crate::ui::highlight::{HighlightedLines, SyntaxReport};
use crate::ui::services::apply_model::ModelNews;
use crate::ui::services::background::{Placed, SessionChange};
use crate::ui::services::check::CheckNews;
use crate::ui::services::threads::ThreadNews;

/// One thing that happened.
pub(crate) enum Message {
    /// The terminal reports something.
    Input(Event),
    /// Something asks the program to end.
    Stop,
    /// The interrupt of the keyboard, which the terminal sends while it is not ours.
    Interrupt,
    /// The program was stopped and goes on.
    Continued,
    /// The terminal has a new size. Sent for the signal too, because a resize report before the reader starts
    /// would be lost.
    Resized,
    /// Colours for some lines are ready.
    Highlighted(HighlightedLines),
    /// Files have changed on disk.
    Placed(Box<Placed>),
    /// Something joins or leaves.
    Changed(Box<SessionChange>),
    /// A grammar has judged a result, or cannot.
    SyntaxChecked(Option<SyntaxReport>),
    /// Something came of the check command.
    CheckNews(Box<CheckNews>),
    /// The apply model has answered, or cannot.
    ModelNews(Box<ModelNews>),
    /// Threads have changed.
    ThreadNews(Box<ThreadNews>),
    /// It was looked for moved lines.
    MovedLinesFound(u64, Moved),
    /// Marks the end of the keys that were typed while the screen was too small.
    Seen,
}
