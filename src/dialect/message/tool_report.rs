//! Results that Cline and Roo Code write as text below the calls of a conversation: `[write_to_file for 'PATH'] Result:` with the
//! text of the result on the lines below. The next message of the user has them, in the JSON of a task and in its Markdown export.
//!
//! `cline/cline src/core/task`, `RooCodeInc/Roo-Code src/core/assistant-message/presentAssistantMessage.ts` and
//! `src/core/prompts/responses.ts`. Newer versions have results of the model's API instead, which
//! [`call_result`](super::call_result) reads.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::call_outcome::CallOutcome;
use super::result_text;

/// The result of a call, as a client reports it in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialect) struct ToolReport {
    pub(in crate::dialect) tool: String,
    /// The file that the call names first.
    pub(in crate::dialect) path: Option<String>,
    pub(in crate::dialect) verdict: ReportVerdict,
    /// The first line of the result.
    pub(in crate::dialect) text: Arc<str>,
    /// The number of lines of the result below the first line of the report.
    pub(in crate::dialect) length: usize,
}

/// Statement of a report about its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) enum ReportVerdict {
    Done,
    /// The call failed, was rejected or was not carried out.
    Failed,
    /// The text states neither, or both for several parts of the call.
    Unclear,
    /// The person allowed the call, with a remark; another report tells what became of it.
    Allowed,
}

/// First line of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dialect) struct ReportHead<'a> {
    tool: &'a str,
    path: Option<&'a str>,
    /// True if the call is for several files.
    has_more: bool,
    /// The text of the result on the line itself.
    rest: &'a str,
    /// True if the line states that the call was not carried out.
    is_skipped: bool,
}

/// Beginnings of the results of calls that were not carried out, in lower case.
const FAILURES: [&str; 4] = [
    "the tool execution failed",
    "missing value for required parameter",
    "unable to apply diff",
    "access blocked by",
];
/// Beginning of the remark with which a person allows a call.
const ALLOWED: &str = "The user approved this operation";
/// Words of a result that only a part of the call was carried out, in lower case.
const IN_PART: [&str; 2] = ["unable to apply", "partial error"];
/// Beginnings of lines below the text of a result: the new text of the file, notes of the client, the next message.
const ENDS: [&str; 6] = [
    "<final_file_content",
    "<file_content",
    "<environment_details",
    "---",
    "**User",
    "**Assistant",
];
/// Tools whose result is the next prompt of the person.
const QUESTIONS: [&str; 4] = [
    "attempt_completion",
    "ask_followup_question",
    "plan_mode_respond",
    "plan_mode_response",
];

impl<'a> ReportHead<'a> {
    /// Reads a line as the first one of a report.
    pub(in crate::dialect) fn of(line: &'a str) -> Option<Self> {
        let line = line.trim();
        if let Some(inner) = line.strip_prefix('[') {
            let (call, rest) = inner.split_once("] Result:")?;
            return Self::with(call, rest.trim(), false);
        }
        let inner = line
            .strip_prefix("Tool [")
            .or_else(|| line.strip_prefix("Skipping tool ["))?;
        let (call, rest) = inner.split_once("] ")?;
        let states = ["was not executed", "was interrupted", "due to"];
        let is_skipped = states.iter().any(|state| rest.starts_with(state));
        is_skipped.then(|| Self::with(call, line, true)).flatten()
    }

    /// Reads the description of a call: `TOOL`, `TOOL for 'PATH'` or `TOOL for 'PATH' and N more files`.
    fn with(call: &'a str, rest: &'a str, is_skipped: bool) -> Option<Self> {
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (tool, object) = call.split_at(call.find(|c| !is_of_name(c)).unwrap_or(call.len()));
        let named = object.strip_prefix(" for '");
        let (path, more) = named
            .and_then(|named| named.rsplit_once('\''))
            .map_or((None, ""), |(path, more)| (Some(path), more));
        (!tool.is_empty()).then_some(Self {
            tool,
            path,
            has_more: more.starts_with(" and "),
            rest,
            is_skipped,
        })
    }

    /// Joins it with the lines below.
    pub(in crate::dialect) fn report(&self, below: &[&str]) -> ToolReport {
        let rest = Some(self.rest).filter(|rest| !rest.is_empty());
        let below: Vec<&str> = below
            .iter()
            .copied()
            .take_while(|line| !is_end(line))
            .collect();
        let length = below.len();
        let lines: Vec<&str> = rest.into_iter().chain(below).collect();
        let is_blank = |line: &&str| line.trim().is_empty();
        let text: Vec<&str> = lines.iter().copied().skip_while(is_blank).collect();
        let verdict = if self.is_skipped {
            ReportVerdict::Failed
        } else {
            verdict(&text, self.has_more)
        };
        ToolReport {
            tool: self.tool.to_owned(),
            path: self.path.map(str::to_owned),
            verdict,
            text: text.first().copied().unwrap_or("").trim().into(),
            length,
        }
    }
}

impl ToolReport {
    /// Returns `true` for a report that is the answer of the person to a question, or to the end of the work.
    pub(super) fn is_answer(&self) -> bool {
        QUESTIONS.contains(&self.tool.as_str())
    }
}

/// Returns `true` for a line below the text of a result.
fn is_end(line: &str) -> bool {
    ENDS.iter().any(|end| line.trim_start().starts_with(end)) || ReportHead::of(line).is_some()
}

/// Returns the reports in a message of a user, which may have several texts.
pub(super) fn in_message(fields: &Map<String, Value>) -> Vec<ToolReport> {
    let mut texts = Vec::new();
    add_texts(fields, &mut texts);
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let heads = lines.iter().enumerate();
    let heads = heads.filter_map(|(at, line)| Some((at, ReportHead::of(line)?)));
    heads
        .map(|(at, head)| head.report(&lines[at + 1..]))
        .collect()
}

fn add_texts<'v>(fields: &'v Map<String, Value>, texts: &mut Vec<&'v str>) {
    for name in ["message", "content", "text"] {
        match fields.get(name) {
            Some(Value::String(text)) => texts.push(text),
            Some(Value::Object(inner)) => add_texts(inner, texts),
            Some(Value::Array(values)) => {
                let inner = values.iter().filter_map(Value::as_object);
                inner.for_each(|inner| add_texts(inner, texts));
            }
            _ => (),
        }
    }
}

/// Returns the statement of a result. Its first paragraph tells the outcome, and each one that of a call for several files.
fn verdict(text: &[&str], has_more: bool) -> ReportVerdict {
    let paragraphs = text.split(|line| line.trim().is_empty());
    let mut paragraphs = paragraphs.filter(|lines| !lines.is_empty());
    let Some(first) = paragraphs.next() else {
        return ReportVerdict::Unclear;
    };
    let first = of_paragraph(&first.join("\n"));
    let is_in_part = text.iter().any(|line| {
        let line = line.to_lowercase();
        IN_PART.iter().any(|part| line.contains(part))
    });
    let is_mixed = has_more && paragraphs.any(|lines| of_paragraph(&lines.join("\n")) != first);
    if is_mixed || (is_in_part && first != ReportVerdict::Failed) {
        return ReportVerdict::Unclear;
    }
    first
}

fn of_paragraph(text: &str) -> ReportVerdict {
    let lower = text.to_lowercase();
    if text.starts_with(ALLOWED) || lower.starts_with("{\"status\":\"approved\"") {
        return ReportVerdict::Allowed;
    }
    let is_blocked = || lower.starts_with("access to ") && lower.contains(" is blocked by ");
    if FAILURES.iter().any(|start| lower.starts_with(start))
        || is_blocked()
        || result_text::is_failure(text)
    {
        return ReportVerdict::Failed;
    }
    match result_text::outcome(text) {
        CallOutcome::Done => ReportVerdict::Done,
        CallOutcome::Failed | CallOutcome::Exit => ReportVerdict::Failed,
        CallOutcome::Doubtful | CallOutcome::Unclear => ReportVerdict::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::ReportVerdict::{Allowed, Done, Failed, Unclear};
    use super::*;

    #[test]
    fn the_first_line_of_a_report_names_the_call() {
        let check = |line: &str, expected: Option<(&str, Option<&str>)>| {
            let head = ReportHead::of(line);
            assert_eq!(head.map(|head| (head.tool, head.path)), expected, "{line}");
        };
        let write = Some(("write_to_file", Some("a b.rs")));
        check("[write_to_file for 'a b.rs'] Result:", write);
        check("  [write_to_file for 'a b.rs'] Result: saved", write);
        check("[apply_diff] Result:", Some(("apply_diff", None)));
        check(
            "[apply_diff for 'it's.rs' and 2 more files] Result:",
            Some(("apply_diff", Some("it's.rs"))),
        );
        check(
            "Skipping tool [write_to_file for 'a b.rs'] due to user rejecting a previous tool.",
            write,
        );
        check(
            "Tool [apply_diff] was not executed because a tool has already been used in this message.",
            Some(("apply_diff", None)),
        );
        check("Tool [apply_diff] is the best one", None);
        check("[write_to_file for 'a b.rs']", None);
        check("See [the docs] Result:", None);
        check("[] Result:", None);
    }

    #[test]
    fn the_text_of_a_report_tells_what_became_of_the_call() {
        let check = |text: &str, expected: ReportVerdict| {
            let lines: Vec<&str> = text.lines().collect();
            let head = ReportHead::of("[write_to_file for 'f'] Result:").unwrap();
            assert_eq!(head.report(&lines).verdict, expected, "{text}");
        };
        check("The content was successfully saved to f.", Done);
        check("\nThe content was successfully saved to errors.rs.", Done);
        check(
            "Changes successfully applied to f:\n\n- [ts Error] Line 1: x",
            Done,
        );
        check(
            "Changes successfully applied to f:\n\nBut unable to apply all diff parts to file: f",
            Unclear,
        );
        check(
            "<file_write_result>\n<path>f</path>\n<operation>created</operation>\n</file_write_result>",
            Done,
        );
        check("The user denied this operation.", Failed);
        check(
            "The user denied this operation and provided the following feedback:\n<feedback>\nsaved?\n</feedback>",
            Failed,
        );
        check(
            "The tool execution failed with the following error:\n<error>\nx\n</error>",
            Failed,
        );
        check(
            "Error applying diff to file: f\n\nIt was saved before.",
            Failed,
        );
        check(
            "Access to f is blocked by the .clineignore file settings.",
            Failed,
        );
        check("{\"status\":\"denied\",\"feedback\":\"no\"}", Failed);
        check(
            "The user made the following updates to your content:\n\n@@ -1 +1 @@\n\nThe updated content has been successfully saved.",
            Unclear,
        );
        check("用户拒绝了此操作。", Unclear);
        check("", Unclear);
        check(
            "\n<environment_details>\nsuccessfully saved\n</environment_details>",
            Unclear,
        );
        check(
            "The user approved this operation and provided the following context:\n<feedback>\nno\n</feedback>",
            Allowed,
        );
    }
}
