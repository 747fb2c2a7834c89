//! The process that becomes the command: it moves to its own namespaces, mounts the overlay, and runs the command.
//!
//! It must have one thread only, so it is a process of its own that does nothing else. Ids are mapped to themselves, so files keep
//! their owners. An ordinary user loses all privileges of the namespace when the command is executed. For root a second user
//! namespace is made, which does not own the mounts: what is mounted cannot be unmounted from it.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use nix::sched::{CloneFlags, unshare};
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_bind_recursive, mount_change,
    mount_remount,
};

use super::entry::{Confine, LAYER_VARIABLE, LayerSetup, OWN_PROCESS};
use super::error::EnterError;
use super::mounts::{self, Alias, Mount};

/// Enters a layer and becomes the command.
///
/// # Errors
///
/// [`EnterError`] if that cannot be done. The process has to end then: it may be half inside.
pub(crate) fn enter(entry: &LayerSetup, command: &[OsString]) -> Result<Infallible, EnterError> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    let is_root = user.is_root();
    let marker = entry.layer.join("next-entered");
    fs::write(&marker, b"").map_err(|source| mount_error(&marker, "cannot be written", source))?;
    new_user_namespace(
        CloneFlags::CLONE_NEWNS,
        is_root,
        user.as_raw(),
        group.as_raw(),
    )?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)
        .map_err(|errno| mount_error(Path::new("/"), "cannot be made private", errno.into()))?;
    cover(entry)?;
    if let Some(confine) = &entry.confine {
        confine_to(entry, confine)?;
    }
    // From now on the folder is the one in the overlay.
    std::env::set_current_dir(&entry.folder)
        .map_err(|source| mount_error(&entry.folder, "cannot be entered", source))?;
    if is_root {
        new_user_namespace(CloneFlags::empty(), true, user.as_raw(), group.as_raw())?;
    }
    let (program, arguments) = command.split_first().ok_or(EnterError::Unsupported)?;
    close_inherited();
    let source = Command::new(program)
        .args(arguments)
        .env(LAYER_VARIABLE, &entry.id)
        .envs(OWN_PROCESS)
        .env("PWD", &entry.folder)
        .exec();
    Err(EnterError::Command {
        command: program.to_string_lossy().into_owned(),
        source,
    })
}

/// Moves to a new user namespace in which every id is itself.
fn new_user_namespace(
    more: CloneFlags,
    is_root: bool,
    user: u32,
    group: u32,
) -> Result<(), EnterError> {
    // Only a process outside of the namespace may map more than one id.
    let mapper = is_root.then(start_mapper).transpose();
    let mapper = mapper.map_err(|source| EnterError::Map { source })?;
    unshare(CloneFlags::CLONE_NEWUSER | more).map_err(|errno| EnterError::Namespace {
        source: errno.into(),
    })?;
    let written = match mapper {
        Some(mapper) => finish(mapper),
        None => map_one(user, group),
    };
    written.map_err(|source| EnterError::Map { source })
}

/// Maps one user and one group to themselves.
fn map_one(user: u32, group: u32) -> io::Result<()> {
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1\n"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1\n"))
}

/// Starts the process that maps the ids of this one when it has moved.
fn start_mapper() -> io::Result<Child> {
    Command::new("/proc/self/exe")
        .arg("map-ids")
        .arg(std::process::id().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
}

fn finish(mut mapper: Child) -> io::Result<()> {
    if let Some(mut stdin) = mapper.stdin.take() {
        stdin.write_all(b"!")?;
    }
    let status = mapper.wait()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "the ids were not mapped ({status})"
        )))
    }
}

/// Maps every id that this process knows to itself in the namespace of another process, as soon as standard input has a byte. Does
/// nothing if standard input ends without one.
///
/// # Errors
///
/// The system's reason.
pub(crate) fn map_ids(process: u32) -> io::Result<()> {
    if io::stdin().read(&mut [0])? == 0 {
        // The process that was to be mapped has ended, and has said why.
        return Ok(());
    }
    for name in ["uid_map", "gid_map"] {
        let known = fs::read_to_string(format!("/proc/self/{name}"))?;
        fs::write(format!("/proc/{process}/{name}"), identity(&known))?;
    }
    Ok(())
}

/// A map of the same ids to themselves.
fn identity(map: &str) -> String {
    let lines = map.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (first, count) = (fields.next()?, fields.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    });
    lines.collect()
}

/// Mounts the overlay over the root and over every other path to it, binds what is written directly, and hides the state folder.
fn cover(entry: &LayerSetup) -> Result<(), EnterError> {
    let mounted = mounts::read(Path::new("/proc/self/mountinfo"))
        .map_err(|source| mount_error(Path::new("/"), "its mounts cannot be read", source))?;
    let through: Vec<(PathBuf, File)> = (entry.through.iter())
        .map(|folder| {
            let path = entry.root.join(folder);
            let opened = File::open(&path)
                .map_err(|source| mount_error(&path, "cannot be opened", source))?;
            Ok((path, opened))
        })
        .collect::<Result<_, EnterError>>()?;
    cover_one(&mounted, &entry.root, &entry.layer, &entry.id)?;
    for (n, folder) in entry.also.iter().enumerate() {
        let own = entry.layer.join("also").join(n.to_string());
        cover_one(&mounted, folder, &own, &entry.id)?;
    }
    for (path, opened) in through {
        mount_bind_recursive(handle(&opened), &path)
            .map_err(|errno| mount_error(&path, "cannot be written directly", errno.into()))?;
    }
    fs::rename(
        entry.layer.join("next-entered"),
        entry.layer.join("entered"),
    )
    .map_err(|source| mount_error(&entry.layer, "cannot be written", source))?;
    let inside = entry.layer.join("inside");
    mount_bind(&inside, &entry.state)
        .map_err(|errno| mount_error(&entry.state, "cannot be hidden", errno.into()))
}

/// Mounts an overlay over a folder, with `upper` and `work` in `own`, and over every other path to it.
fn cover_one(mounted: &[Mount], root: &Path, own: &Path, id: &str) -> Result<(), EnterError> {
    if let Some(inside) = mounts::inside(mounted, root) {
        return Err(EnterError::Mounted {
            at: inside.at.clone(),
        });
    }
    mount_overlay(root, own, id).map_err(|source| EnterError::Overlay {
        root: root.to_owned(),
        source,
    })?;
    for Alias { at, inside } in mounts::aliases(mounted, root) {
        // A path that this user cannot see leads nowhere for the command either.
        if fs::metadata(&at).is_ok() {
            mount_bind(root.join(inside), &at).map_err(|errno| {
                let what = "another path to the root cannot be covered";
                mount_error(&at, what, errno.into())
            })?;
        }
    }
    Ok(())
}

/// The beginning of the names that overlays of layers have among the mounts.
pub(super) const MOUNT_PREFIX: &str = "countersign-";

/// The name that the overlay of a layer has among the mounts.
pub(super) fn mount_name(id: &str) -> String {
    format!("{MOUNT_PREFIX}{id}")
}

fn handle(file: &File) -> String {
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// Mounts an overlay over a folder, with `upper` and `work` in `own`.
fn mount_overlay(root: &Path, own: &Path, id: &str) -> io::Result<()> {
    // By their handles, no character of a path can be taken for a separator.
    let lower = File::open(root)?;
    let upper = File::open(own.join("upper"))?;
    let work = File::open(own.join("work"))?;
    // An earlier mount without synchronization leaves a mark, for which the next mount would be refused.
    match fs::remove_dir_all(own.join("work/work/incompat")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => (),
    }
    // Without `volatile` every file is written to the disk when it is copied up, which takes milliseconds.
    let options = format!(
        "lowerdir={},upperdir={},workdir={},userxattr,volatile",
        handle(&lower),
        handle(&upper),
        handle(&work)
    );
    let (name, options) = (mount_name(id), std::ffi::CString::new(options)?);
    let flags = MountFlags::empty();
    Ok(mount(
        name.as_str(),
        root,
        "overlay",
        flags,
        options.as_c_str(),
    )?)
}

/// Makes every mount read-only but the overlay, what is written directly, and what is named.
fn confine_to(entry: &LayerSetup, confine: &Confine) -> Result<(), EnterError> {
    for folder in &confine.write {
        mount_bind_recursive(folder, folder)
            .map_err(|errno| mount_error(folder, "cannot be kept writable", errno.into()))?;
    }
    let mut kept: Vec<&Path> = ["/proc", "/sys", "/dev"].map(Path::new).to_vec();
    kept.extend([entry.root.as_path(), &entry.state]);
    kept.extend(
        (entry.also.iter())
            .chain(&confine.write)
            .map(PathBuf::as_path),
    );
    let is_kept = |at: &Path| kept.iter().any(|kept| at.starts_with(kept));
    let mounted = mounts::read(Path::new("/proc/self/mountinfo"))
        .map_err(|source| mount_error(Path::new("/"), "its mounts cannot be read", source))?;
    for mount in mounted
        .iter()
        .filter(|mount| mount.is_writable && !is_kept(&mount.at))
    {
        let flags = MountFlags::RDONLY | MountFlags::BIND;
        // Options that were set outside may not be dropped here.
        let tried = [
            MountFlags::empty(),
            MountFlags::NOSUID | MountFlags::NODEV,
            MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC,
        ];
        let mut made = Ok(());
        for more in tried {
            made = mount_remount(&mount.at, flags | more, c"");
            if made.is_ok() {
                break;
            }
        }
        made.map_err(|errno| mount_error(&mount.at, "cannot be made read-only", errno.into()))?;
    }
    Ok(())
}

/// Closes every inherited handle of a file or folder, through which the real tree could be written. Pipes and sockets stay, which
/// build tools pass on to each other, and so do standard input, output and error.
fn close_inherited() {
    let Ok(listed) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    let open: Vec<i32> = (listed.flatten())
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect();
    for number in open {
        let meta = fs::metadata(format!("/proc/self/fd/{number}"));
        if meta.is_ok_and(|meta| meta.is_file() || meta.is_dir()) {
            // It was closed meanwhile if this fails.
            let _ = nix::unistd::close(number);
        }
    }
}

fn mount_error(path: &Path, what: &'static str, source: io::Error) -> EnterError {
    EnterError::Mount {
        path: path.to_owned(),
        what,
        source,
    }
}
