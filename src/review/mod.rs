//! The review as a value: a proposal placed in its files, what was decided about it, and what that makes of the files.
//!
//! [`intake()`] makes a [`ReviewSession`], a person or a policy decides in it, [`compose()`] makes the files' new texts, and
//! [`Rows`] lays it out for whoever draws it.

mod call;
mod carry;
mod compare;
mod compose;
mod copied;
mod decision;
mod decisions;
mod distance;
mod edit;
mod file;
mod form;
mod fresh;
mod history;
mod hunk;
mod imprint;
mod intake;
mod notes;
mod outline;
mod pair;
mod plan;
mod report;
mod report_agent;
mod report_text;
mod revert;
mod rows;
mod sequence;
mod session;
mod settle;
mod status;
pub mod words;
mod written;

pub use call::{Call, CallReview, Standing};
pub use carry::{Origin, TakenUp};
pub use compare::{Compared, EVERYTHING, Sides, Stance, compare};
pub use compose::{Postimage, compose};
pub use decision::{Decision, Mark};
pub use decisions::{Decisions, FileDecisions, HunkDecisions, LineDecisions, NotDecisions};
pub use edit::EditRegion;
pub use file::{FileKind, FileReview, Group, Refusal};
pub use hunk::{
    ChangedLine, HunkId, HunkReview, HunkState, LineMarks, Outcome, Remark, Side, Step,
};
pub use imprint::Imprint;
pub use intake::{
    Ancestors, Found, Intake, Opaque, Renaming, Source, intake, intake_from, placed_line,
};
pub use notes::{Note, NoteKind, notes};
pub use outline::{Outline, outline};
pub use report::{FileReport, HunkReport, ProblemReport, Report, SCHEMA, Status, Writing};
pub use report_agent::{ForAgent, Voice};
pub use revert::{Reverted, revert};
pub use rows::{Folds, Layout, Row, Rows};
pub use session::{Counts, Decided, Direction, ReviewSession, Target};
pub use settle::{Bytes, Settled, settle};
pub use status::HunkStatus;
