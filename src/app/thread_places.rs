//! Finds threads in the files on disk: under the names that git gave the files, and where their lines are now.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::agent::git::renamed;
use crate::proposal::RepoPath;
use crate::review::{Thread, ThreadPresence, placed_in};
use crate::store::{Root, Snapshot};

/// Most files that are followed to other names.
const MOST_FOLLOWED: usize = 16;
/// The longest time for all of them: a review waits for it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Gives unresolved threads the names of their files that commits or the index have renamed.
pub(crate) fn follow_files(root: &Root, threads: &mut [Thread]) {
    let unresolved = || threads.iter().filter(|thread| thread.is_unresolved());
    let paths: BTreeSet<&String> = unresolved().map(|thread| &thread.path).collect();
    let is_gone = |path: &&String| matches!(read(root, path), Ok(None));
    let gone = paths.into_iter().filter(is_gone).take(MOST_FOLLOWED);
    let until = Instant::now() + PATIENCE;
    let renamed = gone.filter_map(|path| {
        let name = renamed(root.path(), path, until)?;
        let is_there = matches!(read(root, &name), Ok(Some(_)));
        is_there.then(|| (path.clone(), name))
    });
    let renamed: BTreeMap<String, String> = renamed.collect();
    for thread in threads.iter_mut().filter(|thread| thread.is_unresolved()) {
        if let Some(name) = renamed.get(&thread.path) {
            thread.path.clone_from(name);
        }
    }
}

/// Reads the file of a thread; `None` if there is none.
fn read(root: &Root, path: &str) -> Result<Option<Snapshot>, FileUnread> {
    let path = RepoPath::parse(path).map_err(|_| FileUnread)?;
    let snapshot = root.read(&path).map_err(|_| FileUnread)?;
    Ok(snapshot.version().is_some().then_some(snapshot))
}

/// A file of a thread may not be read, or cannot be.
#[derive(Debug)]
struct FileUnread;

/// Looks for the lines of a thread in its file on disk.
pub(crate) fn locate(root: &Root, thread: &mut Thread) {
    let snapshot = match read(root, &thread.path) {
        Ok(Some(snapshot)) => snapshot,
        Ok(None) => {
            thread.presence = ThreadPresence::FileGone;
            return;
        }
        Err(FileUnread) => {
            thread.presence = ThreadPresence::Unknown;
            return;
        }
    };
    if thread.passage.lines.is_empty() {
        return;
    }
    let document = snapshot.document();
    let placed = document.and_then(|document| placed_in(document, &thread.passage));
    let Some(placed) = placed else {
        thread.presence = ThreadPresence::LinesGone;
        return;
    };
    thread.passage.line = placed.lines.start + 1;
    if placed.is_found {
        thread.passage.gap = None;
    } else {
        thread.presence = ThreadPresence::Replaced;
    }
}
