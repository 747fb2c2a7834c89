//! Keys become commands: sequences in progress and the number in front.

use super::context::KeyContext;
use super::effective_keymap::{Keymap, Lookup};
use super::keystroke::{Key, Keystroke, NamedKey};
use crate::ui::command::Command;

/// The largest number that a key can be repeated by.
const MOST: usize = 999_999;

/// Reader for key sequences and counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyReader {
    chords: Vec<Keystroke>,
    count: Option<usize>,
}

/// Keys pressed so far, for display.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingKeys {
    /// The number in front.
    pub count: Option<usize>,
    /// The keys, as the key table writes them.
    pub chords: String,
}

/// Result of a key press.
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

impl KeyReader {
    /// Takes a key. The start of a sequence that only another context has awaits its next key as well, so that this key is not
    /// taken for a command.
    pub fn press(&mut self, keymap: &Keymap, place: KeyContext, chord: Keystroke) -> Pressed {
        if place.takes_counts() && self.takes_digit(chord) {
            return Pressed::Pending;
        }
        if chord.key == Key::Named(NamedKey::Esc) && *self != Self::default() {
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
                let typed = chord.typed();
                let is_text = self.chords.len() == 1 && place.takes_text();
                if let Some(c) = typed.filter(|_| is_text) {
                    self.forget();
                    return Pressed::Text(c);
                }
                if keymap.is_prefix(&self.chords) {
                    return Pressed::Pending;
                }
                self.forget();
                Pressed::Unbound
            }
        }
    }

    /// Forgets what was begun.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the keys pressed so far.
    pub fn pending(&self) -> PendingKeys {
        let chords: Vec<String> = self.chords.iter().map(Keystroke::to_string).collect();
        PendingKeys {
            count: self.count,
            chords: chords.join(" "),
        }
    }

    /// Takes a digit of the count; returns false if the key is none. A leading zero is no count.
    fn takes_digit(&mut self, chord: Keystroke) -> bool {
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
    fn check(place: KeyContext, keys: &str, expected: Pressed) {
        let mut state = KeyReader::default();
        let mut last = Pressed::Unbound;
        for key in keys.split_whitespace() {
            last = state.press(&Keymap::default(), place, key.parse().unwrap());
        }
        assert_eq!(last, expected, "{keys}");
    }

    #[test]
    fn keys_lead_to_commands() {
        check(
            KeyContext::Stream,
            "j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            KeyContext::Stream,
            "1 2 j",
            Pressed::Command(Command::Move(Motion::Down), Some(12)),
        );
        check(
            KeyContext::Stream,
            "1 0 G",
            Pressed::Command(Command::Move(Motion::Bottom), Some(10)),
        );
        check(
            KeyContext::Stream,
            "0",
            Pressed::Command(Command::Scroll(Scroll::LeftEdge), None),
        );
        check(KeyContext::Stream, "g", Pressed::Pending);
        check(
            KeyContext::Stream,
            "g g",
            Pressed::Command(Command::Move(Motion::Top), None),
        );
        check(KeyContext::Stream, "g 5", Pressed::Unbound);
        check(
            KeyContext::Stream,
            "g # j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            KeyContext::Stream,
            "g Esc j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(
            KeyContext::Stream,
            "5 Esc j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        for (place, keys) in [
            (KeyContext::FileList, "z b"),
            (KeyContext::FileList, "z r"),
            (KeyContext::Reader, "z b"),
            (KeyContext::Question, "g y"),
            (KeyContext::Finish, "Z w"),
        ] {
            check(place, keys, Pressed::Unbound);
        }
        check(
            KeyContext::FileList,
            "z b j",
            Pressed::Command(Command::Move(Motion::Down), None),
        );
        check(KeyContext::Prompt, "z", Pressed::Text('z'));
        check(KeyContext::Editor, "j", Pressed::Text('j'));
        check(KeyContext::Editor, "5", Pressed::Text('5'));
        check(
            KeyContext::Editor,
            "C-z",
            Pressed::Command(Command::Suspend, None),
        );
        check(KeyContext::Editor, "F5", Pressed::Unbound);
    }
}
