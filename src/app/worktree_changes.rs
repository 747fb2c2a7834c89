//! Changes in the working tree, compared with the index or a revision.

use anyhow::Context;

use crate::agent::git::{Blob, BlobForm, ChangedEntry, DiffSides, GitEntryKind};
use crate::app::apply::carry_out;
use crate::app::difference::GitDifference;
use crate::app::git_versions::{GitVersions, left_alone};
use crate::app::look::{look_at_entry, protection_with_link};
use crate::app::snapshots::Snapshots;
use crate::app::source::ReviewSource;
use crate::app::{rejections, threads, write_comparison};
use crate::review::{
    Compared, FileReview, Found, Refusal, ReviewSession, Stance, Writing, compare,
};
use crate::store::{ContentHash, Root};

/// The working tree of a repository, against what git has stored.
pub(crate) struct WorkTree {
    of: GitDifference,
    placings: Snapshots,
    versions: GitVersions,
    /// The stored versions that are symbolic links.
    links: GitVersions,
}

impl WorkTree {
    /// The working tree of a repository, or a part of it, against one side of `span`.
    pub(crate) fn new(of: GitDifference) -> Self {
        Self {
            of,
            placings: Snapshots::default(),
            versions: GitVersions::new(BlobForm::CheckedOut),
            links: GitVersions::new(BlobForm::Stored),
        }
    }

    /// All files that differ.
    fn changed(&self) -> anyhow::Result<Vec<ChangedEntry>> {
        let mut changed = self.of.repository.changed(&self.of.span, &self.of.paths)?;
        match self.of.span {
            DiffSides::IndexToTree | DiffSides::RevisionToTree(_) => {
                changed.extend(self.of.repository.untracked(&self.of.paths)?);
            }
            DiffSides::ToIndex(_) | DiffSides::Between(..) => (),
        }
        Ok(changed.into_iter().flat_map(without_renamed_link).collect())
    }

    /// Both versions of a file.
    fn compared(&mut self, changed: &ChangedEntry) -> Compared {
        let name = changed.rename.as_ref().unwrap_or(&changed.path);
        let alone = not_reviewed(changed, &self.of.span);
        let mut new = alone.clone().unwrap_or_else(|| self.look(name));
        if changed.rename.is_some() {
            // It is where the file goes back to.
            let from = &changed.path;
            if !matches!(self.look(from), Found::Absent) {
                let why = format!("`{from}` is there again, so `{name}` cannot go back to it");
                new = Found::Refused(Refusal::Contradiction(why));
            }
        }
        if let (DiffSides::Between(_, to), Some(blob)) = (&self.of.span, &changed.new)
            && !self.is_unchanged(blob, name)
            && !matches!(new, Found::Refused(_))
        {
            let why = format!("`{name}` has changed since {to}: review the present file instead");
            new = Found::Refused(Refusal::Contradiction(why));
        }
        // Where git sees no other mode there is none, whatever the disk says.
        let mode = match (&changed.old, &changed.new) {
            (Some(old), Some(is)) if old.mode == is.mode => new.executable(),
            (_, _) => None,
        };
        Compared {
            path: changed.path.clone(),
            rename: changed.rename.clone(),
            old: alone.unwrap_or_else(|| match &changed.old {
                Some(old) if old.is_link() => self.links.link(old, &changed.path),
                old => self.versions.found(old.as_ref(), &changed.path, mode),
            }),
            protected: protection_with_link(&self.of.root, name, &new),
            new,
            stance: Stance::Standing,
            doubtful: Vec::new(),
            origin: "git",
        }
    }

    /// True if a file in the working tree is as git has stored it.
    fn is_unchanged(&self, blob: &Blob, name: &str) -> bool {
        let stored = self.versions.get(blob, name).map(|version| version.hash);
        stored.is_some() && stored == self.placings.known(name).and_then(|file| file.hash())
    }

    /// Reads the file or the symbolic link of a name.
    fn look(&mut self, name: &str) -> Found {
        look_at_entry(&self.of.root, &mut self.placings, name)
    }
}

/// Returns why a name is left alone, if it is. Links are reviewed in the working tree, and not between two commits.
fn not_reviewed(changed: &ChangedEntry, span: &DiffSides) -> Option<Found> {
    let is_between = matches!(span, DiffSides::Between(..));
    left_alone(changed).filter(|_| is_between || changed.kind != GitEntryKind::Link)
}

/// Returns an entry, or what a renamed link leaves and makes: links have no lines by which a rename could be reviewed.
fn without_renamed_link(changed: ChangedEntry) -> Vec<ChangedEntry> {
    match (changed.kind, changed.rename) {
        (GitEntryKind::Link, Some(path)) => vec![
            ChangedEntry {
                path: changed.path,
                rename: None,
                old: changed.old,
                new: None,
                kind: GitEntryKind::Link,
            },
            ChangedEntry {
                path,
                rename: None,
                old: None,
                new: changed.new,
                kind: GitEntryKind::Link,
            },
        ],
        (_, rename) => vec![ChangedEntry { rename, ..changed }],
    }
}

impl ReviewSource for WorkTree {
    fn root(&self) -> &Root {
        &self.of.root
    }

    fn hash(&self) -> ContentHash {
        self.of.hash()
    }

    fn intent(&self) -> String {
        self.of.intent.clone()
    }

    fn records_rejections(&self) -> bool {
        true
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let changed = self.changed()?;
        let span = &self.of.span;
        let files = (changed.iter()).filter(|file| not_reviewed(file, span).is_none());
        let old = files
            .clone()
            .filter_map(|file| Some((file.old.as_ref()?, file.path.as_str())));
        let (links, old): (Vec<_>, Vec<_>) = old.partition(|(blob, _)| blob.is_link());
        let is_between = matches!(self.of.span, DiffSides::Between(..));
        let new = files.filter(|_| is_between).filter_map(|file| {
            let name = file.rename.as_ref().unwrap_or(&file.path);
            Some((file.new.as_ref()?, name.as_str()))
        });
        let wanted = old.into_iter().chain(new);
        let read = self.versions.read(&self.of.repository, wanted);
        let read = read.and_then(|()| self.links.read(&self.of.repository, links.into_iter()));
        read.context("the stored versions cannot be read")?;
        let placing = self.placings.begin();
        let compared: Vec<Compared> = changed.iter().map(|file| self.compared(file)).collect();
        let mut session = compare(self.of.intent.clone(), &compared);
        session.placing = placing;
        rejections::carry_over(&self.of.root, self.of.hash(), &mut session);
        threads::mark(&self.of.root, &mut session);
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let load = |file: &FileReview| self.versions.load(file);
        write_comparison::write(&self.placings, session, &load, |writes| {
            carry_out(&self.of.root, &writes)
        })
    }
}
