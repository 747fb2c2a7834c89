//! Detects that the client which started this hook has ended.
//!
//! Clients start hooks in a session of their own, so a killed client takes no hook with it. Two signs are checked: nobody
//! reads standard output any more, and, on Linux, a process between this one and the client has got another parent.

use std::fs;
use std::path::Path;
use std::process;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdout;

/// The most processes between this one and the client: shells that run the command of the hook.
const MOST_SHELLS: usize = 4;

/// The client that started this hook.
pub(super) struct ClientWatch {
    /// Each process from this one up to the client, with its parent.
    parents: Vec<(u32, u32)>,
}

impl ClientWatch {
    /// Notes which processes lead to the client.
    pub(super) fn start() -> Self {
        let program = std::env::current_exe().ok();
        let program = program
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        let mut parents = Vec::new();
        let mut process = process::id();
        while let Some(parent) = parent_of(process)
            && parents.len() < MOST_SHELLS
        {
            parents.push((process, parent));
            if !runs_hook(parent, &program) {
                break;
            }
            process = parent;
        }
        Self { parents }
    }

    /// Returns whether the client has ended.
    pub(super) fn has_ended(&self) -> bool {
        let is_orphan = |&(process, parent): &(u32, u32)| parent_of(process) != Some(parent);
        self.parents.iter().any(is_orphan) || nobody_reads()
    }
}

/// Returns whether the other end of standard output is closed.
fn nobody_reads() -> bool {
    let out = stdout();
    let mut fds = [PollFd::new(&out, PollFlags::empty())];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut fds, Some(&now)).is_ok()
        && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Returns the parent of a process; `None` on systems without `/proc`.
fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name is in parentheses and may contain any character.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// Returns whether a process is a shell that was given the command of a hook.
fn runs_hook(process: u32, program: &str) -> bool {
    let arguments = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let arguments = String::from_utf8_lossy(&arguments);
    arguments.contains(program) && arguments.contains("hook")
}
