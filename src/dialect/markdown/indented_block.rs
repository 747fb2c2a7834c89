//! Code fences in lists, which are indented with all that they hold.

use std::ops::Range;

use super::fence::Fence;
use crate::dialect::input::Input;
use crate::text::{LineIdx, split_indent};

/// A fence that is indented with all that it holds, as in a list.
#[derive(Debug)]
pub(in crate::dialect) struct IndentedFence {
    pub(in crate::dialect) lines: Range<LineIdx>,
    /// Its lines without the indentation; `None` if it has no end.
    pub(in crate::dialect) text: Option<String>,
}

impl IndentedFence {
    /// The fence that opens at a line, if it is indented.
    pub(in crate::dialect) fn at(input: &Input, at: LineIdx) -> Option<Self> {
        let line = input.line(at)?;
        let open = Fence::of(line)?;
        let (indent, _) = split_indent(line);
        if indent.is_empty() {
            return None;
        }
        let mut text = String::new();
        for next in at + 1..input.len() {
            let line = input.line(next)?;
            let is_blank = line.trim().is_empty();
            let Some(inner) = line.strip_prefix(indent).or(is_blank.then_some("")) else {
                let lines = at..next;
                return Some(Self { lines, text: None });
            };
            if Fence::of(inner).is_some_and(|fence| fence.closes(&open)) {
                let lines = at..next + 1;
                let text = Some(text);
                return Some(Self { lines, text });
            }
            text.push_str(inner);
            text.push_str(if input.has_return(next) { "\r\n" } else { "\n" });
        }
        let lines = at..input.len();
        Some(Self { lines, text: None })
    }
}
