//! The modified files of a git repository's latest commits, as edits to review.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each benchmark takes what it needs"
)]

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use countersign::review::{Compared, Found, ReviewSession, Stance, compare};
use countersign::text::Document;

/// Largest file that is read, in bytes.
const MOST_BYTES: usize = 200_000;

/// A file before and after a commit.
#[derive(Clone)]
pub struct Edit {
    /// The number of the commit, the latest being 1.
    pub commit: usize,
    /// The name of the file.
    pub path: String,
    /// The file before it.
    pub before: String,
    /// The file after it.
    pub after: String,
}

impl Edit {
    /// Returns a review of the edit in which nothing is decided.
    pub fn session(&self) -> ReviewSession {
        let found = |text: &str| Found::Text {
            document: Arc::new(Document::from_text(text)),
            executable: false,
        };
        let compared = Compared {
            path: self.path.clone(),
            rename: None,
            old: found(&self.before),
            new: found(&self.after),
            stance: Stance::Proposed,
            doubtful: Vec::new(),
            protected: None,
            origin: "bench",
        };
        compare(String::new(), &[compared])
    }
}

/// Returns the repositories that the command line names, or that of this package.
pub fn repositories() -> Vec<PathBuf> {
    let named = env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let named: Vec<PathBuf> = named.map(PathBuf::from).collect();
    if named.is_empty() {
        vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]
    } else {
        named
    }
}

/// Reads the modified files of the latest commits.
///
/// # Errors
///
/// What git reports, if the history cannot be read.
pub fn edits(repository: &Path, commits: usize) -> Result<Vec<Edit>, Box<dyn Error>> {
    let count = format!("-{commits}");
    let log = [
        "log",
        "--no-merges",
        "--diff-filter=M",
        "--format=:%H",
        "--name-only",
        &count,
    ];
    let log = git(repository, &log)?;
    let mut edits = Vec::new();
    let mut commit = (0, "");
    for line in log.lines().filter(|line| !line.is_empty()) {
        if let Some(id) = line.strip_prefix(':') {
            commit = (commit.0 + 1, id);
            continue;
        }
        let version = |at: &str| git(repository, &["show", &format!("{at}:{line}")]);
        let (Ok(before), Ok(after)) = (version(&format!("{}^", commit.1)), version(commit.1))
        else {
            continue;
        };
        if before.len().max(after.len()) <= MOST_BYTES {
            edits.push(Edit {
                commit: commit.0,
                path: line.to_owned(),
                before,
                after,
            });
        }
    }
    Ok(edits)
}

fn git(repository: &Path, args: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut command = Command::new("git");
    let output = command.arg("-C").arg(repository).args(args).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
