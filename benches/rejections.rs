//! How surely a rejected change is recognised when it is proposed again, measured on the history of a git repository.
//!
//! `cargo bench --bench rejections -- REPOSITORY...` (this repository if none is named). Every commit is a proposal that is rejected and
//! then sent again in other forms; and the changes of every second commit are looked for among those of all others.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use countersign::review::{
    Compared, Found, HunkReview, RecurrenceKind, RejectionRecord, Rejections, ReviewSession,
    Stance, compare, rejected_changes,
};
use countersign::text::Document;

/// Commits that are read of one repository.
const COMMITS: usize = 600;
/// Largest file that is compared, in bytes.
const MOST_BYTES: usize = 200_000;

/// A file before and after a commit.
struct Edit {
    commit: usize,
    path: String,
    before: String,
    after: String,
}

/// A way to send an edit again: its name, and the two versions that are compared then.
type Variant = (&'static str, fn(&Edit) -> Edit);

const VARIANTS: [Variant; 6] = [
    ("as it was", Edit::with_same),
    ("indented otherwise", |edit| {
        edit.with_added(&|line| vec![format!("    {line}")])
    }),
    ("wrapped", |edit| edit.with_added(&wrapped)),
    ("at other lines", |edit| {
        edit.below(&"// A line above.\n".repeat(30))
    }),
    ("in a renamed file", |edit| Edit {
        path: format!("renamed/{}", edit.path),
        ..edit.with_same()
    }),
    ("with another change", |edit| Edit {
        after: format!("{}\nanother_change();\n", edit.after),
        ..edit.with_same()
    }),
];

impl Edit {
    fn with_same(&self) -> Self {
        Self {
            commit: self.commit,
            path: self.path.clone(),
            before: self.before.clone(),
            after: self.after.clone(),
        }
    }

    fn below(&self, lines: &str) -> Self {
        Self {
            before: format!("{lines}{}", self.before),
            after: format!("{lines}{}", self.after),
            ..self.with_same()
        }
    }

    /// Changes the lines that the edit adds.
    fn with_added(&self, change: &dyn Fn(&str) -> Vec<String>) -> Self {
        let diff = similar::TextDiff::from_lines(&self.before, &self.after);
        let mut after = String::new();
        for line in diff.iter_all_changes() {
            match line.tag() {
                similar::ChangeTag::Equal => after.push_str(line.value()),
                similar::ChangeTag::Delete => (),
                similar::ChangeTag::Insert => {
                    for line in change(line.value().trim_end_matches('\n')) {
                        after.push_str(&line);
                        after.push('\n');
                    }
                }
            }
        }
        Self {
            after,
            ..self.with_same()
        }
    }

    /// A review of the edit in which nothing is decided.
    fn session(&self) -> ReviewSession {
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

    fn rejected(&self) -> RejectionRecord {
        let mut session = self.session();
        session.reject_all();
        RejectionRecord {
            time: 0,
            rejected: rejected_changes(&session),
            accepted: Vec::new(),
        }
    }
}

/// Breaks a line behind its commas.
fn wrapped(line: &str) -> Vec<String> {
    let indent: String = line.chars().take_while(|c| c.is_whitespace()).collect();
    let parts = line.trim_start().split_inclusive(", ");
    parts
        .map(|part| format!("{indent}{}", part.trim_end()))
        .collect()
}

fn git(repository: &Path, args: &[&str]) -> Result<Vec<u8>, Box<dyn Error>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(repository)
        .args(args)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(output.stdout)
}

/// Reads the modified files of the latest commits.
fn edits(repository: &Path) -> Result<Vec<Edit>, Box<dyn Error>> {
    let count = format!("-{COMMITS}");
    let log = [
        "log",
        "--no-merges",
        "--diff-filter=M",
        "--format=:%H",
        "--name-only",
        &count,
    ];
    let log = String::from_utf8(git(repository, &log)?)?;
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
        let (Ok(before), Ok(after)) = (String::from_utf8(before), String::from_utf8(after)) else {
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

fn is_known(hunk: &HunkReview) -> bool {
    hunk.is_rejected_before()
}

/// Counts the hunks of a session that are recognised, and all of them.
fn counted(rejections: &Rejections, mut session: ReviewSession) -> (usize, usize) {
    rejections.mark(&mut session);
    let all = session.hunks().count();
    (
        session.hunks().filter(|(_, hunk)| is_known(hunk)).count(),
        all,
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let named: Vec<PathBuf> = env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .map(PathBuf::from)
        .collect();
    let repositories = if named.is_empty() {
        vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))]
    } else {
        named
    };
    for repository in repositories {
        let edits = edits(&repository)?;
        println!(
            "{}: {} files of {COMMITS} commits",
            repository.display(),
            edits.len()
        );
        for (name, variant) in VARIANTS {
            let (mut known, mut all) = (0, 0);
            for edit in &edits {
                let rejections = Rejections::new([edit.rejected()]);
                let (found, of) = counted(&rejections, variant(edit).session());
                // The other change is none that was rejected.
                let others = usize::from(name == "with another change" && of > found);
                known += found;
                all += of - others;
            }
            println!("  recognised {name}: {known} of {all} hunks");
        }
        let (even, odd): (Vec<&Edit>, Vec<&Edit>) =
            edits.iter().partition(|edit| edit.commit % 2 == 0);
        let records: Vec<RejectionRecord> = even.iter().map(|edit| edit.rejected()).collect();
        let known_lines: HashSet<(String, String)> = (records.iter())
            .flat_map(|record| &record.rejected)
            .flat_map(|change| {
                let lines = change.removed.iter().chain(&change.added);
                lines.map(|line| (change.path.clone(), line.clone()))
            })
            .collect();
        let rejections = Rejections::new(records);
        let (mut wrong, mut all, mut repeats) = (0, 0, 0);
        for edit in odd {
            let mut session = edit.session();
            rejections.mark(&mut session);
            for (_, hunk) in session.hunks() {
                all += 1;
                if !hunk.is_rejected_before() {
                    continue;
                }
                // A commit that repeats another one to the letter, as on two branches, is no other change; and one that contains it, or is a
                // part of it, has some of its lines.
                let added = hunk.proposed.iter().filter_map(|line| line.adds.clone());
                let base = &session.files[0].base;
                let removed = hunk.proposed.iter().filter(|line| line.removes);
                let mut lines = added.chain(removed.map(|line| base.line(line.at).to_owned()));
                let is_known = |line| known_lines.contains(&(edit.path.clone(), line));
                let is_in_part = hunk.recurrence().is_some_and(|earlier| {
                    matches!(
                        earlier.kind,
                        RecurrenceKind::Part | RecurrenceKind::Contains
                    )
                });
                if lines.clone().all(is_known) || is_in_part && lines.any(is_known) {
                    repeats += 1;
                    continue;
                }
                wrong += 1;
                if env::var_os("SHOW").is_some() {
                    println!("{} {:?} {:?}", edit.path, hunk.recurrence(), hunk.proposed);
                }
            }
        }
        println!("  repeated to the letter: {repeats} of {all} hunks");
        println!("  recognised among other changes: {wrong} of {all} hunks");
    }
    Ok(())
}
