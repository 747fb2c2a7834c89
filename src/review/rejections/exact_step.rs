//! Exact identities of changes that are not changes of lines: a hash of what they are, and of the versions that they are between.

use sha2::{Digest, Sha256};

use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::hunk::Step;
use crate::review::session::versions::Found;
use crate::text::hex;

/// Returns the identity of a change of a file as a whole; `None` if the versions of the file are not known.
pub(super) fn identity(file: &FileReview, step: &Step) -> Option<String> {
    let between = |name: &str| Some(vec![name.to_owned(), old(file, step)?, new(file, step)?]);
    let parts = match (step, &file.kind) {
        (Step::Create | Step::Delete | Step::Content | Step::Bytes(_), _) => between("contents"),
        (Step::Link { .. } | Step::Unlink, _) => between("link"),
        (Step::MakeFolder | Step::RemoveFolder, _) => between("folder"),
        (Step::Form { .. }, _) => between("form"),
        // The lines and the permissions of such a file are changes of their own.
        (Step::Rename, FileKind::Renamed { to }) => Some(vec!["rename".to_owned(), to.clone()]),
        (Step::Copy, FileKind::Copied { from, .. }) => {
            Some(vec!["copy".to_owned(), from.clone(), text(file)?])
        }
        (Step::Rename | Step::Copy, _) => None,
        (Step::Mode { executable }, _) => {
            Some(vec!["executable".to_owned(), executable.to_string()])
        }
    }?;
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part.len().to_le_bytes());
        digest.update(part.as_bytes());
    }
    Some(hex(&digest.finalize()))
}

/// Describes the version before the change, as far as a difference between two versions changes the description.
fn old(file: &FileReview, step: &Step) -> Option<String> {
    match (&file.sides, file.opaque(), &file.kind) {
        (Some(sides), _, _) => version(&sides.old),
        (None, _, FileKind::Created) => version(&Found::Absent),
        (None, Some(opaque), _) => version(&Found::Opaque(opaque.clone())),
        (None, None, _) if *step == Step::Delete => text(file),
        (None, None, _) => None,
    }
}

/// Describes the version after the change in the same way.
fn new(file: &FileReview, step: &Step) -> Option<String> {
    match (&file.sides, step) {
        (Some(sides), _) => version(&sides.new),
        (None, Step::Bytes(bytes)) => Some(contents(bytes)),
        (None, Step::Create) => Some(contents(b"")),
        (None, Step::Delete) => version(&Found::Absent),
        (None, Step::Link { to }) => version(&Found::Link(to.clone())),
        (None, Step::MakeFolder) => version(&Found::Folder),
        (None, _) => None,
    }
}

fn version(found: &Found) -> Option<String> {
    match found {
        Found::Absent => Some("nothing".to_owned()),
        Found::Text { document, .. } => Some(contents(&document.encode(document.text()).ok()?)),
        Found::Opaque(opaque) => Some(format!("file {}", opaque.hash)),
        Found::Link(to) => Some(format!("link {to}")),
        Found::Folder => Some("folder".to_owned()),
        Found::Refused(_) => None,
    }
}

fn text(file: &FileReview) -> Option<String> {
    let bytes = file.base.encode(file.base.text()).ok()?;
    Some(contents(&bytes))
}

fn contents(bytes: &[u8]) -> String {
    format!("file {}", hex(&Sha256::digest(bytes)))
}
