//! Answers of the terminal that come late, in pieces or unasked: they are dropped, and never taken for keys.
//!
//! The reader of the terminal knows the answers that begin with `ESC [`. The others (`ESC ]`, `ESC P`, `ESC _`: colours,
//! versions, graphics) it would hand over letter by letter, and the `r` of `rgb:` rejects. No person types their first letters
//! as quickly as they come, so keys that begin like one are held back for a moment.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Keys that come this soon after each other were not typed.
const AT_ONCE: Duration = Duration::from_millis(10);
/// An answer of which nothing more comes for so long has ended.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most keys that are held back.
const MOST: usize = 8;

/// Takes the terminal's answers out of what it reports.
#[derive(Debug)]
pub(crate) struct Replies {
    state: State,
    /// Events that may begin a reply.
    held: Vec<Event>,
    last: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In no answer.
    Outside,
    /// After `ESC`.
    Escape,
    /// After `]`, with `ESC` or without: digits and `;` make it an answer.
    Number,
    /// After `ESC P` or `ESC _`.
    Letter,
    /// In an answer, until its end.
    Inside,
    /// The same, after an `ESC` that may be the first half of the end.
    Ending,
}

impl Replies {
    /// Nothing has come yet; or an answer has begun, of which the rest is to come.
    pub(crate) fn new(now: Instant, in_answer: bool) -> Self {
        Self {
            state: if in_answer {
                State::Inside
            } else {
                State::Outside
            },
            held: Vec::new(),
            last: now,
        }
    }

    /// Returns the time to wait before calling [`Replies::rest`].
    pub(crate) fn patience(&self) -> Option<Duration> {
        (!self.held.is_empty()).then_some(AT_ONCE)
    }

    /// Takes an event, and gives those that are certainly no part of an answer.
    pub(crate) fn take(&mut self, event: Event, now: Instant) -> Vec<Event> {
        let mut given = self.rest(now);
        self.last = now;
        let Some(key) = pressed(&event) else {
            given.push(event);
            return given;
        };
        self.state = match (self.state, key) {
            (State::Inside, Key::End) | (State::Ending, Key::Char('\\')) => State::Outside,
            (State::Inside, Key::Escape) => State::Ending,
            (State::Inside | State::Ending, _) => State::Inside,
            (State::Outside, Key::Escape) => self.hold(State::Escape, event),
            (State::Outside | State::Escape, Key::Char(']')) | (_, Key::Alt(']')) => {
                self.hold(State::Number, event)
            }
            (State::Escape, Key::Char('P' | '_')) | (_, Key::Alt('P' | '_')) => {
                self.hold(State::Letter, event)
            }
            (State::Number, Key::Char('0'..='9')) if self.held.len() < MOST => {
                self.hold(State::Number, event)
            }
            (State::Number, Key::Char(';')) if self.has_digit() => self.swallow(),
            (State::Letter, Key::Char('0'..='9' | '>' | '!' | '$' | '+' | 'G')) => self.swallow(),
            _ => {
                given.append(&mut self.held);
                given.push(event);
                State::Outside
            }
        };
        given
    }

    /// Returns events that were held back and turned out to be keys, because nothing followed.
    pub(crate) fn rest(&mut self, now: Instant) -> Vec<Event> {
        let silence = now.saturating_duration_since(self.last);
        match self.state {
            State::Inside | State::Ending if silence > PATIENCE => self.state = State::Outside,
            State::Escape | State::Number | State::Letter if silence > AT_ONCE => {
                self.state = State::Outside;
                return std::mem::take(&mut self.held);
            }
            State::Inside
            | State::Ending
            | State::Outside
            | State::Escape
            | State::Number
            | State::Letter => (),
        }
        Vec::new()
    }

    fn hold(&mut self, state: State, event: Event) -> State {
        self.held.push(event);
        state
    }

    fn swallow(&mut self) -> State {
        self.held.clear();
        State::Inside
    }

    fn has_digit(&self) -> bool {
        let last = self.held.last().and_then(pressed);
        matches!(last, Some(Key::Char('0'..='9')))
    }
}

/// A key as far as answers are made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Escape,
    Char(char),
    Alt(char),
    /// End of a reply: BEL, or `ESC \`.
    End,
    Other,
}

fn pressed(event: &Event) -> Option<Key> {
    let Event::Key(KeyEvent {
        code,
        modifiers,
        kind,
        ..
    }) = event
    else {
        return None;
    };
    let control = modifiers.contains(KeyModifiers::CONTROL);
    let alt = modifiers.contains(KeyModifiers::ALT);
    if *kind == KeyEventKind::Release {
        return Some(Key::Other);
    }
    if *code == KeyCode::Esc {
        return Some(Key::Escape);
    }
    let KeyCode::Char(c) = *code else {
        return Some(Key::Other);
    };
    Some(match c {
        'g' if control => Key::End,
        '\\' if alt => Key::End,
        c if alt => Key::Alt(c),
        _ if control => Key::Other,
        c => Key::Char(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    /// Keys that get through: `^` before a letter is Alt, `$` is Escape, `*` is BEL, `~` a pause, anything
    /// else itself.
    #[track_caller]
    fn check(keys: &str, through: &str) {
        let mut now = Instant::now();
        let mut replies = Replies::new(now, false);
        let mut given = Vec::new();
        let mut alt = KeyModifiers::NONE;
        for c in keys.chars() {
            let event = match c {
                '^' => {
                    alt = KeyModifiers::ALT;
                    continue;
                }
                '~' => {
                    now += Duration::from_millis(200);
                    given.append(&mut replies.rest(now));
                    continue;
                }
                '$' => key(KeyCode::Esc, KeyModifiers::NONE),
                '*' => key(KeyCode::Char('g'), KeyModifiers::CONTROL),
                c => key(KeyCode::Char(c), alt),
            };
            alt = KeyModifiers::NONE;
            now += Duration::from_millis(1);
            given.append(&mut replies.take(event, now));
        }
        now += 2 * PATIENCE;
        given.append(&mut replies.rest(now));
        let shown: String = (given.iter().filter_map(pressed))
            .map(|key| match key {
                Key::Escape => "$".to_owned(),
                Key::Char(c) => c.to_string(),
                Key::Alt(c) => format!("^{c}"),
                Key::End => "*".to_owned(),
                Key::Other => "?".to_owned(),
            })
            .collect();
        assert_eq!(shown, through, "{keys}");
    }

    #[test]
    fn answers_are_dropped_whole_or_in_pieces() {
        check("^]11;rgb:1e1e/1e1e/1e1e*a", "a");
        check("^]11;rgb:1e1e/1e1e/1e1e^\\a", "a");
        check("$]11;rgb:1e1e/1e1e/1e1e$\\a", "a");
        // In two pieces, with a pause between them.
        check("$~]11;rgb:1e1e*a", "$a");
        check("^]11;rgb:1e~1e/1e1e^\\a", "a");
        check("^P>|xterm(390)^\\a", "a");
        check("^_Gi=31;OK^\\a", "a");
        check("^]10;rgb:0/0/0*^]11;rgb:f/f/f*r", "r");
    }

    #[test]
    fn what_is_typed_gets_through() {
        check("a]r", "a]r");
        check("]~1~1~;~r", "]11;r");
        check("]5j", "]5j");
        check("$", "$");
        check("$~]", "$]");
        check("^]", "^]");
        check("$$", "$$");
        check("]]", "]]");
        check("[]1", "[]1");
        check("]111111111;r", "]111111111;r");
    }
}
