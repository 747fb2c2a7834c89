//! Texts of comments and phrases, graded by the dots, the brackets and the words in them.

/// Grades of likeness to a placeholder for omitted code. Weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Placeholder {
    /// Signs alone, or a comment that looks like code.
    Signs,
    /// A line of code with a comment that may be about omitted code.
    Stub,
    /// Dots in a place where they are also a statement (`...` below `def f():`).
    Statement,
    /// Any comment or short bracketed phrase.
    Comment,
    /// A comment or a phrase with dots or with a word such as *rest* or *unchanged*.
    Phrase,
    /// Dots alone, or a phrase between dots.
    Dots,
}

/// Brackets that agents put around a phrase.
const BRACKETS: [(char, char); 8] = [
    ('[', ']'),
    ('(', ')'),
    ('<', '>'),
    ('{', '}'),
    ('«', '»'),
    ('【', '】'),
    ('（', '）'),
    ('［', '］'),
];

/// Words that raise a comment to a [`Placeholder::Phrase`].
pub(super) const WORDS: [&str; 29] = [
    "above",
    "below",
    "before",
    "brevity",
    "elided",
    "etc",
    "everything",
    "existing",
    "intact",
    "keep",
    "keeps",
    "kept",
    "omitted",
    "other",
    "others",
    "previous",
    "remain",
    "remainder",
    "remaining",
    "remains",
    "rest",
    "same",
    "skipped",
    "snip",
    "snipped",
    "truncated",
    "unchanged",
    "unmodified",
    "untouched",
];

/// A text of more words is no phrase.
pub(super) const MOST_WORDS: usize = 12;

/// Grades the text of a comment, or of a bare phrase.
pub(super) fn of_text(text: &str) -> Option<Placeholder> {
    let text = text.trim();
    if is_dots(text) {
        return Some(Placeholder::Dots);
    }
    if text.split_whitespace().count() > MOST_WORDS {
        return None;
    }
    let (inner, bracketed) = unbracketed(text);
    let speaks = speaks(inner);
    match dots_at(inner) {
        (true, true) => Some(Placeholder::Dots),
        (true, false) | (false, true) if speaks => Some(Placeholder::Dots),
        (true, false) => Some(Placeholder::Phrase),
        _ if speaks || bracketed => Some(Placeholder::Phrase),
        _ => None,
    }
}

/// Grades a line of plain words by its dots and its words, wherever it is; `None` for any other line.
pub(crate) fn phrase_grade(line: &str) -> Option<Placeholder> {
    let inner = unbracketed(line.trim()).0;
    let is_text = is_phrase(inner) || inner.chars().all(char::is_alphabetic) || is_dots(inner);
    let grade = of_text(line).filter(|_| is_text)?;
    (speaks(inner) || dots_at(inner) != (false, false)).then_some(grade)
}

/// Returns `true` for a text with one of the words of placeholders, and more beside it.
pub(crate) fn speaks(text: &str) -> bool {
    count_words(text) > 0
}

/// Returns true for a text with dots, with brackets or with two of the words of placeholders, which is no content of a page.
pub(crate) fn is_explicit(text: &str) -> bool {
    let (inner, bracketed) = unbracketed(text.trim());
    bracketed || dots_at(inner) != (false, false) || is_dots(inner) || count_words(inner) > 1
}

/// Counts the words of placeholders in a text.
fn count_words(text: &str) -> usize {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| WORDS.contains(word)).count()
}

/// Takes off brackets, also with one sign of emphasis around them, or rules of dashes and equals signs, around a phrase.
pub(super) fn unbracketed(text: &str) -> (&str, bool) {
    let (inner, bracketed) = inside_brackets(text);
    let plain = text.trim_matches(['*', '_']);
    let (emphasized, is_emphasized) = inside_brackets(plain);
    let (text, bracketed) = if is_emphasized && text.len() == plain.len() + 2 {
        (emphasized, true)
    } else {
        (inner, bracketed)
    };
    let inner = text.trim_matches(['-', '=', '~', '*', '_']);
    let ruled = inner.len() + 4 <= text.len() && text.starts_with(['-', '=', '~', '*', '_']);
    if ruled {
        (inner.trim(), true)
    } else {
        (text, bracketed)
    }
}

/// Takes off brackets around a phrase.
pub(super) fn inside_brackets(mut text: &str) -> (&str, bool) {
    let mut bracketed = false;
    while let Some(inner) = (BRACKETS.into_iter())
        .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close))
    {
        text = inner.trim();
        bracketed = true;
    }
    (text, bracketed)
}

/// Finds dots at the beginning and at the end of a text.
pub(super) fn dots_at(text: &str) -> (bool, bool) {
    let text = text.trim();
    let start = text.starts_with("...") || text.starts_with('…') || text.starts_with(". . .");
    let end = text.ends_with("...") || text.ends_with('…') || text.ends_with(". . .");
    (start, end)
}

/// Returns `true` for a text of three dots or more with nothing but signs around them.
pub(super) fn is_dots(text: &str) -> bool {
    let dots = text
        .chars()
        .filter(|c| matches!(c, '.' | '…' | '⋮' | '⋯'))
        .count();
    let ellipsis = text.contains(['…', '⋮', '⋯']) || dots >= 3;
    ellipsis
        && text.chars().all(|c| {
            let quotes = matches!(c, '"' | '\'' | '`' | ',');
            matches!(c, '…' | '⋮' | '⋯' | ' ') || (c.is_ascii_punctuation() && !quotes)
        })
}

/// Returns `true` for a text of words and the punctuation of a sentence.
pub(super) fn is_phrase(text: &str) -> bool {
    let sentence =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || ".,…-–—'’/&:（）()".contains(c);
    text.contains(char::is_alphabetic)
        && text.chars().all(|c| sentence(c) || !c.is_ascii())
        && (text.contains(' ') || !text.is_ascii() || dots_at(text) != (false, false))
}

/// Returns true for a text with a letter or a digit.
pub(crate) fn has_word(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}
