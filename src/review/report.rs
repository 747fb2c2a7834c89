//! What became of a proposal, as data: for scripts as JSON, for people as text, for the next attempt of an agent.

use std::collections::BTreeMap;

use serde::Serialize;

use super::decision::{Decision, Mark};
use super::file::{FileKind, FileReview, Refusal};
use super::hunk::{HunkId, HunkReview, Outcome};
use super::intake::placed_line;
use super::notes::{refusal_words, unplaced_words};
use super::session::ReviewSession;
use crate::locate::{Chosen, Confidence, Nearest, Place, Rung, Unplaced};
use crate::proposal::{InputSpan, Problem};
use crate::text::LineNo;

/// The name and version of the report's form.
pub const SCHEMA: &str = "countersign-report/1";

/// What became of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The batch in a word.
    pub status: Status,
    /// Whether anything was written.
    pub written: bool,
    /// Why nothing could be written, if that is so.
    pub error: Option<String>,
    /// The files, in the order of the proposal.
    pub files: Vec<FileReport>,
    /// The hunks, file by file.
    pub hunks: Vec<HunkReport>,
    /// What could not be read in the input.
    pub problems: Vec<ProblemReport>,
    /// What the person says of the whole batch.
    pub comment: Option<String>,
}

/// A batch in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// All of it is written, or would be.
    Applied,
    /// All of it stood there already.
    AlreadyApplied,
    /// Some of it is written, or would be.
    Partial,
    /// Nothing is written.
    Refused,
    /// Writing failed, and everything is as it was.
    Failed,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Its name, relative to the root.
    pub path: String,
    /// What the proposal asks of it.
    pub kind: &'static str,
    /// Its new name, if it asks for one.
    pub rename: Option<String>,
    /// Whether it was written.
    pub written: bool,
    /// The hash of its bytes before; `None` if it was not there.
    pub before: Option<String>,
    /// The hash of its bytes after; `None` if it is gone or was not written.
    pub after: Option<String>,
    /// Why it is never accepted in batch, if that is so.
    pub protected: Option<String>,
    /// Why nothing can be done with it, if that is so.
    pub refusal: Option<String>,
    /// What the person says of it.
    pub comment: Option<String>,
}

/// What became of a hunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HunkReport {
    /// Its file.
    pub path: String,
    /// Its position among the hunks of its file, counted from 1.
    pub hunk: usize,
    /// The dialect that it was written in.
    pub dialect: &'static str,
    /// Where it stands in the input.
    pub input: InputSpan,
    /// What became of it.
    pub status: HunkStatus,
    /// Where its change begins in the file as it was.
    pub line: Option<LineNo>,
    /// The step of the ladder that placed it.
    pub rung: Option<Rung>,
    /// How sure the place is.
    pub confidence: Option<Confidence>,
    /// Lines between the place that it names and the place found.
    pub offset: Option<isize>,
    /// What chose the place among equals.
    pub chosen: Option<Chosen>,
    /// Why it did not apply.
    pub reason: Option<String>,
    /// What to send instead.
    pub advice: Option<&'static str>,
    /// All places, if it could be meant for several.
    pub places: Vec<Place>,
    /// The places that come nearest, if it stands nowhere.
    pub nearest: Vec<Nearest>,
    /// From the agent's lines to what was written, if the person changed them: a diff of the two.
    pub edits: Option<String>,
    /// What the person says of it.
    pub comment: Option<String>,
}

/// What became of a hunk, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HunkStatus {
    /// Written as it was sent.
    Applied,
    /// Written in part, or as the person changed it.
    AppliedWithEdits,
    /// It stood there already.
    AlreadyApplied,
    /// Not accepted.
    Rejected,
    /// It stands in several places.
    Ambiguous,
    /// It stands nowhere.
    NotFound,
    /// Another hunk changes the same lines in another way.
    Overlap,
    /// It cannot be read.
    Malformed,
    /// Its file may not be touched.
    Forbidden,
    /// Its file is not as the edit takes it to be.
    Conflict,
    /// Writing failed.
    Failed,
}

impl HunkStatus {
    /// The status as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::AppliedWithEdits => "applied-with-edits",
            Self::AlreadyApplied => "already-applied",
            Self::Rejected => "rejected",
            Self::Ambiguous => "ambiguous",
            Self::NotFound => "not-found",
            Self::Overlap => "overlap",
            Self::Malformed => "malformed",
            Self::Forbidden => "forbidden",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
        }
    }

    /// Whether the file is as the hunk wants it.
    pub fn is_done(self) -> bool {
        self <= Self::AlreadyApplied
    }

    /// What to send instead.
    fn advice(self) -> Option<&'static str> {
        Some(match self {
            Self::Applied
            | Self::AppliedWithEdits
            | Self::AlreadyApplied
            | Self::Rejected
            | Self::Failed => return None,
            Self::Ambiguous => {
                "add a line of context that stands beside the one place that is meant"
            }
            Self::NotFound => {
                "read the file again and send this hunk for its lines as they are now"
            }
            Self::Overlap => "put the two changes into one hunk",
            Self::Malformed => "send this part again in the form that is expected",
            Self::Forbidden => "leave this file out",
            Self::Conflict => "read the file again and send an edit of what is there",
        })
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
    /// What was found and what was expected.
    pub message: String,
}

/// What came of writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writing {
    /// Everything accepted is on disk.
    Done {
        /// The hashes of each written file's bytes, before and after, by its name.
        hashes: BTreeMap<String, (Option<String>, Option<String>)>,
    },
    /// Nothing was to be written: the report says what would become of it.
    Rehearsed,
    /// Files changed since they were read; nothing is written.
    Conflict {
        /// Their names.
        paths: Vec<String>,
        /// What happened.
        error: String,
    },
    /// Writing failed; nothing is written.
    Failed {
        /// What happened.
        error: String,
    },
}

impl Report {
    /// The report on a session whose accepted lines were written, or not. `reasons` say why hunks were rejected.
    pub fn new(
        session: &ReviewSession,
        writing: &Writing,
        reasons: &BTreeMap<HunkId, String>,
    ) -> Self {
        let mut hunks = Vec::new();
        for (file, review) in session.files.iter().enumerate() {
            for (hunk, hunk_review) in review.hunks.iter().enumerate() {
                let reason = reasons.get(&HunkId { file, hunk });
                hunks.push(hunk_report(review, hunk, hunk_review, writing, reason));
            }
        }
        let problems: Vec<ProblemReport> = session.problems.iter().map(problem_report).collect();
        let error = match writing {
            Writing::Done { .. } | Writing::Rehearsed => None,
            Writing::Conflict { error, .. } | Writing::Failed { error } => Some(error.clone()),
        };
        let files: Vec<FileReport> = session
            .files
            .iter()
            .map(|file| file_report(file, writing))
            .collect();
        let status = status(&hunks, &problems, writing);
        let written = files.iter().any(|file| file.written);
        Self {
            schema: SCHEMA,
            status,
            written,
            error,
            files,
            hunks,
            problems,
            comment: session.comment.clone(),
        }
    }
}

fn status(hunks: &[HunkReport], problems: &[ProblemReport], writing: &Writing) -> Status {
    match writing {
        Writing::Failed { .. } => return Status::Failed,
        Writing::Conflict { .. } => return Status::Refused,
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

fn hunk_report(
    file: &FileReview,
    hunk: usize,
    review: &HunkReview,
    writing: &Writing,
    reason: Option<&String>,
) -> HunkReport {
    let (status, why) = hunk_status(file, review, writing);
    let placement = review.placement().filter(|_| review.step.is_none());
    let (places, nearest) = match &review.outcome {
        Outcome::Unplaced(Unplaced::Ambiguous { places, .. }) => (places.clone(), Vec::new()),
        Outcome::Unplaced(Unplaced::NotFound { nearest }) => (Vec::new(), nearest.clone()),
        Outcome::Unplaced(_)
        | Outcome::Placed(_)
        | Outcome::AlreadyApplied { .. }
        | Outcome::Refused => (Vec::new(), Vec::new()),
    };
    HunkReport {
        path: file.path.clone(),
        hunk: hunk + 1,
        dialect: review.dialect,
        input: review.span,
        status,
        line: match &review.outcome {
            Outcome::AlreadyApplied { at } => *at,
            Outcome::Placed(_) | Outcome::Unplaced(_) | Outcome::Refused => {
                placement.map(placed_line)
            }
        },
        rung: placement.map(|placement| placement.rung),
        confidence: placement.map(|placement| placement.confidence),
        offset: placement.and_then(|placement| placement.offset),
        chosen: placement.and_then(|placement| placement.chosen),
        reason: reason
            .filter(|_| status == HunkStatus::Rejected)
            .cloned()
            .or(why),
        advice: status.advice(),
        places,
        nearest,
        edits: (status == HunkStatus::AppliedWithEdits).then(|| edits(file, review)),
        comment: review.state.comment.clone(),
    }
}

fn hunk_status(
    file: &FileReview,
    review: &HunkReview,
    writing: &Writing,
) -> (HunkStatus, Option<String>) {
    match &review.outcome {
        Outcome::AlreadyApplied { .. } => return (HunkStatus::AlreadyApplied, None),
        Outcome::Refused => return refused(file),
        Outcome::Unplaced(unplaced) => {
            let status = match unplaced {
                Unplaced::Ambiguous { .. } => HunkStatus::Ambiguous,
                Unplaced::NotFound { .. } | Unplaced::Nowhere => HunkStatus::NotFound,
                Unplaced::Overlap { .. } => HunkStatus::Overlap,
                Unplaced::Unclear { .. } | Unplaced::Elisions { .. } | Unplaced::NoChange => {
                    HunkStatus::Malformed
                }
            };
            return (status, Some(unplaced_words(unplaced)));
        }
        Outcome::Placed(_) => (),
    }
    let accepted = match review.mark() {
        Some(Mark::Accepted) if review.state.edited => HunkStatus::AppliedWithEdits,
        Some(Mark::Accepted) => HunkStatus::Applied,
        Some(Mark::Mixed) => HunkStatus::AppliedWithEdits,
        // All of the change was edited away.
        None if review.state.edited => {
            return (
                HunkStatus::Rejected,
                Some("edited back to what the file has".into()),
            );
        }
        Some(Mark::Undecided) => return (HunkStatus::Rejected, Some("left undecided".into())),
        Some(Mark::Rejected) | None => return (HunkStatus::Rejected, None),
    };
    match writing {
        Writing::Done { .. } | Writing::Rehearsed => (accepted, None),
        Writing::Conflict { paths, .. } if paths.contains(&file.path) => (
            HunkStatus::Conflict,
            Some("the file changed since it was read".into()),
        ),
        Writing::Conflict { .. } | Writing::Failed { .. } => (
            HunkStatus::Failed,
            Some("nothing of the batch was written".into()),
        ),
    }
}

fn refused(file: &FileReview) -> (HunkStatus, Option<String>) {
    let Some(refusal) = &file.refusal else {
        return (HunkStatus::Rejected, None);
    };
    let status = match refusal {
        Refusal::Forbidden(_) | Refusal::Unreadable(_) => HunkStatus::Forbidden,
        Refusal::Missing => HunkStatus::NotFound,
        Refusal::Exists | Refusal::Contradiction(_) => HunkStatus::Conflict,
    };
    (status, Some(refusal_words(refusal)))
}

/// From the agent's lines to what is written of a hunk, as a diff without headers.
fn edits(file: &FileReview, review: &HunkReview) -> String {
    let (mut sent, mut kept) = (String::new(), String::new());
    let push = |text: &mut String, line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    for line in review.proposed.iter() {
        if let Some(adds) = &line.adds {
            push(&mut sent, adds);
        }
    }
    for (line, marks) in review.state.lines.iter().zip(&review.state.marks) {
        if line.removes && marks.removed != Decision::Accepted {
            push(&mut kept, file.base.line(line.at));
        }
        if let Some(adds) = line
            .adds
            .as_ref()
            .filter(|_| marks.added == Decision::Accepted)
        {
            push(&mut kept, adds);
        }
    }
    let diff = similar::TextDiff::from_lines(&sent, &kept);
    diff.unified_diff().context_radius(1).to_string()
}

fn file_report(file: &FileReview, writing: &Writing) -> FileReport {
    let hashes = match writing {
        Writing::Done { hashes } => hashes.get(&file.path),
        Writing::Rehearsed | Writing::Conflict { .. } | Writing::Failed { .. } => None,
    };
    let (kind, rename) = match &file.kind {
        FileKind::Modified => ("modify", None),
        FileKind::Created => ("create", None),
        FileKind::Deleted => ("delete", None),
        FileKind::Renamed { to } => ("rename", Some(to.clone())),
    };
    FileReport {
        path: file.path.clone(),
        kind,
        rename,
        written: hashes.is_some(),
        before: hashes.and_then(|(before, _)| before.clone()),
        after: hashes.and_then(|(_, after)| after.clone()),
        protected: file.protected.clone(),
        refusal: file.refusal.as_ref().map(refusal_words),
        comment: file.comment.clone(),
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
