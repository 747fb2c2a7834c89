//! Versions that the latest commits replaced and left: an edit that is sent again can then be distinguished from a new one, whatever
//! text it leaves.

use std::sync::OnceLock;
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use super::history;
use crate::proposal::RepoPath;
use crate::store::folder::snapshot::{ContentHash, FileVersion};
use crate::store::state::journal::{FileRecord, Record};
use crate::store::state::state_folder::StateFolder;
use crate::store::tree::root::Root;

/// Number of commits that are searched: an edit is sent again soon, or after many others.
const MOST_COMMITS: usize = 32;

/// Number of versions of one file that are used: an edit is made from a version that was read not long ago.
const MOST_VERSIONS: usize = 4;

/// The contents that the latest commits wrote over. The log is read when the first is asked for.
#[derive(Debug)]
pub struct PreviousVersions {
    state: Option<StateFolder>,
    known: OnceLock<CommitsByName>,
}

/// The commits, and which of them wrote under a name, the last first.
#[derive(Debug, Default)]
struct CommitsByName {
    records: Vec<Record>,
    writes: FxHashMap<String, Vec<(usize, usize)>>,
}

impl Root {
    /// Returns the versions that the latest commits replaced.
    pub fn previous_versions(&self) -> PreviousVersions {
        PreviousVersions {
            // Without a place for the log nothing is known.
            state: self.state().ok(),
            known: OnceLock::new(),
        }
    }
}

impl PreviousVersions {
    /// The bytes that the latest commits to a file found and left there, the last first. Commits that made or removed the file are
    /// left out.
    pub fn rewrites(
        &self,
        path: &str,
        now: Option<ContentHash>,
    ) -> impl Iterator<Item = [Vec<u8>; 2]> {
        let rewrites = self.state.iter().flat_map(move |state| {
            let writes = self.writes(state, path).filter(move |(_, file)| {
                now.is_none_or(|now| file.after.is_some_and(|after| after.hash == now))
            });
            writes.filter_map(|(record, file)| {
                let before = file_content(state, record, file.before)?;
                Some([before, file_content(state, record, file.after)?])
            })
        });
        rewrites.take(MOST_VERSIONS)
    }

    /// The bytes that the latest commits to a file left there, the last first, however often it was changed since.
    pub fn left(&self, path: &str) -> impl Iterator<Item = Vec<u8>> {
        let left = self.state.iter().flat_map(move |state| {
            let writes = self.writes(state, path);
            writes.filter_map(|(record, file)| file_content(state, record, file.after))
        });
        left.take(MOST_VERSIONS)
    }

    /// The time of the latest commit that wrote a file.
    pub fn last_write(&self, path: &str) -> Option<SystemTime> {
        let (record, _) = self.writes(self.state.as_ref()?, path).next()?;
        Some(record.id.time())
    }

    /// Returns the file that has the lines of one that the latest commit to it removed: it was renamed, and may have been changed then.
    pub fn moved_to(&self, path: &str) -> Option<RepoPath> {
        let state = self.state.as_ref()?;
        let (record, removed) = self.writes(state, path).next()?;
        if removed.after.is_some() {
            return None;
        }
        let lines = file_content(state, record, removed.before)?;
        let mut made = record.files.iter().filter(|file| {
            let content = || file_content(state, record, file.after);
            file.before.is_none() && content().is_some_and(|content| is_alike(&lines, &content))
        });
        let to = made.next()?;
        made.next().is_none().then(|| to.path.clone())
    }

    /// The latest commits that wrote a file, the last first, and what they did to it.
    fn writes(
        &self,
        state: &StateFolder,
        path: &str,
    ) -> impl Iterator<Item = (&Record, &FileRecord)> {
        let known = self.known.get_or_init(|| CommitsByName::read(state));
        let writes = known.writes.get(path).into_iter().flatten();
        writes.filter_map(|&(record, file)| {
            let record = known.records.get(record)?;
            Some((record, record.files.get(file)?))
        })
    }
}

/// Returns the bytes of a version; `None` if it is no file or no longer kept.
fn file_content(
    state: &StateFolder,
    record: &Record,
    version: Option<FileVersion>,
) -> Option<Vec<u8>> {
    let version = version.filter(|version| version.kind.is_file())?;
    history::content(state, record, version.hash)
}

/// Returns true if two texts have at least half of the lines of the longer one in common, in any order.
fn is_alike(one: &[u8], other: &[u8]) -> bool {
    let mut left: FxHashMap<&[u8], usize> = FxHashMap::default();
    let [own, theirs] = [one, other].map(|text| text.split(|byte| *byte == b'\n'));
    for line in own.clone() {
        *left.entry(line).or_default() += 1;
    }
    let common = theirs.clone().filter(|line| {
        let count = left.get_mut(line).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    });
    common.count() * 2 >= own.count().max(theirs.count())
}

impl CommitsByName {
    /// Reads the latest commits. One that cannot be read ends it: what came before it is not known to be the last.
    fn read(state: &StateFolder) -> Self {
        let mut known = Self::default();
        for record in history::latest_records(state).take(MOST_COMMITS) {
            let number = known.records.len();
            for (file, of) in record.files.iter().enumerate() {
                let writes = known.writes.entry(of.path.to_string()).or_default();
                writes.push((number, file));
            }
            known.records.push(record);
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_alike_if_half_of_their_lines_are_the_same() {
        let check = |one: &str, other: &str, expected| {
            let [one, other] = [one, other].map(|text| text.replace(' ', "\n"));
            assert_eq!(
                is_alike(one.as_bytes(), other.as_bytes()),
                expected,
                "{one:?} {other:?}"
            );
        };
        check("a b c d", "a b c d", true);
        check("a b c d", "d x a y", true);
        check("a b c d", "a x y z", false);
        check("a b c d", "a b c d e f g h i", false);
        // A line counts as often as both have it.
        check("a b c d", "a a a a", false);
        check("a a b b", "a a x y", true);
    }
}
