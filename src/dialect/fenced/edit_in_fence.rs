//! Files in code fences beside edits that have markers, and edits inside such a file.
//!
//! A whole file in a code fence may hold a diff of its own: a test of a diff tool, a page on how to send patches. Whether
//! the file or the diff is meant nobody can say, so neither is taken. A command that writes a file is an ordinary line of a script: in
//! a script it is taken for one. A named fence without an edit in it may be another edit of the reply, or an example: a person is asked.

use rustc_hash::FxHashSet;

use super::sketch::Sketch;
use super::whole::Whole;
use crate::dialect::dialect_trait::Dialect;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::scan::scan;
use crate::dialect::shell::file_command::Shell;
use crate::dialect::xml::xml_call;
use crate::proposal::{FileChange, Guess, InputSpan, PathClaim, Problem};
use crate::text::LineNo;

/// The most lines of prose before the first edit in a fence that exists for the edit.
const LEAD: usize = 3;

/// The files in code fences, and the fences that cannot be read as one.
#[derive(Debug, Default)]
pub(in crate::dialect) struct FencedTexts {
    pub(in crate::dialect) texts: Vec<FencedText>,
    problems: Vec<Problem>,
}

/// A file in a code fence.
#[derive(Debug)]
pub(in crate::dialect) struct FencedText {
    change: FileChange,
    /// The lines of its text.
    lines: InputSpan,
}

/// Returns the texts of all files in code fences.
pub(in crate::dialect) fn texts(input: &Input) -> FencedTexts {
    let lines = input.lines(0..input.len());
    if !lines.iter().any(|line| Fence::of(line).is_some()) {
        return FencedTexts::default();
    }
    let Parsed {
        proposal, problems, ..
    } = scan(input, &[&Sketch, &Whole]);
    let texts = |change: FileChange| {
        let lines = change.hunks.first()?.span;
        Some(FencedText { change, lines })
    };
    FencedTexts {
        texts: proposal.files.into_iter().filter_map(texts).collect(),
        problems,
    }
}

/// Adds the files in fences that hold no edit and are not edited beside it, as edits that a person must confirm.
/// Fences that cannot be read are named.
pub(in crate::dialect) fn add_files(parsed: &mut Parsed, fenced: FencedTexts) {
    let FencedTexts { texts, problems } = fenced;
    let files = &mut parsed.proposal.files;
    let mut edits: Vec<InputSpan> = files.iter().map(|file| file.span).collect();
    edits.extend(parsed.problems.iter().map(|problem| problem.span));
    edits.sort_unstable_by_key(|edit| edit.first);
    // The last line of all edits up to each.
    let ends: Vec<LineNo> = (edits.iter())
        .scan(None, |end, edit| {
            *end = (*end).max(Some(edit.last));
            *end
        })
        .collect();
    let is_edit = |lines: InputSpan| {
        let after = edits.partition_point(|edit| edit.first <= lines.last);
        after > 0 && lines.first <= ends[after - 1]
    };
    let named = |path: &PathClaim| path.readings().map(str::to_owned).collect::<Vec<_>>();
    let edited: FxHashSet<String> = files.iter().flat_map(|file| named(&file.path)).collect();
    for mut text in texts {
        let change = &text.change;
        let is_edited = named(&change.path).iter().any(|name| edited.contains(name));
        if is_edited || is_edit(change.span) {
            continue;
        }
        let line = change.span.first;
        for hunk in &mut text.change.hunks {
            hunk.guess.get_or_insert(Guess::Edit(line));
        }
        files.push(text.change);
    }
    let is_unread = |problem: &Problem| !is_edit(problem.span);
    parsed
        .problems
        .extend(problems.into_iter().filter(is_unread));
    parsed.problems.sort_by_key(|problem| problem.span.first);
}

/// Returns true if nothing was read but shell commands that are lines of scripts: then the scripts are meant.
pub(in crate::dialect) fn are_all_in_scripts(parsed: &Parsed, texts: &[FencedText]) -> bool {
    let files = parsed.proposal.files.iter();
    let files = files.map(|file| (file.dialect, file.span.first, Some(&file.path)));
    let problems = parsed.problems.iter();
    let problems = problems.map(|it| (it.dialect, it.span.first, it.path.as_ref()));
    let mut edits = files.chain(problems);
    edits.all(|(dialect, line, path)| is_in_script(texts, dialect, line, path))
}

/// Returns true if an edit is a shell command in the text of another file than it writes.
fn is_in_script(
    texts: &[FencedText],
    dialect: &str,
    line: LineNo,
    path: Option<&PathClaim>,
) -> bool {
    let after = texts.partition_point(|text| text.lines.first <= line);
    let text = after.checked_sub(1).map(|at| &texts[at]);
    dialect == Shell.name()
        && text.is_some_and(|text| {
            line <= text.lines.last
                && path.is_none_or(|path| path.first() != text.change.path.first())
        })
}

/// Removes edits inside the text of a file, far from its beginning.
pub(in crate::dialect) fn refuse(
    input: &Input,
    texts: &[FencedText],
    mut parsed: Parsed,
) -> Parsed {
    let mut edits: Vec<LineNo> = parsed.proposal.files.iter().flat_map(starts).collect();
    edits.extend(parsed.problems.iter().map(|problem| problem.span.first));
    edits.sort_unstable();
    let hunks = hunks(&parsed);
    let far: Vec<InputSpan> = (texts.iter().map(|text| text.lines))
        .filter(|text| !is_call(input, text) && !is_of_hunk(text, &hunks))
        .filter(|text| {
            let first = edits.partition_point(|edit| *edit < text.first);
            let distance = |edit: &LineNo| edit.get() - text.first.get();
            edits
                .get(first)
                .is_some_and(|edit| *edit <= text.last && distance(edit) > LEAD)
        })
        .collect();
    let is_quoted = |line: LineNo| {
        let after = far.partition_point(|text| text.first <= line);
        after > 0 && line <= far[after - 1].last
    };
    let is_quoted_file = |file: &FileChange| {
        starts(file).any(is_quoted)
            || is_in_script(texts, file.dialect, file.span.first, Some(&file.path))
    };
    let (quoted, files) = parsed.proposal.files.into_iter().partition(is_quoted_file);
    parsed.proposal.files = files;
    parsed
        .problems
        .extend(Vec::into_iter(quoted).map(|file: FileChange| {
            let first = starts(&file)
                .find(|&line| is_quoted(line))
                .unwrap_or(file.span.first);
            let expected = "either of them; `--format` says which";
            let error = ParseError::new(first.idx(), "an edit inside the text of a file", expected);
            let lines = file.span.first.idx()..file.span.last.get();
            error.into_problem(input, lines, file.dialect, Some(file.path))
        }));
    parsed.problems.sort_by_key(|problem| problem.span.first);
    parsed
}

/// Returns the lines of all hunks, the first one first.
fn hunks(parsed: &Parsed) -> Vec<InputSpan> {
    let files = parsed.proposal.files.iter();
    let mut hunks: Vec<InputSpan> = files
        .flat_map(|file| file.hunks.iter().map(|hunk| hunk.span))
        .collect();
    hunks.sort_unstable_by_key(|hunk| hunk.first);
    hunks
}

/// Returns true for a fence that is opened by a line of a hunk, as in a diff of a Markdown file: its text is that of the hunk.
fn is_of_hunk(text: &InputSpan, hunks: &[InputSpan]) -> bool {
    let after = hunks.partition_point(|hunk| hunk.first < text.first);
    after > 0 && text.first.idx() <= hunks[after - 1].last.get()
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
