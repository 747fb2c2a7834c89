//! Records of calls that were approved, for the comparison with what the client carried out.
//!
//! Other hooks and plugins of a client may change a call after the gate has answered. The gate leaves the hash of the approved call in a
//! file beside the reviewer's socket, where only the user can read it; the hook after the tool gets the call as it was carried out, and
//! looks for its hash. Each record is a file of its own, so that hooks of parallel calls do not disturb each other.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use super::pending_note::{APPROVED, NoteKey, delete_old};

/// Result of the comparison of a call with those that were approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalMatch {
    /// A call of this hash was approved.
    AsApproved,
    /// Another one was approved in its place.
    Otherwise,
    /// Nothing is known of an approval.
    Unknown,
}

/// Keeps the hash of an approved call.
///
/// # Errors
///
/// If there is no folder for it, or it cannot be written.
pub fn keep_approval(key: &NoteKey, hash: &str) -> io::Result<()> {
    let (folder, prefix) = place(key)?;
    delete_old(&folder);
    let name = format!("{prefix}{hash}-{}.{APPROVED}", std::process::id());
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(folder.join(name)).map(drop)
}

/// Compares a call that was carried out with those that were approved under its key. A record is used once; where none has the hash, all
/// of the key are.
pub fn compare_with_approval(key: &NoteKey, hash: &str) -> ApprovalMatch {
    let records = records(key);
    let own = format!("{hash}-");
    let same = records.iter().find(|(rest, _)| rest.starts_with(&own));
    let (used, found) = match same {
        Some(record) => (std::slice::from_ref(record), ApprovalMatch::AsApproved),
        None if records.is_empty() => return ApprovalMatch::Unknown,
        None => (records.as_slice(), ApprovalMatch::Otherwise),
    };
    for (_, path) in used {
        // One that stays is deleted with the old ones.
        let _ = fs::remove_file(path);
    }
    found
}

/// Deletes the records of a key.
pub(super) fn forget_approvals(key: &NoteKey) {
    for (_, path) in records(key) {
        // One that stays is deleted with the old ones.
        let _ = fs::remove_file(path);
    }
}

/// Returns the records of a key: their names from the hash on, and their paths.
fn records(key: &NoteKey) -> Vec<(String, PathBuf)> {
    let Ok((folder, prefix)) = place(key) else {
        return Vec::new();
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let rest = name.strip_prefix(&prefix)?.to_owned();
        Some((rest, entry.path()))
    });
    found.collect()
}

/// Returns the folder of the records of a key, and the beginning of their names.
fn place(key: &NoteKey) -> io::Result<(PathBuf, String)> {
    let note = key
        .path()
        .map_err(|error| io::Error::other(error.to_string()))?;
    let stem = note.file_stem().and_then(|stem| stem.to_str());
    let folder = note.parent();
    let place = folder.zip(stem).map(|(folder, stem)| {
        let prefix = format!("{stem}-");
        (folder.to_owned(), prefix)
    });
    place.ok_or_else(|| io::Error::other("there is no folder for records"))
}
