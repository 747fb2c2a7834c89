//! Names of lines by number and a short hash of their text, as hashline editors print them before each line.
//!
//! `12#ZP` has the lowest byte of the hash in letters of an alphabet of its own (oh-my-openagent
//! `src/tools/hashline-edit/hash-computation.ts`); `12:3f` has the lowest digits in base 16 (oh-my-pi `prompts/tools/hashline.md`).
//! Both hash with XXH32, whose seed is the line number for a line without a letter or a digit.

use xxhash_rust::xxh32::xxh32;

use crate::text::LineNo;

/// The digits of the first form; each is four bits.
const LETTERS: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// A line's number, and a short hash of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineHash {
    /// The number of the line.
    pub line: LineNo,
    /// The hash as it is written.
    hash: String,
    digits: Digits,
}

/// The way in which a hash is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    Letters,
    Hexadecimal,
}

impl LineHash {
    /// Parses `12#ZP` or `12:3f`, with what a model copies around it: a mark before it, the text of the line after it.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.split('|').next().unwrap_or(text);
        let text = text.trim_start_matches(['>', '+', '-', ' ']).trim_end();
        let (number, hash) = text.split_once(['#', ':'])?;
        let line = LineNo::new(number.trim().parse().ok()?)?;
        let hash = hash.trim();
        let is_letters = |hash: &str| hash.len() == 2 && hash.bytes().all(|c| LETTERS.contains(&c));
        let is_hexadecimal = |hash: &str| {
            (2..=8).contains(&hash.len()) && hash.bytes().all(|c| c.is_ascii_hexdigit())
        };
        let digits = if is_letters(hash) {
            Digits::Letters
        } else if is_hexadecimal(hash) {
            Digits::Hexadecimal
        } else {
            return None;
        };
        Some(Self {
            line,
            hash: hash.to_owned(),
            digits,
        })
    }

    /// Returns `true` if the hash is that of this text.
    pub fn fits(&self, text: &str) -> bool {
        let trimmed = text.trim_end_matches(is_blank);
        let squeezed: String = text.chars().filter(|c| !is_blank(*c)).collect();
        let number = u32::try_from(self.line.get()).unwrap_or(u32::MAX);
        let is_significant = trimmed.chars().any(char::is_alphanumeric);
        let seeds = if is_significant {
            &[0][..]
        } else {
            &[number, 0]
        };
        // Later versions of both editors keep the blanks within a line.
        let hashes = [trimmed, &squeezed].into_iter().flat_map(|text| {
            let hash = |seed: &u32| xxh32(text.as_bytes(), *seed);
            seeds.iter().map(hash)
        });
        hashes
            .map(|hash| self.written(hash))
            .any(|hash| hash.eq_ignore_ascii_case(&self.hash))
    }

    /// Writes a hash in the digits of this one.
    fn written(&self, hash: u32) -> String {
        match self.digits {
            Digits::Letters => {
                let letter = |shift: u32| char::from(LETTERS[(hash >> shift & 15) as usize]);
                [letter(4), letter(0)].iter().collect()
            }
            Digits::Hexadecimal => {
                let all = format!("{hash:08x}");
                all[8 - self.hash.len()..].to_owned()
            }
        }
    }
}

/// Returns `true` for the blanks of JavaScript, in which both editors are written.
fn is_blank(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_lines_are_parsed() {
        let check = |text: &str, expected: Option<(usize, &str)>| {
            let found = LineHash::parse(text);
            let found = found.as_ref().map(|name| (name.line.get(), &*name.hash));
            assert_eq!(found, expected, "{text}");
        };
        check("12#ZP", Some((12, "ZP")));
        check("12:3f", Some((12, "3f")));
        check(" >>> 2 # MV|let a = 1;", Some((2, "MV")));
        check("7:abc|x", Some((7, "abc")));
        check("0#ZP", None);
        check("5", None);
        check("5#AB", Some((5, "AB")));
        check("5#co", None);
        check("5:a", None);
        check("5:012345678", None);
        check("x#ZP", None);
    }

    #[test]
    fn a_hash_fits_the_text_that_it_was_made_of() {
        let check = |name: &str, text: &str, expected: bool| {
            let name = LineHash::parse(name).unwrap();
            assert_eq!(name.fits(text), expected, "{name:?} {text:?}");
        };
        // The vectors are from another implementation of XXH32.
        check("1#RM", "function hello() {", true);
        check("1#RM", "function hello() {  ", true);
        check("1#RM", "  function hello() {", false);
        check("1#RM", "function world() {", false);
        check("9#XJ", "  function hello() {", true);
        check("9:42", "  function hello() {", true);
        check("9:F42", "function hello(){", true);
        check("9:f171ff42", "function  hello() {", true);
        check("9:43", "function hello() {", false);
        check("3#PN", "}", true);
        check("3#PN", "{", false);
    }
}
