//! `tool-call`: the calls that agents make of their editing tools.
//!
//! JSON, one call, an array, or lines of calls, bare or in the envelopes of model APIs and hooks ([`json_call`] knows the
//! names); and the `<old_text line=N>` pairs of Zed's agent.

use std::ops::Range;

use serde_json::Value;

use super::aider::Aider;
use super::envelope::Envelope;
use super::fault::{self, Fault};
use super::json_call::{self, Ask, Every};
use super::scan::scan;
use super::search_replace::SearchReplace;
use super::unified::Unified;
use super::{Asked, Before, Dialect, Input, Parsed, Section, left_out, text_body, written, zed};
use crate::proposal::{
    Anchor, AnchorStrength, Body, Extent, FileChange, FinalNewline, Hunk, InputSpan, Operation,
    PathClaim, Problem,
};
use crate::text::{LineIdx, LineNo};

/// The dialect `tool-call`.
#[derive(Debug, Clone, Copy)]
pub(super) struct ToolCall;

/// How much of a text that is no valid JSON is searched for the signs of a call, in bytes.
const LOOK: usize = 500;

impl Dialect for ToolCall {
    fn name(&self) -> &'static str {
        "tool-call"
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let line = input.line(at)?.trim_start();
        if line.starts_with("<old_text") {
            return zed::section(input, at, before, self.name());
        }
        if !may_be_call(line) {
            return None;
        }
        let tail = input.tail(at);
        let mut values = serde_json::Deserializer::from_str(tail).into_iter::<Value>();
        match values.next()? {
            Ok(value) => {
                let value = json_call::unwrapped(value);
                let asks = json_call::asks(&value);
                let end = input.line_at(at, values.byte_offset().saturating_sub(1)) + 1;
                (!asks.is_empty()).then(|| self.calls(input, at..end, &asks))
            }
            Err(error) => {
                let head = tail.get(..tail.floor_char_boundary(LOOK))?;
                json_call::is_likely(head).then(|| {
                    let end = (at + error.line()).clamp(at + 1, input.len());
                    let fault = Fault::new(end - 1, format!("{error}"), "a call in valid JSON");
                    let problem = fault.into_problem(input, at..end, self.name(), None);
                    Section::of(at..end, Err(problem))
                })
            }
        }
    }
}

impl ToolCall {
    /// The changes that calls ask for. Every call stands on all lines of the value.
    fn calls(self, input: &Input, lines: Range<LineIdx>, asks: &[Ask]) -> Section {
        let mut section = Section {
            lines: lines.clone(),
            ..Section::default()
        };
        for ask in asks {
            let parsed = self.call(input, lines.clone(), ask);
            section.files.extend(parsed.proposal.files);
            section.problems.extend(parsed.problems);
        }
        section
    }

    fn call(self, input: &Input, lines: Range<LineIdx>, ask: &Ask) -> Parsed {
        let span = input.span(lines.clone());
        let (path, operation, hunk) = match *ask {
            Ask::Edits { path, text } => return self.edits(input, lines, path, text),
            Ask::Other {
                path,
                found,
                expected,
            } => {
                let fault = Fault::new(lines.start, found, expected);
                return self.refused(input, lines, path, fault);
            }
            Ask::Replace {
                path,
                old,
                new,
                every,
            } => {
                let body = text_body::replacement(old, new);
                if let Some(i) = left_out::mark(&body) {
                    let found = fault::quoted(&body.postimage[i]);
                    let fault = Fault::new(lines.start, found, left_out::EXPECTED);
                    return self.refused(input, lines, path, fault);
                }
                let mut hunk = Hunk::new(body, span);
                hunk.extent = match every {
                    Every::Once => Extent::Text,
                    Every::Time => Extent::EveryText,
                };
                hunk.ends_line = text_body::ends_line(old, new);
                (path, Operation::Modify, Some(hunk))
            }
            Ask::Insert { path, after, text } => {
                let mut body = text_body::replacement("", text);
                if body.postimage.is_empty() {
                    body.postimage.push(String::new());
                }
                let mut hunk = Hunk::new(body, span);
                hunk.hint = LineNo::new(after.saturating_add(1));
                (path, Operation::Modify, Some(hunk))
            }
            Ask::Sketch { path, text } => {
                let mut hunk = Hunk::new(text_body::replacement("", text), span);
                hunk.extent = Extent::Sketch;
                (path, Operation::Modify, Some(hunk))
            }
            Ask::Cell {
                path,
                cell,
                edit,
                kind,
                source,
            } => {
                let body = Body {
                    preimage: Vec::new(),
                    postimage: source.split('\n').map(str::to_owned).collect(),
                };
                let mut hunk = Hunk::new(body, span);
                hunk.extent = Extent::Cell { edit, kind };
                hunk.anchors.extend(cell.map(|cell| Anchor {
                    text: cell.to_owned(),
                    strength: AnchorStrength::Stated,
                }));
                (path, Operation::Modify, Some(hunk))
            }
            Ask::Create { path, text } => (path, Operation::Create, contents(path, text, span)),
            Ask::Write { path, text } => (path, Operation::Overwrite, contents(path, text, span)),
        };
        let mut parsed = Parsed::default();
        parsed.proposal.files.push(FileChange {
            path: PathClaim::plain(path),
            operation,
            executable: None,
            blobs: None,
            binary: None,
            hunks: Vec::from_iter(hunk),
            dialect: self.name(),
            span,
        });
        parsed
    }

    /// A call that cannot be taken as an edit.
    fn refused(self, input: &Input, lines: Range<LineIdx>, path: &str, fault: Fault) -> Parsed {
        let claim = Some(PathClaim::plain(path));
        Parsed {
            problems: vec![fault.into_problem(input, lines, self.name(), claim)],
            ..Parsed::default()
        }
    }

    /// Reads a text in another dialect. What it says of its own lines is said of the call's.
    fn edits(self, input: &Input, lines: Range<LineIdx>, path: Option<&str>, text: &str) -> Parsed {
        let path = path.or(input.path());
        let inner = Input::new(text, path, Asked::InTurn);
        let mut parsed = scan(&inner, &[&Envelope, &Unified, &Aider, &SearchReplace]);
        let span = input.span(lines.clone());
        for file in &mut parsed.proposal.files {
            file.dialect = self.name();
            file.span = span;
            for hunk in &mut file.hunks {
                hunk.span = span;
            }
        }
        for Problem {
            line,
            span: lines,
            dialect,
            found,
            ..
        } in &mut parsed.problems
        {
            *found = format!("{found} on line {line} of the call's text");
            (*line, *lines, *dialect) = (span.first, span, self.name());
        }
        if parsed.proposal.files.is_empty() && parsed.problems.is_empty() {
            let fault = Fault::new(lines.start, "a text without an edit", "a diff or a patch");
            let claim = path.map(PathClaim::plain);
            parsed
                .problems
                .push(fault.into_problem(input, lines, self.name(), claim));
        }
        parsed.proposal.intent.clear();
        parsed
    }
}

/// Whether a value may begin at a line that is a call: an object with fields, or an array of such.
fn may_be_call(line: &str) -> bool {
    let inner = line.strip_prefix('[').map_or(line, str::trim_start);
    match inner.strip_prefix('{').map(str::trim_start) {
        Some(fields) => fields.is_empty() || fields.starts_with('"'),
        None => line == "[",
    }
}

/// The one hunk of a new file.
fn contents(path: &str, text: &str, span: InputSpan) -> Option<Hunk> {
    let (body, other_readings) = written::readings(path, text_body::whole(text));
    let final_newline = if text.ends_with('\n') {
        FinalNewline::Keep
    } else {
        FinalNewline::Remove
    };
    (!text.is_empty()).then(|| Hunk {
        other_readings,
        final_newline,
        ..Hunk::new(body, span)
    })
}
