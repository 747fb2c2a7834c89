//! The changes that a person rejected, from one review to the next.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::app::notice::say;
use crate::config::{OnRejectedBefore, Settings};
use crate::review::{
    Approvals, ApprovedFile, Decisions, HunkId, HunkReview, RejectionRecord, Rejections, Remark,
    ReviewSession, accepted_after_all, approved_changes, rejected_changes,
};
use crate::store::{ContentHash, KeptRejections, Root, SavedReview};

/// Most unfinished reviews that are read, the latest first.
const MOST_UNFINISHED: usize = 32;

/// Collects what the decisions of a review reject and accept. To be called before anything is rejected for another reason, such as the
/// end of the review. `is_written` is false if what is accepted will not be written.
pub(crate) fn collected(session: &ReviewSession, is_written: bool) -> RejectionRecord {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    RejectionRecord {
        time: now.map_or(0, |now| now.as_secs()),
        rejected: rejected_changes(session),
        accepted: accepted_after_all(session),
        approved: approved_changes(session, is_written),
    }
}

/// Collects what the decisions of a review reject that ends without writing anything. What is accepted in it stays rejected, if it was
/// before.
pub(crate) fn collected_unwritten(session: &ReviewSession) -> RejectionRecord {
    RejectionRecord {
        accepted: Vec::new(),
        approved: Vec::new(),
        ..collected(session, false)
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

/// Marks the hunks that propose what was rejected before. If a record of that is damaged, all of them may, and none is accepted in batch.
pub(crate) fn mark(root: &Root, session: &mut ReviewSession) {
    let (records, damaged) = records(root);
    Rejections::new(records).mark(session);
    let Some(damaged) = damaged.map(Arc::from) else {
        return;
    };
    let hunks = session.files.iter_mut().flat_map(|file| &mut file.hunks);
    for hunk in hunks.filter(|hunk| !hunk.is_applied()) {
        let remark = Remark::RejectionsUnread(Arc::clone(&damaged));
        hunk.remarks.push(remark);
    }
}

/// Carries the person's decisions over to a review that the person follows: marks the hunks that are what was rejected before, and accepts
/// those that are just what was accepted before. `own` is the hash of the edits: what is saved of their own review is taken up as a whole.
pub(crate) fn carry_over(root: &Root, own: ContentHash, session: &mut ReviewSession) {
    mark(root, session);
    accept_again(root, own, session);
}

/// Accepts the hunks that are just what was accepted before.
pub(crate) fn accept_again(root: &Root, own: ContentHash, session: &mut ReviewSession) {
    let (finished, _) = records(root);
    let finished = finished.into_iter();
    let mut reviews: Vec<(u64, Vec<ApprovedFile>)> = finished
        .map(|record| (record.time, record.approved))
        .chain(unfinished(root, own))
        .collect();
    reviews.sort_by_key(|(time, _)| Reverse(*time));
    Approvals::new(reviews.iter().flat_map(|(_, files)| files)).accept(session);
}

/// Reads what is accepted in the reviews that are not finished, but for one, each with the time of its last decision.
fn unfinished(root: &Root, own: ContentHash) -> Vec<(u64, Vec<ApprovedFile>)> {
    let own = root.saved_review(own).ok();
    let saved = root.all_saved_reviews().unwrap_or_default().into_iter();
    let others = saved.filter(|review| Some(review) != own.as_ref());
    let others = others.take(MOST_UNFINISHED);
    others
        .filter_map(|review| Some((review.time()?, approved_in(&review)?)))
        .collect()
}

/// Reads what is accepted in an unfinished review.
fn approved_in(review: &SavedReview) -> Option<Vec<ApprovedFile>> {
    let bytes = review.read().ok()??;
    let decisions = Decisions::from_json(&bytes).ok()?;
    let files = decisions.files.into_iter();
    Some(files.filter_map(|file| file.approved).collect())
}

/// Reads what is kept of earlier reviews, the latest first. Describes the first record that cannot be read, if there is one.
fn records(root: &Root) -> (Vec<RejectionRecord>, Option<String>) {
    let mut damaged = None;
    let mut records = Vec::new();
    for KeptRejections { path, content } in root.rejections() {
        let read = content.and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
        match read {
            Ok(record) => records.push(record),
            Err(error) => {
                damaged.get_or_insert_with(|| format!("`{}`: {error}", path.display()));
            }
        }
    }
    (records, damaged)
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
