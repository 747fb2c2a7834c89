//! The review as a value: a proposal placed in its files, what was decided about it, and what that makes of the files.
//!
//! [`intake()`] makes a [`ReviewSession`], a person or a policy decides in it, [`compose()`] makes the files' new texts, and
//! [`Rows`] lays it out for whoever draws it.

mod persist;
mod plan;
mod rejections;
mod report;
mod session;
mod status;
mod threads;
mod view;
mod wording;

pub use persist::decisions::{
    Decisions, EditDecision, FileDecisions, HunkDecisions, LineCommentDecision, LineDecisions,
    NotDecisions, PassageDecision, PlaceDecision,
};
pub use persist::restore::{DecisionSource, TakenUp};
pub use persist::snapshot::Imprint;
pub use plan::apply_decisions::{Bytes, Settled, settle};
pub use plan::compare::{Compared, EVERYTHING, compare};
pub use plan::intake::{intake, intake_from, placed_line};
pub use plan::outline::outline;
pub use plan::part::{
    CopySource, Intake, NewTextEncoding, OtherFile, Renaming, Rewrite, VersionSource,
};
pub use plan::revert::{Reverted, revert};
pub use rejections::{
    ApprovalExtent, Approvals, ApprovedChange, ApprovedFile, PastVerdict, RejectedChange,
    RejectionRecord, Rejections, ShownLines, accepted_after_all, approved_changes,
    rejected_changes,
};
pub use report::agent::{ForAgent, Voice, WaitingThreads};
pub use report::batch::{FileReport, ProblemReport, Report, SCHEMA, Status};
pub use report::hunk::{HunkReport, RejectedBefore};
pub use report::parts::{LineCommentReport, PartReport, ReportedLines};
pub use report::text::Detail;
pub use report::write_result::Writing;
pub use session::attention::{Concern, ConcernedPart};
pub use session::call::Forecasts;
pub use session::compose::{Postimage, compose, splice};
pub use session::decide::{Decided, Target};
pub use session::decision::{Decision, Mark};
pub use session::drafts::{ModelQuestion, NotDrafted};
pub use session::edit::EditRegion;
pub use session::file::{ChangeGroup, FileContent, FileKind, FileReview, PassageComment};
pub use session::hunk::{
    ByPolicy, ChangedLine, HunkId, HunkReview, HunkState, InAdvance, LineComment, LineMarks, Loss,
    Outcome, Part, Recurrence, RecurrenceKind, Remark, ShownBefore, Side, StatedHunk, Step,
};
pub use session::manual::NotPlaced;
pub use session::outline::Outline;
pub use session::placed_thread::{PlacedThread, ThreadPlace, ThreadState};
pub use session::request::{Call, CallReview, Standing};
pub use session::review_session::{Counts, Direction, ReviewSession};
pub use session::split::NotSplit;
pub use session::steps::{Stepped, UndoneKind};
pub use session::versions::{Found, Opaque, Refusal, Sides, Stance};
pub use session::view_tracking::ShownCount;
pub use status::{HunkStatus, Reason};
pub(crate) use threads::comments_on_files;
pub use threads::{
    Author, Carried, LeftOutPlace, MessageReport, Passage, PlacedPassage, Spot, THREADS_SCHEMA,
    Thread, ThreadKind, ThreadLines, ThreadList, ThreadMessage, ThreadPresence, ThreadRefusal,
    ThreadReport, agent_name, check_text, comments_of, kept_passages, mentioned, passage_at,
    place_threads, placed_in, replies_in,
};
pub use view::enclosing_definitions::{enclosing_definitions, heading_line};
pub use view::file_group::FileGroup;
pub use view::file_mentions::Announced;
pub use view::intent::{ByIntent, ChangePurpose, by_intent};
pub use view::line_difference::DifferingParts;
pub(crate) use view::line_difference::LineDifference;
pub(crate) use view::long_words::differing;
pub use view::look_alikes::{LookAlikes, look_alikes};
pub use view::moved_lines::{ChangedLines, LineId, Moved, MovedCount};
pub use view::note::{Note, NoteKind};
pub use view::notes::{notes, whole_notes};
pub use view::preview::{FileProspect, Prospect};
pub(crate) use view::problem_marks::problem_marks;
pub use view::reading_order::riskiest_first;
pub(crate) use view::result_text::result_changes;
pub use view::result_text::{DiffPosition, ResultText, hunk_that_adds, result, result_line};
pub use view::risk::{Risk, RunRisk};
pub use view::rows::{ChangeFold, FilePart, Folds, Layout, Row, Rows, SideLines, Subject, said_of};
pub use view::three_texts::{
    OldLine, TextsRow, three_texts, three_texts_at, three_texts_without_place,
};
pub use view::whitespace::{WhitespaceChange, whitespace_change};
pub use view::words;
pub use wording::{confidence_words, left_out, not_removed_words, remark_words};
