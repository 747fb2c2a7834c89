//! Edits inside the text of a file.
//!
//! A whole file in a code fence may hold a diff of its own: a test of a diff tool, a page on how to send patches. Whether
//! the file or the diff is meant nobody can say, so neither is taken.

use super::fault::Fault;
use super::fence::Fence;
use super::input::Input;
use super::parsed::Parsed;
use super::scan::scan;
use super::whole::Whole;
use super::xml_call;
use crate::proposal::{FileChange, InputSpan};
use crate::text::LineNo;

/// The most lines of prose before the first edit in a fence that exists for the edit.
const LEAD: usize = 3;

/// Removes edits inside the text of a file, far from its beginning.
pub(super) fn refuse(input: &Input, mut parsed: Parsed) -> Parsed {
    let lines = input.lines(0..input.len());
    if !lines.iter().any(|line| Fence::of(line).is_some()) {
        return parsed;
    }
    let mut edits: Vec<LineNo> = parsed.proposal.files.iter().flat_map(starts).collect();
    edits.extend(parsed.problems.iter().map(|problem| problem.span.first));
    edits.sort_unstable();
    let texts: Vec<InputSpan> = scan(input, &[&Whole])
        .proposal
        .files
        .iter()
        .flat_map(|file| file.hunks.iter().map(|hunk| hunk.span))
        .filter(|text| !is_call(input, text))
        .filter(|text| {
            let first = edits.partition_point(|edit| *edit < text.first);
            let distance = |edit: &LineNo| edit.get() - text.first.get();
            edits
                .get(first)
                .is_some_and(|edit| *edit <= text.last && distance(edit) > LEAD)
        })
        .collect();
    let is_quoted = |line: LineNo| {
        let after = texts.partition_point(|text| text.first <= line);
        after > 0 && line <= texts[after - 1].last
    };
    let (quoted, files) = parsed
        .proposal
        .files
        .into_iter()
        .partition(|file| starts(file).any(is_quoted));
    parsed.proposal.files = files;
    parsed
        .problems
        .extend(Vec::into_iter(quoted).map(|file: FileChange| {
            let first = starts(&file)
                .find(|&line| is_quoted(line))
                .unwrap_or(file.span.first);
            let expected = "either of them; `--format` says which";
            let fault = Fault::new(first.idx(), "an edit inside the text of a file", expected);
            let lines = file.span.first.idx()..file.span.last.get();
            fault.into_problem(input, lines, file.dialect, Some(file.path))
        }));
    parsed.problems.sort_by_key(|problem| problem.span.first);
    parsed
}

/// Returns `true` for a fence that begins with a call.
fn is_call(input: &Input, text: &InputSpan) -> bool {
    let first = input.skip_blank(text.first.idx());
    input
        .line(first)
        .is_some_and(|line| xml_call::call(line).is_some())
}

/// Returns the lines at which the edits of a file begin.
fn starts(file: &FileChange) -> impl Iterator<Item = LineNo> {
    let whole = file.hunks.is_empty().then_some(file.span.first);
    whole
        .into_iter()
        .chain(file.hunks.iter().map(|hunk| hunk.span.first))
}
