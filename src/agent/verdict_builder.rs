//! Builds the verdict for an agent from a report.

use std::collections::BTreeMap;

use super::verdict::{
    Approved, Comment, CommentedLines, FileDecision, FileVerdict, HunkVerdict, VERDICT_SCHEMA,
    Verdict,
};
use crate::review::{FileReport, HunkReport, HunkStatus, LineCommentReport, Report, ReportedLines};
use crate::text::LineNo;

impl Verdict {
    /// Returns the hashes of the approved files by name; `None` for deleted ones.
    pub fn approved(&self) -> BTreeMap<String, Option<String>> {
        let known = self.files.iter().filter(|file| {
            let is_deleted = file.result == Some(Approved::Deleted);
            file.sha256_after.is_some() || file.sha256_before.is_some() || is_deleted
        });
        let named = known.map(|file| {
            let name = file.rename.as_ref().unwrap_or(&file.path);
            (name.clone(), file.sha256_after.clone())
        });
        named.collect()
    }

    /// Builds the verdict of a report, with the message for the model.
    pub fn new(report: &Report, message: String) -> Self {
        let hunks = report.hunks_by_path();
        let of = |file: &FileReport| hunks.get(file.path.as_str()).map_or(&[][..], Vec::as_slice);
        Self {
            schema: VERDICT_SCHEMA.to_owned(),
            status: report.status,
            written: report.written,
            id: report.id.clone(),
            files: (report.files.iter())
                .map(|file| file_verdict(file, of(file)))
                .collect(),
            comments: comments(report),
            threads: report.threads.clone(),
            message,
        }
    }
}

/// Collects the comments of the person: on the batch, on files and their lines, on hunks and theirs.
fn comments(report: &Report) -> Vec<Comment> {
    let nothing = Comment {
        path: None,
        hunk: None,
        line: None,
        old: None,
        new: None,
        quoted: Vec::new(),
        text: String::new(),
    };
    let mut all = comments_on(&nothing, report.comment.as_deref(), &[]);
    for file in &report.files {
        let about = Comment {
            path: Some(file.path.clone()),
            ..nothing.clone()
        };
        all.extend(comments_on(&about, file.comment.as_deref(), &file.comments));
    }
    for hunk in &report.hunks {
        let about = Comment {
            path: Some(hunk.path.clone()),
            hunk: Some(hunk.hunk),
            line: hunk.line.map(LineNo::get),
            ..nothing.clone()
        };
        all.extend(comments_on(&about, hunk.comment.as_deref(), &hunk.comments));
    }
    all
}

fn commented(lines: ReportedLines) -> CommentedLines {
    CommentedLines {
        first: lines.first.get(),
        last: lines.last.get(),
    }
}

fn file_verdict(file: &FileReport, hunks: &[&HunkReport]) -> FileVerdict {
    let statuses: Vec<HunkStatus> = hunks.iter().map(|hunk| hunk.status).collect();
    FileVerdict {
        path: file.path.clone(),
        rename: file.rename.clone(),
        decision: decision(&statuses),
        sha256_before: file.before.clone(),
        sha256_after: file.after.clone(),
        base_sha256: None,
        result: None,
        hunks: hunks.iter().copied().map(hunk_verdict).collect(),
    }
}

/// Computes the decision for a file from those for its hunks.
fn decision(hunks: &[HunkStatus]) -> FileDecision {
    let all = |test: fn(HunkStatus) -> bool| hunks.iter().copied().all(test);
    let plain = |status| matches!(status, HunkStatus::Applied | HunkStatus::AlreadyApplied);
    let approved = |status| matches!(status, HunkStatus::Applied | HunkStatus::AppliedWithEdits);
    if hunks.is_empty() {
        FileDecision::Rejected
    } else if all(|status| status == HunkStatus::AlreadyApplied) {
        FileDecision::AlreadyApplied
    } else if all(plain) {
        FileDecision::Accepted
    } else if hunks.iter().copied().any(approved) {
        FileDecision::Amended
    } else {
        FileDecision::Rejected
    }
}

fn hunk_verdict(hunk: &HunkReport) -> HunkVerdict {
    HunkVerdict {
        id: hunk.hunk,
        outcome: hunk.status,
        line: hunk.line.map(LineNo::get),
        input_line: hunk.input.first.get(),
        reason: hunk.reason.clone(),
        advice: hunk.advice.map(ToOwned::to_owned),
        edit: hunk.edits.clone(),
    }
}

/// Returns the comments on one thing as a whole and on its lines, each with the place of `about`.
fn comments_on(about: &Comment, whole: Option<&str>, lines: &[LineCommentReport]) -> Vec<Comment> {
    let whole = whole.map(|text| Comment {
        text: text.to_owned(),
        ..about.clone()
    });
    let lines = lines.iter().map(|said| Comment {
        old: said.old.map(commented),
        new: said.new.map(commented),
        quoted: said.quoted.clone(),
        text: said.text.clone(),
        ..about.clone()
    });
    whole.into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hunks_of_a_file_come_to_one_word() {
        use FileDecision::{Accepted, AlreadyApplied, Amended, Rejected};
        let check = |hunks: &[HunkStatus], expected| {
            assert_eq!(decision(hunks), expected, "{hunks:?}");
        };
        check(&[], Rejected);
        check(&[HunkStatus::Applied], Accepted);
        check(&[HunkStatus::Applied, HunkStatus::AlreadyApplied], Accepted);
        check(&[HunkStatus::AlreadyApplied], AlreadyApplied);
        check(&[HunkStatus::Applied, HunkStatus::Rejected], Amended);
        check(&[HunkStatus::AppliedWithEdits], Amended);
        check(
            &[HunkStatus::AlreadyApplied, HunkStatus::Rejected],
            Rejected,
        );
        check(&[HunkStatus::NotFound], Rejected);
        check(&[HunkStatus::Failed, HunkStatus::Rejected], Rejected);
    }
}
