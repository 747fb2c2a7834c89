//! Lines beside edits that look like another edit and were not read. Without them the edits may be half of what is asked for.

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::tool::tool_notation;
use crate::dialect::unsupported::UNSUPPORTED;
use crate::text::LineIdx;

/// Names what looks like an edit and was not read, beside edits that were: calls of known tools in other notations, and code
/// fences of diffs, and calls for which `unclosed` finds no end.
pub(super) fn name_unread(
    input: &Input,
    parsed: &mut Parsed,
    unclosed: fn(&Input, LineIdx) -> Option<String>,
) {
    let spans = (parsed.proposal.files.iter().map(|file| file.span))
        .chain(parsed.problems.iter().map(|problem| problem.span));
    let mut is_read = vec![false; input.len() + 1];
    let start = input.number(0).idx();
    for span in spans {
        let first = span.first.idx().saturating_sub(start).min(input.len());
        let end = span
            .last
            .get()
            .saturating_sub(start)
            .clamp(first, input.len());
        is_read[first..end].fill(true);
    }
    let mut at = 0;
    while let Some(line) = input.line(at) {
        if is_read[at] {
            at += 1;
            continue;
        }
        let fence = Fence::of(line).filter(|fence| matches!(fence.info, "diff" | "patch"));
        let closes = |open: &Fence, at: LineIdx| {
            let fence = input.line(at).and_then(Fence::of);
            fence.is_none_or(|fence| fence.closes(open))
        };
        let (end, error) = if let Some(open) = &fence {
            let is_inside =
                |at: &LineIdx| !closes(open, *at) || input.line(*at).and_then(Fence::of).is_none();
            let inside = (at + 1..input.len()).take_while(|at| is_inside(at)).count();
            let end = (at + 1 + inside).min(input.len());
            let is_changed = input
                .lines(at + 1..end)
                .iter()
                .any(|line| line.starts_with(['+', '-']));
            let found = "a code fence with lines of a diff, which name no place in a file";
            let expected = "'--- ' and '+++ ' lines with the file and '@@' above them";
            (
                end,
                is_changed.then(|| ParseError::new(at, found, expected)),
            )
        } else {
            let next = input.line(input.skip_blank(at + 1)).unwrap_or_default();
            let other = tool_notation::other_of_known(line.trim_start(), next);
            let error = match other {
                Some(found) => Some(ParseError::new(at, found, "the same call in JSON")),
                None => unclosed(input, at)
                    .or_else(|| cut_off_block(input, at))
                    .map(|found| ParseError::new(at, found, "the whole edit")),
            };
            (at + 1, error)
        };
        if let Some(error) = error
            && !is_read[at..end].contains(&true)
        {
            let problem = error.into_problem(input, at..end, UNSUPPORTED, None);
            parsed.problems.push(problem);
        }
        at = end.max(at + 1);
    }
}

/// Describes a search/replace block of which the input has only the beginning of its first line.
fn cut_off_block(input: &Input, at: LineIdx) -> Option<String> {
    let line = input.line(at)?.trim();
    let is_cut_off = line.starts_with("<<<<<") && "<<<<<<< SEARCH".starts_with(line);
    (is_cut_off && input.skip_blank(at + 1) == input.len())
        .then(|| "the beginning of a search/replace block".to_owned())
}
