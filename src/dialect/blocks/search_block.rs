//! One block of markers, a search half and a replace half, as Roo Code, Cline and Aider write it.
//!
//! A block may be read more than one way: where it has several dividers, or where it is indented as a whole. Then every
//! reading is kept, and the file decides.

use std::ops::Range;

use super::marker::{self, HintLine, MarkerStyle, Opening};
use crate::dialect::body::omitted_lines;
use crate::dialect::input::Input;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::{ParseError, quoted};
use crate::proposal::{Body, Hunk};
use crate::text::{LineIdx, LineNo};

/// The most readings that are kept beside the likeliest.
const READINGS: usize = 16;

/// A block from its opening to its closing line.
#[derive(Debug)]
pub(super) struct SearchBlock {
    /// Its lines, markers included.
    pub(super) lines: Range<LineIdx>,
    /// Its hunk, or the reason why there is none.
    pub(super) hunk: Result<Hunk, ParseError>,
}

/// Returns `true` for a block with signs that only Roo Code, Cline and Zed write: a line hint, a rule, dashes for angles.
pub(super) fn is_hinted(input: &Input, at: LineIdx, opening: &Opening) -> bool {
    let next = input.line(at + 1).unwrap_or_default();
    opening.style != MarkerStyle::Angles
        || opening.line.is_some()
        || marker::hint(next).is_some()
        || marker::is_rule(next)
}

/// Reads the block that an opening line begins.
pub(super) fn read(input: &Input, at: LineIdx, opening: &Opening) -> SearchBlock {
    let end = end(input, at);
    let dividers = dividers(input, at + 1..end, opening.length);
    let closed = input.line(end).is_some_and(marker::closes);
    SearchBlock {
        lines: at..if closed {
            end + 1
        } else {
            file_name::or_above(input, at + 1, end)
        },
        hunk: hunk(input, at..end, opening, &dividers),
    }
}

/// The closing line of the block that opens at `at`, or the opening of the next one, or the end of the input.
pub(in crate::dialect) fn end(input: &Input, at: LineIdx) -> LineIdx {
    let ends = |line: &str| marker::closes(line) || marker::opening(line).is_some();
    (at + 1..input.len())
        .find(|&at| input.line(at).is_some_and(ends))
        .unwrap_or(input.len())
}

/// Reads a block that begins and ends at the given lines.
fn hunk(
    input: &Input,
    block: Range<LineIdx>,
    opening: &Opening,
    dividers: &[LineIdx],
) -> Result<Hunk, ParseError> {
    let since = |what: &str| {
        format!(
            "{what} for the SEARCH on line {}",
            input.number(block.start)
        )
    };
    if opening.style == MarkerStyle::Mixed {
        return Err(ParseError::line(input, block.start, "'<<<<<<< SEARCH'"));
    }
    if dividers.is_empty() {
        return Err(ParseError::line(input, block.end, since("'======='")));
    }
    if !input.line(block.end).is_some_and(marker::closes) {
        return Err(ParseError::line(
            input,
            block.end,
            since("'>>>>>>> REPLACE'"),
        ));
    }
    let divider = dividers[dividers.len() / 2];
    let head = Head::read(input, block.start + 1..divider, opening);
    let text = PlainHalves {
        search: input.lines(head.end..divider),
        replace: input.lines(divider + 1..block.end),
        indent: opening.indent,
    };
    if let Some(i) = text.misplaced_hint() {
        let at = divider + 1 + i;
        let line = input.line(at).unwrap_or_default().trim();
        let expected = format!("{} if it is content", quoted(&format!("\\{line}")));
        return Err(ParseError::line(input, at, expected));
    }
    let body = text.likeliest();
    if let Some(i) = omitted_lines::mark(&body) {
        return Err(ParseError::line(
            input,
            divider + 1 + i,
            omitted_lines::EXPECTED,
        ));
    }
    let mut hunk = Hunk::new(body, input.span(block.start..block.end + 1));
    hunk.hint = head.hint.or(opening.line).and_then(LineNo::new);
    let mut others = Vec::from_iter(text.indented());
    others.extend(head.rule_as_content(&text));
    others.extend(Some(text.verbatim()).filter(|body| body.preimage != hunk.body.preimage));
    for &other in nearest(dividers, divider) {
        let text = PlainHalves {
            search: input.lines(head.end.min(other)..other),
            replace: input.lines(other + 1..block.end),
            indent: opening.indent,
        };
        others.push(text.likeliest());
    }
    for other in others.into_iter().take(READINGS) {
        if other != hunk.body && !hunk.other_readings.contains(&other) {
            hunk.other_readings.push(other);
        }
    }
    Ok(hunk)
}

/// The lines that may part the halves. A divider as long as the opening is one; only without such a line another may be.
fn dividers(input: &Input, lines: Range<LineIdx>, length: usize) -> Vec<LineIdx> {
    let found: Vec<(LineIdx, usize)> = lines
        .filter_map(|at| Some((at, marker::divider(input.line(at)?)?)))
        .collect();
    let longest_fit = [length, 7]
        .into_iter()
        .find(|&wanted| found.iter().any(|&(_, length)| length == wanted));
    found
        .iter()
        .filter(|&&(_, length)| longest_fit.is_none_or(|wanted| length == wanted))
        .map(|&(at, _)| at)
        .collect()
}

/// The other dividers, at most as many as readings are kept.
fn nearest(dividers: &[LineIdx], chosen: LineIdx) -> impl Iterator<Item = &LineIdx> {
    let middle = dividers.len() / 2;
    let from = middle.saturating_sub(READINGS / 2);
    dividers
        .iter()
        .skip(from)
        .take(READINGS + 1)
        .filter(move |&&at| at != chosen)
}

/// Lines between the opening and the search text.
struct Head<'a> {
    /// The line that the hints name.
    hint: Option<usize>,
    /// The first line of the search text.
    end: LineIdx,
    /// A rule without a hint above it, which may be the first line of the text.
    rule: Option<&'a str>,
}

impl<'a> Head<'a> {
    fn read(input: &Input<'a>, lines: Range<LineIdx>, opening: &Opening) -> Self {
        let mut head = Self {
            hint: None,
            end: lines.start,
            rule: None,
        };
        let mut hinted = opening.line.is_some();
        for at in lines {
            let line = input.line(at).unwrap_or_default();
            if let Some(hint) = marker::hint(line) {
                hinted = true;
                head.end = at + 1;
                match hint {
                    HintLine::Start(number) => head.hint = Some(number),
                    HintLine::End => (),
                }
                continue;
            }
            if marker::is_rule(line) {
                head.end = at + 1;
                head.rule = (!hinted).then_some(line);
            }
            break;
        }
        head
    }

    /// The reading in which the rule is content.
    fn rule_as_content(&self, text: &PlainHalves) -> Option<Body> {
        let mut body = text.likeliest();
        body.preimage.insert(0, self.rule?.to_owned());
        Some(body)
    }
}

/// The two halves, unchanged.
struct PlainHalves<'a, 'b> {
    search: &'b [&'a str],
    replace: &'b [&'a str],
    /// The indentation of the markers, which the text may share.
    indent: &'b str,
}

impl PlainHalves<'_, '_> {
    /// Without escapes, and without the indentation of the block if every line has it.
    fn likeliest(&self) -> Body {
        let indent = if self.is_indented() { self.indent } else { "" };
        let read = |line: &&str| {
            let line = line.strip_prefix(indent).unwrap_or(line.trim_start());
            marker::unescape(line).unwrap_or(line).to_owned()
        };
        Body {
            preimage: self.search.iter().map(read).collect(),
            postimage: self.replace.iter().map(read).collect(),
        }
    }

    /// With the indentation of the block, if the text has it: the markers may have been indented like the text.
    fn indented(&self) -> Option<Body> {
        let read = |line: &&str| marker::unescape(line).unwrap_or(line).to_owned();
        self.is_indented().then(|| Body {
            preimage: self.search.iter().map(read).collect(),
            postimage: self.replace.iter().map(read).collect(),
        })
    }

    /// To the letter: the file itself may have such backslashes.
    fn verbatim(&self) -> Body {
        let read = |line: &&str| (*line).to_owned();
        Body {
            preimage: self.search.iter().map(read).collect(),
            postimage: self.replace.iter().map(read).collect(),
        }
    }

    fn is_indented(&self) -> bool {
        let lines = || self.search.iter().chain(self.replace);
        !self.indent.is_empty()
            && lines().all(|line| line.starts_with(self.indent) || line.trim().is_empty())
    }

    /// The line of the replace half that is a hint for the search half.
    fn misplaced_hint(&self) -> Option<usize> {
        self.replace
            .iter()
            .position(|line| marker::hint(line).is_some() && !self.search.contains(line))
    }
}
