//! `envelope`: the patches of `OpenAI`'s `apply_patch`, and of the tools that took them over.
//!
//! `*** Begin Patch`, one section for each file, `*** End Patch`. Sections that are whole survive a bad one; where the end is
//! missing the last section may have been cut off, and is refused.
//!
//! The grammar is in <https://github.com/openai/codex/blob/main/codex-rs/apply-patch/src/parser.rs>.

use std::ops::Range;

use super::file_section::{self, Directive};
use super::heredoc::Heredoc;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::ParseError;
use crate::proposal::HunkOrder;
use crate::text::LineIdx;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ENVIRONMENT: &str = "*** Environment ID:";

/// Returns `true` for a line with which an envelope or a part of one begins or ends.
pub(in crate::dialect) fn is_marker(line: &str) -> bool {
    line == BEGIN
        || line == END
        || file_section::is_note(line)
        || (line.starts_with("***")
            && Directive::of(line).is_some_and(|it| !matches!(it, Directive::Unknown(_))))
}

/// The dialect `envelope`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Envelope;

impl Dialect for Envelope {
    fn name(&self) -> &'static str {
        "envelope"
    }

    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Ascending
    }

    fn openings(&self) -> &'static [&'static str] {
        &[
            "*** Begin Patch",
            "*** Update File:",
            "*** Add File:",
            "*** Delete File:",
        ]
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let line = input.line(at)?.trim();
        let begins = line == BEGIN;
        if !begins && (!line.starts_with("***") || Directive::of(line).is_none()) {
            return None;
        }
        let heredoc = Heredoc::above(input, at, before);
        let mut section = Section::default();
        let mut next = if begins {
            first_file(input, at + 1)
        } else {
            at
        };
        while let Some(directive) = input.line(next).and_then(Directive::of) {
            let mut lines = next..file_end(input, next + 1, directive);
            lines.end = padded_end(input, &lines).unwrap_or(lines.end);
            next = lines.end;
            let closed = input
                .line(next)
                .is_some_and(|line| line.trim() == END || Directive::of(line).is_some());
            let read = if closed {
                file_section::read(input, lines.clone(), directive, self.name())
            } else {
                Err(ParseError::line(input, next, format!("'{END}'")))
            };
            let path = file_section::path(directive.name());
            let errors = match read {
                Ok(read) => {
                    section.files.extend(read.file);
                    read.errors
                }
                Err(error) => vec![(error, lines)],
            };
            section
                .problems
                .extend(errors.into_iter().map(|(error, lines)| {
                    error.into_problem(input, lines, self.name(), Some(path.clone()))
                }));
        }
        if section.files.is_empty() && section.problems.is_empty() {
            let error =
                ParseError::line(input, next, "'*** Update File: NAME', or another section");
            next = file_end(input, next, Directive::Unknown(""));
            let problem = error.into_problem(input, at..next.max(at + 1), self.name(), None);
            section.problems.push(problem);
        }
        let ended = input.line(next).is_some_and(|line| line.trim() == END);
        let end = if ended { next + 1 } else { next.max(at + 1) };
        section.lines = match heredoc {
            Some(heredoc) => {
                if let Some(folder) = &heredoc.folder {
                    (section.files.iter_mut()).for_each(|file| file.move_into(folder));
                }
                heredoc.at..heredoc.end(input, end)
            }
            None => at..end,
        };
        Some(section)
    }
}

/// The first line after the beginning that may be a file's.
fn first_file(input: &Input, at: LineIdx) -> LineIdx {
    let next = input.skip_blank(at);
    match input.line(next) {
        Some(line) if line.trim().starts_with(ENVIRONMENT) => input.skip_blank(next + 1),
        Some(_) | None => next,
    }
}

/// Finds the end of the section of a file. In an update an indented line is content, whatever it says.
fn file_end(input: &Input, from: LineIdx, directive: Directive) -> LineIdx {
    let ends = |line: &str| {
        let line = match directive {
            Directive::Update(_)
            | Directive::Replace(_)
            | Directive::Numbered(..)
            | Directive::Unknown(_) => line.trim_end(),
            Directive::Add(_) | Directive::Delete(_) => line.trim(),
        };
        let is_fence = line.starts_with(['`', '~']) && Fence::of(line).is_some();
        let is_star = line.starts_with("***");
        is_fence || (is_star && (line == BEGIN || line == END || Directive::of(line).is_some()))
    };
    (from..input.len())
        .find(|&at| input.line(at).is_some_and(ends))
        .unwrap_or(input.len())
}

/// The end of the patch if it is padded and the last line: no other end follows that would make it content.
fn padded_end(input: &Input, lines: &Range<LineIdx>) -> Option<LineIdx> {
    let is_blank = |at: &LineIdx| input.line(*at).is_some_and(|line| line.trim().is_empty());
    let last = lines.clone().rev().find(|at| !is_blank(at))?;
    let is_unclosed = input
        .line(lines.end)
        .is_none_or(|line| Fence::of(line).is_some());
    (is_unclosed && input.line(last)?.trim() == END).then_some(last)
}
