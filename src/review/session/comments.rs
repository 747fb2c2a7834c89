//! Comments for the agent: on lines, a hunk, a file, the batch.
//!
//! Every comment is a step to take back. To say nothing takes a comment away.

use std::ops::Range;

use super::hunk::{ChangedLine, HunkId, HunkState, LineComment, Side};
use super::review_session::ReviewSession;
use super::steps::Saved;

impl ReviewSession {
    /// Says something of a hunk; `None` takes it back.
    pub fn comment(&mut self, id: HunkId, comment: Option<String>) {
        self.say(id, |state| state.comment = comment);
    }

    /// Says something of some changed lines of a hunk, in the place of what was said of the same lines; `None` takes that
    /// back. Lines that the hunk does not have are left aside.
    pub fn comment_lines(
        &mut self,
        id: HunkId,
        lines: Range<usize>,
        side: Side,
        comment: Option<String>,
    ) {
        self.say(id, |state| {
            let lines = lines.start..lines.end.min(state.lines.len());
            let same = |said: &LineComment| said.lines == lines && said.side == side;
            state.line_comments.retain(|said| !same(said));
            if let Some(text) = comment.filter(|_| !lines.is_empty()) {
                state.line_comments.push(LineComment { lines, side, text });
                state
                    .line_comments
                    .sort_by_key(|said| (said.lines.end, said.lines.start));
            }
        });
    }

    /// Says something of a file; `None` takes it back.
    pub fn comment_file(&mut self, file: usize, comment: Option<String>) {
        let Some(review) = self.files.get_mut(file).filter(|file| file.is_open()) else {
            return;
        };
        if review.comment != comment {
            let comment = std::mem::replace(&mut review.comment, comment);
            self.history
                .record(vec![Saved::FileComment { file, comment }]);
        }
    }

    /// Says something of everything that came with a file: of its call, or of the whole batch if it has none. `None` takes
    /// it back.
    pub fn say_of_batch(&mut self, file: Option<usize>, said: Option<String>) {
        let call = file.and_then(|file| self.files.get(file)?.call.as_ref());
        let known = |number: &u64| self.calls.iter().any(|own| own.call.number == *number);
        let call = call.map(|call| call.number).filter(known);
        let Some(comment) = self.comment_of(call) else {
            return;
        };
        if *comment != said {
            let comment = std::mem::replace(comment, said);
            self.history
                .record(vec![Saved::BatchComment { call, comment }]);
        }
    }

    /// Returns the comment on a call, or on the whole batch for `None`; nothing if the call has left.
    pub(in crate::review) fn comment_of(
        &mut self,
        call: Option<u64>,
    ) -> Option<&mut Option<String>> {
        match call {
            None => Some(&mut self.comment),
            Some(number) => {
                let mut calls = self.calls.iter_mut();
                let own = calls.find(|own| own.call.number == number)?;
                Some(&mut own.comment)
            }
        }
    }

    /// Returns the comment on exactly these lines.
    pub fn line_comment(&self, id: HunkId, lines: &Range<usize>, side: Side) -> Option<&str> {
        let said = &self.hunk(id)?.state.line_comments;
        let found = said
            .iter()
            .find(|said| said.lines == *lines && said.side == side);
        found.map(|said| said.text.as_str())
    }

    fn say(&mut self, id: HunkId, change: impl FnOnce(&mut HunkState)) {
        let Some(hunk) = self
            .files
            .get_mut(id.file)
            .filter(|file| file.is_open())
            .and_then(|file| file.hunks.get_mut(id.hunk))
        else {
            return;
        };
        let state = hunk.state.clone();
        change(&mut hunk.state);
        if hunk.state != state {
            self.history.record(vec![Saved::State { id, state }]);
        }
    }
}

/// Returns the comments on lines after an edit: on the lines that remain, else on those that replaced them.
pub(in crate::review) fn carried_comments(
    before: &HunkState,
    lines: &[ChangedLine],
) -> Vec<LineComment> {
    let moved = before.line_comments.iter().map(|said| {
        let old = &before.lines[said.lines.clone()];
        let stays = |line: &&ChangedLine| old.contains(line);
        let first = lines.iter().position(|line| stays(&line));
        let last = lines.iter().rposition(|line| stays(&line));
        let end = lines.len();
        let start = said.lines.start.min(end.saturating_sub(1));
        let lines = match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            (None, _) | (_, None) => start..said.lines.end.clamp(start, end),
        };
        LineComment {
            lines,
            ..said.clone()
        }
    });
    moved.collect()
}
