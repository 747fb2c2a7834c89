//! The scanner: goes over the lines of an input and collects the sections that dialects read.

use std::ops::Range;

use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Wrappers;
use crate::dialect::markdown::file_name;
use crate::dialect::markdown::indented_fence::IndentedFence;
use crate::dialect::parse_error;
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, Operation, PathClaim, Problem, Proposal, Reading};
use crate::text::LineIdx;

/// A scan over the lines of an input, and what it has met.
#[derive(Clone)]
pub(super) struct Scanner<'a, 'i> {
    input: &'i Input<'a>,
    dialects: &'i [&'i dyn Dialect],
    /// Its present line.
    pub(super) at: LineIdx,
    pub(super) before: Before,
    pub(super) wrappers: Wrappers<'a>,
    /// The first line at which a fence in a list may be looked into; `None` within such a fence.
    pub(super) fences_from: Option<LineIdx>,
    pub(super) findings: Findings,
}

/// Results of a scan so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    /// The lines of sections.
    claimed: Vec<Range<LineIdx>>,
    files: Vec<FileChange>,
    problems: Vec<Problem>,
    said: Vec<String>,
    readings: Vec<Reading>,
}

impl Findings {
    /// Takes what was met further on.
    pub(super) fn append(&mut self, later: Self) {
        self.claimed.extend(later.claimed);
        self.files.extend(later.files);
        self.problems.extend(later.problems);
        self.said.extend(later.said);
        for section in later.readings {
            Reading::add(&mut self.readings, section);
        }
    }
}

impl<'a, 'i> Scanner<'a, 'i> {
    pub(super) fn new(input: &'i Input<'a>, dialects: &'i [&'i dyn Dialect]) -> Self {
        Self {
            input,
            dialects,
            at: 0,
            before: Before::default(),
            wrappers: Wrappers::default(),
            fences_from: Some(0),
            findings: Findings::default(),
        }
    }

    /// Goes over a line of prose, or a section. Gives `false` at the end.
    pub(super) fn step(&mut self) -> bool {
        let Some(line) = self.input.line(self.at) else {
            return false;
        };
        self.before.closes_fence = self.wrappers.are_closed_by(line);
        let at = self.at;
        let Some(section) = self.section() else {
            self.wrappers.prose(self.at, line);
            self.at += 1;
            return true;
        };
        self.wrappers.edit(section.lines.start);
        self.at = section.lines.end.clamp(self.at + 1, self.input.len());
        let first = section.lines.start.clamp(self.before.free, self.at);
        self.findings.claimed.push(first..self.at);
        self.before.free = self.at;
        if let Some(path) = last_path(&section) {
            self.before.path = Some(path);
        }
        if let Some(dialect) = dialect_of(&section) {
            let section = Reading {
                dialect,
                line: self.input.number(at),
                evidence: parse_error::quoted(line),
                sections: 1,
            };
            Reading::add(&mut self.findings.readings, section);
        }
        self.findings.files.extend(section.files);
        self.findings.problems.extend(section.problems);
        self.findings
            .said
            .extend(Some(section.said).filter(|said| !said.is_empty()));
        true
    }

    /// It at the end of the input.
    pub(super) fn scanned(mut self) -> Self {
        while self.step() {}
        self
    }

    /// The section that begins at the line.
    fn section(&mut self) -> Option<Section> {
        let mut asked = self.dialects.iter();
        let section = asked.find_map(|dialect| dialect.section(self.input, self.at, &self.before));
        if section.is_some() || self.fences_from.is_none_or(|from| self.at < from) {
            return section;
        }
        let fence = IndentedFence::at(self.input, self.at)?;
        self.fences_from = Some(fence.lines.end);
        self.in_fence(fence)
    }

    /// The edits in a fence in a list.
    fn in_fence(&self, fence: IndentedFence) -> Option<Section> {
        let IndentedFence { lines, text } = fence;
        let text = text?;
        let part = (self.input).inner(lines.start + 1, &text, self.input.path());
        let above = file_name::above(self.input, lines.start, &self.before);
        let path = above.map(|name| name.claim);
        let inner = Scanner {
            before: Before {
                path: path.or_else(|| self.before.path.clone()),
                ..Before::default()
            },
            fences_from: None,
            ..Scanner::new(&part, self.dialects)
        };
        let Parsed {
            proposal, problems, ..
        } = inner.scanned().finish();
        let found = !proposal.files.is_empty() || !problems.is_empty();
        found.then_some(Section {
            lines,
            files: proposal.files,
            problems,
            said: String::new(),
        })
    }

    pub(super) fn finish(self) -> Parsed {
        let mut prose = vec![true; self.input.len()];
        for lines in self.findings.claimed {
            prose[lines].fill(false);
        }
        for at in self.wrappers.finish() {
            prose[at] = false;
        }
        let mut proposal = Proposal {
            intent: intent(self.input, &prose),
            files: Vec::with_capacity(self.findings.files.len()),
        };
        for said in self.findings.said {
            if !proposal.intent.is_empty() {
                proposal.intent.push_str("\n\n");
            }
            proposal.intent.push_str(said.trim());
        }
        for file in self.findings.files {
            add(&mut proposal.files, file);
        }
        Parsed {
            proposal,
            problems: self.findings.problems,
            readings: self.findings.readings,
        }
    }
}

/// The dialect of a section in which an edit was found.
fn dialect_of(section: &Section) -> Option<&'static str> {
    let files = section.files.iter().map(|file| file.dialect);
    let problems = section.problems.iter().map(|problem| problem.dialect);
    files.chain(problems).next()
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
                && (file.blobs.is_none() || last.blobs == file.blobs)
                && goes_on(last, &file) =>
        {
            last.executable = file.executable.or(last.executable);
            last.hunks.extend(file.hunks);
            last.span.last = file.span.last;
        }
        Some(_) | None => files.push(file),
    }
}

/// Returns `true` unless a later diff begins again above the hunks of an earlier one: then it is for their result.
fn goes_on(last: &FileChange, file: &FileChange) -> bool {
    let above = last.hunks.last().and_then(|hunk| hunk.hint);
    let below = file.hunks.first().and_then(|hunk| hunk.hint);
    file.dialect != "unified" || above.zip(below).is_none_or(|(above, below)| above < below)
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
