//! Versions that the latest commits replaced, as long as the files are as those commits left them: an edit that is sent again can then
//! be distinguished from a new one, whatever text it leaves.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::history;
use super::journal::{self, FileRecord, Record};
use super::root::Root;
use super::snapshot::ContentHash;
use super::state::State;

/// Number of commits that are searched: an edit is sent again soon, or after many others.
const MOST_COMMITS: usize = 32;

/// Number of versions of one file that are used: an edit is made from a version that was read not long ago.
const MOST_VERSIONS: usize = 4;

/// The contents that the latest commits wrote over. The log is read when the first is asked for.
#[derive(Debug)]
pub struct PreviousVersions {
    state: Option<State>,
    left: OnceLock<FxHashSet<ContentHash>>,
    known: OnceLock<Known>,
}

/// The commits, and which of them wrote under a name, the last first.
#[derive(Debug, Default)]
struct Known {
    records: Vec<Record>,
    writes: FxHashMap<String, Vec<(usize, usize)>>,
}

impl Root {
    /// Returns the versions that the latest commits replaced.
    pub fn previous_versions(&self) -> PreviousVersions {
        PreviousVersions {
            // Without a place for the log nothing is known.
            state: self.state().ok(),
            left: OnceLock::new(),
            known: OnceLock::new(),
        }
    }
}

impl PreviousVersions {
    /// The bytes that the last commit to a file found there, if it left the file as it is `now`. `None` if it made the file, if the
    /// file was changed since, and if the commit is long ago.
    pub fn bytes(&self, path: &str, now: ContentHash) -> Option<Vec<u8>> {
        let state = self.state.as_ref()?;
        // Most files are not as any of these commits left them, which is known before the log is understood.
        if !self.left.get_or_init(|| left(state)).contains(&now) {
            return None;
        }
        let (record, FileRecord { before, after, .. }) = self.writes(state, path).next()?;
        let is_as_left = after.is_some_and(|after| after.hash == now && !after.link);
        let before = before.filter(|before| is_as_left && before.hash != now && !before.link)?;
        history::content(state, record, before.hash)
    }

    /// The bytes that the latest commits to a file left there, the last first, however often it was changed since.
    pub fn left(&self, path: &str) -> impl Iterator<Item = Vec<u8>> {
        let left = self.state.iter().flat_map(move |state| {
            let content = |(record, file): (&Record, &FileRecord)| {
                history::content(state, record, file.after.filter(|after| !after.link)?.hash)
            };
            self.writes(state, path).filter_map(content)
        });
        left.take(MOST_VERSIONS)
    }

    /// The latest commits that wrote a file, the last first, and what they did to it.
    fn writes(&self, state: &State, path: &str) -> impl Iterator<Item = (&Record, &FileRecord)> {
        let known = self.known.get_or_init(|| Known::read(state));
        let writes = known.writes.get(path).into_iter().flatten();
        writes.filter_map(|&(record, file)| {
            let record = known.records.get(record)?;
            Some((record, record.files.get(file)?))
        })
    }
}

/// The contents that the latest commits left in any file.
fn left(state: &State) -> FxHashSet<ContentHash> {
    let journals = history::latest_journals(state).take(MOST_COMMITS);
    let mut left = FxHashSet::default();
    for journal in journals {
        left.extend(journal::contents_left(&journal));
    }
    left
}

impl Known {
    /// Reads the latest commits. One that cannot be read ends it: what came before it is not known to be the last.
    fn read(state: &State) -> Self {
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
