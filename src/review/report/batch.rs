//! The report of a batch as data: JSON for scripts, text for people, and instructions for an agent's next attempt.

use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::hunk::{HunkReport, hunk_report};
use super::parts::{LineCommentReport, passage_comments};
use super::write_result::Writing;
use crate::parallel;
use crate::proposal::{InputSpan, Problem, Reading};
use crate::review::session::decision::Mark;
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{HunkId, Outcome, Step};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Stance;
use crate::review::session::view_tracking::ShownCount;
use crate::review::status::{HunkStatus, Reason};
use crate::review::threads::ThreadReport;
use crate::review::wording::refusal_words;
use crate::text::LineNo;

/// The name and version of the report's form.
pub const SCHEMA: &str = "countersign-report/1";

/// The outcome of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The absolute path of the folder that the names of files are relative to; `None` if it was not opened.
    pub root: Option<String>,
    /// The batch in a word.
    pub status: Status,
    /// True if anything was written.
    pub written: bool,
    /// The name to take it back by, if anything was written.
    pub id: Option<String>,
    /// Why nothing could be written, if that is so.
    pub error: Option<String>,
    /// The files, in the order of the proposal.
    pub files: Vec<FileReport>,
    /// The hunks, file by file.
    pub hunks: Vec<HunkReport>,
    /// The dialects that were recognised, with the line that shows each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<Reading>,
    /// Parts of the input that could not be read.
    pub problems: Vec<ProblemReport>,
    /// Warnings about a batch that was written.
    pub warnings: Vec<String>,
    /// The files that a failed writing could not put back yet; [`Report::error`] says what puts them back.
    pub stuck: Vec<String>,
    /// The reviewer's comment on the whole batch.
    pub comment: Option<String>,
    /// The threads at its files, and those that were opened by it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threads: Vec<ThreadReport>,
    /// The changed lines that were shown to a person; `None` if no person reviewed the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<ShownCount>,
}

/// A batch in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All of it is written, or would be.
    Applied,
    /// All of it was in the files already.
    AlreadyApplied,
    /// Some of it is written, or would be.
    Partial,
    /// Nothing is written.
    Refused,
    /// Writing failed, and everything is as it was but what [`Report::stuck`] names.
    Failed,
}

/// The outcome of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Its name, relative to the root.
    pub path: String,
    /// The requested operation: `modify`, `create`, `delete`, `rename` or `copy`.
    pub kind: &'static str,
    /// Its new name, if it asks for one.
    pub rename: Option<String>,
    /// True if its new name is accepted.
    #[serde(skip)]
    pub is_renamed: bool,
    /// The file that it is copied from, if it is.
    pub source: Option<String>,
    /// True if it was written.
    pub written: bool,
    /// The SHA-256 of its bytes before; `None` if it was not there or was not written.
    pub before: Option<String>,
    /// The SHA-256 of its bytes after; `None` if it is gone or was not written.
    pub after: Option<String>,
    /// Why it is never accepted in batch, if that is so.
    pub protected: Option<String>,
    /// Why nothing can be done with it, if that is so.
    pub refusal: Option<String>,
    /// The reviewer's comment on it.
    pub comment: Option<String>,
    /// The reviewer's comments on its unchanged lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<LineCommentReport>,
}

impl FileReport {
    /// Returns true if the reviewer commented on it or on its unchanged lines.
    pub(crate) fn is_commented(&self) -> bool {
        self.comment.is_some() || !self.comments.is_empty()
    }
}

/// A part of the input that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProblemReport {
    /// The input line at which reading failed.
    pub line: LineNo,
    /// The lines of the input that are lost by it.
    pub input: InputSpan,
    /// The dialect that the part seems to be written in.
    pub dialect: &'static str,
    /// Its file, if it names one.
    pub path: Option<String>,
    /// A description of the text found and the text expected.
    pub message: String,
}

impl Report {
    /// The report on a session whose accepted lines were written, or not. `reasons` are those for which hunks were rejected.
    pub fn new(
        session: &ReviewSession,
        writing: &Writing,
        reasons: &BTreeMap<HunkId, Reason>,
    ) -> Self {
        let hunks = parallel::map(&reported_hunks(session), |id| {
            let file = &session.files[id.file];
            // A hunk that is one change with another one is rejected for the same reason.
            let decided = match &file.hunks[id.hunk].outcome {
                Outcome::Follows { hunks } => hunks.start,
                Outcome::Placed(_)
                | Outcome::AlreadyApplied { .. }
                | Outcome::Unplaced(_)
                | Outcome::Refused => id.hunk,
            };
            let reason = reasons.get(&HunkId {
                hunk: decided,
                ..*id
            });
            hunk_report(file, id.hunk, writing, reason)
        });
        let problems: Vec<ProblemReport> = session.problems.iter().map(problem_report).collect();
        let (mut id, mut warnings, mut stuck) = (None, Vec::new(), Vec::new());
        match writing {
            Writing::Done {
                id: of,
                warnings: told,
                ..
            } => (id, warnings) = (of.clone(), told.clone()),
            Writing::Failed { stuck: left, .. } => stuck.clone_from(left),
            Writing::Rehearsed
            | Writing::Postponed
            | Writing::Conflict { .. }
            | Writing::Refused { .. } => (),
        }
        let error = writing.error().map(str::to_owned);
        let files: Vec<FileReport> = session
            .files
            .iter()
            .map(|file| file_report(file, writing))
            .collect();
        let status = match (session.stance(), writing) {
            // Whatever was decided is so.
            (Stance::Standing, Writing::Done { .. }) => Status::Applied,
            (Stance::Standing, Writing::Rehearsed) => Status::Refused,
            (_, _) => status(&hunks, &problems, writing),
        };
        let written = files.iter().any(|file| file.written);
        Self {
            schema: SCHEMA,
            root: None,
            status,
            written,
            id,
            error,
            files,
            hunks,
            readings: session.readings.clone(),
            problems,
            warnings,
            stuck,
            comment: session.comment.clone(),
            threads: Vec::new(),
            seen: session.seen(),
        }
    }

    /// Returns a report without files and hunks: of a run that ended before any were read.
    pub fn without_hunks(status: Status, error: Option<String>) -> Self {
        Self {
            schema: SCHEMA,
            root: None,
            status,
            written: false,
            id: None,
            error,
            files: Vec::new(),
            hunks: Vec::new(),
            readings: Vec::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
            stuck: Vec::new(),
            comment: None,
            threads: Vec::new(),
            seen: None,
        }
    }

    /// Sets the folder that the names of files are relative to.
    #[must_use]
    pub fn in_folder(mut self, root: &Path) -> Self {
        self.root = Some(root.display().to_string());
        self
    }

    /// The hunks of each file, by its name.
    pub fn hunks_by_path(&self) -> FxHashMap<&str, Vec<&HunkReport>> {
        let mut by_path: FxHashMap<&str, Vec<&HunkReport>> = FxHashMap::default();
        for hunk in &self.hunks {
            by_path.entry(&hunk.path).or_default().push(hunk);
        }
        by_path
    }
}

/// Returns the hunks of a report, file by file. A hunk that was split is reported once, by its first part.
fn reported_hunks(session: &ReviewSession) -> Vec<HunkId> {
    let mut ids = Vec::new();
    for (file, review) in session.files.iter().enumerate() {
        let hunks = review.hunks.iter().enumerate();
        let hunks = hunks.filter(|(_, review)| !review.is_later_part());
        ids.extend(hunks.map(|(hunk, _)| HunkId { file, hunk }));
    }
    ids
}

fn status(hunks: &[HunkReport], problems: &[ProblemReport], writing: &Writing) -> Status {
    match writing {
        Writing::Failed { .. } => return Status::Failed,
        Writing::Conflict { .. } | Writing::Refused { .. } | Writing::Postponed => {
            return Status::Refused;
        }
        Writing::Done { .. } | Writing::Rehearsed => (),
    }
    let done = hunks.iter().filter(|hunk| hunk.status.is_done()).count();
    let already = hunks
        .iter()
        .filter(|hunk| hunk.status == HunkStatus::AlreadyApplied)
        .count();
    if done < hunks.len() || !problems.is_empty() || hunks.is_empty() {
        if done > already {
            Status::Partial
        } else {
            Status::Refused
        }
    } else if already == hunks.len() {
        Status::AlreadyApplied
    } else {
        Status::Applied
    }
}

fn file_report(file: &FileReview, writing: &Writing) -> FileReport {
    let hashes = match writing {
        Writing::Done { hashes, .. } => hashes.get(&file.path),
        Writing::Rehearsed
        | Writing::Postponed
        | Writing::Conflict { .. }
        | Writing::Refused { .. }
        | Writing::Failed { .. } => None,
    };
    let (kind, rename, source) = match &file.kind {
        FileKind::Modified => ("modify", None, None),
        FileKind::Created => ("create", None, None),
        FileKind::Deleted => ("delete", None, None),
        FileKind::Renamed { to } => ("rename", Some(to.clone()), None),
        FileKind::Copied { from, .. } => ("copy", None, Some(from.clone())),
    };
    FileReport {
        path: file.path.clone(),
        kind,
        rename,
        is_renamed: file
            .hunks
            .iter()
            .any(|hunk| hunk.step == Some(Step::Rename) && hunk.mark() == Some(Mark::Accepted)),
        source,
        written: hashes.is_some(),
        before: hashes.and_then(|(before, _)| before.clone()),
        after: hashes.and_then(|(_, after)| after.clone()),
        protected: file.protected.clone(),
        refusal: file.refusal().map(refusal_words),
        comment: file.comment.clone(),
        comments: passage_comments(file),
    }
}

fn problem_report(problem: &Problem) -> ProblemReport {
    ProblemReport {
        line: problem.line,
        input: problem.span,
        dialect: problem.dialect,
        path: problem.path.as_ref().map(ToString::to_string),
        message: problem.to_string(),
    }
}
