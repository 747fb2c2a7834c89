//! Texts behind the head of a block, graded by whether they omit its body.

use super::phrase::{MOST_WORDS, Placeholder, dots_at, has_word, is_dots, speaks};
use super::placeholder::{of_strings, trailing_comment};

/// Grades of a text behind the head of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StubText {
    /// A comment with dots or words of placeholders, or dots within brackets.
    Omits,
    /// Words of placeholders within brackets, which may be an expression.
    Words,
    /// Dots without brackets, which may be a statement.
    Dots,
    /// Anything else.
    Other,
}

/// Signs that open a comment.
const COMMENTS: [&str; 5] = ["<!--", "/*", "//", "#", "--"];

/// Grades the text behind the head of a block: ` /* unchanged */ }`, `...`.
pub(crate) fn stub_text(path: &str, rest: &str) -> StubText {
    // The quote that closes a key.
    let rest = rest.strip_prefix(['"', '\'', '`']).unwrap_or(rest);
    let text = rest.trim_start_matches(|c: char| c.is_whitespace() || "()[]{}:=>".contains(c));
    let signs = &rest[..rest.len() - text.len()];
    let is_element = signs.starts_with('>');
    let text = match text.split_once("</") {
        Some((text, _)) if is_element => text.trim_end(),
        Some(_) | None => text,
    };
    if let Some(comment) = comment(text) {
        return if is_about_code(comment) {
            StubText::Omits
        } else {
            StubText::Other
        };
    }
    let inner = text.trim_end_matches(|c: char| c.is_whitespace() || ")]}>;,".contains(c));
    if is_element || is_open(signs) {
        in_brackets(path, inner)
    } else if is_dots(inner) {
        StubText::Dots
    } else {
        StubText::Other
    }
}

/// Returns the comment that a text is, also behind a word that does nothing.
fn comment(text: &str) -> Option<&str> {
    let opened = COMMENTS.iter().find_map(|open| text.strip_prefix(open));
    let opened = opened.filter(|text| text.starts_with([' ', '.', '…', '[', '(']));
    let text = opened.or_else(|| trailing_comment(text))?;
    let is_end = |c: char| c.is_whitespace() || "*/)]}>;,-".contains(c);
    Some(text.trim().trim_end_matches(is_end))
}

/// Returns true for a short text with dots at an end or with one of the words of placeholders.
fn is_about_code(text: &str) -> bool {
    let says = speaks(text) || dots_at(text) != (false, false) || is_dots(text);
    says && text.split_whitespace().count() <= MOST_WORDS
}

/// Returns true if signs open a bracket that they do not close.
fn is_open(signs: &str) -> bool {
    let depth = signs.chars().fold(0_usize, |depth, c| match c {
        '(' | '[' | '{' => depth + 1,
        ')' | ']' | '}' => depth.saturating_sub(1),
        _ => depth,
    });
    depth > 0
}

/// Grades a text within brackets. `{ ...rest }` is code, and `{ ... rest }` is not.
fn in_brackets(path: &str, text: &str) -> StubText {
    if is_dots(text) || of_strings(path, text) >= Some(Placeholder::Phrase) {
        return StubText::Omits;
    }
    let words = text.trim_matches(['.', '…']);
    let is_plain = |c: char| c.is_alphabetic() || " '’-".contains(c);
    if !has_word(words) || !words.chars().all(is_plain) {
        return StubText::Other;
    }
    match dots_at(text) {
        (true, true) => StubText::Omits,
        (true, false) | (false, true) if words.contains(' ') && speaks(words) => StubText::Omits,
        (false, false) if speaks(words) => StubText::Words,
        _ => StubText::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rests: &[&str], expected: StubText) {
        for rest in rests {
            assert_eq!(stub_text("a.js", rest), expected, "{rest}");
        }
    }

    #[test]
    fn a_comment_or_brackets_with_dots_or_words_omit_a_body() {
        check(
            &[
                ") { ... }",
                ") { ... });",
                ") => { … },",
                " [...]",
                " { /* unchanged */ }",
                ") { // same as above",
                ": # ...",
                "():  # existing code",
                "(): pass  # unchanged",
                "(): ...  # as before",
                "\">...</ul>",
                "><!-- remaining rows --></ul>",
                ") { ...existing code }",
                " { ... other fields ... }",
            ],
            StubText::Omits,
        );
        check(
            &[") { rest of the code }", " { unchanged }"],
            StubText::Words,
        );
        check(&["): ...", ": ...", " = ..."], StubText::Dots);
        check(
            &[
                "",
                " {}",
                ") { todo!() }",
                ") { // nothing to do",
                " { ...rest };",
                " { ...a };",
                "(...args) {",
                " [rest, more];",
                " { rest: 1 }",
                ": pass",
                "('...')",
                ": #rest",
            ],
            StubText::Other,
        );
    }

    #[test]
    fn strings_of_json_omit_members() {
        for (rest, expected) in [
            ("\": { \"...\": \"...\" },", StubText::Omits),
            ("\": [\"...\"],", StubText::Omits),
            ("\": { \"rest\": \"unchanged\" }", StubText::Omits),
            ("\": { \"test\": \"run the rest\" },", StubText::Other),
            ("\": \"...\",", StubText::Other),
        ] {
            assert_eq!(stub_text("a.json", rest), expected, "{rest}");
        }
        check(&[" [\"...\"];"], StubText::Other);
    }
}
