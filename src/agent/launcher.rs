//! Opens a reviewer over the terminal of the person, where nobody reviews yet.
//!
//! A multiplexer starts programs with its own environment, so what decides where socket, state and settings are goes along.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Asking, ClientError, ProposalProgress, ask_telling, is_served};
use super::verdict::Verdict;
use super::wire::Submission;

/// The longest wait until a new reviewer listens.
const OPENS_WITHIN: Duration = Duration::from_secs(10);
/// Interval between checks whether it listens.
const STEP: Duration = Duration::from_millis(25);

/// Environment variables that are passed to the new reviewer.
const ALONG: [&str; 7] = [
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "COUNTERSIGN_CONFIG",
];

/// A multiplexer that can open a window over another one.
struct Multiplexer {
    /// Environment variable that is set inside this multiplexer.
    sign: &'static str,
    /// The command that opens it; the reviewer's own comes after it.
    command: &'static [&'static str],
}

/// All multiplexers, the least intrusive command first.
const WAYS: [Multiplexer; 5] = [
    Multiplexer {
        sign: "TMUX",
        command: &["tmux", "display-popup", "-E", "-w", "90%", "-h", "90%"],
    },
    Multiplexer {
        sign: "TMUX",
        command: &["tmux", "split-window", "-v", "-l", "75%"],
    },
    Multiplexer {
        sign: "ZELLIJ",
        command: &["zellij", "run", "--floating", "--close-on-exit", "--"],
    },
    Multiplexer {
        sign: "KITTY_WINDOW_ID",
        command: &["kitty", "@", "launch", "--type=overlay"],
    },
    Multiplexer {
        sign: "WEZTERM_PANE",
        command: &["wezterm", "cli", "split-pane", "--percent", "75", "--"],
    },
];

impl Multiplexer {
    fn is_here(&self) -> bool {
        env::var_os(self.sign).is_some_and(|value| !value.is_empty())
    }
}

/// Returns the multiplexer in which a reviewer can be opened here.
pub fn overlay_program() -> Option<&'static str> {
    let way = WAYS.iter().find(|way| way.is_here())?;
    way.command.first().copied()
}

/// Returns the environment variables that are set inside multiplexers.
pub(super) fn overlay_signs() -> impl Iterator<Item = &'static str> {
    WAYS.iter().map(|way| way.sign)
}

/// Opens a reviewer for a root, by the person's own command if there is one, else by the first multiplexer that works
/// here. Returns whether one listens now.
///
/// # Errors
///
/// If the path of this program is not known.
pub fn open_overlay(root: &Path, own: Option<&str>) -> io::Result<bool> {
    // `env` takes what it is to forget before what it is to set.
    let (set, unset): (Vec<&str>, Vec<&str>) =
        ALONG.iter().partition(|name| env::var_os(name).is_some());
    let mut reviewer: Vec<OsString> = vec!["env".into()];
    reviewer.extend(
        unset
            .into_iter()
            .flat_map(|name| ["-u".into(), name.into()]),
    );
    for name in set {
        let mut pair = OsString::from(format!("{name}="));
        pair.push(env::var_os(name).unwrap_or_default());
        reviewer.push(pair);
    }
    reviewer.push(env::current_exe()?.into());
    reviewer.extend([
        "serve".into(),
        "--once".into(),
        "--root".into(),
        root.into(),
    ]);
    if let Some(own) = own.filter(|own| !own.trim().is_empty()) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{own} \"$@\""), "sh"]);
        return Ok(opens(command.args(&reviewer), root));
    }
    Ok(WAYS.iter().filter(|way| way.is_here()).any(|way| {
        let (program, arguments) = way.command.split_first().unwrap_or((&"false", &[]));
        opens(Command::new(program).args(arguments).args(&reviewer), root)
    }))
}

/// Hands a proposal to the reviewer of a folder, and opens one if there is none; waits for the verdict.
///
/// # Errors
///
/// [`ClientError`] if there is no verdict: to be taken as a no. That no reviewer can be opened shows in that there still is
/// none.
pub fn ask_or_open(
    folder: &Path,
    submission: &Submission,
    own: Option<&str>,
    asking: Asking<'_>,
    progress: &mut dyn FnMut(ProposalProgress),
) -> Result<Verdict, ClientError> {
    let answer = ask_telling(folder, submission, asking, progress);
    let nobody = matches!(answer, Err(ClientError::Nobody(_)));
    if nobody && open_overlay(folder, own).unwrap_or(false) {
        return ask_telling(folder, submission, asking, progress);
    }
    answer
}

/// Runs a command that opens a reviewer, and waits until it listens.
fn opens(command: &mut Command, root: &Path) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = quiet.spawn() else {
        return false;
    };
    let until = Instant::now() + OPENS_WITHIN;
    while Instant::now() < until {
        if is_served(root) {
            reap(child);
            return true;
        }
        if child
            .try_wait()
            .is_ok_and(|ended| ended.is_some_and(|status| !status.success()))
        {
            return false;
        }
        thread::sleep(STEP);
    }
    reap(child);
    false
}

/// Waits for a command beside everything else: some end with the reviewer, some at once.
fn reap(mut child: Child) {
    thread::spawn(move || child.wait());
}
