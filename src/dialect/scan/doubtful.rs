//! Edits of which nobody can say whether they are complete: a quotation that goes on behind an answer, and the end of an input that
//! seems to be cut off.

use std::ops::Range;

use crate::dialect::input::Input;
use crate::proposal::{FileChange, Problem};
use crate::text::{LineIdx, LineNo};

/// Returns `true` if the last hunk of a quoted edit may go on behind an answer.
pub(super) fn may_go_on(input: &Input, quoted: &[Range<LineIdx>], file: &FileChange) -> bool {
    quotation(input, quoted, file.span.first)
        .is_some_and(|lines| is_uncounted(file) && goes_on(input, lines.end))
}

/// Returns the lines of the quotation that a line, counted from 1, is in.
pub(super) fn quotation<'q>(
    input: &Input,
    quoted: &'q [Range<LineIdx>],
    line: LineNo,
) -> Option<&'q Range<LineIdx>> {
    let after = quoted.partition_point(|lines| input.number(lines.start) <= line);
    let lines = &quoted[after.checked_sub(1)?];
    (line < input.number(lines.end)).then_some(lines)
}

/// Returns the refusal of such an edit.
pub(super) fn refused(file: FileChange) -> Problem {
    Problem {
        line: file.span.first,
        span: file.span,
        dialect: file.dialect,
        path: Some(file.path),
        found: "an edit in a quotation that may go on".to_owned(),
        expected: "the whole edit without an answer inside".to_owned(),
        text: Vec::new(),
    }
}

/// Returns `true` if an edit ends with the input, in a code fence that has no end: nobody knows what followed.
pub(super) fn is_cut_off(input: &Input, file: &FileChange) -> bool {
    let last = input.len().saturating_sub(1);
    is_uncounted(file) && file.span.last == input.number(last)
}

/// Returns the refusal of such an edit.
pub(super) fn cut_off(input: &Input, file: FileChange) -> Problem {
    Problem {
        line: file.span.last,
        found: input.end().to_owned(),
        expected: "the end of the code fence".to_owned(),
        ..refused(file)
    }
}

/// Returns `true` if nothing says where the last hunk ends.
fn is_uncounted(file: &FileChange) -> bool {
    let last = file.hunks.last();
    file.dialect == "unified" && last.is_some_and(|hunk| hunk.hint.is_none())
}

/// Returns `true` if the next quotation begins with a line that a hunk may have.
fn goes_on(input: &Input, from: LineIdx) -> bool {
    let mut lines = (from..input.len()).filter_map(|at| input.line(at)?.strip_prefix('>'));
    let next = lines
        .next()
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    next.is_some_and(|line| line.starts_with(['+', '-', ' ', '@']))
}
