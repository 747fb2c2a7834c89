//! Runs other programs with a time limit.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// The longest time for a program to print its version.
const WITHIN: Duration = Duration::from_secs(10);
/// Interval between checks whether it has ended.
const STEP: Duration = Duration::from_millis(20);

/// Returns the path of a program, found by its name.
pub fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
    paths.find(|path| path.is_file())
}

/// Returns the version that a program prints: the first line.
pub fn version(program: &str) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stderr(Stdio::null());
    let (_, said) = output_within(command, b"", Instant::now() + WITHIN).ok()??;
    said.lines().next().map(|line| line.trim().to_owned())
}

/// Runs a command with an input. Returns its exit code and output; `None` if the command, or a process that holds its
/// output open, did not end in time. The command and all that it started are killed then.
pub(in crate::agent) fn output_within(
    mut command: Command,
    input: &[u8],
    end: Instant,
) -> io::Result<Option<(Option<i32>, String)>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program may say much before it listens, or never listen.
        let input = input.to_vec();
        // The program may exit without reading its input.
        thread::spawn(move || stdin.write_all(&input));
    }
    let stdout = child.stdout.take();
    let (tell, said) = channel();
    thread::spawn(move || {
        let mut said = Vec::new();
        // What came before an error is what it said.
        let _ = stdout.map(|mut stdout| stdout.read_to_end(&mut said));
        // When the time is up nobody listens any more.
        let _ = tell.send(said);
    });
    loop {
        if let Some(status) = child.try_wait()? {
            // What it has left behind may hold its output open.
            let left = end.saturating_duration_since(Instant::now());
            let said = said.recv_timeout(left).ok();
            return Ok(said.map(|said| {
                let said = String::from_utf8_lossy(&said).into_owned();
                (status.code(), said)
            }));
        }
        if Instant::now() > end {
            // It may have ended by itself just now.
            let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(STEP);
    }
}

/// Runs a command with an input, and returns the first line of its output that is the answer; `None` if it ends without one, or
/// not in time. Its standard input stays open until then, and it is killed after that.
pub(super) fn line_within(
    mut command: Command,
    input: &[u8],
    is_answer: impl Fn(&str) -> bool,
    end: Instant,
) -> io::Result<Option<String>> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    // A program that reads nothing answers nothing.
    let _ = child.stdin.as_mut().map(|stdin| stdin.write_all(input));
    let stdout = child.stdout.take();
    let (sender, lines) = channel();
    thread::spawn(move || {
        let lines = stdout
            .into_iter()
            .flat_map(|out| BufReader::new(out).lines());
        for line in lines.map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let answer = loop {
        let left = end.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) if is_answer(&line) => break Some(line),
            Ok(_) => (),
            Err(_) => break None,
        }
    };
    // It may have ended by itself.
    let _ = child.kill();
    child.wait()?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_says_much_before_it_listens_is_heard() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "head -c 300000 /dev/zero; wc -c"]);
        let input = vec![b'x'; 1_000_000];
        let end = Instant::now() + Duration::from_mins(1);
        let (code, said) = output_within(shell, &input, end).unwrap().unwrap();
        assert_eq!((code, said.len()), (Some(0), 300_000 + "1000000\n".len()));
        // One that never listens is ended in time.
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec sleep 600"]);
        let end = Instant::now() + Duration::from_millis(100);
        assert_eq!(output_within(shell, &input, end).unwrap(), None);
    }

    #[track_caller]
    fn check(command: &str, milliseconds: u64, expected: Option<(Option<i32>, &str)>) {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        let end = Instant::now() + Duration::from_millis(milliseconds);
        let found = output_within(shell, b"heard\n", end).unwrap();
        let expected = expected.map(|(code, said)| (code, said.to_owned()));
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn it_ends_in_time_or_gives_nothing() {
        check("cat; exit 3", 60_000, Some((Some(3), "heard\n")));
        check("kill -9 $$", 60_000, Some((None, "")));
        check("exec sleep 5", 100, None);
        check("sleep 5 & exit 0", 100, None);
    }
}
