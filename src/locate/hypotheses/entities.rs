//! Bodies without HTML entities, or without the backslashes before their quotes.

use crate::proposal::Body;

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
pub(crate) fn unescaped(body: &Body) -> Option<Body> {
    let plain = if body.preimage.iter().any(|line| may_hold_entity(line)) {
        without_entities(body)
    } else {
        without_backslashes(body)?
    };
    (plain.preimage != body.preimage).then_some(plain)
}

/// Returns true if a text contains `&`: a cheap test that most lines fail.
fn may_hold_entity(text: &str) -> bool {
    memchr::memchr(b'&', text.as_bytes()).is_some()
}

/// Returns the body without the backslashes before its quotes, if all quotes of a kind have one.
pub(crate) fn without_backslashes(body: &Body) -> Option<Body> {
    let lines = || body.preimage.iter().chain(&body.postimage);
    if !lines().any(|line| line.contains('\\')) || lines().any(|line| line.contains("\\\\")) {
        return None;
    }
    let mut bare: Option<Body> = None;
    for quote in ["\"", "'", "`"] {
        let mut places =
            lines().flat_map(|line| line.match_indices(quote).map(move |(at, _)| &line[..at]));
        let is_escaped = |before: &str| before.ends_with('\\');
        if places.next().is_some_and(is_escaped) && places.all(is_escaped) {
            let body = bare.get_or_insert_with(|| body.clone());
            for line in body.preimage.iter_mut().chain(&mut body.postimage) {
                *line = line.replace(&format!("\\{quote}"), quote);
            }
        }
    }
    bare
}

/// Returns the body with the characters of its entities.
pub(crate) fn without_entities(body: &Body) -> Body {
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

/// Returns the body with a typewriter's blanks and quotes for those of typesetting, as a page or a mail program makes of all of
/// them, if its preimage has any.
pub(crate) fn untypeset(body: &Body) -> Option<Body> {
    if body.preimage.iter().all(|line| line.is_ascii()) {
        return None;
    }
    let typed = Body {
        preimage: body.preimage.iter().map(|line| typed(line)).collect(),
        postimage: body.postimage.iter().map(|line| typed(line)).collect(),
    };
    (typed.preimage != body.preimage).then_some(typed)
}

/// Returns a line with a typewriter's blanks and quotes.
fn typed(line: &str) -> String {
    let typed = line.chars().map(|c| match c {
        '\u{201C}' | '\u{201D}' => '"',
        '\u{2018}' | '\u{2019}' => '\'',
        c if c.is_whitespace() && !c.is_ascii() => ' ',
        c => c,
    });
    typed.collect()
}

/// Returns the character of the entity that a text begins with, and the length of the entity in bytes.
pub(crate) fn entity(text: &str) -> Option<(char, usize)> {
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
