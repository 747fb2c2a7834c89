//! `ed`: the output of `diff -e`, a script for the editor `ed`.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/Detailed-ed.html>. It states no old text and names no file. The
//! commands are in reverse order, so that all line numbers are those of the file before; another order is refused.

use std::ops::Range;

use super::diff_command;
use super::line_range::LineRange;
use crate::dialect::dialect_trait::{Before, Dialect, EvidenceKind, Section};
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, Extent, Hunk};
use crate::text::LineIdx;

/// The dialect `ed`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Ed;

impl Dialect for Ed {
    fn name(&self) -> &'static str {
        "ed"
    }

    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Shape
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        command(input.line(at)?)?;
        diff_command::script(self.name(), input, at, before, script)
    }
}

/// Reads commands until a line is none, and moves `end` there.
fn script(input: &Input, end: &mut LineIdx) -> Result<Vec<Hunk>, ParseError> {
    let mut hunks = Vec::new();
    let mut above: Option<LineRange> = None;
    let mut error = None;
    while let Some((range, action)) = input.line(*end).and_then(command) {
        let first = *end;
        let text = first + 1..text_end(input, first + 1, action);
        *end = if action == 'd' {
            text.end
        } else {
            (text.end + 1).min(input.len())
        };
        if action != 'd' && input.line(text.end).is_none() {
            error = error
                .or_else(|| Some(ParseError::line(input, text.end, "'.' after the new lines")));
        }
        if above.is_some_and(|above| range.last >= above.first) {
            let expected = "a line above the one before, as `diff -e` writes them";
            error = error.or_else(|| Some(ParseError::line(input, first, expected)));
        }
        above = Some(range);
        hunks.push(hunk(input, first..*end, &text, range, action));
    }
    while input
        .line(*end)
        .is_some_and(|line| matches!(line, "w" | "q" | "wq"))
    {
        *end += 1;
    }
    error.map_or(Ok(hunks), Err)
}

fn hunk(
    input: &Input,
    lines: Range<LineIdx>,
    text: &Range<LineIdx>,
    range: LineRange,
    action: char,
) -> Hunk {
    let postimage = input.lines(text.clone()).iter().map(ToString::to_string);
    let body = Body {
        preimage: Vec::new(),
        postimage: postimage.collect(),
    };
    let (hint, extent) = match action {
        'a' => (range.after(), Extent::Lines),
        'i' => (range.here(), Extent::Lines),
        _ => (range.here(), Extent::Numbered(range.count())),
    };
    Hunk {
        extent,
        hint,
        ..Hunk::new(body, input.span(lines))
    }
}

/// Reads a command: `5,7c`, `3a`, `9d`; also `3i`, which people write.
fn command(line: &str) -> Option<(LineRange, char)> {
    let (range, rest) = LineRange::take(line)?;
    let action = match rest {
        "a" => 'a',
        "i" if range.first == range.last => 'i',
        "c" => 'c',
        "d" => 'd',
        _ => return None,
    };
    (action == 'a' || range.first > 0).then_some((range, action))
}

/// The line with the dot that ends the new lines.
fn text_end(input: &Input, from: LineIdx, action: char) -> LineIdx {
    if action == 'd' {
        return from;
    }
    (from..input.len())
        .find(|&at| input.line(at) == Some("."))
        .unwrap_or(input.len())
}
