//! A proposal and the files as they are become a session.
//!
//! The caller reads the files, because this module reads none: for each [`crate::proposal::FileChange`] it brings an [`Intake`] with the
//! file's settled name and what was found under it.

use super::decode::decoded;
use super::file_review::file_review;
use super::part::{Intake, OnlyNow, VersionSource};
use super::resubmission;
use super::separate::separate;
use crate::locate::{Placement, Tolerance};
use crate::parallel;
use crate::proposal::Problem;
use crate::review::session::review_session::ReviewSession;
use crate::text::LineNo;

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
    versions: &dyn VersionSource,
) -> ReviewSession {
    let files = parallel::map(&grouped(files), |group| {
        let group = decoded(group);
        let review = file_review(&group, tolerance, versions);
        separate(resubmission::mark(review, &group, tolerance, versions))
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

/// The line where a placement begins, for headers and reports.
pub fn placed_line(placement: &Placement) -> LineNo {
    LineNo::from_idx(
        placement
            .changes
            .first()
            .map_or(placement.lines.start, |change| change.lines.start),
    )
}
