//! The body of a hunk in the dialects that put ` `, `-` or `+` before each line.

use crate::dialect::input::Input;
use crate::proposal::{Body, FinalNewline, MarkedChange};
use crate::text::LineIdx;

/// Kind of a line, by its first character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum LineMark {
    Context,
    /// An empty line: a context line whose blank was trimmed, or a gap.
    Empty,
    Removed,
    Added,
    /// `\ No newline at end of file`, in whatever language.
    NoNewline,
}

/// Takes the mark off a line.
pub(in crate::dialect) fn mark(line: &str) -> Option<(LineMark, &str)> {
    let mark = match line.as_bytes().first() {
        None => return Some((LineMark::Empty, "")),
        Some(b' ') => LineMark::Context,
        Some(b'-') => LineMark::Removed,
        Some(b'+') => LineMark::Added,
        Some(b'\\') if line.starts_with("\\ ") => return Some((LineMark::NoNewline, "")),
        Some(_) => return None,
    };
    Some((mark, &line[1..]))
}

/// A body as it grows line by line.
#[derive(Debug, Default)]
pub(in crate::dialect) struct DiffBody {
    pub(super) body: Body,
    /// The changes between context lines.
    pub(super) marked: Vec<MarkedChange>,
    /// The number of lines that are removed or added.
    pub(in crate::dialect) changes: usize,
    /// The number of context lines after the last change.
    pub(super) context_after: usize,
    /// The number of empty ones at their end.
    empty_after: usize,
    last: Option<LineMark>,
    /// True for each half that is marked as ending without a newline.
    unended: [bool; 2],
}

impl DiffBody {
    /// A body that is said to grow to so many lines of each half.
    pub(super) fn of(old: usize, new: usize) -> Self {
        Self {
            body: Body {
                preimage: Vec::with_capacity(old),
                postimage: Vec::with_capacity(new),
            },
            ..Self::default()
        }
    }

    /// Takes one more line.
    pub(in crate::dialect) fn push(&mut self, mark: LineMark, text: &str) {
        match mark {
            LineMark::NoNewline => {
                self.unended[0] |= self.last != Some(LineMark::Added);
                self.unended[1] |= self.last != Some(LineMark::Removed);
                return;
            }
            LineMark::Context | LineMark::Empty => {
                self.body.preimage.push(text.to_owned());
                self.body.postimage.push(text.to_owned());
                self.context_after += 1;
            }
            LineMark::Removed | LineMark::Added => self.push_change(mark, text),
        }
        self.empty_after = if mark == LineMark::Empty {
            self.empty_after + 1
        } else {
            0
        };
        self.last = Some(mark);
    }

    /// Takes one more line that is removed or added.
    fn push_change(&mut self, mark: LineMark, text: &str) {
        let (old, new) = self.body.counts();
        if self.marked.is_empty() || self.context_after > 0 {
            self.marked.push(MarkedChange {
                removed: old..old,
                added: new..new,
            });
        }
        let Body {
            preimage,
            postimage,
        } = &mut self.body;
        let half = if mark == LineMark::Removed {
            preimage
        } else {
            postimage
        };
        half.push(text.to_owned());
        let (old, new) = self.body.counts();
        if let Some(change) = self.marked.last_mut() {
            change.removed.end = old;
            change.added.end = new;
        }
        self.changes += 1;
        self.context_after = 0;
    }

    /// Gives the last line the carriage return that is before the `\ No newline` line at `at`: a line without an end has no ending
    /// that it could belong to.
    pub(in crate::dialect) fn push_return(&mut self, input: &Input, at: LineIdx) {
        let Some(line) = at.checked_sub(1).filter(|line| input.has_return(*line)) else {
            return;
        };
        if input.has_return(at) {
            return;
        }
        let [pre, post] = [&mut self.body.preimage, &mut self.body.postimage];
        let halves = match input.line(line).and_then(mark) {
            Some((LineMark::Removed, _)) => [pre.last_mut(), None],
            Some((LineMark::Added, _)) => [None, post.last_mut()],
            Some((LineMark::Context | LineMark::Empty, _)) => [pre.last_mut(), post.last_mut()],
            Some((LineMark::NoNewline, _)) | None => [None, None],
        };
        for last in halves.into_iter().flatten() {
            last.push('\r');
        }
    }

    /// Drops empty lines at the end: they may as well part the hunk from what follows.
    pub(in crate::dialect) fn drop_trailing_empty(&mut self) {
        let [pre, post] = [&mut self.body.preimage, &mut self.body.postimage];
        pre.truncate(pre.len() - self.empty_after);
        post.truncate(post.len() - self.empty_after);
        self.context_after -= self.empty_after;
        self.empty_after = 0;
    }

    /// Returns `true` if no line was taken.
    pub(in crate::dialect) fn is_empty(&self) -> bool {
        self.body.preimage.is_empty() && self.body.postimage.is_empty()
    }

    /// Returns the statement of the `\ No newline` lines.
    pub(super) fn final_newline(&self) -> FinalNewline {
        match self.unended {
            [true, false] => FinalNewline::Add,
            [false, true] => FinalNewline::Remove,
            [true, true] | [false, false] => FinalNewline::Keep,
        }
    }
}
