//! A trial of layers: a command that does nothing, run in a layer of an empty folder.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::agent::program::output_within;

/// The longest time for the trial.
const WITHIN: Duration = Duration::from_secs(20);

/// Tries a layer in a scratch folder, with the state beside the tree. Returns the reason if there can be none.
pub(crate) fn fault(scratch: &Path) -> io::Result<Option<String>> {
    let program = std::env::current_exe()?;
    let mut command = Command::new("/bin/sh");
    command
        .args([
            OsStr::new("-c"),
            OsStr::new("mkdir tree && exec \"$0\" run --root tree --no-review -- true 2>&1"),
        ])
        .arg(&program)
        .env("XDG_STATE_HOME", scratch.join("state"))
        .current_dir(scratch);
    Ok(
        match output_within(command, b"", Instant::now() + WITHIN)? {
            Some((Some(0), _)) => None,
            Some((_, said)) => {
                let first = said.lines().next().unwrap_or("it prints no reason");
                Some(first.trim_start_matches("countersign: ").to_owned())
            }
            None => Some("it does not end".to_owned()),
        },
    )
}
