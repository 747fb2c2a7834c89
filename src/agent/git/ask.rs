//! Questions to git while a review waits for the answer: in the root's own repository, and for a limited time.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Instant;

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
