//! Sections of a file: its parts that begin with a line that is not indented.

use crate::review::session::file::FileReview;
use crate::review::session::hunk::HunkReview;

/// Words with which a line begins that only names other modules.
pub(super) const IMPORTS: [&str; 6] = [
    "use ", "pub use ", "import ", "from ", "#include", "require",
];
/// The part of a file that a line is in, as far as it shows whether the line is part of a test.
#[derive(Debug, Default)]
pub(super) struct SourceSection {
    /// The base line up to which it is known.
    done: usize,
    is_test: bool,
}

impl SourceSection {
    /// Returns true if the line is part of a test.
    pub(super) fn is_test(&self) -> bool {
        self.is_test
    }

    /// Goes on to the first changed line of a hunk.
    pub(super) fn advance(&mut self, file: &FileReview, hunk: &HunkReview) {
        let Some(first) = hunk.proposed.first() else {
            return;
        };
        let end = first.at.min(file.base.len());
        let mut above = (self.done..end).rev().map(|line| file.base.line(line));
        if let Some(heading) = above.find(|line| is_heading(line)) {
            self.is_test = is_of_test(heading);
        }
        self.done = self.done.max(end);
    }

    /// Takes note of a changed line.
    pub(super) fn pass(&mut self, line: &str) {
        if is_heading(line) {
            self.is_test = is_of_test(line);
        }
    }
}

/// Returns true if a line begins a part of a file: it is not indented and has words, and is neither a comment nor an import.
fn is_heading(line: &str) -> bool {
    let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
    line.starts_with(char::is_alphabetic) && !begins(&IMPORTS)
}

/// Returns true if a heading names a test.
fn is_of_test(heading: &str) -> bool {
    let mut words = heading.split(|c: char| !c.is_alphanumeric());
    words.any(|word| matches!(word, "test" | "tests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_that_names_a_test_begins_one() {
        let check = |line: &str, expected: Option<bool>| {
            let found = is_heading(line).then(|| is_of_test(line));
            assert_eq!(found, expected, "{line}");
        };
        check("mod tests {", Some(true));
        check("def test_send():", Some(true));
        check("fn send() {", Some(false));
        check("fn latest() {", Some(false));
        check("use crate::tests;", None);
        check("    fn test_send() {", None);
        check("}", None);
        check("", None);
    }
}
