//! Edits in the text of a call or a message: their lines are those of the value that holds the text.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::{cut_off, reported};
use crate::dialect::diff::unified::Unified;
use crate::dialect::envelope::apply_patch::Envelope;
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::message::tool_report::ToolReport;
use crate::dialect::message::transcript::{CallStep, SaidText, Transcript};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::scan::scan;
use crate::dialect::shell::file_command::{self, Shell};
use crate::dialect::{guessed_fence, left_out, unread, unsupported};
use crate::proposal::{FileChange, Guess, InputSpan};
use crate::text::LineIdx;

/// Reads the edits in a text of a message, each in the dialect in which it is written, and counts those that failed, as the reports
/// of the next message state.
pub(super) fn reply(
    input: &Input,
    lines: &Range<LineIdx>,
    text: &str,
    reports: &[ToolReport],
) -> (Parsed, usize) {
    let inner = Input::new(text, input.path(), ReadReason::InTurn);
    let mut parsed = input.read_inner(inner.clone());
    if !parsed.is_empty() {
        unsupported::name_commands(&inner, &mut parsed);
        unread::name_unread(&inner, &mut parsed, cut_off::beside);
        left_out::name_changes(&inner, &mut parsed);
    }
    if !parsed.proposal.files.is_empty() {
        guessed_fence::beside(&inner, &mut parsed);
    }
    let left_out = reported::take_out(&inner, &mut parsed, reports.to_vec());
    move_spans(&mut parsed, input.span(lines.clone()));
    (parsed, left_out.len())
}

/// Reads the texts of an agent without tools, which writes its edits as text, and counts the edits that failed.
pub(super) fn replies(
    input: &Input,
    transcript: &Transcript,
    said: &mut [Cow<str>],
) -> (Parsed, usize) {
    let mut made = Parsed::default();
    let mut left_out = 0;
    let mut answers = AnswerTexts::default();
    for (piece, said) in transcript.said.iter().zip(said) {
        let SaidText {
            lines, text, cut, ..
        } = piece;
        let (mut reply, failed) = reply(input, lines, text, &piece.reports);
        left_out += failed;
        if let Some(stated) = cut {
            refuse_last(&mut reply, input, lines, stated);
        }
        if failed > 0 || !reply.proposal.files.is_empty() || !reply.problems.is_empty() {
            *said = reply.proposal.intent.clone().into();
            answers.take(input, &mut made, piece, reply);
        }
    }
    if made.proposal.files.is_empty()
        && made.problems.is_empty()
        && left_out == 0
        && let Some(SaidText {
            lines, text, cut, ..
        }) = transcript.said.last()
    {
        let mut form = form(input, lines, text);
        if let Some(stated) = cut {
            refuse_last(&mut form, input, lines, stated);
        }
        append(&mut made, form);
    }
    (made, left_out)
}

/// The edits in the texts of a response with several answers.
#[derive(Debug, Default)]
struct AnswerTexts<'v> {
    /// The response, and the answer and its text that have edits.
    last: Option<(usize, usize, &'v str)>,
    /// The number of files that were read above the response.
    before: usize,
    is_refused: bool,
}

impl<'v> AnswerTexts<'v> {
    /// Adds the edits of a text, unless another answer to the same request has other ones: then both are refused.
    fn take(&mut self, input: &Input, made: &mut Parsed, said: &SaidText<'v>, reply: Parsed) {
        let Some((response, number)) = said.answer else {
            return append(made, reply);
        };
        match self.last {
            Some((last, other, text)) if last == response && other != number => {
                if text == said.text || self.is_refused {
                    return;
                }
                self.is_refused = true;
                made.proposal.files.truncate(self.before);
                let found = "a response with several answers that hold different edits";
                let error = ParseError::new(said.lines.start, found, "one of them");
                let dialect = "tool-call";
                let problem = error.into_problem(input, said.lines.clone(), dialect, None);
                made.problems.push(problem);
            }
            Some((last, ..)) if last == response => append(made, reply),
            Some(_) | None => {
                self.last = Some((response, number, said.text));
                (self.before, self.is_refused) = (made.proposal.files.len(), false);
                append(made, reply);
            }
        }
    }
}

/// Refuses the last file of a text that was cut off, as a field of its message states.
pub(super) fn refuse_last(read: &mut Parsed, input: &Input, lines: &Range<LineIdx>, stated: &str) {
    let Some(file) = read.proposal.files.pop() else {
        return;
    };
    let found = format!("the last edit of a message that was cut off (`{stated}`)");
    let error = ParseError::new(lines.start, found, "the whole message");
    let problem = error.into_problem(input, lines.clone(), file.dialect, Some(file.path));
    read.problems.push(problem);
}

/// Refuses a call with which a message ends that was cut off, as a field of the message states.
pub(super) fn refuse_cut(read: &mut Parsed, input: &Input, step: &CallStep, stated: &str) {
    let files = std::mem::take(&mut read.proposal.files).into_iter();
    read.problems.extend(files.map(|file| {
        let tool = step.call.tool.map(|tool| format!("of `{tool}` "));
        let tool = tool.unwrap_or_default();
        let found = format!("a call {tool}at the end of a message that was cut off (`{stated}`)");
        let error = ParseError::new(step.lines.start, found, "the whole message");
        error.into_problem(input, step.lines.clone(), file.dialect, Some(file.path))
    }));
}

/// Makes a person confirm a call whose result does not state that it was carried out. What has no lines to confirm is refused.
pub(super) fn question(read: &mut Parsed, input: &Input, step: &CallStep, result: &Arc<str>) {
    let number = input.number(step.lines.start);
    for file in &mut read.proposal.files {
        for hunk in &mut file.hunks {
            hunk.guess = Some(Guess::Outcome(number, Arc::clone(result)));
        }
    }
    let has_no_lines = |file: &mut FileChange| file.hunks.is_empty();
    for file in read.proposal.files.extract_if(.., has_no_lines) {
        let found = format!("a call whose result is `{result}`");
        let error = ParseError::new(step.lines.start, found, "a result that states success");
        let problem = error.into_problem(input, step.lines.clone(), file.dialect, Some(file.path));
        read.problems.push(problem);
    }
}

/// Names the commands that may change files in a text of a message beside edits.
pub(super) fn commands_in_text(input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
    let inner = Input::new(text, None, ReadReason::InTurn);
    let mut parsed = Parsed::default();
    unsupported::name_commands(&inner, &mut parsed);
    move_spans(&mut parsed, input.span(lines.clone()));
    parsed
}

/// Reads the edits in a command of a shell, and names the commands that may change files in another way.
pub(super) fn commands(input: &Input, lines: &Range<LineIdx>, text: &str) -> [Parsed; 2] {
    let inner = Input::new(text, None, ReadReason::InTurn).with_shell_lines();
    let mut read = scan(&inner, &[&Shell, &Envelope, &Unified]);
    let known = read.problems.len();
    unsupported::name_all_commands(&inner, &mut read);
    let mut named = Parsed {
        problems: read.problems.split_off(known),
        ..Parsed::default()
    };
    for parsed in [&mut read, &mut named] {
        move_spans(parsed, input.span(lines.clone()));
    }
    [read, named]
}

/// Refuses the edits of a command that name their files by relative paths, below a command that changes the folder.
pub(super) fn refuse_relative(
    read: &mut Parsed,
    input: &Input,
    lines: &Range<LineIdx>,
    moved: &str,
) {
    let is_relative = |file: &mut FileChange| !Path::new(file.path.first()).is_absolute();
    for file in read.proposal.files.extract_if(.., is_relative) {
        let error = file_command::elsewhere(lines.start, moved);
        let problem = error.into_problem(input, lines.clone(), file.dialect, Some(file.path));
        read.problems.push(problem);
    }
}

/// Refuses the edits in the input of a program that runs already: which program reads it, and in which folder, is not known.
pub(super) fn shell_input(input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
    let [mut read, _] = commands(input, lines, text);
    if read.is_empty() && !text.contains("*** Begin Patch") {
        return read;
    }
    let found = "an edit in the input of a program that runs already";
    let expected = "the edit in a command of its own: which program reads the input, and in which folder, is not known";
    let claim = read.proposal.files.drain(..).next().map(|file| file.path);
    let error = ParseError::new(lines.start, found, expected);
    Parsed {
        problems: vec![error.into_problem(input, lines.clone(), "shell", claim)],
        ..Parsed::default()
    }
}

/// Reads a text of a message in which no edit was found: a form that is refused by name, or code fences whose files are guessed.
pub(super) fn form(input: &Input, lines: &Range<LineIdx>, text: &str) -> Parsed {
    let inner = Input::new(text, input.path(), ReadReason::InTurn);
    let mut parsed = match unsupported::named(&inner) {
        Some(problem) => Parsed {
            problems: vec![problem],
            ..Parsed::default()
        },
        None => guessed_fence::alone(&inner),
    };
    move_spans(&mut parsed, input.span(lines.clone()));
    parsed
}

/// Adds what another part of the input asks for.
pub(super) fn append(all: &mut Parsed, part: Parsed) {
    all.proposal.files.extend(part.proposal.files);
    all.problems.extend(part.problems);
}

/// Moves everything that was read in the text of a call or a message to the lines of the value that holds the text.
pub(super) fn move_spans(parsed: &mut Parsed, span: InputSpan) {
    for file in &mut parsed.proposal.files {
        file.span = span;
        for hunk in &mut file.hunks {
            hunk.span = span;
            hunk.guess = hunk.guess.take().map(|guess| guess.at(span.first));
        }
    }
    for problem in &mut parsed.problems {
        problem.found = format!(
            "{} on line {} of the call's text",
            problem.found, problem.line
        );
        (problem.line, problem.span) = (span.first, span);
    }
}
