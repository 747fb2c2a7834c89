//! A proposal and the files as they are become a session.
//!
//! The caller reads the files, because this module reads none: for each [`FileChange`] it brings an [`Intake`] with the
//! file's settled name and what was found under it.

use std::iter;
use std::sync::Arc;

use super::decode::decoded;
use super::entry;
use super::file_plan::Plan;
use super::new_hunk::hunk_review;
use super::resubmitted;
use super::sequence;
use crate::locate::{Placement, Tolerance};
use crate::parallel;
use crate::proposal::{Blobs, FileChange, FinalNewline, HunkOrder, Problem};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::Outcome;
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Found;
use crate::text::{Document, Encoding, LineNo};

/// A file change and the file that it is for.
#[derive(Debug, Clone)]
pub struct Intake {
    /// The requested change.
    pub change: Arc<FileChange>,
    /// The order of its hunks.
    pub order: HunkOrder,
    /// Its settled name, relative to the root.
    pub path: String,
    /// The settled new name of a rename.
    pub rename: Option<Renaming>,
    /// The file that a copy is made of.
    pub source: Option<Source>,
    /// The entry of that name.
    pub found: Found,
    /// Why it may not be accepted in batch, if it may not.
    pub protected: Option<String>,
    /// The bytes of the file, or of the one that is copied; needed only for a binary patch.
    pub bytes: Option<Arc<[u8]>>,
    /// Encoding of its new text; set by [`intake`].
    pub reading: Reading,
}

/// Encoding of the new text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The encoding of a file that is made.
    pub(in crate::review) encoding: Encoding,
    /// True if characters beyond ASCII would be written in an encoding that was only guessed.
    pub(in crate::review) is_guess: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            encoding: Encoding::UTF_8,
            is_guess: false,
        }
    }
}

/// The new name of a file.
#[derive(Debug, Clone)]
pub struct Renaming {
    /// The name, relative to the root.
    pub to: String,
    /// True if there is a file of that name.
    pub exists: bool,
}

/// The file that another is copied from.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its name, relative to the root.
    pub from: String,
    /// The entry of that name.
    pub found: Found,
}

/// Older versions of the files, as far as somebody has them. They are asked for only where the files as they are do not tell
/// enough.
pub trait Versions: Sync {
    /// The version that a diff says it was made from.
    fn ancestor(&self, blobs: &Blobs) -> Option<Document>;

    /// The versions that the file of a name had and that an edit may be made from, the likeliest first.
    fn earlier<'v>(&'v self, path: &'v str) -> Box<dyn Iterator<Item = Document> + 'v>;

    /// Returns the version that the last batch replaced, if the file is still as that batch left it.
    fn replaced(&self, path: &str) -> Option<Document>;
}

/// No older version is known.
struct OnlyNow;

impl Versions for OnlyNow {
    fn ancestor(&self, _: &Blobs) -> Option<Document> {
        None
    }

    fn earlier<'v>(&'v self, _: &'v str) -> Box<dyn Iterator<Item = Document> + 'v> {
        Box::new(iter::empty())
    }

    fn replaced(&self, _: &str) -> Option<Document> {
        None
    }
}

/// Makes the session: places every hunk, in files that may be changed, and gives each its outcome. Files have nothing to do
/// with each other, so all cores place them.
pub fn intake(
    intent: String,
    problems: Vec<Problem>,
    files: Vec<Intake>,
    tolerance: Tolerance,
) -> ReviewSession {
    intake_from(intent, problems, files, tolerance, &OnlyNow)
}

/// The same where older versions of the files are known: a hunk that has no place is placed by the one that it was made
/// from, and what was written already is known by the one that it was written over.
pub fn intake_from(
    intent: String,
    problems: Vec<Problem>,
    files: Vec<Intake>,
    tolerance: Tolerance,
    versions: &dyn Versions,
) -> ReviewSession {
    let files = parallel::map(&grouped(files), |group| {
        let group = decoded(group);
        let review = file_review(&group, tolerance, versions);
        resubmitted::told(review, &group, tolerance, versions)
    });
    ReviewSession {
        intent,
        files,
        problems,
        ..ReviewSession::default()
    }
}

/// Brings the parts for the same file together, in the order of each file's first part.
fn grouped(files: Vec<Intake>) -> Vec<Vec<Intake>> {
    let mut groups: Vec<Vec<Intake>> = Vec::new();
    let mut positions = rustc_hash::FxHashMap::default();
    for file in files {
        let position = *positions.entry(file.path.clone()).or_insert(groups.len());
        match groups.get_mut(position) {
            Some(group) => group.push(file),
            None => groups.push(vec![file]),
        }
    }
    groups
}

/// The parts of a proposal for one file, placed in it.
pub(in crate::review) fn file_review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn Versions,
) -> FileReview {
    if let Some(review) = entry::review(group, tolerance, versions) {
        return review;
    }
    if let Some(review) = sequence::review(group, tolerance, versions) {
        return review;
    }
    let plan = Plan::of(group);
    let protected = group.iter().find_map(|part| part.protected.clone());
    let path = group
        .first()
        .map(|part| part.path.clone())
        .unwrap_or_default();
    let mut hunks = Vec::new();
    if plan.refusal.is_none() {
        hunks = plan.place(group, tolerance, versions);
    } else {
        for part in group {
            let refused = |span, newline| {
                hunk_review(
                    part.change.dialect,
                    span,
                    Outcome::Refused,
                    newline,
                    None,
                    Vec::new(),
                )
            };
            hunks.extend(
                part.change
                    .hunks
                    .iter()
                    .map(|hunk| refused(hunk.span, hunk.final_newline)),
            );
            if part.change.hunks.is_empty() {
                hunks.push(refused(part.change.span, FinalNewline::Keep));
            }
        }
    }
    let mut review = FileReview::new(plan.kind, plan.base, hunks, plan.refusal);
    (review.path, review.protected) = (path, protected);
    review.opaque = plan.opaque;
    review.rebuild();
    sequence::in_order(group, &review, tolerance, versions).unwrap_or(review)
}

/// The line where a placement begins, for headers and reports.
pub fn placed_line(placement: &Placement) -> LineNo {
    LineNo::from_idx(
        placement
            .changes
            .first()
            .map_or(placement.lines.start, |change| change.lines.start),
    )
}
