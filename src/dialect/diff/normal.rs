//! `normal`: the output of plain `diff`.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Normal.html>. It has no context and names no file.

use std::ops::Range;

use super::diff_command;
use super::hunk_body::LineMark;
use super::line_ending::{self, StatedLine};
use super::line_range::LineRange;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, FileChange, FinalNewline, Hunk, Operation};
use crate::text::LineIdx;

/// The dialect `normal`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Normal;

/// A command: `5,7c5,6`.
#[derive(Debug, Clone, Copy)]
struct NormalCommand {
    old: LineRange,
    action: char,
    new: LineRange,
}

impl Dialect for Normal {
    fn name(&self) -> &'static str {
        "normal"
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        NormalCommand::of(input.line(at)?)?;
        if !input.line(at + 1)?.starts_with(['<', '>']) {
            return None;
        }
        let (path, first) = diff_command::file(input, at, before);
        let mut section = Section::default();
        let mut hunks = Vec::new();
        let mut end = at;
        while let Some(command) = input.line(end).and_then(NormalCommand::of) {
            let lines = end..hunk_end(input, end + 1);
            end = lines.end;
            match hunk(input, lines.clone(), command) {
                Ok(hunk) => hunks.push(hunk),
                Err(error) => {
                    let problem = error.into_problem(input, lines, self.name(), path.clone());
                    section.problems.push(problem);
                }
            }
        }
        section.lines = first..end;
        match path {
            Some(path) if !hunks.is_empty() => section.files.push(FileChange {
                hunks,
                ..FileChange::new(path, Operation::Modify, self.name(), input.span(first..end))
            }),
            Some(_) => (),
            None => {
                let expected = "a 'diff' line above it, or `--path FILE`";
                let error = ParseError::new(at, "a diff that names no file", expected);
                section.problems = vec![error.into_problem(input, at..end, self.name(), None)];
            }
        }
        Some(section)
    }
}

impl NormalCommand {
    fn of(line: &str) -> Option<Self> {
        let (old, rest) = LineRange::take(line.trim_end())?;
        let action = rest.chars().next().filter(|c| "acd".contains(*c))?;
        let (new, rest) = LineRange::take(&rest[1..])?;
        rest.is_empty().then_some(Self { old, action, new })
    }
}

/// Finds the end of the lines of a command.
fn hunk_end(input: &Input, from: LineIdx) -> LineIdx {
    let is_own = |line: &str| {
        let is_marked = line.starts_with("< ") || line.starts_with("> ");
        is_marked || line.starts_with("\\ ") || matches!(line, "<" | ">" | "---")
    };
    (from..input.len())
        .find(|&at| !input.line(at).is_some_and(is_own))
        .unwrap_or(input.len())
}

/// Reads the lines of one command, whose counts must be right: there is nothing else to tell that it is whole.
fn hunk(input: &Input, lines: Range<LineIdx>, command: NormalCommand) -> Result<Hunk, ParseError> {
    let mut body = Body::default();
    let mut unended = [false; 2];
    for line in input.lines(lines.start + 1..lines.end) {
        let text = line.get(2..).unwrap_or_default().to_owned();
        match line.chars().next() {
            Some('<') => body.preimage.push(text),
            Some('>') => body.postimage.push(text),
            Some('\\') if body.postimage.is_empty() => unended[0] = true,
            Some('\\') => unended[1] = true,
            Some(_) | None => (),
        }
    }
    let lines_of = |sign: char, mark: LineMark, is_unended: bool| {
        let own = (lines.start + 1..lines.end)
            .filter_map(|at| Some((at, input.line(at)?)))
            .filter(|(_, line)| line.starts_with(sign))
            .map(|(at, line)| (at, mark, line.get(2..).unwrap_or_default()));
        let own: Vec<StatedLine> = own.collect();
        let whole = own.len().saturating_sub(usize::from(is_unended));
        own.into_iter().take(whole)
    };
    let removed = lines_of('<', LineMark::Removed, unended[0]);
    let added = lines_of('>', LineMark::Added, unended[1]);
    let stated: Vec<StatedLine> = removed.chain(added).collect();
    line_ending::check_run(input, &stated)?;
    line_ending::check_mixed(input, &stated)?;
    let (old, new) = match command.action {
        'a' => (0, command.new.count()),
        'd' => (command.old.count(), 0),
        _ => (command.old.count(), command.new.count()),
    };
    if (body.preimage.len(), body.postimage.len()) != (old, new) {
        return Err(ParseError::new(
            lines.end - 1,
            format!(
                "{} old and {} new lines",
                body.preimage.len(),
                body.postimage.len()
            ),
            format!(
                "{old} and {new}, as line {} says",
                input.number(lines.start)
            ),
        ));
    }
    let final_newline = match unended {
        [true, false] if command.action == 'c' => FinalNewline::Add,
        [false, true] => FinalNewline::Remove,
        [_, _] => FinalNewline::Keep,
    };
    Ok(Hunk {
        hint: if command.action == 'a' {
            command.old.after()
        } else {
            command.old.here()
        },
        at_end: final_newline != FinalNewline::Keep,
        final_newline,
        ..Hunk::new(body, input.span(lines))
    })
}
