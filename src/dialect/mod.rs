//! From text to a proposal.
//!
//! A dialect is a way to write edits down. Each has one file here and one row in [`DIALECTS`]; [`parse`] walks the lines of
//! an input (`scan`; a large one's in two `halves`) and asks every dialect at every line whether a section of its own
//! begins there. What no dialect claims is prose: the proposal's intent.
//!
//! Modules that several dialects share:
//! * text: `input`, `fence`, `indented_fence`, `file_name`, `fault` (why something cannot be read), `text_body`,
//!   `written` (whole files);
//! * search/replace blocks: `marker`, `search_block`, `left_out`;
//! * diffs: `binary_patch`, `hunk_header`, `diff_body`, `diff_hunk`, `diff_path`, `diff_command`, `git_header`, `line_range`,
//!   `presence`;
//! * wrappers: `heredoc`, `xml`, `xml_call`, `fenced_file`, `quoted`;
//! * tool calls: `tools` (the table), `schema`, `json_call`, `containers`, `call_fields`, `wish`, `call_hunk`, `markup`, `refactoring`,
//!   `hashline`, `inner_text`;
//! * transcripts: `transcript`, `call_result`, `foreign_message`, `aider_history`;
//! * whole inputs: `colour`, `series`, `unreadable`.

mod aider;
mod aider_history;
mod binary_patch;
mod call_fields;
mod call_hunk;
mod call_result;
mod colour;
mod containers;
mod context;
mod diff_body;
mod diff_command;
mod diff_hunk;
mod diff_path;
mod ed;
mod envelope;
mod envelope_file;
mod envelope_text;
mod fault;
mod fence;
mod fenced_file;
mod file_name;
mod foreign_message;
mod git_header;
mod halves;
mod hashline;
mod heredoc;
mod hunk_header;
mod indented_fence;
mod inner_text;
mod input;
mod json_call;
mod left_out;
mod line_range;
mod marker;
mod markup;
mod normal;
mod presence;
mod quoted;
mod rcs;
mod refactoring;
mod roo_xml;
mod scan;
mod schema;
mod search_block;
mod search_replace;
mod series;
mod shell;
mod sketch;
mod suggestion;
mod text_body;
mod tool_call;
mod tools;
mod transcript;
mod unified;
mod unreadable;
mod whole;
mod wish;
mod written;
mod xml;
mod xml_call;
mod zed;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub(crate) use colour::uncoloured;
pub use input::{Asked, Input};

use crate::proposal::{FileChange, HunkOrder, PathClaim, Problem, Proposal, Reading};
use crate::text::{LineIdx, raw_bytes};

/// Result of reading an input: the good part survives the bad.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// All edits that are whole.
    pub proposal: Proposal,
    /// Parts that look like an edit but cannot be read as one, in the order of the input.
    pub problems: Vec<Problem>,
    /// The dialects that were recognised, in the order of the input.
    pub readings: Vec<Reading>,
}

/// Options for reading an input.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The one dialect to read; without it every dialect is.
    pub dialect: Option<&'static dyn Dialect>,
    /// The file for a dialect that names none.
    pub path: Option<String>,
    /// The turns of a transcript to read.
    pub turns: Turns,
}

/// Turns of a transcript: a prompt of a person and the agent's work for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Turns {
    /// All turns.
    #[default]
    All,
    /// The last turn in which the agent did something.
    Last,
}

/// A way to write edits down.
pub trait Dialect: Sync {
    /// The name for `--format` and for messages.
    fn name(&self) -> &'static str;

    /// Returns the order of the hunks of a file in this dialect.
    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Any
    }

    /// Returns the kind of evidence by which this dialect is recognised.
    fn evidence(&self) -> Evidence {
        Evidence::Markers
    }

    /// Reads the section that begins at a line, if one of this dialect does.
    ///
    /// It reads on to the section's end and puts what it cannot read among the problems. The cost of all calls on one
    /// input must be linear in its size: a line that was looked at must be claimed, or the look must be short.
    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section>;
}

/// Kind of evidence that distinguishes a dialect from prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Markers that no other text has.
    Markers,
    /// A shape that an example in prose may have as well: believed only where no markers are found.
    Shape,
}

/// Context of a section: the lines before it.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// The first line that no section claimed yet.
    pub free: LineIdx,
    /// The file of the section before.
    pub path: Option<PathClaim>,
    /// True if the line closes a code fence of the prose.
    pub closes_fence: bool,
}

/// A stretch of the input that is written in one dialect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Its lines; they may begin above the line asked for, with a file name, but never before [`Before::free`].
    pub lines: Range<LineIdx>,
    /// The edits that could be read.
    pub files: Vec<FileChange>,
    /// The parts that could not.
    pub problems: Vec<Problem>,
    /// The agent's words in it, which are part of the intent.
    pub said: String,
}

impl Section {
    /// A section with one change in it, or one problem.
    fn of(lines: Range<LineIdx>, found: Result<FileChange, Problem>) -> Self {
        let (files, problems) = match found {
            Ok(file) => (vec![file], Vec::new()),
            Err(problem) => (Vec::new(), vec![problem]),
        };
        Self {
            lines,
            files,
            problems,
            said: String::new(),
        }
    }
}

/// Every dialect. Of two that can read the same line, the stricter is first.
pub static DIALECTS: [&dyn Dialect; 14] = [
    &shell::Shell,
    &suggestion::Suggestion,
    &tool_call::ToolCall,
    &roo_xml::RooXml,
    &envelope::Envelope,
    &unified::Unified,
    &context::Context,
    &normal::Normal,
    &aider::Aider,
    &search_replace::SearchReplace,
    &sketch::Sketch,
    &whole::Whole,
    &ed::Ed,
    &rcs::Rcs,
];

/// A tool whose calls are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownTool {
    /// The agent or the product.
    pub agent: &'static str,
    /// The names of the tool; none for a form without a name.
    pub names: &'static [&'static str],
    /// Its fields: `role=field`, `field:value`, `?` for what may be missing.
    pub fields: &'static str,
    /// The source of the schema.
    pub source: &'static str,
}

/// Returns every tool whose calls are read, in the order in which they are tried.
pub fn known_tools() -> impl Iterator<Item = KnownTool> {
    tools::TOOLS.iter().map(|tool| KnownTool {
        agent: tool.agent,
        names: tool.names,
        fields: tool.fields,
        source: tool.source,
    })
}

/// The dialect of this name.
pub fn named(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS.into_iter().find(|dialect| dialect.name() == name)
}

/// Reads all edits of an input. A text without any gives an empty proposal and no problems.
///
/// ```
/// use countersign::dialect::{Options, parse};
///
/// let text = "Like this:\n\nsrc/a.rs\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n";
/// let parsed = parse(text, &Options::default());
/// assert_eq!(parsed.proposal.intent, "Like this:");
/// assert_eq!(parsed.proposal.files[0].path.first(), "src/a.rs");
/// assert_eq!(parsed.proposal.files[0].hunks[0].body.postimage, ["new"]);
/// ```
///
/// A text from [`raw_bytes::from_bytes`] may hold bytes that are not UTF-8. They stay in the hunks, where [`crate::review::intake`]
/// decodes them in the encoding of their file; the intent and the problems are for people, and get characters.
pub fn parse(text: &str, options: &Options) -> Parsed {
    let mut parsed = parse_raw(text, options);
    if raw_bytes::is_raw(text) {
        parsed.make_readable();
    }
    parsed
}

impl Parsed {
    /// Returns `true` if nothing in the input looks like an edit.
    pub fn is_empty(&self) -> bool {
        self.proposal.files.is_empty() && self.problems.is_empty()
    }

    /// Gives what is for people its characters, where it holds bytes that are not UTF-8.
    fn make_readable(&mut self) {
        let words = self.problems.iter_mut();
        let words = words.flat_map(|problem| [&mut problem.found, &mut problem.expected]);
        let evidence = self
            .readings
            .iter_mut()
            .map(|reading| &mut reading.evidence);
        for text in words.chain([&mut self.proposal.intent]).chain(evidence) {
            if raw_bytes::is_raw(text) {
                *text = raw_bytes::readable(text).into_owned();
            }
        }
    }
}

fn parse_raw(text: &str, options: &Options) -> Parsed {
    let path = options.path.as_deref();
    let text = match uncoloured(text.as_bytes()) {
        Ok(plain) => plain.map_or(Cow::Borrowed(text), |plain| {
            String::from_utf8_lossy(&plain).into_owned().into()
        }),
        Err(line) => return colour::odd(line),
    };
    if let Some(dialect) = options.dialect {
        let input = Input::new(&text, path, Asked::ByName).with_turns(options.turns);
        let mut parsed = scan::scan(&input, &[dialect]);
        series::trace(&input, &mut parsed.proposal.files);
        return parsed;
    }
    let input = Input::new(&text, path, Asked::InTurn).with_turns(options.turns);
    if let Some(parsed) = aider_history::read(&input) {
        return parsed;
    }
    let mut parsed = read(&input);
    unreadable::name_word_diff(&input, &mut parsed);
    if parsed.is_empty() {
        parsed.problems.extend(unreadable::named(&input, "unified"));
    }
    if parsed.is_empty() {
        let intent = std::mem::take(&mut parsed.proposal.intent);
        parsed = unreadable::guessed(&input);
        let prose = intent.split("\n```").next().unwrap_or_default();
        prose.clone_into(&mut parsed.proposal.intent);
    }
    parsed
}

/// Reads an input in every dialect.
fn read(input: &Input) -> Parsed {
    let parsed = scan::scan(input, &by_evidence(Evidence::Markers));
    if parsed.is_empty() {
        return scan::scan(input, &by_evidence(Evidence::Shape));
    }
    let mut parsed = quoted::refuse(input, parsed);
    series::trace(input, &mut parsed.proposal.files);
    parsed
}

fn by_evidence(evidence: Evidence) -> Vec<&'static dyn Dialect> {
    let dialects = DIALECTS.into_iter();
    dialects
        .filter(|dialect| dialect.evidence() == evidence)
        .collect()
}

impl fmt::Debug for dyn Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_its_own_name() {
        for dialect in DIALECTS {
            let found = named(dialect.name()).map(Dialect::name);
            assert_eq!(found, Some(dialect.name()));
        }
        assert!(named("prose").is_none());
    }
}
