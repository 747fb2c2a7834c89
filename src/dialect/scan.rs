//! The walk over the lines of an input.

use super::fence::Wrappers;
use super::indented_fence::IndentedFence;
use super::{Before, Dialect, Input, Parsed, Section, file_name};
use crate::proposal::{FileChange, Operation, PathClaim};
use crate::text::LineIdx;

/// Asks each dialect at each line, in order, and collects what they read.
pub(super) fn scan(input: &Input, dialects: &[&dyn Dialect]) -> Parsed {
    let mut tried = 0;
    walk(input, Before::default(), |at, before| {
        let mut asked = dialects.iter();
        let section = asked.find_map(|dialect| dialect.section(input, at, before));
        if section.is_some() || at < tried {
            return section;
        }
        let fence = IndentedFence::at(input, at)?;
        tried = fence.lines.end;
        self::section(input, fence, before, dialects)
    })
}

/// Goes over the lines and collects the sections that `read` finds.
fn walk(
    input: &Input,
    mut before: Before,
    mut read: impl FnMut(LineIdx, &Before) -> Option<Section>,
) -> Parsed {
    let mut parsed = Parsed::default();
    let mut prose = vec![true; input.len()];
    let mut wrappers = Wrappers::default();
    let mut at = 0;
    while let Some(line) = input.line(at) {
        before.closes_fence = wrappers.are_closed_by(line);
        let Some(section) = read(at, &before) else {
            wrappers.prose(at, line);
            at += 1;
            continue;
        };
        wrappers.edit(section.lines.start);
        at = section.lines.end.clamp(at + 1, input.len());
        prose[section.lines.start.clamp(before.free, at)..at].fill(false);
        before.free = at;
        if let Some(path) = last_path(&section) {
            before.path = Some(path);
        }
        for file in section.files {
            add(&mut parsed.proposal.files, file);
        }
        parsed.problems.extend(section.problems);
    }
    for at in wrappers.finish() {
        prose[at] = false;
    }
    parsed.proposal.intent = intent(input, &prose);
    parsed
}

/// The edits in an indented fence.
fn section(
    input: &Input,
    fence: IndentedFence,
    before: &Before,
    dialects: &[&dyn Dialect],
) -> Option<Section> {
    let IndentedFence { lines, text } = fence;
    let part = input.part(lines.start + 1, text?, input.path());
    let above = file_name::above(input, lines.start, before);
    let known = Before {
        path: above.map(|name| name.claim).or_else(|| before.path.clone()),
        ..Before::default()
    };
    let parsed = walk(&part, known, |at, before| {
        let mut asked = dialects.iter();
        asked.find_map(|dialect| dialect.section(&part, at, before))
    });
    let found = !parsed.proposal.files.is_empty() || !parsed.problems.is_empty();
    found.then_some(Section {
        lines,
        files: parsed.proposal.files,
        problems: parsed.problems,
    })
}

/// The file that a section speaks of last.
fn last_path(section: &Section) -> Option<PathClaim> {
    let read = section
        .files
        .iter()
        .map(|file| (file.span.last, &file.path));
    let unread = section
        .problems
        .iter()
        .filter_map(|problem| Some((problem.span.last, problem.path.as_ref()?)));
    read.chain(unread)
        .max_by_key(|(last, _)| *last)
        .map(|(_, path)| path.clone())
}

/// Sections for one file that follow each other are one change of it.
fn add(files: &mut Vec<FileChange>, file: FileChange) {
    match files.last_mut() {
        Some(last)
            if last.path == file.path
                && last.dialect == file.dialect
                && last.operation == Operation::Modify
                && file.operation == Operation::Modify
                && (file.blobs.is_none() || last.blobs == file.blobs) =>
        {
            last.executable = file.executable.or(last.executable);
            last.hunks.extend(file.hunks);
            last.span.last = file.span.last;
        }
        Some(_) | None => files.push(file),
    }
}

/// The prose without the blank lines that the edits leave behind.
fn intent(input: &Input, prose: &[bool]) -> String {
    let mut intent = String::new();
    let mut gap = false;
    for at in (0..input.len()).filter(|&at: &LineIdx| prose[at]) {
        let line = input.line(at).unwrap_or_default().trim_end();
        if line.is_empty() {
            gap = true;
            continue;
        }
        if !intent.is_empty() {
            intent.push_str(if gap { "\n\n" } else { "\n" });
        }
        intent.push_str(line);
        gap = false;
    }
    intent
}
