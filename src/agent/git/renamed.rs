//! Follows a file that a commit or the index has renamed, by git's own detection.

use std::path::Path;
use std::time::Instant;

use super::query::ask_for;

/// Most renames that are followed one after the other.
const MOST_RENAMES: usize = 8;

/// Options for a list of renames.
const RENAMES: [&str; 7] = [
    "-z",
    "-M",
    "--relative",
    "--name-status",
    "--diff-filter=R",
    "--no-ext-diff",
    "--no-textconv",
];

/// Returns the name of a file that its latest commit or the index has renamed, relative to the same folder, followed through later renames.
/// `None` if the file is in the index, was deleted, or git cannot say in time.
pub(crate) fn renamed(root: &Path, path: &str, until: Instant) -> Option<String> {
    let mut name = step(root, path, until)?;
    for _ in 1..MOST_RENAMES {
        match step(root, &name, until) {
            Some(next) => name = next,
            None => break,
        }
    }
    Some(name)
}

/// Returns the next name of a file: one that is only staged, else the one that a commit gave it.
fn step(root: &Path, path: &str, until: Instant) -> Option<String> {
    let left = until.checked_duration_since(Instant::now())?;
    let mut staged = vec!["diff-index", "--cached"];
    staged.extend(RENAMES);
    staged.push("HEAD");
    new_name(&ask_for(root, &staged, left), path).or_else(|| committed(root, path, until))
}

/// Returns the name that the commit gave a file which removed it under its old name.
fn committed(root: &Path, path: &str, until: Instant) -> Option<String> {
    let left = || until.checked_duration_since(Instant::now());
    let log = [
        "log",
        "-1",
        "-z",
        "--format=%H",
        "--no-show-signature",
        "--no-renames",
        "--name-status",
        "--diff-merges=first-parent",
        "HEAD",
        "--",
        path,
    ];
    let log = ask_for(root, &log, left()?);
    let commit = deleting_commit(&log)?;
    let parent = format!("{commit}^");
    let mut diff = vec!["diff-tree", "-r"];
    diff.extend(RENAMES);
    diff.extend([&parent, commit]);
    new_name(&ask_for(root, &diff, left()?), path)
}

/// Reads `COMMIT`, the status of the file in it, and the name. Returns the commit if it deletes the file.
fn deleting_commit(log: &[u8]) -> Option<&str> {
    let mut words = log.split(|byte| matches!(byte, 0 | b'\n'));
    let commit = str::from_utf8(words.next()?).ok()?;
    let mut words = words.filter(|word| !word.is_empty());
    (words.next()? == b"D" && !commit.is_empty()).then_some(commit)
}

/// Reads triples of `RNNN`, old name and new name. Returns the new name of a file.
fn new_name(diff: &[u8], path: &str) -> Option<String> {
    let mut words = diff.split(|&byte| byte == 0);
    loop {
        let (status, old, new) = (words.next()?, words.next()?, words.next()?);
        // The last name may be cut off: a word follows every whole one.
        if status.starts_with(b"R") && old == path.as_bytes() && words.clone().next().is_some() {
            return String::from_utf8(new.to_vec()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_commit_that_deletes_the_file_is_taken() {
        assert_eq!(deleting_commit(b""), None);
        assert_eq!(deleting_commit(b"c1\0\nD\0a.rs\0"), Some("c1"));
        assert_eq!(deleting_commit(b"c1\n\0D\0a.rs\0"), Some("c1"));
        assert_eq!(deleting_commit(b"c1\0\nM\0a.rs\0"), None);
    }

    #[test]
    fn the_new_name_belongs_to_the_old_one() {
        let diff = b"R100\0a.rs\0b.rs\0R075\0c.rs\0d\ne.rs\0";
        assert_eq!(new_name(diff, "a.rs").as_deref(), Some("b.rs"));
        assert_eq!(new_name(diff, "c.rs").as_deref(), Some("d\ne.rs"));
        assert_eq!(new_name(diff, "b.rs"), None);
        assert_eq!(new_name(b"R100\0a.rs\0b.r", "a.rs"), None);
        assert_eq!(new_name(b"", "a.rs"), None);
    }
}
