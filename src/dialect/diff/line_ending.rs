//! Line endings that the two halves of a hunk state.
//!
//! A file keeps its line endings, and new lines take those of the lines around them, whatever the diff has: mails, clipboards and models
//! change them all. But a line that was removed and added again with another ending was given that ending on purpose. No hunk can
//! carry it out, so such a hunk is refused rather than written without it. In a file that mixes endings, lines are also refused
//! that nothing but their endings tells apart: a line that stays could be taken for the one that goes.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::hunk_body::{LineMark, mark};
use crate::dialect::input::Input;
use crate::dialect::parse_error::{self, ParseError};
use crate::text::LineIdx;

/// A line of a hunk: its line in the input, whether it is context, removed or added, and its text.
pub(super) type StatedLine<'a> = (LineIdx, LineMark, &'a str);

/// Endings of one text in a hunk, without a carriage return and with one.
#[derive(Debug, Default)]
struct Endings {
    context: [bool; 2],
    removed: [bool; 2],
    added: [bool; 2],
}

impl Endings {
    fn are_mixed(&self) -> bool {
        let has = |i: usize| self.context[i] || self.removed[i] || self.added[i];
        has(0) && has(1)
    }
}

/// Refuses a hunk with the marks ` `, `-` and `+` that changes the ending of a line.
pub(in crate::dialect) fn check(input: &Input, lines: Range<LineIdx>) -> Result<(), ParseError> {
    let mut stated: Vec<StatedLine> = Vec::with_capacity(lines.len());
    for at in lines {
        let marked = input.line(at).and_then(mark);
        let (mark, text) = marked.unwrap_or((LineMark::Context, ""));
        if mark == LineMark::NoNewline {
            // A line without an end has no ending to compare.
            stated.pop();
        } else {
            stated.push((at, mark, text));
        }
    }
    for run in runs(&stated) {
        check_run(input, run)?;
    }
    check_mixed(input, &stated)
}

fn is_changed(line: &StatedLine) -> bool {
    matches!(line.1, LineMark::Removed | LineMark::Added)
}

/// Splits lines into changed ones that nothing parts, and lines of context.
fn runs<'s, 'a>(lines: &'s [StatedLine<'a>]) -> impl Iterator<Item = &'s [StatedLine<'a>]> {
    lines.chunk_by(|left, right| is_changed(left) && is_changed(right))
}

/// Returns a line that is removed in one run and added in another.
fn moved<'s, 'a>(lines: &'s [StatedLine<'a>]) -> Option<&'s StatedLine<'a>> {
    let mut known: FxHashMap<(bool, &str), usize> = FxHashMap::default();
    for (number, run) in runs(lines).enumerate() {
        for line in run.iter().filter(|line| is_changed(line)) {
            let is_removed = line.1 == LineMark::Removed;
            if known
                .get(&(!is_removed, line.2))
                .is_some_and(|own| *own != number)
            {
                return Some(line);
            }
            known.insert((is_removed, line.2), number);
        }
    }
    None
}

/// Refuses a line that is removed and added with different endings among changed lines that nothing parts.
pub(super) fn check_run(input: &Input, run: &[StatedLine]) -> Result<(), ParseError> {
    let mut removed: FxHashMap<&str, [bool; 2]> = FxHashMap::default();
    for (at, _, text) in run.iter().filter(|line| line.1 == LineMark::Removed) {
        removed.entry(text).or_default()[usize::from(input.has_return(*at))] = true;
    }
    let is_other = |line: &&StatedLine| {
        let known = removed.get(line.2);
        known.is_some_and(|known| !known[usize::from(input.has_return(line.0))])
    };
    let mut added = run.iter().filter(|line| line.1 == LineMark::Added);
    let Some((at, _, text)) = added.find(is_other) else {
        return Ok(());
    };
    let endings = if input.has_return(*at) {
        "LF to CRLF"
    } else {
        "CRLF to LF"
    };
    let text = parse_error::quoted(text);
    let found = format!("{text} with a changed line ending ({endings})");
    let expected = "the line ending that the file has";
    Err(ParseError::new(*at, found, expected))
}

/// Refuses a hunk for lines of different endings in which a changed line has the text of another line with the other ending, or
/// that moves a line.
pub(super) fn check_mixed(input: &Input, lines: &[StatedLine]) -> Result<(), ParseError> {
    let mut of_file = [false; 2];
    for (at, mark, _) in lines {
        of_file[usize::from(input.has_return(*at))] |= *mark != LineMark::Added;
    }
    if of_file != [true, true] {
        return Ok(());
    }
    let mut known: FxHashMap<&str, Endings> = FxHashMap::default();
    for (at, mark, text) in lines {
        let endings = known.entry(text).or_default();
        let of_mark = match mark {
            LineMark::Removed => &mut endings.removed,
            LineMark::Added => &mut endings.added,
            LineMark::Context | LineMark::Empty | LineMark::NoNewline => &mut endings.context,
        };
        of_mark[usize::from(input.has_return(*at))] = true;
    }
    let is_mixed = |line: &&StatedLine| {
        let endings = known.get(line.2).filter(|_| is_changed(line));
        endings.is_some_and(Endings::are_mixed)
    };
    let unclear = lines.iter().find(is_mixed).or_else(|| moved(lines));
    let Some((at, _, text)) = unclear else {
        return Ok(());
    };
    let text = parse_error::quoted(text);
    let found =
        format!("a hunk for lines with different line endings, of which several are {text}");
    let expected = "changed lines that differ from the others in more than their endings";
    Err(ParseError::new(*at, found, expected))
}
