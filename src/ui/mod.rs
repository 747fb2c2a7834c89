//! The terminal: a review on the screen, and nothing else.
//!
//! [`run`] takes a [`ReviewSession`] and gives it back with what a person decided; nothing is written here. Inside,
//! [`update`] changes the [`state::app::App`] by [`action::Action`]s and [`view`] draws it; keys become actions by the one table in
//! [`keymap`]; whatever takes time runs on a thread and comes back as an action.

pub mod action;
pub mod command;
pub mod dispatch;
pub(crate) mod editor;
mod event_loop;
mod file_kinds;
pub mod file_list;
mod file_name;
pub mod glyphs;
pub mod highlight;
mod hunk_summary;
pub mod keymap;
pub mod layout;
pub mod linear;
mod options;
mod outcome;
mod pattern;
mod probe;
pub mod services;
pub mod state;
pub mod stream;
pub(crate) mod summary;
pub mod terminal;
pub mod theme;
mod threads;
pub mod update;
pub mod view;

use crate::review::ReviewSession;
pub use glyphs::terminal_width::Ambiguous;
pub use layout::display_settings::{FilesShown, LongLines};
pub use options::{Answers, ScreenOptions};
pub use outcome::{Ending, ReviewOutcome, UiError};
pub use probe::Probe;
pub use services::apply_model::{
    ModelAnswer, ModelCommand, ModelNews, ModelRequest, ModelService, ModelState, RunModelCommand,
    Task,
};
pub use services::background::{
    AgentWait, LastKey, MatchThreshold, Placed, Queue, Resident, Services, SessionChange,
    SessionDecider, SessionReader,
};
pub use services::check::{Breaking, Check, CheckEnd, CheckNews, CheckState, CheckTask, Undecided};
pub use services::threads::{RequestOutcome, ThreadNews, ThreadRequest, ThreadService};

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
    options: ScreenOptions,
    services: Services<'_>,
) -> Result<ReviewOutcome, UiError> {
    let reviewed = match options.linear {
        Some(_) if services.resident.is_some() => return Err(UiError::NoScreen),
        Some(answers) => linear::run(session, options, answers, services),
        None => event_loop::run(session, options, services),
    };
    reviewed.map_err(UiError::Terminal)
}
