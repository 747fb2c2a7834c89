//! Copies: what is asked of a file that is made of another one's text, or of its bytes if it is not text.

use std::sync::Arc;

use super::file_plan::FilePlan;
use super::part::{CopySource, Intake};
use crate::locate::{Location, Tolerance, place_all};
use crate::proposal::{Hunk, PathClaim};
use crate::review::session::file::{FileContent, FileKind};
use crate::review::session::versions::{Found, Refusal};
use crate::text::Document;

/// Plans a copy. Its base is the text that is copied, if it is text.
pub(in crate::review) fn plan(part: &Intake, from: &PathClaim) -> FilePlan {
    let Some(CopySource { from, found }) = part.other.source() else {
        let why = format!("`{from}` cannot be a file here");
        return FilePlan::refused(Refusal::Forbidden(why));
    };
    let (base, executable, opaque) = match (found, &part.found) {
        (Found::Refused(refusal), _) | (_, Found::Refused(refusal)) => {
            return FilePlan::refused(refusal.clone());
        }
        (Found::Opaque(opaque), _) if !part.change.hunks.is_empty() => {
            return FilePlan::refused(Refusal::Unreadable(opaque.why.clone()));
        }
        (Found::Opaque(opaque), _) => {
            let no_text = Arc::new(Document::from_text(""));
            (no_text, opaque.executable, Some(opaque.clone()))
        }
        (Found::Link(_), _) | (_, Found::Link(_)) => {
            let why = "a symbolic link is in its way".to_owned();
            return FilePlan::refused(Refusal::Contradiction(why));
        }
        (Found::Folder, _) | (_, Found::Folder) => {
            let why = "a folder is in its way".to_owned();
            return FilePlan::refused(Refusal::Contradiction(why));
        }
        (Found::Absent, _) => {
            let why = format!("`{from}`, which it is to be a copy of, is not there");
            return FilePlan::refused(Refusal::Contradiction(why));
        }
        (
            Found::Text {
                document,
                executable,
            },
            _,
        ) => (Arc::clone(document), *executable, None),
    };
    let made = match (&part.found, &opaque) {
        (Found::Text { document: made, .. }, None) => is_made(part, &base, made),
        (Found::Text { document: made, .. }, Some(_)) if made.is_empty() => CopyState::No,
        (Found::Opaque(made), Some(opaque)) if made.hash == opaque.hash => CopyState::Yes,
        (Found::Text { .. } | Found::Opaque(_), _) => CopyState::Otherwise,
        (Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_), _) => CopyState::No,
    };
    FilePlan {
        kind: FileKind::Copied {
            from: from.clone(),
            executable,
        },
        base,
        executable,
        content: match (&made, opaque) {
            (CopyState::Otherwise, _) => FileContent::Refused(Refusal::Exists),
            (CopyState::No | CopyState::Yes, Some(opaque)) => FileContent::Opaque(opaque),
            (CopyState::No | CopyState::Yes, None) => FileContent::Text,
        },
        done: made == CopyState::Yes,
        is_guess: part.reading.is_guess,
    }
}

/// The state of the copy on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CopyState {
    /// Nothing does that could be lost.
    No,
    /// It does.
    Yes,
    /// Something else does.
    Otherwise,
}

/// Returns whether the copy exists: the same text, or one in which all its hunks are applied.
fn is_made(part: &Intake, source: &Document, there: &Document) -> CopyState {
    let hunks: Vec<&Hunk> = part.change.hunks.iter().collect();
    let is_same = || source.text() == there.text();
    let is_changed = || {
        let locations = place_all(&hunks, part.order, there, Tolerance::default());
        (locations.iter()).all(|location| matches!(location, Location::AlreadyApplied { .. }))
    };
    if there.is_empty() && !source.is_empty() {
        CopyState::No
    } else if (hunks.is_empty() && is_same()) || (!hunks.is_empty() && is_changed()) {
        CopyState::Yes
    } else {
        CopyState::Otherwise
    }
}
