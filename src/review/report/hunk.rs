//! The report of one hunk.

use std::collections::BTreeSet;

use serde::Serialize;

use super::hunk_status::hunk_status;
use super::parts::{LineCommentReport, PartReport, line_comments, part_reports};
use super::write_result::Writing;
use crate::locate::{Chosen, Confidence, Doubt, Nearest, Place, Placement, Rung, Unplaced};
use crate::proposal::{InputSpan, VersionName};
use crate::review::plan::intake::placed_line;
use crate::review::session::decision::{Decision, Mark};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{
    ByPolicy, ChangedLine, HunkReview, Outcome, RecurrenceKind, Remark, Step,
};
use crate::review::session::versions::Refusal;
use crate::review::status::{HunkStatus, Reason};
use crate::review::wording::{not_removed_words, remark_words};
use crate::text::{Document, LineIdx, LineNo};

/// The outcome of a hunk.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HunkReport {
    /// Its file.
    pub path: String,
    /// Its position among the hunks of its file, counted from 1.
    pub hunk: usize,
    /// The dialect that it was written in.
    pub dialect: &'static str,
    /// Its lines in the input.
    pub input: InputSpan,
    /// Its outcome.
    pub status: HunkStatus,
    /// The first changed line in the file as it was.
    pub line: Option<LineNo>,
    /// The step of the ladder that placed it.
    pub rung: Option<Rung>,
    /// The confidence of its placement.
    pub confidence: Option<Confidence>,
    /// Lines from the place that it names to the place found, less than 0 where that is above.
    pub offset: Option<isize>,
    /// The evidence that chose one of several equal places.
    pub chosen: Option<Chosen>,
    /// The version that it was written against, if its place is known from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_against: Option<VersionName>,
    /// Why it did not apply.
    pub reason: Option<String>,
    /// True if it did not apply only because another hunk of the batch did not.
    #[serde(skip)]
    pub held_back: bool,
    /// The sentence with which the agent announced it, if the input is the log of a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub announcement: Option<String>,
    /// The rejected change that it repeats, if it was proposed in an earlier review.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected_before: Option<RejectedBefore>,
    /// The rule that decided about it, with its proof, if the person has decided nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<ByPolicy>,
    /// Oddities that were tolerated in reading it.
    pub notes: Vec<String>,
    /// The lines that it replaces and that are not at the place that the person chose, in words.
    #[serde(skip)]
    pub not_removed: Option<String>,
    /// Advice on the next attempt.
    pub advice: Option<&'static str>,
    /// All places, if it could be meant for several.
    pub places: Vec<Place>,
    /// The closest matches, if it was not found.
    pub nearest: Vec<Nearest>,
    /// The decision so far, if the review is kept for later.
    #[serde(skip)]
    pub kept: Option<Mark>,
    /// From the agent's lines to what was written, if the person changed them: a diff of the two.
    pub edits: Option<String>,
    /// The reviewer's comment on it.
    pub comment: Option<String>,
    /// The reviewer's comments on some of its lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<LineCommentReport>,
    /// The outcomes of its parts, if the person split it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartReport>,
}

/// A change that the person rejected in an earlier review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectedBefore {
    /// The relation of the hunk to it.
    pub kind: RecurrenceKind,
    /// The person's reason at that time.
    pub reason: Option<String>,
    /// The time of that review, in seconds since 1970.
    pub time: u64,
    /// The number of added lines that the rejected change did not have.
    pub new_lines: usize,
}

/// Returns a doubtful place with the lines that differ there.
fn differing(placement: &Placement) -> Nearest {
    Nearest {
        line: LineNo::from_idx(placement.lines.start),
        last: LineNo::from_idx(placement.lines.end.max(placement.lines.start + 1) - 1),
        similarity: placement.similarity,
        differs: placement.differs.to_vec(),
    }
}

/// Returns true if the place of a hunk depends on the edits before it.
fn follows_others(review: &HunkReview) -> bool {
    let placement = review.placement();
    placement.is_some_and(|placement| placement.doubt == Some(Doubt::Sequence))
}

/// The report on the hunk at a position of a file, rejected for a reason.
pub(in crate::review) fn hunk_report(
    file: &FileReview,
    hunk: usize,
    writing: &Writing,
    reason: Option<&Reason>,
) -> HunkReport {
    let review = &file.hunks[hunk];
    let (status, why) = match hunk_status(file, hunk, writing) {
        (HunkStatus::Rejected, why) => match reason {
            Some(Reason::Doubtful(_)) => (HunkStatus::Doubtful, reason.cloned()),
            _ => (HunkStatus::Rejected, reason.cloned().or(why)),
        },
        known => known,
    };
    let held_back = why == Some(Reason::HeldBack);
    let kept = match why {
        Some(Reason::Postponed(mark)) => mark,
        _ => None,
    };
    let why = why.map(|why| why.to_string());
    let advice = match (writing, &why) {
        (Writing::Refused { error, hint, .. }, Some(why)) if why == error => Some(*hint),
        (_, _) if matches!(file.refusal(), Some(Refusal::Missing(Some(_)))) => {
            Some("name a file that exists")
        }
        (_, _) if status == HunkStatus::Doubtful && follows_others(review) => Some(
            "add lines around it until they match once after the edits before it, or send it in a later call",
        ),
        (_, _) => status.advice(),
    };
    let placement = review.placement().filter(|_| review.step.is_none());
    let (places, nearest) = match &review.outcome {
        // It is not to be sent again.
        Outcome::Unplaced(_) if status == HunkStatus::Rejected => (Vec::new(), Vec::new()),
        Outcome::Unplaced(Unplaced::Ambiguous { places, .. }) => (places.clone(), Vec::new()),
        Outcome::Unplaced(Unplaced::NotFound { nearest } | Unplaced::Conflict { nearest, .. }) => {
            (Vec::new(), nearest.clone())
        }
        // What differs at a doubtful place is quoted, so that the agent can send the hunk again.
        Outcome::Placed(placement) if status == HunkStatus::Doubtful => {
            (Vec::new(), vec![differing(placement)])
        }
        Outcome::Unplaced(_)
        | Outcome::Placed(_)
        | Outcome::Follows { .. }
        | Outcome::AlreadyApplied { .. }
        | Outcome::Refused => (Vec::new(), Vec::new()),
    };
    let reason = why.or_else(|| repeated(review, status));
    let is_in = |note: &str| {
        reason
            .as_deref()
            .is_some_and(|reason| reason.contains(note))
    };
    let not_removed = not_removed_words(review);
    let notes = (review.remarks.iter())
        .filter(|remark| !matches!(remark, Remark::Announced(_) | Remark::Rejected(_)))
        .map(remark_words)
        .chain(review.step.as_ref().and_then(Step::sentence))
        .chain(not_removed.clone())
        .filter(|note| !is_in(note))
        .collect();
    HunkReport {
        path: file.path.clone(),
        hunk: hunk + 1,
        dialect: review.dialect,
        input: review.span,
        status,
        line: match &review.outcome {
            Outcome::AlreadyApplied { at } => *at,
            Outcome::Placed(_)
            | Outcome::Follows { .. }
            | Outcome::Unplaced(_)
            | Outcome::Refused => placement.map(placed_line),
        },
        rung: placement.map(|placement| placement.rung),
        confidence: placement.map(|placement| placement.confidence),
        offset: placement.and_then(|placement| placement.offset),
        chosen: placement.and_then(|placement| placement.chosen),
        written_against: placement.and_then(|placement| placement.version.as_deref().cloned()),
        reason,
        held_back,
        announcement: review.announcement().map(AsRef::as_ref).map(str::to_owned),
        rejected_before: review.recurrence().map(|recurrence| RejectedBefore {
            kind: recurrence.kind,
            reason: recurrence.reason.clone(),
            time: recurrence.time,
            new_lines: recurrence.fresh.len(),
        }),
        decided_by: review.by_policy().cloned(),
        notes,
        not_removed,
        advice,
        places,
        nearest,
        kept,
        edits: matches!(
            status,
            HunkStatus::AppliedWithEdits | HunkStatus::KeptWithEdits
        )
        .then(|| edits(file, hunk)),
        comment: review.state.comment.clone(),
        comments: line_comments(file, hunk),
        parts: part_reports(file, hunk, writing),
    }
}

/// Returns the reason for which a change was rejected before, if it is rejected again without another one.
fn repeated(review: &HunkReview, status: HunkStatus) -> Option<String> {
    let is_said = review.state.comment.is_some() || status != HunkStatus::Rejected;
    let recurrence = review.recurrence().filter(|_| !is_said)?;
    (recurrence.kind.is_rejected()).then(|| recurrence.for_agent())
}

/// Returns what was edited in a hunk: from what the agent's lines leave to what is written, as a diff without headers.
fn edits(file: &FileReview, hunk: usize) -> String {
    let whole = file.hunks[hunk].whole();
    let sent = whole.iter().map(|line| (line, true, true));
    let parts = file.parts(hunk).into_iter();
    let states = parts.map(|part| &file.hunks[part].state);
    let lines = states.flat_map(|state| state.lines.iter().zip(&state.marks));
    let kept = lines.map(|(line, marks)| {
        let [removed, added] =
            [marks.removed, marks.added].map(|decision| decision == Decision::Accepted);
        (line, removed, added)
    });
    let (sent, kept): (Vec<_>, Vec<_>) = (sent.collect(), kept.collect());
    let removed = (sent.iter().chain(&kept)).filter(|(line, ..)| line.removes);
    let touched: BTreeSet<LineIdx> = removed.map(|(line, ..)| line.at).collect();
    let [sent, kept] = [sent, kept].map(|lines| text_left(&file.base, &touched, &lines));
    let diff = similar::TextDiff::from_lines(&sent, &kept);
    diff.unified_diff().context_radius(1).to_string()
}

/// Returns the text that changed lines leave of the base lines `touched`. Each comes with whether its base line goes, and whether its
/// new line comes.
fn text_left(
    base: &Document,
    touched: &BTreeSet<LineIdx>,
    lines: &[(&ChangedLine, bool, bool)],
) -> String {
    let mut text = String::new();
    let mut rest = touched.iter().copied().peekable();
    for &(line, removed, added) in lines {
        while let Some(at) = rest.next_if(|at| *at < line.at) {
            text.extend([base.line(at), "\n"]);
        }
        if line.removes && rest.next_if_eq(&line.at).is_some() && !removed {
            text.extend([base.line(line.at), "\n"]);
        }
        if let Some(adds) = line.adds.as_ref().filter(|_| added) {
            text.extend([adds, "\n"]);
        }
    }
    text.extend(rest.flat_map(|at| [base.line(at), "\n"]));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_of_an_unchanged_line_replaces_it() {
        let base = Document::from_text("a\nb\nc\n");
        let line = |at, removes, adds: &str| ChangedLine {
            at,
            removes,
            adds: (!adds.is_empty()).then(|| adds.to_owned()),
        };
        let check = |lines: &[(ChangedLine, bool, bool)], expected: &str| {
            let lines: Vec<_> = (lines.iter())
                .map(|(line, removed, added)| (line, *removed, *added))
                .collect();
            let touched = BTreeSet::from([1, 2]);
            assert_eq!(text_left(&base, &touched, &lines), expected);
        };
        check(&[(line(1, true, "B"), true, true)], "B\nc\n");
        check(
            &[
                (line(1, true, "B"), true, true),
                (line(2, true, "C"), true, true),
            ],
            "B\nC\n",
        );
        check(&[(line(1, true, "B"), false, true)], "b\nB\nc\n");
        check(&[(line(2, false, "x"), false, true)], "b\nx\nc\n");
        check(
            &[
                (line(1, true, ""), true, false),
                (line(3, false, "x"), false, true),
            ],
            "c\nx\n",
        );
    }
}
