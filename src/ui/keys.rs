//! Keys become commands: sequences in progress and the number in front.

use super::chord::{Chord, Key, Named};
use super::command::Command;
use super::keymap::{Keymap, Lookup, Place};

/// The largest number that a key can be repeated by.
const MOST: usize = 999_999;

/// What was pressed and has not led to anything yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keys {
    chords: Vec<Chord>,
    count: Option<usize>,
}

/// What was pressed and has not led to anything yet, in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pending {
    /// The number in front.
    pub count: Option<usize>,
    /// The keys, as the key table writes them.
    pub chords: String,
}

/// What a key led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    /// A command, with the number in front of it.
    Command(Command, Option<usize>),
    /// A character for a place that takes text.
    Text(char),
    /// More keys are awaited.
    Pending,
    /// Nothing.
    Unbound,
}

impl Keys {
    /// Takes a key.
    pub fn press(&mut self, keymap: &Keymap, place: Place, chord: Chord) -> Pressed {
        if place.takes_counts() && self.takes_digit(chord) {
            return Pressed::Pending;
        }
        if chord.key == Key::Named(Named::Esc) && *self != Self::default() {
            self.forget();
            return Pressed::Pending;
        }
        self.chords.push(chord);
        match keymap.look_up(place, &self.chords) {
            Lookup::Found(command) => {
                let count = self.count;
                self.forget();
                Pressed::Command(command, count)
            }
            Lookup::Prefix => Pressed::Pending,
            Lookup::Unbound => {
                let alone = self.chords.len() == 1;
                self.forget();
                match chord.typed() {
                    Some(c) if alone && place.takes_text() => Pressed::Text(c),
                    Some(_) | None => Pressed::Unbound,
                }
            }
        }
    }

    /// Forgets what was begun.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// What was begun, to be shown.
    pub fn pending(&self) -> Pending {
        let chords: Vec<String> = self.chords.iter().map(Chord::to_string).collect();
        Pending {
            count: self.count,
            chords: chords.join(" "),
        }
    }

    /// Whether a key was a digit of the number in front. A zero begins none.
    fn takes_digit(&mut self, chord: Chord) -> bool {
        match chord.digit() {
            Some(digit) if self.chords.is_empty() && (digit > 0 || self.count.is_some()) => {
                let count = self.count.unwrap_or(0) * 10 + digit;
                self.count = Some(count.min(MOST));
                true
            }
            Some(_) | None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::command::{Motion, Scroll};

    #[track_caller]
    fn check(place: Place, keys: &str, expected: Pressed) {
        let mut state = Keys::default();
        let mut last = Pressed::Unbound;
        for key in keys.split_whitespace() {
            last = state.press(&Keymap::default(), place, key.parse().unwrap());
        }
        assert_eq!(last, expected, "{keys}");
    }

    #[test]
    fn keys_lead_to_commands() {
        check(
            Place::Stream,
            "j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            Place::Stream,
            "1 2 j",
            Pressed::Command(Command::Move(Motion::Down), Some(12)),
        );
        check(
            Place::Stream,
            "1 0 G",
            Pressed::Command(Command::Move(Motion::Bottom), Some(10)),
        );
        check(
            Place::Stream,
            "0",
            Pressed::Command(Command::Scroll(Scroll::LeftEdge), None),
        );
        check(Place::Stream, "g", Pressed::Pending);
        check(
            Place::Stream,
            "g g",
            Pressed::Command(Command::Move(Motion::Top), None),
        );
        check(Place::Stream, "g 5", Pressed::Unbound);
        check(
            Place::Stream,
            "g # j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            Place::Stream,
            "g Esc j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            Place::Stream,
            "5 Esc j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(Place::Editor, "j", Pressed::Text('j'));
        check(Place::Editor, "5", Pressed::Text('5'));
        check(
            Place::Editor,
            "C-z",
            Pressed::Command(Command::Suspend, None),
        );
        check(Place::Editor, "F5", Pressed::Unbound);
    }
}
