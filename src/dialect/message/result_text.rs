//! Outcome of a call as the text of its result tells it: JSON and tags are parsed, words are only hints.
//!
//! No list of words knows every refusal, so a text counts as success only if it states one; any other makes the call a question.

use serde_json::Value;

use super::call_outcome::{CallOutcome, exit_code, stated};

/// Beginnings of the messages with which the `str_replace` editors of Anthropic, SWE-agent and `OpenHands` refuse an edit.
const EDITOR_REFUSALS: [&str; 4] = [
    "No replacement was performed",
    "Invalid `path` parameter",
    "Invalid `insert_line` parameter",
    "File already exists at",
];

/// Beginnings of results of calls that failed or were rejected.
const FAILURES: [&str; 6] = [
    "error",
    "rejected",
    "the user rejected",
    "the user denied",
    "user rejected",
    "user denied",
];

/// Parts of words with which a tool says that it did not do what it was asked to.
const DOUBTS: [&str; 14] = [
    "abort",
    "cancel",
    "cannot",
    "could not",
    "declin",
    "denied",
    "error",
    "exception",
    "fail",
    "interrupt",
    "invalid",
    "refus",
    "reject",
    "unable",
];

/// Words with which a tool says that it did what it was asked to.
const DONE: [&str; 26] = [
    "added",
    "appended",
    "applied",
    "changed",
    "complete",
    "completed",
    "created",
    "deleted",
    "done",
    "edited",
    "executed",
    "finished",
    "inserted",
    "modified",
    "moved",
    "ok",
    "overwritten",
    "patched",
    "removed",
    "renamed",
    "replaced",
    "saved",
    "updated",
    "wrote",
    "written",
    "succeeded",
];

/// The most lines of a text that is a message about a call rather than the text of a file.
const MESSAGE: usize = 3;

/// Returns the outcome that a text states.
pub(super) fn outcome(text: &str) -> CallOutcome {
    let text = text.trim_start();
    let text = text
        .strip_prefix("OBSERVATION:")
        .unwrap_or(text)
        .trim_start();
    if let Some(outcome) = of_json(text) {
        return outcome;
    }
    let Some(text) = within_tags(text) else {
        return CallOutcome::Failed;
    };
    if EDITOR_REFUSALS.iter().any(|start| text.starts_with(start)) {
        return CallOutcome::Failed;
    }
    match exit_code(text) {
        Some(0) => CallOutcome::Done,
        Some(_) => CallOutcome::Exit,
        None if text.is_empty() || text.starts_with("Success") => CallOutcome::Done,
        None if is_doubtful(text) => CallOutcome::Doubtful,
        None if is_done(text) => CallOutcome::Done,
        None => CallOutcome::Unclear,
    }
}

/// Returns `true` for a message of a few lines in which a tool says that it did not do what it was asked to. A longer text may be that
/// of a file.
pub(super) fn is_refusal(text: &str) -> bool {
    let text = text.trim();
    text.lines().count() <= MESSAGE
        && matches!(outcome(text), CallOutcome::Doubtful | CallOutcome::Failed)
}

/// Returns `true` for the text of a result that begins with the statement of a failure. Chat completions have no field for it.
pub(super) fn is_failure(text: &str) -> bool {
    let text = within_tags(text.trim_start()).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default().to_lowercase();
    let rest = FAILURES.iter().find_map(|start| line.strip_prefix(start));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Returns the outcome that a text states which is JSON.
fn of_json(text: &str) -> Option<CallOutcome> {
    if !text.starts_with('{') {
        return None;
    }
    let value: Value = serde_json::from_str(text).ok()?;
    match exit_code(text) {
        Some(0) => Some(CallOutcome::Done),
        Some(_) => Some(CallOutcome::Exit),
        None => stated(value.as_object()?),
    }
}

/// Returns the text behind the tags with which it begins; `None` for a tag that names a failure.
fn within_tags(text: &str) -> Option<&str> {
    let mut text = text;
    while let Some((tag, rest)) = text.strip_prefix('<').and_then(|text| text.split_once('>')) {
        let is_tag = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
        if tag.is_empty() || !tag.chars().all(is_tag) {
            break;
        }
        let name = tag.to_lowercase();
        if !name.starts_with('/') && DOUBTS.iter().any(|doubt| name.contains(doubt)) {
            return None;
        }
        text = rest.trim_start();
    }
    Some(text)
}

/// Returns `true` for a text whose first line has words of a failure, outside of the names of files.
fn is_doubtful(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = line
        .split_whitespace()
        .filter(|word| !is_file(word))
        .collect();
    let line = words.join(" ");
    let is_negated = words
        .iter()
        .any(|word| matches!(*word, "not" | "no" | "never") || word.contains("n't"));
    is_negated || DOUBTS.iter().any(|doubt| line.contains(doubt))
}

/// Returns `true` for a text that states success, or that shows lines of a file or a diff.
fn is_done(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    text.lines().next().is_some_and(shows_lines)
        || words.any(|word| DONE.contains(&word) || word.starts_with("success"))
}

/// Returns `true` for a word that may name a file.
fn is_file(word: &str) -> bool {
    word.trim_end_matches(['.', ',', ':'])
        .contains(['/', '\\', '.'])
}

/// Returns `true` for the first line of a file with line numbers, or of a diff.
fn shows_lines(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["```", "@@", "--- ", "diff ", "[File: ", "Index: "];
    line.starts_with(|c: char| c.is_ascii_digit())
        || starts.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_result_states_an_outcome() {
        let check = |text: &str, expected: CallOutcome| {
            assert_eq!(outcome(text), expected, "{text}");
        };
        check("", CallOutcome::Done);
        check("ok", CallOutcome::Done);
        check(
            "Success. Updated the following files:\nM a",
            CallOutcome::Done,
        );
        check("The file src/error.rs has been updated.", CallOutcome::Done);
        check("1\tfn a() {}", CallOutcome::Done);
        check(
            "<file_write_result>\n<operation>modified</operation>",
            CallOutcome::Done,
        );
        check("Exit code: 0\nfailed", CallOutcome::Done);
        check("Exit code: 1", CallOutcome::Exit);
        check("No replacement was performed", CallOutcome::Failed);
        check("<tool_error>x</tool_error>", CallOutcome::Failed);
        check("<user_cancellation>x", CallOutcome::Failed);
        check(r#"{"status":"denied"}"#, CallOutcome::Failed);
        check(r#"{"error":"x"}"#, CallOutcome::Failed);
        check(r#"{"ok":true,"success":true}"#, CallOutcome::Done);
        check(
            "<system>ERROR: The tool call is rejected by the user.",
            CallOutcome::Doubtful,
        );
        check("The user denied this operation.", CallOutcome::Doubtful);
        check("The file was not updated.", CallOutcome::Doubtful);
        check("Abgelehnt.", CallOutcome::Unclear);
    }

    #[test]
    fn a_long_text_is_no_refusal() {
        assert!(is_refusal("The user has declined to run this tool."));
        assert!(!is_refusal("The file was updated."));
        assert!(!is_refusal("error\n1\n2\n3\n"));
    }
}
