//! Why a key cannot be bound as settings say, in words that name what is in the way.

use thiserror::Error;

use super::context::KeyContext;
use super::table::rows;
use crate::text;
use crate::ui::command::Command;

/// Why a key cannot be changed so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RemapError {
    /// There is no such place.
    #[error("there are no keys for `{0}`; the places are: {places}", places = KeyContext::ALL.map(KeyContext::name).join(", "))]
    NoPlace(String),
    /// A word is no key.
    #[error(
        "`{0}` is not a key; keys are written like `g g`, `C-d`, `M-x`, `S-Tab`, `Space`, `F1`"
    )]
    NoKey(String),
    /// There is no such command at that place.
    #[error("there is no command `{command}` in `{}`{}", place.name(), suggestion(*place, command))]
    NoCommand {
        /// The place.
        place: KeyContext,
        /// The name.
        command: String,
    },
    /// The key is a letter where text is typed.
    #[error("`{0}` is typed as text there, so it cannot be bound")]
    Text(String),
    /// The key is a digit where digits are numbers.
    #[error("`{0}` begins a number there, so it cannot be bound")]
    Digit(String),
    /// Nothing was bound to a key that is to be taken away.
    #[error("`{0}` does nothing there, so there is nothing to take from it")]
    NotBound(String),
    /// Two rows name the same key.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A shorter sequence comes in between.
    #[error("`{keys}` is never reached: `{by}` does `{}`; take that away with \"none\"", command.name())]
    Unreachable {
        /// The longer sequence.
        keys: String,
        /// The shorter one.
        by: String,
        /// The command of the shorter sequence.
        command: Command,
    },
    /// A longer sequence could no longer be typed.
    #[error("`{keys}` hides `{longer}`, which does `{}`; take that away with \"none\"", command.name())]
    Hides {
        /// The shorter sequence.
        keys: String,
        /// The longer one.
        longer: String,
        /// The command of the longer sequence.
        command: Command,
    },
    /// There would be no way out.
    #[error("without it, no key would leave `{}`", .0.name())]
    NoWayOut(KeyContext),
}

/// Returns a "did you mean" suggestion for an unknown command, as the end of a sentence.
fn suggestion(place: KeyContext, name: &str) -> String {
    let names: Vec<_> = rows(place).map(|(_, row)| row.command.name()).collect();
    text::did_you_mean(name, names.iter().map(AsRef::as_ref)).map_or_else(String::new, |nearest| {
        format!("; did you mean `{nearest}`?")
    })
}
