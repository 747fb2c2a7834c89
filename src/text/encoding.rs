//! Encodings: decodes the bytes of a file, and encodes its text again.
//!
//! A byte order mark decides first, then strict UTF-8; a NUL byte then means binary. What is left is read in the encoding that it
//! declares itself, else it is given to a detector of legacy encodings (`chardetng`, written for browsers). Text of ASCII alone is
//! the same in most encodings: it is in the one that it declares, else in UTF-8. A guess counts only if decoding and encoding gives
//! the very same bytes; EBCDIC is no guess, because its blanks and line ends are other bytes. So a file that is not understood is
//! refused and never damaged.

use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use thiserror::Error;

use super::declared_encoding::{Charset, Declared, declared};
use super::seven_bit;

/// Why bytes are not text.
#[derive(Debug, Clone, Copy, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The text holds a NUL, as UTF-32 read as UTF-16 does.
    #[error("the file is binary")]
    Binary,
    /// Decoding and encoding again gives other bytes, so the file could not be written back unchanged.
    #[error("the file is not valid text in any encoding that would survive a change")]
    Lossy,
}

/// A character that cannot be written.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
#[error("the file is in {encoding}, which cannot hold all characters of the new text")]
pub struct EncodeError {
    /// The name of the file's encoding.
    pub encoding: &'static str,
}

/// An encoding with or without a byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    form: EncodingForm,
    bom: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EncodingForm {
    Utf8,
    Utf16Le,
    Utf16Be,
    Legacy(&'static encoding_rs::Encoding),
    /// The encoding that the text declares.
    Declared(Charset),
    /// An encoding of this name that is not decoded, in a file of ASCII alone: it writes all characters with these bytes, or the
    /// text declares it. Only ASCII may be added.
    SevenBit(&'static str),
}

/// The text of some bytes, without a byte order mark, for one who will not write it back.
///
/// # Errors
///
/// [`DecodeError`] if the bytes are not text.
pub fn decoded(bytes: Vec<u8>) -> Result<String, DecodeError> {
    Encoding::decode(bytes).map(|(text, _)| text)
}

impl Encoding {
    /// UTF-8 without a byte order mark.
    pub const UTF_8: Self = Self {
        form: EncodingForm::Utf8,
        bom: false,
    };

    /// The encoding's name, as <https://encoding.spec.whatwg.org> has it.
    pub fn name(self) -> &'static str {
        match self.form {
            EncodingForm::Utf8 => "UTF-8",
            EncodingForm::Utf16Le => "UTF-16LE",
            EncodingForm::Utf16Be => "UTF-16BE",
            EncodingForm::Legacy(legacy) => legacy.name(),
            EncodingForm::Declared(charset) => charset.name(),
            EncodingForm::SevenBit(name) => name,
        }
    }

    /// Returns the encoding that bytes seem to be in, which can write each of them back.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        if str::from_utf8(bytes).is_ok() {
            return Self::UTF_8;
        }
        legacy(bytes).map_or(Self::WINDOWS_1252, |(_, encoding)| encoding)
    }

    /// An encoding that has a character for every byte.
    pub(crate) const WINDOWS_1252: Self = Self {
        form: EncodingForm::Legacy(encoding_rs::WINDOWS_1252),
        bom: false,
    };

    /// Returns true if the encoding was guessed: neither a byte order mark nor UTF-8 nor a declaration tells it.
    pub(crate) fn is_guessed(self) -> bool {
        match self.form {
            EncodingForm::Utf8 | EncodingForm::Declared(_) | EncodingForm::SevenBit(_) => false,
            EncodingForm::Utf16Le | EncodingForm::Utf16Be => !self.bom,
            EncodingForm::Legacy(_) => true,
        }
    }

    /// Returns true if a text in this encoding begins with a byte order mark.
    pub(crate) fn has_bom(self) -> bool {
        self.bom
    }

    /// Returns true if a character of ASCII is its one byte in this encoding.
    pub(crate) fn is_ascii_based(self) -> bool {
        match self.form {
            EncodingForm::Utf8
            | EncodingForm::Legacy(_)
            | EncodingForm::Declared(_)
            | EncodingForm::SevenBit(_) => true,
            EncodingForm::Utf16Le | EncodingForm::Utf16Be => false,
        }
    }

    /// Returns true if only characters of ASCII can be written to a file in this encoding.
    pub(crate) fn is_ascii_only(self) -> bool {
        matches!(self.form, EncodingForm::SevenBit(_))
    }

    /// Decodes a part of a text; `None` if the bytes are not text in this encoding, or would not come back the same.
    pub(crate) fn decode_part(self, bytes: &[u8]) -> Option<String> {
        match self.form {
            EncodingForm::Utf8 => str::from_utf8(bytes).ok().map(str::to_owned),
            EncodingForm::SevenBit(_) => str::from_utf8(bytes)
                .ok()
                .filter(|text| text.is_ascii())
                .map(str::to_owned),
            EncodingForm::Utf16Le | EncodingForm::Utf16Be => None,
            EncodingForm::Legacy(legacy) => decode_legacy(legacy, bytes).ok(),
            EncodingForm::Declared(charset) => charset.decode(bytes),
        }
    }

    /// Returns the encoding of a new text for a file of ASCII that declares this encoding: the one that the new text declares.
    pub(super) fn redeclared(self, text: &str) -> Self {
        match (self.form, self.bom) {
            (EncodingForm::Declared(_), false) => Self {
                form: declared_form(text),
                bom: false,
            },
            (_, _) => self,
        }
    }

    pub(super) fn decode(bytes: Vec<u8>) -> Result<(String, Self), DecodeError> {
        if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
            let text = std::str::from_utf8(rest).map_err(|_| DecodeError::Lossy)?;
            return Ok((
                text.to_owned(),
                Self {
                    form: EncodingForm::Utf8,
                    bom: true,
                },
            ));
        }
        if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
            return utf16(rest, EncodingForm::Utf16Le, u16::from_le_bytes);
        }
        if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
            return utf16(rest, EncodingForm::Utf16Be, u16::from_be_bytes);
        }
        if memchr::memchr(0, &bytes).is_some() {
            return utf16_without_bom(&bytes).ok_or(DecodeError::Binary);
        }
        match String::from_utf8(bytes) {
            Ok(text) => {
                let form = if text.is_ascii() {
                    form_of_ascii(&text)
                } else {
                    EncodingForm::Utf8
                };
                Ok((text, Self { form, bom: false }))
            }
            Err(error) if is_ebcdic(error.as_bytes()) => Err(DecodeError::Lossy),
            Err(error) => {
                in_declared(error.as_bytes()).map_or_else(|| legacy(error.as_bytes()), Ok)
            }
        }
    }

    pub(super) fn encode(self, text: &str) -> Result<Vec<u8>, EncodeError> {
        let bom = |mark: &'static [u8]| if self.bom { mark } else { &[] };
        match self.form {
            EncodingForm::Utf8 => Ok([bom(b"\xEF\xBB\xBF"), text.as_bytes()].concat()),
            EncodingForm::Utf16Le => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                Ok(bom(b"\xFF\xFE").iter().copied().chain(units).collect())
            }
            EncodingForm::Utf16Be => {
                let units = text.encode_utf16().flat_map(u16::to_be_bytes);
                Ok(bom(b"\xFE\xFF").iter().copied().chain(units).collect())
            }
            EncodingForm::SevenBit(_) if text.is_ascii() => Ok(text.as_bytes().to_vec()),
            EncodingForm::SevenBit(encoding) => Err(EncodeError { encoding }),
            EncodingForm::Declared(charset) => {
                let encoding = charset.name();
                // The new text may declare another encoding, in which its bytes would be other characters.
                let is_same = match declared(text.as_bytes()) {
                    None => true,
                    Some(declared) => declared == Declared::Charset(charset),
                };
                let bytes = charset.encode(text);
                let bytes = bytes.filter(|_| is_same || text.is_ascii());
                bytes.ok_or(EncodeError { encoding })
            }
            EncodingForm::Legacy(legacy) => match legacy.encode(text) {
                (bytes, _, false) => Ok(bytes.into_owned()),
                (_, _, true) => Err(EncodeError {
                    encoding: legacy.name(),
                }),
            },
        }
    }
}

fn utf16(
    bytes: &[u8],
    form: EncodingForm,
    unit: fn([u8; 2]) -> u16,
) -> Result<(String, Encoding), DecodeError> {
    let (pairs, []) = bytes.as_chunks::<2>() else {
        return Err(DecodeError::Lossy);
    };
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    let text = String::from_utf16(&units).map_err(|_| DecodeError::Lossy)?;
    if text.contains('\0') {
        return Err(DecodeError::Binary);
    }
    Ok((text, Encoding { form, bom: true }))
}

/// Decodes UTF-16 without a byte order mark: only what reads as text in one byte order, with line ends and mostly ASCII, so
/// that no binary file is taken for it.
fn utf16_without_bom(bytes: &[u8]) -> Option<(String, Encoding)> {
    let (pairs, []) = bytes.as_chunks::<2>() else {
        return None;
    };
    let little = pairs.iter().filter(|pair| pair[1] == 0).count();
    let big = pairs.iter().filter(|pair| pair[0] == 0).count();
    let (form, ascii, unit): (_, _, fn([u8; 2]) -> u16) = if little > big {
        (EncodingForm::Utf16Le, little, u16::from_le_bytes)
    } else {
        (EncodingForm::Utf16Be, big, u16::from_be_bytes)
    };
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    let text = String::from_utf16(&units).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\u{c}');
    let is_plain = ascii * 2 > pairs.len() && text.contains('\n') && text.chars().all(is_text);
    is_plain.then_some((text, Encoding { form, bom: false }))
}

/// Returns true if bytes are separated by the line ends and blanks of EBCDIC and not by those of ASCII, which all guesses share.
fn is_ebcdic(bytes: &[u8]) -> bool {
    let plain = bytes.iter().filter(|byte| byte.is_ascii_alphanumeric());
    memchr::memchr2(b'\n', b' ', bytes).is_none()
        && memchr::memchr3(b'\x15', b'\x25', b'\x40', bytes).is_some()
        && plain.count() * 2 < bytes.len()
}

/// Returns the encoding of a text of ASCII, which matters for what is added to it.
fn form_of_ascii(text: &str) -> EncodingForm {
    seven_bit::encoding(text).map_or_else(|| declared_form(text), EncodingForm::SevenBit)
}

/// Returns the encoding that a text declares, UTF-8 if it declares none.
fn declared_form(text: &str) -> EncodingForm {
    match declared(text.as_bytes()) {
        Some(Declared::Charset(charset)) => EncodingForm::Declared(charset),
        Some(Declared::Unsupported(name)) => EncodingForm::SevenBit(name),
        Some(Declared::Utf8) | None => EncodingForm::Utf8,
    }
}

/// Decodes bytes in the encoding that they declare, if they are text in it and come back the same.
fn in_declared(bytes: &[u8]) -> Option<(String, Encoding)> {
    let Some(Declared::Charset(charset)) = declared(bytes) else {
        return None;
    };
    let form = EncodingForm::Declared(charset);
    Some((charset.decode(bytes)?, Encoding { form, bom: false }))
}

fn legacy(bytes: &[u8]) -> Result<(String, Encoding), DecodeError> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let text = decode_legacy(guess, bytes)?;
    let encoding = Encoding {
        form: EncodingForm::Legacy(guess),
        bom: false,
    };
    Ok((text, encoding))
}

/// Decodes bytes if they come back the same.
fn decode_legacy(
    encoding: &'static encoding_rs::Encoding,
    bytes: &[u8],
) -> Result<String, DecodeError> {
    let text = encoding
        .decode_without_bom_handling_and_without_replacement(bytes)
        .ok_or(DecodeError::Lossy)?;
    match encoding.encode(&text) {
        (again, _, false) if *again == *bytes => Ok(text.into_owned()),
        _ => Err(DecodeError::Lossy),
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.bom {
            " with a byte order mark"
        } else {
            ""
        };
        write!(f, "{}{mark}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Result<(&str, &str), DecodeError>) {
        let decoded = Encoding::decode(bytes.to_vec());
        assert_eq!(
            decoded
                .as_ref()
                .map(|(text, encoding)| (text.as_str(), encoding.name()))
                .map_err(|e| *e),
            expected
        );
        if let Ok((text, encoding)) = decoded {
            assert_eq!(
                encoding.encode(&text).unwrap(),
                bytes,
                "the bytes come back"
            );
        }
    }

    #[test]
    fn bytes_come_back_or_are_refused() {
        check(b"", Ok(("", "UTF-8")));
        check("héé\n".as_bytes(), Ok(("héé\n", "UTF-8")));
        check(b"\xEF\xBB\xBFa\n", Ok(("a\n", "UTF-8")));
        check(b"\xFF\xFEa\0\n\0", Ok(("a\n", "UTF-16LE")));
        check(b"\xFE\xFF\0a\0\n", Ok(("a\n", "UTF-16BE")));
        check(
            b"caf\xE9 cr\xE8me\n",
            Ok(("caf\u{e9} cr\u{e8}me\n", "windows-1252")),
        );
        check(
            b"# \x1b$BF|\x1b(B\n",
            Ok(("# \u{1b}$BF|\u{1b}(B\n", "ISO-2022-JP")),
        );
        check(b"\x7fELF\0\x01", Err(DecodeError::Binary));
        // A declaration tells the encoding of ASCII and of other bytes, but for UTF-8.
        check(
            b"# coding: cp1251\n",
            Ok(("# coding: cp1251\n", "windows-1251")),
        );
        check(
            b"# coding: utf-16\n",
            Ok(("# coding: utf-16\n", "UTF-16LE")),
        );
        check(
            b"# coding: iso-8859-15\n\xA4\n",
            Ok(("# coding: iso-8859-15\n\u{20ac}\n", "ISO-8859-15")),
        );
        check(
            b"# coding: latin-1\ncaf\xE9 \x93a\x94\n",
            Ok((
                "# coding: latin-1\ncaf\u{e9} \u{201c}a\u{201d}\n",
                "windows-1252",
            )),
        );
        check(
            "# coding: cp1251\n\u{e9}\n".as_bytes(),
            Ok(("# coding: cp1251\n\u{e9}\n", "UTF-8")),
        );
        check(b"a\0\n\0", Ok(("a\n", "UTF-16LE")));
        check(b"\0a\0\n\0\xE9\0\n", Ok(("a\n\u{e9}\n", "UTF-16BE")));
        // No line end, a control character, less than half of it ASCII, an odd number of bytes.
        check(b"a\0b\0", Err(DecodeError::Binary));
        check(b"a\0\n\0\x01\0", Err(DecodeError::Binary));
        check(b"a\0\n\0\x42\x30\x44\x30", Err(DecodeError::Binary));
        check(b"a\0\n\0\x42\x30", Ok(("a\n\u{3042}", "UTF-16LE")));
        check(b"a\0\n\0b", Err(DecodeError::Binary));
        check(b"\xFF\xFEa", Err(DecodeError::Lossy));
        // UTF-32.
        check(b"\xFF\xFE\0\0a\0\0\0\n\0\0\0", Err(DecodeError::Binary));
        check(b"\0\0\xFE\xFF\0\0\0a\0\0\0\n", Err(DecodeError::Binary));
        check(b"\xEF\xBB\xBF\xFF", Err(DecodeError::Lossy));
        // One word, and a line without blanks.
        check(
            b"\xc6\xfc\xcb\xdc\xb8\xec",
            Ok(("\u{65e5}\u{672c}\u{8a9e}", "EUC-JP")),
        );
        check(b"caf\xE9", Ok(("caf\u{e9}", "windows-1252")));
        check(
            b"\x93\xfa\x96\x7b\x8c\xea\x82\xc5\x82\xb7\n",
            Ok(("\u{65e5}\u{672c}\u{8a9e}\u{3067}\u{3059}\n", "Shift_JIS")),
        );
        // EBCDIC: `MOVE A TO B.`, with the line ends of Unix, of CRLF, of a terminal, and in records.
        let line = b"\xD4\xD6\xE5\xC5\x40\xC1\x40\xE3\xD6\x40\xC2\x4B";
        for end in [&b"\x25"[..], b"\x0D\x25", b"\x15", b"\x40\x40"] {
            check(&[line, end].concat().repeat(3), Err(DecodeError::Lossy));
        }
    }

    #[test]
    fn a_text_that_declares_another_encoding_is_not_written() {
        let (_, encoding) = Encoding::decode(b"# coding: latin-1\n".to_vec()).unwrap();
        let check = |text: &str, expected: Option<&[u8]>| {
            assert_eq!(encoding.encode(text).ok().as_deref(), expected, "{text}");
        };
        assert_eq!(encoding.redeclared("# coding: utf-8\n"), Encoding::UTF_8);
        assert_eq!(encoding.redeclared("x\n"), Encoding::UTF_8);
        assert_eq!(encoding.redeclared("# coding: latin-1\n"), encoding);
        check(
            "# coding: latin-1\n\u{e9}",
            Some(b"# coding: latin-1\n\xE9"),
        );
        check("\u{e9}", Some(b"\xE9"));
        check("# coding: latin-1\n\u{20ac}", None);
        check("# coding: utf-8\n\u{e9}", None);
        check("# coding: utf-8\n", Some(b"# coding: utf-8\n"));
    }

    #[test]
    fn a_character_the_encoding_lacks_is_an_error() {
        let (_, encoding) = Encoding::decode(b"caf\xE9\n".to_vec()).unwrap();
        let error = encoding.encode("日本\n").unwrap_err();
        assert!(error.to_string().contains(error.encoding));
    }
}
