//! The commits that changed a file, with the blobs that they left.

use std::path::Path;
use std::time::Duration;

use super::query::ask_for;

/// The longest time for the log. What git has found by then is used.
const PATIENCE: Duration = Duration::from_secs(1);
/// Number of commits that are looked at. An edit is written against a version that was read not long ago.
const MOST_COMMITS: &str = "50";

/// A commit that changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileCommit {
    /// Its name in hexadecimal digits.
    pub(super) id: String,
    /// The blob that it left under the file's name.
    pub(super) blob: String,
}

/// Returns the latest commits that changed a file, the newest first, followed through renames. Empty without git, without a
/// repository and for a name that no commit has.
pub(super) fn file_log(root: &Path, path: &str) -> Vec<FileCommit> {
    let arguments = [
        "log",
        "--follow",
        "--format=%H",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
        "--raw",
        "--no-abbrev",
        "--diff-merges=first-parent",
        "-n",
        MOST_COMMITS,
        "HEAD",
        "--",
        path,
    ];
    let bytes = ask_for(root, &arguments, PATIENCE);
    parse(&String::from_utf8_lossy(&bytes))
}

/// Reads the lines `COMMIT` and `:MODE MODE BLOB BLOB STATUS\tNAME`.
fn parse(log: &str) -> Vec<FileCommit> {
    let mut commits = Vec::new();
    let mut commit = "";
    for line in log.split_inclusive('\n') {
        // The last line may be cut off.
        let Some(line) = line.strip_suffix('\n') else {
            break;
        };
        let Some(change) = line.strip_prefix(':') else {
            commit = if line.is_empty() { commit } else { line };
            continue;
        };
        let mut words = change.split([' ', '\t']);
        let (mode, blob) = (words.nth(1), words.nth(1));
        if let (Some("100644" | "100755"), Some(blob)) = (mode, blob) {
            commits.push(FileCommit {
                id: commit.to_owned(),
                blob: blob.to_owned(),
            });
        }
    }
    commits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(log: &str, expected: &[(&str, &str)]) {
        let found = parse(log);
        let found: Vec<(&str, &str)> = (found.iter())
            .map(|one| (one.id.as_str(), one.blob.as_str()))
            .collect();
        assert_eq!(found, expected, "{log:?}");
    }

    #[test]
    fn commits_are_read_with_the_blobs_that_they_left() {
        check("", &[]);
        check(
            "c2\n\n:100644 100755 aa bb M\tf.rs\nc1\n\n:000000 100644 00 aa A\tf.rs\n",
            &[("c2", "bb"), ("c1", "aa")],
        );
        check(
            "c2\n\n:100644 100644 aa bb R090\told name.rs\tf.rs\n",
            &[("c2", "bb")],
        );
        // A deletion, a link, a line that is cut off.
        check(
            "c3\n\n:100644 000000 aa 00 D\tf.rs\nc2\n\n:100644 120000 aa bb T\tf.rs\nc1\n\n:000000 100644 00 a",
            &[],
        );
    }
}
