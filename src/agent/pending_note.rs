//! Notes for a model that its client delivers only after the tool has run.
//!
//! Gemini CLI calls one hook before a tool and another one after it, and reads messages for the model from the second
//! only. The first leaves the note as a file beside the reviewer's socket, where only the user can read it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::socket::{SocketError, runtime_path};
use crate::text::hex;

/// The age at which a note that nobody has taken is deleted.
const MOST_AGE: Duration = Duration::from_hours(24);
/// Extension of the records of approved calls, which lie beside the notes.
pub(super) const APPROVED: &str = "call";
/// The longest note that is delivered, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Identity of a call before and after it is carried out.
#[derive(Debug, Clone)]
pub struct NoteKey {
    /// The agent's session.
    pub session: String,
    /// The tool.
    pub tool: String,
    /// The file, without links, or the client's name for the call.
    pub file: PathBuf,
}

impl NoteKey {
    /// Returns the file of the notes for this call.
    pub(super) fn path(&self) -> Result<PathBuf, SocketError> {
        let mut hash = Sha256::new();
        let parts = [
            self.session.as_bytes(),
            self.tool.as_bytes(),
            self.file.as_os_str().as_encoded_bytes(),
        ];
        for part in parts {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        runtime_path(&format!("{}.note", &hex(&hash.finalize())[..16]))
    }
}

/// Leaves a note for the hook that is called after the tool. A second note for the same call follows the first.
///
/// # Errors
///
/// If there is no folder for it, or it cannot be written.
pub fn leave_note(key: &NoteKey, text: &str) -> io::Result<()> {
    let path = key
        .path()
        .map_err(|error| io::Error::other(error.to_string()))?;
    if let Some(folder) = path.parent() {
        delete_old(folder);
    }
    let mut options = File::options();
    options.append(true).create(true).mode(0o600);
    options
        .open(path)?
        .write_all(format!("{text}\n").as_bytes())
}

/// Takes the notes that were left for a call.
pub fn take_note(key: &NoteKey) -> Option<String> {
    let path = key.path().ok()?;
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    if read.is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        return None;
    }
    // One that stays is deleted with the old ones.
    let _ = fs::remove_file(path);
    Some(text.trim_end().to_owned()).filter(|text| !text.is_empty())
}

/// Deletes the notes and the records of calls that nobody has taken.
pub(super) fn delete_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_note = path
            .extension()
            .is_some_and(|extension| extension == "note" || extension == APPROVED);
        let age = entry
            .metadata()
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        if is_note && age.is_some_and(|age| age > MOST_AGE) {
            // One that stays is tried again next time.
            let _ = fs::remove_file(path);
        }
    }
}
