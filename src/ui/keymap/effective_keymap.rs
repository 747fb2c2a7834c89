//! The keys that hold: the table's, changed by a preset and by settings.

use std::fmt;

use super::binding::Binding;
use super::context::KeyContext;
use super::keystroke::{Keystroke, NotAKey, parse_sequence};
use super::table::{KEYS, rows};
use crate::ui::command::Command;

/// The keys that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    /// Place by place, in the order of the table.
    pub(crate) bound: Vec<Bound>,
}

/// A command in a place, and the keys that do it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Context.
    pub place: KeyContext,
    /// Its row in the table.
    pub row: usize,
    /// The keys; none if all were taken from it.
    pub keys: Vec<Sequence>,
}

/// Chords that are pressed one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence(Vec<Keystroke>);

/// Result of looking up a key sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// A command.
    Found(Command),
    /// The start of something longer.
    Prefix,
    /// Nothing.
    Unbound,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::of_table()
    }
}

impl Keymap {
    /// Keys for some commands of the table and for no others, each given by its place and its key.
    pub fn only<'a>(keys: impl IntoIterator<Item = (KeyContext, &'a str, Command)>) -> Self {
        let bound = keys.into_iter().filter_map(|(place, key, command)| {
            let (row, _) = rows(place).find(|(_, row)| row.command == command)?;
            Some(Bound {
                place,
                row,
                keys: vec![Sequence::parse(key).ok()?],
            })
        });
        Self {
            bound: bound.collect(),
        }
    }

    /// The table as it is. A word that names no key is never pressed; a test says that there is none.
    pub(crate) fn of_table() -> Self {
        let mut bound = Vec::new();
        for place in KeyContext::ALL {
            bound.extend(rows(place).map(|(row, binding)| {
                Bound {
                    place,
                    row,
                    keys: (binding.keys.iter())
                        .filter_map(|key| Sequence::parse(key).ok())
                        .collect(),
                }
            }));
        }
        Self { bound }
    }

    /// Returns the bindings of a context, in the order of the table.
    pub fn of(&self, place: KeyContext) -> impl Iterator<Item = &Bound> {
        self.bound.iter().filter(move |bound| bound.place == place)
    }

    /// Returns the bindings of a row of the table, in all contexts.
    pub fn bound_to(&self, row: usize) -> impl Iterator<Item = &Bound> {
        self.bound.iter().filter(move |bound| bound.row == row)
    }

    /// Looks a sequence up.
    pub fn look_up(&self, place: KeyContext, chords: &[Keystroke]) -> Lookup {
        let mut answer = Lookup::Unbound;
        for bound in self.of(place) {
            for Sequence(keys) in &bound.keys {
                if keys == chords {
                    return Lookup::Found(bound.binding().command);
                }
                if keys.starts_with(chords) {
                    answer = Lookup::Prefix;
                }
            }
        }
        answer
    }

    /// Returns true if these chords begin a longer sequence in any context.
    pub fn is_prefix(&self, chords: &[Keystroke]) -> bool {
        let mut sequences = self.bound.iter().flat_map(|bound| &bound.keys);
        sequences.any(|Sequence(keys)| keys.len() > chords.len() && keys.starts_with(chords))
    }

    /// Returns the first key of a command in a context, or its name in the palette if it has no key.
    pub fn key_for(&self, place: KeyContext, command: Command) -> String {
        let keys = self
            .of(place)
            .filter(|bound| bound.binding().command == command)
            .find_map(|bound| bound.keys.first());
        keys.map_or_else(|| format!(":{}", command.name()), Sequence::shown)
    }
}

impl Bound {
    /// Returns the row of the table.
    pub fn binding(&self) -> &'static Binding {
        &KEYS[self.row]
    }
}

impl Sequence {
    /// Reads a sequence with blanks between its chords.
    ///
    /// # Errors
    ///
    /// [`NotAKey`] for the first word that names none.
    pub(crate) fn parse(text: &str) -> Result<Self, NotAKey> {
        parse_sequence(text).map(Self)
    }

    /// The chords.
    pub fn chords(&self) -> &[Keystroke] {
        &self.0
    }

    /// The keys as people write them: `gg`, but `C-c C-c`.
    pub fn shown(&self) -> String {
        shown(&self.to_string())
    }
}

impl fmt::Display for Sequence {
    /// As the table writes it, with blanks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, chord) in self.0.iter().enumerate() {
            let gap = if idx == 0 { "" } else { " " };
            write!(f, "{gap}{chord}")?;
        }
        Ok(())
    }
}

/// A sequence as people write it: `gg`, but `C-c C-c`.
pub(crate) fn shown(keys: &str) -> String {
    if keys
        .split_whitespace()
        .all(|chord| chord.chars().count() == 1)
    {
        keys.split_whitespace().collect()
    } else {
        keys.to_owned()
    }
}
