//! The bytes of a binary file in a git diff: `GIT binary patch`, two stretches of base 85 lines, each compressed by zlib.
//!
//! <https://git-scm.com/docs/diff-format>, and `apply.c` and `base85.c` of git for what is not written down: the first character
//! of a line tells how many bytes it holds, five more characters encode four bytes.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{BinaryData, BinaryPatch, MOST_BYTES};
use crate::text::LineIdx;

/// Git's digits of base 85, in the order of their values.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Reads the two stretches that begin at a line. Returns the first line after them as well.
pub(super) fn read(input: &Input, at: LineIdx) -> (LineIdx, Result<BinaryPatch, ParseError>) {
    let (mut end, forward) = stretch(input, at);
    let mut next = end;
    while input.line(next) == Some("") {
        next += 1;
    }
    let backward = if begins(input, next) {
        let (after, backward) = stretch(input, next);
        end = after;
        backward
    } else {
        Err(ParseError::line(
            input,
            end,
            "the second half of the binary patch, which proves what it was made from",
        ))
    };
    let patch = forward.and_then(|forward| {
        let backward = backward?;
        Ok(BinaryPatch { forward, backward })
    });
    (end, patch)
}

fn begins(input: &Input, at: LineIdx) -> bool {
    (input.line(at)).is_some_and(|line| line.starts_with("literal ") || line.starts_with("delta "))
}

/// Reads one direction of the patch.
fn stretch(input: &Input, at: LineIdx) -> (LineIdx, Result<BinaryData, ParseError>) {
    let header = input.line(at).unwrap_or_default();
    let (kind, size): (fn(Vec<u8>) -> BinaryData, _) = match header.split_once(' ') {
        Some(("literal", size)) => (BinaryData::Literal, size),
        Some(("delta", size)) => (BinaryData::Delta, size),
        _ => {
            let error = ParseError::line(input, at, "'literal' or 'delta' and a size");
            return (at, Err(error));
        }
    };
    let is_data = |line: &str| !line.is_empty() && !line.contains(' ');
    let mut end = at + 1;
    while input.line(end).is_some_and(is_data) {
        end += 1;
    }
    let size = size.trim().parse().ok().filter(|size| *size <= MOST_BYTES);
    let bytes = size.and_then(|size| {
        let lines = input.lines(at + 1..end).iter();
        let packed: Option<Vec<Vec<u8>>> = lines.map(|line| decoded(line)).collect();
        inflated(&packed?.concat(), size)
    });
    let error = || ParseError::line(input, at, "the bytes of a binary file, whole and undamaged");
    (end, bytes.map(kind).ok_or_else(error))
}

/// Decompresses bytes to as many as are said; `None` if there are fewer or more.
fn inflated(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(size).ok()?.checked_add(1)?;
    let read = ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes);
    (read.ok()? == size).then_some(bytes)
}

/// Decodes one line of base 85.
fn decoded(line: &str) -> Option<Vec<u8>> {
    let (&first, digits) = line.as_bytes().split_first()?;
    let length = match first {
        b'A'..=b'Z' => usize::from(first - b'A') + 1,
        b'a'..=b'z' => usize::from(first - b'a') + 27,
        _ => return None,
    };
    let (groups, []) = digits.as_chunks::<5>() else {
        return None;
    };
    let mut bytes = Vec::with_capacity(groups.len() * 4);
    for group in groups {
        let mut number = 0_u32;
        for digit in group {
            let value = DIGITS.iter().position(|known| known == digit)?;
            number = number
                .checked_mul(85)?
                .checked_add(u32::try_from(value).ok()?)?;
        }
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    (bytes.len() == length.next_multiple_of(4)).then(|| {
        bytes.truncate(length);
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::input::ReadReason;

    #[track_caller]
    fn check(line: &str, expected: Option<&[u8]>) {
        assert_eq!(decoded(line).as_deref(), expected, "{line:?}");
    }

    #[test]
    fn a_line_of_base_85_says_how_long_it_is() {
        check("A0ss", None);
        check("D00000", Some(&[0, 0, 0, 0]));
        check("A00000", Some(&[0]));
        check("D|NsC0", Some(&[255, 255, 255, 255]));
        // More than 32 bits, a digit that is none, a length that does not fit.
        check("D|NsC1", None);
        check("D0000\"", None);
        check("E00000", None);
        check("000000", None);
        check("", None);
    }

    #[test]
    fn both_directions_are_needed() {
        let check = |text: &str, expected: Result<&str, &str>| {
            let input = Input::new(text, None, ReadReason::InTurn);
            let (_, patch) = read(&input, 0);
            let found = patch.map(|patch| format!("{patch:?}"));
            let found = found.map_err(|error| error.into_problem(&input, 0..1, "", None).expected);
            match expected {
                Ok(shown) => assert_eq!(found.as_deref(), Ok(shown), "{text}"),
                Err(part) => assert!(found.unwrap_err().contains(part), "{text}"),
            }
        };
        let empty = "literal 0\nHcmV?d00001\n";
        check(
            &format!("{empty}\n{empty}"),
            Ok("BinaryPatch(Literal(0 bytes), Literal(0 bytes))"),
        );
        check(empty, Err("second half"));
        check(
            &format!("{}\n{empty}", empty.replace('0', "1")),
            Err("undamaged"),
        );
        check("literal 99999999999\nHcmV?d00001\n", Err("undamaged"));
    }
}
