//! Saved reviews: the decisions of an unfinished review, in the state folder or in a file of the user's choice.
//!
//! `review` defines the content. Here it is bytes that are replaced as a whole: a reader finds the old ones or the new ones.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};
use crate::store::folder::replace_file::replace_file;
use crate::store::folder::snapshot::ContentHash;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Longest time for which a review is kept after its last decision.
const MOST_AGE: Duration = Duration::from_hours(30 * 24);
/// Most saved reviews of a root.
const MOST_REVIEWS: usize = 100;

/// The file that one unfinished review is kept in. It need not be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedReview {
    path: PathBuf,
}

impl Root {
    /// Returns the file for a review that began with these edits. Creates its folder, and deletes saved reviews that
    /// are too old or too many.
    ///
    /// # Errors
    ///
    /// [`StateError`] if the state folder cannot be used.
    pub fn saved_review(&self, edits: ContentHash) -> Result<SavedReview, StateError> {
        let folder = self.state()?.reviews_folder();
        let unusable = StateError::unusable(&folder);
        let mut builder = fs::DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(&folder);
        made.map_err(&unusable)?;
        let path = folder.join(file_name(edits));
        let oldest = SystemTime::now() - MOST_AGE;
        let known = latest_first(&folder).map_err(unusable)?;
        let too_old = |(at, (time, _)): &(usize, (SystemTime, PathBuf))| {
            *at >= MOST_REVIEWS || *time < oldest
        };
        for (_, (_, old)) in known.into_iter().enumerate().filter(too_old) {
            // What cannot be removed now is removed some other time.
            let _ = fs::remove_file(old);
        }
        Ok(SavedReview { path })
    }

    /// Returns the store of the failed edits per agent and file.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for it.
    pub fn failures(&self) -> Result<SavedReview, StateError> {
        let path = self.state()?.make()?.failures_file();
        Ok(SavedReview { path })
    }

    /// Returns the saved reviews of this root with the time of their last decision, the latest first.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for them, or it cannot be read.
    pub fn all_saved_reviews(&self) -> Result<Vec<(SystemTime, SavedReview)>, StateError> {
        let path = self.state()?.reviews_folder();
        match latest_first(&path) {
            Ok(known) => Ok(known
                .into_iter()
                .map(|(time, path)| (time, SavedReview { path }))
                .collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(StateError::Unusable { path, source }),
        }
    }
}

impl SavedReview {
    /// A file of the user's choice.
    pub fn in_file(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the saved bytes, if there are any.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub fn read(&self) -> io::Result<Option<Vec<u8>>> {
        match read_regular(&self.path, MOST_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns true if it is the file for a review that began with these edits.
    pub fn is_of(&self, edits: ContentHash) -> bool {
        self.path.file_name() == Some(file_name(edits).as_os_str())
    }

    /// Puts `bytes` in the place of what was kept.
    ///
    /// # Errors
    ///
    /// The system's error; the bytes that were saved before are still there.
    pub fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        replace_file(&self.path, bytes)
    }

    /// Forgets what was kept.
    ///
    /// # Errors
    ///
    /// The system's error.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// Returns the name of the file for a review that began with these edits.
fn file_name(edits: ContentHash) -> PathBuf {
    PathBuf::from(edits.to_string()).with_extension("json")
}

/// The files of kept reviews, and when each was written.
fn latest_first(folder: &Path) -> io::Result<Vec<(SystemTime, PathBuf)>> {
    let mut known = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            known.push((entry.metadata()?.modified()?, path));
        }
    }
    known.sort_unstable_by(|a, b| b.cmp(a));
    Ok(known)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn root(place: &Path) -> Root {
        let folder = place.join("tree");
        fs::create_dir_all(&folder).unwrap();
        Root::open(&folder)
            .unwrap()
            .keeping_state_in(place.join("state"))
    }

    #[test]
    fn a_review_is_kept_until_it_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let root = root(place.path());
        let saved = || -> Vec<SavedReview> {
            let all = root.all_saved_reviews().unwrap().into_iter();
            all.map(|(_, review)| review).collect()
        };
        assert_eq!(saved(), []);
        let kept = root.saved_review(ContentHash::of(b"edits")).unwrap();
        assert_eq!(kept.read().unwrap(), None);
        kept.replace(b"first").unwrap();
        kept.replace(b"second").unwrap();
        assert_eq!(kept.read().unwrap().as_deref(), Some(&b"second"[..]));
        assert_eq!(saved(), std::slice::from_ref(&kept));
        assert!(kept.is_of(ContentHash::of(b"edits")));
        assert!(!kept.is_of(ContentHash::of(b"others")));
        kept.remove().unwrap();
        kept.remove().unwrap();
        let left = fs::read_dir(kept.path().parent().unwrap()).unwrap();
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn old_reviews_are_forgotten_and_so_are_too_many() {
        let place = tempfile::tempdir().unwrap();
        let root = root(place.path());
        let keep = |name: &str, days: u64| {
            let kept = root.saved_review(ContentHash::of(name.as_bytes())).unwrap();
            kept.replace(b"{}").unwrap();
            let time = SystemTime::now() - Duration::from_hours(24 * days);
            let file = File::options().write(true).open(kept.path()).unwrap();
            file.set_modified(time).unwrap();
            kept
        };
        let (old, young) = (keep("old", 31), keep("young", 2));
        for number in 0..MOST_REVIEWS {
            keep(&number.to_string(), 1);
        }
        assert_eq!(old.read().unwrap(), None);
        assert!(
            young.read().unwrap().is_some(),
            "there were not too many yet"
        );
        root.saved_review(ContentHash::of(b"another")).unwrap();
        assert_eq!(young.read().unwrap(), None);
        assert_eq!(root.all_saved_reviews().unwrap().len(), MOST_REVIEWS);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("decisions.json");
        fs::create_dir(&folder).unwrap();
        assert!(SavedReview::in_file(&folder).replace(b"{}").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
