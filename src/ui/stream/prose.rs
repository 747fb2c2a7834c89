//! The rows that say something in words: notes, comments, and what was not understood. They are always seen whole.

use std::borrow::Cow;
use std::ops::Range;

use crate::review::{ReviewSession, Row, Rows, Subject, said_of};
use crate::ui::glyphs::wrap;

/// Text of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose<'a> {
    /// The cells in front of its sign.
    pub indent: u16,
    /// The words.
    pub text: Cow<'a, str>,
}

impl<'a> Prose<'a> {
    /// Returns the text of a row, or `None` if the row shows lines of a file. `sign` is the column of the sign of a
    /// changed line, under which comments on lines are indented.
    pub(crate) fn of(
        rows: &'a Rows,
        session: &'a ReviewSession,
        row: Row,
        sign: u16,
    ) -> Option<Self> {
        match row {
            Row::Note { file, hunk, line } => {
                let note = rows.note(file, hunk, line)?;
                Some(Self {
                    indent: 1,
                    text: Cow::Borrowed(&note.text),
                })
            }
            Row::Problem { problem, line, .. } => {
                let problem = session.problems.get(problem)?;
                if let Some(line) = line.checked_sub(1) {
                    let text = problem.text.get(line)?;
                    return Some(Self {
                        indent: 1,
                        text: Cow::Borrowed(text),
                    });
                }
                let path = problem.path.as_ref().map(|path| format!("{path}: "));
                Some(Self {
                    indent: 1,
                    text: Cow::Owned(format!("{}{problem}", path.unwrap_or_default())),
                })
            }
            Row::Comment { file, about, line } => {
                let said = said_of(session, file, about);
                let indent = match about {
                    Subject::Batch | Subject::File => 1,
                    Subject::Hunk(_) => 3,
                    Subject::Lines { .. } | Subject::Passage(_) | Subject::Thread(_) => sign,
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
            | Row::FoldedChange { .. }
            | Row::Elsewhere { .. }
            | Row::Purpose { .. }
            | Row::Gap { .. } => None,
        }
    }

    /// The bytes of its lines at a width of the stream, at least one.
    pub(crate) fn ranges(&self, width: u16) -> Vec<Range<usize>> {
        // Behind the sign and a blank, and a blank at the end.
        let room = width.saturating_sub(self.indent + 3);
        wrap::word_ranges(&self.text, room.into())
    }
}
