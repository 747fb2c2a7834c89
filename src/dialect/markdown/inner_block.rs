//! Lines that a document sets apart by what is before each of them: a fence in a list, the text of a list's item, a block of code without
//! a fence, or a quotation (<https://spec.commonmark.org/0.31.2/#container-blocks>).

use std::ops::Range;

use super::fence::Fence;
use crate::dialect::input::Input;
use crate::text::{LineIdx, split_indent};

/// Lines with the same indentation or quotation mark.
#[derive(Debug)]
pub(in crate::dialect) struct InnerBlock {
    pub(in crate::dialect) kind: BlockKind,
    pub(in crate::dialect) lines: Range<LineIdx>,
    /// The first line of its text.
    pub(in crate::dialect) first: LineIdx,
    /// Its text without what is before its lines; `None` if it has no end.
    pub(in crate::dialect) text: Option<String>,
}

/// Kind of lines that a document sets apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum BlockKind {
    Fence,
    Indentation,
    /// The message of a commit, which `git log` indents.
    Message,
    Quotation,
}

/// The most marks of a quotation without blanks between them: longer ones are delimiters, such as those of search/replace blocks.
const MARKS: usize = 4;

/// Beginnings of the line above the message of a commit.
const COMMIT: [&str; 3] = ["Date:", "Author:", "CommitDate:"];

impl InnerBlock {
    /// The block that begins at a line.
    pub(in crate::dialect) fn at(input: &Input, at: LineIdx) -> Option<Self> {
        let line = input.line(at)?;
        let marks = line.bytes().take_while(|byte| *byte == b'>').count();
        if marks > 0 {
            return (marks <= MARKS).then(|| Self::quotation(input, at));
        }
        let (indent, text) = split_indent(line);
        if indent.is_empty() || text.is_empty() {
            return None;
        }
        let fence = Fence::of(line).map(|open| Self::fence(input, at, indent, &open));
        Some(fence.unwrap_or_else(|| Self::indented(input, at, indent)))
    }

    fn quotation(input: &Input, at: LineIdx) -> Self {
        let quoted = |at: LineIdx| input.line(at)?.strip_prefix('>');
        let lines: Vec<&str> = (at..input.len()).map_while(quoted).collect();
        let mark = blank_behind(lines.iter().copied());
        let mut text = String::new();
        for (i, line) in lines.iter().enumerate() {
            add_line(
                &mut text,
                input,
                at + i,
                line.strip_prefix(mark).unwrap_or(line),
            );
        }
        Self {
            kind: BlockKind::Quotation,
            lines: at..at + lines.len(),
            first: at,
            text: Some(text),
        }
    }

    fn indented(input: &Input, at: LineIdx, indent: &str) -> Self {
        let above = |lines| at.checked_sub(lines).and_then(|at| input.line(at));
        let is_date = |line: &str| COMMIT.iter().any(|start| line.starts_with(start));
        let is_message = above(1).is_some_and(str::is_empty) && above(2).is_some_and(is_date);
        // Blank lines behind it may be its own: those of the context of a hunk.
        let is_inside = |line: &str| line.starts_with(indent) || line.trim().is_empty();
        let lines = (at..input.len()).map_while(|at| input.line(at).filter(|line| is_inside(line)));
        let end = at + lines.count();
        let mut text = String::new();
        for next in at..end {
            let line = input.line(next).unwrap_or_default();
            add_line(
                &mut text,
                input,
                next,
                line.strip_prefix(indent).unwrap_or_default(),
            );
        }
        Self {
            kind: if is_message {
                BlockKind::Message
            } else {
                BlockKind::Indentation
            },
            lines: at..end,
            first: at,
            text: Some(text),
        }
    }

    fn fence(input: &Input, at: LineIdx, indent: &str, open: &Fence) -> Self {
        let first = at + 1;
        let mut text = String::new();
        let block = |end, text| Self {
            kind: BlockKind::Fence,
            lines: at..end,
            first,
            text,
        };
        for next in first..input.len() {
            let line = input.line(next).unwrap_or_default();
            let is_blank = line.trim().is_empty();
            let Some(inner) = line.strip_prefix(indent).or(is_blank.then_some("")) else {
                return block(next, None);
            };
            if Fence::of(inner).is_some_and(|fence| fence.closes(open)) {
                return block(next + 1, Some(text));
            }
            add_line(&mut text, input, next, inner);
        }
        block(input.len(), None)
    }
}

/// Returns the blank that belongs to the marks of a quotation: none, if a line has no blank behind its mark.
pub(in crate::dialect) fn blank_behind<'a>(
    mut lines: impl Iterator<Item = &'a str>,
) -> &'static str {
    let has_one = |line: &str| line.starts_with(' ') || line.trim().is_empty();
    if lines.all(has_one) { " " } else { "" }
}

fn add_line(text: &mut String, input: &Input, at: LineIdx, line: &str) {
    text.push_str(line);
    text.push_str(if input.has_return(at) { "\r\n" } else { "\n" });
}
