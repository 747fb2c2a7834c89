//! A key press as the key table writes it: `j`, `C-d`, `S-Tab`, `M-Enter`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use thiserror::Error;

/// One key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keystroke {
    /// The key itself. A character carries its own case, so `shift` is never set beside one.
    pub key: Key,
    /// True if Control is held.
    pub ctrl: bool,
    /// True if Alt is held.
    pub alt: bool,
    /// True if Shift is held; never for characters, which carry their own case.
    pub shift: bool,
}

/// A key without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character; Space is one.
    Char(char),
    /// A key with a name.
    Named(NamedKey),
    /// A function key.
    Function(u8),
}

/// The keys that have a name instead of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the name on the key")]
pub enum NamedKey {
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

/// Every named key, with the word that the key table uses for it.
const NAMES: [(NamedKey, &str); 14] = [
    (NamedKey::Enter, "Enter"),
    (NamedKey::Esc, "Esc"),
    (NamedKey::Tab, "Tab"),
    (NamedKey::Backspace, "Backspace"),
    (NamedKey::Delete, "Del"),
    (NamedKey::Insert, "Ins"),
    (NamedKey::Up, "Up"),
    (NamedKey::Down, "Down"),
    (NamedKey::Left, "Left"),
    (NamedKey::Right, "Right"),
    (NamedKey::Home, "Home"),
    (NamedKey::End, "End"),
    (NamedKey::PageUp, "PgUp"),
    (NamedKey::PageDown, "PgDn"),
];

/// A word that names no key.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
#[error("`{0}` is not a key")]
pub struct NotAKey(String);

impl Keystroke {
    /// The key a terminal reports, or `None` for one that nothing can be bound to.
    pub fn from_event(event: KeyEvent) -> Option<Self> {
        let (key, shift) = key_of(event.code)?;
        let named = !matches!(key, Key::Char(_));
        Some(Self {
            key,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
            shift: shift || named && event.modifiers.contains(KeyModifiers::SHIFT),
        })
    }

    /// The key of a character without modifiers.
    pub fn char(c: char) -> Self {
        Self {
            key: Key::Char(c),
            ctrl: false,
            alt: false,
            shift: false,
        }
    }

    /// Returns the character to insert where text is typed, if the key is one.
    pub fn typed(self) -> Option<char> {
        match self.key {
            Key::Char(c) if !self.ctrl && !self.alt => Some(c),
            Key::Char(_) | Key::Named(_) | Key::Function(_) => None,
        }
    }

    /// The same without Shift.
    #[must_use]
    pub fn without_shift(self) -> Self {
        Self {
            shift: false,
            ..self
        }
    }

    /// The digit, if the chord is one.
    pub fn digit(self) -> Option<usize> {
        self.typed()
            .and_then(|c| c.to_digit(10))
            .map(|digit| digit as usize)
    }
}

/// The key of a terminal's code, and whether the code itself says that Shift is held.
fn key_of(code: KeyCode) -> Option<(Key, bool)> {
    let named = |name| Some((Key::Named(name), false));
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "crossterm's list of keys is open, and what is not here cannot be bound"
    )]
    match code {
        KeyCode::Char(c) => Some((Key::Char(c), false)),
        KeyCode::F(number) => Some((Key::Function(number), false)),
        KeyCode::Enter => named(NamedKey::Enter),
        KeyCode::Esc => named(NamedKey::Esc),
        KeyCode::Tab => named(NamedKey::Tab),
        KeyCode::BackTab => Some((Key::Named(NamedKey::Tab), true)),
        KeyCode::Backspace => named(NamedKey::Backspace),
        KeyCode::Delete => named(NamedKey::Delete),
        KeyCode::Insert => named(NamedKey::Insert),
        KeyCode::Up => named(NamedKey::Up),
        KeyCode::Down => named(NamedKey::Down),
        KeyCode::Left => named(NamedKey::Left),
        KeyCode::Right => named(NamedKey::Right),
        KeyCode::Home => named(NamedKey::Home),
        KeyCode::End => named(NamedKey::End),
        KeyCode::PageUp => named(NamedKey::PageUp),
        KeyCode::PageDown => named(NamedKey::PageDown),
        _ => None,
    }
}

impl FromStr for Keystroke {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        while rest.len() > 2 {
            match &rest.as_bytes()[..2] {
                b"C-" => ctrl = true,
                b"M-" => alt = true,
                b"S-" => shift = true,
                _ => break,
            }
            rest = &rest[2..];
        }
        let key = parse_key(rest).ok_or_else(|| NotAKey(text.to_owned()))?;
        Ok(Self {
            key,
            ctrl,
            alt,
            shift,
        })
    }
}

fn parse_key(word: &str) -> Option<Key> {
    let mut chars = word.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return Some(Key::Char(c));
    }
    if word == "Space" {
        return Some(Key::Char(' '));
    }
    if let Some(number) = word.strip_prefix('F') {
        return number.parse().ok().map(Key::Function);
    }
    let (named, _) = NAMES.iter().find(|(_, name)| *name == word)?;
    Some(Key::Named(*named))
}

impl fmt::Display for Keystroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, prefix) in [(self.ctrl, "C-"), (self.alt, "M-"), (self.shift, "S-")] {
            if held {
                f.write_str(prefix)?;
            }
        }
        match self.key {
            Key::Char(' ') => f.write_str("Space"),
            Key::Char(c) => write!(f, "{c}"),
            Key::Function(number) => write!(f, "F{number}"),
            Key::Named(named) => {
                let name = NAMES.iter().find(|(key, _)| *key == named);
                f.write_str(name.map_or("?", |(_, name)| name))
            }
        }
    }
}

/// The chords of a sequence such as `g g` or `C-c C-c`, blanks between them.
///
/// # Errors
///
/// [`NotAKey`] for the first word that names none.
pub fn parse_sequence(text: &str) -> Result<Vec<Keystroke>, NotAKey> {
    text.split_whitespace().map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_reads_back_as_it_is_written() {
        for text in [
            "j", "G", "C-d", "M-x", "S-Tab", "C-S-Left", "Space", "F12", "-", "C--", "Esc", "|",
        ] {
            let chord: Keystroke = text.parse().unwrap();
            assert_eq!(chord.to_string(), text);
        }
        assert_eq!("Foo".parse::<Keystroke>(), Err(NotAKey("Foo".into())));
    }

    #[test]
    fn terminals_report_shift_in_two_ways() {
        let back_tab = KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT);
        assert_eq!(Keystroke::from_event(back_tab), "S-Tab".parse().ok());
        let capital = KeyEvent::new(KeyCode::Char('A'), KeyModifiers::SHIFT);
        assert_eq!(Keystroke::from_event(capital), Some(Keystroke::char('A')));
    }
}
