//! Sanitizes text for display: no control sequences, no invisible characters, no lookalikes, no change of direction.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Zero-width joiner.
const JOINER: char = '\u{200d}';
/// Zero-width non-joiner.
const NON_JOINER: char = '\u{200c}';
/// Black flag, the first character of the flags of regions; tag characters follow it.
const BLACK_FLAG: char = '\u{1f3f4}';

/// Returns true if a grapheme holds an invisible character, or one that changes how its neighbours read. The joiners and
/// selectors of letters and emoji are allowed where there is something to join or to select.
pub fn misleads(grapheme: &str) -> bool {
    let is_flag = grapheme.starts_with(BLACK_FLAG);
    let mut before = None;
    grapheme.chars().any(|c| {
        let follows = before.replace(c);
        match c {
            JOINER | NON_JOINER => follows.is_none_or(|before| before.is_ascii()),
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                follows.is_none_or(|before| before.is_ascii_alphabetic() || is_selector(before))
            }
            '\u{e0000}'..='\u{e007f}' => !is_flag,
            _ => hides(c),
        }
    })
}

/// Returns a visible form of a character: the sign for a blank for unusual blanks, the picture of a control character, the
/// code point in hexadecimal digits of any other invisible character.
pub fn visible(c: char) -> String {
    match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).map_or_else(String::new, String::from),
        0x7f => "␡".to_owned(),
        _ if is_odd_blank(c) => "␣".to_owned(),
        code if hides(c) || is_selector(c) || c.width().is_none_or(|width| width == 0) => {
            format!("<{code:04X}>")
        }
        _ => c.to_string(),
    }
}

/// Returns a text that is safe to print: characters that mislead are made visible. Line ends and tabs are kept.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    replaced(text, |c| matches!(c, '\n' | '\t'))
}

/// Returns a name that is safe to print, as one line: line ends and tabs are made visible too.
pub fn sanitize_name(name: &str) -> Cow<'_, str> {
    replaced(name, |_| false)
}

fn replaced(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    // Fast path: most texts hold nothing else.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') || byte.is_ascii() && stays(byte.into());
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        if misleads(grapheme) || grapheme.width() == 0 {
            for c in grapheme.chars() {
                if stays(c) {
                    shown.push(c);
                } else {
                    shown.push_str(&visible(c));
                }
            }
        } else {
            shown.push_str(grapheme);
        }
    }
    Cow::Owned(shown)
}

/// Returns true if a character is invisible, looks like a blank and is none, or changes how its neighbours read: Unicode's
/// default ignorable code points (<https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point>), controls, line
/// separators, and characters that reorder or annotate text.
fn hides(c: char) -> bool {
    c.is_control()
        || is_odd_blank(c)
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Returns true if a character looks like a blank of one cell and is another character.
fn is_odd_blank(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{2800}'
    )
}

/// Returns true if a character selects the form of the one before it.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_misleads_is_made_visible() {
        let check = |text: &str, lines: &str, name: &str| {
            assert_eq!(
                (&*sanitize(text), &*sanitize_name(text)),
                (lines, name),
                "{text:?}"
            );
        };
        let stays = |text: &str| check(text, text, text);
        stays("a é 漢 🌙");
        check("a\x1b[2Jb", "a␛[2Jb", "a␛[2Jb");
        check("a\n\tb\r\n", "a\n\tb␍\n", "a␊␉b␍␊");
        check("x\u{202e}y\u{9b}z", "x<202E>y<009B>z", "x<202E>y<009B>z");
        // What looks like a blank, or like nothing at all.
        check("a\u{a0}b", "a␣b", "a␣b");
        check("a\u{202f}b", "a␣b", "a␣b");
        check("a\u{3164}b", "a<3164>b", "a<3164>b");
        check("a\u{34f}b", "a<034F>b", "a<034F>b");
        check("a\u{fff0}b", "a<FFF0>b", "a<FFF0>b");
        check("a\u{1bca0}b", "a<1BCA0>b", "a<1BCA0>b");
        check("a\u{1d173}b", "a<1D173>b", "a<1D173>b");
        // Letters smuggled behind another one, and a joiner with nothing to join.
        check("a\u{e0041}b", "a<E0041>b", "a<E0041>b");
        check("a\u{200d}b", "a<200D>b", "a<200D>b");
        check("a\u{fe00}b", "a<FE00>b", "a<FE00>b");
        check("\u{301}a", "<0301>a", "<0301>a");
        // What emoji and scripts are made of stays as it is.
        stays("👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3}");
        stays("🏴\u{e0067}\u{e0062}\u{e007f}");
        stays("क\u{200d}ष e\u{301}");
    }
}
