//! Comments and prose, which may be put differently, and what tells them from code.

use super::rewording::names;
use super::similarity;

/// What a comment must at least have in common with the file's.
const COMMENT: f64 = 0.5;
/// What a comment begins with; those that begin something else as well are told by the blank after them.
const COMMENTS: [&str; 8] = ["//", "/*", "<!--", "\"\"\"", "'''", "* ", "-- ", "; "];
/// What no sentence has.
const CODE: [char; 12] = ['(', ')', '{', '}', '[', ']', '=', '<', '>', ';', '_', '"'];
/// What statements begin with that need no such sign.
const STATEMENTS: [&str; 38] = [
    "assert", "await", "break", "case", "catch", "class", "const", "def", "default", "del", "elif",
    "else", "export", "extends", "fn", "for", "from", "func", "global", "if", "import", "include",
    "let", "new", "package", "private", "public", "raise", "require", "return", "static", "throw",
    "type", "use", "val", "var", "while", "with",
];
/// Words of sentences, one of which nearly every one has, and that no language uses as a word of its own.
const SENTENCES: [&str; 25] = [
    "a", "an", "are", "be", "been", "can", "has", "have", "it", "its", "may", "must", "should",
    "that", "the", "their", "there", "these", "they", "was", "which", "will", "would", "you",
    "your",
];

/// Whether two lines are comments, or both prose.
pub(super) fn are_prose(edit: &str, file: &str) -> bool {
    (is_comment(edit) && is_comment(file)) || (is_prose(edit) && is_prose(file))
}

/// Whether such a line says what the other does in other words: with the same numbers.
pub(super) fn is_retold(edit: &str, file: &str) -> bool {
    numbers(edit).eq(numbers(file)) && similarity(edit, file) >= COMMENT
}

fn is_comment(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    COMMENTS.iter().any(|sign| line.starts_with(sign))
        || (heading.len() < line.len() && heading.starts_with(' '))
}

/// Whether a line reads like a sentence, and not like a statement, a key with its value, or what is told to a shell.
fn is_prose(line: &str) -> bool {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
    let mut words = item.unwrap_or(line).split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    let is_command = first.len() > 1 && first.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_name = |name: &str| {
        name.chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
    };
    let is_key = first.strip_suffix(':').is_some_and(is_name) || line.ends_with(':');
    let is_marked_up = || line.contains("**") || line.contains('`');
    let is_sentence = || {
        let mut names = names(line);
        names.any(|name| SENTENCES.contains(&name.to_lowercase().as_str()))
    };
    !line.contains(CODE)
        && words.count() >= 2
        && (is_marked_up() || is_sentence())
        && !is_key
        && !is_command
        && !STATEMENTS.contains(&first)
}

/// The line up to a comment at its end.
pub(super) fn without_comment(line: &str) -> &str {
    let signs = [" //", " # ", " /*"].into_iter();
    let end = signs.filter_map(|sign| line.find(sign)).min();
    &line[..end.unwrap_or(line.len())]
}

fn numbers(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
}
