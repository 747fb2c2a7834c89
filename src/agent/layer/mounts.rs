//! The mounts of this process, as `/proc/self/mountinfo` lists them (`proc_pid_mountinfo(5)`).

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// A mounted file system, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    /// The device number of the file system.
    pub(super) device: String,
    /// The folder of the file system that is mounted.
    pub(super) folder: PathBuf,
    /// The mount point.
    pub(super) at: PathBuf,
    /// The kind of the file system.
    pub(super) kind: String,
    /// The source that was named when it was mounted.
    pub(super) source: String,
    /// True unless it is mounted read-only.
    pub(super) is_writable: bool,
}

/// Another path to the root, or to a folder in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Alias {
    /// The other path.
    pub(super) at: PathBuf,
    /// The path that it leads to, relative to the root.
    pub(super) inside: PathBuf,
}

/// Reads the mounts of a process.
pub(super) fn read(file: &Path) -> io::Result<Vec<Mount>> {
    let text = fs::read(file)?;
    Ok(text
        .split(|&byte| byte == b'\n')
        .filter_map(parse)
        .collect())
}

fn parse(line: &[u8]) -> Option<Mount> {
    let fields: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let [_, _, device, folder, at, options, ..] = fields.as_slice() else {
        return None;
    };
    let dash = fields.iter().position(|field| *field == b"-")?;
    Some(Mount {
        device: String::from_utf8_lossy(device).into_owned(),
        folder: unescape(folder),
        at: unescape(at),
        kind: String::from_utf8_lossy(fields.get(dash + 1)?).into_owned(),
        source: unescape(fields.get(dash + 2)?)
            .to_string_lossy()
            .into_owned(),
        is_writable: options
            .split(|&byte| byte == b',')
            .any(|option| option == b"rw"),
    })
}

/// Undoes `\040` and the like.
fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let octal = after
            .get(..3)
            .filter(|digits| byte == b'\\' && digits.iter().all(u8::is_ascii_digit));
        if let Some(digits) = octal {
            let value = digits
                .iter()
                .fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            bytes.push(u8::try_from(value & 0xff).unwrap_or_default());
            rest = &after[3..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    OsString::from_vec(bytes).into()
}

/// The mount that a path is on: the last one of those that are mounted deepest above it.
pub(super) fn holding<'m>(mounts: &'m [Mount], path: &Path) -> Option<&'m Mount> {
    let above = mounts.iter().filter(|mount| path.starts_with(&mount.at));
    above.max_by_key(|mount| mount.at.components().count())
}

/// Finds the mounts inside a folder.
pub(super) fn inside<'m>(mounts: &'m [Mount], root: &Path) -> Option<&'m Mount> {
    mounts
        .iter()
        .find(|mount| mount.at != root && mount.at.starts_with(root))
}

/// Finds every other path to the root or to a folder in it: places where the same file system is mounted as well.
pub(super) fn aliases(mounts: &[Mount], root: &Path) -> Vec<Alias> {
    let Some(own) = holding(mounts, root) else {
        return Vec::new();
    };
    let Ok(below) = root.strip_prefix(&own.at) else {
        return Vec::new();
    };
    let real = own.folder.join(below);
    let others = mounts.iter().filter(|other| other.device == own.device);
    let mut found: Vec<Alias> = others
        .filter_map(|other| {
            if let Ok(below) = real.strip_prefix(&other.folder) {
                let at = other.at.join(below);
                return Some(Alias {
                    at,
                    inside: PathBuf::new(),
                });
            }
            let inside = other.folder.strip_prefix(&real).ok()?;
            Some(Alias {
                at: other.at.clone(),
                inside: inside.to_owned(),
            })
        })
        .filter(|alias| alias.at != root && !alias.at.starts_with(root))
        // A path under another mount leads there and not to the root.
        .filter(|alias| holding(mounts, &alias.at).is_some_and(|mount| mount.device == own.device))
        .collect();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mounts: &str, root: &str, expected: &str) {
        let mounts: Vec<Mount> = mounts
            .lines()
            .filter_map(|line| parse(line.as_bytes()))
            .collect();
        let shown: Vec<String> = aliases(&mounts, Path::new(root))
            .into_iter()
            .map(|alias| format!("{}={}", alias.at.display(), alias.inside.display()))
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn other_paths_to_the_root_are_found() {
        let disk = "20 1 8:1 / / rw - ext4 /dev/sda rw";
        check(disk, "/home/u/p", "");
        let bind = "21 20 8:1 /home /mnt/home rw - ext4 /dev/sda rw";
        check(&format!("{disk}\n{bind}"), "/home/u/p", "/mnt/home/u/p=");
        let part = "21 20 8:1 /home/u/p/src /mnt/src rw - ext4 /dev/sda rw";
        check(&format!("{disk}\n{part}"), "/home/u/p", "/mnt/src=src");
        let other = "21 20 8:2 /u/p /mnt rw - ext4 /dev/sdb rw";
        check(&format!("{disk}\n{other}"), "/home/u/p", "");
        let blank = r"21 20 8:1 /home /mnt/a\040b rw - ext4 /dev/sda rw";
        check(&format!("{disk}\n{blank}"), "/home/u/p", "/mnt/a b/u/p=");
        let covered = "22 20 8:3 / /mnt rw - tmpfs none rw";
        check(
            &format!("{disk}\n21 20 8:1 /home /mnt/home rw - ext4 /dev/sda rw\n{covered}"),
            "/home/u/p",
            "/mnt/home/u/p=",
        );
    }
}
