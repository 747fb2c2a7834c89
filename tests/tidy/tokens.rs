//! Just enough of Rust's lexical grammar to find names: comments and literals are passed over.
//!
//! Source: the Rust Reference, "Lexical structure".

/// A name or a single sign of punctuation, and the line it stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Whether this is a name or a keyword (`_` and numbers count too; no rule asks for them).
    pub(crate) fn is_name(self) -> bool {
        self.text.starts_with(is_name_part)
    }
}

/// The tokens of `source`; `::` is one of them, all other punctuation comes sign by sign.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let (length, is_token) = measure(rest, first);
        let (text, after) = rest.split_at(length);
        if is_token {
            let text = text.strip_prefix("r#").unwrap_or(text);
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

/// The length of what `rest` begins with, and whether it is a token rather than a blank, a comment or a literal.
fn measure(rest: &str, first: char) -> (usize, bool) {
    if rest.starts_with("//") {
        (rest.find('\n').unwrap_or(rest.len()), false)
    } else if rest.starts_with("/*") {
        (block_comment(rest), false)
    } else if let Some(length) = literal(rest) {
        (length, false)
    } else if rest.starts_with("::") {
        (2, true)
    } else if first.is_whitespace() {
        (first.len_utf8(), false)
    } else if is_name_part(first) {
        let prefix = if rest.starts_with("r#") { 2 } else { 0 };
        let name = &rest[prefix..];
        let end = name.find(|c| !is_name_part(c)).unwrap_or(name.len());
        (prefix + end, true)
    } else {
        (first.len_utf8(), true)
    }
}

fn is_name_part(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of a comment that may hold others.
fn block_comment(rest: &str) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < rest.len() {
        let step = match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
    }
    rest.len()
}

/// The length of the string or character that `rest` begins with, if it does.
fn literal(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "b", "c", "r", ""]
        .into_iter()
        .find(|prefix| rest.strip_prefix(prefix).is_some_and(opens_literal))?;
    let body = &rest[prefix.len()..];
    if body.starts_with('\'') {
        return character(body).map(|length| prefix.len() + length);
    }
    let hashes = body.len() - body.trim_start_matches('#').len();
    let end = if prefix.ends_with('r') {
        let close = format!("\"{}", "#".repeat(hashes));
        let start = hashes + 1;
        body[start..].find(&close).map(|i| start + i + close.len())
    } else if hashes == 0 {
        quoted(body, '"')
    } else {
        return None;
    };
    Some(prefix.len() + end.unwrap_or(body.len()))
}

fn opens_literal(body: &str) -> bool {
    body.starts_with('\'') || body.trim_start_matches('#').starts_with('"')
}

/// The length of a character; `None` for a lifetime or a label.
fn character(body: &str) -> Option<usize> {
    let mut inner = body.chars().skip(1);
    match (inner.next()?, inner.next()?) {
        ('\\', _) => quoted(body, '\''),
        (c, '\'') => Some(2 + c.len_utf8()),
        _ => None,
    }
}

/// The length up to the next unescaped `quote`, the opening one not counted as such.
fn quoted(body: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in body.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == quote {
            return Some(i + c.len_utf8());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let found: Vec<_> = tokens(source).iter().map(|token| token.text).collect();
        assert_eq!(found.join(" "), expected, "{source}");
    }

    #[test]
    fn names_are_found_between_comments_and_literals() {
        check("use crate::{a, b::*};", "use crate :: { a , b :: * } ;");
        check("a // b\n/* c /* d */ e */ f", "a f");
        check(r#"x("a\"b", 'c', '\'', b'd', "é") y"#, "x ( , , , , ) y");
        check(r###"r#"a "b" c"# r##"d"# e"## br"f" z"###, "z");
        check(
            "fn f<'a>(s: &'a str) {}",
            "fn f < ' a > ( s : & ' a str ) { }",
        );
        check("r#type::r#use", "type :: use");
    }

    #[test]
    fn lines_are_counted_from_one() {
        let lines: Vec<_> = tokens("a\n\"b\n\" c\n/*\n*/ d")
            .iter()
            .map(|t| t.line)
            .collect();
        assert_eq!(lines, [1, 3, 5]);
    }
}
