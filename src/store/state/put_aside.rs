//! Other names for what is in the place of a file of the state folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Puts a folder aside that is in the place of a file of ours.
pub(super) fn make_way(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => put_aside(path).map(drop),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Gives something in the place of a file of ours another name, and returns that.
pub(super) fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let mut number = 1_u32;
    let aside = loop {
        let aside = path.with_extension(format!("damaged-{number}"));
        if aside.symlink_metadata().is_err() {
            break aside;
        }
        number += 1;
    };
    fs::rename(path, &aside)?;
    Ok(aside)
}
