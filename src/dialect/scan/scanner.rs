//! The scanner: goes over the lines of an input and collects the sections that dialects read.

use std::collections::HashMap;

use super::doubtful::{self, HiddenText};
use super::findings::Findings;
use super::prose::{announcement, intent, telling_line};
use crate::dialect::commit_message::MessageSearch;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::{Fence, Wrappers};
use crate::dialect::markdown::file_name;
use crate::dialect::markdown::inner_block::{BlockKind, InnerBlock};
use crate::dialect::mentioned_names::MentionedNames;
use crate::dialect::parse_error;
use crate::dialect::parsed::Parsed;
use crate::dialect::script_state::{self, ScriptLines, ScriptState};
use crate::dialect::shell::edit_command;
use crate::proposal::{FileChange, Operation, PathClaim, Proposal, Reading};
use crate::text::LineIdx;

/// A scan over the lines of an input, and what it has met.
#[derive(Clone)]
pub(super) struct Scanner<'a, 'i> {
    input: &'i Input<'a>,
    dialects: &'i [&'i dyn Dialect],
    messages: MessageSearch,
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
    /// The tag of reasoning or the comment that the line is in.
    pub(super) hidden: Option<HiddenText>,
    /// The last line of each word that is alone on a line: the end of a here-document is one. Made when it is first needed.
    end_words: Option<HashMap<&'a str, LineIdx>>,
    pub(super) findings: Findings,
}

impl<'a, 'i> Scanner<'a, 'i> {
    pub(super) fn new(input: &'i Input<'a>, dialects: &'i [&'i dyn Dialect]) -> Self {
        Self {
            input,
            dialects,
            messages: MessageSearch::default(),
            at: 0,
            before: Before::default(),
            wrappers: Wrappers::default(),
            blocks_from: 0,
            level: 0,
            is_fenced: false,
            is_shell: false,
            moved: None,
            hidden: None,
            end_words: None,
            findings: Findings::default(),
        }
    }

    /// Goes over a line of prose, or a section. Gives `false` at the end.
    pub(super) fn step(&mut self) -> bool {
        let Some(line) = self.input.line(self.at) else {
            return false;
        };
        let fence = self.wrappers.innermost_fence();
        if let Some(end) = self.messages.end(self.input, self.at, fence) {
            self.at = end;
            return true;
        }
        self.before.closes_fence = self.wrappers.are_closed_by(line);
        self.before.fence_around = self.wrappers.innermost();
        let at = self.at;
        let Some(section) = self.section() else {
            self.prose(line);
            self.at += 1;
            return true;
        };
        let section = self.by_its_command(section);
        self.wrappers.edit(section.lines.start);
        self.at = section.lines.end.clamp(self.at + 1, self.input.len());
        let first = section.lines.start.clamp(self.before.free, self.at);
        let free = self.before.free;
        self.findings.claimed.push(first..self.at);
        self.before.free = self.at;
        self.before.names = MentionedNames::default();
        let claimed = self.input.lines(first..self.at);
        self.before.script.add_edit(claimed.iter().copied());
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

    /// Lets the command of the here-document around a section say which files its edit is for, if it applies the edit.
    fn by_its_command(&mut self, section: Section) -> Section {
        let is_command = |file: &FileChange| file.dialect == "shell";
        if self.before.script.readers().is_empty() || section.files.iter().all(is_command) {
            return section;
        }
        let input = self.input;
        let ends = self.end_words.get_or_insert_with(|| {
            let lines = (0..input.len()).filter_map(|at| Some((input.line(at)?, at)));
            let words = lines.map(|(line, at)| (script_state::end_word(line), at));
            words
                .filter(|(word, _)| !word.is_empty() && !word.contains(' '))
                .collect()
        });
        let at = self.at;
        let mut readers = self.before.script.readers().iter();
        let ends_below = |end: &str| ends.get(end).is_some_and(|last| *last >= at);
        if let Some(reader) = readers.find(|reader| ends_below(&reader.end)) {
            return edit_command::applied(input, at, section, reader);
        }
        let mut readers = self.before.script.readers().iter();
        match readers.find(|reader| edit_command::takes_edits(&reader.command)) {
            Some(reader) if section.files.iter().all(|file| file.dialect == "unified") => {
                edit_command::unended(input, section, reader)
            }
            Some(_) | None => section,
        }
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
        if !was_open && !is_open {
            self.take_hidden(line);
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

    /// Takes note of a line that opens or closes a comment or the reasoning of a model.
    fn take_hidden(&mut self, line: &str) {
        let hidden = &mut self.findings.hidden;
        if let Some(text) = self.hidden.take_if(|text| text.is_closed_by(line)) {
            hidden.push(text.from..self.at);
        } else if self.hidden.is_none() && doubtful::ends_reasoning(line) {
            hidden.clear();
            hidden.push(0..self.at);
        } else if self.hidden.is_none() {
            self.hidden = HiddenText::opened(line, self.at);
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
        let mut part = (self.input).inner(first, &text, self.input.path());
        // A code fence has a line that ends it.
        if kind != BlockKind::Fence {
            part = part.with_end_of(self.input, lines.end);
        }
        let above = file_name::above(self.input, lines.start, &self.before);
        let script = ScriptState::after_move(self.before.script.moved().map(str::to_owned));
        let first = lines.start + usize::from(kind == BlockKind::Fence);
        let lines_above = self.before.lines_above(self.input, first);
        let lines_above = lines_above.map(str::to_owned).collect();
        let before = match above {
            Some(name) => Before {
                above: lines_above,
                path: Some(name.claim),
                script,
                ..Before::default()
            },
            None => Before {
                above: lines_above,
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

    pub(super) fn finish(mut self) -> Parsed {
        if !self.findings.hidden.is_empty() {
            self.findings.settle_hidden(self.input);
        }
        if !self.findings.quoted.is_empty() {
            self.findings.settle_quoted(self.input);
        }
        let last = self.findings.files.last();
        if last.is_some_and(|(file, _)| doubtful::is_cut_off(self.input, file))
            && self.wrappers.are_open()
            && let Some((file, _)) = self.findings.files.pop()
        {
            let problem = doubtful::cut_off(self.input, file);
            self.findings.problems.push(problem);
        }
        if let Some((file, _)) = self.findings.files.last_mut() {
            doubtful::mark_end(self.input, file);
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
        Some(last) if is_mode_below(last, &file) => {
            last.executable = file.executable;
            last.span.last = last.span.last.max(file.span.last);
        }
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

/// Returns `true` for a command that changes the mode of a file alone, on the last line of a command that writes it or right below.
fn is_mode_below(last: &FileChange, file: &FileChange) -> bool {
    let is_mode = file.dialect == "shell" && file.executable.is_some() && file.hunks.is_empty();
    let is_below = file.span.first.get() <= last.span.last.get() + 1;
    is_mode && is_below && last.dialect == file.dialect && last.path == file.path
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
