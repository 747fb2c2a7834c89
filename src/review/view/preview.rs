//! Preview of the files that would be written.

use crate::review::session::compose::{Postimage, compose};
use crate::review::session::decision::{Decision, Mark};
use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::{HunkId, HunkReview};
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::Stance;
use crate::text::LineNo;

/// A preview of the files that would be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prospect {
    /// The files that would be written, in the order of the proposal.
    pub files: Vec<FileProspect>,
    /// The hunks that are not wholly decided, with the line of each.
    pub undecided: Vec<(HunkId, LineNo)>,
}

/// The preview of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProspect {
    /// Its position in the session.
    pub file: usize,
    /// The operation: `modify`, `create`, `delete`, `rename`, `copy`, or `revert` to the old version.
    pub action: &'static str,
    /// Its new name, if it gets one.
    pub rename: Option<String>,
    /// The number of added lines.
    pub added: usize,
    /// The number of removed lines.
    pub removed: usize,
    /// The number of hunks that are accepted, wholly or in part.
    pub accepted: usize,
    /// The number of those of which not every line is.
    pub in_part: usize,
    /// The number of hunks.
    pub hunks: usize,
    /// Why it cannot be written, if its encoding has no way to write a new line.
    pub error: Option<String>,
}

impl ReviewSession {
    /// A preview of the files that would be written.
    pub fn prospect(&self) -> Prospect {
        let files = self.files.iter().enumerate();
        let is_left = |(id, hunk): &(HunkId, &HunkReview)| {
            hunk.mark() == Some(Mark::Undecided) && id.is_open(self)
        };
        let undecided = self.hunks().filter(is_left);
        Prospect {
            files: files
                .filter_map(|(at, file)| file_prospect(at, file))
                .collect(),
            undecided: undecided
                .map(|(id, hunk)| (id, LineNo::from_idx(hunk.first_line())))
                .collect(),
        }
    }
}

fn file_prospect(at: usize, file: &FileReview) -> Option<FileProspect> {
    let postimage = compose(file);
    if file.stance() == Stance::Standing {
        return reverted(at, file);
    }
    if postimage == Postimage::Unchanged {
        return None;
    }
    let rename = postimage.rename().map(str::to_owned);
    let action = match (&postimage, &file.kind) {
        (Postimage::Deleted, _) => "delete",
        (_, FileKind::Created) => "create",
        (_, FileKind::Copied { .. }) => "copy",
        _ if rename.is_some() => "rename",
        _ => "modify",
    };
    let error = match &postimage {
        Postimage::Text { text, .. } => file.base.encode(text).err(),
        Postimage::Unchanged
        | Postimage::Kept { .. }
        | Postimage::Copy { .. }
        | Postimage::Bytes { .. }
        | Postimage::Link { .. }
        | Postimage::Folder
        | Postimage::Deleted => None,
    };
    let (added, removed) = decided_counts(file, Decision::Accepted);
    let hunks = decided_hunks(file, Decision::Accepted);
    Some(FileProspect {
        file: at,
        action,
        rename,
        added,
        removed,
        accepted: hunks.decided,
        in_part: hunks.in_part,
        hunks: hunks.all,
        error: error.map(|error| error.to_string()),
    })
}

/// Previews a file that has its new version already; `None` if it keeps it.
fn reverted(at: usize, file: &FileReview) -> Option<FileProspect> {
    let hunks = decided_hunks(file, Decision::Rejected);
    let edited = file.hunks.iter().any(|hunk| hunk.state.edited);
    if hunks.decided == 0 && !edited {
        return None;
    }
    let (added, removed) = decided_counts(file, Decision::Rejected);
    Some(FileProspect {
        file: at,
        action: "revert",
        rename: None,
        // What came goes, and what went comes.
        added: removed,
        removed: added,
        accepted: hunks.decided,
        in_part: hunks.in_part,
        hunks: hunks.all,
        error: None,
    })
}

/// Hunks of a file with some decision. The parts of one that was split are one hunk.
struct DecidedHunks {
    /// The number of those with any line of that decision.
    decided: usize,
    /// The number of those that have other lines too.
    in_part: usize,
    /// The number of all hunks.
    all: usize,
}

fn decided_hunks(file: &FileReview, decision: Decision) -> DecidedHunks {
    let mut hunks = DecidedHunks {
        decided: 0,
        in_part: 0,
        all: 0,
    };
    for hunk in (0..file.hunks.len()).filter(|&hunk| !file.hunks[hunk].is_later_part()) {
        hunks.all += 1;
        let parts = file.parts(hunk);
        let mut marks = parts.iter().filter_map(|&part| file.hunks[part].mark());
        let is_whole = marks.all(|mark| mark == Mark::from(decision));
        let mut parts = parts.iter().map(|part| &file.hunks[*part]);
        if parts.any(|part| part.mark().is_some() && part.has_decision(decision)) {
            hunks.decided += 1;
            hunks.in_part += usize::from(!is_whole);
        }
    }
    hunks
}

/// Counts the added and the removed lines with this decision.
fn decided_counts(file: &FileReview, decided: Decision) -> (usize, usize) {
    let decidable = file.hunks.iter().filter(|hunk| hunk.is_decidable());
    let lines = decidable.flat_map(|hunk| hunk.state.lines.iter().zip(&hunk.state.marks));
    lines.fold((0, 0), |(added, removed), (line, marks)| {
        let comes = line.adds.is_some() && marks.added == decided;
        let goes = line.removes && marks.removed == decided;
        (added + usize::from(comes), removed + usize::from(goes))
    })
}
