//! The decisions of a person in earlier reviews, which the next one takes into account.

use std::cmp::Reverse;
use std::io;
use std::mem;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::app::notice::say;
use crate::config::{OnRejectedBefore, Settings};
use crate::review::{
    Approvals, ApprovedFile, Decisions, HunkId, HunkReview, RejectionRecord, Rejections, Remark,
    ReviewSession, Writing, accepted_after_all, approved_changes, rejected_changes,
};
use crate::store::{ContentHash, KeptRejections, Root, SavedReview};

/// Most unfinished reviews that are read, the latest first.
const MOST_UNFINISHED: usize = 32;

/// Outcome for the changes that a review accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AcceptedChanges {
    /// They are written.
    Written,
    /// They are not written, and stay accepted.
    HeldBack,
    /// The person discards them. Those that were rejected before stay rejected.
    Discarded,
}

impl AcceptedChanges {
    pub(crate) fn after(writing: &Writing) -> Self {
        match writing.error() {
            None => Self::Written,
            Some(_) => Self::HeldBack,
        }
    }
}

/// Collects what the decisions of a review reject and accept. To be called before anything is rejected for another reason, such as the
/// end of the review.
pub(crate) fn collected(session: &ReviewSession, accepted: AcceptedChanges) -> RejectionRecord {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut record = RejectionRecord {
        time: now.map_or(0, |now| now.as_secs()),
        rejected: rejected_changes(session),
        ..RejectionRecord::default()
    };
    if accepted != AcceptedChanges::Discarded {
        record.accepted = accepted_after_all(session);
        record.approved = approved_changes(session, accepted == AcceptedChanges::Written);
    }
    record
}

/// Saves the record of a review for later ones. If that fails, prints the error and goes on.
pub(crate) fn keep(root: &Root, record: &RejectionRecord) {
    if record.is_empty() {
        return;
    }
    let bytes = serde_json::to_vec(record).unwrap_or_default();
    if let Err(error) = root.keep_rejections(&bytes) {
        say(&format!("what you rejected is not kept: {error}"));
    }
}

/// The records of the finished reviews of a root.
pub(crate) struct EarlierReviews {
    rejections: Rejections,
    /// The accepted changes of each review, with its time.
    approved: Vec<(u64, Vec<ApprovedFile>)>,
    /// The first record that cannot be read, with the reason.
    unreadable: Option<Arc<str>>,
}

impl EarlierReviews {
    /// Reads the records.
    pub(crate) fn read(root: &Root) -> Self {
        let (mut records, mut approved, mut unreadable) = (Vec::new(), Vec::new(), None);
        for KeptRejections { path, content } in root.rejections() {
            let read: io::Result<RejectionRecord> =
                content.and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
            match read {
                Ok(mut record) => {
                    approved.push((record.time, mem::take(&mut record.approved)));
                    records.push(record);
                }
                Err(error) => {
                    unreadable.get_or_insert_with(|| format!("`{}`: {error}", path.display()));
                }
            }
        }
        Self {
            rejections: Rejections::new(records),
            approved,
            unreadable: unreadable.map(Arc::from),
        }
    }

    /// Marks the hunks that propose what was rejected before. If a record cannot be read, each of them may, and none is accepted in batch.
    pub(crate) fn mark(&self, session: &mut ReviewSession) {
        self.rejections.mark(session);
        let Some(unreadable) = &self.unreadable else {
            return;
        };
        let hunks = session.files.iter_mut().flat_map(|file| &mut file.hunks);
        for hunk in hunks.filter(|hunk| !hunk.is_applied()) {
            let remark = Remark::RejectionsUnread(Arc::clone(unreadable));
            hunk.remarks.push(remark);
        }
    }

    /// Accepts the hunks that are just what was accepted before, in a finished review or in an unfinished one of other edits than `own`:
    /// what is saved of their own review is taken up as a whole.
    pub(crate) fn accept_again(&self, root: &Root, own: ContentHash, session: &mut ReviewSession) {
        let unfinished = unfinished(root, own);
        let mut reviews: Vec<&(u64, Vec<ApprovedFile>)> =
            self.approved.iter().chain(&unfinished).collect();
        reviews.sort_by_key(|(time, _)| Reverse(*time));
        Approvals::new(reviews.iter().flat_map(|(_, files)| files)).accept(session);
    }
}

/// Carries the person's decisions over to a review that the person follows: marks the hunks that are what was rejected before, and accepts
/// those that are just what was accepted before.
pub(crate) fn carry_over(root: &Root, own: ContentHash, session: &mut ReviewSession) {
    let earlier = EarlierReviews::read(root);
    earlier.mark(session);
    earlier.accept_again(root, own, session);
}

/// Reads what is accepted in the unfinished reviews of other edits, each with the time of its last decision.
fn unfinished(root: &Root, own: ContentHash) -> Vec<(u64, Vec<ApprovedFile>)> {
    let saved = root.all_saved_reviews().unwrap_or_default().into_iter();
    let others = saved.filter(|(_, review)| !review.is_of(own));
    let others = others.take(MOST_UNFINISHED);
    others
        .filter_map(|(time, review)| {
            let time = time.duration_since(UNIX_EPOCH).ok()?;
            Some((time.as_secs(), approved_in(&review)?))
        })
        .collect()
}

/// Reads what is accepted in an unfinished review.
fn approved_in(review: &SavedReview) -> Option<Vec<ApprovedFile>> {
    let bytes = review.read().ok()??;
    let decisions = Decisions::from_json(&bytes).ok()?;
    let files = decisions.files.into_iter();
    Some(files.filter_map(|file| file.approved).collect())
}

/// Rejects the hunks that are just what was rejected before, if the settings say so.
pub(crate) fn reject_again(settings: &Settings, session: &mut ReviewSession) {
    if settings.review.rejected_before == OnRejectedBefore::Ask {
        return;
    }
    let is_same = |hunk: &HunkReview| hunk.recurrence().is_some_and(|it| it.kind.is_same());
    let hunks = session.hunks().filter(|(_, hunk)| is_same(hunk));
    let hunks: Vec<HunkId> = hunks.map(|(id, _)| id).collect();
    session.reject_again(&hunks);
}

/// Returns true if every hunk is one that was rejected before and is rejected again.
pub(crate) fn is_answered(session: &ReviewSession) -> bool {
    let counts = session.counts();
    let is_again = |hunk: &HunkReview| !hunk.is_decidable() || hunk.is_rejected_before();
    counts.hunks > 0
        && counts.rejected == counts.hunks
        && counts.unplaced == 0
        && session.hunks().all(|(_, hunk)| is_again(hunk))
}
