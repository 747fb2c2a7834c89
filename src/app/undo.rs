//! The review of a batch that was written, where files have changed since: from the present files to those before the batch.
//!
//! A change that is separate from later ones is taken back alone. Where it is not, the lines as they were
//! before are offered, and never accepted in batch.

use std::collections::BTreeMap;
use std::io;

use crate::app::apply::{done, unwritten};
use crate::app::look::look;
use crate::app::snapshots::Snapshots;
use crate::app::source::ReviewSource;
use crate::app::three_way_merge::{self, Merged, merge};
use crate::app::write_comparison;
use crate::review::{
    Compared, FileReview, Found, Refusal, ReviewSession, Stance, Writing, compare,
};
use crate::store::{
    ContentHash, Past, PastFile, PastVersion, Root, UndoError, VersionKind, commit_undo,
};

/// A written batch, compared with the present files.
pub(crate) struct Undoing {
    root: Root,
    past: Past,
    placings: Snapshots,
}

impl Undoing {
    pub(crate) fn new(root: Root, past: Past) -> Self {
        Self {
            root,
            past,
            placings: Snapshots::default(),
        }
    }
}

impl ReviewSource for Undoing {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        ContentHash::of(format!("undo {}", self.past.id).as_bytes())
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let placing = self.placings.begin();
        let mut compared = Vec::new();
        for file in &self.past.files {
            let now = look(&self.root, &mut self.placings, &file.path);
            let protected = self.root.protection(&file.path);
            let before = version(file.before.as_ref());
            let after = version(file.after.as_ref());
            let Merged { goal, doubtful } = merge(&after, &before, &now);
            compared.push(Compared {
                path: file.path.to_string(),
                rename: None,
                old: now,
                new: goal,
                stance: Stance::Proposed,
                doubtful,
                protected: protected.map(|protected| protected.to_string()),
                origin: "undo",
            });
        }
        let intent = format!("Take back what was written as {}.", self.past.id);
        let mut session = compare(intent, &compared);
        session.placing = placing;
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let versions: BTreeMap<String, &PastFile> = (self.past.files.iter())
            .map(|file| (file.path.to_string(), file))
            .collect();
        let before = |name: &String| Some(versions.get(name)?.before.as_ref()?.bytes.clone());
        let not_found = || io::ErrorKind::NotFound.into();
        let load = |file: &FileReview| before(&file.path).ok_or_else(not_found);
        write_comparison::write(&self.placings, session, &load, |writes| {
            match commit_undo(&self.root, &self.past.id, &writes) {
                Ok(receipt) => done(receipt),
                Err(UndoError::Commit(error)) => unwritten(&error),
                Err(UndoError::History(error)) => Writing::Failed {
                    error: format!("{error}\nhint: {}", error.hint()),
                    stuck: Vec::new(),
                },
            }
        })
    }
}

fn version(version: Option<&PastVersion>) -> Found {
    let Some(version) = version else {
        return Found::Absent;
    };
    if version.kind != VersionKind::File {
        let why = "a symbolic link or folder is taken back with its whole batch only: `countersign undo ID`";
        return Found::Refused(Refusal::Contradiction(why.to_owned()));
    }
    three_way_merge::found(&version.bytes, version.executable)
}
