//! The words for the states of a review: reports, verdicts, notes and the screen take them from here.

use std::fmt;

use super::session::attention::Concern;
use super::session::decision::{Decision, Mark};
use super::session::file::{FileKind, FileReview};
use super::session::hunk::{HunkReview, Remark, Step};
use super::session::review_session::ReviewSession;
use super::session::versions::{Refusal, Stance};
use super::status::{HunkStatus, Reason};
use crate::locate::{Confidence, Nearest, Rung, Unplaced};
use crate::proposal::{Miscount, VersionName};
use crate::text::{LineEnding, plural, sanitize_name};

impl Decision {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        Mark::from(self).name()
    }

    /// Returns the verb for a question about it.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Undecided => "Clear",
            Self::Accepted => "Accept",
            Self::Rejected => "Reject",
        }
    }
}

impl Mark {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Mixed => "decided in part",
        }
    }
}

impl ReviewSession {
    /// Describes what becomes of hunks with a mark when the review is finished.
    pub fn effect(&self, mark: Mark) -> &'static str {
        let selects = self.files.iter().any(FileReview::selects_undecided);
        match (mark, self.stance()) {
            (Mark::Accepted, Stance::Proposed) => "accepted: will be written",
            (Mark::Mixed, Stance::Proposed) => {
                "decided in part: only accepted lines will be written"
            }
            (Mark::Rejected, Stance::Proposed) => "rejected: left unchanged",
            (Mark::Undecided, Stance::Proposed) => "undecided: will be rejected",
            (Mark::Accepted, Stance::Standing) if selects => "accepted: selected",
            (Mark::Rejected, Stance::Standing) if selects => {
                "rejected: not selected, will be reverted"
            }
            (Mark::Undecided, Stance::Standing) if selects => "undecided: selected",
            (Mark::Accepted, Stance::Standing) => "accepted: kept",
            (Mark::Mixed, Stance::Standing) => {
                "decided in part: only rejected lines will be reverted"
            }
            (Mark::Rejected, Stance::Standing) => "rejected: will be reverted",
            (Mark::Undecided, Stance::Standing) => "undecided: left unchanged",
        }
    }
}

/// Describes the lines that a hunk placed by hand replaces and that the file does not have at its place; `None` if there are none.
pub fn not_removed_words(review: &HunkReview) -> Option<String> {
    let stays = review.not_removed();
    let first = stays.first()?.trim();
    Some(match stays.len() - 1 {
        0 => format!("the file does not have the line `{first}` there, so it is not removed"),
        more => format!(
            "the file does not have the line `{first}` and {more} more there, so they are not removed"
        ),
    })
}

/// Describes the hunks that a decision about several leaves out.
pub fn left_out(count: usize) -> String {
    let need = if count == 1 { "needs" } else { "need" };
    format!(
        "left out: {} {need} attention",
        plural(count, "undecided hunk")
    )
}

impl HunkStatus {
    /// Returns its name, as reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::AppliedWithEdits => "applied-with-edits",
            Self::Kept => "kept",
            Self::KeptWithEdits => "kept-with-edits",
            Self::Undecided => "undecided",
            Self::AlreadyApplied => "already-applied",
            Self::Rejected => "rejected",
            Self::Reverted => "reverted",
            Self::Doubtful => "doubtful",
            Self::Ambiguous => "ambiguous",
            Self::NotFound => "not-found",
            Self::Overlap => "overlap",
            Self::Malformed => "malformed",
            Self::LeftAlone => "left-alone",
            Self::Forbidden => "forbidden",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
        }
    }

    /// Describes it within a sentence.
    pub(in crate::review) fn words(self) -> &'static str {
        match self {
            Self::AppliedWithEdits => "applied with edits",
            Self::KeptWithEdits => "kept in part or with edits",
            Self::Undecided => "undecided and left unchanged",
            Self::AlreadyApplied => "already applied",
            Self::NotFound => "not found",
            Self::LeftAlone => "left alone",
            Self::Applied
            | Self::Kept
            | Self::Rejected
            | Self::Reverted
            | Self::Doubtful
            | Self::Ambiguous
            | Self::Overlap
            | Self::Malformed
            | Self::Forbidden
            | Self::Conflict
            | Self::Failed => self.name(),
        }
    }

    /// Advice on the next attempt.
    pub(in crate::review) fn advice(self) -> Option<&'static str> {
        Some(match self {
            Self::Applied
            | Self::AppliedWithEdits
            | Self::Kept
            | Self::KeptWithEdits
            | Self::LeftAlone
            | Self::Undecided
            | Self::AlreadyApplied
            | Self::Rejected
            | Self::Reverted
            | Self::Failed => return None,
            Self::Ambiguous => "add a line of context that only the intended place has",
            Self::Doubtful | Self::NotFound => {
                "read the file again and send this hunk for its lines as they are now"
            }
            Self::Overlap => "put the two changes into one hunk",
            Self::Malformed => "send this part again in the form that is expected",
            Self::Forbidden => "leave this file out",
            Self::Conflict => "read the file again and send an edit of what is there",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Doubtful(doubt) => {
                let words = doubt.map(|doubt| format!(": {}", doubt.words()));
                return write!(f, "its place is doubtful{}", words.unwrap_or_default());
            }
            Self::HeldBack => "another part of the batch is not applied, so none of it is",
            Self::Postponed(Some(Mark::Accepted)) => "accepted; the review is kept for later",
            Self::Postponed(Some(Mark::Rejected)) => "rejected; the review is kept for later",
            Self::Postponed(Some(Mark::Mixed)) => "decided in part; the review is kept for later",
            Self::Postponed(Some(Mark::Undecided) | None) => "the review is kept for later",
            Self::CopyNotMade => "the copy that it changes is not made",
            Self::EditNotAccepted => "your edit was not accepted, so the agent's lines stay",
            Self::EditedAway => "edited back to what the file has",
            Self::LeftUndecided => "the reviewer made no decision about it",
            Self::FileChanged => "the file changed since it was read",
            Self::WritingFailed => "nothing of the batch was written",
            Self::Other(words) => words,
        })
    }
}

impl FileKind {
    /// Describes the change of the file as a whole.
    pub fn words(&self) -> String {
        match self {
            Self::Modified => "modified".to_owned(),
            Self::Created => "new".to_owned(),
            Self::Deleted => "deleted".to_owned(),
            Self::Renamed { to } => format!("renamed to {to}"),
            Self::Copied { from, .. } => format!("a copy of {from}"),
        }
    }
}

impl FileReview {
    /// Returns why it may not be accepted in batch, if it may not.
    pub fn protected_words(&self) -> Option<String> {
        let why = self.protected.as_ref()?;
        Some(format!("the file is protected: {why}"))
    }
}

impl Concern {
    /// Describes it in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::KeptEdit => "your edit has no place",
            Self::NoPlace => "no place",
            Self::Overlaps => "overlaps another hunk",
            Self::Refused => "cannot be changed",
            Self::Loss(kind) => kind,
            Self::RejectedBefore => "rejected before",
            Self::RejectionsUnread => "damaged record of rejections",
            Self::Loose => "loose match",
            Self::Protected => "protected",
            Self::NotUnderstood => "not understood",
        }
    }
}

impl Step {
    /// Describes in a few words, for a heading, what it does to its file. Of two files that are made, one without text has bytes.
    pub fn heading(&self, is_opaque: bool) -> String {
        match self {
            Self::Create if is_opaque => "new file".to_owned(),
            Self::Create => "new, empty file".to_owned(),
            Self::Delete => "deletes the file".to_owned(),
            Self::Content | Self::Bytes(_) => "binary file changes".to_owned(),
            Self::Link { to } => format!("symbolic link to {}", sanitize_name(to)),
            Self::Unlink => "removes the symbolic link".to_owned(),
            Self::MakeFolder => "new, empty folder".to_owned(),
            Self::RemoveFolder => "removes the empty folder".to_owned(),
            Self::Form { from, to } => format!("line endings {from} to {to}"),
            Self::Rename => "renames the file".to_owned(),
            Self::Copy => "copy".to_owned(),
            Self::Mode { executable: true } => "becomes executable".to_owned(),
            Self::Mode { executable: false } => "no longer executable".to_owned(),
        }
    }

    /// Describes in a sentence what it does to its file, if the kind of change does not tell.
    pub fn sentence(&self) -> Option<String> {
        Some(match self {
            Self::Link { to } => format!("it becomes a symbolic link to `{to}`"),
            Self::Unlink => "the symbolic link is removed, not the file behind it".to_owned(),
            Self::MakeFolder => "it becomes a folder without files".to_owned(),
            Self::RemoveFolder => "the folder, which holds no file, is removed".to_owned(),
            Self::Bytes(bytes) => format!("a binary patch gives it {} bytes", bytes.len()),
            Self::Mode { executable: true } => "it becomes executable".to_owned(),
            Self::Mode { executable: false } => "it is no longer executable".to_owned(),
            Self::Create
            | Self::Delete
            | Self::Content
            | Self::Form { .. }
            | Self::Rename
            | Self::Copy => return None,
        })
    }
}

/// A refusal in one sentence.
pub(in crate::review) fn refusal_words(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Forbidden(why) => format!("forbidden: {why}"),
        Refusal::Missing(None) => "there is no such file".to_owned(),
        Refusal::Missing(Some(suggestion)) => format!("there is no such file; {suggestion}"),
        Refusal::Unnamed(word) => {
            format!("no file is named above it: there is only the word `{word}`, and no such file")
        }
        Refusal::Exists => "the file exists already, with another text".to_owned(),
        Refusal::Unclear(names) => format!(
            "the file to be made could be called `{}`: put the intended name between backquotes, on a line of its own",
            names.join("` or `")
        ),
        Refusal::Unreadable(why) | Refusal::Contradiction(why) | Refusal::Undecodable(why) => {
            why.clone()
        }
    }
}

/// Describes an oddity that was tolerated in reading a hunk.
pub fn remark_words(remark: &Remark) -> String {
    match remark {
        Remark::Loss(loss) => loss.to_string(),
        Remark::Rejected(recurrence) => recurrence.to_string(),
        Remark::RejectionsUnread(record) => {
            format!("you may have rejected it before: a record of that is damaged; remove it ({record})")
        }
        Remark::Announced(text) => format!("“{text}”"),
        Remark::Miscount(Miscount { said, found }) => format!(
            "its header counts {} old and {} new lines, but {} and {} follow: the counts were ignored",
            said.0, said.1, found.0, found.1
        ),
        Remark::Encoding => {
            "the encoding of the file was guessed, and it would get new characters in that encoding"
                .to_owned()
        }
        Remark::Endings(kept) => {
            let kept = if *kept == LineEnding::CrLf { "CRLF" } else { "LF" };
            format!("its line endings are not those of the file, which keeps its own ({kept})")
        }
        Remark::ReplacesLink => {
            "it replaces a symbolic link; the file behind the link stays".to_owned()
        }
        Remark::ThroughLink(target) => {
            format!("it goes through a symbolic link: `{target}` is the file that changes")
        }
        Remark::ReplacesFile(Some(lines)) => {
            format!("it replaces a file of {}", plural(*lines, "line"))
        }
        Remark::ReplacesFile(None) => "it replaces a file that is not text".to_owned(),
        Remark::ReplacesFolder => "it replaces a folder".to_owned(),
        Remark::BothChanged => {
            "conflict: you changed these lines too since the command started".to_owned()
        }
        Remark::MadeBy(call) => format!("made by {call}"),
        Remark::InAnotherFile { path, line } => {
            format!("its lines are in `{path}` now, at line {line}")
        }
        Remark::ByModel => {
            "written by the apply model: the agent's own hunk had no place".to_owned()
        }
        Remark::Entities => {
            "it adds HTML entities such as `&lt;`: they are written literally; the edit may have been escaped on its way"
                .to_owned()
        }
        Remark::Wrapping => {
            "the numbers before its lines, or the code fence around them, were left out".to_owned()
        }
    }
}

/// Why a hunk has no place, in one sentence.
pub(in crate::review) fn unplaced_words(unplaced: &Unplaced) -> String {
    match unplaced {
        Unplaced::Ambiguous { count, rung, .. } => {
            let like = if *rung == Rung::Similar {
                "are similar to"
            } else {
                "match"
            };
            match count {
                1 => format!(
                    "ambiguous: its lines {like} one place, but this edit may have been made in another place already"
                ),
                _ => format!("ambiguous: its lines {like} {count} places"),
            }
        }
        Unplaced::NotFound { .. } => "not found: no match in the file".to_owned(),
        Unplaced::Conflict {
            matched_in,
            changed_in,
            ..
        } => {
            let change = match changed_in.as_deref() {
                Some(VersionName::Batch) => "were changed by a batch since".to_owned(),
                Some(version) => format!("were changed in {version}"),
                None => "have changed since".to_owned(),
            };
            format!("conflict: it was written against {matched_in}, and its lines {change}")
        }
        Unplaced::Overlap { with, at } => {
            let other = with + 1;
            format!("overlap: hunk {other} changes line {at} too, in another way")
        }
        Unplaced::Unclear { readings, several } => {
            let which = if *several {
                "more than one matches"
            } else {
                "none matches"
            };
            format!(
                "malformed: one of its delimiters could be content; of {readings} ways to read it, {which} the file"
            )
        }
        Unplaced::Elisions { expected, found } => {
            format!(
                "malformed: its old lines have {}, its new lines have {}",
                plural(*expected, "omission"),
                plural(*found, "omission")
            )
        }
        Unplaced::NoTarget { why } => format!("not found: {why}"),
        Unplaced::Nowhere => "not found: the edit does not say where its lines belong".to_owned(),
        Unplaced::NoChange => "no change: its old and its new lines are equal".to_owned(),
    }
}

/// Returns the level of a match in words for a person who does not know the names of the levels.
pub fn confidence_words(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Hinted => "by line number",
        Confidence::Exact | Confidence::Safe | Confidence::Fuzzy | Confidence::Doubtful => {
            confidence.name()
        }
    }
}

/// Describes the lines of the file that are most like those of a hunk.
pub(in crate::review) fn nearest_words(nearest: &Nearest) -> String {
    let Nearest {
        line,
        last,
        similarity,
        ..
    } = nearest;
    let percent = (similarity * 100.0).floor();
    let lines = if line == last {
        format!("line {line}")
    } else {
        format!("lines {line} to {last}")
    };
    format!("closest match: {lines}, {percent:.0} % similar")
}
