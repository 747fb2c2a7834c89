//! `unified`: diffs of git, `diff -u`, Aider's `udiff`, and models.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html>, and what models make of it: bare `@@`
//! lines, wrong numbers and counts, lost blanks.

use std::ops::Range;

use super::git_header::{self, DiffEntryKind, GitHeader};
use super::hunk::{self, DiffHunk};
use super::{diff_command, file_existence, hunk_header, submodule};
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Blobs, FileChange, Hunk, HunkOrder, Operation, PathClaim};
use crate::text::{LineIdx, raw_bytes};

/// The dialect `unified`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Unified;

impl Dialect for Unified {
    fn name(&self) -> &'static str {
        "unified"
    }

    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Ascending
    }

    fn openings(&self) -> &'static [&'static str] {
        &["diff --git ", "--- a/", "--- /dev/null", "@@ -"]
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let line = input.line(at)?;
        if !line.starts_with(['d', '-', '+', '@', ' ']) {
            return None;
        }
        let header = if is_headless(input, at, before) {
            headless(input, at, before)
        } else {
            git_header::read(input, at)?
        };
        let Hunks { end, good, bad } = Hunks::read(input, header.end);
        let lines = at..end.max(at + 1);
        let path = header.path.clone();
        let problem = |(error, lines): (ParseError, Range<LineIdx>)| {
            error.into_problem(input, lines, self.name(), path.clone())
        };
        let first = bad.first().map(|(error, _)| error.clone());
        let (files, errors) = match self.change(input, lines.clone(), header, good, first) {
            Ok(file) => (Vec::from_iter(file), bad),
            Err(error) => (Vec::new(), vec![(error, lines.clone())]),
        };
        Some(Section {
            lines,
            files,
            problems: errors.into_iter().map(problem).collect(),
            said: String::new(),
            moved: None,
        })
    }
}

impl Unified {
    /// The change that a header and its good hunks make, where `error` is that of the first bad one. Of a file that stays in
    /// place the good hunks survive a bad one; one that comes, goes or moves is read as a whole or not at all.
    fn change(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        header: GitHeader,
        hunks: Vec<Hunk>,
        error: Option<ParseError>,
    ) -> Result<Option<FileChange>, ParseError> {
        let path = match (header.error, header.path) {
            (Some(error), _) => return Err(error),
            (None, None) => return Err(ParseError::line(input, lines.start, "the name of a file")),
            (None, Some(path)) => path,
        };
        let is_bare = hunks.is_empty() && header.binary.is_none();
        let hunks = match (&header.operation, error) {
            (operation, None)
                if is_bare
                    && (header.has_hunks
                        || (*operation == Operation::Modify && header.executable.is_none())) =>
            {
                return Err(ParseError::line(
                    input,
                    lines.end,
                    "'@@' and a hunk for this file",
                ));
            }
            (Operation::Modify, Some(_)) if hunks.is_empty() => return Ok(None),
            (Operation::Create, None) => file_existence::created(input, &lines, hunks)?,
            (Operation::Delete, None) => file_existence::deleted(&lines, hunks)?,
            (Operation::Modify, _)
            | (
                Operation::Rename(_)
                | Operation::CopyOf(_)
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::Link { .. },
                None,
            ) => hunks,
            (_, Some(error)) => return Err(error),
        };
        if header.entry == DiffEntryKind::Unstated && submodule::is_of_commits(&hunks) {
            let expected = "a file: only git can change the commit of a submodule";
            return Err(ParseError::new(
                lines.start,
                "a submodule, by its lines `Subproject commit`",
                expected,
            ));
        }
        // A deletion without a hunk states that the file is empty, or names what it holds.
        let blobs = (header.blobs)
            .or_else(|| (is_bare && header.operation == Operation::Delete).then(Blobs::of_empty));
        if header.entry == DiffEntryKind::Link {
            let operation = link(input, &lines, &header.operation, &hunks)?;
            return Ok(Some(FileChange::new(
                path,
                operation,
                self.name(),
                input.span(lines),
            )));
        }
        Ok(Some(FileChange {
            path,
            operation: header.operation,
            executable: header.executable,
            is_regular: header.entry == DiffEntryKind::File,
            blobs,
            binary: header.binary,
            hunks,
            dialect: self.name(),
            span: input.span(lines),
            patch: 0,
        }))
    }
}

/// The change of a symbolic link: git writes the target as a text of one line.
fn link(
    input: &Input,
    lines: &Range<LineIdx>,
    operation: &Operation,
    hunks: &[Hunk],
) -> Result<Operation, ParseError> {
    let error = |expected| ParseError::line(input, lines.start, expected);
    let [hunk] = hunks else {
        return Err(error("one hunk with the target of the symbolic link"));
    };
    let target = |lines: &[String]| match lines {
        [target] if !target.is_empty() && !target.contains('\0') && !raw_bytes::is_raw(target) => {
            Ok(Some(target.clone()))
        }
        _ => Err(error(
            "the target of the symbolic link, as one line of UTF-8",
        )),
    };
    let (from, to) = (&hunk.body.preimage, &hunk.body.postimage);
    let (from, to) = match operation {
        Operation::Create => (None, target(to)?),
        Operation::Delete => (target(from)?, None),
        Operation::Modify => (target(from)?, target(to)?),
        Operation::Rename(_)
        | Operation::CopyOf(_)
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Link { .. } => {
            return Err(error(
                "a symbolic link that keeps its name, or one that keeps its target",
            ));
        }
    };
    Ok(Operation::Link { from, to })
}

/// The hunks below one file header.
struct Hunks {
    end: LineIdx,
    good: Vec<Hunk>,
    bad: Vec<(ParseError, Range<LineIdx>)>,
}

impl Hunks {
    fn read(input: &Input, from: LineIdx) -> Self {
        let mut read = Self {
            end: from,
            good: Vec::new(),
            bad: Vec::new(),
        };
        while let Some(next) = Self::next(input, read.end, from) {
            let DiffHunk { lines, hunk } = hunk::read(input, next);
            read.end = lines.end;
            match hunk {
                Ok(hunk) => read.good.push(hunk),
                Err(error) => read.bad.push((error, lines)),
            }
        }
        read
    }

    /// Finds the next hunk: at `@@`, maybe below blank lines; the first one may do without.
    fn next(input: &Input, at: LineIdx, from: LineIdx) -> Option<LineIdx> {
        let next = input.skip_blank(at);
        if hunk_header::is_header(input.line(next)?) {
            return Some(next);
        }
        let line = input.line(at)?;
        let has_mark = line.starts_with([' ', '-', '+']);
        // Below git's lines it is the name of the file, which the input may have cut off.
        let is_name = "--- ".starts_with(line) || line.starts_with("--- ");
        let above = at.checked_sub(1).and_then(|at| input.line(at));
        let may_be_body = !is_name || above.is_some_and(|line| line.starts_with(['-', '+']));
        (at == from && has_mark && may_be_body && !hunk::is_boundary(input, at)).then_some(at)
    }
}

/// Returns `true` if a hunk begins at a line, rather than a file: with numbers; with a bare `@@`, if the file is known; or with any
/// line of a diff, in a code fence of diffs below the name of a file.
fn is_headless(input: &Input, at: LineIdx, before: &Before) -> bool {
    let line = input.line(at).unwrap_or_default();
    let next = input.line(at + 1).unwrap_or_default();
    hunk_header::is_numbered(line)
        || (input.path().is_some()
            && hunk_header::is_header(line)
            && next.starts_with([' ', '-', '+']))
        || (is_first_in_diff_fence(input, at)
            && is_named_above(input, at, before)
            && git_header::read(input, at).is_none())
}

/// Returns `true` if the text above a line names a file. Without a name the lines of a diff may explain the edit before.
fn is_named_above(input: &Input, at: LineIdx, before: &Before) -> bool {
    input.path().is_some()
        || file_name::above(input, at, before).is_some()
        || before.carried() != before.path
}

/// Returns `true` for the first line in a code fence of diffs, if a change follows before anything else does, or if the input ends
/// within its hunk.
fn is_first_in_diff_fence(input: &Input, at: LineIdx) -> bool {
    let above = at.checked_sub(1).and_then(|above| input.line(above));
    if !above
        .and_then(Fence::of)
        .is_some_and(|fence| fence.is_diff())
    {
        return false;
    }
    let has_header = input.line(at).is_some_and(hunk_header::is_header);
    let first = at + usize::from(has_header);
    let end = (first..input.len())
        .find(|at| hunk::is_boundary(input, *at))
        .unwrap_or(input.len());
    let is_cut_off = has_header && end == input.len();
    let mut lines = (first..end).filter_map(|at| input.line(at));
    is_cut_off || lines.any(|line| line.starts_with(['+', '-']))
}

/// A hunk without a file header: the file is the one before it, or comes from outside.
fn headless(input: &Input, at: LineIdx, before: &Before) -> GitHeader {
    let path = diff_command::named_above(input, at, before)
        .map(|(path, _)| path)
        .or_else(|| input.path().map(PathClaim::plain))
        .or_else(|| Some(file_name::above(input, at, before)?.claim))
        .or_else(|| before.carried());
    let error = path.is_none().then(|| {
        let expected = "'--- ' and '+++ ' lines before it, or `--path FILE`";
        ParseError::line(input, at, expected)
    });
    GitHeader {
        end: at,
        path,
        operation: Operation::Modify,
        executable: None,
        blobs: None,
        binary: None,
        entry: DiffEntryKind::File,
        has_hunks: false,
        error,
    }
}
