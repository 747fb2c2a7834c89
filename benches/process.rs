//! The program itself, from its start to its end: batches that grow, the memory that they take, and the first screen of a large
//! batch. `benches/start` measures its size and its start.
//!
//! Another program can be named by `$COUNTERSIGN`. What is read of a process while it runs needs Linux; elsewhere its memory is
//! left out.

#![allow(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "the figures are for people"
)]

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

mod sample;

/// Lines from one hunk to the next.
const APART: usize = 20;
/// What a batch may take whatever its size, in KiB.
const ANYWAY: u64 = 60 * 1024;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// A tree, and a diff of it with a hunk every [`APART`] lines.
struct Batch {
    place: tempfile::TempDir,
    /// The bytes of the diff and of the files.
    text: u64,
}

/// One run of the program.
struct Run {
    time: Duration,
    /// The most memory that it had at once, in KiB.
    memory: Option<u64>,
}

fn main() -> Outcome<()> {
    println!(
        "{:<34}{:>12}{:>16}{:>10}{:>12}",
        "apply", "wall", "of it a line", "memory", "allowed"
    );
    for (files, lines) in [(2, 10_000), (20, 10_000), (200, 10_000)] {
        let hunks = files * lines / APART;
        grown(&format!("{hunks} hunks in {files} files"), files, lines)?;
    }
    for lines in [1_000, 10_000, 100_000, 1_000_000] {
        grown(&format!("one file of {lines} lines"), 1, lines)?;
    }
    println!();
    println!("{:<34}{:>12}{:>16}", "on the screen", "first", "all placed");
    for (files, lines) in [(1_000, 200), (100, 20_000)] {
        let batch = Batch::new(files, lines)?;
        let mut times = (0..5).map(|_| shown(&batch)).collect::<Outcome<Vec<_>>>()?;
        times.sort_unstable();
        let (first, placed) = times[times.len() / 2];
        let what = format!("{} hunks in {files} files", files * lines / APART);
        let (first, placed) = (millis(first), millis(placed));
        println!("{what:<34}{first:>9.0} ms{placed:>13.0} ms");
    }
    Ok(())
}

fn program() -> String {
    let own = || env!("CARGO_BIN_EXE_countersign").to_owned();
    env::var("COUNTERSIGN").unwrap_or_else(|_| own())
}

/// Prints what a batch takes to be applied.
fn grown(what: &str, files: usize, lines: usize) -> Outcome<()> {
    let rounds = if files * lines > 500_000 { 1 } else { 3 };
    let mut runs = Vec::new();
    let mut text = 0;
    for _ in 0..rounds {
        let batch = Batch::new(files, lines)?;
        text = batch.text;
        runs.push(batch.apply()?);
    }
    let run = median(runs);
    let wall = millis(run.time);
    let line = run.time.as_nanos() as f64 / (files * lines) as f64;
    let allowed = (ANYWAY + 3 * text / 1024) / 1024;
    let memory = (run.memory).map_or("?".to_owned(), |most| (most / 1024).to_string());
    println!("{what:<34}{wall:>9.0} ms{line:>13.0} ns{memory:>7} MB{allowed:>9} MB");
    Ok(())
}

impl Batch {
    fn new(files: usize, lines: usize) -> Outcome<Self> {
        let place = tempfile::tempdir()?;
        let root = place.path().join("root");
        fs::create_dir(&root)?;
        let old = sample::lines(lines);
        let body = old.join("\n") + "\n";
        let mut hunks = String::new();
        for (at, seven) in (0..).step_by(APART).zip(old.chunks(APART)) {
            let (Some(above), Some(below)) = (seven.get(..3), seven.get(4..7)) else {
                continue;
            };
            let line = at + 1;
            writeln!(hunks, "@@ -{line},7 +{line},7 @@")?;
            above
                .iter()
                .try_for_each(|line| writeln!(hunks, " {line}"))?;
            writeln!(hunks, "-{}\n+    countersigned({line});", seven[3])?;
            below
                .iter()
                .try_for_each(|line| writeln!(hunks, " {line}"))?;
        }
        let mut diff = String::new();
        for file in 0..files {
            fs::write(root.join(format!("f{file}.rs")), &body)?;
            write!(diff, "--- a/f{file}.rs\n+++ b/f{file}.rs\n{hunks}")?;
        }
        fs::write(place.path().join("edit.diff"), &diff)?;
        let text = diff.len() + files * body.len();
        let text = text as u64;
        Ok(Self { place, text })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Applies it, and makes sure of that.
    fn apply(&self) -> Outcome<Run> {
        let mut command = Command::new(program());
        command
            .arg("apply")
            .arg("--root")
            .arg(self.file("root"))
            .arg(self.file("edit.diff"))
            .env("XDG_STATE_HOME", self.file("state"));
        let run = run(&mut command)?;
        let text = fs::read_to_string(self.file("root").join("f0.rs"))?;
        let changed = text.matches("countersigned(").count();
        assert_eq!(changed, text.lines().count() / APART, "not all is applied");
        Ok(run)
    }
}

/// Runs a command to its end, and looks every millisecond at the most memory that it had.
fn run(command: &mut Command) -> Outcome<Run> {
    let began = Instant::now();
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut memory = None;
    let time = loop {
        if let Some(status) = child.try_wait()? {
            assert!(status.success(), "{command:?}");
            break began.elapsed();
        }
        memory = most_memory(child.id()).or(memory);
        thread::sleep(Duration::from_millis(1));
    };
    Ok(Run { time, memory })
}

/// The most memory that a process had so far, in KiB: `VmHWM` of proc(5).
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("status"));
    let status = status.ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The time to the first screen with a hunk on it, and to the first on which all are placed.
fn shown(batch: &Batch) -> Outcome<(Duration, Duration)> {
    let (rows, cols) = (NonZero::try_from(50)?, NonZero::try_from(160)?);
    let pair = native_pty_system().openpty(PtySize {
        rows: rows.get(),
        cols: cols.get(),
        ..PtySize::default()
    })?;
    let mut command = CommandBuilder::new(program());
    command.arg("--root");
    command.arg(batch.file("root"));
    command.arg(batch.file("edit.diff"));
    command.env("XDG_STATE_HOME", batch.file("state"));
    command.env("TERM", "xterm-256color");
    let began = Instant::now();
    let mut child = pair.slave.spawn_command(command)?;
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader()?;
    let mut screen = vt100::Parser::new(rows, cols, 0);
    let mut bytes = vec![0; 1 << 16];
    let mut first = None;
    let placed = loop {
        let n = reader.read(&mut bytes)?;
        assert!(n > 0, "the review ended by itself");
        screen.process(&bytes[..n]);
        let seen = screen.screen().contents();
        if seen.contains("countersigned(") {
            let first = *first.get_or_insert_with(|| began.elapsed());
            if !seen.contains("placing the edits") {
                break (first, began.elapsed());
            }
        }
    };
    child.kill()?;
    child.wait()?;
    Ok(placed)
}

fn median(mut runs: Vec<Run>) -> Run {
    runs.sort_by_key(|run| run.time);
    let middle = runs.len() / 2;
    runs.swap_remove(middle)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
