//! Edits of which nobody can say whether they are meant or complete: those in the reasoning of a model or in a comment, a quotation
//! that goes on behind an answer, and the end of an input that seems to be cut off.

use std::ops::Range;

use crate::dialect::input::Input;
use crate::proposal::{Body, FileChange, Guess, Miscount, Operation, Problem};
use crate::text::{LineIdx, LineNo};

/// Tags around the reasoning of a model. Other tags may be those of an answer.
const REASONING: [&str; 8] = [
    "analysis",
    "reasoning",
    "reflection",
    "scratchpad",
    "think",
    "thinking",
    "thought",
    "thoughts",
];

/// Open tag of reasoning, or open comment of Markdown: the text below is not part of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HiddenText {
    pub(super) from: LineIdx,
    end: String,
}

impl HiddenText {
    /// Reads a line of prose that opens one.
    pub(super) fn opened(line: &str, from: LineIdx) -> Option<Self> {
        let line = line.trim();
        if line.starts_with("<!--") {
            let end = "-->".to_owned();
            return (!line.contains(&end)).then_some(Self { from, end });
        }
        let name = line.strip_prefix('<')?.split([' ', '>']).next()?;
        let end = format!("</{name}>");
        (is_reasoning(name) && !line.contains(&end)).then_some(Self { from, end })
    }

    pub(super) fn is_closed_by(&self, line: &str) -> bool {
        line.contains(&self.end)
    }
}

fn is_reasoning(name: &str) -> bool {
    REASONING.iter().any(|tag| name.eq_ignore_ascii_case(tag))
}

/// Returns `true` for the end of reasoning. Its beginning may be missing: a chat template writes it.
pub(super) fn ends_reasoning(line: &str) -> bool {
    let name = line.trim().strip_prefix("</");
    name.and_then(|name| name.strip_suffix('>'))
        .is_some_and(is_reasoning)
}

/// Returns the refusal of an edit in a comment or in reasoning.
pub(super) fn in_hidden_text(file: FileChange) -> Problem {
    Problem {
        found: "an edit in a comment or in the reasoning of a model, which may have been dropped"
            .to_owned(),
        expected: "the edit outside of it".to_owned(),
        ..refused(file)
    }
}

/// Returns `true` if the last hunk of a quoted edit may go on behind an answer.
pub(super) fn may_go_on(input: &Input, quoted: &[Range<LineIdx>], file: &FileChange) -> bool {
    quotation(input, quoted, file.span.first)
        .is_some_and(|lines| is_uncounted(input, file) && goes_on(input, lines.end))
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
    is_uncounted(input, file) && file.span.last == input.number(last)
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

/// Marks the last hunk of an edit that ends with the input if its last line may be cut off, or lines below it are missing.
///
/// Other dialects have a line that ends an edit, and refuse one without it.
pub(super) fn mark_end(input: &Input, file: &mut FileChange) {
    let Some(end) = input.last_text().filter(|_| input.is_open_end()) else {
        return;
    };
    let end = input.number(end);
    let first = file.span.first.idx().saturating_sub(input.number(0).idx());
    if file.dialect != "unified" || file.span.last < end || !begins_diff(input, first) {
        return;
    }
    let is_uncounted = is_uncounted(input, file);
    let Some(hunk) = file.hunks.last_mut() else {
        return;
    };
    let is_cut_off = match hunk.miscount {
        Some(count) => lacks_lines(count, &hunk.body) || input.may_end_in_line(),
        None => is_uncounted && (input.may_end_in_line() || ends_with_change(&hunk.body)),
    };
    if is_cut_off {
        hunk.guess = Some(Guess::End(end));
    }
}

/// Returns `true` if a diff begins at a line, and not a message or a call that holds one and states its own end.
fn begins_diff(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    let line = line.trim_start_matches(['>', ' ', '\t']);
    line.starts_with(['-', '+', '@']) || line.starts_with("diff")
}

/// Returns `true` if a hunk has no context at its end, so that further lines may belong to its change.
fn ends_with_change(body: &Body) -> bool {
    body.preimage.last() != body.postimage.last()
}

/// Returns `true` if further lines could make the counts of a header right: lines of context, which both sides have, or more of a
/// change at the end.
fn lacks_lines(Miscount { said, found }: Miscount, body: &Body) -> bool {
    let has_more = said.0 > found.0 && said.1 > found.1;
    has_more || (ends_with_change(body) && said.0 >= found.0 && said.1 >= found.1)
}

/// Returns `true` if nothing says where the last hunk ends.
fn is_uncounted(input: &Input, file: &FileChange) -> bool {
    let is_numbered = file.hunks.last().is_some_and(|hunk| hunk.hint.is_some());
    if file.dialect != "unified" || file.hunks.is_empty() || is_numbered {
        return false;
    }
    // The one hunk of a new file has no number, whatever its header states.
    let start = input.number(0).idx();
    let (first, end) = (file.span.first.idx(), file.span.last.get());
    let lines = input.lines(first.saturating_sub(start)..end.saturating_sub(start));
    file.operation != Operation::Create
        || lines.iter().rev().find_map(|line| has_ranges(line)) != Some(true)
}

/// Returns `true` for the header of a hunk with the ranges of its lines; `None` for another line.
fn has_ranges(line: &str) -> Option<bool> {
    let line = line.trim_start_matches(['>', ' ']);
    Some(line.strip_prefix("@@")?.trim_start().starts_with('-'))
}

/// Returns `true` if the next quotation begins with a line that a hunk may have.
fn goes_on(input: &Input, from: LineIdx) -> bool {
    let mut lines = (from..input.len()).filter_map(|at| input.line(at)?.strip_prefix('>'));
    let next = lines
        .next()
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    next.is_some_and(|line| line.starts_with(['+', '-', ' ', '@']))
}
