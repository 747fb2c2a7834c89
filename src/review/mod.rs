//! The review as a value: a proposal placed in its files, what was decided about it, and what that makes of the files.
//!
//! [`intake()`] makes a [`ReviewSession`], a person or a policy decides in it, [`compose()`] makes the files' new texts, and
//! [`Rows`] lays it out for whoever draws it.

mod by_hand;
mod by_model;
mod call;
mod carry;
mod comments;
mod compare;
mod compose;
mod copied;
mod decide;
mod decision;
mod decisions;
mod decode;
mod distance;
mod edit;
mod entry;
mod file;
mod form;
mod fresh;
mod history;
mod hunk;
mod imprint;
mod intake;
mod loss;
mod moved;
mod notes;
mod outline;
mod pair;
mod passages;
mod plan;
mod prospect;
mod refit;
mod report;
mod report_again;
mod report_agent;
mod report_hunk;
mod report_parts;
mod report_text;
mod resent;
mod result;
mod revert;
mod rows;
mod sequence;
mod session;
mod settle;
mod split;
mod status;
mod texts;
pub mod words;
mod written;

pub use by_hand::NotPlaced;
pub use by_model::{NotDrafted, Question};
pub use call::{Call, CallReview, Standing};
pub use carry::{Origin, TakenUp};
pub use compare::{Compared, EVERYTHING, Sides, Stance, compare};
pub use compose::{Postimage, compose, splice};
pub use decide::{Decided, Target};
pub use decision::{Decision, Mark};
pub use decisions::{
    Decisions, FileDecisions, HunkDecisions, LineCommentDecision, LineDecisions, NotDecisions,
    PassageDecision, PlaceDecision,
};
pub use edit::EditRegion;
pub use file::{FileKind, FileReview, Group, Refusal};
pub use history::Stepped;
pub use hunk::{
    Asked, ChangedLine, HunkId, HunkReview, HunkState, LineComment, LineMarks, Outcome, Part,
    Remark, Side, Step,
};
pub use imprint::Imprint;
pub use intake::{
    Found, Intake, Opaque, Reading, Renaming, Source, Versions, intake, intake_from, placed_line,
};
pub use loss::Loss;
pub use moved::{ChangedLines, LineId, Moved};
pub use notes::{Note, NoteKind, notes};
pub use outline::{Outline, outline};
pub use passages::PassageComment;
pub use prospect::{FileProspect, Prospect};
pub use report::{FileReport, ProblemReport, Report, SCHEMA, Status, Writing};
pub use report_agent::{ForAgent, Voice};
pub use report_hunk::HunkReport;
pub use report_parts::{LineCommentReport, Lines, PartReport};
pub use report_text::Detail;
pub use result::{ResultText, result};
pub use revert::{Reverted, revert};
pub use rows::{Folds, Layout, Row, Rows, Subject, said_of};
pub use session::{Counts, Direction, ReviewSession};
pub use settle::{Bytes, Settled, settle};
pub use split::NotSplit;
pub use status::{HELD_BACK, HunkStatus};
pub use texts::{TextsRow, three_texts};
