//! Files of the state folder that are there in full or not at all, and other names for what is in their place.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::store::folder::replace_file::new_file;

/// Writes a file in full, through to the disk. What a killed program has left of an earlier try is replaced.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    make_way(&part)?;
    let mut file = new_file(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(part, path)
}

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
