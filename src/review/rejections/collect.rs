//! Collects the changes that a person rejected, or wrote otherwise, from a review that is finished.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::change::ChangeLines;
use super::record::{PastVerdict, RejectedChange, ShownLines};
use crate::review::session::decision::{Decision, Mark};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{ChangedLine, HunkReview};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Stance;
use crate::text::LineIdx;

/// Lines that are kept on each side of a change.
pub(super) const AROUND: usize = 8;
/// Most bytes of a change that is kept.
const MOST_BYTES: usize = 256 << 10;

/// Returns the changes that a person rejected or wrote otherwise. What was left undecided is not among them, and neither are changes of
/// names and permissions.
pub fn rejected_changes(session: &ReviewSession) -> Vec<RejectedChange> {
    let files = session.files.iter().filter(|file| file.is_open());
    files.flat_map(of_file).filter(fits).collect()
}

/// Returns the accepted changes that the person had rejected in an earlier review.
pub fn accepted_after_all(session: &ReviewSession) -> Vec<RejectedChange> {
    let mut changes = Vec::new();
    for file in session.files.iter().filter(|file| file.is_open()) {
        for run in runs(file) {
            let is_again = run.hunks.iter().any(|(hunk, _)| {
                let hunk = &file.hunks[*hunk];
                hunk.mark() == Some(Mark::Accepted)
                    && hunk.recurrence().is_some_and(|it| it.kind.is_same())
            });
            if is_again {
                changes.push(run.change(file, PastVerdict::Rejected, None));
            }
        }
    }
    changes.retain(fits);
    changes
}

fn fits(change: &RejectedChange) -> bool {
    let lines = change.removed.iter().chain(&change.added);
    lines.map(|line| line.len() + 1).sum::<usize>() <= MOST_BYTES
}

/// Adjacent changed lines of a file, of one hunk or of several.
pub(super) struct ChangedRun {
    /// The base lines that go; empty for an insertion.
    pub(super) base: Range<LineIdx>,
    /// The hunks, each with the positions of the lines among its changed lines.
    pub(super) hunks: Vec<(usize, Range<usize>)>,
}

/// Returns the proposed changes of a file.
pub(super) fn runs(file: &FileReview) -> Vec<ChangedRun> {
    let mut runs: Vec<ChangedRun> = Vec::new();
    for group in &file.groups {
        if !file.hunks[group.hunk].is_decidable() {
            continue;
        }
        let lines = (group.hunk, group.lines.clone());
        match runs.last_mut() {
            Some(run) if run.base.end == group.base.start => {
                run.base.end = group.base.end;
                run.hunks.push(lines);
            }
            _ => runs.push(ChangedRun {
                base: group.base.clone(),
                hunks: vec![lines],
            }),
        }
    }
    runs
}

impl ChangedRun {
    /// Returns the new lines.
    pub(super) fn added<'a>(&self, file: &'a FileReview) -> Vec<&'a str> {
        let lines = self.hunks.iter().flat_map(|(hunk, lines)| {
            let state = &file.hunks[*hunk].state;
            state.lines.get(lines.clone()).unwrap_or_default()
        });
        lines.filter_map(|line| line.adds.as_deref()).collect()
    }

    /// Returns the lines that go.
    pub(super) fn removed<'a>(&self, file: &'a FileReview) -> Vec<&'a str> {
        self.base.clone().map(|line| file.base.line(line)).collect()
    }

    /// Returns the lines above it and below it.
    pub(super) fn around<'a>(&self, file: &'a FileReview) -> [Vec<&'a str>; 2] {
        let above = self.base.start.saturating_sub(AROUND)..self.base.start;
        let below = self.base.end..(self.base.end + AROUND).min(file.base.len());
        [above, below].map(|lines| lines.map(|line| file.base.line(line)).collect())
    }

    /// Returns its lines and those around it.
    pub(super) fn lines<'a>(&self, file: &'a FileReview) -> ChangeLines<'a> {
        let [before, after] = self.around(file);
        ChangeLines {
            removed: self.removed(file),
            added: self.added(file),
            before,
            after,
        }
    }

    fn change(
        &self,
        file: &FileReview,
        verdict: PastVerdict,
        reason: Option<String>,
    ) -> RejectedChange {
        let [before, after] = self.around(file).map(owned);
        RejectedChange {
            path: file.path.clone(),
            removed: owned(self.removed(file)),
            added: owned(self.added(file)),
            before,
            after,
            verdict,
            reason,
            shown: ShownLines::default(),
            hunk: self.hunks.first().map(|(hunk, _)| *hunk),
        }
    }
}

fn owned(lines: Vec<&str>) -> Vec<String> {
    lines.into_iter().map(str::to_owned).collect()
}

/// A line of the file as the review leaves it, of the file as the agent wants it, or of both.
struct ReviewedLine<'a> {
    text: &'a str,
    is_left: bool,
    is_wanted: bool,
    /// True if it was shown as changed.
    is_shown: bool,
    /// The hunk, for a line that was changed.
    hunk: Option<usize>,
}

/// The two files that are compared.
#[derive(Debug, Clone, Copy)]
enum WhichFile {
    /// The file as the review leaves it.
    Left,
    /// The file as the agent wants it.
    Wanted,
}

impl<'a> ReviewedLine<'a> {
    fn unchanged(text: &'a str) -> Self {
        Self {
            text,
            is_left: true,
            is_wanted: true,
            is_shown: false,
            hunk: None,
        }
    }
}

/// Returns the changes of a hunk that has no place, as the agent states them, between the lines that it expects.
pub(super) fn unplaced_changes(file: &FileReview, hunk: &HunkReview) -> Vec<RejectedChange> {
    let Some(stated) = hunk.asked.as_ref().filter(|_| hunk.can_be_dropped()) else {
        return Vec::new();
    };
    let Some(body) = stated.hunk().map(|hunk| &hunk.body) else {
        return Vec::new();
    };
    let (old, new) = (&body.preimage, &body.postimage);
    let differing = capture_diff_slices(Algorithm::Myers, old, new);
    let differing = differing.iter().filter(|op| op.tag() != DiffTag::Equal);
    let changes = differing.map(|op| {
        let lines = op.old_range();
        let above = lines.start.saturating_sub(AROUND)..lines.start;
        let below = lines.end..(lines.end + AROUND).min(old.len());
        RejectedChange {
            path: file.path.clone(),
            removed: old[lines].to_vec(),
            added: new[op.new_range()].to_vec(),
            before: old[above].to_vec(),
            after: old[below].to_vec(),
            verdict: PastVerdict::Rejected,
            reason: reason(file, hunk),
            shown: ShownLines::default(),
            hunk: None,
        }
    });
    changes.collect()
}

/// Returns the changes of one file: the differences between what the review leaves and what the agent wants.
fn of_file(file: &FileReview) -> Vec<RejectedChange> {
    let is_rejected = |hunk: &HunkReview| has_decision(hunk, Decision::Rejected);
    let mut changes = Vec::new();
    if (file.hunks.iter()).any(|hunk| is_rejected(hunk) && !hunk.state.edited) {
        changes = changes_in(file, &lines(file), PastVerdict::Rejected);
    }
    for hunk in file.hunks.iter().filter(|hunk| hunk.is_dropped()) {
        changes.extend(unplaced_changes(file, hunk));
    }
    for (n, hunk) in file.hunks.iter().enumerate() {
        let verdict = match hunk {
            _ if !hunk.state.edited => continue,
            _ if has_decision(hunk, Decision::Accepted) => PastVerdict::Edited,
            _ if is_rejected(hunk) => PastVerdict::Rejected,
            _ => continue,
        };
        changes.extend(changes_in(file, &edited_lines(file, n), verdict));
    }
    changes
}

/// Returns true if a line of a hunk has this decision.
fn has_decision(hunk: &HunkReview, decision: Decision) -> bool {
    let mut decisions = hunk.state.decisions(0..usize::MAX);
    hunk.is_decidable() && decisions.any(|own| own == decision)
}

/// Returns the changes between the lines that are left and those that are wanted.
fn changes_in(
    file: &FileReview,
    lines: &[ReviewedLine<'_>],
    verdict: PastVerdict,
) -> Vec<RejectedChange> {
    let mut changes = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].is_left == lines[at].is_wanted {
            at += 1;
            continue;
        }
        let stays = |line: &ReviewedLine<'_>| line.is_left && line.is_wanted;
        let end = lines[at..].iter().position(stays);
        let end = end.map_or(lines.len(), |length| at + length);
        let differing = &lines[at..end];
        let is_left = |line: &&ReviewedLine<'_>| line.is_left;
        let mut before = texts(lines[..at].iter().rev().filter(is_left).take(AROUND));
        before.reverse();
        let after = texts(lines[end..].iter().filter(is_left).take(AROUND));
        let removed = || only_in(differing, WhichFile::Left);
        let added = || only_in(differing, WhichFile::Wanted);
        let differs = (differing.iter()).find(|line| line.is_left != line.is_wanted);
        let number = differs.and_then(|line| line.hunk);
        let hunk = number.and_then(|number| file.hunks.get(number));
        changes.push(RejectedChange {
            path: file.path.clone(),
            removed: texts(removed()),
            added: texts(added()),
            before,
            after,
            verdict,
            reason: hunk.and_then(|hunk| reason(file, hunk)),
            shown: ShownLines {
                removed: shown(removed()),
                added: shown(added()),
            },
            hunk: number,
        });
        at = end;
    }
    changes
}

/// Returns the person's comment on a hunk, on its lines, or on its file.
fn reason(file: &FileReview, hunk: &HunkReview) -> Option<String> {
    let own = hunk.state.comment.iter();
    let lines = hunk.state.line_comments.iter().map(|said| &said.text);
    let said: Vec<&str> = own.chain(lines).map(String::as_str).collect();
    if !said.is_empty() {
        return Some(said.join("; "));
    }
    // What is rejected again without another reason keeps the reason.
    let earlier = hunk
        .recurrence()
        .filter(|earlier| earlier.kind.is_rejected());
    let earlier = earlier.and_then(|earlier| earlier.reason.clone());
    file.comment.clone().or(earlier)
}

/// Returns all lines of a file with those that were rejected. Hunks that the person edited are as they are left.
fn lines(file: &FileReview) -> Vec<ReviewedLine<'_>> {
    let stance = stance(file);
    let mut lines = Vec::new();
    let mut done = 0;
    for group in &file.groups {
        let hunk = &file.hunks[group.hunk];
        lines.extend(
            (done..group.base.start).map(|line| ReviewedLine::unchanged(file.base.line(line))),
        );
        done = group.base.end;
        let state = &hunk.state;
        let changed = state.lines.get(group.lines.clone()).unwrap_or_default();
        let marks = state.marks.get(group.lines.clone()).unwrap_or_default();
        let seen = hunk.seen.of(&state.lines);
        let seen = seen.get(group.lines.clone()).unwrap_or_default();
        for ((line, marks), seen) in changed.iter().zip(marks).zip(seen) {
            // The agent wants what it proposed, but for lines about which nobody decided: these are taken as they are left.
            let removed = line.removes.then(|| {
                let is_left = !stance.takes(marks.removed);
                let is_wanted = is_left && marks.removed == Decision::Undecided;
                (file.base.line(line.at), is_left, is_wanted, seen.removed)
            });
            let added = line.adds.as_deref().map(|text| {
                let is_left = stance.takes(marks.added);
                let is_wanted = is_left || marks.added == Decision::Rejected;
                (text, is_left, is_wanted, seen.added)
            });
            for (text, is_left, is_wanted, is_shown) in removed.into_iter().chain(added) {
                lines.push(ReviewedLine {
                    text,
                    is_left,
                    is_wanted: if state.edited { is_left } else { is_wanted },
                    is_shown,
                    hunk: Some(group.hunk),
                });
            }
        }
    }
    lines.extend((done..file.base.len()).map(|line| ReviewedLine::unchanged(file.base.line(line))));
    lines
}

/// Returns the lines of a hunk that the person edited, beside those that the agent wants, and the lines around them.
fn edited_lines(file: &FileReview, hunk: usize) -> Vec<ReviewedLine<'_>> {
    let review = &file.hunks[hunk];
    let stance = stance(file);
    let all = || review.proposed.iter().chain(review.state.lines.iter());
    let start = all().map(|line| line.at).min().unwrap_or(0);
    let end = all().map(ChangedLine::end).max().unwrap_or(0);
    let marks = review.state.marks.iter().copied();
    let left = review.state.lines.iter().zip(marks).map(|(line, marks)| {
        let removes = line.removes && stance.takes(marks.removed);
        (line, removes, stance.takes(marks.added))
    });
    let left = with_changes(file, start..end, left);
    let wanted = review
        .proposed
        .iter()
        .map(|line| (line, line.removes, true));
    let wanted = with_changes(file, start..end, wanted);
    let base =
        |lines: Range<LineIdx>| lines.map(|line| ReviewedLine::unchanged(file.base.line(line)));
    let mut lines: Vec<ReviewedLine<'_>> = base(start.saturating_sub(AROUND)..start).collect();
    for op in capture_diff_slices(Algorithm::Myers, &left, &wanted) {
        let is_equal = op.tag() == DiffTag::Equal;
        lines.extend(left[op.old_range()].iter().map(|text| ReviewedLine {
            text,
            is_left: true,
            is_wanted: is_equal,
            is_shown: false,
            hunk: Some(hunk),
        }));
        let added = wanted[op.new_range()].iter().filter(|_| !is_equal);
        lines.extend(added.map(|text| ReviewedLine {
            text,
            is_left: false,
            is_wanted: true,
            is_shown: false,
            hunk: Some(hunk),
        }));
    }
    lines.extend(base(end..(end + AROUND).min(file.base.len())));
    lines
}

/// Returns some base lines with changes: for each changed line, whether its base line goes and its new line comes.
fn with_changes<'a>(
    file: &'a FileReview,
    base: Range<LineIdx>,
    changes: impl Iterator<Item = (&'a ChangedLine, bool, bool)>,
) -> Vec<&'a str> {
    let mut lines = Vec::new();
    let mut done = base.start;
    for (line, removes, adds) in changes {
        lines.extend((done..line.at).map(|line| file.base.line(line)));
        done = line.at.max(done);
        if line.removes {
            lines.extend((!removes).then(|| file.base.line(line.at)));
            done = line.end();
        }
        lines.extend(line.adds.as_deref().filter(|_| adds));
    }
    lines.extend((done..base.end).map(|line| file.base.line(line)));
    lines
}

fn stance(file: &FileReview) -> Stance {
    file.stance()
}

/// Returns the lines that only one of the two files has.
fn only_in<'l>(
    lines: &'l [ReviewedLine<'l>],
    file: WhichFile,
) -> impl Iterator<Item = &'l ReviewedLine<'l>> {
    lines.iter().filter(move |line| match file {
        WhichFile::Left => line.is_left && !line.is_wanted,
        WhichFile::Wanted => line.is_wanted && !line.is_left,
    })
}

/// Returns the positions of the lines that were shown.
fn shown<'l>(lines: impl Iterator<Item = &'l ReviewedLine<'l>>) -> Vec<Range<usize>> {
    let mut shown: Vec<Range<usize>> = Vec::new();
    for (at, _) in lines.enumerate().filter(|(_, line)| line.is_shown) {
        match shown.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => shown.push(at..at + 1),
        }
    }
    shown
}

/// Returns the texts of lines.
fn texts<'l>(lines: impl Iterator<Item = &'l ReviewedLine<'l>>) -> Vec<String> {
    lines.map(|line| line.text.to_owned()).collect()
}
