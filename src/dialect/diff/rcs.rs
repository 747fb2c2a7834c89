//! `rcs`: the output of `diff -n`, as RCS files hold it.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/RCS.html>. `d3 2` deletes two lines from line 3 on, `a4 1` adds
//! the one line that follows after line 4; all numbers are those of the file before.

use std::ops::Range;

use super::diff_command;
use crate::dialect::dialect_trait::{Before, Dialect, EvidenceKind, Section};
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, Extent, Hunk};
use crate::text::{LineIdx, LineNo};

/// The dialect `rcs`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Rcs;

/// A command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RcsCommand {
    Add { after: usize, count: usize },
    Delete { from: usize, count: usize },
}

impl Dialect for Rcs {
    fn name(&self) -> &'static str {
        "rcs"
    }

    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Shape
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        RcsCommand::of(input.line(at)?)?;
        diff_command::script(self.name(), input, at, before, script)
    }
}

impl RcsCommand {
    fn of(line: &str) -> Option<Self> {
        let (numbers, adds) = match line.strip_prefix('a') {
            Some(numbers) => (numbers, true),
            None => (line.strip_prefix('d')?, false),
        };
        let (line, count) = numbers.split_once(' ')?;
        let (line, count) = (line.parse().ok()?, count.parse().ok()?);
        match (adds, line, count) {
            (_, _, 0) | (false, 0, _) => None,
            (true, after, count) => Some(Self::Add { after, count }),
            (false, from, count) => Some(Self::Delete { from, count }),
        }
    }
}

/// Reads commands until a line is none, and moves `end` there.
fn script(input: &Input, end: &mut LineIdx) -> Result<Vec<Hunk>, ParseError> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut deleted_to = None;
    while let Some(command) = input.line(*end).and_then(RcsCommand::of) {
        let first = *end;
        match command {
            RcsCommand::Delete { from, count } => {
                *end += 1;
                deleted_to = from.checked_add(count - 1);
                hunks.push(hunk(
                    input,
                    first..*end,
                    LineNo::new(from),
                    Extent::Numbered(count),
                ));
            }
            RcsCommand::Add { after, count } => {
                let text = first + 1..first.saturating_add(1).saturating_add(count);
                if text.end > input.len() {
                    *end = input.len();
                    let expected =
                        format!("{count} new lines, as line {} says", input.number(first));
                    return Err(ParseError::line(input, input.len(), expected));
                }
                *end = text.end;
                let lines = input.lines(text).iter().map(ToString::to_string);
                // New lines right after deleted ones replace them.
                if let Some(hunk) = hunks.last_mut().filter(|_| deleted_to == Some(after)) {
                    hunk.body.postimage.extend(lines);
                } else {
                    let hint = LineNo::new(after.saturating_add(1));
                    let mut hunk = hunk(input, first..*end, hint, Extent::Lines);
                    hunk.body.postimage.extend(lines);
                    hunks.push(hunk);
                }
                deleted_to = None;
            }
        }
    }
    Ok(hunks)
}

fn hunk(input: &Input, lines: Range<LineIdx>, hint: Option<LineNo>, extent: Extent) -> Hunk {
    Hunk {
        extent,
        hint,
        ..Hunk::new(Body::default(), input.span(lines))
    }
}
