//! Code that is indented with all that it holds: a fence in a list, or a block without a fence
//! (<https://spec.commonmark.org/0.31.2/#indented-code-blocks>).

use std::ops::Range;

use super::fence::Fence;
use crate::dialect::input::Input;
use crate::text::{LineIdx, split_indent};

/// Lines that are indented alike.
#[derive(Debug)]
pub(in crate::dialect) struct IndentedBlock {
    pub(in crate::dialect) lines: Range<LineIdx>,
    /// The first line of its text.
    pub(in crate::dialect) first: LineIdx,
    /// Its text without the indentation; `None` if it has no end.
    pub(in crate::dialect) text: Option<String>,
}

/// The blanks that make a block of code; a tab is as good.
const INDENT: usize = 4;
/// Beginnings of the line above the message of a commit, which `git log` indents.
const COMMIT: [&str; 3] = ["Date:", "Author:", "CommitDate:"];

impl IndentedBlock {
    /// The block of code without a fence that begins at a line, below a blank one.
    pub(in crate::dialect) fn code(input: &Input, at: LineIdx) -> Option<Self> {
        let above = |lines| at.checked_sub(lines).and_then(|at| input.line(at));
        let (indent, _) = split_indent(input.line(at)?);
        let is_indented = indent.len() >= INDENT || indent.starts_with('\t');
        let is_message = |line: &str| COMMIT.iter().any(|start| line.starts_with(start));
        if !is_indented
            || above(1).is_some_and(|line| !line.trim().is_empty())
            || above(2).is_some_and(is_message)
        {
            return None;
        }
        let is_blank = |line: &str| line.trim().is_empty();
        let mut end = at;
        for next in at..input.len() {
            let line = input.line(next)?;
            if line.starts_with(indent) && !is_blank(line) {
                end = next + 1;
            } else if !is_blank(line) {
                break;
            }
        }
        let mut text = String::new();
        for next in at..end {
            text.push_str(input.line(next)?.strip_prefix(indent).unwrap_or_default());
            text.push_str(if input.has_return(next) { "\r\n" } else { "\n" });
        }
        Some(Self {
            lines: at..end,
            first: at,
            text: Some(text),
        })
    }

    /// The fence that opens at a line, if it is indented.
    pub(in crate::dialect) fn fence(input: &Input, at: LineIdx) -> Option<Self> {
        let line = input.line(at)?;
        let open = Fence::of(line)?;
        let (indent, _) = split_indent(line);
        if indent.is_empty() {
            return None;
        }
        let first = at + 1;
        let mut text = String::new();
        for next in first..input.len() {
            let line = input.line(next)?;
            let is_blank = line.trim().is_empty();
            let Some(inner) = line.strip_prefix(indent).or(is_blank.then_some("")) else {
                let lines = at..next;
                let text = None;
                return Some(Self { lines, first, text });
            };
            if Fence::of(inner).is_some_and(|fence| fence.closes(&open)) {
                let lines = at..next + 1;
                let text = Some(text);
                return Some(Self { lines, first, text });
            }
            text.push_str(inner);
            text.push_str(if input.has_return(next) { "\r\n" } else { "\n" });
        }
        let lines = at..input.len();
        let text = None;
        Some(Self { lines, first, text })
    }
}
