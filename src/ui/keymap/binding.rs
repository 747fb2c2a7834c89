//! A row of the key table.

use super::context::KeyContext;
use crate::ui::command::Command;

/// The headings of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Deciding.
    Decide,
    /// Going to things.
    Jump,
    /// Moving and scrolling.
    Move,
    /// Changing the proposed text.
    Edit,
    /// Finding text.
    Find,
    /// Comments for the agent.
    Say,
    /// Display.
    View,
    /// Leaving.
    Leave,
}

impl Topic {
    /// All of them, in the order of the help.
    pub const ALL: [Self; 8] = [
        Self::Decide,
        Self::Edit,
        Self::Jump,
        Self::Move,
        Self::Find,
        Self::Say,
        Self::View,
        Self::Leave,
    ];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Decide => "Decide",
            Self::Jump => "Go to",
            Self::Move => "Move",
            Self::Edit => "Edit",
            Self::Find => "Find",
            Self::Say => "Tell the agent",
            Self::View => "View",
            Self::Leave => "Leave",
        }
    }
}

/// A row of the key table.
#[derive(Debug, Clone, Copy)]
pub struct Binding {
    /// Contexts in which it is bound.
    pub places: &'static [KeyContext],
    /// The sequences that do it.
    pub keys: &'static [&'static str],
    /// Command.
    pub command: Command,
    /// Text of the help.
    pub help: &'static str,
    /// The word for the hint bar; empty if it is not worth a place there.
    pub hint: &'static str,
    /// The word for it once the first of several keys was pressed; empty for the first words of the help.
    pub begun: &'static str,
    /// Heading in the help.
    pub topic: Topic,
}

/// A key, and what it is to do in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remap<'a> {
    /// The name of the place.
    pub place: &'a str,
    /// The keys, as the table writes them.
    pub keys: &'a str,
    /// The command's name, or `none`.
    pub command: &'a str,
}
