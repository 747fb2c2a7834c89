//! The files of a working tree that hold some lines.

use std::path::Path;
use std::time::Duration;

use super::query::ask_for;

/// Returns the names of the text files below a root that hold all of these lines, in any order; ignored files are left out. What
/// git has found when the time is over is returned; nothing without git and without a repository.
pub(crate) fn files_with(root: &Path, lines: &[&str], patience: Duration) -> Vec<String> {
    let mut arguments = vec![
        "grep",
        "--untracked",
        "--files-with-matches",
        "--null",
        "--fixed-strings",
        "--no-textconv",
        "--no-color",
        "-I",
        "--all-match",
    ];
    arguments.extend(lines.iter().flat_map(|line| ["-e", line]));
    let found = ask_for(root, &arguments, patience);
    // A name without its end was cut off.
    let Some(last) = found.iter().rposition(|byte| *byte == 0) else {
        return Vec::new();
    };
    let names = found[..last].split(|byte| *byte == 0);
    let names = names.filter_map(|name| std::str::from_utf8(name).ok());
    names.map(str::to_owned).collect()
}
