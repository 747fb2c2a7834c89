//! The changes of a layer: a three-way merge of the recorded tree, the layer, and the present tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::base::Base;
use super::renames::RenameCandidate;
use crate::app::link_targets::link_protection;
use crate::app::look::protection;
use crate::app::snapshots::Snapshots;
use crate::proposal::RepoPath;
use crate::review::{Compared, FileReview, Found, ReviewSession, Stance};
use crate::store::{
    BaseVersion, Calls, Layer, LayerEntryKind, LayerKind, LayerRecord, ReportedCall, Root,
};

/// The changes of a layer, against the tree as it is now.
pub(in crate::cli) struct LayerChanges {
    pub(super) root: Root,
    pub(super) layer: Layer,
    pub(super) about: LayerRecord,
    /// The layer's own files.
    pub(super) content: Root,
    pub(super) base: Base,
    pub(super) placings: Snapshots,
    /// The layer's files as they were read.
    pub(super) layered: Snapshots,
    /// The names below which the layer has a folder and the root has none, but a file or a link.
    pub(super) replaced: BTreeSet<PathBuf>,
    /// The names of folders that the layer has made and in which nothing is.
    pub(super) empty: BTreeSet<PathBuf>,
    /// Sentences about files that are left out of the review.
    pub(super) remarks: Vec<String>,
    /// Sentences about changes that cannot be reviewed, and stay in the layer until that is mended.
    pub(super) left: Vec<String>,
    /// The names of files that stay in the layer, whatever is decided about the others.
    pub(super) staying: Vec<PathBuf>,
    /// True if git's own folder in the layer has the file of a removal that waits.
    pub(super) keeps_git: bool,
    /// True if a person follows the review, so that earlier approvals hold in it.
    pub(super) is_followed: bool,
}

impl LayerChanges {
    /// Opens the changes of a layer.
    pub(in crate::cli) fn open(
        root: Root,
        layer: Layer,
        about: LayerRecord,
    ) -> anyhow::Result<Self> {
        // The layer lies in the state folder, whose files are guarded: its own state is elsewhere.
        let content = Root::open(&layer.content(&about))?
            .for_a_person()
            .keeping_state_in(layer.folder().join("inside"));
        let base = Base::read(&layer, &about)?;
        Ok(Self {
            root,
            layer,
            about,
            content,
            base,
            placings: Snapshots::default(),
            layered: Snapshots::default(),
            replaced: BTreeSet::new(),
            empty: BTreeSet::new(),
            remarks: Vec::new(),
            left: Vec::new(),
            staying: Vec::new(),
            keeps_git: false,
            is_followed: true,
        })
    }

    /// Pins what the files were that are not reviewed yet, before another run begins in the layer.
    pub(super) fn pin(&mut self) -> anyhow::Result<()> {
        let entries = self.entries()?;
        self.placings.begin();
        let names: Vec<&str> = entries
            .iter()
            .filter_map(|entry| entry.path.to_str())
            .collect();
        self.base.prepare(&self.about, &names)?;
        let mut versions = Vec::new();
        for name in names {
            let now = self.now(name);
            let version = match self.base.version(&self.layer, &self.about, name, &now)? {
                Some(Found::Absent) => BaseVersion::Absent,
                Some(Found::Text {
                    document,
                    executable,
                }) => {
                    let bytes = document.encode(document.text());
                    bytes.map_or(BaseVersion::Unknown, |bytes| BaseVersion::Content {
                        bytes,
                        executable,
                    })
                }
                Some(Found::Opaque(opaque)) => BaseVersion::Hash {
                    size: opaque.size,
                    hash: opaque.hash,
                    executable: opaque.executable,
                },
                Some(Found::Link(target)) => BaseVersion::Link(target),
                Some(Found::Folder) => BaseVersion::Folder,
                Some(Found::Refused(_)) | None => BaseVersion::Unknown,
            };
            versions.push((PathBuf::from(name), version));
        }
        self.layer.pin(versions)?;
        Ok(())
    }

    /// Returns whether the layer still has the version of a file that was reviewed.
    pub(super) fn is_as_reviewed(&self, session: &ReviewSession, path: &Path) -> bool {
        let Some(name) = path.to_str() else {
            return false;
        };
        let reviewed = self.layered.of(session).ok();
        match (
            reviewed.and_then(|files| files.get(name)),
            RepoPath::parse(name),
        ) {
            (Some(reviewed), Ok(name)) => {
                (self.content.read(&name)).is_ok_and(|now| now.version() == reviewed.version())
            }
            (None, _) => {
                // Nothing was read, so it is no file.
                let file = session.files.iter().find(|file| file.new_path() == name);
                let new = file.and_then(|file| Some(&file.sides.as_ref()?.new));
                let Ok(Some(now)) = self.layer.entry(&self.about, path) else {
                    return false;
                };
                match (new, now.kind) {
                    (Some(Found::Link(to)), LayerEntryKind::Link(now)) => Path::new(to) == now,
                    (Some(Found::Link(_)), _) => false,
                    (Some(Found::Folder), kind) => kind == LayerEntryKind::Folder,
                    // What is in a folder that takes the place of a file is reviewed by itself.
                    (_, kind) => {
                        matches!(kind, LayerEntryKind::Removed | LayerEntryKind::Folder)
                    }
                }
            }
            (Some(_), Err(_)) => false,
        }
    }

    /// Describes the call that made a file what it is in the layer, if that was reported.
    pub(super) fn maker(&self, calls: &Calls, file: &FileReview) -> Option<String> {
        let name = Path::new(file.new_path());
        let changed = self.layer.changed_in_layer(&self.about, name)?;
        let seen_at = match self.about.kind {
            LayerKind::Overlay => self.about.root.join(name),
            LayerKind::Copy => self.layer.copy_of(&self.about.root).join(name),
        };
        calls.maker(&seen_at, changed).map(ReportedCall::words)
    }

    pub(super) fn compared(&self, candidate: RenameCandidate, rename: Option<String>) -> Compared {
        let RenameCandidate { name, now, merged } = candidate;
        let protected = protection(&self.root, rename.as_ref().unwrap_or(&name));
        let of_link = match (&merged.goal, RepoPath::parse(&name)) {
            (Found::Link(to), Ok(path)) => link_protection(&self.root, &path, to).ok().flatten(),
            (_, _) => None,
        };
        Compared {
            protected: (protected.or_else(|| protection(&self.root, &name))).or(of_link),
            path: name,
            rename,
            old: now,
            new: merged.goal,
            stance: Stance::Proposed,
            doubtful: merged.doubtful,
            origin: "run",
        }
    }
}
