//! Parts of a hunk in a report: those it was split into, and the lines that the reviewer commented on.

use std::fmt;

use serde::Serialize;

use super::hunk_status::{effective, hunk_status_as};
use super::write_result::Writing;
use crate::review::session::file::FileReview;
use crate::review::session::file::PassageComment;
use crate::review::session::hunk::{HunkReview, LineComment, Side};
use crate::review::status::HunkStatus;
use crate::text::{LineIdx, LineNo};

/// The outcome of a part of a hunk that the person split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PartReport {
    /// The first changed line in the file as it was.
    pub line: Option<LineNo>,
    /// Its outcome.
    pub status: HunkStatus,
    /// The reviewer's comment on it.
    pub comment: Option<String>,
}

/// A comment of the reviewer on some lines, changed or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LineCommentReport {
    /// The lines of the file as it was that go, or that stay; `None` if none of the lines that are meant does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<ReportedLines>,
    /// The lines that come, or that stay, by their numbers in the file as it was proposed, the person's edits included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<ReportedLines>,
    /// These lines, as a diff writes them.
    pub quoted: Vec<String>,
    /// The text of the comment.
    pub text: String,
}

impl LineCommentReport {
    /// Describes the lines that it is about.
    pub(in crate::review) fn which(&self) -> String {
        let stays = |line: &String| line.starts_with(' ');
        match (&self.old, &self.new) {
            (Some(old), _) if self.quoted.iter().all(stays) => {
                format!("unchanged {old}")
            }
            (Some(old), Some(new)) => format!("old {old}, new {new}"),
            (Some(old), None) => format!("old {old}"),
            (None, Some(new)) => format!("new {new}"),
            (None, None) => "its lines".to_owned(),
        }
    }
}

/// Lines of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ReportedLines {
    /// The first.
    pub first: LineNo,
    /// The last.
    pub last: LineNo,
}

impl ReportedLines {
    /// Describes the lines that begin at a position.
    fn of(first: LineIdx, count: usize) -> Self {
        Self {
            first: LineNo::from_idx(first),
            last: LineNo::from_idx(first + count - 1),
        }
    }
}

impl fmt::Display for ReportedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, last } = self;
        if first == last {
            write!(f, "line {first}")
        } else {
            write!(f, "lines {first} to {last}")
        }
    }
}

/// Every part of a hunk; none if it was not split.
pub(in crate::review) fn part_reports(
    file: &FileReview,
    hunk: usize,
    writing: &Writing,
) -> Vec<PartReport> {
    if file.hunks[hunk].part.is_none() {
        return Vec::new();
    }
    let reports = file.parts(hunk).into_iter().map(|part| {
        let review: &HunkReview = &file.hunks[part];
        let mark = review.mark();
        let mark = mark.map(|mark| effective(file.stance(), mark, &[review]));
        let marked = (mark, review.state.edited);
        let line = review.proposed.first();
        PartReport {
            line: line.map(|line| LineNo::from_idx(line.at)),
            status: hunk_status_as(file, review, marked, writing).0,
            comment: review.state.comment.clone(),
        }
    });
    reports.collect()
}

/// Returns the comments on lines of a hunk, in the order of the lines.
pub(in crate::review) fn line_comments(file: &FileReview, hunk: usize) -> Vec<LineCommentReport> {
    let reports = file.parts(hunk).into_iter().flat_map(|part| {
        let said = file.hunks[part].state.line_comments.iter();
        said.map(move |said| line_comment(file, part, said))
    });
    reports.collect()
}

/// Returns the comments on unchanged lines, in the order of the lines.
pub(in crate::review) fn passage_comments(file: &FileReview) -> Vec<LineCommentReport> {
    let mut comments = Vec::with_capacity(file.passages.len());
    for PassageComment { lines, text, .. } in &file.passages {
        let quoted = lines.clone().map(|idx| format!(" {}", file.base.line(idx)));
        let new = file.right_of(lines.clone());
        comments.push(LineCommentReport {
            old: Some(ReportedLines::of(lines.start, lines.len())),
            new: new.map(|first| ReportedLines::of(first, lines.len())),
            quoted: quoted.collect(),
            text: text.clone(),
        });
    }
    comments
}

fn line_comment(file: &FileReview, hunk: usize, said: &LineComment) -> LineCommentReport {
    let changed = &file.hunks[hunk].state.lines;
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for at in said.lines.start..said.lines.end.min(changed.len()) {
        let line = &changed[at];
        if line.removes && said.side != Side::New {
            old.push(LineNo::from_idx(line.at));
            removed.push(format!("-{}", file.base.line(line.at)));
        }
        if let Some(text) = line.adds.as_ref().filter(|_| said.side != Side::Old) {
            new.extend(file.new_line(hunk, at).map(LineNo::from_idx));
            added.push(format!("+{text}"));
        }
    }
    let [old, new] = [old, new].map(|numbers| {
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        Some(ReportedLines { first, last })
    });
    removed.extend(added);
    LineCommentReport {
        old,
        new,
        quoted: removed,
        text: said.text.clone(),
    }
}
