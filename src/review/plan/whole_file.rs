//! The text of a whole file, as it is meant beside the text that the file has now.

use std::borrow::Cow;

use crate::proposal::{FileChange, FinalNewline, Hunk, numbered_line};
use crate::review::session::hunk::Remark;
use crate::text::{Document, LineEnding};

/// The requested text of a file.
pub(in crate::review) struct WholeText<'a> {
    pub(in crate::review) lines: Cow<'a, [String]>,
    /// The oddity that was tolerated in reading them.
    pub(in crate::review) remark: Option<Remark>,
    /// True if the last line has no newline.
    unended: bool,
}

impl<'a> WholeText<'a> {
    /// Reads the one hunk of a creation or an overwriting. Numbers before the lines and a fence around them belong to the
    /// text only if the file has the same.
    pub(in crate::review) fn of(change: &'a FileChange, base: &Document) -> Self {
        let Some(hunk) = change.hunks.first() else {
            return Self {
                lines: Cow::Borrowed(&[]),
                remark: None,
                unended: false,
            };
        };
        let other = hunk.other_readings.first();
        let other = other.filter(|_| !is_wrapped(hunk, base));
        let lines = match other {
            Some(other) => Cow::Borrowed(other.postimage.as_slice()),
            None => stated(hunk, base),
        };
        Self {
            lines,
            remark: other.map(|_| Remark::Wrapping),
            unended: hunk.final_newline == FinalNewline::Remove,
        }
    }

    /// Returns it as a text of its own.
    pub(in crate::review) fn document(&self) -> Document {
        let text = self.lines.join("\n");
        let ends = !self.lines.is_empty() && !self.unended;
        Document::from_text(if ends { text + "\n" } else { text })
    }

    /// Returns true if a file holds just this. A carriage return at the end of a line may be part of the line or of its ending.
    pub(in crate::review) fn is_text_of(&self, base: &Document) -> bool {
        let ended = self.lines.is_empty() || base.has_final_newline() != self.unended;
        let mut lines = self.lines.iter().enumerate();
        ended
            && base.len() == self.lines.len()
            && lines.all(|(idx, line)| {
                let raw = base.raw_line(idx);
                base.line(idx) == line || raw.strip_suffix('\n').unwrap_or(raw) == line
            })
    }
}

/// Returns the lines of a text, with the carriage returns of its endings if the file has no endings that it could keep.
fn stated<'a>(hunk: &'a Hunk, base: &Document) -> Cow<'a, [String]> {
    let lines = hunk.body.postimage.as_slice();
    if hunk.endings.is_empty() || base.text().contains('\n') {
        return Cow::Borrowed(lines);
    }
    let mut lines = lines.to_vec();
    for (line, ending) in lines.iter_mut().zip(&hunk.endings) {
        if *ending == LineEnding::CrLf {
            line.push('\r');
        }
    }
    Cow::Owned(lines)
}

/// Returns true if the file itself has the wrapping that another reading of its new text leaves out.
fn is_wrapped(hunk: &Hunk, base: &Document) -> bool {
    let first = hunk.body.postimage.first().map(String::as_str);
    let numbered = first.is_some_and(|first| numbered_line(first).is_some());
    if numbered {
        !base.is_empty() && base.lines().all(|line| numbered_line(line).is_some())
    } else {
        first == base.lines().next()
    }
}
