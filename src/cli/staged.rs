//! What stands in the index already, against a revision.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;

use super::output::say;
use super::placing::Placings;
use super::settling::{bytes_of, name_on_disk, settled};
use super::source::Source;
use super::taking::protection;
use super::versions::{Versions, left_alone};
use crate::agent::git::{Blob, Changed, Form, GitError, Repository, Span, Staging};
use crate::review::{
    Bytes, Compared, FileReview, ReviewSession, Settled, Stance, Writing, compare,
};
use crate::store::{ContentHash, Root};

/// The index of a repository, against a revision.
pub(super) struct Staged {
    repository: Repository,
    root: Root,
    span: Span,
    paths: Vec<PathBuf>,
    intent: String,
    /// No file of the tree is read: these only count the sessions.
    placings: Placings,
    /// What differed when each session was made.
    changed: Vec<Vec<Changed>>,
    versions: Versions,
}

impl Staged {
    /// The index of a repository, or a part of it, against a revision.
    pub(super) fn open(
        repository: Repository,
        root: Root,
        span: Span,
        paths: Vec<PathBuf>,
        intent: String,
    ) -> Self {
        Self {
            repository,
            root,
            span,
            paths,
            intent,
            placings: Placings::default(),
            changed: Vec::new(),
            versions: Versions::new(Form::Stored),
        }
    }

    fn compared(&self, changed: &Changed) -> Compared {
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
            protected: protection(&self.root, name),
            origin: "git",
        }
    }

    /// What becomes of the names of a file in the index, and the hashes of its content before and after.
    fn staging(&self, file: &FileReview, changed: &Changed) -> Result<Vec<Staging>, Writing> {
        let Some(settled) = settled(file)? else {
            return Ok(Vec::new());
        };
        let name = name_on_disk(file).to_owned();
        let before = changed.new.clone();
        let (path, after) = match settled {
            Settled::Absent => (name.clone(), None),
            Settled::File {
                path,
                bytes,
                executable,
            } => {
                let mode = if executable { "100755" } else { "100644" };
                let blob = Blob {
                    mode: mode.to_owned(),
                    id: self.stored(file, changed, bytes)?,
                };
                (path, Some(blob))
            }
        };
        let mut staging = Vec::new();
        if path != name {
            staging.push(Staging {
                path: name,
                before,
                after: None,
            });
            staging.push(Staging {
                path,
                before: None,
                after,
            });
        } else if before != after {
            staging.push(Staging {
                path,
                before,
                after,
            });
        }
        Ok(staging)
    }

    /// The name of a content, which is stored if need be.
    fn stored(
        &self,
        file: &FileReview,
        changed: &Changed,
        bytes: Bytes,
    ) -> Result<String, Writing> {
        let known = match &bytes {
            Bytes::Old => changed.old.as_ref(),
            Bytes::New => changed.new.as_ref(),
            Bytes::These(_) => None,
        };
        if let Some(blob) = known {
            return Ok(blob.id.clone());
        }
        let bytes = bytes_of(file, bytes, &|file| self.versions.load(file))?;
        self.repository
            .store(&bytes)
            .map_err(|error| failed(&error))
    }
}

impl Source for Staged {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        ContentHash::of(format!("git {:?} {:?}", self.span, self.paths).as_bytes())
    }

    fn placings(&self) -> &Placings {
        &self.placings
    }

    fn is_tree(&self) -> bool {
        false
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let changed = self.repository.changed(&self.span, &self.paths)?;
        let files = changed.iter().filter(|file| left_alone(file).is_none());
        let blobs = files.flat_map(|file| {
            let name = file.rename.as_ref().unwrap_or(&file.path);
            let old = file.old.as_ref().map(|blob| (blob, file.path.as_str()));
            old.into_iter()
                .chain(file.new.as_ref().map(|blob| (blob, name.as_str())))
        });
        let read = self.versions.read(&self.repository, blobs);
        read.context("the stored versions cannot be read")?;
        let compared: Vec<Compared> = changed.iter().map(|file| self.compared(file)).collect();
        let mut session = compare(self.intent.clone(), &compared);
        session.placing = self.placings.begin();
        self.changed.push(changed);
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let placed = usize::try_from(session.placing).ok();
        let changed = placed.and_then(|placed| self.changed.get(placed.checked_sub(1)?));
        let mut staging = Vec::new();
        for file in &session.files {
            let of_file = changed
                .and_then(|changed| changed.iter().find(|changed| changed.path == file.path));
            let Some(of_file) = of_file else { continue };
            match self.staging(file, of_file) {
                Ok(of_file) => staging.extend(of_file),
                Err(unwritten) => return unwritten,
            }
        }
        if !staging.is_empty() {
            match self.repository.stage(&staging) {
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

fn failed(error: &GitError) -> Writing {
    Writing::Failed {
        error: format!("{error}\nhint: {}", error.hint()),
        stuck: Vec::new(),
    }
}
