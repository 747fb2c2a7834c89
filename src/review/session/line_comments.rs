//! Comments on unchanged lines of a file, for the agent.
//!
//! The lines are those of the base. Like every comment it is a step to take back, and to say nothing takes it away.

use std::ops::Range;

use super::file::{FileReview, PassageComment};
use super::hunk::HunkReview;
use super::review_session::ReviewSession;
use super::steps::Saved;
use crate::text::LineIdx;

impl ReviewSession {
    /// Says something of some lines of a file's base, in the place of what was said of the same lines; `None` takes that back.
    /// Lines that the base does not have are left aside.
    pub fn comment_passage(&mut self, file: usize, lines: &Range<LineIdx>, said: Option<String>) {
        let Some(review) = self.files.get_mut(file).filter(|file| file.is_open()) else {
            return;
        };
        let lines = lines.start..lines.end.min(review.base.len());
        let mut passages = review.passages.clone();
        passages.retain(|said| said.lines != lines);
        if let Some(text) = said.filter(|_| !lines.is_empty()) {
            passages.push(PassageComment { lines, text });
            passages.sort_by_key(|said| (said.lines.end, said.lines.start));
        }
        if passages != review.passages {
            let passages = std::mem::replace(&mut review.passages, passages);
            self.history
                .record(vec![Saved::Passages { file, passages }]);
        }
    }
}

impl FileReview {
    /// Returns the comment on exactly these lines of the base.
    pub fn passage(&self, lines: &Range<LineIdx>) -> Option<&str> {
        let said = self.passages.iter().find(|said| said.lines == *lines);
        said.map(|said| said.text.as_str())
    }

    /// Returns true if it, its hunks or its lines have a comment.
    pub fn is_commented(&self) -> bool {
        let said = |hunk: &HunkReview| {
            hunk.state.comment.is_some() || !hunk.state.line_comments.is_empty()
        };
        self.comment.is_some() || !self.passages.is_empty() || self.hunks.iter().any(said)
    }
}
