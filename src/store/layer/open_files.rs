//! Replacing a file in a layer whose command is running and may have the file open.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The files that programs have open for writing, as far as the system shows that. They are looked up once.
#[derive(Debug, Default)]
pub(crate) struct OpenFiles {
    /// Device and inode of each.
    written: OnceCell<HashSet<(u64, u64)>>,
}

impl OpenFiles {
    /// Gives a file of a layer the content and permissions of another one. A program that has the file open for writing goes on
    /// writing to the file that is seen; any other program sees the old content or the new.
    pub(crate) fn replace(&self, from: &Path, to: &Path) -> io::Result<()> {
        if is_same_content(from, to)? {
            return fs::set_permissions(to, fs::metadata(from)?.permissions());
        }
        if self.has(to) {
            let mut source = File::open(from)?;
            let mut file = File::options().write(true).open(to)?;
            let length = io::copy(&mut source, &mut file)?;
            file.set_len(length)?;
            return file.set_permissions(source.metadata()?.permissions());
        }
        let next = to.with_file_name(".countersign-reset");
        fs::copy(from, &next)?;
        fs::rename(next, to)
    }

    /// Removes a file of a layer. One that a program has open for writing is emptied instead, so that what the program goes on
    /// writing is seen.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        if self.has(path) {
            return File::options().write(true).open(path)?.set_len(0);
        }
        fs::remove_file(path)
    }

    /// Returns true for a regular file that a program has open for writing.
    fn has(&self, path: &Path) -> bool {
        let written = || self.written.get_or_init(|| written_files().collect());
        fs::symlink_metadata(path)
            .is_ok_and(|meta| meta.is_file() && written().contains(&(meta.dev(), meta.ino())))
    }
}

/// Lists the files that processes have open for writing, by device and inode.
fn written_files() -> impl Iterator<Item = (u64, u64)> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let handles = processes.flat_map(|process| {
        let process = process.path();
        let handles = fs::read_dir(process.join("fd"));
        let handles = handles.into_iter().flatten().flatten();
        handles.map(move |handle| {
            let about = process.join("fdinfo").join(handle.file_name());
            (handle.path(), about)
        })
    });
    handles.filter_map(|(handle, about)| {
        let meta = fs::metadata(&handle).ok().filter(fs::Metadata::is_file)?;
        let is_written = is_for_writing(&fs::read_to_string(about).unwrap_or_default());
        is_written.then(|| (meta.dev(), meta.ino()))
    })
}

/// Returns true if both are regular files with the same bytes.
fn is_same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let Ok(meta) = fs::symlink_metadata(other) else {
        return Ok(false);
    };
    if !meta.is_file() || meta.len() != fs::metadata(one)?.len() {
        return Ok(false);
    }
    Ok(fs::read(one)? == fs::read(other)?)
}

/// Reads whether a handle is for writing from what the system says about it (`proc_pid_fdinfo(5)`).
fn is_for_writing(about: &str) -> bool {
    let flags = about.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u64::from_str_radix(flags.trim(), 8).ok());
    flags.is_some_and(|flags| flags & 0b11 != 0)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;

    use super::OpenFiles;

    #[test]
    fn what_is_written_through_an_open_handle_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, layer) = (folder.path().join("tree"), folder.path().join("layer"));
        for (tree_text, rejected) in [("one\n", ""), ("one\n", "two\n"), ("", "")] {
            fs::write(&tree, tree_text).unwrap();
            fs::write(&layer, format!("{tree_text}{rejected}")).unwrap();
            let mut handle = File::options().append(true).open(&layer).unwrap();
            if tree_text.is_empty() {
                OpenFiles::default().remove(&layer).unwrap();
            } else {
                OpenFiles::default().replace(&tree, &layer).unwrap();
            }
            assert_eq!(fs::read_to_string(&layer).unwrap(), tree_text);
            handle.write_all(b"late\n").unwrap();
            assert_eq!(
                fs::read_to_string(&layer).unwrap(),
                format!("{tree_text}late\n")
            );
        }
        OpenFiles::default().remove(&layer).unwrap();
        assert!(!layer.exists());
    }
}
