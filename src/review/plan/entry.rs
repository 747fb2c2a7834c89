//! Changes of a directory entry as a whole: symbolic links, and files that are patched by their bytes.
//!
//! A link is never followed here: it is its target that changes, and the file behind it stays as it is. Both kinds of changes are
//! decided as a whole, because a part of them is no link and no file.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::new_hunk::{already, bare, whole_step};
use super::part::{Intake, VersionSource, named};
use super::text_review::text_review;
use crate::locate::Tolerance;
use crate::proposal::{BinaryData, BinaryPatch, FileChange, Operation, Patched};
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Outcome, Remark, Step};
use crate::review::session::versions::{Found, Opaque, Refusal};
use crate::text::{Document, hex};

const DAMAGED: &str =
    "the binary patch is damaged: its result is not the version that its `index` line names";
const TWO_THINGS: &str = "the edits ask for two things of this name that cannot both be";

/// Reviews the parts for one name if they change a link or the bytes of a file; `None` if they change text only.
pub(in crate::review) fn review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> Option<FileReview> {
    let review = match group {
        [part] if part.change.binary.is_some() => bytes(part),
        [part] if is_link(part) => link(part),
        parts if parts.iter().all(is_link) => links(parts),
        [one, other] if is_link(one) || is_link(other) => {
            type_change(one, other, tolerance, versions)
        }
        [first, rest @ ..]
            if !rest.is_empty() && !is_link(first) && rest.iter().all(changes_bytes) =>
        {
            bytes_in_sequence(group)
        }
        parts
            if parts
                .iter()
                .any(|part| is_link(part) || part.change.binary.is_some()) =>
        {
            contradiction(parts, TWO_THINGS)
        }
        _ => return None,
    };
    Some(named(review, group))
}

fn is_link(part: &Intake) -> bool {
    matches!(part.change.operation, Operation::Link { .. })
}

/// A link that is made, removed or aimed elsewhere.
fn link(part: &Intake) -> FileReview {
    let Operation::Link { from, to } = &part.change.operation else {
        return contradiction(std::slice::from_ref(part), "it is no link");
    };
    let now = match &part.found {
        Found::Link(target) => Some(target),
        Found::Absent => None,
        Found::Text { .. } | Found::Opaque(_) => {
            return contradiction(
                std::slice::from_ref(part),
                "it is a file here, and the edit takes it for a symbolic link",
            );
        }
        Found::Folder => {
            let why = "it is a folder here, and the edit takes it for a symbolic link";
            return contradiction(std::slice::from_ref(part), why);
        }
        Found::Refused(refusal) => return refused(std::slice::from_ref(part), refusal.clone()),
    };
    let change = &part.change;
    if now == to.as_ref() {
        let kind = if to.is_some() {
            FileKind::Modified
        } else {
            FileKind::Deleted
        };
        return file(kind, vec![already(change)]);
    }
    if now != from.as_ref() {
        let aimed = |target: Option<&String>| {
            target.map_or_else(|| "no link".to_owned(), |to| format!("a link to `{to}`"))
        };
        let why = format!(
            "there is {}, and the edit expects {}",
            aimed(now),
            aimed(from.as_ref())
        );
        return contradiction(std::slice::from_ref(part), &why);
    }
    let (kind, step) = match (now, to) {
        (_, None) => (FileKind::Deleted, Step::Unlink),
        (Some(_), Some(to)) => (FileKind::Modified, Step::Link { to: to.clone() }),
        (None, Some(to)) => (FileKind::Created, Step::Link { to: to.clone() }),
    };
    file(kind, vec![whole_step(change, step)])
}

/// A link that several edits change one after the other: one change of the link as it is.
fn links(parts: &[Intake]) -> FileReview {
    let mut steps = Vec::new();
    for part in parts {
        if let Operation::Link { from, to } = &part.change.operation {
            steps.push((from.clone(), to.clone()));
        }
    }
    let follows = steps.windows(2).all(|pair| pair[0].1 == pair[1].0);
    let (Some((from, _)), Some((_, to)), true) = (steps.first(), steps.last(), follows) else {
        let why = "the edits aim this link elsewhere, and not one after the other";
        return contradiction(parts, why);
    };
    for part in parts {
        if let Found::Refused(refusal) = &part.found {
            return refused(parts, refusal.clone());
        }
    }
    let mut whole = parts[0].clone();
    Arc::make_mut(&mut whole.change).operation = Operation::Link {
        from: from.clone(),
        to: to.clone(),
    };
    let mut review = link(&whole);
    if let Some(refusal) = review.refusal() {
        return refused(parts, refusal.clone());
    }
    let is_done = review.is_already_applied();
    let others = parts[1..].iter().map(|part| {
        if is_done {
            already(&part.change)
        } else {
            follower(&part.change)
        }
    });
    review.hunks.extend(others);
    review
}

/// A file that becomes a link, or a link that becomes a file: git writes both as a removal and a creation.
fn type_change(
    one: &Intake,
    other: &Intake,
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    let parts = [one.clone(), other.clone()];
    match (&one.change.operation, &other.change.operation) {
        (
            Operation::Delete,
            Operation::Link {
                from: None,
                to: Some(to),
            },
        ) => {
            match &one.found {
                Found::Link(now) if now == to => {
                    let done = parts.iter().map(|part| already(&part.change));
                    return file(FileKind::Modified, done.collect());
                }
                Found::Link(_) => return contradiction(&parts, "it is a link here, not a file"),
                Found::Folder => return contradiction(&parts, "it is a folder here, not a file"),
                Found::Absent => return refused(&parts, Refusal::Missing(None)),
                Found::Refused(refusal) => return refused(&parts, refusal.clone()),
                Found::Text { .. } | Found::Opaque(_) => (),
            }
            let removal = text_review(&parts[..1], tolerance, versions);
            if let Some(refusal) = removal.refusal() {
                return refused(&parts, refusal.clone());
            }
            let goes = removal.opaque().is_some() || removal.yours().is_empty();
            let exact =
                (removal.hunks.iter()).all(|hunk| matches!(hunk.outcome, Outcome::Placed(_)));
            if !goes || !exact {
                let why = "the edits replace this file by a link, but expect another text in it";
                return contradiction(&parts, why);
            }
            let mut hunks = vec![whole_step(&other.change, Step::Link { to: to.clone() })];
            hunks.push(follower(&one.change));
            let mut review = file(FileKind::Modified, hunks);
            review.content = removal.content;
            review
        }
        (
            Operation::Link {
                from: Some(from),
                to: None,
            },
            Operation::Create,
        ) => {
            let made = Intake {
                found: Found::Absent,
                ..other.clone()
            };
            let patch = other.change.binary.as_deref();
            let new = if patch.is_some() {
                bytes(&made)
            } else {
                text_review(&[made], tolerance, versions)
            };
            let is_done = match (patch, &one.found) {
                (None, Found::Text { document, .. }) => {
                    let now = document.encode(document.text());
                    now.is_ok() && now == new.base.encode(new.yours().text())
                }
                (Some(patch), Found::Text { .. } | Found::Opaque(_)) => {
                    let now = other.bytes.as_deref();
                    now.is_some_and(|now| patch.apply(now) == Ok(Patched::AlreadyApplied))
                }
                _ => false,
            };
            match &one.found {
                Found::Link(now) if now == from => (),
                Found::Link(_) => return contradiction(&parts, "the link leads elsewhere here"),
                Found::Folder => return contradiction(&parts, "it is a folder here, not a link"),
                Found::Text { .. } | Found::Opaque(_) if is_done => {
                    let done = parts.iter().map(|part| already(&part.change));
                    return file(FileKind::Modified, done.collect());
                }
                Found::Absent => return refused(&parts, Refusal::Missing(None)),
                Found::Refused(refusal) => return refused(&parts, refusal.clone()),
                Found::Text { .. } | Found::Opaque(_) => {
                    return contradiction(&parts, "it is a file here, not a link");
                }
            }
            if let Some(refusal) = new.refusal() {
                return refused(&parts, refusal.clone());
            }
            // The link is removed by the file that takes its name.
            let mut hunks = new.hunks;
            hunks.push(follower(&one.change));
            for hunk in &mut hunks {
                hunk.remarks.push(Remark::ReplacesLink);
            }
            FileReview::new(FileKind::Created, new.base, hunks, new.content)
        }
        _ => contradiction(&parts, TWO_THINGS),
    }
}

/// A file that is patched by its bytes.
fn bytes(part: &Intake) -> FileReview {
    let (change, parts) = (&part.change, std::slice::from_ref(part));
    let Some(patch) = change.binary.as_deref() else {
        return contradiction(parts, "it has no bytes");
    };
    let from = part
        .other
        .source()
        .map_or(&part.found, |source| &source.found);
    let before = match from {
        Found::Refused(refusal) => return refused(parts, refusal.clone()),
        Found::Link(_) => return contradiction(parts, "it is a symbolic link here, not a file"),
        Found::Folder => return contradiction(parts, "it is a folder here, not a file"),
        Found::Absent => None,
        Found::Text { .. } | Found::Opaque(_) => match &part.bytes {
            Some(bytes) => Some(bytes),
            None => return refused(parts, Refusal::Unreadable("its bytes were not read".into())),
        },
    };
    let executable = from.executable().unwrap_or(false);
    let (kind, steps) = match (&change.operation, before) {
        (Operation::Modify | Operation::Rename(_), None) => {
            return refused(parts, Refusal::Missing(None));
        }
        (Operation::Modify | Operation::Delete, Some(_))
        | (Operation::Create | Operation::Delete, None) => (None, Vec::new()),
        (Operation::Create, Some(now)) => match patch.apply(now) {
            Ok(Patched::AlreadyApplied) => (None, Vec::new()),
            Ok(Patched::New(_)) | Err(_) => return refused(parts, Refusal::Exists),
        },
        (Operation::Rename(_), Some(_)) => match part.other.target() {
            Some(renaming) if !renaming.exists => {
                let to = renaming.to.clone();
                (Some(FileKind::Renamed { to }), vec![Step::Rename])
            }
            Some(_) | None => return contradiction(parts, "its new name is taken or not allowed"),
        },
        (Operation::CopyOf(_), Some(now)) => match patch.apply(now) {
            Ok(Patched::New(new)) if holds(&part.found, &new) => {
                return file(FileKind::Created, vec![already(change)]);
            }
            Ok(_) | Err(_) if matches!(part.found, Found::Absent) => {
                (Some(FileKind::Created), Vec::new())
            }
            Ok(_) | Err(_) => return refused(parts, Refusal::Exists),
        },
        (_, _) => return contradiction(parts, "a binary patch of this kind cannot be applied"),
    };
    let now = before.map_or(&[][..], |bytes| bytes);
    let is_gone = change.operation == Operation::Delete && before.is_none();
    let outcome = if is_gone {
        Ok(Patched::AlreadyApplied)
    } else {
        patched(patch, now)
    };
    let new = match outcome {
        Ok(Patched::New(new)) if is_damaged(change, &new) => return contradiction(parts, DAMAGED),
        Ok(Patched::New(new)) => new,
        Ok(Patched::AlreadyApplied) if before.is_none() && !is_gone => Vec::new(),
        Ok(Patched::AlreadyApplied) => {
            return file(kind.unwrap_or(FileKind::Modified), vec![already(change)]);
        }
        Err(why) => return contradiction(parts, &why),
    };
    let (kind, step) = match (&change.operation, kind) {
        (Operation::Delete, _) => (FileKind::Deleted, Step::Delete),
        (_, Some(kind)) => (kind, Step::Bytes(new.as_slice().into())),
        (Operation::Create, None) => (FileKind::Created, Step::Bytes(new.as_slice().into())),
        (_, None) => (FileKind::Modified, Step::Bytes(new.as_slice().into())),
    };
    let shown = before.map_or(new.as_slice(), |bytes| bytes);
    let mut steps: Vec<HunkReview> = steps
        .into_iter()
        .chain([step])
        .map(|step| whole_step(change, step))
        .collect();
    if let Some(value) = change.executable.filter(|value| *value != executable) {
        steps.push(whole_step(change, Step::Mode { executable: value }));
    }
    let mut review = file(kind, steps);
    review.content = FileContent::Opaque(Opaque {
        size: shown.len() as u64,
        hash: hex(&Sha256::digest(shown)),
        executable,
        why: "it is patched by its bytes".to_owned(),
    });
    review
}

/// Reviews binary patches of one file, of which each is for the result of the one before, as one patch. The first part may only move the
/// file, or have nothing to do.
fn bytes_in_sequence(parts: &[Intake]) -> FileReview {
    let first = &parts[0];
    let is_move = matches!(first.change.operation, Operation::Rename(_));
    let is_text = first.change.operation != Operation::Modify || !first.change.hunks.is_empty();
    if first.change.binary.is_none() && !is_move && is_text {
        return contradiction(parts, TWO_THINGS);
    }
    let now = parts.iter().find_map(|part| part.bytes.as_ref());
    let before = now.map_or(&[][..], |bytes| bytes);
    let apply = |part: &Intake, bytes: &[u8]| part.change.binary.as_ref().map(|it| it.apply(bytes));
    let done = parts
        .iter()
        .rposition(|part| apply(part, before) == Some(Ok(Patched::AlreadyApplied)));
    let start = done.map_or(0, |done| done + 1);
    if start == parts.len() && !is_move {
        let done = parts.iter().map(|part| already(&part.change));
        return file(FileKind::Modified, done.collect());
    }
    let mut bytes_now = before.to_vec();
    for part in &parts[start..] {
        match apply(part, &bytes_now) {
            None => (),
            Some(Ok(Patched::New(new))) if is_damaged(&part.change, &new) => {
                return contradiction(parts, DAMAGED);
            }
            Some(Ok(Patched::New(new))) => bytes_now = new,
            Some(Ok(Patched::AlreadyApplied)) => return contradiction(parts, TWO_THINGS),
            Some(Err(why)) => return contradiction(parts, &why.to_string()),
        }
    }
    let base = if is_move { 0 } else { start };
    let joined = BinaryPatch {
        forward: BinaryData::Literal(bytes_now),
        backward: BinaryData::Literal(before.to_vec()),
    };
    let change = FileChange {
        binary: Some(Arc::new(joined)),
        blobs: None,
        executable: parts.iter().rev().find_map(|part| part.change.executable),
        ..FileChange::clone(&parts[base].change)
    };
    let mut review = bytes(&Intake {
        change: Arc::new(change),
        bytes: now.cloned(),
        ..parts[base].clone()
    });
    if let Some(refusal) = review.refusal() {
        return refused(parts, refusal.clone());
    }
    let others = (0..parts.len()).filter(|at| *at != base);
    let others = others.map(|at| {
        let of = if at < start { already } else { follower };
        of(&parts[at].change)
    });
    review.hunks.extend(others);
    review
}

/// Returns `true` for a result that is not the version that the `index` line of its diff names.
fn is_damaged(change: &FileChange, new: &[u8]) -> bool {
    let mut blobs = change.blobs.iter();
    change.operation != Operation::Delete && blobs.any(|blobs| !blobs.is_after(new))
}

fn changes_bytes(part: &Intake) -> bool {
    part.change.operation == Operation::Modify && part.change.binary.is_some()
}

/// Returns true if a file holds these bytes.
fn holds(found: &Found, bytes: &[u8]) -> bool {
    match found {
        Found::Opaque(opaque) => opaque.hash == hex(&Sha256::digest(bytes)),
        Found::Text { document, .. } => {
            (document.encode(document.text())).is_ok_and(|held| held == bytes)
        }
        Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_) => false,
    }
}

fn patched(patch: &BinaryPatch, now: &[u8]) -> Result<Patched, String> {
    patch.apply(now).map_err(|error| error.to_string())
}

/// A file whose hunks are steps.
fn file(kind: FileKind, hunks: Vec<HunkReview>) -> FileReview {
    let base = Arc::new(Document::from_text(""));
    FileReview::new(kind, base, hunks, FileContent::Text)
}

/// A part that is done with the first hunk.
fn follower(change: &FileChange) -> HunkReview {
    let outcome = Outcome::Follows { hunks: 0..1 };
    bare(change.dialect, change.span, outcome, None)
}

fn contradiction(parts: &[Intake], why: &str) -> FileReview {
    refused(parts, Refusal::Contradiction(why.to_owned()))
}

fn refused(parts: &[Intake], refusal: Refusal) -> FileReview {
    let hunks = parts.iter().map(|part| {
        let (dialect, span) = (part.change.dialect, part.change.span);
        bare(dialect, span, Outcome::Refused, None)
    });
    let mut review = file(FileKind::Modified, hunks.collect());
    review.content = FileContent::Refused(refusal);
    review
}
