//! The line of `git diff --stat` above a diff: ` 2 files changed, 3 insertions(+), 1 deletion(-)`.
//!
//! A diff that is cut off between two hunks or files is whole by its own counts; only this line shows that something is missing.
//! <https://git-scm.com/docs/git-format-patch>

use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::proposal::FileChange;
use crate::text::{LineIdx, plural};

/// Numbers of files, of added and of removed lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Totals {
    files: usize,
    added: usize,
    removed: usize,
}

/// Names the last patch of an input that ends with it and has less than the line above it counts.
pub(in crate::dialect) fn check(input: &Input, parsed: &mut Parsed) {
    let Some(end) = input.last_text().filter(|_| input.is_open_end()) else {
        return;
    };
    let files = &parsed.proposal.files;
    let ends_input = |file: &&FileChange| file.span.last >= input.number(end);
    let Some(last) = files.iter().find(ends_input) else {
        return;
    };
    let start = input.number(0).idx();
    let mut above = (0..last.span.first.idx().saturating_sub(start)).rev();
    let Some((at, stated)) = above.find_map(|at| Some((at, stated(input, at)?))) else {
        return;
    };
    let line = input.number(at);
    let is_below = |file: &&FileChange| file.span.first > line && file.dialect == "unified";
    let mut found = Totals::default();
    for file in files.iter().filter(is_below) {
        found.files += 1;
        let (first, end) = (file.span.first.idx() - start, file.span.last.get() - start);
        found.add_lines(input.lines(first..end));
    }
    if found.files < stated.files || found.added < stated.added || found.removed < stated.removed {
        let error = ParseError::new(at, found.in_words(), stated.in_words());
        let problem = error.into_problem(input, at..at + 1, "unified", None);
        parsed.problems.push(problem);
    }
}

impl Totals {
    /// Adds the lines of a file's section.
    fn add_lines(&mut self, lines: &[&str]) {
        let hunks = lines.iter().skip_while(|line| !line.starts_with("@@"));
        for line in hunks {
            self.added += usize::from(line.starts_with('+'));
            self.removed += usize::from(line.starts_with('-'));
        }
    }

    fn in_words(self) -> String {
        let Self {
            files,
            added,
            removed,
        } = self;
        format!(
            "a patch of {} with {added} added and {removed} removed lines",
            plural(files, "file")
        )
    }
}

/// Returns `true` for a line of totals right above a diff of git.
pub(in crate::dialect) fn is_above_diff(input: &Input, at: LineIdx) -> bool {
    stated(input, at).is_some()
}

/// Reads the totals on a line, if a diff of git follows.
fn stated(input: &Input, at: LineIdx) -> Option<Totals> {
    let line = input.line(at)?.strip_prefix(' ')?;
    let next = input.line(input.skip_blank(at + 1))?;
    let mut totals = Totals::default();
    for (i, part) in line.trim_end().split(", ").enumerate() {
        let (number, unit) = part.split_once(' ')?;
        let number = number.parse().ok()?;
        match (i, unit) {
            (0, "file changed" | "files changed") => totals.files = number,
            (1.., "insertion(+)" | "insertions(+)") => totals.added = number,
            (1.., "deletion(-)" | "deletions(-)") => totals.removed = number,
            _ => return None,
        }
    }
    let is_diff = next.starts_with("diff --git ") || is_summary(next);
    is_diff.then_some(totals)
}

/// Returns `true` for a line of `git diff --summary`, which may be between the totals and the diff.
fn is_summary(line: &str) -> bool {
    const WORDS: [&str; 6] = [
        " create mode ",
        " delete mode ",
        " mode change ",
        " rename ",
        " copy ",
        " rewrite ",
    ];
    WORDS.iter().any(|word| line.starts_with(word))
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    const HUNK: &str = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n";

    #[test]
    fn a_patch_has_what_the_line_above_it_counts() {
        let check = |totals: &str, below: &str, expected: &str| {
            let text = format!("Subject: a\n\n---\n f | 2 +-\n {totals}\n\n{HUNK}{below}");
            let found = parse(&text, &Options::default()).problems;
            let found: Vec<_> = found.iter().map(ToString::to_string).collect();
            assert_eq!(found.join("\n"), expected, "{text}");
        };
        check("1 file changed, 1 insertion(+), 1 deletion(-)", "", "");
        check("1 file changed, 1 insertion(+)", "", "");
        check(
            "2 files changed, 3 insertions(+), 1 deletion(-)",
            "",
            "line 5 of the input: found a patch of 1 file with 1 added and 1 removed lines, expected a patch of 2 files with 3 added and 1 removed lines",
        );
        check(
            "1 file changed, 2 insertions(+), 1 deletion(-)",
            "",
            "line 5 of the input: found a patch of 1 file with 1 added and 1 removed lines, expected a patch of 1 file with 2 added and 1 removed lines",
        );
        // The signature of the mail shows that it is whole: somebody has left a part out.
        check("2 files changed, 3 insertions(+)", "-- \n2.47.3\n", "");
        check("many files changed", "", "");
    }
}
