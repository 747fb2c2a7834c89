//! Replacement of a file of ours as a whole: it has the old bytes or the new ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Writes a file, for its owner only, beside its place and renames it into it.
///
/// # Errors
///
/// The system's error; the old bytes are still there.
pub(in crate::store) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().display();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let replaced = write_new(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // It is of no use any more.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// Makes a file for its owner only. A file that has its name is removed: to write through a link would change another one, and to open
/// a pipe would wait.
///
/// # Errors
///
/// The system's error; a folder of that name is one.
pub(in crate::store) fn new_file(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => (),
    }
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600).open(path)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new_file(path)?;
    file.write_all(bytes)?;
    file.sync_data()
}
