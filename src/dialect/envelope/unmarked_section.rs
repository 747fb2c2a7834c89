//! The sections of an envelope whose lines bear no marks: `*** Replace in:` with pairs of `*** Find:` and `*** With:`, and the
//! sections that name lines by number.
//!
//! Extensions of otto's `apply_patch`, <https://github.com/nitishxyz/agi>.

use std::ops::Range;

use crate::dialect::input::Input;
use crate::dialect::parse_error::{ParseError, ParseErrors};
use crate::proposal::{Body, Extent, Hunk};
use crate::text::{LineIdx, LineNo};

const FIND: &str = "*** Find:";
const WITH: &str = "*** With:";
const LINES: &str = "*** Lines:";
const LINE: &str = "*** Line:";

/// Operation of a section on lines that it names by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbered {
    Replace,
    Delete,
    InsertBefore,
    InsertAfter,
}

impl Numbered {
    /// Reads the words before the name of the file.
    pub(super) fn of(words: &str) -> Option<Self> {
        match words {
            "Replace Lines in" => Some(Self::Replace),
            "Delete Lines in" => Some(Self::Delete),
            "Insert Before in" => Some(Self::InsertBefore),
            "Insert After in" => Some(Self::InsertAfter),
            _ => None,
        }
    }
}

/// The hunks of the pairs in a `*** Replace in:` section.
pub(super) fn pairs(input: &Input, lines: Range<LineIdx>) -> (Vec<Hunk>, ParseErrors) {
    let (mut hunks, mut errors) = (Vec::new(), ParseErrors::new());
    let mut at = input.skip_blank(lines.start);
    while at < lines.end {
        let end = next(input, at + 1..lines.end, FIND);
        match pair(input, at..end) {
            Ok(hunk) => hunks.push(hunk),
            Err(error) => errors.push((error, at..end)),
        }
        at = end;
    }
    (hunks, errors)
}

/// The hunk of one pair.
fn pair(input: &Input, lines: Range<LineIdx>) -> Result<Hunk, ParseError> {
    if !is(input, lines.start, FIND) {
        return Err(ParseError::line(input, lines.start, format!("'{FIND}'")));
    }
    let with = next(input, lines.start + 1..lines.end, WITH);
    if with == lines.end {
        return Err(ParseError::line(input, with, format!("'{WITH}'")));
    }
    let preimage = text(input, lines.start + 1..with);
    if preimage.is_empty() {
        let found = "nothing to find";
        return Err(ParseError::new(
            lines.start,
            found,
            "the lines as the file has them",
        ));
    }
    let mut postimage = text(input, with + 1..lines.end);
    // Blank lines below a pair part it from what follows.
    let is_blank = |line: &String| line.trim().is_empty();
    if !preimage.last().is_some_and(is_blank) {
        while postimage.last().is_some_and(is_blank) {
            postimage.pop();
        }
    }
    let body = Body {
        preimage,
        postimage,
    };
    Ok(Hunk::new(body, input.span(lines)))
}

/// The hunk of a section that names lines by number.
pub(super) fn numbered(
    input: &Input,
    lines: Range<LineIdx>,
    kind: Numbered,
) -> Result<Hunk, ParseError> {
    let at = input.skip_blank(lines.start).min(lines.end);
    let (key, expected) = match kind {
        Numbered::Replace | Numbered::Delete => (LINES, "'*** Lines: FIRST-LAST'"),
        Numbered::InsertBefore | Numbered::InsertAfter => (LINE, "'*** Line: NUMBER'"),
    };
    let said = input
        .line(at)
        .filter(|_| at < lines.end)
        .and_then(|line| line.trim_end().strip_prefix(key));
    let range = said.and_then(|said| stretch(said.trim()));
    let Some((first, last)) = range else {
        return Err(ParseError::line(input, at, expected));
    };
    let with = input.skip_blank(at + 1).min(lines.end);
    let has_text = with < lines.end && is(input, with, WITH);
    let postimage = match (kind, has_text) {
        (Numbered::Delete, false) if with == lines.end => Vec::new(),
        (Numbered::Delete, _) => {
            return Err(ParseError::line(
                input,
                with,
                "another section, or '*** End Patch'",
            ));
        }
        (_, true) => text(input, with + 1..lines.end),
        (_, false) => return Err(ParseError::line(input, with, format!("'{WITH}'"))),
    };
    let mut hunk = Hunk::new(
        Body {
            preimage: Vec::new(),
            postimage,
        },
        input.span(lines),
    );
    hunk.hint = Some(first);
    match (kind, last) {
        (Numbered::InsertBefore, Some(last)) if last == first => (),
        (Numbered::InsertAfter, Some(last)) if last == first => {
            hunk.hint = Some(LineNo::from_idx(first.get()));
        }
        (Numbered::InsertBefore | Numbered::InsertAfter, _) => {
            return Err(ParseError::line(input, at, expected));
        }
        (Numbered::Replace | Numbered::Delete, Some(last)) => {
            hunk.extent = Extent::Numbered(last.get() + 1 - first.get());
        }
        (Numbered::Replace | Numbered::Delete, None) => {
            hunk.extent = Extent::Numbered(0);
            hunk.at_end = true;
        }
    }
    Ok(hunk)
}

/// Reads `3`, `3-7` or `3-eof`; the last line is `None` for the end of the file.
fn stretch(said: &str) -> Option<(LineNo, Option<LineNo>)> {
    let number = |text: &str| LineNo::new(text.trim().parse().ok()?);
    let Some((first, last)) = said.split_once('-') else {
        let line = number(said)?;
        return Some((line, Some(line)));
    };
    let first = number(first)?;
    if last.trim().eq_ignore_ascii_case("eof") {
        return Some((first, None));
    }
    let last = number(last)?;
    (first <= last).then_some((first, Some(last)))
}

fn is(input: &Input, at: LineIdx, marker: &str) -> bool {
    input.line(at).is_some_and(|line| line.trim_end() == marker)
}

/// Finds the next such marker; the end of the lines if there is none.
fn next(input: &Input, lines: Range<LineIdx>, marker: &str) -> LineIdx {
    let end = lines.end;
    let mut lines = lines;
    lines.find(|&at| is(input, at, marker)).unwrap_or(end)
}

fn text(input: &Input, lines: Range<LineIdx>) -> Vec<String> {
    let lines = lines.start.min(lines.end)..lines.end;
    input.lines(lines).iter().map(ToString::to_string).collect()
}
