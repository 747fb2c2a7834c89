//! Logs of sessions: which calls of a transcript are edits, in which turn, and the sentence that announced each.
//!
//! Calls that failed, that the person rejected, or that were taken back with their messages are left out. Claude Code,
//! Codex, Gemini CLI, opencode, `OpenHands` and SWE-agent write such logs; the form of their results is that of
//! [`call_result`](super::call_result).

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::call_outcome::CallOutcome;
use super::call_result::CallResult;
use super::json_event::{JsonCall, JsonEvent};
use super::tool_report::ToolReport;
use crate::dialect::input::Turns;
use crate::dialect::tool::edit_request::{CallEdit, EditRequest};
use crate::text::LineIdx;

/// The most characters of an announcement.
const MOST_CHARS: usize = 200;

/// A transcript without the calls that are no edits.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Transcript<'v> {
    /// The calls that were carried out, or whose result is not known.
    pub(in crate::dialect) calls: Vec<CallStep<'v>>,
    /// The calls that failed or were rejected.
    pub(in crate::dialect) left_out: Vec<CallStep<'v>>,
    /// The agent's texts.
    pub(in crate::dialect) said: Vec<SaidText<'v>>,
    /// True if any turn has a call of an editing tool.
    pub(in crate::dialect) has_calls: bool,
    /// True if a person's prompt is in it.
    pub(in crate::dialect) has_prompts: bool,
}

/// A call in its place.
#[derive(Debug, Clone)]
pub(in crate::dialect) struct CallStep<'v> {
    /// The lines of the value that holds it.
    pub(in crate::dialect) lines: Range<LineIdx>,
    pub(in crate::dialect) call: JsonCall<'v>,
    /// The line of the agent's text that precedes it.
    pub(in crate::dialect) announcement: Option<Arc<str>>,
    /// The field with which its message states that it was cut off at this call.
    pub(in crate::dialect) cut: Option<String>,
    /// The text of its result, where that does not state that it was carried out.
    pub(in crate::dialect) doubt: Option<Arc<str>>,
    /// The number of the response, and that of the answer in it, where a response has several.
    pub(in crate::dialect) answer: Option<(usize, usize)>,
    /// Its number among all calls and texts.
    pub(in crate::dialect) order: usize,
    turn: usize,
    has_result: bool,
}

/// A text of the agent.
#[derive(Debug, Clone)]
pub(in crate::dialect) struct SaidText<'v> {
    /// The lines of the value that holds it.
    pub(in crate::dialect) lines: Range<LineIdx>,
    pub(in crate::dialect) text: &'v str,
    /// The field with which its message states that it was cut off in this text.
    pub(in crate::dialect) cut: Option<String>,
    /// The number of the response, and that of the answer in it, where a response has several.
    pub(in crate::dialect) answer: Option<(usize, usize)>,
    /// The reports of the next message about the calls in it.
    pub(in crate::dialect) reports: Vec<ToolReport>,
    /// Its number among all calls and texts.
    pub(in crate::dialect) order: usize,
    turn: usize,
}

impl CallStep<'_> {
    /// Returns `true` if the log does not show that a client carried out the call, or tried to.
    pub(in crate::dialect) fn is_open(&self) -> bool {
        !self.has_result && self.call.outcome.is_none()
    }

    /// Takes the result of the call. One that states a failure stays.
    fn take_result(&mut self, result: &CallResult) {
        self.has_result = true;
        let is_final = match self.call.outcome {
            Some(CallOutcome::Failed) => true,
            // Another notice about a call that was carried out.
            Some(CallOutcome::Done) => result.outcome == CallOutcome::Unclear,
            Some(CallOutcome::Unclear | CallOutcome::Doubtful | CallOutcome::Exit) | None => false,
        };
        if !is_final {
            self.call.outcome = Some(result.outcome);
            self.doubt = Some(quotable(&result.text));
        }
    }
}

/// The latest part of a message.
#[derive(Debug, Clone, Copy)]
enum LastPart {
    Call(usize),
    Text(usize),
}

/// Sorts the events of a transcript, each with the lines of its value.
pub(in crate::dialect) fn sorted<'v>(
    events: impl IntoIterator<Item = (Range<LineIdx>, JsonEvent<'v>)>,
    turns: Turns,
) -> Transcript<'v> {
    let mut log = EventLog::default();
    for (lines, event) in events {
        log.take(lines, event);
    }
    log.finish(turns)
}

/// The events so far.
#[derive(Debug, Default)]
struct EventLog<'v> {
    steps: Vec<CallStep<'v>>,
    /// The positions of the calls of each name.
    named: FxHashMap<String, Vec<usize>>,
    /// Results that precede their calls: a message may hold both.
    early: FxHashMap<String, CallResult>,
    /// The positions of the calls without a name and a result, by their tools.
    unnamed: FxHashMap<&'v str, VecDeque<usize>>,
    said: Vec<SaidText<'v>>,
    /// The number of texts above the last reports.
    reported: usize,
    /// The part with which the message ends, as far as it is known.
    last: Option<LastPart>,
    /// The number of responses with several answers.
    responses: usize,
    answer: Option<usize>,
    /// The number of calls and texts so far, with those that were taken back.
    order: usize,
    /// Messages, with the numbers of steps and texts before them.
    messages: Vec<(&'v str, usize, usize)>,
    /// The numbers of steps and texts before the prompts that Codex counts.
    user_messages: Vec<(usize, usize)>,
    turn: usize,
    /// True if the agent did anything in this turn.
    is_active: bool,
    has_prompts: bool,
    announcement: Option<Arc<str>>,
}

impl<'v> EventLog<'v> {
    fn take(&mut self, lines: Range<LineIdx>, event: JsonEvent<'v>) {
        if !matches!(event, JsonEvent::Cut(_) | JsonEvent::Message(_)) {
            self.last = None;
        }
        match event {
            JsonEvent::Answer(number) => {
                self.responses += usize::from(number == Some(0));
                self.answer = number;
            }
            JsonEvent::Cut(stated) => match self.last.take() {
                Some(LastPart::Call(at)) => self.steps[at].cut = Some(stated),
                Some(LastPart::Text(at)) => self.said[at].cut = Some(stated),
                None => (),
            },
            JsonEvent::Message(id) => self.messages.push((id, self.steps.len(), self.said.len())),
            JsonEvent::Prompt => {
                self.turn += usize::from(self.is_active);
                (self.is_active, self.has_prompts) = (false, true);
                self.announcement = None;
            }
            JsonEvent::Said(text) => {
                self.is_active = true;
                self.announcement = last_line(text).or(self.announcement.take());
                // The last text is reported once more as the result.
                if self.said.last().is_none_or(|last| last.text != text) {
                    let order = self.next_order();
                    self.said.push(SaidText {
                        lines,
                        text,
                        cut: None,
                        answer: self.answer.map(|number| (self.responses, number)),
                        reports: Vec::new(),
                        order,
                        turn: self.turn,
                    });
                }
                self.last = Some(LastPart::Text(self.said.len() - 1));
            }
            JsonEvent::Call(call) => self.call(lines, call),
            JsonEvent::Result(result) => {
                self.is_active = true;
                // A provider may number the calls of each turn from the start; without names, the results come in the order of the calls.
                let at = if result.ids.is_empty() {
                    let tool = result.tool.as_deref();
                    tool.and_then(|tool| self.unnamed.get_mut(tool)?.pop_front())
                } else {
                    let of_name = |id: &String| self.named.get(id)?.last().copied();
                    result.ids.iter().filter_map(of_name).max()
                };
                if let Some(step) = at.and_then(|at| self.steps.get_mut(at)) {
                    step.take_result(&result);
                } else {
                    let ids = result.ids.iter().cloned();
                    self.early.extend(ids.map(|id| (id, result.clone())));
                }
            }
            JsonEvent::Reports(reports) => self.report(reports),
            JsonEvent::Interrupted(text) => {
                let steps = self.steps.iter_mut().rev();
                let steps = steps.take_while(|step| step.turn == self.turn && !step.has_result);
                for step in steps.filter(|step| step.call.outcome.is_none()) {
                    step.call.outcome = Some(CallOutcome::Unclear);
                    step.doubt = Some(quotable(text));
                }
            }
            JsonEvent::Rewind(id) => {
                let at = self
                    .messages
                    .iter()
                    .position(|(known, ..)| Some(*known) == id);
                let (steps, said) =
                    at.map_or((0, 0), |at| (self.messages[at].1, self.messages[at].2));
                self.messages.truncate(at.unwrap_or_default());
                self.take_back(steps, said);
            }
            JsonEvent::UserMessage => {
                let before = (self.steps.len(), self.said.len());
                self.user_messages.push(before);
            }
            JsonEvent::RollBack(count) => self.roll_back(lines, count),
        }
    }

    /// Counts a call or a text.
    fn next_order(&mut self) -> usize {
        self.order += 1;
        self.order
    }

    /// Gives reports to the last texts that have calls of their tools.
    fn report(&mut self, reports: Vec<ToolReport>) {
        self.is_active = true;
        let from = self.reported.min(self.said.len());
        for report in reports {
            let tag = format!("<{}>", report.tool);
            let mut texts = self.said[from..].iter_mut().rev();
            if let Some(said) = texts.find(|said| said.text.contains(&tag)) {
                said.reports.push(report);
            }
        }
        self.reported = self.said.len();
    }

    /// Takes back the last prompts and the work for them. A log without prompts does not show what that is.
    fn roll_back(&mut self, lines: Range<LineIdx>, count: usize) {
        let first = self.user_messages.len().saturating_sub(count);
        if let Some((steps, said)) = self.user_messages.get(first).copied() {
            self.user_messages.truncate(first);
            self.take_back(steps, said);
        } else if count > 0 && !self.steps.is_empty() {
            let edit = CallEdit::Other {
                found: "turns that were rolled back, in a log without the prompts of the turns"
                    .to_owned(),
                expected: "the whole rollout of the session".into(),
            };
            let call = JsonCall {
                id: None,
                tool: None,
                requests: vec![EditRequest { path: None, edit }],
                outcome: None,
            };
            self.call(lines, call);
        }
    }

    /// Forgets all calls and texts but the first ones.
    fn take_back(&mut self, steps: usize, said: usize) {
        self.steps.truncate(steps);
        for positions in self.named.values_mut() {
            positions.retain(|at| *at < steps);
        }
        for positions in self.unnamed.values_mut() {
            positions.retain(|at| *at < steps);
        }
        self.said.truncate(said);
    }

    /// Takes a call, or another state of one: clients send a call again while it runs.
    fn call(&mut self, lines: Range<LineIdx>, call: JsonCall<'v>) {
        self.is_active = true;
        let of_name = call.id.as_ref().and_then(|id| self.named.get(id));
        let same = of_name.into_iter().flatten().rev().copied().find(|at| {
            let step = &self.steps[*at];
            let is_other = step.lines == lines || step.has_result;
            // Some servers give several calls one name: those for other files are no states of this one.
            let is_state = || !is_other && are_for_same_files(&step.call, &call);
            step.call.requests == call.requests || is_state()
        });
        if let Some(at) = same {
            self.steps[at].call = call;
            self.last = Some(LastPart::Call(at));
            return;
        }
        let at = self.steps.len();
        self.last = Some(LastPart::Call(at));
        match (&call.id, call.tool) {
            (Some(id), _) => self.named.entry(id.clone()).or_default().push(at),
            (None, Some(tool)) => self.unnamed.entry(tool).or_default().push_back(at),
            (None, None) => (),
        }
        let early = call.id.as_ref().and_then(|id| self.early.remove(id));
        let mut step = CallStep {
            lines,
            call,
            announcement: self.announcement.clone(),
            cut: None,
            doubt: None,
            answer: self.answer.map(|number| (self.responses, number)),
            order: self.next_order(),
            turn: self.turn,
            has_result: false,
        };
        if let Some(result) = early {
            step.take_result(&result);
        }
        self.steps.push(step);
    }

    fn finish(self, turns: Turns) -> Transcript<'v> {
        let last = self.turn.saturating_sub(usize::from(!self.is_active));
        let is_asked = |turn: usize| turns == Turns::All || turn == last;
        let is_shell = |step: &CallStep| {
            let mut requests = step.call.requests.iter();
            requests.all(|request| is_command(&request.edit))
        };
        let has_calls = !self.steps.iter().all(is_shell);
        let steps = self.steps.into_iter().filter(|step| is_asked(step.turn));
        let steps = steps.map(|mut step| {
            // What was carried out, or is complete itself, is as it was asked for.
            let is_whole = step.has_result || step.call.outcome == Some(CallOutcome::Done);
            step.cut.take_if(|_| is_whole);
            step.doubt.take_if(|_| !is_doubtful(&step.call));
            step
        });
        let (left_out, calls) = steps.partition(|step| is_left_out(&step.call));
        let said = self.said.into_iter().filter(|said| is_asked(said.turn));
        Transcript {
            calls,
            left_out,
            said: said.collect(),
            has_calls,
            has_prompts: self.has_prompts,
        }
    }
}

/// Returns `true` for two calls that edit the same files in the same order. A patch names its files itself.
fn are_for_same_files(left: &JsonCall, right: &JsonCall) -> bool {
    let files = |call: &JsonCall| -> Option<Vec<String>> {
        let paths = call.requests.iter().map(|request| request.path.as_deref());
        paths.map(|path| path.map(str::to_owned)).collect()
    };
    files(left).is_some_and(|left| Some(left) == files(right))
}

/// Returns `true` for a call that was not carried out.
fn is_left_out(call: &JsonCall) -> bool {
    match call.outcome {
        Some(CallOutcome::Failed) => true,
        Some(CallOutcome::Done | CallOutcome::Unclear) | None => false,
        // A command that failed may have written its files before; one that only applies a patch has not.
        Some(CallOutcome::Exit) => !call
            .requests
            .iter()
            .all(|request| is_more_than_a_patch(&request.edit)),
        // The result of another tool begins with the text of the file, which may have these words.
        Some(CallOutcome::Doubtful) => {
            call.tool.is_some_and(|tool| tool.ends_with("apply_patch"))
                && call
                    .requests
                    .iter()
                    .any(|request| matches!(request.edit, CallEdit::Edits { .. }))
        }
    }
}

/// Returns `true` for a call whose result does not tell that it was carried out. The output of a command may be any text.
fn is_doubtful(call: &JsonCall) -> bool {
    let is_shell = |request: &EditRequest| is_command(&request.edit);
    match call.outcome {
        Some(CallOutcome::Unclear | CallOutcome::Doubtful) => !call.requests.iter().all(is_shell),
        Some(CallOutcome::Done | CallOutcome::Exit | CallOutcome::Failed) | None => false,
    }
}

/// The first line of a text that is not blank, cut to a length that fits into a message.
fn quotable(text: &str) -> Arc<str> {
    let mut lines = text.lines().map(str::trim);
    short(lines.find(|line| !line.is_empty()).unwrap_or_default())
}

/// Returns `true` for a command of a shell, or the input of one.
fn is_command(edit: &CallEdit) -> bool {
    matches!(edit, CallEdit::Shell { .. } | CallEdit::ShellInput { .. })
}

fn is_more_than_a_patch(edit: &CallEdit) -> bool {
    matches!(edit, CallEdit::Shell { text, .. } if !is_patch_alone(text))
}

/// Returns `true` for a command that does nothing but apply a patch.
fn is_patch_alone(command: &str) -> bool {
    let after = command.rsplit_once("*** End Patch").map(|(_, after)| after);
    after.is_some_and(|after| after.split_whitespace().count() <= 1)
}

/// The last line of a text that is not blank, cut to a length that fits above an edit.
fn last_line(text: &str) -> Option<Arc<str>> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    Some(short(line))
}

fn short(line: &str) -> Arc<str> {
    match line.char_indices().nth(MOST_CHARS) {
        Some((cut, _)) => format!("{}…", line[..cut].trim_end()).into(),
        None => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::dialect::message::json_call;
    use crate::dialect::message::unknown_messages::add_unknown;

    /// The paths of the calls that are kept, each with its announcement, and the number of those left out.
    fn shown(lines: &[&str], turns: Turns) -> String {
        let values: Vec<Value> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let events = values.iter().enumerate().flat_map(|(at, value)| {
            let events = json_call::find(value).events.into_iter();
            events.map(move |event| (at..at + 1, event))
        });
        let transcript = sorted(events, turns);
        let calls = transcript.calls.iter().map(|step| {
            let path = step.call.requests[0].path.as_deref().unwrap_or("-");
            let said = step.announcement.as_deref().unwrap_or("-");
            format!("{path}: {said}")
        });
        let calls: Vec<String> = calls.collect();
        format!("{} | {}", calls.join("; "), transcript.left_out.len())
    }

    #[track_caller]
    fn check(lines: &[&str], expected: &str) {
        assert_eq!(shown(lines, Turns::All), expected);
    }

    fn edit(path: &str, id: &str) -> String {
        format!(
            r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"text","text":"First.\nI change {path}:"}},{{"type":"tool_use","id":"{id}","name":"Edit","input":{{"file_path":"{path}","old_string":"a","new_string":"b"}}}}]}}}}"#
        )
    }

    fn result(id: &str, failed: bool) -> String {
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{failed},"content":"x"}}]}}}}"#
        )
    }

    #[test]
    fn failed_calls_are_no_edits() {
        check(
            &[
                &edit("a", "1"),
                &result("1", false),
                &edit("b", "2"),
                &result("2", true),
            ],
            "a: I change a: | 1",
        );
        // The same call again, before and after its result.
        check(
            &[&edit("a", "1"), &edit("a", "1"), &result("1", true)],
            " | 1",
        );
        check(
            &[&edit("a", "1"), &result("1", true), &edit("b", "1")],
            "b: I change b: | 1",
        );
        // One name for two calls.
        check(
            &[&edit("a", "1"), &edit("b", "1")],
            "a: I change a:; b: I change b: | 0",
        );
    }

    #[test]
    fn the_last_turn_is_the_last_one_with_work_in_it() {
        let prompt = r#"{"type":"user","message":{"role":"user","content":"and now b"}}"#;
        let (a, b) = (edit("a", "1"), edit("b", "2"));
        let lines = [a.as_str(), prompt, prompt, &b, &result("2", false), prompt];
        assert_eq!(shown(&lines, Turns::Last), "b: I change b: | 0");
        assert_eq!(shown(&lines[..2], Turns::Last), "a: I change a: | 0");
        assert_eq!(
            shown(&lines, Turns::All),
            "a: I change a:; b: I change b: | 0"
        );
    }

    #[test]
    fn results_of_gemini_come_in_the_order_of_the_calls() {
        let call = |path: &str| {
            format!(
                r#"{{"role":"model","parts":[{{"text":"So:"}},{{"functionCall":{{"name":"replace","args":{{"file_path":"{path}","old_string":"a","new_string":"b"}}}}}}]}}"#
            )
        };
        let result = |answer: &str| {
            format!(
                r#"{{"role":"user","parts":[{{"functionResponse":{{"name":"replace","response":{{{answer}}}}}}}]}}"#
            )
        };
        let (ok, no) = (result(r#""output":"ok""#), result(r#""error":"no""#));
        check(&[&call("a"), &call("b"), &no, &ok], "b: So: | 1");
    }

    #[test]
    fn rewound_messages_are_taken_back() {
        let message = |id: &str, path: &str| {
            format!(
                r#"{{"id":"{id}","type":"gemini","content":"So:","toolCalls":[{{"id":"c{id}","name":"replace","status":"success","args":{{"file_path":"{path}","old_string":"a","new_string":"b"}}}}]}}"#
            )
        };
        let rewind = r#"{"$rewindTo":"2"}"#;
        check(
            &[
                &message("1", "a"),
                &message("2", "b"),
                rewind,
                &message("3", "c"),
            ],
            "a: So:; c: So: | 0",
        );
        let cancelled = message("1", "a").replace("success", "cancelled");
        check(&[&message("1", "a"), &cancelled], " | 1");
    }

    #[test]
    fn turns_that_codex_rolled_back_are_taken_back() {
        let prompt = r#"{"type":"event_msg","payload":{"type":"user_message","message":"a"}}"#;
        let item = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}"#;
        let back = |count: usize| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"thread_rolled_back","num_turns":{count}}}}}"#
            )
        };
        let call = |id: &str| {
            format!(
                r#"{{"type":"response_item","payload":{{"type":"function_call","call_id":"{id}","name":"Edit","arguments":{{"file_path":"{id}","old_string":"a","new_string":"b"}}}}}}"#
            )
        };
        let (a, b, c) = (call("a"), call("b"), call("c"));
        let turns = [item, prompt, &a, item, prompt, &b];
        let with = |rest: &[&str]| shown(&[&turns[..], rest].concat(), Turns::All);
        assert_eq!(with(&[&back(1), item, prompt, &c]), "a: -; c: - | 0");
        assert_eq!(with(&[&back(2), prompt, &c]), "c: - | 0");
        assert_eq!(with(&[&back(9), prompt, &c]), "c: - | 0");
        // A prompt without work counts.
        assert_eq!(with(&[prompt, &back(2), &c]), "a: -; c: - | 0");
        assert_eq!(with(&[&back(1), &back(1), &c]), "c: - | 0");
        assert_eq!(with(&[&back(0)]), "a: -; b: - | 0");
        // Without prompts nothing shows what was taken back.
        check(&[&a, &back(1)], "a: -; -: - | 0");
    }

    #[test]
    fn a_patch_reports_its_success() {
        let call = r#"{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}}"#;
        let result = |output: &str| {
            format!(
                r#"{{"type":"response_item","payload":{{"type":"custom_tool_call_output","call_id":"c","output":"{output}"}}}}"#
            )
        };
        check(&[call, &result("Exit code: 0")], "-: - | 0");
        check(
            &[call, &result("Success. Updated the following files:")],
            "-: - | 0",
        );
        check(&[call, &result("ok")], "-: - | 0");
        check(&[call, &result("patch rejected by user")], " | 1");
        check(&[call, &result("Exit code: 1")], " | 1");
        check(&[call], "-: - | 0");
    }

    #[test]
    fn a_command_that_failed_may_have_written() {
        assert!(is_patch_alone(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF\n"
        ));
        assert!(!is_patch_alone(
            "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF\nmake test\n"
        ));
        assert!(!is_patch_alone("make"));
    }

    #[test]
    fn a_call_whose_result_does_not_state_success_is_doubtful() {
        let check = |text: &str, expected: Option<&str>| {
            let call: Value = serde_json::from_str(&edit("a", "1")).unwrap();
            let result = serde_json::json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": text}]});
            let values = [call, result];
            let events = values.iter().enumerate().flat_map(|(at, value)| {
                let events = json_call::find(value).events.into_iter();
                events.map(move |event| (at..at + 1, event))
            });
            let transcript = sorted(events, Turns::All);
            let doubt = transcript.calls.first().and_then(|step| step.doubt.clone());
            assert_eq!(doubt.as_deref(), expected, "{text}");
        };
        check("The file a has been updated.", None);
        check("", None);
        check("Abgelehnt.\nx", Some("Abgelehnt."));
        check(
            "The user denied this operation.",
            Some("The user denied this operation."),
        );
    }

    #[test]
    fn results_belong_to_calls_of_unknown_messages() {
        let call = |id: &str, path: &str| {
            format!(
                r#"{{"id":"{id}","name":"Edit","input":{{"file_path":"{path}","old_string":"a","new_string":"b"}}}}"#
            )
        };
        let check = |lines: &[String], expected: &str| {
            let value = |line: &String| (0..1, serde_json::from_str(line).unwrap());
            let mut values: Vec<(Range<LineIdx>, Value)> = lines.iter().map(value).collect();
            add_unknown(&mut values);
            let events = values.iter().flat_map(|(lines, value)| {
                let events = json_call::find(value).events.into_iter();
                events.map(|event| (lines.clone(), event))
            });
            let transcript = sorted(events, Turns::All);
            let paths = transcript
                .calls
                .iter()
                .map(|step| step.call.requests[0].path.as_deref());
            let paths: Vec<&str> = paths.flatten().collect();
            assert_eq!(paths.join(" "), expected, "{lines:?}");
        };
        let calls = format!(
            r#"{{"x":{{"invocations":[{},{}]}}}}"#,
            call("1", "a"),
            call("2", "b")
        );
        let failed = r#"{"type":"tool_result","tool_use_id":"1","is_error":true}"#;
        check(&[calls.clone(), failed.to_owned()], "b");
        check(&[format!("[{calls},{failed}]")], "b");
        check(
            &[format!(r#"{{"y":[{calls}],"tool_results":[{failed}]}}"#)],
            "b",
        );
        // The numbers of the calls begin anew.
        let (first, second) = (call("1", "a"), call("1", "c"));
        let lists = [
            format!(r#"{{"x":{{"y":[{first}]}}}}"#),
            failed.to_owned(),
            format!(r#"{{"x":{{"y":[{second}]}}}}"#),
        ];
        check(&lists, "c");
        check(&[format!("[{}]", lists.join(","))], "c");
    }
}
