//! Diffs with the colours of a terminal, as `git diff --color=always` and `diff --color=always` write them.
//!
//! Colours are removed only where a diff tool puts them: before a line, after its sign, around blanks, and at its end. Git
//! ends context lines with a reset as well, and then all of them. Escape sequences of the files themselves are either in
//! context lines, and stay, or cannot be distinguished from colours, and the input is refused: a line that loses its own
//! escape sequences would be another line.
//! <https://git-scm.com/docs/git-diff#Documentation/git-diff.txt---colorwhen>

use std::borrow::Cow;

use super::decoration;
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, InputSpan, Problem};
use crate::text::LineNo;

/// Beginnings of the header lines of a diff and of its hunks.
const HEADERS: [&[u8]; 5] = [b"diff --git ", b"@@ -", b"--- ", b"+++ ", b"*** "];

/// Removes the colours of a coloured diff; `None` if the input is none.
///
/// # Errors
///
/// The first line with escape sequences that are not the colours of a diff.
pub(crate) fn uncoloured(input: &[u8]) -> Result<Option<Vec<u8>>, LineNo> {
    if !input.contains(&ESCAPE) {
        return Ok(None);
    }
    let lines = || input.split_inclusive(|byte| *byte == b'\n');
    if !lines().any(is_coloured_header) {
        return Ok(None);
    }
    let context = context_lines(lines());
    let of_context = || lines().zip(&context).filter(|(_, is_context)| **is_context);
    let resets_end = of_context().all(|(line, _)| without_last_reset(line).is_some());
    let resets_begin = resets_end && of_context().all(|(line, _)| line.starts_with(b" \x1b[m"));
    let mut output = Vec::with_capacity(input.len());
    for (idx, (line, is_context)) in lines().zip(&context).enumerate() {
        let mut line = Cow::Borrowed(line);
        if *is_context && resets_begin {
            line = Cow::Owned([b" ", &line[b" \x1b[m".len()..]].concat());
        }
        if *is_context && resets_end {
            line = Cow::Owned(without_last_reset(&line).unwrap_or_else(|| line.to_vec()));
        }
        output.extend_from_slice(&plain(&line).ok_or(LineNo::from_idx(idx))?);
    }
    Ok(Some(output))
}

/// Finds the lines of hunks that begin with a blank.
fn context_lines<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Vec<bool> {
    let mut in_hunk = false;
    lines
        .map(|line| {
            let parts = parts(line);
            let text = parts.iter().find_map(|part| match part {
                ColouredPart::Text(text) => Some(*text),
                ColouredPart::Colour | ColouredPart::Reset => None,
            });
            let text = text.unwrap_or_default();
            in_hunk = text.starts_with(b"@@")
                || in_hunk && matches!(text.first(), Some(b' ' | b'+' | b'-' | b'\\'));
            in_hunk && line.first() == Some(&b' ')
        })
        .collect()
}

/// Returns a line without the reset before its ending; `None` if it has none.
fn without_last_reset(line: &[u8]) -> Option<Vec<u8>> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let plain = text.strip_suffix(b"\x1b[m")?;
    Some([plain, &line[text.len()..]].concat())
}

/// Refuses a coloured diff with escape sequences of its own in a line.
pub(in crate::dialect) fn odd(line: LineNo) -> Parsed {
    let problem = Problem {
        line,
        span: InputSpan::of(line.idx()..line.get()),
        dialect: "unified",
        path: None,
        found: "escape sequences that are not the colours of a diff".to_owned(),
        expected: "a diff without colours, as `git diff --no-color` writes it".to_owned(),
        text: Vec::new(),
    };
    Parsed {
        problems: vec![problem],
        ..Parsed::default()
    }
}

/// Refuses a text whose edits have colours within their lines.
pub(in crate::dialect) fn within_edits(text: &str, plain: &Parsed) -> Parsed {
    let is_coloured = |line: &str| line.as_bytes().contains(&ESCAPE);
    let first = text.lines().position(is_coloured).unwrap_or_default();
    let dialect = plain
        .readings
        .first()
        .map_or("tool-call", |reading| reading.dialect);
    let problem = Problem {
        line: LineNo::from_idx(first),
        span: InputSpan::of(first..first + 1),
        dialect,
        path: None,
        found: format!("an edit (`{dialect}`) with the colours of a terminal in its lines"),
        expected: "the same text without colours".to_owned(),
        text: Vec::new(),
    };
    Parsed {
        problems: vec![problem],
        ..Parsed::default()
    }
}

/// Refuses the files of a text whose edits have colours within their lines.
pub(in crate::dialect) fn refuse_within(text: &str, mut parsed: Parsed) -> Parsed {
    let files = std::mem::take(&mut parsed.proposal.files);
    let (coloured, files) = files.into_iter().partition(decoration::adds_colours);
    parsed.proposal.files = files;
    let lines: Vec<&str> = text.lines().collect();
    for file in coloured {
        let FileChange {
            dialect,
            path,
            span,
            ..
        } = file;
        let is_coloured = |at: &usize| lines.get(*at).is_some_and(|line| line.contains('\u{1b}'));
        let first = (span.first.idx()..span.last.get()).find(is_coloured);
        parsed.problems.push(Problem {
            line: first.map_or(span.first, LineNo::from_idx),
            span,
            dialect,
            path: Some(path),
            found: format!("an edit (`{dialect}`) with the colours of a terminal in its lines"),
            expected: "the same text without colours".to_owned(),
            text: Vec::new(),
        });
    }
    parsed
}

const ESCAPE: u8 = 0x1b;

/// A part of a line: a colour, or text between colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColouredPart<'a> {
    Colour,
    Reset,
    Text(&'a [u8]),
}

/// Returns `true` for a header after escape sequences of any kind, also of those that are no colours.
fn is_coloured_header(line: &[u8]) -> bool {
    let text = after_sequences(line);
    text.len() < line.len() && HEADERS.iter().any(|header| text.starts_with(header))
}

/// Returns a line without the escape sequences at its beginning.
fn after_sequences(mut line: &[u8]) -> &[u8] {
    loop {
        let end = if let Some(rest) = line.strip_prefix(b"\x1b[") {
            let last = rest.iter().position(|byte| (0x40..0x7f).contains(byte));
            last.map(|last| last + 3)
        } else if let Some(rest) = line.strip_prefix(b"\x1b]") {
            let last = rest.iter().position(|byte| matches!(byte, 0x07 | b'\\'));
            last.map(|last| last + 3)
        } else {
            None
        };
        match end {
            Some(end) => line = &line[end..],
            None => return line,
        }
    }
}

/// Returns a line without its colours; `None` if it has escape sequences of its own.
fn plain(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    if line.first() != Some(&ESCAPE) {
        return Some(Cow::Borrowed(line));
    }
    let parts = parts(line);
    let is_between = |pair: &[ColouredPart<'_>]| {
        matches!(
            pair,
            [ColouredPart::Reset, ColouredPart::Colour]
                | [ColouredPart::Text(_), _]
                | [_, ColouredPart::Text(_)]
        )
    };
    if !parts.windows(2).all(is_between) {
        return None;
    }
    let texts: Vec<&[u8]> = (parts.into_iter())
        .filter_map(|part| match part {
            ColouredPart::Text(text) => Some(text),
            ColouredPart::Colour | ColouredPart::Reset => None,
        })
        .collect();
    let is_blank = |text: &&&[u8]| text.iter().all(u8::is_ascii_whitespace);
    let coloured = match texts.as_slice() {
        [[b'+' | b'-' | b' '], rest @ ..] => rest,
        all => all,
    };
    let is_header = texts.first().is_some_and(|text| text.starts_with(b"@@"));
    if coloured.iter().filter(|text| !is_blank(text)).count() > 1 && !is_header {
        return None;
    }
    let plain = texts.concat();
    (!plain.contains(&ESCAPE)).then_some(Cow::Owned(plain))
}

/// Splits a line into colours and texts. An escape sequence that is no colour is text.
fn parts(line: &[u8]) -> Vec<ColouredPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = line;
    let mut text = 0;
    while let Some(at) = rest[text..].iter().position(|byte| *byte == ESCAPE) {
        let at = text + at;
        let Some((colour, length)) = colour(&rest[at..]) else {
            text = at + 1;
            continue;
        };
        if at > 0 {
            parts.push(ColouredPart::Text(&rest[..at]));
        }
        parts.push(colour);
        rest = &rest[at + length..];
        text = 0;
    }
    if !rest.is_empty() {
        parts.push(ColouredPart::Text(rest));
    }
    parts
}

/// Parses `ESC [ numbers m` at the start of a text; with its length.
fn colour(text: &[u8]) -> Option<(ColouredPart<'static>, usize)> {
    let numbers = text.strip_prefix(b"\x1b[")?;
    let length = numbers
        .iter()
        .position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
    let is_reset = numbers[..length].iter().all(|byte| *byte == b'0');
    let part = if is_reset {
        ColouredPart::Reset
    } else {
        ColouredPart::Colour
    };
    (numbers[length] == b'm').then_some((part, length + 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// `{` is the start of a colour, `}` the reset, `~` an escape sequence of the text.
    #[track_caller]
    fn check(input: &str, expected: Result<Option<&str>, usize>) {
        let written = input
            .replace('{', "\x1b[3")
            .replace('}', "\x1b[m")
            .replace('~', "\x1b[0m");
        let found = uncoloured(written.as_bytes());
        let found = found.map(|plain| plain.map(|plain| String::from_utf8(plain).unwrap()));
        let expected = expected
            .map(|plain| plain.map(|plain| plain.replace('}', "\x1b[m").replace('~', "\x1b[0m")));
        assert_eq!(
            found,
            expected.map_err(|line| LineNo::new(line).unwrap()),
            "{input:?}"
        );
    }

    const HEAD: &str = "{6m@@ -1 +1 @@} fn a()\n";

    #[test]
    fn colours_of_a_diff_are_removed() {
        let lines = |body: &str| format!("{HEAD}{body}");
        let plain = |body: &str| format!("@@ -1 +1 @@ fn a()\n{body}");
        for (body, expected) in [
            ("{1m-one}\n{2m+two}\n", "-one\n+two\n"),
            ("{2m+}{2mtwo}\n", "+two\n"),
            ("{2m+}{2mtwo}{1m  }\n", "+two  \n"),
            ("{2m+}{1m  }{2m\ttwo}\n", "+  \ttwo\n"),
            ("{2m+two}\r\n", "+two\r\n"),
            (" same\n", " same\n"),
            // A context line that has escape sequences of its own.
            (" a~b\n", " a~b\n"),
            (" a~\n", " a~\n"),
            // Git's reset at the end of each context line, and after the sign as well.
            (" a}\n }\n b~}\r\n", " a\n \n b~\r\n"),
            (" }a}\n }}\n", " a\n \n"),
            (" a}\n b\n", " a}\n b\n"),
            (" a}\n }b}\n", " a\n }b\n"),
            // The message of the next commit is no context.
            (
                " a}\n{3mcommit 1}\n\n    text\n",
                " a\ncommit 1\n\n    text\n",
            ),
        ] {
            check(&lines(body), Ok(Some(&plain(expected))));
        }
    }

    #[test]
    fn escape_sequences_of_a_changed_line_are_refused() {
        for body in [
            "{2m+a~b}\n",
            "{2m+}{2m{1mred~}\n",
            "{2m+red~}\n",
            "{1m-a{7mb}{1mc}\n",
            "{2m+\x1b[2J}\n",
        ] {
            check(&format!("{HEAD}{body}"), Err(2));
        }
    }

    #[test]
    fn escape_sequences_of_a_file_in_a_plain_diff_are_its_own() {
        const UNIFIED: &str = "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n x\n+{1mb}\n";
        const CONTEXT: &str =
            "*** a/f\n--- b/f\n***************\n*** 1 ****\n--- 1,2 ----\n  x\n+ {1mb}\n";
        const NORMAL: &str = "diff f f\n1a2\n> {1mb}\n";
        const BLOCK: &str = "f\n<<<<<<< SEARCH\nx\n=======\n{1mb}\n>>>>>>> REPLACE\n";
        const OTHER: &str = "--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n";
        for (text, files, problems) in [
            (UNIFIED, 1, 0),
            (CONTEXT, 1, 0),
            (NORMAL, 1, 0),
            (BLOCK, 0, 1),
            (&[UNIFIED, OTHER].concat(), 2, 0),
            (&[BLOCK, OTHER].concat(), 1, 1),
        ] {
            let text = text.replace('{', "\x1b[3").replace('}', "\x1b[m");
            let parsed = parse(&text, &Options::default());
            let found = (parsed.proposal.files.len(), parsed.problems.len());
            assert_eq!(found, (files, problems), "{text}");
            let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
            let mut lines = hunks.flat_map(|hunk| &hunk.body.postimage);
            let is_kept = lines.any(|line| line == "\x1b[31mb\x1b[m");
            assert_eq!(is_kept, !text.contains("SEARCH"), "{text}");
        }
    }

    #[test]
    fn other_escape_sequences_before_a_header_are_refused() {
        for header in [
            "{1m{2m@@ -1 +1 @@}\n",
            "\x1b]8;;x\x1b\\@@ -1 +1 @@\n",
            "\x1b[K--- a\n",
        ] {
            check(header, Err(1));
        }
    }

    #[test]
    fn what_is_no_coloured_diff_stays() {
        check("@@ -1 +1 @@\n-one\n", Ok(None));
        check("@@ -1 +1 @@\n-a~\n+b\n", Ok(None));
        check("{1mred} words\n", Ok(None));
    }
}
