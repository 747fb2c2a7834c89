//! A call joins a review that stays open, with the decisions that were made of it before.

use std::sync::Arc;

use super::decisions::Decisions;
use super::restore::{DecisionSource, TakenUp};
use crate::review::session::file::FileReview;
use crate::review::session::request::CallReview;
use crate::review::session::review_session::ReviewSession;

impl ReviewSession {
    /// Takes the files of a call in: at the end, or each in the place of what the call had under the same name, with every
    /// decision that still fits. What was decided of the same proposal before (`kept`) is taken up as well.
    pub fn join(
        &mut self,
        call: CallReview,
        files: Vec<FileReview>,
        kept: Option<&Decisions>,
    ) -> TakenUp {
        let number = call.call.number;
        let before = self.of_call(number);
        let steps = self.clone();
        let mut own = Self {
            files,
            ..Self::default()
        };
        let is_known = self.calls.iter().any(|other| other.call.number == number);
        if is_known {
            own.keep_decided_in_advance(&before);
        }
        let mut taken = own.take_up(&Decisions::of(&before), DecisionSource::SameProposal);
        own.take_seen(&before);
        if let Some(kept) = kept {
            let more = own.take_up(kept, DecisionSource::SameProposal);
            taken.hunks += more.hunks;
            taken.lost.extend(more.lost);
            taken.kept_edits.extend(more.kept_edits);
        }
        let comment = before.comment.or(own.comment);
        let known = self.calls.iter().find(|other| other.call.number == number);
        let asked = known.is_some_and(|known| known.asked);
        self.calls.retain(|other| other.call.number != number);
        let at = (self.calls).partition_point(|other| other.call.number < number);
        let of_call = Arc::clone(&call.call);
        let call = CallReview {
            comment,
            asked,
            ..call
        };
        self.calls.insert(at, call);
        let mut left: Vec<usize> = self.positions(number).collect();
        for file in own.files {
            let file = FileReview {
                call: Some(Arc::clone(&of_call)),
                ..file
            };
            match left.iter().position(|&at| self.files[at].path == file.path) {
                Some(known) => {
                    let at = left.swap_remove(known);
                    self.files[at] = file;
                    self.keep_steps(&steps, at);
                }
                None => self.files.push(file),
            }
        }
        for at in left {
            self.drop_file(at);
        }
        if !is_known {
            self.record_policy(number);
        }
        self.gather_problems();
        taken
    }
}
