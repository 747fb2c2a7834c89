//! Resetting files in a layer in which something is still running: an overlay that is mounted may only be changed through its own
//! mount.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sched::{CloneFlags, setns};

use super::namespace::mount_name;
use super::processes::{is_inside, processes_in};

/// The ways to change a file that a program may have open.
pub(crate) struct ResetSteps<'s> {
    /// Gives a file the content of another one.
    pub(crate) replace: &'s dyn Fn(&Path, &Path) -> io::Result<()>,
    /// Removes a file.
    pub(crate) remove: &'s dyn Fn(&Path) -> io::Result<()>,
}

/// Gives files inside a running layer the content that they have in the tree.
pub(crate) fn reset_running(id: &str, root: &Path, paths: &[PathBuf]) -> io::Result<()> {
    let processes = processes_in(id);
    if processes.is_empty() {
        return Err(ErrorKind::NotFound.into());
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("reset-inside").arg("--layer").arg(id);
    for process in processes {
        command.arg("--process").arg(process.to_string());
    }
    let mut child = command
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

/// Enters the namespaces of a layer, which some processes share, and gives the files that standard input names the content that
/// they have outside.
pub(crate) fn reset_inside(
    id: &str,
    processes: &[u32],
    root: &Path,
    change: &ResetSteps<'_>,
) -> io::Result<()> {
    let mut names = Vec::new();
    io::stdin().read_to_end(&mut names)?;
    // The handle leads to the real tree after the move as well.
    let real = File::open(root)?;
    let name = mount_name(id);
    let (user, mounts) = namespaces_of(processes, &|process| is_inside(process, &name))?;
    if !rustix::process::geteuid().is_root() {
        setns(user, CloneFlags::CLONE_NEWUSER)?;
    }
    setns(mounts, CloneFlags::CLONE_NEWNS)?;
    // The number of a process that has ended may belong to another one by now.
    if !is_inside(Path::new("/proc/self"), &name) {
        return Err(ErrorKind::NotFound.into());
    }
    let outside = PathBuf::from(format!("/proc/self/fd/{}", real.as_raw_fd()));
    for name in names
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
    {
        let name = PathBuf::from(std::ffi::OsString::from_vec(name.to_vec()));
        reset_one(&outside.join(&name), &root.join(&name), change)?;
    }
    Ok(())
}

/// Opens the user and mount namespaces of the first process, given by its folder in `/proc`, that is still one of the layer: a
/// short command may have ended meanwhile.
fn namespaces_of(
    processes: &[u32],
    is_of_layer: &dyn Fn(&Path) -> bool,
) -> io::Result<(File, File)> {
    let mut last = ErrorKind::NotFound.into();
    for process in processes {
        let process = PathBuf::from(format!("/proc/{process}"));
        match open_namespaces(&process) {
            Ok(opened) if is_of_layer(&process) => return Ok(opened),
            Ok(_) => last = ErrorKind::NotFound.into(),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Opens the user and the mount namespace of a process.
fn open_namespaces(process: &Path) -> io::Result<(File, File)> {
    let user = File::open(process.join("ns/user"))?;
    Ok((user, File::open(process.join("ns/mnt"))?))
}

/// Gives a name in the layer what it has outside. What is in a folder is reset before the folder itself.
fn reset_one(from: &Path, to: &Path, change: &ResetSteps<'_>) -> io::Result<()> {
    let kind = kind_of(from)?;
    let inside = kind_of(to)?;
    let is_folder = |kind: Option<FileType>| kind.is_some_and(|kind| kind.is_dir());
    let Some(kind) = kind else {
        return match inside {
            None => Ok(()),
            Some(inside) if inside.is_dir() => {
                // One that holds something else stays.
                let _ = fs::remove_dir(to);
                Ok(())
            }
            Some(_) => (change.remove)(to),
        };
    };
    if let Some(folder) = to.parent() {
        let above: Vec<&Path> = folder.ancestors().collect();
        let in_the_way = |path: &&&Path| matches!(kind_of(path), Ok(Some(kind)) if !kind.is_dir());
        if let Some(file) = above.iter().find(in_the_way) {
            fs::remove_file(file)?;
        }
        fs::create_dir_all(folder)?;
    }
    if kind.is_dir() {
        if inside.is_some() && !is_folder(inside) {
            fs::remove_file(to)?;
        }
        return fs::create_dir_all(to);
    }
    if is_folder(inside) && fs::remove_dir(to).is_err() {
        // It holds something that is not reviewed, such as ignored files.
        return Ok(());
    }
    if kind.is_file() {
        return (change.replace)(from, to);
    }
    if !kind.is_symlink() {
        return Ok(());
    }
    let next = to.with_file_name(".countersign-reset");
    std::os::unix::fs::symlink(fs::read_link(from)?, &next)?;
    fs::rename(next, to)
}

/// Returns the kind of a name; `None` if nothing has it.
fn kind_of(path: &Path) -> io::Result<Option<FileType>> {
    match fs::symlink_metadata(path) {
        Ok(meta) => Ok(Some(meta.file_type())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::namespaces_of;

    #[test]
    fn a_process_that_has_ended_or_is_another_is_passed_over() {
        // No system has this many processes.
        let (ended, own) = (u32::MAX, std::process::id());
        let check = |processes: &[u32], is_of_layer: bool, found: bool| {
            let opened = namespaces_of(processes, &|_| is_of_layer);
            assert_eq!(opened.is_ok(), found, "{processes:?} {is_of_layer}");
        };
        check(&[ended, own], true, true);
        check(&[own, ended], true, true);
        check(&[own], false, false);
        check(&[ended], true, false);
        check(&[], true, false);
    }
}
