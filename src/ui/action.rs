//! Events that reach the review, and the effects it asks of the outside.

use std::time::Duration;

use ratatui::layout::{Position, Size};

use crate::review::Moved;
use crate::ui::command::Command;
use crate::ui::highlight::{HighlightedLines, SyntaxReport};
use crate::ui::outcome::Ending;
use crate::ui::services::apply_model::ModelNews;
use crate::ui::services::background::{Placed, SessionChange};
use crate::ui::services::check::CheckNews;
use crate::ui::services::external_editor::{EditedText, EditorError, ExternalEdit};
use crate::ui::services::threads::{ThreadNews, ThreadRequest};

/// One thing that happens to the review.
#[derive(Debug)]
pub enum Action {
    /// A key said so, with the number in front of it.
    Command(Command, Option<usize>),
    /// A character was typed where text is taken.
    Type(char),
    /// Text was pasted.
    Paste(String),
    /// The mouse did something.
    Mouse(Mouse, Position),
    /// The screen has another size.
    Resize(Size),
    /// Tokens are ready.
    Highlighted(HighlightedLines),
    /// The external editor ended.
    EditorEnded(ExternalEdit, Result<EditedText, EditorError>),
    /// Files have changed on disk.
    Placed(Box<Placed>),
    /// Something joins or leaves.
    Changed(Box<SessionChange>),
    /// A grammar has judged the result that is read, or cannot.
    SyntaxChecked(Option<SyntaxReport>),
    /// Something came of the check command.
    CheckNews(CheckNews),
    /// The apply model has answered, or cannot.
    ModelNews(ModelNews),
    /// Threads have changed.
    ThreadNews(ThreadNews),
    /// The apply model has been asked for so long.
    ModelWaited(Duration),
    /// It was looked for moved lines among those of this number.
    MovedLinesFound(u64, Moved),
}

/// Mouse events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mouse {
    /// The left button goes down.
    Press,
    /// The mouse moves with the left button down.
    Drag,
    /// The wheel turns, by lines, down if positive.
    Wheel(isize),
}

/// Effects that an update asks of its caller.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// A text is to be edited in another program.
    OpenEditor(ExternalEdit),
    /// The program is to be stopped until the shell continues it.
    Suspend,
    /// Text is to be copied to the terminal's clipboard.
    Copy(String),
    /// The screen is to be drawn again.
    Redraw,
    /// A grammar is to judge the result that is read.
    Judge,
    /// Everything is to be placed again with this precision, in hundredths.
    Match {
        /// The call that is meant, in a review that stays open.
        call: Option<u64>,
        /// The precision, in hundredths.
        percent: u8,
    },
    /// The person asks something about threads.
    Thread(Box<ThreadRequest>),
    /// The check command is to run.
    Check,
    /// The apply model is to be asked what [`crate::ui::state::app::App::model`] holds.
    AskModel,
    /// Nobody waits for the apply model any more.
    GiveUpModel,
    /// The review has ended.
    End(Ending),
}
