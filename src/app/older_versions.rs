//! The older versions of a batch's files: those that agents have read, those that the program wrote, and those in git's repository.

use std::sync::Arc;
use std::time::SystemTime;

use crate::agent::git::Ancestors;
use crate::app::snapshots::Snapshots;
use crate::proposal::{Blobs, Version, VersionName};
use crate::review::{Rewrite, VersionSource};
use crate::store::{AgentRead, ContentHash, PreviousVersions, Root};
use crate::text::Document;

/// The older versions of the files of a placing.
pub(crate) struct OlderVersions<'a> {
    root: &'a Root,
    /// The session of the agent that made the edits.
    session: Option<&'a str>,
    ancestors: &'a Ancestors,
    /// The files of all placings so far.
    placings: &'a Snapshots,
    replaced: PreviousVersions,
}

impl<'a> OlderVersions<'a> {
    /// Of the files under a root, for the edits of an agent's session.
    pub(crate) fn of(
        root: &'a Root,
        session: Option<&'a str>,
        ancestors: &'a Ancestors,
        placings: &'a Snapshots,
    ) -> Self {
        Self {
            root,
            session,
            ancestors,
            placings,
            replaced: root.previous_versions(),
        }
    }

    /// Returns a file as it was when the edit came, if it has changed since.
    fn arrival(&self, path: &str) -> Option<Version> {
        let first = self.placings.first(path)?;
        let is_now = self.placings.known(path) == Some(first);
        let text = first.document().filter(|_| !is_now)?.clone();
        let name = Arc::new(VersionName::Arrival);
        Some(Version { text, name })
    }

    /// Returns what agents have read of a file, and what the latest batches left there: the newest first, but for the batches, which
    /// stay together.
    fn read_and_left<'v>(&'v self, path: &'v str) -> impl Iterator<Item = Version> + 'v {
        let last_write = self.replaced.last_write(path);
        let is_newer = move |read: &AgentRead| last_write < Some(read.reader.time);
        let (newer, older): (Vec<_>, Vec<_>) =
            self.root.agent_reads(path).into_iter().partition(is_newer);
        let left = self.replaced.left(path);
        let left = left.filter_map(|bytes| version(bytes, VersionName::Batch));
        let reads = |reads: Vec<AgentRead>| reads.into_iter().filter_map(of_read);
        reads(newer).chain(left).chain(reads(older))
    }
}

/// Returns a version of these bytes, if they are text.
fn version(bytes: Vec<u8>, name: VersionName) -> Option<Version> {
    Some(Version {
        text: Document::decode(bytes).ok()?,
        name: Arc::new(name),
    })
}

fn of_read(read: AgentRead) -> Option<Version> {
    let age = SystemTime::now().duration_since(read.reader.time);
    let name = VersionName::Read {
        agent: read.reader.agent,
        seconds: age.map_or(0, |age| age.as_secs()),
    };
    version(read.bytes, name)
}

impl VersionSource for OlderVersions<'_> {
    fn ancestor(&self, blobs: &Blobs) -> Option<Version> {
        self.ancestors.version(blobs)
    }

    /// The latest read of the agent's own session, unless a batch has written the file since: the agent may know what that left.
    fn seen(&self, path: &str) -> Option<Version> {
        let session = self.session?;
        let mut reads = self.root.agent_reads(path).into_iter();
        let last = reads.find(|read| read.reader.session.as_deref() == Some(session))?;
        let is_latest = self.replaced.last_write(path) < Some(last.reader.time);
        is_latest.then(|| of_read(last)).flatten()
    }

    /// Returns what the agent is known to have read, else the file as it was when the edit came.
    fn before_whole_text(&self, path: &str) -> Option<Version> {
        self.seen(path).or_else(|| self.arrival(path))
    }

    fn earlier<'v>(&'v self, path: &'v str) -> Box<dyn Iterator<Item = Version> + 'v> {
        let arrival = std::iter::once_with(|| self.arrival(path)).flatten();
        let newest = std::iter::once_with(|| self.read_and_left(path)).flatten();
        let newest = arrival.chain(newest);
        Box::new(newest.chain(self.ancestors.versions(path)))
    }

    fn rewrites<'v>(
        &'v self,
        path: &'v str,
        now: Option<&Document>,
    ) -> Box<dyn Iterator<Item = Rewrite> + 'v> {
        let now = match now.map(|now| now.encode(now.text())) {
            Some(Ok(bytes)) => Some(ContentHash::of(&bytes)),
            Some(Err(_)) | None => None,
        };
        let rewrites = self.replaced.rewrites(path, now);
        let rewrites = rewrites.filter_map(|[before, after]| {
            Some(Rewrite {
                before: Document::decode(before).ok()?,
                after: Document::decode(after).ok()?,
            })
        });
        Box::new(rewrites)
    }
}
