//! `context`: the output of `diff -c`.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Context.html>. Every hunk has two halves; one without
//! a change of its own may be left out, and is then the context of the other.

use std::ops::Range;

use super::file_existence;
use super::file_title::{self, FileTitle};
use super::header_path;
use super::hunk_body::LineMark;
use super::line_ending::{self, StatedLine};
use super::line_range::LineRange;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, FileChange, FinalNewline, Hunk, Operation, PathClaim};
use crate::text::LineIdx;

/// The dialect `context`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Context;

const HUNK: &str = "***************";

impl Dialect for Context {
    fn name(&self) -> &'static str {
        "context"
    }

    fn openings(&self) -> &'static [&'static str] {
        &["*** a/", "***************"]
    }

    fn section(&self, input: &Input, at: LineIdx, _: &Before) -> Option<Section> {
        let old_side = input.line(at)?.strip_prefix("*** ")?;
        let new_side = input.line(at + 1)?.strip_prefix("--- ")?;
        let (old, new) = (header_path::side(old_side), header_path::side(new_side));
        if !input.line(at + 2)?.starts_with(HUNK) {
            return None;
        }
        let path = header_path::claim(old.as_deref(), new.as_deref());
        let mut section = Section::default();
        let mut hunks = Vec::new();
        let mut end = at + 2;
        while input.line(end).is_some_and(|line| line.starts_with(HUNK)) {
            let first = end;
            let read = hunk(input, first, &mut end);
            match read {
                Ok(hunk) => hunks.push(hunk),
                Err(error) => {
                    let next =
                        |at: &LineIdx| input.line(*at).is_some_and(|line| line.starts_with(HUNK));
                    end = (end.max(first + 1)..input.len())
                        .find(next)
                        .unwrap_or(input.len());
                    let problem = error.into_problem(input, first..end, self.name(), path.clone());
                    section.problems.push(problem);
                }
            }
        }
        section.lines = at..end;
        let has_none = |lines: fn(&Hunk) -> &Vec<String>| matches!(hunks.as_slice(), [hunk] if lines(hunk).is_empty());
        let title = file_title::above(input, at);
        let has_no_old = header_path::is_absent(old_side) || title == Some(FileTitle::Added);
        let has_no_new = header_path::is_absent(new_side) || title == Some(FileTitle::Removed);
        let is_new = has_no_old && has_none(|hunk| &hunk.body.preimage);
        let is_gone = has_no_new && has_none(|hunk| &hunk.body.postimage);
        let operation = match (&old, &new) {
            (None, Some(_)) => Operation::Create,
            (Some(_), None) => Operation::Delete,
            (Some(_), Some(_)) if is_new => Operation::Create,
            (Some(_), Some(_)) if is_gone => Operation::Delete,
            (Some(_), Some(_)) | (None, None) => Operation::Modify,
        };
        let path = match (&old, &new) {
            // Both names are of one file.
            (Some(old), Some(new)) if operation != Operation::Modify => {
                header_path::claim_of_one(old, new)
            }
            _ => path,
        };
        let hunks = match operation {
            Operation::Create => file_existence::created(input, &section.lines, hunks),
            Operation::Delete => file_existence::deleted(&section.lines, hunks),
            Operation::Modify
            | Operation::Rename(_)
            | Operation::CopyOf(_)
            | Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::Link { .. } => Ok(hunks),
        };
        let is_whole = operation == Operation::Modify || section.problems.is_empty();
        match (hunks, path) {
            (Err(error), path) => {
                let problem = error.into_problem(input, at..end, self.name(), path);
                section.problems.push(problem);
            }
            (Ok(hunks), Some(path)) if is_whole && !hunks.is_empty() => {
                let change = self.change(input, at..end, path, operation, hunks);
                section.files.push(change);
            }
            (Ok(_), _) => (),
        }
        Some(section)
    }
}

impl Context {
    fn change(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        path: PathClaim,
        operation: Operation,
        hunks: Vec<Hunk>,
    ) -> FileChange {
        FileChange {
            hunks,
            ..FileChange::new(path, operation, self.name(), input.span(lines))
        }
    }
}

impl<'a> HunkHalf<'a> {
    /// Returns `true` if its last line is in both halves.
    fn ends_with_context(&self) -> bool {
        self.lines.last().is_some_and(|(mark, _)| *mark == ' ')
    }

    /// Its lines with the mark of those that only this half has. A last one without an end has no ending to compare.
    fn stated(&self, own: LineMark) -> impl Iterator<Item = StatedLine<'a>> {
        let first = self.end - self.lines.len() - usize::from(self.unended);
        let whole = self.lines.len() - usize::from(self.unended);
        let lines = self.lines.iter().take(whole).enumerate();
        lines.map(move |(i, (mark, line))| {
            let mark = if *mark == ' ' { LineMark::Context } else { own };
            (first + i, mark, *line)
        })
    }
}

/// A half of a hunk.
struct HunkHalf<'a> {
    range: LineRange,
    /// The number of lines that its range states.
    count: usize,
    /// The marks and the lines; none if the half was left out.
    lines: Vec<(char, &'a str)>,
    unended: bool,
    end: LineIdx,
}

/// Reads the hunk that begins at a line of stars, and moves `end` to where it ends or fails.
fn hunk(input: &Input, first: LineIdx, end: &mut LineIdx) -> Result<Hunk, ParseError> {
    *end = first + 1;
    let old = half(input, *end, ("*** ", " ****"), '+')?;
    *end = old.end;
    let new = half(input, *end, ("--- ", " ----"), '-')?;
    *end = new.end;
    if old.lines.is_empty() && new.lines.is_empty() {
        return Err(ParseError::line(input, new.end, "the lines of the hunk"));
    }
    check_omitted(input, &old, &new)?;
    check_omitted(input, &new, &old)?;
    check_context(input, &old, &new)?;
    let (removed, added) = (old.stated(LineMark::Removed), new.stated(LineMark::Added));
    let stated: Vec<StatedLine> = removed.chain(added).collect();
    line_ending::check_run(input, &stated)?;
    line_ending::check_mixed(input, &stated)?;
    let text = |half: &HunkHalf, other: &HunkHalf| -> Vec<String> {
        let own = half.lines.iter().map(|(_, line)| (*line).to_owned());
        let context = other.lines.iter().filter(|(mark, _)| *mark == ' ');
        if half.lines.is_empty() {
            context.map(|(_, line)| (*line).to_owned()).collect()
        } else {
            own.collect()
        }
    };
    let body = Body {
        preimage: text(&old, &new),
        postimage: text(&new, &old),
    };
    let is_unended = |half: &HunkHalf, other: &HunkHalf| {
        half.unended || (half.lines.is_empty() && other.unended && other.ends_with_context())
    };
    let final_newline = match (is_unended(&old, &new), is_unended(&new, &old)) {
        (true, false) => FinalNewline::Add,
        (false, true) => FinalNewline::Remove,
        (true, true) | (false, false) => FinalNewline::Keep,
    };
    let is_insertion = body.preimage.is_empty();
    Ok(Hunk {
        hint: if is_insertion {
            old.range.after()
        } else {
            old.range.here()
        },
        at_end: final_newline != FinalNewline::Keep,
        final_newline,
        ..Hunk::new(body, input.span(first..new.end))
    })
}

/// Refuses a half without lines that was not left out: the other one changes lines of it, or has not as many in common with it
/// as its range states.
fn check_omitted(input: &Input, half: &HunkHalf, other: &HunkHalf) -> Result<(), ParseError> {
    let marked = |wanted: char| other.lines.iter().filter(move |(mark, _)| *mark == wanted);
    if !half.lines.is_empty() || (marked('!').count() == 0 && marked(' ').count() == half.count) {
        return Ok(());
    }
    let expected = format!("{} lines in this half, as its range says", half.count);
    Err(ParseError::line(input, half.end, expected))
}

/// Refuses halves whose lines of context differ, but for blanks, which `diff -b` ignores: one of them is cut off or changed.
fn check_context(input: &Input, old: &HunkHalf, new: &HunkHalf) -> Result<(), ParseError> {
    if old.lines.is_empty() || new.lines.is_empty() {
        return Ok(());
    }
    let first = new.end - new.lines.len() - usize::from(new.unended);
    let is_context = |(_, (mark, _)): &(usize, &(char, &str))| *mark == ' ';
    let mut above = old.lines.iter().enumerate().filter(is_context);
    for (i, (_, line)) in new.lines.iter().enumerate().filter(is_context) {
        let is_same = |(_, (_, other)): (usize, &(char, &str))| {
            other.split_whitespace().eq(line.split_whitespace())
        };
        if !above.next().is_some_and(is_same) {
            let expected = "the same lines of context in both halves";
            return Err(ParseError::line(input, first + i, expected));
        }
    }
    Ok(())
}

/// Reads the half whose range is between `around` at a line. A line with the mark `foreign` belongs to the other half.
fn half<'a>(
    input: &Input<'a>,
    at: LineIdx,
    around: (&str, &str),
    foreign: char,
) -> Result<HunkHalf<'a>, ParseError> {
    let range = input.line(at).and_then(|line| {
        let inner = line
            .trim_end()
            .strip_prefix(around.0)?
            .strip_suffix(around.1)?;
        LineRange::take(inner).filter(|(_, rest)| rest.is_empty())
    });
    let Some((range, _)) = range else {
        let expected = format!("'{}1,3{}'", around.0, around.1);
        return Err(ParseError::line(input, at, expected));
    };
    // `0` is the range of nothing.
    let count = if range.last == 0 { 0 } else { range.count() };
    let mut half = HunkHalf {
        range,
        count,
        lines: Vec::new(),
        unended: false,
        end: at + 1,
    };
    while half.lines.len() < count {
        let line = input.line(half.end).unwrap_or_default();
        let mark = line.chars().next().unwrap_or(' ');
        let is_line = matches!(mark, ' ' | '!' | '+' | '-')
            && mark != foreign
            && half.end < input.len()
            && !(mark == '-' && line.starts_with("--- ") && line.ends_with(" ----"));
        if !is_line {
            break;
        }
        half.lines.push((mark, line.get(2..).unwrap_or_default()));
        half.end += 1;
    }
    if half.lines.len() != count && !half.lines.is_empty() {
        let expected = format!("{count} lines in this half, as its range says");
        return Err(ParseError::line(input, half.end, expected));
    }
    if input
        .line(half.end)
        .is_some_and(|line| line.starts_with("\\ "))
    {
        half.unended = true;
        half.end += 1;
    }
    Ok(half)
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;
    use crate::proposal::Operation;

    #[test]
    fn a_file_with_the_time_of_an_absent_one_comes_or_goes() {
        const EPOCH: &str = "1970-01-01 00:00:00.000000000 +0000";
        const NOW: &str = "2026-11-26 11:58:44.749513350 +0000";
        const ADDED: &str = "*** 0 ****\n--- 1 ----\n+ x\n";
        const REMOVED: &str = "*** 1 ****\n- x\n--- 0 ----\n";
        const CHANGED: &str = "*** 1 ****\n! x\n--- 1 ----\n! y\n";
        for (old, new, hunk, expected) in [
            (EPOCH, NOW, ADDED, Operation::Create),
            (NOW, EPOCH, REMOVED, Operation::Delete),
            (NOW, NOW, ADDED, Operation::Modify),
            (NOW, NOW, REMOVED, Operation::Modify),
            (EPOCH, NOW, CHANGED, Operation::Modify),
            (EPOCH, EPOCH, CHANGED, Operation::Modify),
        ] {
            let text = format!("*** a/f\t{old}\n--- b/f\t{new}\n***************\n{hunk}");
            let parsed = parse(&text, &Options::default());
            let operations: Vec<_> = (parsed.proposal.files.iter())
                .map(|file| (file.path.first(), &file.operation))
                .collect();
            assert_eq!(operations, [("f", &expected)], "{text}");
        }
    }
}
