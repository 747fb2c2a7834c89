//! The files that edits name, settled and read: what is taken in for a session.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::app::done_moves::DoneMoves;
use crate::app::link_targets::{link_protection, type_conflict};
use crate::app::look::{found, refusal};
use crate::app::snapshots::Snapshots;
use crate::app::{clashing_names, copied_links, swapped_names};
use crate::dialect;
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim, RepoPath};
use crate::review::{CopySource, Found, Intake, NewTextEncoding, OtherFile, Refusal, Renaming};
use crate::store::{FileState, Forbidden, Protected, ReadError, Root};

/// Resolves the names of all file changes and reads the files.
pub(crate) fn take_in(
    root: &Root,
    placings: &mut Snapshots,
    changes: &[Arc<FileChange>],
) -> Vec<Intake> {
    let changes = &copied_links::as_links(root, changes)[..];
    let is_link = |change: &FileChange| matches!(change.operation, Operation::Link { .. });
    let links = changes.iter().filter(|change| is_link(change));
    let links = links.filter_map(|change| root.resolve_entry(&change.path).ok());
    let links: BTreeSet<RepoPath> = links.collect();
    let claims: Vec<&PathClaim> = changes.iter().map(|change| &change.path).collect();
    let mut resolved = root.resolve_all(&claims);
    for (change, resolved) in changes.iter().zip(&mut resolved) {
        if is_link(change) {
            *resolved = root.resolve_entry(&change.path).map(|path| {
                let protected = root.protection(&path);
                (path, protected)
            });
        }
    }
    let named: BTreeSet<&RepoPath> = (resolved.iter().flatten())
        .map(|(path, _)| path)
        .filter(|path| !links.contains(path))
        .collect();
    placings.read_all(root, &named.into_iter().cloned().collect::<Vec<_>>());
    let mut taking = IntakeReader {
        root,
        placings,
        links,
        moved: DoneMoves::default(),
    };
    taking.moved = DoneMoves::of(changes, |name| taking.look_at(name));
    let mut files: Vec<Intake> = (changes.iter().zip(resolved))
        .map(|(change, resolved)| taking.take_in(change, resolved))
        .collect();
    taking.meet_at_targets(&mut files);
    taking.refuse_stale_sources(changes, &mut files);
    swapped_names::free(&mut files);
    clashing_names::refuse(&mut files);
    files
}

/// A placing that is being made.
struct IntakeReader<'a> {
    root: &'a Root,
    placings: &'a mut Snapshots,
    /// The names whose links are changed, and so not followed.
    links: BTreeSet<RepoPath>,
    moved: DoneMoves,
}

impl IntakeReader<'_> {
    /// Reads the files that a change names, of which the first is resolved.
    fn take_in(
        &mut self,
        asked: &Arc<FileChange>,
        resolved: Result<(RepoPath, Option<Protected>), Forbidden>,
    ) -> Intake {
        let change = self.moved.rest(asked);
        let resolved = if change.path == asked.path {
            resolved
        } else {
            let path = self.root.resolve(&change.path);
            path.map(|path| (path.clone(), self.root.protection(&path)))
        };
        let path = resolved.as_ref().ok().map(|(path, _)| path);
        let change = self.in_place(change, path);
        let order =
            dialect::named(change.dialect).map_or(HunkOrder::Any, dialect::Dialect::hunk_order);
        let other = self.other(&change.operation);
        let (path, mut found, mut protected) = match resolved {
            Err(forbidden) => (
                change.path.to_string(),
                Found::Refused(Refusal::Forbidden(forbidden.to_string())),
                None,
            ),
            Ok((path, protected)) => {
                let protected = protected
                    .map(|protected| protected.to_string())
                    .or_else(|| self.protection_of_other_end(&change.operation));
                match self.look(&path) {
                    Ok((name, found)) => (name, found, protected),
                    Err(error) => (path.to_string(), Found::Refused(refusal(&error)), protected),
                }
            }
        };
        if let Ok(name) = RepoPath::parse(&path)
            && !self.links.contains(&name)
            && let Some(refusal) = type_conflict(self.root, &change, &name)
        {
            found = Found::Refused(refusal);
        }
        if let Operation::Link { to: Some(to), .. } = &change.operation
            && let Ok(name) = RepoPath::parse(&path)
        {
            match link_protection(self.root, &name, to) {
                Ok(reason) => protected = protected.or(reason),
                Err(refusal) => found = Found::Refused(refusal),
            }
        }
        let bytes = match self.bytes(&change, &path, other.source()) {
            Ok(bytes) => bytes,
            Err(refusal) => {
                found = Found::Refused(refusal);
                None
            }
        };
        Intake {
            bytes,
            change,
            order,
            path,
            other,
            found,
            protected,
            reading: NewTextEncoding::default(),
        }
    }

    /// Returns a change that gives a file its own name as one that leaves it in its place.
    fn in_place(&self, change: Arc<FileChange>, path: Option<&RepoPath>) -> Arc<FileChange> {
        let Operation::Rename(to) = &change.operation else {
            return change;
        };
        if self.root.resolve(to).ok().as_ref() != path || path.is_none() {
            return change;
        }
        Arc::new(FileChange {
            operation: Operation::Modify,
            ..FileChange::clone(&change)
        })
    }

    /// The bytes that a binary patch is for, if the change is one.
    fn bytes(
        &self,
        change: &FileChange,
        path: &str,
        source: Option<&CopySource>,
    ) -> Result<Option<Arc<[u8]>>, Refusal> {
        let name = source.map_or(path, |source| &source.from);
        let Some(snapshot) = self
            .placings
            .known(name)
            .filter(|_| change.binary.is_some())
        else {
            return Ok(None);
        };
        match &snapshot.state {
            FileState::File { .. } | FileState::Opaque { .. } => (self.root.load(snapshot))
                .map(|bytes| Some(bytes.into()))
                .map_err(|error| Refusal::Unreadable(format!("`{name}` cannot be read: {error}"))),
            FileState::Absent | FileState::Link { .. } | FileState::Folder => Ok(None),
        }
    }

    /// Reads the other file of a rename or a copy.
    fn other(&mut self, operation: &Operation) -> OtherFile {
        match operation {
            Operation::Rename(to) => match self.root.resolve(to).map(|to| (self.look(&to), to)) {
                Ok((Ok((to, found)), name)) => OtherFile::Target(Renaming {
                    to,
                    // A link that leads to nothing is in the way as well.
                    exists: !matches!(found, Found::Absent) || self.root.link_at(&name).is_some(),
                }),
                Ok((Err(_), _)) | Err(_) => OtherFile::None,
            },
            Operation::CopyOf(from) => OtherFile::Source(self.source(from)),
            Operation::Modify
            | Operation::Create
            | Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::Delete
            | Operation::Link { .. } => OtherFile::None,
        }
    }

    /// Reads the file that a copy is made of.
    fn source(&mut self, from: &PathClaim) -> CopySource {
        let source = |from, found| CopySource { from, found };
        match self.root.resolve(from) {
            Err(forbidden) => {
                let refusal = Refusal::Forbidden(forbidden.to_string());
                source(from.to_string(), Found::Refused(refusal))
            }
            Ok(path) => match self.look(&path) {
                Ok((from, found)) => source(from, found),
                Err(error) => source(path.to_string(), Found::Refused(refusal(&error))),
            },
        }
    }

    /// Returns why the new name of a file, or the source of a copy, is protected.
    fn protection_of_other_end(&self, operation: &Operation) -> Option<String> {
        let other = self.root.resolve(operation.other_name()?).ok()?;
        let why = self.root.protection(&other)?;
        Some(format!("`{other}`: {why}"))
    }

    /// Brings edits together that name one file by several names: links to it, or a link and the file itself.
    fn meet_at_targets(&mut self, files: &mut [Intake]) {
        let targets: Vec<Option<RepoPath>> = (files.iter())
            .map(|file| Some(self.placings.known(&file.path)?.target.clone()))
            .collect();
        let mut names: BTreeMap<&RepoPath, BTreeSet<&str>> = BTreeMap::new();
        for (file, target) in files.iter().zip(&targets) {
            if let Some(target) = target {
                names.entry(target).or_default().insert(&file.path);
            }
        }
        let several: BTreeSet<RepoPath> = (names.into_iter())
            .filter(|(_, names)| names.len() > 1)
            .map(|(target, _)| target.clone())
            .collect();
        for (file, target) in files.iter_mut().zip(targets) {
            let writes = match file.change.operation {
                Operation::Modify
                | Operation::Create
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::CopyOf(_) => true,
                // The name itself is meant, and not what it leads to.
                Operation::Delete | Operation::Rename(_) | Operation::Link { .. } => false,
            };
            let is_refused = matches!(file.found, Found::Refused(_));
            let target = target.filter(|target| writes && several.contains(target));
            if let Some(target) = target.filter(|_| !is_refused)
                && let Ok((name, found)) = self.look(&target)
            {
                let protected = self.protection(&target);
                file.protected = file.protected.take().or(protected);
                (file.path, file.found) = (name, found);
            }
        }
    }

    /// Refuses the steps that need a file as an earlier step leaves it under another name: the files were read as they are
    /// on disk.
    fn refuse_stale_sources(&self, changes: &[Arc<FileChange>], files: &mut [Intake]) {
        if !(changes.iter()).any(|change| change.operation.other_name().is_some()) {
            return;
        }
        // The changed names and the names that files are moved to, each with the first step that does it.
        let mut touched: BTreeMap<RepoPath, (usize, usize)> = BTreeMap::new();
        let mut taken: BTreeMap<RepoPath, (usize, usize)> = BTreeMap::new();
        let mut made: BTreeMap<RepoPath, (usize, usize)> = BTreeMap::new();
        // The names that files are moved to, each with the old name.
        let mut movers: BTreeMap<RepoPath, &String> = BTreeMap::new();
        let mut refused: BTreeMap<String, Refusal> = BTreeMap::new();
        for (at, (change, file)) in changes.iter().zip(&*files).enumerate() {
            // The changes of one patch are for the same files; each call is for the result of those before.
            let step = match file.order {
                HunkOrder::Sequence => (change.patch, at),
                HunkOrder::Ascending | HunkOrder::Any => (change.patch, 0),
            };
            let is_earlier = |steps: &BTreeMap<RepoPath, (usize, usize)>,
                              name: &Option<RepoPath>| {
                let first = name.as_ref().and_then(|name| steps.get(name));
                first.is_some_and(|first| *first < step)
            };
            let own = self.target(&change.path);
            let other = change.operation.other_name();
            let other = other.and_then(|other| self.target(other));
            let is_move = matches!(change.operation, Operation::Rename(_)) && own != other;
            let is_moved_here = own.as_ref().is_some_and(|own| movers.contains_key(own));
            let stale = match &change.operation {
                Operation::CopyOf(from) if is_earlier(&touched, &other) => Some(from),
                Operation::Rename(to) if is_earlier(&taken, &other) => Some(to),
                // An earlier step makes the file. On the disk the move looks as if it had been made.
                Operation::Rename(_)
                    if (is_moved_here || is_earlier(&made, &own))
                        && self.is_absent(&change.path) =>
                {
                    Some(&change.path)
                }
                Operation::Modify
                | Operation::Create
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::Delete
                | Operation::Rename(_)
                | Operation::CopyOf(_)
                | Operation::Link { .. } => is_earlier(&taken, &own).then_some(&change.path),
            };
            if let Some(name) = stale {
                let why = format!(
                    "one of its edits needs `{name}` as an earlier step leaves it; apply the steps one after the other, each by itself"
                );
                // One move of a chain by itself would leave the file in between.
                let mover = own.as_ref().filter(|_| is_move);
                let mover = mover.and_then(|own| movers.get(own).copied());
                let names = [&file.path].into_iter().chain(mover);
                refused
                    .extend(names.map(|name| (name.clone(), Refusal::Contradiction(why.clone()))));
            }
            if is_move && let Some(to) = &other {
                taken.entry(to.clone()).or_insert(step);
                movers.entry(to.clone()).or_insert(&file.path);
                touched.entry(to.clone()).or_insert(step);
            }
            if let Some(own) = &own
                && !matches!(change.operation, Operation::Modify)
            {
                made.entry(own.clone()).or_insert(step);
            }
            if let Some(own) = own {
                touched.entry(own).or_insert(step);
            }
        }
        for file in files {
            if let Some(refusal) = refused.get(&file.path) {
                file.found = Found::Refused(refusal.clone());
            }
        }
    }

    /// Returns `true` for a name that was not there when the files were read.
    fn is_absent(&self, claim: &PathClaim) -> bool {
        let path = self.root.resolve(claim).ok();
        let known = path.and_then(|path| self.placings.known(&path.to_string()));
        known.is_some_and(|known| known.state == FileState::Absent)
    }

    /// Returns the file that a name leads to.
    fn target(&self, claim: &PathClaim) -> Option<RepoPath> {
        let path = self.root.resolve(claim).ok()?;
        let known = self.placings.known(&path.to_string());
        Some(known.map_or(path, |known| known.target.clone()))
    }

    fn protection(&self, path: &RepoPath) -> Option<String> {
        let protected = self.root.protection(path)?;
        Some(protected.to_string())
    }

    /// Reads the file that an edit names, if it can be read.
    fn look_at(&mut self, claim: &PathClaim) -> Option<Found> {
        let path = self.root.resolve(claim).ok()?;
        self.look(&path).ok().map(|(_, found)| found)
    }

    /// Reads a file, with its name as it is shown.
    fn look(&mut self, path: &RepoPath) -> Result<(String, Found), ReadError> {
        let snapshot = if self.links.contains(path) {
            self.placings.read_entry(self.root, path)?
        } else {
            self.placings.read(self.root, path)?
        };
        Ok((path.to_string(), found(&snapshot)))
    }
}
