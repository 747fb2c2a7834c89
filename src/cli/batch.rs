//! A proposal and its files, from reading to writing: what all commands that work on edits share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::args::EditArgs;
use super::input::{self, Input};
use super::recovery;
use crate::dialect;
use crate::locate::Tolerance;
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim, Problem, RepoPath};
use crate::review::{
    FileReview, Found, Intake, Postimage, Refusal, Renaming, ReviewSession, Writing, compose,
    intake,
};
use crate::store::{
    CommitError, ContentHash, FileState, FileWrite, Kept, Lock, LockError, ReadError, Receipt,
    Root, Snapshot, StateError, Watch, WriteAction, commit, rehearse,
};
use crate::ui::Placed;

/// A proposal, and its files as they were last read.
pub(super) struct Batch {
    root: Root,
    intent: String,
    changes: Vec<Arc<FileChange>>,
    problems: Vec<Problem>,
    /// What the edits are known by.
    hash: ContentHash,
    tolerance: Tolerance,
    /// The files as they were read for each placing, the latest last.
    placings: Vec<Files>,
}

/// Every file read, by its name; new names of renames too.
type Files = BTreeMap<String, Arc<Snapshot>>;

/// Finishes or takes back what an interrupted run left, and reads the edits.
pub(super) fn open(args: &EditArgs) -> anyhow::Result<Batch> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    let Input { parsed, hash } = input::read(args)?;
    let tolerance = Tolerance {
        precision: args.precision,
    };
    Ok(Batch {
        root,
        intent: parsed.proposal.intent,
        changes: parsed.proposal.files.into_iter().map(Arc::new).collect(),
        problems: parsed.problems,
        hash,
        tolerance,
        placings: Vec::new(),
    })
}

impl Batch {
    /// Reads the files as they are now, and places every hunk in them.
    pub(super) fn place(&mut self) -> ReviewSession {
        self.placings.push(Files::new());
        let changes = self.changes.clone();
        let files = changes
            .into_iter()
            .map(|change| self.take_in(change))
            .collect();
        let (intent, problems) = (self.intent.clone(), self.problems.clone());
        let mut session = intake(intent, problems, files, self.tolerance);
        session.placing = self.placings.len() as u64;
        session
    }

    /// Places every hunk anew if a file is another than when it was read last.
    pub(super) fn place_anew(&mut self) -> Option<Placed> {
        let before = self.placings.last().cloned().unwrap_or_default();
        let session = self.place();
        let now = self.placings.last()?;
        let version = |files: &Files, name: &str| files.get(name).map(|file| file.version());
        let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let changed: Vec<String> = (names.into_iter())
            .filter(|name| version(&before, name) != version(now, name))
            .cloned()
            .collect();
        (!changed.is_empty()).then_some(Placed { session, changed })
    }

    /// Tells when a file that was read may be another.
    pub(super) fn watch(&self, changed: impl FnMut() + Send + 'static) -> Watch {
        let files = self.placings.last().into_iter().flat_map(Files::values);
        self.root.watch(files.map(Arc::as_ref), changed)
    }

    /// Takes the lock of the one reviewer. That there is no place for a lock stops nobody.
    pub(super) fn lock(&self) -> Result<Option<Lock>, LockError> {
        match self.root.lock() {
            Ok(lock) => Ok(Some(lock)),
            Err(held @ LockError::Held { .. }) => Err(held),
            Err(LockError::State(_) | LockError::Unusable { .. }) => Ok(None),
        }
    }

    /// Where a review of these edits is kept, and all others of this root.
    pub(super) fn kept(&self) -> Result<(Kept, Vec<Kept>), StateError> {
        let own = self.root.kept(self.hash)?;
        let mut others = self.root.all_kept()?;
        others.retain(|kept| *kept != own);
        Ok((own, others))
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
        let known = self.placings.last().and_then(|files| files.get(&name));
        let snapshot = match known {
            Some(known) => Arc::clone(known),
            None => self.keep(Arc::new(self.root.read(path)?)),
        };
        let found = match &snapshot.state {
            FileState::File {
                document,
                executable,
                ..
            } => Found::Text {
                document: Arc::clone(document),
                executable: *executable,
            },
            FileState::Absent => Found::Absent,
        };
        Ok((name, found))
    }

    /// Keeps a file for the placing that is being made; as it was kept for the one before if it is the same.
    fn keep(&mut self, read: Arc<Snapshot>) -> Arc<Snapshot> {
        let name = read.path.to_string();
        let before = self.placings.iter().rev().nth(1);
        let same = before.and_then(|files| files.get(&name).filter(|before| **before == read));
        let kept = same.map_or(read, Arc::clone);
        if let Some(files) = self.placings.last_mut() {
            files.insert(name, Arc::clone(&kept));
        }
        kept
    }

    /// Says what writing would come to; writes nothing.
    pub(super) fn rehearse(&self, session: &ReviewSession) -> Writing {
        match self.writes(session).map(|writes| rehearse(&writes)) {
            Ok(Ok(())) => Writing::Rehearsed,
            Ok(Err(error)) => unwritten(&error),
            Err(unwritten) => unwritten,
        }
    }

    /// Writes what is accepted in the files as they were when the session was placed in them, all of it or nothing.
    pub(super) fn write(&self, session: &ReviewSession) -> Writing {
        let writes = match self.writes(session) {
            Ok(writes) => writes,
            Err(unwritten) => return unwritten,
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
            Err(error) => unwritten(&error),
        }
    }

    /// What is to be written, or why nothing can be.
    fn writes(&self, session: &ReviewSession) -> Result<Vec<FileWrite<'_>>, Writing> {
        let placed = usize::try_from(session.placing).ok();
        let read = placed.and_then(|placed| self.placings.get(placed.checked_sub(1)?));
        let Some(read) = read else {
            let error = "the session was not placed in these files".to_owned();
            return Err(Writing::Failed {
                error,
                stuck: Vec::new(),
            });
        };
        let writes = session.files.iter().map(|file| file_write(read, file));
        writes.filter_map(Result::transpose).collect()
    }
}

/// What is to be done to a file, if anything, or why nothing of the batch can be.
fn file_write<'a>(read: &'a Files, file: &FileReview) -> Result<Option<FileWrite<'a>>, Writing> {
    let postimage = compose(file);
    if postimage == Postimage::Unchanged {
        return Ok(None);
    }
    let missing = || Writing::Failed {
        error: format!("`{}` was never read", file.path),
        stuck: Vec::new(),
    };
    let snapshot = read.get(&file.path).ok_or_else(missing)?;
    let action = match postimage {
        Postimage::Unchanged => return Ok(None),
        Postimage::Deleted => WriteAction::Remove,
        Postimage::Text {
            text,
            rename,
            executable,
        } => {
            let bytes = file.base.encode(&text).map_err(|error| Writing::Refused {
                path: file.path.clone(),
                error: error.to_string(),
                hint: "leave these characters out, or convert the file to UTF-8 first",
            })?;
            match rename {
                None => WriteAction::Put { bytes, executable },
                Some(to) => {
                    let to = read.get(&to).ok_or_else(missing)?;
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

/// Why nothing was written, for the report.
fn unwritten(error: &CommitError) -> Writing {
    let names = |paths: &[RepoPath]| paths.iter().map(ToString::to_string).collect();
    if let Some(path) = error.refused() {
        return Writing::Refused {
            path: path.to_string(),
            error: error.to_string(),
            hint: error.hint(),
        };
    }
    let told = format!("{error}\nhint: {}", error.hint());
    if let CommitError::Conflict { paths } = error {
        return Writing::Conflict {
            paths: names(paths),
            error: told,
        };
    }
    Writing::Failed {
        error: told,
        stuck: names(error.stuck()),
    }
}
