//! Changes in the index, compared with a revision.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;

use crate::agent::git::{Blob, BlobForm, ChangedEntry, GitError};
use crate::app::check_tree::CheckTree;
use crate::app::difference::GitDifference;
use crate::app::git_versions::{GitVersions, left_alone};
use crate::app::index::{GitIndex, failed, stagings};
use crate::app::look::protection;
use crate::app::notice::say;
use crate::app::snapshots::Snapshots;
use crate::app::source::ReviewSource;
use crate::review::{Compared, ReviewSession, Stance, Writing, compare};
use crate::store::{ContentHash, Root};

/// The index of a repository, against a revision.
pub(crate) struct StagedChanges {
    of: GitDifference,
    /// No file of the tree is read: these only count the sessions.
    placings: Snapshots,
    /// Changed files at the time each session was made.
    changed: Vec<Arc<Vec<ChangedEntry>>>,
    versions: GitVersions,
}

impl StagedChanges {
    /// The index of a repository, or a part of it, against a revision.
    pub(crate) fn new(of: GitDifference) -> Self {
        Self {
            of,
            placings: Snapshots::default(),
            changed: Vec::new(),
            versions: GitVersions::new(BlobForm::Stored),
        }
    }

    fn compared(&self, changed: &ChangedEntry) -> Compared {
        let name = changed.rename.as_ref().unwrap_or(&changed.path);
        let found = |blob: &Option<Blob>, name: &str| {
            left_alone(changed).unwrap_or_else(|| self.versions.found(blob.as_ref(), name, None))
        };
        Compared {
            path: changed.path.clone(),
            rename: changed.rename.clone(),
            old: found(&changed.old, &changed.path),
            new: found(&changed.new, name),
            stance: Stance::Standing,
            doubtful: Vec::new(),
            protected: protection(&self.of.root, name),
            origin: "git",
        }
    }
}

impl ReviewSource for StagedChanges {
    fn root(&self) -> &Root {
        &self.of.root
    }

    fn hash(&self) -> ContentHash {
        self.of.hash()
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn check_tree(&self) -> CheckTree {
        CheckTree::Index(GitIndex {
            repository: self.of.repository.clone(),
            changed: self.changed.last().cloned().unwrap_or_default(),
        })
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let changed = self.of.repository.changed(&self.of.span, &self.of.paths)?;
        let files = changed.iter().filter(|file| left_alone(file).is_none());
        let blobs = files.flat_map(|file| {
            let name = file.rename.as_ref().unwrap_or(&file.path);
            let old = file.old.as_ref().map(|blob| (blob, file.path.as_str()));
            old.into_iter()
                .chain(file.new.as_ref().map(|blob| (blob, name.as_str())))
        });
        let read = self.versions.read(&self.of.repository, blobs);
        read.context("the stored versions cannot be read")?;
        let compared: Vec<Compared> = changed.iter().map(|file| self.compared(file)).collect();
        let mut session = compare(self.of.intent.clone(), &compared);
        session.placing = self.placings.begin();
        self.changed.push(Arc::new(changed));
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let placed = usize::try_from(session.placing).ok();
        let changed = placed.and_then(|placed| self.changed.get(placed.checked_sub(1)?));
        let none = Arc::default();
        let store = |bytes: &[u8]| self.of.repository.store(bytes);
        let staging = match stagings(session, changed.unwrap_or(&none), &store) {
            Ok(staging) => staging,
            Err((_, unwritten)) => return unwritten,
        };
        if !staging.is_empty() {
            match self.of.repository.stage(&staging) {
                Ok(Some(tree)) => say(&format!(
                    "`git read-tree {tree}` brings the index back as it was"
                )),
                Ok(None) => (),
                Err(GitError::Changed { paths }) => {
                    return Writing::Conflict {
                        error: "the index has changed since the review".to_owned(),
                        paths,
                    };
                }
                Err(error) => return failed(&error),
            }
        }
        // What the index holds is known by git's names, not by hashes of bytes.
        let written = staging
            .into_iter()
            .map(|staging| (staging.path, (None, None)));
        Writing::Done {
            id: None,
            hashes: written.collect::<BTreeMap<_, _>>(),
            warnings: Vec::new(),
        }
    }
}
