//! Other programs: whether they are there, and what they say within a time.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to tell its version.
const WITHIN: Duration = Duration::from_secs(10);
/// How often it is looked whether it has ended.
const STEP: Duration = Duration::from_millis(20);

/// Where a program is found by its name.
pub fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
    paths.find(|path| path.is_file())
}

/// The version that a program tells of itself: the first line.
pub fn version(program: &str) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stderr(Stdio::null());
    let (_, said) = output_within(command, b"", Instant::now() + WITHIN).ok()??;
    said.lines().next().map(|line| line.trim().to_owned())
}

/// Runs a command with an input: its exit code, and what it said; `None` if it did not end in time, and was ended.
///
/// # Errors
///
/// What the system says.
pub(super) fn output_within(
    mut command: Command,
    input: &[u8],
    end: Instant,
) -> io::Result<Option<(Option<i32>, String)>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not want what it is told.
        let _ = stdin.write_all(input);
    }
    let stdout = child.stdout.take();
    let reading = thread::spawn(move || {
        let mut said = Vec::new();
        // What came before an error is what it said.
        let _ = stdout.map(|mut stdout| stdout.read_to_end(&mut said));
        said
    });
    loop {
        if let Some(status) = child.try_wait()? {
            let said = reading.join().unwrap_or_default();
            return Ok(Some((
                status.code(),
                String::from_utf8_lossy(&said).into_owned(),
            )));
        }
        if Instant::now() > end {
            // It may have ended by itself just now.
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(STEP);
    }
}
