//! The relation of a code fence without a name to the one before, by the lines between them.

use super::file_name;

/// First words of a line above a further part of the same file.
const PART: [&str; 20] = [
    "add",
    "also",
    "and",
    "another",
    "append",
    "change",
    "edit",
    "finally",
    "fix",
    "insert",
    "lastly",
    "modify",
    "next",
    "plus",
    "remaining",
    "remove",
    "replace",
    "rest",
    "then",
    "update",
];

/// Words of lines above a sample of use, an output, or an older text.
const OTHER: [&str; 35] = [
    "before",
    "call",
    "calling",
    "check",
    "confirm",
    "display",
    "displays",
    "example",
    "examples",
    "execute",
    "expect",
    "expected",
    "explanation",
    "import",
    "install",
    "layout",
    "like",
    "new",
    "old",
    "original",
    "output",
    "outputs",
    "previously",
    "print",
    "prints",
    "result",
    "results",
    "run",
    "running",
    "structure",
    "test",
    "try",
    "usage",
    "use",
    "verify",
];

/// Relation of a code fence without a name to the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum NextFence {
    /// One more part of the same file.
    Part,
    /// A sample of use, an output, an older text, or another file.
    Other,
    Unknown,
}

/// Reads the lines between two fences.
pub(in crate::dialect) fn relation(between: &[&str]) -> NextFence {
    if between.iter().any(|line| is_other(line)) {
        return NextFence::Other;
    }
    let last = between
        .iter()
        .map(|line| words(line))
        .rfind(|words| !words.is_empty());
    let first = last
        .as_ref()
        .and_then(|words| words.iter().find(|word| *word != "the"));
    if first.is_none_or(|word| PART.contains(&word.as_str())) {
        NextFence::Part
    } else {
        NextFence::Unknown
    }
}

/// Returns `true` for a line that leads to no part of the file: by one of its words, or by the name of a file.
fn is_other(line: &str) -> bool {
    let has_word = words(line)
        .iter()
        .any(|word| OTHER.contains(&word.as_str()));
    has_word || file_name::mentions(line).next().is_some()
}

fn words(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_between_two_fences_show_their_relation() {
        let check = |lines: &[&str], expected: NextFence| {
            assert_eq!(relation(lines), expected, "{lines:?}");
        };
        for line in [
            "",
            "and g:",
            "Also change `g`:",
            "Then the tail:",
            "The rest:",
            "Next, update the second one:",
        ] {
            check(&["", line, ""], NextFence::Part);
        }
        for line in [
            "Run it:",
            "Then run it:",
            "**Output:**",
            "You can use it like this:",
            "The expected result:",
            "Before:",
            "Then, in `src/c.py`:",
        ] {
            check(&[line], NextFence::Other);
        }
        check(&["`g`:"], NextFence::Unknown);
        check(&["The tail:"], NextFence::Unknown);
        // What is above the last line explains the first fence.
        check(&["And that is all.", "", "`g`:"], NextFence::Unknown);
    }
}
