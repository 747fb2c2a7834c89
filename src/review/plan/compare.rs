//! Builds a session from files of which both versions are known: edits that were written already, or a batch to undo.
//!
//! The session looks like one of edits, with the old version as the base and each difference as a hunk. Its decisions
//! are carried out by [`super::apply_decisions::settle`], which keeps every byte of either version that a line model
//! does not represent: endings, encoding, a byte order mark.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::file_format::form_step;
use super::line_changes::{LineChange, changes, stretches};
use super::new_hunk::{bare, hunk_review, whole_file};
use crate::locate::{Confidence, Placement};
use crate::parallel;
use crate::proposal::{FinalNewline, InputSpan};
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Outcome, Remark, Step};
use crate::review::session::pair::pair;
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::{Found, Opaque, Refusal, Sides, Stance};
use crate::text::{Document, LineIdx, in_one_encoding};

/// All lines of a file, and whatever else there is of it.
pub const EVERYTHING: Range<LineIdx> = 0..LineIdx::MAX;

/// A file of which both versions are known.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Its old name, relative to the root.
    pub path: String,
    /// Its new name, if that is another.
    pub rename: Option<String>,
    /// The old version.
    pub old: Found,
    /// The new version.
    pub new: Found,
    /// The version that is on disk.
    pub stance: Stance,
    /// The lines of the old version that are never changed without a person's decision.
    pub doubtful: Vec<Range<LineIdx>>,
    /// Why it may not be accepted in batch, if it may not.
    pub protected: Option<String>,
    /// The origin of the versions, in a word, for the reports.
    pub origin: &'static str,
}

/// Makes a session of files of which both versions are known. Files without a difference are left out.
pub fn compare(intent: String, files: &[Compared]) -> ReviewSession {
    let files = parallel::map(files, review);
    ReviewSession {
        intent,
        files: files.into_iter().flatten().collect(),
        ..ReviewSession::default()
    }
}

fn review(file: &Compared) -> Option<FileReview> {
    let file = &*read_alike(file);
    let kind = match (&file.old, &file.new, &file.rename) {
        (Found::Absent, _, _) => FileKind::Created,
        (_, Found::Absent, _) => FileKind::Deleted,
        (Found::Folder, _, _) => FileKind::Created,
        (_, _, Some(to)) => FileKind::Renamed { to: to.clone() },
        (_, _, None) => FileKind::Modified,
    };
    let base = match &file.old {
        Found::Text { document, .. } if opaque(file).is_none() => Arc::clone(document),
        Found::Text { .. }
        | Found::Absent
        | Found::Opaque(_)
        | Found::Link(_)
        | Found::Folder
        | Found::Refused(_) => Arc::new(Document::from_text("")),
    };
    let (hunks, content) = match (refusal(file), opaque(file)) {
        (Some(refusal), _) => (
            vec![hunk(file, Outcome::Refused, None)],
            FileContent::Refused(refusal),
        ),
        (None, Some(opaque)) => (hunks(file, &base), FileContent::Opaque(opaque)),
        (None, None) => (hunks(file, &base), FileContent::Text),
    };
    if hunks.is_empty() {
        return None;
    }
    let mut review = FileReview::new(kind, base, hunks, content);
    review.path.clone_from(&file.path);
    review.protected.clone_from(&file.protected);
    review.sides = Some(Sides {
        old: file.old.clone(),
        new: file.new.clone(),
        stance: file.stance,
        selects: false,
    });
    review.rebuild();
    Some(review)
}

/// Returns a file with both versions read in one encoding, where each alone leaves a guess.
fn read_alike(file: &Compared) -> Cow<'_, Compared> {
    let mut file = Cow::Borrowed(file);
    if let (Found::Text { document: old, .. }, Found::Text { document: new, .. }) =
        (&file.old, &file.new)
        && let Some(read) = in_one_encoding([old, new])
    {
        let file = file.to_mut();
        for (found, read) in [&mut file.old, &mut file.new].into_iter().zip(read) {
            if let Found::Text { document, .. } = found {
                *document = Arc::new(read);
            }
        }
    }
    file
}

fn refusal(file: &Compared) -> Option<Refusal> {
    [&file.old, &file.new]
        .into_iter()
        .find_map(|found| match found {
            Found::Refused(refusal) => Some(refusal.clone()),
            Found::Absent
            | Found::Text { .. }
            | Found::Opaque(_)
            | Found::Link(_)
            | Found::Folder => None,
        })
}

/// Describes a file that is binary in one version at least; the new one, if both are.
fn opaque(file: &Compared) -> Option<Opaque> {
    [&file.new, &file.old]
        .into_iter()
        .find_map(|found| match found {
            Found::Opaque(opaque) => Some(opaque.clone()),
            Found::Absent
            | Found::Text { .. }
            | Found::Link(_)
            | Found::Folder
            | Found::Refused(_) => None,
        })
}

fn hunks(file: &Compared, base: &Document) -> Vec<HunkReview> {
    let confidence = if file.doubtful.contains(&EVERYTHING) {
        Confidence::Fuzzy
    } else {
        Confidence::Exact
    };
    let step = |step| hunk(file, whole(0..0, confidence), Some(step));
    let mut hunks = Vec::new();
    let (was, is) = (file.old.executable(), file.new.executable());
    if file.rename.is_some() && was.is_some() && is.is_some() {
        hunks.push(step(Step::Rename));
    }
    if let Some(executable) = is.filter(|is| *is != was.unwrap_or(false)) {
        hunks.push(step(Step::Mode { executable }));
    }
    match (&file.old, &file.new) {
        (Found::Text { document: old, .. }, Found::Text { document: new, .. }) => {
            let found = changes(old, new);
            hunks.extend(form_step(old, new, &found).map(step));
            hunks.extend(line_hunks(file, base, new, &found));
        }
        (Found::Absent | Found::Link(_) | Found::Folder, Found::Text { document, .. })
            if !document.is_empty() =>
        {
            let found = changes(base, document);
            hunks.extend(line_hunks(file, base, document, &found));
        }
        (Found::Text { document, .. }, Found::Absent) if !document.is_empty() => {
            let nothing = Document::from_text("");
            hunks.extend(line_hunks(file, base, &nothing, &changes(base, &nothing)));
        }
        (Found::Absent, Found::Absent) | (Found::Folder, Found::Folder) => (),
        (Found::Link(from), Found::Link(to)) if from == to => (),
        (_, Found::Link(to)) => hunks.push(step(Step::Link { to: to.clone() })),
        (Found::Link(_), Found::Absent) => hunks.push(step(Step::Unlink)),
        (_, Found::Folder) => hunks.push(step(Step::MakeFolder)),
        (Found::Folder, Found::Absent) => hunks.push(step(Step::RemoveFolder)),
        (Found::Absent | Found::Folder, _) => hunks.push(step(Step::Create)),
        (_, Found::Absent) => hunks.push(step(Step::Delete)),
        (Found::Opaque(old), Found::Opaque(new)) if old.hash == new.hash => (),
        (_, _) => hunks.push(step(Step::Content)),
    }
    if let Some(remark) = replaced(file) {
        for hunk in &mut hunks {
            hunk.remarks.push(remark.clone());
        }
    }
    hunks
}

/// Describes what a file of another kind takes the place of.
fn replaced(file: &Compared) -> Option<Remark> {
    match (&file.old, &file.new) {
        (Found::Text { document, .. }, Found::Link(_) | Found::Folder) => {
            Some(Remark::ReplacesFile(Some(document.len())))
        }
        (Found::Opaque(_), Found::Link(_) | Found::Folder) => Some(Remark::ReplacesFile(None)),
        (Found::Link(_), Found::Text { .. } | Found::Opaque(_) | Found::Folder) => {
            Some(Remark::ReplacesLink)
        }
        (Found::Folder, Found::Text { .. } | Found::Opaque(_) | Found::Link(_)) => {
            Some(Remark::ReplacesFolder)
        }
        (_, Found::Absent | Found::Refused(_))
        | (Found::Absent | Found::Refused(_), _)
        | (Found::Text { .. } | Found::Opaque(_), Found::Text { .. } | Found::Opaque(_))
        | (Found::Link(_), Found::Link(_))
        | (Found::Folder, Found::Folder) => None,
    }
}

/// Returns a hunk for each group of changes that are near each other.
fn line_hunks(
    file: &Compared,
    old: &Document,
    new: &Document,
    changes: &[LineChange],
) -> Vec<HunkReview> {
    let stretches = stretches(changes.iter().map(|change| change.0.clone()));
    let hunks = stretches.into_iter().map(|stretch| {
        let stretch = &changes[stretch];
        let start = stretch.first().map_or(0, |change| change.0.start);
        let end = stretch.last().map_or(0, |change| change.0.end);
        let doubtful = (file.doubtful.iter()).any(|lines| lines.start <= end && start <= lines.end);
        let confidence = if doubtful {
            Confidence::Fuzzy
        } else {
            Confidence::Exact
        };
        let ends_new = stretch
            .last()
            .is_some_and(|change| change.1.end == new.len());
        let final_newline = match (old.has_final_newline(), new.has_final_newline()) {
            (false, true) if ends_new && !old.is_empty() => FinalNewline::Add,
            (true, false) if ends_new => FinalNewline::Remove,
            (_, _) => FinalNewline::Keep,
        };
        let lines = stretch.iter().flat_map(|(goes, comes)| {
            let comes = comes.clone().map(|idx| new.line(idx).to_owned()).collect();
            pair(old, goes.clone(), comes)
        });
        hunk_review(
            file.origin,
            InputSpan::of(0..1),
            whole(start..end, confidence),
            final_newline,
            None,
            lines.collect(),
        )
    });
    hunks.collect()
}

fn hunk(file: &Compared, outcome: Outcome, step: Option<Step>) -> HunkReview {
    bare(file.origin, InputSpan::of(0..1), outcome, step)
}

/// A place that needs no looking for.
fn whole(lines: Range<LineIdx>, confidence: Confidence) -> Outcome {
    Outcome::Placed(Placement {
        lines,
        confidence,
        ..whole_file(0)
    })
}
