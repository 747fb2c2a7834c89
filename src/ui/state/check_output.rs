//! Lines of files that the output of a check command names.

use std::collections::BTreeSet;

use crate::review::{HunkId, ReviewSession, hunk_that_adds};
use crate::text::LineNo;

/// Maximum number of lines that are listed.
const MOST: usize = 5;

/// Returns the added lines that an output names, with the hunks that add them, at most [`MOST`].
pub(super) fn changed_lines(session: &ReviewSession, output: &[String]) -> Vec<(HunkId, LineNo)> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for line in output {
        for (file, review) in session.files.iter().enumerate() {
            for number in numbers_after(line, &review.path) {
                if !known.insert((file, number)) {
                    continue;
                }
                let hunk = hunk_that_adds(review, number.idx());
                found.extend(hunk.map(|hunk| (HunkId { file, hunk }, number)));
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// Returns the line numbers that follow a file's path in a line of output, as in `a.rs:3`, `a.rs(3,1)` and `"a.rs", line 3`. The
/// path is relative to the root, or absolute.
fn numbers_after(output: &str, path: &str) -> Vec<LineNo> {
    let numbers = output.match_indices(path).filter_map(|(at, _)| {
        let ends_word = |c: char| c.is_whitespace() || "\"'([<=".contains(c);
        let folders = output[..at].rsplit(ends_word).next().unwrap_or_default();
        let is_absolute = folders.starts_with('/') && folders.ends_with('/');
        let rest = &output[at + path.len()..];
        let marks = [":", "(", "\", line ", "', line ", ", line "];
        let digits = marks.iter().find_map(|mark| rest.strip_prefix(mark))?;
        let end = digits.find(|c: char| !c.is_ascii_digit());
        let number = digits[..end.unwrap_or(digits.len())].parse().ok()?;
        LineNo::new(number).filter(|_| is_absolute || matches!(folders, "" | "./"))
    });
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_name_lines_in_several_ways() {
        let check = |output: &str, expected: &[usize]| {
            let found = numbers_after(output, "src/a.rs");
            let found: Vec<usize> = found.into_iter().map(LineNo::get).collect();
            assert_eq!(found, expected, "{output}");
        };
        check("src/a.rs:12:5: error: x", &[12]);
        check("  --> ./src/a.rs:7", &[7]);
        check("/tmp/copy-x/src/a.rs(3,1): error", &[3]);
        check("  File \"/tmp/x/src/a.rs\", line 9, in f", &[9]);
        check("at f (src/a.rs:4:2) and (src/a.rs:6:2)", &[4, 6]);
        check("other/src/a.rs:12", &[]);
        check("src/a.rst:12", &[]);
        check("src/a.rs:0, src/a.rs:x, src/a.rs", &[]);
        check("src/a.rs:99999999999999999999999", &[]);
    }
}
