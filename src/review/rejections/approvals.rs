//! Approvals of changes that stay in the files: what a person accepted in one review is accepted in the next one, as long as nothing of
//! it and nothing next to it has changed.

use std::ops::Range;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::review::plan::apply_decisions::as_proposed;
use crate::review::plan::outcome_map::{OutcomeMap, as_left};
use crate::review::session::decision::Mark;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkId, HunkReview};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::{Found, Stance};
use crate::text::{Document, LineIdx, hex};

/// Lines on each side that have to be the same.
const AROUND: usize = 3;
/// Most accepted changes of one review that are kept.
const MOST_CHANGES: usize = 4_000;

/// The accepted changes of a file, as one review leaves them. A later record of the same file takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedFile {
    /// The file, relative to the root.
    pub path: String,
    /// The changes that are in the file and that the person accepted.
    pub changes: Vec<ApprovedChange>,
}

/// A change that a person accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovedChange {
    /// The SHA-256 of all that has to be the same where it is accepted again: the texts of both versions with their line endings, and
    /// the lines around them in both.
    pub content: String,
    /// True if all of its lines were shown to the person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
}

/// A change between two versions of a file, and the lines around it in both.
struct ExactChange<'a> {
    removed: WholeLines<'a>,
    added: WholeLines<'a>,
    old: LinesAround<'a>,
    new: LinesAround<'a>,
}

impl ExactChange<'_> {
    fn content(&self) -> String {
        let mut digest = Sha256::new();
        let lines = [&self.removed, &self.added];
        let around = [&self.old, &self.new];
        let around = around
            .into_iter()
            .flat_map(|around| [&around.above, &around.below]);
        for part in lines.into_iter().chain(around) {
            digest.update(part.len().to_le_bytes());
            for text in part {
                digest.update(text.len().to_le_bytes());
                digest.update(text.as_bytes());
            }
        }
        hex(&digest.finalize())
    }
}

/// Lines, each followed by its ending where that counts.
type WholeLines<'a> = Vec<&'a str>;

/// Lines around a change.
struct LinesAround<'a> {
    above: Vec<&'a str>,
    below: Vec<&'a str>,
}

impl<'a> LinesAround<'a> {
    fn of(count: usize, line: impl Fn(usize) -> &'a str, lines: &Range<usize>) -> Self {
        let above = lines.start.saturating_sub(AROUND)..lines.start;
        let below = lines.end..(lines.end + AROUND).min(count);
        Self {
            above: above.map(&line).collect(),
            below: below.map(&line).collect(),
        }
    }

    fn in_text(document: &'a Document, lines: &Range<LineIdx>) -> Self {
        Self::of(document.len(), |line| document.line(line), lines)
    }
}

/// Returns the accepted changes of the files of a review that are on disk already.
pub fn approved_changes(session: &ReviewSession) -> Vec<ApprovedFile> {
    let files = session.files.iter();
    let files = files.filter(|file| file.is_open() && file.stance() == Stance::Standing);
    let mut rest = MOST_CHANGES;
    let approved = files.map(|file| {
        let mut changes = approved_in(file);
        changes.truncate(rest);
        rest -= changes.len();
        ApprovedFile {
            path: file.path.clone(),
            changes,
        }
    });
    approved.collect()
}

fn approved_in(file: &FileReview) -> Vec<ApprovedChange> {
    if !file.hunks.iter().any(is_approved) {
        return Vec::new();
    }
    let (proposed, left) = (as_proposed(file), as_left(file));
    let nothing = Document::from_text("");
    let map = OutcomeMap::new(&left, true);
    let hunks = file.hunks.iter().enumerate();
    let approved = hunks.filter(|(_, hunk)| is_approved(hunk));
    let changes = approved.filter_map(|(at, hunk)| {
        let (_, right) = sides_of(&left, at)?;
        let afterwards = if right.is_empty() {
            map.around_right(right)
        } else {
            map.of_right(right)?
        };
        let exact = exact_change(&proposed, at, &nothing)?;
        let new = LinesAround::of(map.lines.len(), |line| map.lines[line], &afterwards);
        Some(ApprovedChange {
            content: ExactChange { new, ..exact }.content(),
            shown: hunk.is_shown_whole(),
        })
    });
    changes.collect()
}

/// Returns true if the person accepted all of a hunk as it is.
fn is_approved(hunk: &HunkReview) -> bool {
    is_whole(hunk) && hunk.mark() == Some(Mark::Accepted) && hunk.by_policy().is_none()
}

/// Returns true for a hunk of lines that is as it was proposed.
fn is_whole(hunk: &HunkReview) -> bool {
    let has_lines = hunk.step.is_none() && !hunk.state.lines.is_empty();
    has_lines && !hunk.state.edited && hunk.part.is_none()
}

/// Returns true if nothing is decided about a hunk, and it needs no attention.
fn is_open(file: &FileReview, hunk: &HunkReview) -> bool {
    file.may_be_swept(hunk) && hunk.mark() == Some(Mark::Undecided)
}

/// Returns the lines that a hunk takes on both sides; `None` if another hunk changes lines between its own.
fn sides_of(file: &FileReview, hunk: usize) -> Option<(Range<LineIdx>, Range<LineIdx>)> {
    let mut found: Option<(Range<LineIdx>, Range<LineIdx>)> = None;
    let mut is_left = false;
    let (mut removed, mut added) = (0, 0);
    for group in &file.groups {
        let start = group.base.start + added - removed;
        removed += group.base.len();
        added += group.adds;
        let end = group.base.end + added - removed;
        match &mut found {
            _ if group.hunk != hunk => is_left |= found.is_some(),
            Some(_) if is_left => return None,
            Some((base, right)) => {
                base.end = group.base.end;
                right.end = end;
            }
            None => found = Some((group.base.clone(), start..end)),
        }
    }
    found
}

/// Returns the change of a hunk between the two versions of its file; `None` if they are no texts. `nothing` is the text of a file that
/// is not there.
fn exact_change<'a>(
    file: &'a FileReview,
    hunk: usize,
    nothing: &'a Document,
) -> Option<ExactChange<'a>> {
    let (base, right) = sides_of(file, hunk)?;
    let old = &*file.base;
    let new = match &file.sides.as_ref()?.new {
        Found::Text { document, .. } => document,
        Found::Absent => nothing,
        Found::Link(_) | Found::Folder | Found::Opaque(_) | Found::Refused(_) => return None,
    };
    Some(ExactChange {
        removed: whole_lines(old, base.clone())?,
        added: whole_lines(new, right.clone())?,
        old: LinesAround::in_text(old, &base),
        new: LinesAround::in_text(new, &right),
    })
}

/// Returns lines of a text with their endings; `None` if it does not have them.
fn whole_lines(document: &Document, lines: Range<LineIdx>) -> Option<WholeLines<'_>> {
    let is_there = lines.end <= document.len();
    let whole = lines.flat_map(|line| [document.line(line), document.ending(line).as_str()]);
    is_there.then(|| whole.collect())
}

/// The changes that the person accepted in earlier reviews, file by file.
#[derive(Debug, Default)]
pub struct Approvals {
    by_path: FxHashMap<String, FxHashMap<String, ApprovalCount>>,
}

#[derive(Debug, Clone, Copy)]
struct ApprovalCount {
    /// The number of such changes in the file.
    count: usize,
    /// True if all of them were shown.
    shown: bool,
}

impl Approvals {
    /// Collects the approvals of some reviews, the latest first.
    pub fn new<'a>(files: impl IntoIterator<Item = &'a ApprovedFile>) -> Self {
        let mut approvals = Self::default();
        for file in files {
            if approvals.by_path.contains_key(&file.path) {
                continue;
            }
            let mut changes: FxHashMap<String, ApprovalCount> = FxHashMap::default();
            for ApprovedChange { content, shown } in &file.changes {
                let first = ApprovalCount {
                    count: 0,
                    shown: true,
                };
                let approval = changes.entry(content.clone()).or_insert(first);
                approval.count += 1;
                approval.shown &= shown;
            }
            approvals.by_path.insert(file.path.clone(), changes);
        }
        approvals
    }

    /// Accepts the hunks of a session that are just what was accepted before, as one step to undo. Hunks that need attention are
    /// left, and so are changes that are there more often than they were accepted.
    pub fn accept(&self, session: &mut ReviewSession) {
        let nothing = Document::from_text("");
        let mut again = Vec::new();
        for (file, review) in session.files.iter().enumerate() {
            let known = self.by_path.get(&review.path);
            let known = known.filter(|_| review.is_open() && review.stance() == Stance::Standing);
            let Some(known) = known.filter(|known| !known.is_empty()) else {
                continue;
            };
            let hunks = (0..review.hunks.len()).filter(|&hunk| is_whole(&review.hunks[hunk]));
            let changes = hunks.filter_map(|hunk| {
                let change = exact_change(review, hunk, &nothing)?;
                Some((hunk, change.content()))
            });
            let mut found: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for (hunk, change) in changes.filter(|(_, change)| known.contains_key(change)) {
                found.entry(change).or_default().push(hunk);
            }
            for (change, hunks) in found {
                let approval = known[&change];
                let is_open = hunks
                    .iter()
                    .all(|&hunk| is_open(review, &review.hunks[hunk]));
                if hunks.len() <= approval.count && is_open {
                    let ids = hunks.into_iter().map(|hunk| HunkId { file, hunk });
                    again.extend(ids.map(|id| (id, approval.shown)));
                }
            }
        }
        again.sort_unstable();
        session.accept_again(again);
    }
}
