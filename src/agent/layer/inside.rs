//! Resetting files in a layer in which something is still running: an overlay that is mounted may only be changed through its own
//! mount.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sched::{CloneFlags, setns};

use super::processes::processes_in;

/// Gives files inside a running layer the content that they have in the tree.
///
/// # Errors
///
/// The system's reason.
pub(crate) fn reset_running(id: &str, root: &Path, paths: &[PathBuf]) -> io::Result<()> {
    let processes = processes_in(id);
    let process = processes.first().ok_or(ErrorKind::NotFound)?;
    let mut child = Command::new(std::env::current_exe()?)
        .arg("reset-inside")
        .arg("--process")
        .arg(process.to_string())
        .arg("--root")
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        for path in paths {
            stdin.write_all(path.as_os_str().as_bytes())?;
            stdin.write_all(b"\0")?;
        }
    }
    let status = child.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "the files could not be reset ({status})"
        )))
    }
}

/// Enters the namespaces of a process, and gives the files that standard input names the content that they have outside.
///
/// # Errors
///
/// The system's reason.
pub(crate) fn reset_inside(process: u32, root: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    io::stdin().read_to_end(&mut names)?;
    // The handle leads to the real tree after the move as well.
    let real = File::open(root)?;
    let mounts = File::open(format!("/proc/{process}/ns/mnt"))?;
    if !rustix::process::geteuid().is_root() {
        let user = File::open(format!("/proc/{process}/ns/user"))?;
        setns(user, CloneFlags::CLONE_NEWUSER)?;
    }
    setns(mounts, CloneFlags::CLONE_NEWNS)?;
    let outside = PathBuf::from(format!("/proc/self/fd/{}", real.as_raw_fd()));
    for name in names
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
    {
        let name = PathBuf::from(std::ffi::OsString::from_vec(name.to_vec()));
        reset_one(&outside.join(&name), &root.join(&name))?;
    }
    Ok(())
}

fn reset_one(from: &Path, to: &Path) -> io::Result<()> {
    if let Ok(target) = fs::read_link(from) {
        let next = to.with_file_name(".countersign-reset");
        std::os::unix::fs::symlink(target, &next)?;
        return fs::rename(next, to);
    }
    let is_file = match fs::symlink_metadata(from) {
        Ok(meta) => meta.is_file(),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            false
        }
        Err(error) => return Err(error),
    };
    if is_file {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let next = to.with_file_name(".countersign-reset");
        fs::copy(from, &next)?;
        return fs::rename(next, to);
    }
    match fs::remove_file(to) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}
