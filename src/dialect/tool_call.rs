//! `tool-call`: the calls that agents make of their editing tools.
//!
//! JSON, one call, an array, or lines of calls, bare or in the messages of model APIs, hooks and transcripts
//! ([`json_call`]); the same calls as markup ([`markup`]); and the `<old_text line=N>` pairs of Zed's agent.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::aider::Aider;
use super::envelope::Envelope;
use super::fault::{self, Fault};
use super::json_call;
use super::scan::scan;
use super::search_replace::SearchReplace;
use super::shell::Shell;
use super::unified::Unified;
use super::wish::{Ask, Every, Wish};
use super::{
    Asked, Before, Dialect, Input, Parsed, Section, call_fields, left_out, markup, text_body,
    written, zed,
};
use crate::proposal::{
    Anchor, AnchorStrength, Body, CellEdit, CellKind, Extent, FileChange, FinalNewline, Hunk,
    HunkOrder, InputSpan, Operation, PathClaim, Problem,
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

    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Sequence
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let line = input.line(at)?.trim_start();
        if line.starts_with("<old_text") {
            return zed::section(input, at, before, self.name());
        }
        if line.starts_with('<') {
            let (value, end) = markup::call(input, at)?;
            return self.value(input, at..end, value);
        }
        if !may_be_call(line) {
            return None;
        }
        let tail = input.tail(at);
        let mut values = serde_json::Deserializer::from_str(tail).into_iter::<Value>();
        match values.next()? {
            Ok(value) => {
                let end = input.line_at(at, values.byte_offset().saturating_sub(1)) + 1;
                self.value(input, at..end, value)
            }
            Err(error) => {
                let head = tail.get(..tail.floor_char_boundary(LOOK))?;
                call_fields::is_likely(head).then(|| {
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
    /// Reads the calls in a value; `None` if it is neither a call nor a message.
    fn value(self, input: &Input, lines: Range<LineIdx>, value: Value) -> Option<Section> {
        let value = json_call::unwrapped(value);
        let found = json_call::find(&value);
        if found.asks.is_empty() && !found.is_message {
            return None;
        }
        let mut section = Section {
            lines: lines.clone(),
            said: found.said.join("\n\n"),
            ..Section::default()
        };
        for ask in &found.asks {
            let parsed = self.call(input, lines.clone(), ask);
            section.files.extend(parsed.proposal.files);
            section.problems.extend(parsed.problems);
        }
        Some(section)
    }

    /// Returns the change that a call asks for. Every call has all lines of the value.
    fn call(self, input: &Input, lines: Range<LineIdx>, ask: &Ask) -> Parsed {
        let span = input.span(lines.clone());
        let path = ask.path.as_deref().or(input.path());
        if let Wish::Edits { text } = &ask.wish {
            return self.edits(input, lines, ask.path.as_deref(), text);
        }
        if let Wish::Shell { text } = &ask.wish {
            return self.shell(input, &lines, text);
        }
        let made = change(&ask.wish, path, lines.start, span);
        let named = path.ok_or_else(|| {
            let expected = "the name of the file in the call, or `--path FILE`";
            Fault::new(lines.start, "a call that names no file", expected)
        });
        match made.and_then(|made| Ok((made, named?))) {
            Err(fault) => self.refused(input, lines, path, fault),
            Ok(((operation, hunk), path)) => {
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
        }
    }

    /// Reports a call that cannot be taken as an edit.
    fn refused(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        path: Option<&str>,
        fault: Fault,
    ) -> Parsed {
        let claim = path.map(PathClaim::plain);
        Parsed {
            problems: vec![fault.into_problem(input, lines, self.name(), claim)],
            ..Parsed::default()
        }
    }

    /// Reads the edits in a command of a shell, which may have none.
    fn shell(self, input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
        let inner = Input::new(text, None, Asked::InTurn);
        let parsed = scan(&inner, &[&Shell, &Envelope]);
        self.moved(input, lines, parsed)
    }

    /// Reads a text in another dialect.
    fn edits(self, input: &Input, lines: Range<LineIdx>, path: Option<&str>, text: &str) -> Parsed {
        let path = path.or(input.path());
        let text = if text.starts_with("@@") && path.is_some_and(|_| !text.contains("\n--- ")) {
            // Hunks alone, for the file that the call names.
            let path = path.unwrap_or_default();
            Cow::Owned(format!("--- {path}\n+++ {path}\n{text}"))
        } else {
            Cow::Borrowed(text)
        };
        let inner = Input::new(&text, path, Asked::InTurn);
        let parsed = scan(&inner, &[&Envelope, &Unified, &Aider, &SearchReplace]);
        let mut parsed = self.moved(input, &lines, parsed);
        if parsed.proposal.files.is_empty() && parsed.problems.is_empty() {
            let fault = Fault::new(lines.start, "a text without an edit", "a diff or a patch");
            let claim = path.map(PathClaim::plain);
            parsed
                .problems
                .push(fault.into_problem(input, lines, self.name(), claim));
        }
        parsed
    }

    /// Turns the lines of a call's text into the lines of the call.
    fn moved(self, input: &Input, lines: &Range<LineIdx>, mut parsed: Parsed) -> Parsed {
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
        parsed.proposal.intent.clear();
        parsed
    }
}

/// Returns what a wish makes of its file; `at` is its line in the input.
fn change(
    wish: &Wish,
    path: Option<&str>,
    at: LineIdx,
    span: InputSpan,
) -> Result<(Operation, Option<Hunk>), Fault> {
    let modified = |hunk| Ok((Operation::Modify, Some(hunk)));
    match wish {
        Wish::Replace {
            old,
            new,
            every,
            line,
        } => {
            let body = text_body::replacement(old, new);
            if let Some(i) = left_out::mark(&body) {
                let found = fault::quoted(&body.postimage[i]);
                return Err(Fault::new(at, found, left_out::EXPECTED));
            }
            let mut hunk = Hunk::new(body, span);
            hunk.extent = match every {
                Every::Once => Extent::Text,
                Every::Time => Extent::EveryText,
                Every::Count(count) => Extent::Texts(*count),
            };
            hunk.hint = *line;
            hunk.ends_line = text_body::ends_line(old, new);
            modified(hunk)
        }
        Wish::Insert { after, text } => {
            let mut body = text_body::replacement("", text);
            if body.postimage.is_empty() {
                body.postimage.push(String::new());
            }
            let mut hunk = Hunk::new(body, span);
            hunk.hint = LineNo::new(after.saturating_add(1));
            hunk.extent = Extent::Insertion;
            modified(hunk)
        }
        Wish::Append { text } => {
            let mut hunk = Hunk::new(text_body::replacement("", text), span);
            hunk.at_end = true;
            Ok((Operation::CreateOrAppend, Some(hunk)))
        }
        Wish::Lines { start, end, text } => {
            let mut hunk = Hunk::new(text_body::replacement("", text), span);
            hunk.hint = LineNo::new(*start);
            let count = (end + 1)
                .checked_sub(*start)
                .filter(|_| hunk.hint.is_some());
            let Some(count) = count else {
                let found = format!("the lines {start} to {end}");
                return Err(Fault::new(at, found, "a first line before the last"));
            };
            hunk.extent = Extent::Numbered(count);
            modified(hunk)
        }
        Wish::Span { range, text } => {
            let body = Body {
                preimage: Vec::new(),
                postimage: text.split('\n').map(text_body::without_cr).collect(),
            };
            let mut hunk = Hunk::new(body, span);
            hunk.hint = LineNo::new(range.start.0 + 1);
            hunk.extent = Extent::Span {
                from: range.start.1,
                to: range.end,
            };
            modified(hunk)
        }
        Wish::Sketch { text } => {
            let mut hunk = Hunk::new(text_body::replacement("", text), span);
            hunk.extent = Extent::Sketch;
            modified(hunk)
        }
        Wish::Cell {
            cell,
            edit,
            kind,
            source,
        } => modified(cell_hunk(*cell, *edit, *kind, source, span)),
        Wish::Create { text } => {
            let hunk = contents(path.unwrap_or_default(), text, span);
            Ok((Operation::Create, hunk))
        }
        Wish::Write { text } => {
            let hunk = contents(path.unwrap_or_default(), text, span);
            Ok((Operation::Overwrite, hunk))
        }
        Wish::Delete => Ok((Operation::Delete, None)),
        Wish::Rename { to } => Ok((Operation::Rename(PathClaim::plain(*to)), None)),
        Wish::Other { found, expected } => Err(Fault::new(at, found, expected.clone())),
        Wish::Edits { .. } | Wish::Shell { .. } => Err(Fault::new(
            at,
            "a text without an edit",
            "a diff or a patch",
        )),
    }
}

/// The hunk of one cell of a notebook.
fn cell_hunk(
    cell: Option<&str>,
    edit: CellEdit,
    kind: Option<CellKind>,
    source: &str,
    span: InputSpan,
) -> Hunk {
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
    hunk
}

/// Returns `true` if a value that begins at a line may be a call: an object with fields, or an array of such.
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
