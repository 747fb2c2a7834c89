//! `tool-call`: the calls that agents make of their editing tools.
//!
//! JSON, one call, an array, or lines of calls, bare or in the messages of model APIs, hooks and transcripts
//! ([`json_call`]), as logs of whole sessions ([`transcript`]), as streams of events ([`stream`]); the same calls as markup ([`super::markup`]); and the `<old_text line=N>` pairs of Zed's agent.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::nested_text::{self, append, move_spans, reply};
use super::work_folder::{self, LastMove, ShellFolder};
use super::{calls_in_tags, special_tokens, text_beside_calls, zed};
use crate::dialect::blocks::aider::Aider;
use crate::dialect::blocks::search_replace::SearchReplace;
use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::diff::unified::Unified;
use crate::dialect::envelope::apply_patch::Envelope;
use crate::dialect::input::{Input, ReadReason, Turns};
use crate::dialect::message::name_beside::{self, NamesBeside};
use crate::dialect::message::stream::{self, Events, Joined};
use crate::dialect::message::transcript::{self, CallStep};
use crate::dialect::message::{call_search, json_call, message_tree};
use crate::dialect::message::{nested_json, permission, unknown_messages};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::scan::scan;
use crate::dialect::tool::bare_fields::may_be_words;
use crate::dialect::tool::edit_request::{CallEdit, EditRequest};
use crate::dialect::tool::request_hunk::{self, change};
use crate::dialect::tool::{protocols, tool_match, tool_notation};
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim};
use crate::text::{LineIdx, UniqueJson, plural};

/// The dialect `tool-call`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct ToolCall;

/// The most lines before the data of a server-sent event.
const LEAD: usize = 4;

/// The most bytes of an invalid JSON text that are searched for the signs of a call.
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
        if let Some((value, end)) =
            special_tokens::read(input, at).or_else(|| calls_in_tags::read(input, at))
        {
            let value = nested_json::unwrapped(value);
            is_event(&value)?;
            return Some(self.log(input, at..end, vec![(at..end, value)], before));
        }
        if stream::may_begin(line) {
            return self.stream(input, at, before);
        }
        if line.starts_with('"') && input.skip_blank(0) == at {
            return text_alone(input, at);
        }
        if !may_be_call(line) {
            return None;
        }
        let tail = input.tail(at);
        let mut values = serde_json::Deserializer::from_str(tail).into_iter::<UniqueJson>();
        let beside = NamesBeside::of(before.lines_above(input, at));
        let error = match values.next()? {
            Ok(UniqueJson(value)) => {
                let end = input.line_at(at, values.byte_offset().saturating_sub(1)) + 1;
                let mut log = vec![(at..end, unwrapped(value, &beside))];
                let mut is_log = is_event(&log[0].1)?;
                while let Some(Ok(UniqueJson(value))) = values.next() {
                    let value = unwrapped(value, &beside);
                    let is_message = is_event(&value);
                    if !(value.is_object() || value.is_array()) || (!is_log && is_message.is_none())
                    {
                        break;
                    }
                    is_log |= is_message == Some(true);
                    let last = log.last().map_or(at, |(lines, _)| lines.end);
                    let end = input.line_at(at, values.byte_offset().saturating_sub(1)) + 1;
                    log.push((input.skip_blank(last).min(end - 1)..end, value));
                }
                let end = log.last().map_or(at, |(lines, _)| lines.end);
                return Some(self.log(input, at..end, log, before));
            }
            Err(error) => error,
        };
        let head = tail.get(..tail.floor_char_boundary(LOOK))?;
        let tool = tool_notation::of_json(head);
        (tool.is_some() || tool_match::is_likely(head)).then(|| {
            let end = (at + error.line()).clamp(at + 1, input.len());
            let found = tool.map_or_else(
                || error.to_string(),
                |tool| format!("a call of `{tool}` with {error}"),
            );
            let error = ParseError::new(end - 1, found, "a call in valid JSON");
            let problem = error.into_problem(input, at..end, self.name(), None);
            Section::of(at..end, Err(problem))
        })
    }
}

/// Reads an input that is one JSON string, as `jq` prints the text of a message.
fn text_alone(input: &Input, at: LineIdx) -> Option<Section> {
    let text: String = serde_json::from_str(input.tail(at)).ok()?;
    let lines = at..input.len();
    let (mut parsed, _) = reply(input, &lines, &text, &[]);
    if parsed.is_empty() {
        parsed = nested_text::form(input, &lines, &text);
    }
    let Parsed {
        proposal, problems, ..
    } = parsed;
    (!proposal.files.is_empty() || !problems.is_empty()).then_some(Section {
        lines,
        files: proposal.files,
        problems,
        said: proposal.intent,
        moved: None,
    })
}

/// Returns `None` for a value that is neither a call nor a message, and whether it is a message.
fn is_event(value: &Value) -> Option<bool> {
    let found = json_call::find(value);
    if found.is_message || !found.events.is_empty() {
        return Some(found.is_message);
    }
    call_search::has_calls(value).then_some(true)
}

impl ToolCall {
    /// Reads the server-sent events from a line on, unless the first ones are no messages.
    fn stream(self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let first = (at..input.len().min(at + LEAD)).find_map(|at| {
            let data = input.line(at)?.strip_prefix("data:")?;
            serde_json::from_str::<Value>(data).ok()
        });
        is_event(&first?)?;
        let Events {
            values,
            end,
            broken,
        } = stream::events(input, at);
        let lines = at..end.max(at + 1);
        let mut section = self.log(input, lines.clone(), values, before);
        section.problems.extend(broken.map(|(line, found)| {
            let error = ParseError::new(line, found, "events of which each is valid JSON");
            error.into_problem(input, lines, self.name(), None)
        }));
        Some(section)
    }

    /// Reads the calls in values that follow each other.
    fn log(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        values: Vec<(Range<LineIdx>, Value)>,
        before: &Before,
    ) -> Section {
        let first = lines.start;
        let Joined { mut values, cut } = stream::joined(values);
        permission::add_refusals(&mut values);
        unknown_messages::add_unknown(&mut values);
        let transcript = transcript::sorted(message_tree::events(&values), input.turns());
        let mut made = Parsed::default();
        made.problems.extend(cut.map(|(at, tool)| {
            let found = format!("a stream that ends within a call of `{tool}`");
            let error = ParseError::new(at, found, "all events of the call");
            error.into_problem(input, lines.clone(), self.name(), None)
        }));
        let mut named = Parsed::default();
        let folders = work_folder::of_session(&values);
        let mut last_move = LastMove::above(before.script.moved());
        let mut of_calls = Vec::new();
        for step in &transcript.calls {
            let at = step.lines.start;
            let folder = last_move.folder(&folders, at);
            of_calls.push((step.order, self.step(input, step, folder)));
            for request in &step.call.requests {
                if let CallEdit::Shell { text, folder } = &request.edit {
                    if folder.is_none() {
                        last_move.add(at, text, work_folder::at(&folders, at));
                    }
                    let [_, commands] = nested_text::commands(input, &step.lines, text);
                    append(&mut named, commands);
                }
            }
        }
        let left_out = transcript.left_out.iter().filter(|step| {
            let Parsed {
                proposal, problems, ..
            } = self.step(input, step, ShellFolder::default());
            !proposal.files.is_empty() || !problems.is_empty()
        });
        let mut left_out = left_out.count();
        let is_empty = |made: &Parsed| made.proposal.files.is_empty() && made.problems.is_empty();
        let mut said: Vec<Cow<str>> = transcript
            .said
            .iter()
            .map(|said| said.text.into())
            .collect();
        text_beside_calls::add(input, &transcript, &folders, &mut of_calls, &mut said);
        let of_calls = of_calls.into_iter();
        of_calls.for_each(|(_, part)| append(&mut made, part));
        if is_empty(&made) && left_out == 0 && !transcript.has_calls {
            let (read, failed) = nested_text::replies(input, &transcript, &mut said);
            append(&mut made, read);
            left_out += failed;
            let [first, home] = [folders.first(), folders.last()].map(|of| of.map(|(_, it)| *it));
            let files = made.proposal.files.iter_mut();
            files.for_each(|file| work_folder::record(file, first, home));
        }
        if transcript.has_calls {
            for said in &transcript.said {
                let commands = nested_text::commands_in_text(input, &said.lines, said.text);
                append(&mut named, commands);
            }
        }
        append(&mut made, named);
        if transcript.has_prompts {
            // The texts before are in the announcements.
            said.drain(..said.len().saturating_sub(1));
        }
        if is_empty(&made) && left_out > 0 {
            let found =
                format!("a transcript in which every edit ({left_out}) failed or was rejected");
            let error = ParseError::new(first, found, "an edit that was carried out");
            let problem = error.into_problem(input, lines.clone(), self.name(), None);
            made.problems.push(problem);
        } else if is_empty(&made) && transcript.has_calls && input.turns() == Turns::Last {
            let expected = "an edit in it; without `--last` all turns are read";
            let error = ParseError::new(first, "a last turn without an edit", expected);
            let problem = error.into_problem(input, lines.clone(), self.name(), None);
            made.problems.push(problem);
        } else if is_empty(&made)
            && let Some((lines, _)) = values.iter().find(|(_, it)| protocols::is_report(it))
        {
            let found =
                "a report of Codex about changed files without the call that asked for them";
            let error = ParseError::new(lines.start, found, "the whole rollout of the session");
            let problem = error.into_problem(input, lines.clone(), self.name(), None);
            made.problems.push(problem);
        } else if left_out > 0 {
            said.push(
                format!(
                    "({} that failed, was rejected or was taken back is left out.)",
                    plural(left_out, "call")
                )
                .into(),
            );
        }
        Section {
            lines,
            files: made.proposal.files,
            problems: made.problems,
            said: said.join("\n\n"),
            moved: last_move.into_command(),
        }
    }

    /// Reads a call of a transcript.
    fn step(self, input: &Input, step: &CallStep, folder: ShellFolder<'_>) -> Parsed {
        let mut made = Parsed::default();
        for request in &step.call.requests {
            let mut part = self.call(input, step.lines.clone(), request, folder);
            let files = part.proposal.files.iter_mut();
            files.for_each(|file| folder.record(&request.edit, file));
            append(&mut made, part);
        }
        if let Some(stated) = &step.cut {
            nested_text::refuse_cut(&mut made, input, step, stated);
        }
        if let Some(result) = &step.doubt {
            nested_text::question(&mut made, input, step, result);
        }
        for hunk in made
            .proposal
            .files
            .iter_mut()
            .flat_map(|file| &mut file.hunks)
        {
            hunk.announcement.clone_from(&step.announcement);
        }
        made
    }

    /// Returns the change that a call asks for, of an agent whose shell is in a folder. Every call has all lines of the value.
    fn call(
        self,
        input: &Input,
        lines: Range<LineIdx>,
        request: &EditRequest,
        shell: ShellFolder<'_>,
    ) -> Parsed {
        let span = input.span(lines.clone());
        let path = request.path.as_deref().or(input.path());
        if let CallEdit::Edits { text } = &request.edit {
            return self.edits(input, lines, request.path.as_deref(), text);
        }
        if let CallEdit::Shell { text, folder } = &request.edit {
            let (folder, moved) = match folder {
                Some(folder) => (work_folder::within(shell.home, folder), None),
                None => (shell.inner, shell.moved),
            };
            return self.shell(input, &lines, text, folder, moved);
        }
        if let CallEdit::ShellInput { text } = &request.edit {
            return self.owned(nested_text::shell_input(input, &lines, text));
        }
        let made = if request.edit == CallEdit::JsonPatch {
            let hunk = request_hunk::json_patch(input.lines(lines.clone()), span);
            Ok((Operation::Modify, Some(hunk)))
        } else {
            change(&request.edit, path, lines.start, span)
        };
        let named = path.ok_or_else(|| {
            let expected = "the name of the file in the call, or `--path FILE`";
            ParseError::new(lines.start, request.edit.without_file(), expected)
        });
        match made.and_then(|made| Ok((made, named?))) {
            Err(error) => self.refused(input, lines, path, error),
            Ok(((operation, hunk), path)) => {
                let mut parsed = Parsed::default();
                parsed.proposal.files.push(FileChange {
                    hunks: Vec::from_iter(hunk),
                    ..FileChange::new(PathClaim::written(path), operation, self.name(), span)
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
        error: ParseError,
    ) -> Parsed {
        let claim = path.map(PathClaim::written);
        Parsed {
            problems: vec![error.into_problem(input, lines, self.name(), claim)],
            ..Parsed::default()
        }
    }

    /// Reads the edits in a command of a shell, which may have none.
    fn shell(
        self,
        input: &Input,
        lines: &Range<LineIdx>,
        text: &str,
        folder: Option<&str>,
        moved: Option<&str>,
    ) -> Parsed {
        let [mut read, _] = nested_text::commands(input, lines, text);
        if let Some(moved) = moved {
            nested_text::refuse_relative(&mut read, input, lines, moved);
        }
        if let Some(folder) = folder {
            let files = read.proposal.files.iter_mut();
            files.for_each(|file| file.move_into(folder));
        }
        self.owned(read)
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
        let inner = Input::new(&text, path, ReadReason::InTurn);
        let parsed = scan(&inner, &[&Envelope, &Unified, &Aider, &SearchReplace]);
        let mut parsed = self.moved(input, &lines, parsed);
        for file in &mut parsed.proposal.files {
            // The text around the name is made up: the name itself is that of the call.
            if let Some(path) = path.filter(|path| path.trim() == file.path.first()) {
                file.path = PathClaim::written(path);
            }
        }
        if parsed.proposal.files.is_empty() && parsed.problems.is_empty() {
            let error = ParseError::new(lines.start, "a text without an edit", "a diff or a patch");
            let claim = path.map(PathClaim::written);
            parsed
                .problems
                .push(error.into_problem(input, lines, self.name(), claim));
        }
        parsed
    }

    /// Turns the lines of a call's text into the lines of the call.
    fn moved(self, input: &Input, lines: &Range<LineIdx>, mut parsed: Parsed) -> Parsed {
        move_spans(&mut parsed, input.span(lines.clone()));
        self.owned(parsed)
    }

    /// Takes what was read in a call's text for this dialect.
    fn owned(self, mut parsed: Parsed) -> Parsed {
        for file in &mut parsed.proposal.files {
            file.dialect = self.name();
        }
        for problem in &mut parsed.problems {
            problem.dialect = self.name();
        }
        parsed.proposal.intent.clear();
        parsed
    }
}

/// Returns a value whose calls have the names that are beside them, and not in strings.
fn unwrapped(value: Value, beside: &NamesBeside<'_>) -> Value {
    let mut value = nested_json::unwrapped(value);
    name_beside::bind(&mut value, beside);
    value
}

/// Returns `true` if a value that begins at a line may be a call: an object with fields, or an array of such.
fn may_be_call(line: &str) -> bool {
    let mut inner = line;
    while let Some(rest) = inner.strip_prefix('[') {
        inner = rest.trim_start();
    }
    match inner.strip_prefix('{').map(str::trim_start) {
        Some(fields) => fields.is_empty() || fields.starts_with('"'),
        None => (inner.is_empty() && line.starts_with('[')) || may_be_words(line),
    }
}
