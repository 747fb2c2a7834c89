//! The whole engine without files: an edit and a tree in memory go in, the tree as it would be written comes out.

use std::collections::BTreeMap;
use std::sync::Arc;

use countersign::dialect::{self, Dialect, Options, Parsed, parse};
use countersign::locate::Tolerance;
use countersign::proposal::{FileChange, HunkOrder, Operation, PathClaim, RepoPath};
use countersign::review::{
    CopySource, Decision, Found, Intake, OtherFile, Postimage, Refusal, Renaming, ReviewSession,
    Target, compose, intake,
};
use countersign::text::Document;

/// Files by their names.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

/// Reads an edit and places it, undecided.
pub(crate) fn review(
    tree: &Tree,
    edit: &str,
    options: &Options,
    tolerance: Tolerance,
) -> ReviewSession {
    let Parsed {
        proposal, problems, ..
    } = parse(edit, options);
    let changes = proposal.files.into_iter();
    let files = changes.map(|change| take_in(tree, change)).collect();
    intake(proposal.intent, problems, files, tolerance)
}

/// Places edits, undecided.
#[allow(dead_code, reason = "this file is part of several tests")]
pub(crate) fn review_changes(
    tree: &Tree,
    changes: Vec<FileChange>,
    tolerance: Tolerance,
) -> ReviewSession {
    let changes = changes.into_iter();
    let files = changes.map(|change| take_in(tree, change)).collect();
    intake(String::new(), Vec::new(), files, tolerance)
}

/// Accepts everything that has a place, however loose.
pub(crate) fn accept_all(session: &mut ReviewSession) {
    for file in 0..session.files.len() {
        session.decide(&Target::File(file), Decision::Accepted);
    }
}

/// The tree with what is accepted, or the name of a file whose encoding cannot hold it.
pub(crate) fn written(tree: &Tree, session: &ReviewSession) -> Result<Tree, String> {
    let mut after = tree.clone();
    for file in &session.files {
        match compose(file) {
            // A file that is no text is refused here.
            Postimage::Unchanged
            | Postimage::Kept { .. }
            | Postimage::Copy { .. }
            | Postimage::Bytes { .. }
            | Postimage::Link { .. }
            | Postimage::Folder => (),
            Postimage::Deleted => {
                after.remove(&file.path);
            }
            Postimage::Text { text, rename, .. } => {
                let bytes = file.base.encode(&text).map_err(|_| file.path.clone())?;
                if rename.is_some() {
                    after.remove(&file.path);
                }
                after.insert(rename.unwrap_or_else(|| file.path.clone()), bytes);
            }
        }
    }
    Ok(after)
}

/// Settles the names of a file change as the program does, with a tree in place of a folder.
fn take_in(tree: &Tree, mut change: FileChange) -> Intake {
    let moved = match &change.operation {
        Operation::Rename(to) => Some((&change.path, to)),
        Operation::CopyOf(from) => Some((from, &change.path)),
        Operation::Modify
        | Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Delete
        | Operation::Link { .. } => None,
    };
    if let Some((from, to)) = moved
        && !tree.contains_key(&settled(tree, from))
        && tree.contains_key(&settled(tree, to))
    {
        change.path = to.clone();
        change.operation = Operation::Modify;
    }
    let other = match &change.operation {
        Operation::CopyOf(from) => {
            let from = settled(tree, from);
            let found = found(tree, &from);
            OtherFile::Source(CopySource { from, found })
        }
        Operation::Rename(to) => {
            let to = settled(tree, to);
            let exists = tree.contains_key(&to);
            OtherFile::Target(Renaming { to, exists })
        }
        Operation::Modify
        | Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Delete
        | Operation::Link { .. } => OtherFile::None,
    };
    let path = settled(tree, &change.path);
    let found = found(tree, &path);
    Intake {
        order: dialect::named(change.dialect).map_or(HunkOrder::Any, Dialect::hunk_order),
        change: change.into(),
        path,
        other,
        found,
        protected: None,
        bytes: None,
        reading: countersign::review::NewTextEncoding::default(),
    }
}

/// What stands under a name.
fn found(tree: &Tree, path: &str) -> Found {
    match tree.get(path).cloned().map(Document::decode) {
        None => Found::Absent,
        Some(Ok(document)) => Found::Text {
            document: Arc::new(document),
            executable: false,
        },
        Some(Err(error)) => Found::Refused(Refusal::Unreadable(error.to_string())),
    }
}

/// The first reading of a name under which a file stands, else the first that can be a path.
fn settled(tree: &Tree, claim: &PathClaim) -> String {
    let paths = || {
        claim
            .readings()
            .filter_map(|name| RepoPath::parse(name).ok())
    };
    let mut names = paths().map(|path| path.to_string());
    names
        .find(|name| tree.contains_key(name))
        .or_else(|| paths().next().map(|path| path.to_string()))
        .unwrap_or_else(|| claim.to_string())
}
