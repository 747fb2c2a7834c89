//! What happens outside of the state: one message each.

use crossterm::event::Event;

use crate::review::Moved;
use crate::ui::highlight::{HighlightedLines, SyntaxReport};
use crate::ui::services::apply_model::ModelNews;
use crate::ui::services::background::{Change, Placed};
use crate::ui::services::check::CheckNews;

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
    /// The terminal has another size. It is told by the signal too, as one that comes before the reader is ready would be
    /// lost.
    Resized,
    /// Colours for some lines are ready.
    Highlighted(HighlightedLines),
    /// Files have changed on disk.
    Placed(Box<Placed>),
    /// Something joins or leaves.
    Changed(Box<Change>),
    /// A grammar has judged a result, or cannot.
    SyntaxChecked(Option<SyntaxReport>),
    /// Something came of the check command.
    CheckNews(Box<CheckNews>),
    /// The apply model has answered, or cannot.
    ModelNews(Box<ModelNews>),
    /// It was looked for moved lines.
    MovedLinesFound(u64, Moved),
    /// What was typed before this was typed while nothing could be seen.
    Seen,
}
