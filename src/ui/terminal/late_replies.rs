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
    state: ReplyState,
    /// Events that may begin a reply.
    held: Vec<Event>,
    last: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplyState {
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
                ReplyState::Inside
            } else {
                ReplyState::Outside
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
            (ReplyState::Inside, ReplyKey::End) | (ReplyState::Ending, ReplyKey::Char('\\')) => {
                ReplyState::Outside
            }
            (ReplyState::Inside, ReplyKey::Escape) => ReplyState::Ending,
            (ReplyState::Inside | ReplyState::Ending, _) => ReplyState::Inside,
            (ReplyState::Outside, ReplyKey::Escape) => self.hold(ReplyState::Escape, event),
            (ReplyState::Outside | ReplyState::Escape, ReplyKey::Char(']'))
            | (_, ReplyKey::Alt(']')) => self.hold(ReplyState::Number, event),
            (ReplyState::Escape, ReplyKey::Char('P' | '_')) | (_, ReplyKey::Alt('P' | '_')) => {
                self.hold(ReplyState::Letter, event)
            }
            (ReplyState::Number, ReplyKey::Char('0'..='9')) if self.held.len() < MOST => {
                self.hold(ReplyState::Number, event)
            }
            (ReplyState::Number, ReplyKey::Char(';')) if self.has_digit() => self.swallow(),
            (ReplyState::Letter, ReplyKey::Char('0'..='9' | '>' | '!' | '$' | '+' | 'G')) => {
                self.swallow()
            }
            _ => {
                given.append(&mut self.held);
                given.push(event);
                ReplyState::Outside
            }
        };
        given
    }

    /// Returns events that were held back and turned out to be keys, because nothing followed.
    pub(crate) fn rest(&mut self, now: Instant) -> Vec<Event> {
        let silence = now.saturating_duration_since(self.last);
        match self.state {
            ReplyState::Inside | ReplyState::Ending if silence > PATIENCE => {
                self.state = ReplyState::Outside;
            }
            ReplyState::Escape | ReplyState::Number | ReplyState::Letter if silence > AT_ONCE => {
                self.state = ReplyState::Outside;
                return std::mem::take(&mut self.held);
            }
            ReplyState::Inside
            | ReplyState::Ending
            | ReplyState::Outside
            | ReplyState::Escape
            | ReplyState::Number
            | ReplyState::Letter => (),
        }
        Vec::new()
    }

    fn hold(&mut self, state: ReplyState, event: Event) -> ReplyState {
        self.held.push(event);
        state
    }

    fn swallow(&mut self) -> ReplyState {
        self.held.clear();
        ReplyState::Inside
    }

    fn has_digit(&self) -> bool {
        let last = self.held.last().and_then(pressed);
        matches!(last, Some(ReplyKey::Char('0'..='9')))
    }
}

/// A key as far as answers are made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReplyKey {
    Escape,
    Char(char),
    Alt(char),
    /// End of a reply: BEL, or `ESC \`.
    End,
    Other,
}

fn pressed(event: &Event) -> Option<ReplyKey> {
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
        return Some(ReplyKey::Other);
    }
    if *code == KeyCode::Esc {
        return Some(ReplyKey::Escape);
    }
    let KeyCode::Char(c) = *code else {
        return Some(ReplyKey::Other);
    };
    Some(match c {
        'g' if control => ReplyKey::End,
        '\\' if alt => ReplyKey::End,
        c if alt => ReplyKey::Alt(c),
        _ if control => ReplyKey::Other,
        c => ReplyKey::Char(c),
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
                ReplyKey::Escape => "$".to_owned(),
                ReplyKey::Char(c) => c.to_string(),
                ReplyKey::Alt(c) => format!("^{c}"),
                ReplyKey::End => "*".to_owned(),
                ReplyKey::Other => "?".to_owned(),
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
