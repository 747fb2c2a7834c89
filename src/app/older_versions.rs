//! The older versions of a batch's files: those in git's repository, and those that the program wrote over.

use std::sync::Arc;

use crate::agent::git::Ancestors;
use crate::app::snapshots::Snapshots;
use crate::proposal::{Blobs, Version, VersionName};
use crate::review::Versions;
use crate::store::{PreviousVersions, Root};
use crate::text::Document;

/// The older versions of the files of a placing.
pub(crate) struct OlderVersions<'a> {
    ancestors: &'a Ancestors,
    replaced: PreviousVersions,
    placings: &'a Snapshots,
}

impl<'a> OlderVersions<'a> {
    /// Of the files under a root as they were read last.
    pub(crate) fn of(root: &Root, ancestors: &'a Ancestors, placings: &'a Snapshots) -> Self {
        Self {
            ancestors,
            replaced: root.previous_versions(),
            placings,
        }
    }
}

impl Versions for OlderVersions<'_> {
    fn ancestor(&self, blobs: &Blobs) -> Option<Version> {
        self.ancestors.version(blobs)
    }

    fn earlier<'v>(&'v self, path: &'v str) -> Box<dyn Iterator<Item = Version> + 'v> {
        let left = self.replaced.left(path);
        let left = left.filter_map(|bytes| {
            Some(Version {
                text: Document::decode(bytes).ok()?,
                name: Arc::new(VersionName::Batch),
            })
        });
        Box::new(left.chain(self.ancestors.versions(path)))
    }

    fn replaced(&self, path: &str) -> Option<Document> {
        let now = self.placings.known(path)?.hash()?;
        Document::decode(self.replaced.bytes(path, now)?).ok()
    }
}
