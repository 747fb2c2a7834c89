//! The tree as it was when a run started: from git where there is a repository, else from a record of the files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::agent::git::{Blob, BlobForm, Repository, SideIndex};
use crate::app::git_versions::GitVersions;
use crate::app::three_way_merge;
use crate::review::{Found, Opaque};
use crate::store::{BaseFiles, BaseVersion, EarlyChanges, Layer, LayerRecord, PinnedVersions};
use crate::text::plural;

/// The mode of a symbolic link in a tree of git.
const LINK: &str = "120000";

/// The record of a tree, and the versions that an earlier run in the same layer began with.
pub(super) struct Base {
    record: BaseRecord,
    pins: PinnedVersions,
}

enum BaseRecord {
    /// A tree of git, beside the repository.
    Tree(Box<Tree>),
    /// The contents of files.
    Files(BaseFiles),
    /// The record was not finished: only files that have not changed since are known.
    None,
}

/// A tree of git, of the files that were as the index had them, and a record of the others.
pub(super) struct Tree {
    side: SideIndex,
    name: String,
    /// The names that changed before it was recorded.
    early: EarlyChanges,
    blobs: BTreeMap<String, Blob>,
    versions: GitVersions,
    /// The files that git had not as they were: new and changed ones.
    others: BaseFiles,
}

/// Records the tree of a root. Returns a remark if a part of it is not recorded.
pub(super) fn record(layer: &Layer, about: &LayerRecord) -> anyhow::Result<Option<String>> {
    let record = if let Some(repository) = repository_of(&about.root) {
        let side = SideIndex::new(&repository, &layer.base_folder())?;
        // A file that was removed before it was recorded is in the first list only.
        let mut files = side.files()?;
        let (tree, others) = side.leave_out_changed()?;
        let record = layer.record_others(about, &others)?;
        files.extend(others);
        files.sort();
        files.dedup();
        // Asked last: the record of what has not changed by now is of the start.
        layer.record_tree(&tree, &EarlyChanges::of(about, &files))?;
        record
    } else {
        layer.record_files(about)?
    };
    let without = record.without_content();
    Ok((without > 0).then(|| {
        format!(
            "the contents of {} were not recorded, as they are too large: where you and the command change the same one, it is a \
            conflict as a whole",
            plural(without, "file")
        )
    }))
}

/// The repository whose working tree a root is.
pub(super) fn repository_of(root: &Path) -> Option<Repository> {
    let repository = Repository::find(root).ok()?;
    let top = repository.top().canonicalize().ok()?;
    (top == root).then_some(repository)
}

impl BaseRecord {
    fn read(layer: &Layer, about: &LayerRecord) -> Self {
        if let Some((name, early)) = layer.recorded_tree()
            && let Some(repository) = repository_of(&about.root)
        {
            return Self::Tree(Box::new(Tree {
                side: SideIndex::open(&repository, &layer.base_folder()),
                name,
                early,
                others: layer.recorded_others().unwrap_or_default(),
                blobs: BTreeMap::new(),
                versions: GitVersions::new(BlobForm::CheckedOut),
            }));
        }
        layer.recorded_files().map_or(Self::None, Self::Files)
    }
}

impl Base {
    /// Reads the record of a layer.
    pub(super) fn read(layer: &Layer, about: &LayerRecord) -> anyhow::Result<Self> {
        Ok(Self {
            record: BaseRecord::read(layer, about),
            pins: layer.pins()?,
        })
    }

    /// Reads what was recorded of some files, all in one go. Files that have not changed since are left out.
    pub(super) fn prepare(&mut self, about: &LayerRecord, paths: &[&str]) -> anyhow::Result<()> {
        if let BaseRecord::Tree(tree) = &mut self.record {
            let mut changed = Vec::new();
            for path in paths {
                if !about.is_untouched(Path::new(path))? {
                    changed.push(*path);
                }
            }
            let repository = tree.side.repository();
            tree.blobs = repository.files_of(&tree.name, &changed)?;
            let wanted = tree.blobs.iter().map(|(path, blob)| (blob, path.as_str()));
            tree.versions.read(repository, wanted)?;
        }
        Ok(())
    }

    /// Returns what a file was, where `now` is what it is; `None` if that is not known.
    pub(super) fn version(
        &self,
        layer: &Layer,
        about: &LayerRecord,
        path: &str,
        now: &Found,
    ) -> anyhow::Result<Option<Found>> {
        if let Some(pinned) = layer.pinned(&self.pins, Path::new(path))? {
            return Ok(known(pinned));
        }
        if about.is_untouched(Path::new(path))? {
            return Ok(Some(now.clone()));
        }
        if about.was_absent(Path::new(path))? {
            return Ok(Some(Found::Absent));
        }
        match &self.record {
            BaseRecord::Tree(tree) if tree.others.has(Path::new(path)) => {
                recorded(layer, about, &tree.others, path, now)
            }
            BaseRecord::Tree(tree) => {
                let blob = tree.blobs.get(path);
                if tree.early.concerns(Path::new(path), blob.is_some())
                    || blob.is_none() && is_in_nested_repository(&about.root, Path::new(path))
                {
                    return Ok(None);
                }
                let found = tree.versions.found(blob, path, None);
                Ok(Some(match (blob, found) {
                    (Some(blob), Found::Text { document, .. }) if blob.mode == LINK => {
                        Found::Link(document.text().to_owned())
                    }
                    (_, found) => found,
                }))
            }
            BaseRecord::Files(files) => recorded(layer, about, files, path, now),
            BaseRecord::None => Ok(None),
        }
    }
}

/// Looks a file up in a record of files; `None` if what it was is not known.
fn recorded(
    layer: &Layer,
    about: &LayerRecord,
    files: &BaseFiles,
    path: &str,
    now: &Found,
) -> anyhow::Result<Option<Found>> {
    let version = layer.base_of(about, files, Path::new(path))?;
    Ok(match version {
        BaseVersion::Unchanged => Some(now.clone()),
        version @ (BaseVersion::Absent
        | BaseVersion::Content { .. }
        | BaseVersion::Hash { .. }
        | BaseVersion::Link(_)
        | BaseVersion::Folder
        | BaseVersion::Unknown) => known(version),
    })
}

/// Returns a recorded version as a review has it; `None` if it is not known.
fn known(version: BaseVersion) -> Option<Found> {
    match version {
        BaseVersion::Absent => Some(Found::Absent),
        BaseVersion::Content { bytes, executable } => {
            Some(three_way_merge::found(&bytes, executable))
        }
        BaseVersion::Hash {
            size,
            hash,
            executable,
        } => Some(Found::Opaque(Opaque {
            size,
            hash,
            executable,
            why: "it is not text".to_owned(),
        })),
        BaseVersion::Link(target) => Some(Found::Link(target)),
        BaseVersion::Folder => Some(Found::Folder),
        BaseVersion::Unknown | BaseVersion::Unchanged => None,
    }
}

/// Returns true if a file belongs to a submodule, or to another repository in the tree: git records nothing of its files.
fn is_in_nested_repository(root: &Path, path: &Path) -> bool {
    let above = path.ancestors().skip(1);
    above
        .filter(|folder| !folder.as_os_str().is_empty())
        .any(|folder| root.join(folder).join(".git").symlink_metadata().is_ok())
}
