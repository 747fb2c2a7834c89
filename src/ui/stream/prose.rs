//! The rows that say something in words: notes, comments, and what was not understood. They are always seen whole.

use std::borrow::Cow;

use super::Stream;
use crate::review::{ReviewSession, Row, Subject, said_of};
use crate::ui::wrap;

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose<'a> {
    /// The cells in front of its sign.
    pub indent: u16,
    /// The words.
    pub text: Cow<'a, str>,
}

impl<'a> Prose<'a> {
    /// What a row says, if it is one of those.
    pub fn of(stream: &'a Stream, session: &'a ReviewSession, row: Row) -> Option<Self> {
        match row {
            Row::Note { file, hunk, line } => {
                let note = stream.rows.note(file, hunk, line)?;
                Some(Self {
                    indent: 1,
                    text: Cow::Borrowed(&note.text),
                })
            }
            Row::Problem { problem, .. } => {
                let problem = session.problems.get(problem)?;
                let path = problem.path.as_ref().map(|path| format!("{path}: "));
                Some(Self {
                    indent: 1,
                    text: Cow::Owned(format!("{}input {problem}", path.unwrap_or_default())),
                })
            }
            Row::Comment { file, about, line } => {
                let said = said_of(session, file, about);
                let indent = match about {
                    Subject::Batch | Subject::File => 1,
                    Subject::Hunk(_) => 3,
                    Subject::Lines { .. } | Subject::Passage(_) => {
                        let sign = stream.columns(session, file).new.sign;
                        sign.saturating_sub(stream.body.x)
                    }
                };
                let text = said.and_then(|said| said.lines().nth(line));
                Some(Self {
                    indent,
                    text: Cow::Borrowed(text.unwrap_or_default()),
                })
            }
            Row::File { .. }
            | Row::Hunk { .. }
            | Row::Context { .. }
            | Row::Change { .. }
            | Row::Fold { .. }
            | Row::Gap { .. } => None,
        }
    }

    /// Its lines at a width of the stream, at least one.
    pub fn lines(&self, width: u16) -> Vec<&str> {
        // Behind the sign and a blank, and a blank at the end.
        let room = width.saturating_sub(self.indent + 3);
        wrap::words(&self.text, room.into())
    }
}
