//! The older versions of a batch's files: those in git's repository, and those that the program wrote over.

use std::sync::Arc;

use crate::agent::git::Ancestors;
use crate::proposal::{Blobs, Version, VersionName};
use crate::review::{Rewrite, Versions};
use crate::store::{PreviousVersions, Root};
use crate::text::Document;

/// The older versions of the files of a placing.
pub(crate) struct OlderVersions<'a> {
    ancestors: &'a Ancestors,
    replaced: PreviousVersions,
}

impl<'a> OlderVersions<'a> {
    /// Of the files under a root.
    pub(crate) fn of(root: &Root, ancestors: &'a Ancestors) -> Self {
        Self {
            ancestors,
            replaced: root.previous_versions(),
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

    fn rewrites<'v>(&'v self, path: &'v str) -> Box<dyn Iterator<Item = Rewrite> + 'v> {
        let rewrites = self.replaced.rewrites(path).filter_map(|[before, after]| {
            Some(Rewrite {
                before: Document::decode(before).ok()?,
                after: Document::decode(after).ok()?,
            })
        });
        Box::new(rewrites)
    }
}
