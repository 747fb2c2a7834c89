//! Approvals: what a person accepted in one review is accepted in the next one, as long as nothing of it and nothing next to it has changed.
//!
//! A change that is in a file already stays approved while it is there. A proposed one stays approved until it is written: if it is proposed
//! again afterwards, somebody has taken it back. For each change the latest review that shows it decides.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::exact_change::{ExactChanges, identify, is_in_file, is_whole, sides_of_all};
use crate::review::plan::apply_decisions::as_proposed;
use crate::review::plan::outcome_map::{OutcomeMap, as_left};
use crate::review::session::decision::Mark;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkId, HunkReview};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Stance;

/// Most accepted changes of one review that are kept.
const MOST_CHANGES: usize = 4_000;

/// The accepted changes of a file, as one review leaves them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedFile {
    /// The file, relative to the root.
    pub path: String,
    /// The changes that the person accepted.
    pub changes: Vec<ApprovedChange>,
    /// The state of these changes when the review ended.
    #[serde(default, skip_serializing_if = "ApprovalExtent::is_whole")]
    pub extent: ApprovalExtent,
    /// The changes that the review showed and whose approval by an earlier review is over, as [`ApprovedChange::content`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
}

/// The state of the approved changes of a file when a review ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalExtent {
    /// They are in the file, and the review showed all of the file's changes: it replaces every earlier approval.
    #[default]
    Whole,
    /// The review wrote them into the file, which may have other changes.
    Added,
    /// They are not written yet.
    Pending,
}

impl ApprovalExtent {
    #[allow(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands it over like this"
    )]
    fn is_whole(&self) -> bool {
        *self == Self::Whole
    }
}

/// A change that a person accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedChange {
    /// The SHA-256 of all that has to be the same where it is accepted again: for lines, the texts of both versions with their line
    /// endings and the lines around them in both, else what is done to the file and the contents of both versions.
    pub content: String,
    /// True if all of its lines were shown to the person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

/// Returns what a review that ends accepts in each file. `is_written` is true if that has been written.
pub fn approved_changes(session: &ReviewSession, is_written: bool) -> Vec<ApprovedFile> {
    let files = session.files.iter().filter(|file| file.is_open());
    let mut rest = MOST_CHANGES;
    let approved = files.map(|file| {
        let mut approved = approved_file(file, is_written);
        approved.changes.truncate(rest);
        rest -= approved.changes.len();
        approved
    });
    // That nothing is accepted in a review of all changes of a file counts as well.
    let says_something = |file: &ApprovedFile| {
        file.extent.is_whole() || !file.changes.is_empty() || !file.closed.is_empty()
    };
    approved.filter(says_something).collect()
}

fn approved_file(file: &FileReview, is_written: bool) -> ApprovedFile {
    let extent = match file.stance() {
        Stance::Standing => ApprovalExtent::Whole,
        Stance::Proposed if is_written => ApprovalExtent::Added,
        Stance::Proposed => ApprovalExtent::Pending,
    };
    let changes = if is_in_file(file, is_written) {
        approved_in(file)
    } else {
        let approved = file.hunks.iter().filter(|hunk| is_approved(hunk));
        approved.filter_map(ApprovedChange::pending).collect()
    };
    let is_closed = |hunk: &HunkReview| match extent {
        ApprovalExtent::Whole => false,
        ApprovalExtent::Added => true,
        ApprovalExtent::Pending => !is_approved(hunk),
    };
    let closed = (file.hunks.iter())
        .filter(|hunk| is_closed(hunk))
        .filter_map(|hunk| Some(hunk.identity.as_deref()?.to_owned()));
    ApprovedFile {
        path: file.path.clone(),
        changes,
        extent,
        closed: closed.collect(),
    }
}

/// Returns the accepted changes of a file, beside the lines that the review leaves.
fn approved_in(file: &FileReview) -> Vec<ApprovedChange> {
    let (steps, lines): (Vec<_>, Vec<_>) = (file.hunks.iter().enumerate())
        .filter(|(_, hunk)| is_approved(hunk))
        .partition(|(_, hunk)| hunk.step.is_some());
    let steps = steps.into_iter().map(|(_, hunk)| hunk);
    let mut changes: Vec<ApprovedChange> = steps.filter_map(ApprovedChange::pending).collect();
    if lines.is_empty() {
        return changes;
    }
    let (proposed, left) = (as_proposed(file), as_left(file));
    let exact = ExactChanges::of(&proposed);
    let map = OutcomeMap::new(&left, true);
    let sides = sides_of_all(&left);
    changes.extend(lines.into_iter().filter_map(|(at, hunk)| {
        let right = sides[at].clone()?.right;
        let afterwards = if right.is_empty() {
            map.around_right(right)
        } else {
            map.of_right(right)?
        };
        Some(ApprovedChange {
            content: exact.identity_in(at, &map.lines, &afterwards)?,
            shown: hunk.is_shown_whole(),
        })
    }));
    changes
}

impl ApprovedChange {
    /// A hunk that is accepted beside the lines that are proposed, if it has an identity.
    pub(in crate::review) fn pending(hunk: &HunkReview) -> Option<Self> {
        Some(Self {
            content: hunk.identity.as_deref()?.to_owned(),
            shown: hunk.is_shown_whole(),
        })
    }
}

/// Returns true if the person accepted all of a hunk as it is.
pub(in crate::review) fn is_approved(hunk: &HunkReview) -> bool {
    is_whole(hunk) && hunk.mark() == Some(Mark::Accepted) && hunk.by_policy().is_none()
}

/// Returns true if nothing is decided about a hunk, and it needs no attention.
fn is_open(file: &FileReview, hunk: &HunkReview) -> bool {
    file.may_be_swept(hunk) && hunk.mark() == Some(Mark::Undecided)
}

/// The changes that the person accepted in earlier reviews, file by file.
#[derive(Debug, Default)]
pub struct Approvals {
    by_path: FxHashMap<String, FileApprovals>,
}

/// The accepted changes of a file.
#[derive(Debug, Default)]
struct FileApprovals {
    /// Approvals of changes that are in the file.
    in_file: FxHashMap<String, ApprovalCount>,
    /// Approvals of changes that are not written.
    pending: FxHashMap<String, ApprovalCount>,
    /// Changes whose approval by a review before those that were added is over.
    closed: FxHashSet<String>,
    /// True if approvals of changes in the file are over that come from a review before those that were added.
    is_complete: bool,
}

#[derive(Debug, Clone, Copy)]
struct ApprovalCount {
    /// The number of such changes in the file.
    count: usize,
    /// True if all of them were shown.
    shown: bool,
}

impl FileApprovals {
    /// Adds the approvals of a review, which is earlier than those that were added before.
    fn add(&mut self, file: &ApprovedFile) {
        let (changes, holds) = match file.extent {
            ApprovalExtent::Whole | ApprovalExtent::Added => (&mut self.in_file, !self.is_complete),
            ApprovalExtent::Pending => (&mut self.pending, true),
        };
        let mut added: FxHashMap<&str, ApprovalCount> = FxHashMap::default();
        let open = |change: &&ApprovedChange| holds && !self.closed.contains(&change.content);
        for ApprovedChange { content, shown } in file.changes.iter().filter(open) {
            let first = ApprovalCount {
                count: 0,
                shown: true,
            };
            let approval = added.entry(content).or_insert(first);
            approval.count += 1;
            approval.shown &= shown;
        }
        for (content, approval) in added {
            // The latest review that has a change counts how often it is there.
            changes.entry(content.to_owned()).or_insert(approval);
        }
        self.closed.extend(file.closed.iter().cloned());
        self.is_complete |= file.extent.is_whole();
    }
}

impl Approvals {
    /// Collects the approvals of some reviews, the latest first.
    pub fn new<'a>(files: impl IntoIterator<Item = &'a ApprovedFile>) -> Self {
        let mut approvals = Self::default();
        for file in files {
            let known = approvals.by_path.entry(file.path.clone()).or_default();
            known.add(file);
        }
        approvals
    }

    /// Gives the hunks of a session their identities, and accepts those that are just what was accepted before, as one step to undo.
    /// Hunks that need attention are left, and so are changes that are there more often than they were accepted.
    pub fn accept(&self, session: &mut ReviewSession) {
        identify(session);
        let mut again = Vec::new();
        for (file, review) in session.files.iter().enumerate() {
            let Some(known) = self.by_path.get(&review.path) else {
                continue;
            };
            let known = match review.stance() {
                Stance::Standing => &known.in_file,
                Stance::Proposed => &known.pending,
            };
            let mut found: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
            for (hunk, of) in review.hunks.iter().enumerate() {
                let identity = of.identity.as_deref();
                if let Some(identity) = identity.filter(|identity| known.contains_key(*identity)) {
                    found.entry(identity).or_default().push(hunk);
                }
            }
            for (identity, hunks) in found {
                let approval = known[identity];
                let is_open = hunks
                    .iter()
                    .all(|&hunk| is_open(review, &review.hunks[hunk]));
                if hunks.len() <= approval.count && is_open {
                    let ids = hunks.into_iter().map(|hunk| HunkId { file, hunk });
                    again.extend(ids.map(|id| (id, approval.shown)));
                }
            }
        }
        again.sort_unstable();
        session.accept_again(again);
    }
}
