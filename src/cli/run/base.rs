//! The tree as it was when a run started: from git where there is a repository, else from a record of the files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::agent::git::{Blob, BlobForm, Repository, SideIndex};
use crate::app::git_versions::GitVersions;
use crate::app::three_way_merge;
use crate::review::Found;
use crate::store::{BaseFiles, BaseVersion, Layer, LayerRecord, PinnedVersions};

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

/// A tree of git.
pub(super) struct Tree {
    side: SideIndex,
    name: String,
    /// When the record was complete.
    complete: (i64, u64),
    blobs: BTreeMap<String, Blob>,
    versions: GitVersions,
}

/// Records the tree of a root. Returns a remark if a part of it is not recorded.
pub(super) fn record(layer: &Layer, about: &LayerRecord) -> anyhow::Result<Option<String>> {
    if let Some(repository) = repository_of(&about.root) {
        let tree = SideIndex::new(&repository, &layer.base_folder())?.take_in()?;
        layer.record_tree(&tree)?;
        return Ok(None);
    }
    let files = layer.record_files(about)?;
    let without = files.without_content();
    Ok((without > 0).then(|| {
        format!(
            "{without} files were too large to record: where you and the command change the same one, it is a conflict as a whole"
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
        if let Some((name, complete)) = layer.recorded_tree()
            && let Some(repository) = repository_of(&about.root)
        {
            return Self::Tree(Box::new(Tree {
                side: SideIndex::open(&repository, &layer.base_folder()),
                name,
                complete,
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
        match layer.pinned(&self.pins, Path::new(path))? {
            Some(BaseVersion::Content { bytes, executable }) => {
                return Ok(Some(three_way_merge::found(&bytes, executable)));
            }
            Some(BaseVersion::Absent) => return Ok(Some(Found::Absent)),
            Some(BaseVersion::Unknown | BaseVersion::Unchanged) => return Ok(None),
            None => (),
        }
        if about.is_untouched(Path::new(path))? {
            return Ok(Some(now.clone()));
        }
        match &self.record {
            BaseRecord::Tree(tree) => {
                let changed = about.changed_at(Path::new(path))?;
                // It changed while the tree was being recorded, which may have the one version or the other.
                let during = |at: (i64, u64)| at >= about.clock && at <= tree.complete;
                if changed.is_some_and(during) {
                    return Ok(None);
                }
                let found = tree.versions.found(tree.blobs.get(path), path, None);
                Ok(Some(found))
            }
            BaseRecord::Files(files) => Ok(match layer.base_of(about, files, Path::new(path))? {
                BaseVersion::Absent => Some(Found::Absent),
                BaseVersion::Unchanged => Some(now.clone()),
                BaseVersion::Content { bytes, executable } => {
                    Some(three_way_merge::found(&bytes, executable))
                }
                BaseVersion::Unknown => None,
            }),
            BaseRecord::None => Ok(None),
        }
    }
}
