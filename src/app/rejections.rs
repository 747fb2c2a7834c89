//! The changes that a person rejected, from one review to the next.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::app::notice::say;
use crate::config::{OnRejectedBefore, Settings};
use crate::review::{
    Approvals, HunkId, HunkReview, RejectionRecord, Rejections, ReviewSession, accepted_after_all,
    approved_changes, rejected_changes,
};
use crate::store::Root;

/// Collects what the decisions of a review reject. To be called before anything is rejected for another reason, such as the end of
/// the review.
pub(crate) fn collected(session: &ReviewSession) -> RejectionRecord {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    RejectionRecord {
        time: now.map_or(0, |now| now.as_secs()),
        rejected: rejected_changes(session),
        accepted: accepted_after_all(session),
        approved: approved_changes(session),
    }
}

/// Collects what the decisions of a review reject that ends without writing anything. What is accepted in it stays rejected, if it was
/// before.
pub(crate) fn collected_unwritten(session: &ReviewSession) -> RejectionRecord {
    RejectionRecord {
        accepted: Vec::new(),
        approved: Vec::new(),
        ..collected(session)
    }
}

/// Keeps what was rejected. That there is no place for it is said, and stops nobody.
pub(crate) fn keep(root: &Root, record: &RejectionRecord) {
    if record.is_empty() {
        return;
    }
    let bytes = serde_json::to_vec(record).unwrap_or_default();
    if let Err(error) = root.keep_rejections(&bytes) {
        say(&format!("what you rejected is not kept: {error}"));
    }
}

/// Marks the hunks that propose what was rejected before.
pub(crate) fn mark(root: &Root, session: &mut ReviewSession) {
    Rejections::new(records(root)).mark(session);
}

/// Marks the hunks that are what was rejected before, and accepts those that are just what was accepted before and are on disk still.
pub(crate) fn mark_decided(root: &Root, session: &mut ReviewSession) {
    let records = records(root);
    let approvals = Approvals::new(records.iter().flat_map(|record| &record.approved));
    Rejections::new(records).mark(session);
    approvals.accept(session);
}

/// Reads what is kept of earlier reviews, the latest first.
fn records(root: &Root) -> Vec<RejectionRecord> {
    let records = root.rejections();
    let read = |bytes: &Vec<u8>| serde_json::from_slice(bytes).ok();
    records.iter().filter_map(read).collect()
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
