//! Splitting a hunk in two, so that its parts can be decided each by itself.
//!
//! The first part takes the hunk's place and the second one follows all hunks of the file, so that no other hunk gets
//! another position. A report still answers for the hunk as it was proposed.

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::file::FileReview;
use super::hunk::{ChangedLine, HunkId, HunkReview, HunkState, LineComment, Part};
use super::review_session::ReviewSession;
use super::steps::Saved;

/// Why a hunk was not split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotSplit {
    /// It has no lines, or no place.
    #[error("this hunk has no lines to split")]
    NoLines,
    /// One of the parts would have no line.
    #[error(
        "a split puts what is above the cursor into one hunk and the rest into another: go to a later line of it"
    )]
    AtTheEdge,
    /// The person's edit of it, of the whole hunk, waits for a place.
    #[error("your edit of this hunk has no place yet: place it or drop it first")]
    EditWithoutPlace,
    /// The cut is inside edited lines, which have no counterpart in the agent's lines.
    #[error("an edited hunk can be split at unchanged lines only")]
    Edited,
}

impl ReviewSession {
    /// Splits a hunk: its changed line at the position `line` and all after it become another hunk, which follows all
    /// others of the file.
    ///
    /// # Errors
    ///
    /// [`NotSplit`] if that would leave a part without lines, or cut through an edit.
    pub fn split(&mut self, id: HunkId, line: usize) -> Result<HunkId, NotSplit> {
        let hunk = self
            .hunk(id)
            .filter(|hunk| hunk.is_decidable() && !hunk.proposed.is_empty() && id.is_open(self))
            .ok_or(NotSplit::NoLines)?;
        if hunk.kept_edit().is_some() {
            return Err(NotSplit::EditWithoutPlace);
        }
        let state = &hunk.state;
        if line == 0 || line >= state.lines.len() {
            return Err(NotSplit::AtTheEdge);
        }
        let cut = if state.edited {
            if state.lines[line - 1].end() == state.lines[line].at {
                return Err(NotSplit::Edited);
            }
            let at = state.lines[line].at;
            // The first part keeps a line of the agent's, to be known by.
            let above = hunk.proposed.partition_point(|proposed| proposed.at < at);
            above.max(1)
        } else {
            line
        };
        let before = Box::new(hunk.clone());
        let file = &mut self.files[id.file];
        let from = file.hunks.len();
        file.cut(id.hunk, cut, line);
        file.rebuild();
        self.history.record(vec![
            Saved::Hunk { id, hunk: before },
            Saved::Tail {
                file: id.file,
                from,
                hunks: Vec::new(),
            },
        ]);
        Ok(HunkId {
            file: id.file,
            hunk: from,
        })
    }
}

impl FileReview {
    /// Joins the parts of a split hunk again: undecided, as the agent sent it, with the comment on its first part.
    pub(in crate::review) fn join_parts(&mut self, of: usize) {
        let Some(part) = self.hunks[of].part.take() else {
            return;
        };
        let whole = &mut self.hunks[of];
        whole.state = HunkState {
            comment: whole.state.comment.take(),
            ..HunkState::new(Arc::clone(&part.whole), false)
        };
        whole.proposed = part.whole;
        let is_of_it = |hunk: &HunkReview| hunk.part.as_ref().is_some_and(|part| part.of == of);
        self.hunks.retain(|hunk| !is_of_it(hunk));
    }

    /// Cuts a hunk: `cut` is the position among the lines proposed for it, `line` the one among its lines as they are.
    pub(in crate::review) fn cut(&mut self, hunk: usize, cut: usize, line: usize) {
        let review = &mut self.hunks[hunk];
        let part = review.part.clone().unwrap_or_else(|| Part {
            of: hunk,
            lines: 0..review.proposed.len(),
            whole: Arc::clone(&review.proposed),
        });
        let middle = part.lines.start + cut;
        let mut second = review.taken(cut..review.proposed.len(), line..review.state.lines.len());
        *review = review.taken(0..cut, 0..line);
        review.part = Some(Part {
            lines: part.lines.start..middle,
            ..part.clone()
        });
        second.part = Some(Part {
            lines: middle..part.lines.end,
            ..part
        });
        second.state.comment = None;
        self.hunks.push(second);
    }
}

impl HunkReview {
    /// The part of it that has these of the lines proposed for it, and these of the lines that it has now.
    fn taken(&self, proposed: Range<usize>, lines: Range<usize>) -> Self {
        let HunkState {
            edited,
            comment,
            line_comments,
            ..
        } = &self.state;
        let proposed: Arc<[ChangedLine]> = self.proposed[proposed].into();
        let comments = line_comments.iter().filter_map(|said| {
            let own = said.lines.start.max(lines.start)..said.lines.end.min(lines.end);
            let lines = own.start.saturating_sub(lines.start)..own.end.saturating_sub(lines.start);
            (!own.is_empty()).then(|| LineComment {
                lines,
                ..said.clone()
            })
        });
        let comments = comments.collect();
        let changed: Arc<[ChangedLine]> = self.state.lines[lines.clone()].into();
        let seen = self.seen.part(&self.state.lines, lines.clone(), &changed);
        Self {
            state: HunkState {
                edited: *edited && changed != proposed,
                lines: changed,
                marks: self.state.marks[lines.clone()].to_vec(),
                comment: comment.clone(),
                line_comments: comments,
                // What proves the whole does not prove a part of it.
                in_advance: None,
            },
            seen,
            proposed,
            ..self.clone()
        }
    }
}
