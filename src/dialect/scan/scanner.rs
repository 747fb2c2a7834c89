//! The scanner: goes over the lines of an input and collects the sections that dialects read.

use std::ops::Range;
use std::sync::Arc;

use super::doubtful;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::{Fence, Wrappers};
use crate::dialect::markdown::file_name;
use crate::dialect::markdown::inner_block::{BlockKind, InnerBlock};
use crate::dialect::mentioned_names::MentionedNames;
use crate::dialect::parse_error;
use crate::dialect::parsed::Parsed;
use crate::dialect::script_state::{ScriptLines, ScriptState};
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
    /// The first line at which a block within the lines may begin.
    pub(super) blocks_from: LineIdx,
    /// The number of blocks around the lines.
    level: usize,
    /// True if the lines are those of a code fence.
    is_fenced: bool,
    /// True in a code fence of shell commands.
    is_shell: bool,
    /// The line with which a script outside of the present code fence changed the folder.
    moved: Option<String>,
    pub(super) findings: Findings,
}

/// Results of a scan so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Findings {
    /// The lines of sections.
    claimed: Vec<Range<LineIdx>>,
    /// Each with the sentence above its section.
    files: Vec<(FileChange, Option<Arc<str>>)>,
    problems: Vec<Problem>,
    said: Vec<String>,
    readings: Vec<Reading>,
    /// The quotations that hold edits.
    quoted: Vec<Range<LineIdx>>,
}

impl Findings {
    /// Takes what was met further on.
    pub(super) fn append(&mut self, later: Self) {
        self.claimed.extend(later.claimed);
        self.files.extend(later.files);
        self.problems.extend(later.problems);
        self.said.extend(later.said);
        self.quoted.extend(later.quoted);
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
            blocks_from: 0,
            level: 0,
            is_fenced: false,
            is_shell: false,
            moved: None,
            findings: Findings::default(),
        }
    }

    /// Goes over a line of prose, or a section. Gives `false` at the end.
    pub(super) fn step(&mut self) -> bool {
        let Some(line) = self.input.line(self.at) else {
            return false;
        };
        self.before.closes_fence = self.wrappers.are_closed_by(line);
        self.before.fence_around = self.wrappers.innermost();
        let at = self.at;
        let Some(section) = self.section() else {
            self.prose(line);
            self.at += 1;
            return true;
        };
        self.wrappers.edit(section.lines.start);
        self.at = section.lines.end.clamp(self.at + 1, self.input.len());
        let first = section.lines.start.clamp(self.before.free, self.at);
        let free = self.before.free;
        self.findings.claimed.push(first..self.at);
        self.before.free = self.at;
        self.before.names = MentionedNames::default();
        if section.moved.is_some() {
            self.before.script = ScriptState::after_move(section.moved.clone());
        }
        if let Some(path) = last_path(&section) {
            self.before.path = Some(path);
        }
        if let Some(dialect) = dialect_of(&section) {
            let at = telling_line(self.input, at..self.at, dialect);
            let section = Reading {
                dialect,
                line: self.input.number(at),
                evidence: parse_error::quoted(self.input.line(at).unwrap_or(line)),
                sections: 1,
            };
            Reading::add(&mut self.findings.readings, section);
        }
        let announcement = announcement(self.input, free..first);
        let files = section.files.into_iter();
        self.findings
            .files
            .extend(files.map(|file| (file, announcement.clone())));
        self.findings.problems.extend(section.problems);
        self.findings
            .said
            .extend(Some(section.said).filter(|said| !said.is_empty()));
        true
    }

    /// Takes note of a line that belongs to no section.
    fn prose(&mut self, line: &'a str) {
        let was_open = self.wrappers.are_open();
        self.wrappers.prose(self.at, line);
        let is_open = self.wrappers.are_open();
        match (was_open, is_open) {
            (true, false) => self.before.names.close_fence(),
            (false, true) => self.before.names.open_fence(),
            (true, true) | (false, false) => (),
        }
        if was_open != is_open {
            // The lines in a code fence are a script of their own, which may run in the folder that one above has changed to.
            if !was_open || self.is_shell {
                self.moved = self.before.script.moved().map(str::to_owned);
            }
            self.before.script = ScriptState::after_move(self.moved.clone());
            self.is_shell = is_open && Fence::of(line).is_some_and(|fence| fence.may_be_shell());
        } else if is_open || self.input.is_script() || self.is_fenced {
            self.before.script.add_line(line, ScriptLines::Script);
        } else {
            self.before.script.add_line(line, ScriptLines::Text);
        }
        if self.before.path.is_some() {
            for (name, is_heading) in file_name::mentions(line) {
                self.before.names.add(name, is_heading);
            }
        }
    }

    /// It at the end of the input.
    pub(super) fn scanned(mut self) -> Self {
        while self.step() {}
        self
    }

    /// The section that begins at the line.
    fn section(&mut self) -> Option<Section> {
        let inner = self.in_block();
        if inner.as_ref().is_some_and(|inner| !inner.files.is_empty()) {
            return inner;
        }
        let mut asked = self.dialects.iter();
        let section = asked.find_map(|dialect| dialect.section(self.input, self.at, &self.before));
        section.or(inner)
    }

    /// The edits in the block that begins at the line.
    fn in_block(&mut self) -> Option<Section> {
        if self.at < self.blocks_from || self.level == LEVELS {
            return None;
        }
        let block = InnerBlock::at(self.input, self.at)?;
        if block.kind != BlockKind::Fence && self.wrappers.are_open() {
            return None;
        }
        self.blocks_from = block.lines.end;
        if block.kind == BlockKind::Message {
            return None;
        }
        let InnerBlock {
            kind,
            lines,
            first,
            text,
        } = block;
        let text = text?;
        let part = (self.input).inner(first, &text, self.input.path());
        let above = file_name::above(self.input, lines.start, &self.before);
        let script = ScriptState::after_move(self.before.script.moved().map(str::to_owned));
        let before = match above {
            Some(name) => Before {
                path: Some(name.claim),
                script,
                ..Before::default()
            },
            None => Before {
                path: self.before.path.clone(),
                names: self.before.names.clone(),
                script,
                ..Before::default()
            },
        };
        let inner = Scanner {
            before,
            level: self.level + 1,
            is_fenced: kind == BlockKind::Fence,
            ..Scanner::new(&part, self.dialects)
        };
        let inner = inner.scanned();
        let open = self.input.line(lines.start).and_then(Fence::of);
        if open.is_some_and(|fence| fence.may_be_shell()) {
            let moved = inner.before.script.moved().map(str::to_owned);
            self.before.script = ScriptState::after_move(moved);
        }
        let Parsed {
            proposal, problems, ..
        } = inner.finish();
        let found = !proposal.files.is_empty() || !problems.is_empty();
        // Search/replace blocks are read with and without their indentation, which may be that of the file's lines.
        let is_own = |file: &FileChange| !matches!(file.dialect, "aider" | "search-replace");
        let found = found && (kind != BlockKind::Indentation || proposal.files.iter().all(is_own));
        if found && kind == BlockKind::Quotation {
            self.findings.quoted.push(lines.clone());
        }
        found.then_some(Section {
            lines,
            files: proposal.files,
            problems,
            said: match kind {
                BlockKind::Fence => String::new(),
                BlockKind::Indentation | BlockKind::Message | BlockKind::Quotation => {
                    proposal.intent
                }
            },
            moved: None,
        })
    }

    /// Takes quoted edits for prose if the input has edits of its own, and otherwise refuses one that may go on behind an answer.
    fn settle_quoted(&mut self) {
        let Findings {
            claimed,
            quoted,
            files,
            problems,
            ..
        } = &mut self.findings;
        let has_own = files
            .iter()
            .any(|(file, _)| doubtful::quotation(self.input, quoted, file.span.first).is_none());
        if has_own {
            let is_own = |line| doubtful::quotation(self.input, quoted, line).is_none();
            files.retain(|(file, _)| is_own(file.span.first));
            problems.retain(|problem| is_own(problem.span.first));
            claimed.retain(|lines| is_own(self.input.number(lines.start)));
            return;
        }
        let refused = files.extract_if(.., |(file, _)| {
            doubtful::may_go_on(self.input, quoted, file)
        });
        problems.extend(refused.map(|(file, _)| doubtful::refused(file)));
        problems.sort_by_key(|problem| problem.span.first);
    }

    pub(super) fn finish(mut self) -> Parsed {
        if !self.findings.quoted.is_empty() {
            self.settle_quoted();
        }
        let last = self.findings.files.last();
        if last.is_some_and(|(file, _)| doubtful::is_cut_off(self.input, file))
            && self.wrappers.are_open()
            && let Some((file, _)) = self.findings.files.pop()
        {
            let problem = doubtful::cut_off(self.input, file);
            self.findings.problems.push(problem);
        }
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
        let announced = self
            .findings
            .files
            .iter()
            .filter(|(_, said)| said.is_some());
        // A single sentence is the intent of the whole proposal.
        let is_each_announced = announced.count() > 1;
        for (mut file, said) in self.findings.files {
            for hunk in file.hunks.iter_mut().filter(|_| is_each_announced) {
                hunk.announcement = hunk.announcement.take().or_else(|| said.clone());
            }
            add(&mut proposal.files, file);
        }
        Parsed {
            proposal,
            problems: self.findings.problems,
            readings: self.findings.readings,
        }
    }
}

/// The most blocks within each other that are looked into: each costs another scan of its lines.
const LEVELS: usize = 4;

/// The most characters of an announcement.
const MOST_CHARS: usize = 200;
/// The most lines of the paragraph that it ends.
const MOST_LINES: usize = 8;

/// Returns the first line of a section that tells why it is read in its dialect: one with a word, and only of a file in a
/// code fence the fence.
fn telling_line(input: &Input, lines: Range<LineIdx>, dialect: &str) -> LineIdx {
    let is_file = matches!(dialect, "whole" | "sketch" | "suggestion");
    let tells = |at: &LineIdx| {
        let line = input.line(*at).unwrap_or_default();
        let is_bare = line.chars().all(|c| "[]{}(), \t".contains(c));
        !is_bare && (is_file || Fence::of(line).is_none())
    };
    let first = lines.start;
    lines.into_iter().find(tells).unwrap_or(first)
}

/// Returns the sentence that ends the prose above a section.
fn announcement(input: &Input, prose: Range<LineIdx>) -> Option<Arc<str>> {
    const ENDS: [char; 7] = ['.', ':', '!', '?', '。', '：', '！'];
    const MARKS: [char; 5] = ['#', '*', '-', '>', ' '];
    let is_blank = |line: &&str| line.is_empty() || Fence::of(line).is_some();
    let lines = prose.rev().filter_map(|at| input.line(at)).map(str::trim);
    let mut paragraph: Vec<&str> = Vec::new();
    for line in lines
        .skip_while(is_blank)
        .take_while(|line| !is_blank(line))
    {
        paragraph.insert(0, line.trim_start_matches(MARKS));
        // The line above the item of a list, or above a heading, is none of its paragraph.
        if line.starts_with(MARKS) || paragraph.len() == MOST_LINES {
            break;
        }
    }
    let text = paragraph.join(" ").replace("**", "");
    let text = text.trim_end();
    let is_sentence = text.ends_with(ENDS) && (text.contains(' ') || !text.is_ascii());
    let before = text.trim_end_matches(ENDS);
    let start = [". ", "! ", "? ", "。"].map(|end| before.rfind(end).map(|at| at + end.len()));
    let sentence = &text[start.into_iter().flatten().max().unwrap_or(0)..];
    is_sentence.then(|| match sentence.char_indices().nth(MOST_CHARS) {
        Some((cut, _)) => format!("{}…", sentence[..cut].trim_end()).into(),
        None => sentence.into(),
    })
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

/// Returns `true` unless a later diff begins again above the hunks of an earlier one, or is another section of an envelope: then
/// it is for their result.
fn goes_on(last: &FileChange, file: &FileChange) -> bool {
    if file.dialect == "envelope" && last.patch != file.patch {
        return false;
    }
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

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    #[test]
    fn each_of_several_edits_has_the_sentence_above_it() {
        let check = |above: [&str; 2], expected: [Option<&str>; 2]| {
            let edit = |name: &str, above: &str| {
                format!(
                    "{above}\n\n```diff\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-a\n+b\n```\n\n"
                )
            };
            let text = edit("f", above[0]) + &edit("g", above[1]);
            let parsed = parse(&text, &Options::default());
            let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
            let said: Vec<Option<&str>> = hunks.map(|hunk| hunk.announcement.as_deref()).collect();
            assert_eq!(said, expected, "{text}");
        };
        check(
            [
                "Both.\n\n## First, this:",
                "It is. Then **that\none, too:**",
            ],
            [Some("First, this:"), Some("Then that one, too:")],
        );
        check(["First, this:", "and"], [None, None]);
        check(
            [" f | 2 +-\n 1 file changed, 1 insertion(+)", "So it is."],
            [None, None],
        );
    }
}
