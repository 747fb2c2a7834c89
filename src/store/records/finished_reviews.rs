//! Reviews that were finished, kept beside the history: what was decided, for `log`.
//!
//! What is in them is for the command line to know. Here they are bytes under the name of the commit that they led to, or under one of
//! their own if nothing was written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::history::next_id;
use crate::store::folder::bounded_read::read_regular;
use crate::store::state::batch_id::BatchId;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Longest time for which a finished review is kept that is not among the latest.
const MOST_AGE: Duration = Duration::from_hours(30 * 24);
/// Number of the latest finished reviews that are kept whatever their age: the clock may be wrong.
const LEAST_REVIEWS: usize = 100;
/// Most finished reviews of a root.
const MOST_REVIEWS: usize = 1000;
/// Most bytes of finished reviews.
const MOST_BYTES: u64 = 32 << 20;

impl Root {
    /// Keeps a finished review under the name of its commit, or under a new one. Forgets those that are too old or too many.
    /// Gives the name.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for it.
    pub fn keep_finished(&self, commit: Option<&str>, bytes: &[u8]) -> Result<String, StateError> {
        let state = self.state()?;
        let folder = state.finished_folder();
        let id = commit.map_or_else(
            || next_id(&state, SystemTime::now()).to_string(),
            str::to_owned,
        );
        keep(&folder, &id, bytes).map_err(StateError::unusable(&folder))?;
        Ok(id)
    }

    /// The names of the finished reviews that are kept, the latest first.
    ///
    /// # Errors
    ///
    /// [`StateError`] if they cannot be listed.
    pub fn finished(&self) -> Result<Vec<String>, StateError> {
        let path = self.state()?.finished_folder();
        match names(&path) {
            Ok(names) => Ok(names),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(StateError::Unusable { path, source }),
        }
    }

    /// A finished review; `None` if none is kept under this name.
    ///
    /// # Errors
    ///
    /// [`StateError`] if it cannot be read.
    pub fn read_finished(&self, id: &str) -> Result<Option<Vec<u8>>, StateError> {
        if !self.finished()?.iter().any(|known| known == id) {
            return Ok(None);
        }
        let path = self.state()?.finished_folder().join(id);
        read_regular(&path, MOST_BYTES)
            .map(Some)
            .map_err(StateError::unusable(&path))
    }
}

/// Writes a record into a folder under a name, and forgets those that are too old or too many.
pub(in crate::store) fn keep(folder: &Path, id: &str, bytes: &[u8]) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let part = folder.join(format!(".{id}"));
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(&part)?.write_all(bytes)?;
    fs::rename(part, folder.join(id))?;
    prune(folder)
}

fn prune(folder: &Path) -> io::Result<()> {
    let oldest = BatchId::before(SystemTime::now(), MOST_AGE).to_string();
    let mut bytes = 0;
    for (n, id) in names(folder)?.into_iter().enumerate() {
        let path: PathBuf = folder.join(&id);
        bytes += path.metadata().map_or(0, |meta| meta.len());
        let is_old = n >= LEAST_REVIEWS && id < oldest;
        if n > 0 && (n >= MOST_REVIEWS || bytes > MOST_BYTES || is_old) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The names in the folder, the latest first.
pub(in crate::store) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let names = entries
        .iter()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let is_id = |name: &String| name.parse::<BatchId>().is_ok();
    let mut names: Vec<String> = names.filter(is_id).collect();
    names.sort_unstable_by(|a, b| b.cmp(a));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept_and_old_or_large_ones_are_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let day = Duration::from_hours(24);
        let keep = |days: u32, size: usize| {
            let id = BatchId::before(SystemTime::now(), day * days).to_string();
            keep(place.path(), &id, &vec![b'x'; size]).unwrap();
            id
        };
        let old = keep(40, 1);
        assert_eq!(
            names(place.path()).unwrap(),
            [old.as_str()],
            "the latest stays"
        );
        let ids = [keep(3, 1), keep(2, 1), keep(1, 1)];
        let [third, second, first] = ids.clone();
        let expected = [first.clone(), second, third, old];
        assert_eq!(names(place.path()).unwrap(), expected);
        for n in 0..LEAST_REVIEWS {
            fs::write(place.path().join(format!("18{n:014x}")), "").unwrap();
        }
        assert!(names(place.path()).unwrap().len() > LEAST_REVIEWS);
        keep(0, 1);
        assert_eq!(names(place.path()).unwrap().len(), LEAST_REVIEWS);
        let large = keep(0, usize::try_from(MOST_BYTES).unwrap());
        assert_eq!(names(place.path()).unwrap(), [large]);
    }

    #[test]
    fn a_review_is_found_by_the_name_of_its_commit() {
        let place = tempfile::tempdir().unwrap();
        let root = Root::open(place.path()).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        assert_eq!(root.finished().unwrap(), <[String; 0]>::default());
        let id = root.keep_finished(Some("0000000000000001"), b"{}").unwrap();
        assert_eq!(id, "0000000000000001");
        assert_eq!(
            root.read_finished(&id).unwrap().as_deref(),
            Some(&b"{}"[..])
        );
        assert_eq!(root.read_finished("../journal").unwrap(), None);
    }
}
