//! Rejected changes: a change that a person rejects, or replaces by another, is recorded, and recognised when an agent proposes it again.
//!
//! A change is recognised by what it does to the file, not by how it was sent: in another dialect, split or merged, indented or wrapped
//! otherwise, at lines that moved or in a file that was renamed, it is the same change.

mod approvals;
mod change;
mod collect;
mod common_lines;
mod compared_change;
mod exact_change;
mod exact_step;
mod joined;
mod matcher;
mod record;
mod relation;
mod words;

pub(in crate::review) use approvals::is_approved;
pub use approvals::{ApprovalExtent, Approvals, ApprovedChange, ApprovedFile, approved_changes};
pub use collect::{accepted_after_all, rejected_changes};
pub use matcher::Rejections;
pub use record::{PastVerdict, RejectedChange, RejectionRecord, ShownLines};
