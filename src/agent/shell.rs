//! A person's own command, run by a shell within a time: it has a process group of its own, and ends with all of it.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, PipeReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::text::sanitize;

/// Number of output lines that are kept.
const LINES: usize = 40;
/// The most bytes that are kept of a line.
const LINE_BYTES: usize = 2_000;
/// Interval between checks whether it has ended.
const STEP: Duration = Duration::from_millis(20);
/// Interval at which the last line of output is reported.
const TOLD: Duration = Duration::from_millis(250);
/// The longest wait for output after the end: a process that left the group may hold the pipe for ever.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A command for `sh`.
#[derive(Debug, Clone)]
pub struct ShellCommand {
    /// The command.
    pub command: String,
    /// The time limit.
    pub limit: Duration,
}

/// End of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellEnd {
    /// By itself, with this exit code; `None` if by a signal.
    Exit(Option<i32>),
    /// It was ended at its limit.
    TimedOut,
    /// It was stopped on request.
    Stopped,
}

impl ShellCommand {
    /// Runs the command in a folder, with some input. Calls `on_output` with the last line of output now and then. Returns
    /// how it ended and the last lines of its output, sanitized for display.
    ///
    /// # Errors
    ///
    /// Any I/O error of starting it.
    pub fn run(
        &self,
        folder: &Path,
        variables: &[(&str, &OsStr)],
        input: Vec<u8>,
        stop: &AtomicBool,
        on_output: &mut dyn FnMut(String),
    ) -> io::Result<(ShellEnd, Vec<String>)> {
        let begun = Instant::now();
        let (reader, writer) = io::pipe()?;
        let mut command = Command::new("sh");
        command
            .args(["-c", &self.command])
            .current_dir(folder)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .process_group(0);
        let mut child = command.spawn()?;
        // It holds the other end of the pipe.
        drop(command);
        if let Some(mut stdin) = child.stdin.take() {
            // The command may exit without reading its input.
            thread::spawn(move || stdin.write_all(&input));
        }
        let tail = Arc::new(Mutex::new(Tail::default()));
        let kept = Arc::clone(&tail);
        let reading = thread::spawn(move || read(reader, &kept));
        let mut last = (Instant::now(), String::new());
        let ended = loop {
            if stop.load(Ordering::Relaxed) {
                break Some(ShellEnd::Stopped);
            }
            if begun.elapsed() >= self.limit {
                break Some(ShellEnd::TimedOut);
            }
            if has_ended(&child)? {
                break None;
            }
            thread::sleep(STEP);
            if last.0.elapsed() >= TOLD {
                let line = lock(&tail).last();
                if line != last.1 {
                    on_output(line.clone());
                }
                last = (Instant::now(), line);
            }
        };
        // Until it is waited for, nobody else can have its number. The group may have gone by itself.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let status = child.wait()?;
        let deadline = Instant::now() + LAST_WORDS;
        while !reading.is_finished() && Instant::now() < deadline {
            thread::sleep(STEP);
        }
        let lines = lock(&tail).lines();
        Ok((ended.unwrap_or(ShellEnd::Exit(status.code())), lines))
    }
}

/// Returns whether it has ended, without reaping it.
fn has_ended(child: &Child) -> io::Result<bool> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
}

fn lock(tail: &Mutex<Tail>) -> MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(mut from: PipeReader, tail: &Mutex<Tail>) {
    let mut bytes = [0; 8_192];
    // What came before an error is what it said.
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        lock(tail).push(&bytes[..n]);
    }
}

/// The last lines of an output.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<Vec<u8>>,
    open: Vec<u8>,
}

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.lines.push_back(std::mem::take(&mut self.open));
                if self.lines.len() > LINES {
                    self.lines.pop_front();
                }
            } else if byte == b'\r' && self.open.last() != Some(&b'\r') {
                self.open.push(byte);
            } else if byte != b'\r' {
                // A line that is begun again shows what came last.
                if self.open.last() == Some(&b'\r') {
                    self.open.clear();
                }
                if self.open.len() < LINE_BYTES {
                    self.open.push(byte);
                }
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        let open = Some(&self.open).filter(|open| !open.is_empty());
        let all: Vec<&Vec<u8>> = self.lines.iter().chain(open).collect();
        let first = all.len().saturating_sub(LINES);
        all[first..].iter().map(|line| shown(line)).collect()
    }

    fn last(&self) -> String {
        self.lines().pop().unwrap_or_default()
    }
}

/// Returns a line as text: sequences for a terminal are left out, and what else would not be seen is made visible.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut plain = String::new();
    let mut letters = text.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\x1b' && letters.peek() == Some(&'[') {
            letters.next();
            while letters.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        } else {
            plain.push(letter);
        }
    }
    sanitize(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::sync::mpsc::channel;

    use super::*;

    #[track_caller]
    fn check(command: &str, seconds: u64, expected: &ShellEnd, said: &str) {
        let shell = ShellCommand {
            command: command.to_owned(),
            limit: Duration::from_secs(seconds),
        };
        let stop = AtomicBool::new(false);
        let (ended, lines) = shell
            .run(
                Path::new("/"),
                &[("PLACE", OsStr::new("/x"))],
                b"heard".to_vec(),
                &stop,
                &mut |_| (),
            )
            .unwrap();
        assert_eq!((&ended, lines.join("|")), (expected, said.to_owned()));
    }

    #[test]
    fn how_it_ends_and_what_it_says() {
        check("pwd; echo $PLACE >&2", 60, &ShellEnd::Exit(Some(0)), "/|/x");
        check(
            "printf 'no\\nmore'; exit 7",
            60,
            &ShellEnd::Exit(Some(7)),
            "no|more",
        );
        check("kill -9 $$", 60, &ShellEnd::Exit(None), "");
        check(
            "cat; echo; echo read",
            60,
            &ShellEnd::Exit(Some(0)),
            "heard|read",
        );
        check("echo begun; sleep 600", 1, &ShellEnd::TimedOut, "begun");
        let last: Vec<String> = (61..=100).map(|n| n.to_string()).collect();
        check("seq 100", 60, &ShellEnd::Exit(Some(0)), &last.join("|"));
    }

    #[test]
    fn all_of_its_group_ends_with_it() {
        let place = tempfile::tempdir().unwrap();
        let held = place.path().join("held");
        let made = Command::new("mkfifo").arg(&held).status().unwrap();
        assert!(made.success());
        let check = |command: &str, seconds, expected: &ShellEnd, said| {
            let (pipe, (gone, waits)) = (held.clone(), channel());
            // It has an end when no process holds it any more.
            thread::spawn(move || gone.send(std::fs::read(pipe)));
            let command = format!("exec 3>'{}'; {command}", held.display());
            check(&command, seconds, expected, said);
            let end = waits.recv_timeout(Duration::from_secs(20));
            assert!(end.is_ok(), "a process survives: {command}");
        };
        check(
            "sleep 600 & echo left",
            60,
            &ShellEnd::Exit(Some(0)),
            "left",
        );
        check("sleep 600 | sleep 600", 1, &ShellEnd::TimedOut, "");
    }

    #[test]
    fn it_stops_when_told() {
        let stop = AtomicBool::new(false);
        let shell = ShellCommand {
            command: "echo here; sleep 600".to_owned(),
            limit: Duration::from_mins(10),
        };
        let heard = &mut |line: String| {
            assert_eq!(line, "here");
            stop.store(true, Ordering::Relaxed);
        };
        let ended = shell
            .run(Path::new("/"), &[], Vec::new(), &stop, heard)
            .unwrap();
        assert_eq!(ended, (ShellEnd::Stopped, vec!["here".to_owned()]));
    }

    #[test]
    fn what_it_says_is_safe_to_show() {
        let mut tail = Tail::default();
        tail.push(b"\x1b[31mred\x1b[0m \x07\xff\r\n10%\r20%\r\nwin\r\n\t\xc2\x9bx\x7f");
        assert_eq!(tail.lines(), ["red ␇�", "20%", "win", "\t<009B>x␡"]);
    }
}
