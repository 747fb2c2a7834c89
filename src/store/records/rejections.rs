//! Records of what a person rejected, kept beside the finished reviews.
//!
//! Their contents belong to the review. Here they are bytes under the name of a batch.

use std::io;
use std::time::SystemTime;

use super::finished_reviews::{keep, names};
use super::history::next_id;
use crate::store::folder::bounded_read::read_regular;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Most bytes of one record, and of all that are read.
const MOST_BYTES: u64 = 2 << 20;

impl Root {
    /// Keeps a record. Forgets those that are too old or too many, like finished reviews.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for it.
    pub fn keep_rejections(&self, bytes: &[u8]) -> Result<(), StateError> {
        let state = self.state()?;
        let folder = state.rejections_folder();
        let id = next_id(&state, SystemTime::now()).to_string();
        keep(&folder, &id, bytes).map_err(StateError::unusable(&folder))
    }

    /// Returns the records, the latest first, as far as they can be read: what is not known is asked once more.
    pub fn rejections(&self) -> Vec<Vec<u8>> {
        let Ok(folder) = self.state().map(|state| state.rejections_folder()) else {
            return Vec::new();
        };
        let names: io::Result<Vec<String>> = names(&folder);
        let mut rest = MOST_BYTES;
        let records = names.into_iter().flatten().map_while(|name| {
            let bytes = read_regular(&folder.join(name), rest).ok()?;
            rest = rest.checked_sub(bytes.len() as u64)?;
            Some(bytes)
        });
        records.collect()
    }
}
