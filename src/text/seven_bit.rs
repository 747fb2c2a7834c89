//! Recognizes encodings that write all characters with the bytes of ASCII: ISO-2022 (RFC 1468), HZ (RFC 1843), UTF-7 (RFC 2152).
//!
//! A file in one of them is valid UTF-8 by chance. Only ASCII may be added to it: other characters would leave it in two
//! encodings.

/// The least number of characters beyond ASCII that make a text UTF-7: a sum without blanks (`a+foo`) may look like one.
const LEAST_CHARS: usize = 3;

/// Returns the name of the encoding of a text of ASCII, if it is not ASCII itself.
pub(super) fn encoding(text: &str) -> Option<&'static str> {
    iso_2022(text)
        .or_else(|| is_hz(text).then_some("HZ"))
        .or_else(|| is_utf7(text).then_some("UTF-7"))
}

/// Finds the sequence that designates a set of characters of two bytes.
fn iso_2022(text: &str) -> Option<&'static str> {
    let (_, set) = text.split_once("\x1b$")?;
    match set.bytes().next()? {
        b'@' | b'B' => Some("ISO-2022-JP"),
        b'A' | b'(' | b')' | b'*' | b'+' => Some("ISO-2022"),
        _ => None,
    }
}

/// Finds stretches `~{…~}` of pairs of bytes. A tilde is nothing else in HZ but the escape of a tilde or of a line end.
fn is_hz(text: &str) -> bool {
    let mut rest = text;
    let mut pairs = 0;
    while let Some((_, escaped)) = rest.split_once('~') {
        let end = match escaped.as_bytes().first() {
            Some(b'~' | b'\n') => 1,
            Some(b'{') => {
                let Some(end) = escaped.find("~}") else {
                    return false;
                };
                let chars = &escaped.as_bytes()[1..end];
                if !chars.len().is_multiple_of(2) || !chars.iter().all(u8::is_ascii_graphic) {
                    return false;
                }
                pairs += chars.len() / 2;
                end + 2
            }
            Some(_) | None => return false,
        };
        rest = &escaped[end..];
    }
    pairs > 0
}

/// Finds stretches of UTF-16 in Base64 after `+`. A plus is nothing else in UTF-7 but `+-`.
fn is_utf7(text: &str) -> bool {
    let mut rest = text;
    let mut script = None;
    let mut count = 0;
    while let Some((_, shifted)) = rest.split_once('+') {
        let end = shifted
            .bytes()
            .take_while(|&byte| digit(byte).is_some())
            .count();
        let (digits, after) = shifted.split_at(end);
        if !(digits.is_empty() && after.starts_with('-')) {
            let Some(chars) = utf16(digits).filter(|chars| !chars.is_empty()) else {
                return false;
            };
            for c in chars.chars() {
                let own = ScriptGroup::of(c);
                if own == Some(ScriptGroup::Any) {
                    continue;
                }
                if own.is_none() || *script.get_or_insert(own) != own {
                    return false;
                }
            }
            count += chars.chars().count();
        }
        rest = after;
    }
    count >= LEAST_CHARS
}

/// A group of scripts that are used together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptGroup {
    /// Letters of Latin, punctuation and signs: they are beside every script.
    Any,
    /// The alphabets of Europe and the Near East.
    Alphabets,
    /// The scripts of East Asia.
    Cjk,
}

impl ScriptGroup {
    /// Returns the script of a character; `None` if it is one that texts hardly have.
    fn of(c: char) -> Option<Self> {
        match u32::from(c) {
            0xA0..=0x017F | 0x2010..=0x27BF | 0x1_F300..=0x1_FAFF => Some(Self::Any),
            0x0180..=0x06FF | 0x0900..=0x0E7F | 0x1E00..=0x1FFF => Some(Self::Alphabets),
            0x3000..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF00..=0xFFEF => {
                Some(Self::Cjk)
            }
            _ => None,
        }
    }
}

/// Returns the value of a digit of Base64.
fn digit(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// Decodes UTF-16 in Base64; `None` if the bits left over are no padding.
fn utf16(digits: &str) -> Option<String> {
    let (mut bits, mut held) = (0_u32, 0);
    let mut units = Vec::new();
    for value in digits.bytes().filter_map(digit) {
        bits = bits << 6 | value;
        held += 6;
        if held >= 16 {
            held -= 16;
            units.push(u16::try_from(bits >> held).ok()?);
            bits &= (1 << held) - 1;
        }
    }
    (held < 6 && bits == 0).then(|| String::from_utf16(&units).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_of_its_encoding_tells_it() {
        let check =
            |text: &str, expected: Option<&str>| assert_eq!(encoding(text), expected, "{text:?}");
        check("# \x1b$BF|K\\8l\x1b(B\n", Some("ISO-2022-JP"));
        check("# \x1b$@F|K\\8l\x1b(J\n", Some("ISO-2022-JP"));
        check("\x1b$)C\x0eGQ19>n\x0f\n", Some("ISO-2022"));
        // Colours and resets of a terminal, and a shell's escape before a variable.
        check("\x1b[1mbold\x1b[0m\x1b(B", None);
        check("echo \x1b$x", None);

        check("# ~{<rLeVPND~}\n", Some("HZ"));
        check("a ~~ b ~{<r~} ~\n", Some("HZ"));
        check("cd ~/a; echo ~{<r~}", None);
        check("x = ~{ a b ~}", None);
        check("~{abc~}", None);
        check("a ~~ b", None);
        check("~{<r", None);

        check("# +ZeVnLIqe +AOk-\n", Some("UTF-7"));
        check("1 +- 1 = +Zeo-: +BB8EQAQ4-", None);
        check("1 +- 1 = 2: +BB8EQAQ4-", Some("UTF-7"));
        // Less than three characters, another sum, left-over bits.
        check("a+foo", None);
        check("+ZeVnLIqe a + b", None);
        check("+ZeVnLIqe c++", None);
        check("+ZeVnLIqf +AOl-", None);
        check("a+variable", None);
        check("no sign", None);
    }
}
