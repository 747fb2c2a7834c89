//! Lines that replace omitted lines.

/// Opening and closing signs of comments that may hold an elision.
const COMMENTS: [(&str, &str); 20] = [
    ("//", ""),
    ("#", ""),
    ("--", ""),
    (";", ""),
    ("%", ""),
    ("/*", "*/"),
    ("<!--", "-->"),
    ("{/*", "*/}"),
    ("(*", "*)"),
    ("\"\"\"", "\"\"\""),
    ("{#", "#}"),
    ("<%#", "%>"),
    ("<%--", "--%>"),
    ("@*", "*@"),
    ("{{!--", "--}}"),
    ("'", ""),
    ("!", ""),
    ("REM ", ""),
    // The end is forgotten.
    ("<!--", ""),
    ("/*", ""),
];

/// The words that a comment with dots must have one of.
const WORDS: [&str; 15] = [
    "existing",
    "rest",
    "unchanged",
    "same",
    "keep",
    "keeps",
    "kept",
    "other",
    "others",
    "previous",
    "remain",
    "remains",
    "remaining",
    "remainder",
    "omitted",
];

/// A comment of more words than this says something itself.
const MOST_WORDS: usize = 10;

/// Returns `true` for a line that replaces omitted lines: dots alone, as Aider writes them, or a comment like
/// `// ... existing code ...`, as editors with a merging model write it.
///
/// A real comment may look like one; then the file has it, and it is text.
pub fn is_elision(line: &str) -> bool {
    let line = line.trim();
    if matches!(line, "..." | "…") {
        return true;
    }
    COMMENTS.iter().any(|(open, close)| {
        let text = line
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        text.is_some_and(|text| says_so(text.trim()))
    })
}

/// Returns `true` if the text of a comment names what it omits.
fn says_so(text: &str) -> bool {
    let dotted = |text: &str| text.contains("...") || text.contains('…');
    if matches!(text, "..." | "…") {
        return true;
    }
    let lower = text.to_lowercase();
    let edge = lower.starts_with(['.', '…', '[', '(']) || lower.ends_with(['.', '…', ']', ')']);
    let brief = text.split_whitespace().count() <= MOST_WORDS;
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let speaks = words.any(|word| WORDS.contains(&word));
    dotted(text) && edge && brief && speaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_elision_is_dots_or_a_comment_that_says_so() {
        for line in [
            "...",
            "    ...",
            "// ... existing code ...",
            "  # ... existing code ...",
            "# ... rest of the file ...",
            "/* ... existing styles ... */",
            "<!-- ... existing markup ... -->",
            "{/* ... existing code ... */}",
            "<!-- ... existing code ...",
            "{# ... rest of the page ... #}",
            "' ... existing code ...",
            "-- ... existing code ...",
            "// ...existing code...",
            "// …",
            "// (rest of the code remains the same...)",
        ] {
            assert!(is_elision(line), "{line:?}");
        }
        for line in [
            "",
            "// a comment",
            "x = ...",
            "// see the existing code",
            "call(...)",
            "...args",
            "# and so on...",
            "// Another way would be to keepsake them, but...",
            "// otherwise it is restored...",
            "// ... says that a flag may be given more than once, and then the previous value is kept.",
        ] {
            assert!(!is_elision(line), "{line:?}");
        }
    }
}
