//! Questions to git while a review waits for the answer: in the root's own repository, and for a limited time.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Environment variables that make git use another repository than that of the root.
pub(super) const ELSEWHERE: [&str; 9] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
];

/// Runs git in a folder and returns what it prints, or as much of it as it has printed when the time is over. Empty without git.
pub(super) fn ask_for(folder: &Path, arguments: &[&str], patience: Duration) -> Vec<u8> {
    let mut git = Command::new("git");
    for name in ELSEWHERE {
        git.env_remove(name);
    }
    git.env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .args(["-c", "protocol.allow=never", "-c", "core.fsmonitor=false"])
        .args(["--no-replace-objects", "--literal-pathspecs"])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let Ok(mut git) = git.spawn() else {
        return Vec::new();
    };
    let mut bytes = Vec::new();
    if let Some(mut output) = git.stdout.take() {
        let until = Instant::now() + patience;
        while let Ok(1..) = read_some(&mut output, &mut bytes, until) {}
    }
    // It may have ended by itself.
    let _: io::Result<()> = git.kill();
    let _: io::Result<ExitStatus> = git.wait();
    bytes
}

/// Appends what a pipe holds, and waits for it if there is nothing yet; returns the number of bytes, 0 at the end.
///
/// # Errors
///
/// [`io::ErrorKind::TimedOut`] if nothing comes in time.
pub(super) fn read_some(
    pipe: &mut (impl Read + AsFd),
    bytes: &mut Vec<u8>,
    until: Instant,
) -> io::Result<usize> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut ready = [PollFd::new(pipe, PollFlags::IN)];
        match poll(&mut ready, Some(&left)) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Err(rustix::io::Errno::INTR) => continue,
            result => result?,
        };
        let mut some = vec![0; 1 << 16];
        let count = pipe.read(&mut some)?;
        bytes.extend_from_slice(&some[..count]);
        return Ok(count);
    }
}
