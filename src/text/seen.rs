//! Text as people are to see it: nothing in it moves the cursor, hides or turns what stands beside it.

use std::borrow::Cow;

/// Whether a character is not to be seen or changes how its neighbours read. The joiners and variation selectors inside
/// an emoji are neither.
pub fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'
                ..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        )
}

/// A control character as its picture, any other as its number.
pub fn sign(c: char) -> String {
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).map_or_else(String::new, String::from),
        0x7f => "␡".to_owned(),
        code => format!("<{code:04X}>"),
    }
}

/// Lines as they are safe to print: what misleads is shown by its sign, but for tabs.
pub fn seen(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c != '\n' && c != '\t' && misleads(c))
}

/// A name, which is one line whatever is in it.
pub fn seen_name(name: &str) -> Cow<'_, str> {
    replaced(name, misleads)
}

fn replaced(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_replaced) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| {
        if is_replaced(c) {
            sign(c)
        } else {
            c.to_string()
        }
    };
    Cow::Owned(text.chars().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_misleads_is_shown_by_its_sign() {
        let check = |text: &str, lines: &str, name: &str| {
            assert_eq!((&*seen(text), &*seen_name(text)), (lines, name), "{text:?}");
        };
        check("a é 漢 🌙", "a é 漢 🌙", "a é 漢 🌙");
        check("a\x1b[2Jb", "a␛[2Jb", "a␛[2Jb");
        check("a\n\tb\r\n", "a\n\tb␍\n", "a␊␉b␍␊");
        check("x\u{202e}y\u{9b}z", "x<202E>y<009B>z", "x<202E>y<009B>z");
    }
}
