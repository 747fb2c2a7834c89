//! The processes inside a layer, found by the overlay among their mounts.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::mounts;
use super::namespace::mount_name;

/// Time that processes have to end by themselves.
const PATIENCE: Duration = Duration::from_secs(2);
/// The interval at which it is checked whether they have ended.
const STEP: Duration = Duration::from_millis(20);

/// Lists the processes inside a layer.
pub(crate) fn processes_in(id: &str) -> Vec<i32> {
    let own = fs::read_link("/proc/self/ns/mnt").ok();
    let name = mount_name(id);
    let Ok(listed) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    listed
        .flatten()
        .filter_map(|entry| {
            let process: i32 = entry.file_name().to_str()?.parse().ok()?;
            let namespace = fs::read_link(entry.path().join("ns/mnt")).ok()?;
            if Some(&namespace) == own.as_ref() {
                return None;
            }
            (is_inside(&entry.path(), &name) && !is_zombie(&entry.path())).then_some(process)
        })
        .collect()
}

/// Returns true if a process, given by its folder in `/proc`, sees a mount of this name.
pub(super) fn is_inside(process: &Path, name: &str) -> bool {
    mounts::read(&process.join("mountinfo"))
        .is_ok_and(|mounts| mounts.iter().any(|mount| mount.source == name))
}

/// Returns true if a process has ended but was not reaped yet.
fn is_zombie(process: &Path) -> bool {
    let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| rest.starts_with('Z'))
}

/// Ends every process inside a layer. Returns those that did not end.
pub(crate) fn stop(id: &str) -> Vec<i32> {
    signal(id, Signal::TERM);
    wait_for_end(id);
    signal(id, Signal::KILL);
    wait_for_end(id)
}

/// Sends a signal to every process inside a layer.
fn signal(id: &str, signal: Signal) {
    for process in processes_in(id) {
        // It may have ended by itself.
        let _ = Pid::from_raw(process).map(|process| kill_process(process, signal));
    }
}

/// Waits until every process inside a layer has ended. Returns those that have not when the time is over.
fn wait_for_end(id: &str) -> Vec<i32> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = processes_in(id);
        if left.is_empty() || Instant::now() > deadline {
            return left;
        }
        thread::sleep(STEP);
    }
}
