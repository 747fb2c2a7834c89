//! Edits whose characters were escaped as HTML entities, or whose quotes were escaped with backslashes: all of them or none.
//!
//! The file decides: a preimage that matches without its entities and not with them was escaped. The lines that such an edit
//! adds were escaped with it, and so were those of the other hunks of the file, even where their own preimages have nothing to
//! escape.

use std::borrow::Cow;

use super::place::Change;
use super::search::Sought;
use crate::proposal::{Body, Extent, Hunk};
use crate::text::Document;

/// Entities with a name, and their characters. Any other ASCII punctuation has its number.
const NAMED: [(&str, char); 5] = [
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("amp", '&'),
];
/// Maximum length of the name or number of an entity for ASCII punctuation, leading zeros of some writers included.
const LONGEST: usize = 8;

/// Returns the body without escapes, if its preimage has any.
pub(super) fn unescaped(body: &Body) -> Option<Body> {
    let plain = if body.preimage.iter().any(|line| may_hold_entity(line)) {
        without_entities(body)
    } else {
        without_backslashes(body)?
    };
    (plain.preimage != body.preimage).then_some(plain)
}

/// The kinds of escapes in the hunks of one file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Escapes {
    entities: bool,
    backslashes: bool,
}

impl Escapes {
    /// Returns the kinds of escapes that the readings of the hunks show.
    pub(super) fn of(sought: &[(usize, Sought<'_>)]) -> Self {
        let read_otherwise = || {
            // Most bodies are borrowed from the hunk, and need no comparison.
            let sought = sought.iter().map(|(_, one)| one);
            sought
                .filter(|found| matches!(&found.body, Cow::Owned(body) if *body != found.hunk.body))
        };
        Self {
            entities: read_otherwise()
                .any(|found| without_entities(&found.hunk.body) == *found.body),
            backslashes: read_otherwise().any(|found| {
                without_backslashes(&found.hunk.body).is_some_and(|plain| plain == *found.body)
            }),
        }
    }

    /// Returns a body whose preimage has nothing to escape without the escapes of the other hunks.
    pub(super) fn taken_from(self, body: &Body) -> Option<Body> {
        let plain = if self.entities && may_be_escaped(body) {
            Some(without_entities(body))
        } else if self.backslashes {
            without_backslashes(body).filter(|plain| plain.preimage == body.preimage)
        } else {
            None
        };
        plain.filter(|plain| plain != body)
    }

    /// Returns a hunk whose halves are a text without these escapes; `None` for others.
    pub(super) fn taken_from_text(self, hunk: &Hunk) -> Option<Hunk> {
        if !matches!(
            hunk.extent,
            Extent::Text | Extent::EveryText | Extent::Texts(_)
        ) {
            return None;
        }
        let body = self.taken_from(&hunk.body)?;
        let hunk = hunk.clone();
        Some(Hunk { body, ..hunk })
    }
}

/// Returns true if a hunk adds entities and nothing shows if they are escapes: its preimage has no `<`, `>` or `&`, its
/// postimage none that is bare, the file has no entities, and it is no markup.
pub fn adds_doubtful_entities(document: &Document, hunk: &Hunk, changes: &[Change]) -> bool {
    let has_any = |text: &str| {
        let mut ampersands = memchr::memchr_iter(b'&', text.as_bytes());
        ampersands.any(|at| entity(&text[at..]).is_some())
    };
    let is_markup = |text: &str| text.contains("</") || text.contains("/>");
    let mut added = changes.iter().flat_map(|change| &change.with);
    added.any(|line| has_any(line))
        && may_be_escaped(&hunk.body)
        && !has_any(document.text())
        && !is_markup(document.text())
}

/// Returns true if a text contains `&`: a cheap test that most lines fail.
fn may_hold_entity(text: &str) -> bool {
    memchr::memchr(b'&', text.as_bytes()).is_some()
}

/// Returns true if a body with a match may be escaped: its preimage has nothing to escape, and its postimage has nothing
/// unescaped.
fn may_be_escaped(body: &Body) -> bool {
    let begins_entity = |rest: &str| entity(rest).is_some();
    let is_bare = |line: &String| !line.contains(['<', '>', '&']);
    let is_escaped = |line: &String| {
        let mut ampersands = line.match_indices('&').map(|(at, _)| &line[at..]);
        !line.contains(['<', '>']) && ampersands.all(begins_entity)
    };
    body.preimage.iter().all(is_bare) && body.postimage.iter().all(is_escaped)
}

/// Returns the body without the backslashes before its quotes, if all quotes of a kind have one.
fn without_backslashes(body: &Body) -> Option<Body> {
    let lines = || body.preimage.iter().chain(&body.postimage);
    if !lines().any(|line| line.contains('\\')) || lines().any(|line| line.contains("\\\\")) {
        return None;
    }
    let is_escaped = |quote: &char| {
        let escaped = |line: &String| {
            let mut quotes = line.match_indices(*quote);
            quotes.all(|(at, _)| line[..at].ends_with('\\'))
        };
        lines().any(|line| line.contains(*quote)) && lines().all(escaped)
    };
    let quotes: Vec<char> = ['"', '\'', '`'].into_iter().filter(is_escaped).collect();
    let bare = |line: &String| {
        quotes.iter().fold(line.clone(), |line, quote| {
            line.replace(&format!("\\{quote}"), &quote.to_string())
        })
    };
    (!quotes.is_empty()).then(|| Body {
        preimage: body.preimage.iter().map(bare).collect(),
        postimage: body.postimage.iter().map(bare).collect(),
    })
}

fn without_entities(body: &Body) -> Body {
    let plain = |line: &String| {
        let mut plain = String::with_capacity(line.len());
        let mut rest = line.as_str();
        while let Some(at) = memchr::memchr(b'&', rest.as_bytes()) {
            let (character, len) = entity(&rest[at..]).unwrap_or(('&', 1));
            plain.push_str(&rest[..at]);
            plain.push(character);
            rest = &rest[at + len..];
        }
        plain + rest
    };
    Body {
        preimage: body.preimage.iter().map(plain).collect(),
        postimage: body.postimage.iter().map(plain).collect(),
    }
}

/// Returns the character of the entity that a text begins with, and the length of the entity in bytes.
fn entity(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = &rest[..end];
    let character = if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u8::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        code.ok().map(char::from).filter(char::is_ascii_punctuation)
    } else {
        let of_name = |(known, character): &(&str, char)| (*known == name).then_some(*character);
        NAMED.iter().find_map(of_name)
    };
    Some((character?, end + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str) {
        let body = Body {
            preimage: vec![line.to_owned()],
            postimage: Vec::new(),
        };
        assert_eq!(without_entities(&body).preimage, [expected], "{line:?}");
    }

    #[test]
    fn an_entity_is_read_by_its_name_or_its_number() {
        check("if (a &lt; b &amp;&amp; c &gt; d)", "if (a < b && c > d)");
        check("&quot;a&quot; &apos;b&apos; &#39;c&#039;", "\"a\" 'b' 'c'");
        check("&#x27;a&#x27; &#x2F; &#X60; &#34; &#x003C;", "'a' / ` \" <");
        check("&amp;lt; &amp;#x27;", "&lt; &#x27;");
        check(
            "&nbsp; &#169; &#65; & &; &#; a&b;",
            "&nbsp; &#169; &#65; & &; &#; a&b;",
        );
    }
}
