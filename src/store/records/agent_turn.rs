//! State of one turn of an agent: a folder that is empty at its beginning, and a note.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};
use crate::store::folder::snapshot::ContentHash;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Longest time for which a turn is kept that has not ended.
const MOST_AGE: Duration = Duration::from_hours(7 * 24);

/// A turn of an agent.
#[derive(Debug)]
pub struct Turn {
    folder: PathBuf,
}

impl Root {
    /// Begins a turn of an agent's session: what was kept of the one before is forgotten, and what others have left for long.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place for it.
    pub fn begin_turn(&self, session: &str) -> Result<Turn, StateError> {
        let turn = self.turn(session)?;
        let folder = &turn.folder;
        if let Some(all) = folder.parent() {
            forget_old(all);
        }
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StateError::unusable(folder)(error));
            }
            Ok(()) | Err(_) => (),
        }
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        builder
            .create(folder)
            .map_err(StateError::unusable(folder))?;
        Ok(turn)
    }

    /// The turn of an agent's session that was begun last; nothing may be noted of it.
    ///
    /// # Errors
    ///
    /// [`StateError`] if there is no place where it could be.
    pub fn turn(&self, session: &str) -> Result<Turn, StateError> {
        let name = ContentHash::of(session.as_bytes()).to_string();
        let folder = self.state()?.turns_folder().join(&name[..16]);
        Ok(Turn { folder })
    }
}

impl Turn {
    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes what is to be known at its end.
    ///
    /// # Errors
    ///
    /// [`StateError`] if that cannot be written.
    pub fn note(&self, bytes: &[u8]) -> Result<(), StateError> {
        let path = self.folder.join("noted");
        fs::write(&path, bytes).map_err(StateError::unusable(&path))
    }

    /// Returns the note; `None` if there is none, or it cannot be read.
    pub fn noted(&self) -> Option<Vec<u8>> {
        read_regular(&self.folder.join("noted"), MOST_BYTES).ok()
    }
}

/// Forgets turns that are old. What cannot be forgotten now is forgotten some other time.
fn forget_old(all: &Path) {
    let oldest = SystemTime::now() - MOST_AGE;
    let is_old = |path: &Path| -> io::Result<bool> { Ok(path.metadata()?.modified()? < oldest) };
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        if is_old(&entry.path()).unwrap_or(false) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn a_turn_begins_with_nothing_and_is_known_by_its_session() {
        let place = tempfile::tempdir().unwrap();
        let root = Root::open(place.path()).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        assert_eq!(root.turn("one").unwrap().noted(), None);
        let turn = root.begin_turn("one").unwrap();
        turn.note(b"a tree").unwrap();
        fs::write(turn.folder().join("index"), "").unwrap();
        root.begin_turn("../two").unwrap().note(b"another").unwrap();
        assert_eq!(root.turn("one").unwrap().noted().unwrap(), b"a tree");
        assert_eq!(root.turn("../two").unwrap().noted().unwrap(), b"another");
        let old = SystemTime::now() - MOST_AGE - Duration::from_secs(1);
        fs::File::open(turn.folder())
            .unwrap()
            .set_modified(old)
            .unwrap();
        let again = root.begin_turn("../two").unwrap();
        assert_eq!(
            (again.noted(), again.folder().join("index").exists()),
            (None, false)
        );
        assert_eq!(root.turn("one").unwrap().noted(), None, "it was old");
    }
}
