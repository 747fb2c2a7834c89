//! Records of what a person rejected, kept beside the finished reviews.
//!
//! Their contents belong to the review. Here they are bytes under the name of a batch.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::finished_reviews::{keep, names};
use super::history::next_id;
use crate::store::folder::bounded_read::read_regular;
use crate::store::folder::folder_handle::is_missing;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Most bytes of one record, and of all that are read.
const MOST_BYTES: u64 = 2 << 20;

/// A record of what a person rejected.
#[derive(Debug)]
pub struct KeptRejections {
    /// Its file.
    pub path: PathBuf,
    /// Its bytes, or the error of the system.
    pub content: io::Result<Vec<u8>>,
}

impl Root {
    /// Keeps a record. Forgets those that are too old or too many, like finished reviews.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for it.
    pub fn keep_rejections(&self, bytes: &[u8]) -> Result<(), StateError> {
        let state = self.state()?;
        let folder = state.rejections_folder();
        if bytes.len() as u64 > MOST_BYTES {
            return Err(StateError::unusable(&folder)(
                ErrorKind::FileTooLarge.into(),
            ));
        }
        let id = next_id(&state, SystemTime::now()).to_string();
        keep(&folder, &id, bytes).map_err(StateError::unusable(&folder))
    }

    /// Returns the records, the latest first, with the errors of those that cannot be read. Of a folder that cannot be listed there is one
    /// entry: that of the folder.
    pub fn rejections(&self) -> Vec<KeptRejections> {
        let Ok(folder) = self.state().map(|state| state.rejections_folder()) else {
            return Vec::new();
        };
        let names = match names(&folder) {
            Ok(names) => names,
            Err(_) if is_absent(&folder) => return Vec::new(),
            Err(error) => {
                return vec![KeptRejections {
                    path: folder,
                    content: Err(error),
                }];
            }
        };
        let mut rest = MOST_BYTES;
        let records = names.into_iter().map_while(|name| {
            let path = folder.join(name);
            let content = if path.is_symlink() {
                Err(io::Error::new(ErrorKind::InvalidInput, "it is a link"))
            } else {
                read_regular(&path, MOST_BYTES)
            };
            let length = content.as_ref().map_or(0, Vec::len);
            rest = rest.checked_sub(length as u64)?;
            Some(KeptRejections { path, content })
        });
        records.collect()
    }
}

/// Returns true if there is no folder of records, and nothing else in its place or in that of the folder of its root.
fn is_absent(folder: &Path) -> bool {
    is_none(folder) && (folder.parent()).is_none_or(|above| above.is_dir() || is_none(above))
}

/// Returns true if nothing has a name, and false if that is not known.
fn is_none(path: &Path) -> bool {
    path.symlink_metadata()
        .is_err_and(|error| is_missing(&error))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_a_folder_that_is_not_there_has_no_records() {
        let place = tempfile::tempdir().unwrap();
        let root = |state: &Path| {
            let root = Root::open(place.path()).unwrap();
            root.keeping_state_in(state.to_owned())
        };
        // There is none, and none can be made.
        assert!(root(Path::new("/dev/null/state")).rejections().is_empty());
        let state = place.path().join("state");
        let root = root(&state);
        assert!(root.rejections().is_empty());
        root.keep_rejections(b"{}").unwrap();
        assert_eq!(root.rejections().len(), 1);
        // Something is there, and nobody knows what.
        let folder = root.state().unwrap().rejections_folder();
        fs::remove_dir_all(&state).unwrap();
        symlink(&state, &state).unwrap();
        let [record] = &root.rejections()[..] else {
            panic!("the folder is named");
        };
        assert_eq!(record.path, folder);
        assert!(record.content.is_err());
    }
}
