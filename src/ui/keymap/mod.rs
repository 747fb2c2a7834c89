//! The key table: what each key does where, and what the help says of it.
//!
//! This one table drives dispatch, the hint bar, the help and the palette, by way of the [`Keymap`] that a preset and the
//! settings make of it. Keys are written as [`super::chord`] reads them, a sequence with blanks between its chords.

mod effective;
mod preset;
mod remap;
mod remap_error;
mod table;

pub use effective::{Bound, Keymap, Lookup, Sequence};
pub use preset::Preset;
pub use remap::Remap;
pub use remap_error::RemapError;
pub use table::KEYS;

use super::command::Command;

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The review stream.
    Stream,
    /// The review stream while lines are being selected.
    Lines,
    /// The list of all files.
    Batch,
    /// The text of a hunk.
    Editor,
    /// A line to fill in: a search, a filter, a comment.
    Prompt,
    /// A question to be answered with yes or no.
    Question,
    /// The dialog that ends a review.
    Finish,
    /// The help.
    Help,
    /// Saying where a hunk goes.
    Placing,
    /// Reading a result, a plan, a comparison.
    Reader,
}

impl Place {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Stream,
        Self::Lines,
        Self::Batch,
        Self::Editor,
        Self::Prompt,
        Self::Question,
        Self::Finish,
        Self::Help,
        Self::Placing,
        Self::Reader,
    ];

    /// The name that settings know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stream => "review",
            Self::Lines => "lines",
            Self::Batch => "files",
            Self::Editor => "editor",
            Self::Prompt => "prompt",
            Self::Question => "question",
            Self::Finish => "finish",
            Self::Help => "help",
            Self::Placing => "placing",
            Self::Reader => "reader",
        }
    }

    /// Whether digits are numbers in front of a key here.
    pub fn takes_counts(self) -> bool {
        match self {
            Self::Stream | Self::Lines | Self::Batch | Self::Placing | Self::Reader => true,
            Self::Editor | Self::Prompt | Self::Question | Self::Finish | Self::Help => false,
        }
    }

    /// Whether keys that are not bound here are text.
    pub fn takes_text(self) -> bool {
        match self {
            Self::Editor | Self::Prompt => true,
            Self::Stream
            | Self::Lines
            | Self::Batch
            | Self::Question
            | Self::Finish
            | Self::Placing
            | Self::Reader
            | Self::Help => false,
        }
    }
}

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
    /// Telling the agent.
    Say,
    /// What is shown and how.
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
    /// Where it holds.
    pub places: &'static [Place],
    /// The sequences that do it.
    pub keys: &'static [&'static str],
    /// What it does.
    pub command: Command,
    /// What the help says.
    pub help: &'static str,
    /// The word for the hint bar; empty if it is not worth a place there.
    pub hint: &'static str,
    /// The word for it once the first of several keys was pressed; empty for the first words of the help.
    pub begun: &'static str,
    /// The heading of the help that it stands under.
    pub topic: Topic,
}

/// The rows of the table that hold in a place, each with its position.
fn rows(place: Place) -> impl Iterator<Item = (usize, &'static Binding)> {
    let rows = KEYS.iter().enumerate();
    rows.filter(move |(_, row)| row.places.contains(&place))
}

/// A sequence as people write it: `gg`, but `C-c C-c`.
pub fn shown(keys: &str) -> String {
    if keys
        .split_whitespace()
        .all(|chord| chord.chars().count() == 1)
    {
        keys.split_whitespace().collect()
    } else {
        keys.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ui::chord::parse_sequence;

    #[test]
    fn every_key_of_the_table_is_a_key() {
        for binding in KEYS {
            for key in binding.keys {
                assert!(
                    parse_sequence(key).is_ok_and(|chords| !chords.is_empty()),
                    "{key}"
                );
            }
        }
    }

    #[test]
    fn no_sequence_is_bound_twice_or_hides_another() {
        for place in Place::ALL {
            let mut seen: BTreeMap<&str, Command> = BTreeMap::new();
            for (_, binding) in rows(place) {
                for key in binding.keys {
                    for (other, command) in &seen {
                        let hides = key.starts_with(&format!("{other} "))
                            || other.starts_with(&format!("{key} "));
                        assert!(
                            !hides && key != other,
                            "{place:?}: `{key}` ({:?}) and `{other}` ({command:?})",
                            binding.command
                        );
                    }
                    seen.insert(key, binding.command);
                }
            }
        }
    }

    #[test]
    fn a_place_that_takes_text_binds_no_character() {
        for place in Place::ALL.into_iter().filter(|place| place.takes_text()) {
            for key in rows(place).flat_map(|(_, binding)| binding.keys) {
                let chords = parse_sequence(key).unwrap();
                assert_eq!(chords[0].typed(), None, "{key}");
            }
        }
    }
}
