//! Encodings that a text declares in its first lines: the declaration of XML, `@charset` of CSS, `<meta charset>` of HTML, and the
//! comments that Python, Ruby, Emacs and Vim read.
//!
//! A label means what the standard of that name holds. `encoding_rs` reads some labels as a larger encoding of browsers, so
//! `ISO-8859-1` may not be written with the bytes 0x80 to 0x9F of windows-1252, and `GB2312` not as GBK.

use std::borrow::Cow;

/// The bytes at the beginning that may hold a declaration.
const HEAD: usize = 1024;

/// Declaration of a text's encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Utf8,
    Charset(Charset),
    /// An encoding that is not written, by its name or a description.
    Unsupported(&'static str),
}

/// An encoding of bytes beyond ASCII.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Charset {
    encoding: &'static encoding_rs::Encoding,
    name: &'static str,
    /// The bytes 0x80 to 0x9F are no characters.
    is_iso: bool,
}

impl Charset {
    pub(super) fn name(self) -> &'static str {
        self.name
    }

    /// Decodes bytes if they come back the same.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = self
            .encoding
            .decode_without_bom_handling_and_without_replacement(bytes)?;
        (self.encode(&text)? == bytes).then(|| text.into_owned())
    }

    /// Returns the bytes of a text; `None` if it has characters that the encoding lacks.
    pub(super) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let (bytes, _, is_lossy) = self.encoding.encode(text);
        let is_beyond = self.is_iso && bytes.iter().any(|byte| matches!(byte, 0x80..=0x9F));
        (!is_lossy && !is_beyond).then(|| bytes.into_owned())
    }
}

/// Returns the encoding that the beginning of a text declares.
pub(super) fn declared(text: &[u8]) -> Option<Declared> {
    let head = String::from_utf8_lossy(&text[..text.len().min(HEAD)]);
    if let Some(label) = xml(&head).or_else(|| css(&head)) {
        return Some(named(label).unwrap_or(UNKNOWN));
    }
    if let Some(label) = html(&head) {
        return Some(match named(&label).unwrap_or(UNKNOWN) {
            // The standard: a document that can be read this far is not in UTF-16.
            Declared::Unsupported("UTF-16LE" | "UTF-16BE") => Declared::Utf8,
            declared @ (Declared::Utf8 | Declared::Charset(_) | Declared::Unsupported(_)) => {
                declared
            }
        });
    }
    comment(&head)
}

const UNKNOWN: Declared =
    Declared::Unsupported("an encoding that it declares and that is not supported");

/// Finds the label in `<?xml version="1.0" encoding="…"?>`.
fn xml(head: &str) -> Option<&str> {
    let (declaration, _) = head.strip_prefix("<?xml")?.split_once("?>")?;
    let (_, value) = declaration.split_once("encoding")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value[1..].split(quote).next()
}

/// Finds the label in `@charset "…";`.
fn css(head: &str) -> Option<&str> {
    let (label, _) = head.strip_prefix("@charset \"")?.split_once('"')?;
    Some(label)
}

/// Finds the label in `<meta charset="…">` and in `<meta http-equiv content="text/html; charset=…">`.
fn html(head: &str) -> Option<String> {
    if !head.trim_start().starts_with('<') {
        return None;
    }
    let head = head.to_ascii_lowercase();
    head.split("<meta").skip(1).find_map(|tag| {
        let (_, value) = tag.split('>').next()?.split_once("charset")?;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let label = value.trim_start_matches(['"', '\'']);
        let is_end = |c: char| matches!(c, '"' | '\'' | ';' | '/') || c.is_ascii_whitespace();
        Some(label.split(is_end).next()?.to_owned())
    })
}

/// Finds `coding: …` or `coding=…` in a comment with `#`, or between `-*-`, of the first two lines.
fn comment(head: &str) -> Option<Declared> {
    head.lines().take(2).find_map(|line| {
        let emacs = line.split("-*-").nth(1);
        let comment = line.trim_start().strip_prefix('#');
        let (text, is_certain) = emacs
            .map(|text| (text, true))
            .or(comment.map(|text| (text, false)))?;
        text.match_indices("coding").find_map(|(at, word)| {
            let value = text[at + word.len()..].strip_prefix([':', '='])?;
            let value = value.trim_start_matches([' ', '\t']);
            let is_label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            let end = value.find(|c| !is_label(c)).unwrap_or(value.len());
            let label = &value[..end];
            // `# Encoding: notes` is prose.
            let is_likely = is_certain || label.contains(|c: char| c.is_ascii_digit());
            named(label).or(is_likely.then_some(UNKNOWN))
        })
    })
}

/// Returns the encoding that a label names; `None` if it is not known.
fn named(label: &str) -> Option<Declared> {
    let given = label.trim().to_ascii_lowercase();
    let label = given.replace('_', "-");
    let endings = ["-unix", "-dos", "-mac"];
    let label = endings
        .iter()
        .find_map(|ending| label.strip_suffix(ending))
        .unwrap_or(&label);
    let label = alias(label);
    if label.ends_with("ascii") || label == "ansi-x3.4-1968" {
        return Some(Declared::Unsupported("US-ASCII"));
    }
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes())
        .or_else(|| encoding_rs::Encoding::for_label(given.as_bytes()))?;
    let of_windows = ["windows", "cp", "x-cp", "dos", "ms", "gbk", "x-gbk"];
    let is_windows = of_windows.iter().any(|front| label.starts_with(front));
    Some(match encoding.name() {
        "UTF-8" => Declared::Utf8,
        name @ ("UTF-16LE" | "UTF-16BE" | "ISO-2022-JP") => Declared::Unsupported(name),
        "replacement" | "x-user-defined" => UNKNOWN,
        "windows-1252" if !is_windows => iso(encoding, "ISO-8859-1"),
        "windows-1254" if !is_windows => iso(encoding, "ISO-8859-9"),
        "windows-874" if !is_windows => iso(encoding, "ISO-8859-11"),
        "GBK" if !is_windows => Declared::Unsupported("GB2312"),
        name => Declared::Charset(Charset {
            encoding,
            name,
            is_iso: false,
        }),
    })
}

/// Returns an encoding that `encoding_rs` knows as a larger one of Windows.
fn iso(encoding: &'static encoding_rs::Encoding, name: &'static str) -> Declared {
    Declared::Charset(Charset {
        encoding,
        name,
        is_iso: true,
    })
}

/// Returns the label that browsers know for one that only other programs know.
fn alias(label: &str) -> Cow<'_, str> {
    let latin = label.strip_prefix("latin-").or(label.strip_prefix("latin"));
    let known = match latin.unwrap_or(label) {
        "0" | "9" if latin.is_some() => "iso-8859-15",
        "7" if latin.is_some() => "iso-8859-13",
        "8" if latin.is_some() => "iso-8859-14",
        "10" if latin.is_some() => "iso-8859-16",
        number if latin.is_some() => return Cow::Owned(format!("latin{number}")),
        "u8" | "utf" | "utf-8-sig" => "utf-8",
        "8859" => "iso-8859-1",
        "mac-roman" => "macintosh",
        "mac-cyrillic" => "x-mac-cyrillic",
        "eucjp" => "euc-jp",
        "euckr" => "euc-kr",
        "cp932" | "932" => "windows-31j",
        "cp936" | "936" => "gbk",
        "cp949" | "949" | "uhc" => "windows-949",
        "1250" | "1251" | "1252" | "1253" | "1254" | "1255" | "1256" | "1257" | "1258" => {
            return Cow::Owned(format!("windows-{label}"));
        }
        _ => label,
    };
    Cow::Borrowed(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let name = declared(text.as_bytes()).map(|declared| match declared {
            Declared::Utf8 => "UTF-8",
            Declared::Charset(charset) => charset.name(),
            UNKNOWN => "unknown",
            Declared::Unsupported(name) => name,
        });
        assert_eq!(name.unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn a_declaration_is_found_where_its_format_has_it() {
        check(
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<a/>",
            "ISO-8859-1",
        );
        check(
            "<?xml version='1.0' encoding = 'koi8-r' standalone='no'?>",
            "KOI8-R",
        );
        check("<?xml version=\"1.0\" encoding=\"UTF-16\"?>", "UTF-16LE");
        check(
            "<?xml version=\"1.0\" encoding=\"EBCDIC-CP-US\"?>",
            "unknown",
        );
        check("<?xml version=\"1.0\"?><a encoding=\"latin1\"/>", "");
        check("@charset \"iso-8859-15\";\na {}", "ISO-8859-15");
        check("a {} @charset \"iso-8859-15\";", "");
        check(
            "<!doctype html>\n<META charset=windows-1251>",
            "windows-1251",
        );
        check(
            "<html><meta http-equiv='x' content='text/html; charset=latin1'/>",
            "ISO-8859-1",
        );
        check("<html><meta charset=\"utf-16\">", "UTF-8");
        check("<html><meta name=\"charset\"><p charset=\"koi8-r\">", "");
        check("x = '<meta charset=koi8-r>'", "");
        check("# -*- coding: cp1251 -*-\n", "windows-1251");
        check(
            "#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n",
            "ISO-8859-1",
        );
        check("# encoding: utf-8\n", "UTF-8");
        check(
            ";; -*- mode: lisp; coding: latin-9-unix -*-\n",
            "ISO-8859-15",
        );
        check("# coding: cp437\n", "unknown");
        check("/* -*- coding: mac-latin -*- */\n", "unknown");
        check("\n\n# coding: cp1251\n", "");
        check("# Encoding: notes on it\n# coding style\n", "");
        check("coding: cp1251\n", "");
        check("x", "");
    }

    #[test]
    fn a_label_means_its_standard() {
        let check =
            |label: &str, expected: &str| check(&format!("@charset \"{label}\";"), expected);
        check("us-ascii", "US-ASCII");
        check("ansi_x3.4-1968", "US-ASCII");
        check("gb2312", "GB2312");
        check("gbk", "GBK");
        check("cp936", "GBK");
        check("cp1252", "windows-1252");
        check("Latin-5", "ISO-8859-9");
        check("tis-620", "ISO-8859-11");
        check("dos-874", "windows-874");
        check("iso8859_15", "ISO-8859-15");
        check("iso-2022-kr", "unknown");
        check("1251", "windows-1251");
        check("ks_c_5601-1987", "EUC-KR");
        check("Shift_JIS", "Shift_JIS");
    }

    #[test]
    fn only_characters_of_the_declared_encoding_are_written() {
        let check = |label: &str, text: &str, expected: Option<&[u8]>| {
            let Some(Declared::Charset(charset)) = named(label) else {
                panic!("{label}");
            };
            assert_eq!(charset.encode(text).as_deref(), expected, "{label} {text}");
            if let Some(bytes) = expected {
                assert_eq!(charset.decode(bytes).as_deref(), Some(text));
            }
        };
        check("iso-8859-1", "\u{e9}", Some(b"\xE9"));
        check("iso-8859-1", "\u{20ac}", None);
        check("windows-1252", "\u{20ac}", Some(b"\x80"));
        check("iso-8859-15", "\u{20ac}", Some(b"\xA4"));
        check("cp1251", "\u{41f}", Some(b"\xCF"));
        check("cp1251", "\u{e9}", None);
    }
}
