//! A proposal and its files, from reading to writing: what all commands that work on edits share.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::args::EditArgs;
use super::{input, recovery};
use crate::dialect::{self, Parsed};
use crate::locate::Tolerance;
use crate::parallel;
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim, Problem, RepoPath};
use crate::review::{
    FileReview, Found, Intake, Postimage, Refusal, Renaming, ReviewSession, Writing, compose,
    intake,
};
use crate::store::{
    CommitError, ContentHash, FileState, FileWrite, ReadError, Receipt, Root, Snapshot,
    WriteAction, commit,
};

/// A proposal, and its files as they were last read.
pub(super) struct Batch {
    root: Root,
    intent: String,
    changes: Vec<Arc<FileChange>>,
    problems: Vec<Problem>,
    tolerance: Tolerance,
    /// Every file read, by its name; new names of renames too.
    snapshots: BTreeMap<String, Snapshot>,
}

/// Finishes or takes back what an interrupted run left, and reads the edits.
pub(super) fn open(args: &EditArgs) -> anyhow::Result<Batch> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    let Parsed { proposal, problems } = input::read(args)?;
    let tolerance = Tolerance {
        precision: args.precision,
    };
    Ok(Batch {
        root,
        intent: proposal.intent,
        changes: proposal.files.into_iter().map(Arc::new).collect(),
        problems,
        tolerance,
        snapshots: BTreeMap::new(),
    })
}

impl Batch {
    /// Reads the files as they are now, and places every hunk in them.
    pub(super) fn place(&mut self) -> ReviewSession {
        self.snapshots = self.read_ahead();
        let changes = self.changes.clone();
        let files = changes
            .into_iter()
            .map(|change| self.take_in(change))
            .collect();
        let (intent, problems) = (self.intent.clone(), self.problems.clone());
        intake(intent, problems, files, self.tolerance)
    }

    /// Reads all files that the edits name, on all cores. What cannot be read is told when its change is taken in.
    fn read_ahead(&self) -> BTreeMap<String, Snapshot> {
        let named = self.changes.iter().flat_map(|change| {
            let new = match &change.operation {
                Operation::Rename(to) => Some(to),
                Operation::Modify
                | Operation::Create
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::Delete => None,
            };
            std::iter::once(&change.path).chain(new)
        });
        let mut known = FxHashSet::default();
        let claims: Vec<&PathClaim> = named.filter(|claim| known.insert(*claim)).collect();
        let snapshots = parallel::map(&claims, |claim| {
            let path = self.root.resolve(claim).ok()?;
            self.root.read(&path).ok()
        });
        let snapshots = snapshots.into_iter().flatten();
        snapshots
            .map(|snapshot| (snapshot.path.to_string(), snapshot))
            .collect()
    }

    /// Settles the names of a file change and reads what stands under them.
    fn take_in(&mut self, change: Arc<FileChange>) -> Intake {
        let change = self.without_done_rename(change);
        let order =
            dialect::named(change.dialect).map_or(HunkOrder::Any, dialect::Dialect::hunk_order);
        let rename = match &change.operation {
            Operation::Rename(to) => self
                .root
                .resolve(to)
                .ok()
                .and_then(|to| self.look(&to).ok())
                .map(|(to, found)| Renaming {
                    to,
                    exists: !matches!(found, Found::Absent),
                }),
            Operation::Modify
            | Operation::Create
            | Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::Delete => None,
        };
        let (path, found, protected) = match self.root.resolve(&change.path) {
            Err(forbidden) => (
                change.path.to_string(),
                Found::Refused(Refusal::Forbidden(forbidden.to_string())),
                None,
            ),
            Ok(path) => {
                let protected = self
                    .root
                    .protection(&path)
                    .map(|protected| protected.to_string());
                match self.look(&path) {
                    Ok((name, found)) => (name, found, protected),
                    Err(ReadError::Forbidden(error)) => (
                        path.to_string(),
                        Found::Refused(Refusal::Forbidden(error.to_string())),
                        protected,
                    ),
                    Err(error) => (
                        path.to_string(),
                        Found::Refused(Refusal::Unreadable(error.to_string())),
                        protected,
                    ),
                }
            }
        };
        Intake {
            change,
            order,
            path,
            rename,
            found,
            protected,
        }
    }

    /// What is left of a renaming that was made already: the change of the file under its new name.
    fn without_done_rename(&mut self, change: Arc<FileChange>) -> Arc<FileChange> {
        if let Operation::Rename(to) = &change.operation
            && let Some(Found::Absent) = self.look_at(&change.path)
            && let Some(Found::Text { .. }) = self.look_at(to)
        {
            return Arc::new(FileChange {
                path: to.clone(),
                operation: Operation::Modify,
                ..FileChange::clone(&change)
            });
        }
        change
    }

    /// What stands under a name that an edit gives, if it can be looked at.
    fn look_at(&mut self, claim: &PathClaim) -> Option<Found> {
        let path = self.root.resolve(claim).ok()?;
        self.look(&path).ok().map(|(_, found)| found)
    }

    /// What stands under a name; each file is read once.
    fn look(&mut self, path: &RepoPath) -> Result<(String, Found), ReadError> {
        let name = path.to_string();
        if !self.snapshots.contains_key(&name) {
            self.snapshots.insert(name.clone(), self.root.read(path)?);
        }
        let found = match self.snapshots.get(&name).map(|snapshot| &snapshot.state) {
            Some(FileState::File {
                document,
                executable,
                ..
            }) => Found::Text {
                document: Arc::clone(document),
                executable: *executable,
            },
            Some(FileState::Absent) | None => Found::Absent,
        };
        Ok((name, found))
    }

    /// Writes what is accepted, all of it or nothing.
    pub(super) fn write(&self, session: &ReviewSession) -> Writing {
        let writes = parallel::map(&session.files, |file| self.file_write(file));
        let writes: Vec<FileWrite<'_>> =
            match writes.into_iter().filter_map(Result::transpose).collect() {
                Ok(writes) => writes,
                Err(error) => return Writing::Failed { error },
            };
        match commit(&self.root, &writes) {
            Ok(Receipt {
                id,
                written,
                warnings,
            }) => {
                let shown = |hash: Option<ContentHash>| hash.map(|hash| hash.to_string());
                let hashes = written.into_iter().map(|written| {
                    (
                        written.path.to_string(),
                        (shown(written.before), shown(written.after)),
                    )
                });
                Writing::Done {
                    id: Some(id).filter(|id| !id.is_empty()),
                    hashes: hashes.collect(),
                    warnings: warnings.iter().map(ToString::to_string).collect(),
                }
            }
            Err(error) => {
                let told = format!("{error}\nhint: {}", error.hint());
                let CommitError::Conflict { paths } = error else {
                    return Writing::Failed { error: told };
                };
                Writing::Conflict {
                    paths: paths.iter().map(ToString::to_string).collect(),
                    error: told,
                }
            }
        }
    }

    fn file_write(&self, file: &FileReview) -> Result<Option<FileWrite<'_>>, String> {
        let postimage = compose(file);
        if postimage == Postimage::Unchanged {
            return Ok(None);
        }
        let missing = || format!("`{}` was never read", file.path);
        let snapshot = self.snapshots.get(&file.path).ok_or_else(missing)?;
        let action = match postimage {
            Postimage::Unchanged => return Ok(None),
            Postimage::Deleted => WriteAction::Remove,
            Postimage::Text {
                text,
                rename,
                executable,
            } => {
                let bytes = file
                    .base
                    .encode(&text)
                    .map_err(|error| format!("`{}`: {error}", file.path))?;
                match rename {
                    None => WriteAction::Put { bytes, executable },
                    Some(to) => {
                        let to = self.snapshots.get(&to).ok_or_else(missing)?;
                        WriteAction::Rename {
                            to,
                            bytes: Some(bytes),
                            executable,
                        }
                    }
                }
            }
        };
        Ok(Some(FileWrite { snapshot, action }))
    }
}
