//! Text that keeps the bytes that are not UTF-8.
//!
//! An edit may quote files in several encodings, so its input cannot be decoded as one text. [`from_bytes`] reads the input as
//! UTF-8 and replaces every byte that is not part of a UTF-8 character by a character of its own from a private-use area
//! (U+10FE80 for the byte 0x80, up to U+10FEFF for 0xFF). Parsers work on the result as on any text, and [`to_bytes`] gives
//! the exact bytes of any part of it, which can then be decoded in the encoding of the file that the part is for. A character
//! of that area in the input is replaced byte by byte as well, so the conversion is reversible for all inputs.

use std::borrow::Cow;

use super::encoding::Encoding;

/// The character for the byte 0x80, less 0x80.
const AREA: u32 = 0x10_FE00;

/// Reads bytes as UTF-8 text in which bytes that are not UTF-8 stay recoverable.
///
/// ```
/// use countersign::text::raw_bytes;
///
/// let text = raw_bytes::from_bytes(b"+caf\xE9 \xC3\xA9".to_vec());
/// assert!(text.starts_with("+caf") && text.ends_with(" é"));
/// assert_eq!(raw_bytes::to_bytes(&text), b"+caf\xE9 \xC3\xA9".as_slice());
/// ```
pub fn from_bytes(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !is_raw(&text) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if byte_of(c).is_some() {
                text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(char_of));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(char_of));
    }
    text
}

/// Returns the bytes that a part of a text from [`from_bytes`] was read from.
pub fn to_bytes(text: &str) -> Cow<'_, [u8]> {
    if !is_raw(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

/// Returns true if a text holds bytes that are not UTF-8.
pub fn is_raw(text: &str) -> bool {
    // All characters of the area begin with this byte, which is rare.
    memchr::memchr_iter(0xF4, text.as_bytes()).any(|at| {
        text[at..]
            .chars()
            .next()
            .is_some_and(|c| byte_of(c).is_some())
    })
}

/// Returns true if a text holds bytes that were not decoded. The characters of them that `before`, which was decoded, has as well
/// are its own.
pub(crate) fn is_undecoded(text: &str, before: &str) -> bool {
    let mut odd = text.chars().filter(|c| byte_of(*c).is_some());
    is_raw(text) && odd.any(|c| !before.contains(c))
}

/// Returns a text for people: bytes that are not UTF-8 are decoded in the encoding that the text seems to be in.
pub fn readable(text: &str) -> Cow<'_, str> {
    if !is_raw(text) {
        return Cow::Borrowed(text);
    }
    let bytes = to_bytes(text);
    let decoded = Encoding::of_bytes(&bytes).decode_part(&bytes);
    Cow::Owned(decoded.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned()))
}

fn char_of(byte: u8) -> char {
    char::from_u32(AREA + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn byte_of(c: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(c).checked_sub(AREA)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], raw: bool, shown: &str) {
        let text = from_bytes(bytes.to_vec());
        assert_eq!(to_bytes(&text), bytes);
        assert_eq!(is_raw(&text), raw, "{text:?}");
        assert_eq!(readable(&text), shown);
    }

    #[test]
    fn bytes_come_back() {
        check(b"", false, "");
        check("plain, é, 漢, 🎉".as_bytes(), false, "plain, é, 漢, 🎉");
        check(b"caf\xE9 cr\xE8me", true, "café crème");
        // The last character before the area and the first behind it are ordinary ones.
        check(
            "\u{10fe7f}\u{10ff00}".as_bytes(),
            false,
            "\u{10fe7f}\u{10ff00}",
        );
        // A character of the area is text of a file as any other.
        let text = from_bytes("\u{10fee9}".as_bytes().to_vec());
        assert_eq!(text.chars().count(), 4);
        assert_eq!(to_bytes(&text), "\u{10fee9}".as_bytes());
    }

    #[test]
    fn bytes_that_were_not_decoded_are_found() {
        let byte = |byte: u8| from_bytes(vec![byte]);
        let check = |text: String, before: &str, expected| {
            assert_eq!(is_undecoded(&text, before), expected, "{text:?} {before:?}");
        };
        check("caf\u{e9} \u{10fe7f}\u{10ff00}".to_owned(), "", false);
        check(byte(0xE9), "", true);
        // A character of the file itself.
        check(byte(0xE9), "\u{10fee9} a", false);
        check(byte(0xE9) + &byte(0xE8), "\u{10fee9} a", true);
    }

    #[test]
    fn parts_give_their_own_bytes() {
        let text = from_bytes(b"+\x83\x5C\x83\x5C\n-\xC3\xA9\n".to_vec());
        let lines: Vec<_> = text
            .lines()
            .map(|line| to_bytes(&line[1..]).into_owned())
            .collect();
        assert_eq!(lines, [b"\x83\x5C\x83\x5C".to_vec(), b"\xC3\xA9".to_vec()]);
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let text = from_bytes(bytes.clone());
            let back = to_bytes(&text).into_owned();
            prop_assert_eq!(back, bytes);
        }
    }
}
