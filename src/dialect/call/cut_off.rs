//! Calls that the input does not end: JSON without its last brackets, and tags without their closing ones; calls that are not read, behind
//! other text.

use serde::de::IgnoredAny;

use super::{calls_in_tags, markup, markup_action};
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::Problem;
use crate::text::LineIdx;

/// The most bytes of a line before its JSON.
const LONGEST: usize = 400;

/// Describes the call that begins at a line and has no end, or an action that is not read, beside edits that were read, and what is
/// expected in its place.
pub(in crate::dialect) fn beside(input: &Input, at: LineIdx) -> Option<(String, &'static str)> {
    let line = input.line(at)?.trim_start();
    let is_json = || {
        line.starts_with(['{', '['])
            .then(|| json(input, at))
            .flatten()
    };
    let cut = markup::unclosed(input, at)
        .or_else(is_json)
        .or_else(|| last_tag(input, at));
    let cut = cut.map(|found| (found, "the whole edit"));
    cut.or_else(|| not_read(input, at))
}

/// Describes the call or the action at a line that is whole and not read.
fn not_read(input: &Input, at: LineIdx) -> Option<(String, &'static str)> {
    let call = calls_in_tags::behind_text(input, at);
    call.map(|found| (found, "the call on a line of its own"))
        .or_else(|| Some((markup_action::unread(input, at)?, ACTION_EXPECTED)))
}

const ACTION_EXPECTED: &str = "edits of files alone: actions are not carried out";

/// Returns the problem of an input in which nothing was read, if it is one that was cut off or has an action that is not read.
pub(in crate::dialect) fn alone(input: &Input, dialect: &'static str) -> Option<Problem> {
    let found = |at| {
        markup::unclosed(input, at)
            .or_else(|| markup::open_element(input, at))
            .or_else(|| json(input, at))
            .or_else(|| last_tag(input, at))
    };
    let (at, found, expected) = (0..input.len()).find_map(|at| {
        let cut = found(at).map(|found| (found, "the whole edit"));
        let (found, expected) = cut.or_else(|| not_read(input, at))?;
        Some((at, found, expected))
    })?;
    let error = ParseError::new(at, found, expected);
    Some(error.into_problem(input, at..input.len(), dialect, None))
}

/// Describes the JSON value that begins on a line and has no end.
fn json(input: &Input, at: LineIdx) -> Option<String> {
    let line = input.line(at)?;
    let may_begin = |start: &usize| {
        let inner = line[*start..].trim_start_matches(['[', '{']).trim_start();
        inner.is_empty() || inner.starts_with('"')
    };
    let mut starts = line.match_indices(['{', '[']).map(|(start, _)| start);
    let start = (starts.by_ref())
        .take_while(|start| *start < LONGEST)
        .find(may_begin)?;
    let text = &input.tail(at)[start..];
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let error = values.next()?.err().filter(serde_json::Error::is_eof)?;
    let last = at + error.line().saturating_sub(1);
    let number = input.number(last.min(input.len().saturating_sub(1)));
    Some(format!("JSON that is cut off at line {number}"))
}

/// Describes a tag in the last line that is cut off itself.
fn last_tag(input: &Input, at: LineIdx) -> Option<String> {
    let line = input.line(at)?.trim();
    let (before, tag) = line.rsplit_once('>').unwrap_or(("<", line));
    let is_tag = (tag.strip_prefix('<')).is_some_and(|rest| {
        rest.trim_start_matches('/')
            .starts_with(char::is_alphabetic)
    });
    (is_tag && before.starts_with('<') && input.skip_blank(at + 1) == input.len())
        .then(|| "a tag that is cut off".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    #[test]
    fn what_is_cut_off_is_named() {
        let check = |text: &str, expected: &str| {
            let parsed = parse(text, &Options::default());
            let found: Vec<String> = (parsed.problems.iter())
                .map(|problem| format!("{}: {}", problem.line, problem.found))
                .collect();
            assert_eq!(found.join("\n"), expected, "{text}");
        };
        let edit =
            r#"{"type": "tool_use", "name": "Write", "input": {"file_path": "a", "content": "x"}}"#;
        check(edit, "");
        check(
            &format!("{edit}\n{{\"type\": \"tool_u"),
            "2: JSON that is cut off at line 2",
        );
        check("{\n  \"name\": \"E", "1: JSON that is cut off at line 2");
        check(
            "<|channel|>commentary to=functions.x <|message|>{\"a\": [",
            "1: JSON that is cut off at line 1",
        );
        check("See {this} and [that](x).", "");
        check("Sure.\n\n<lov-wri", "3: a tag that is cut off");
        let lovable = "<lov-write file_path=\"a\">\nx\n</lov-write>\n";
        check(lovable, "");
        check(
            &format!("{lovable}<lov-delete file_p"),
            "4: a tag that is cut off",
        );
        let function =
            "<function=write_file>\n<parameter=file_path>a</parameter>\n<parameter=content>\nx\n";
        check(
            &format!("{lovable}{function}</parameter>\n</function>\n"),
            "",
        );
        for end in [22, 57, 77, function.len()] {
            check(
                &format!("{lovable}{}", &function[..end]),
                "4: a call of `write_file` without `</function>`",
            );
        }
        let invoke = "<invoke name=\"Edit\"><parameter name=\"file_path\">a</parameter><parameter name=\"old_string\">b</parameter><parameter name=\"new_string\">c</parameter></invoke>";
        let behind = "a call of `Edit` behind other text";
        check(&format!("So: {invoke}\n"), &format!("1: {behind}"));
        check(
            &format!("{edit}\n<think>x</think>{invoke}\n"),
            &format!("2: {behind}"),
        );
        check(&format!("So: <tool_call>\n{edit}\n</tool_call>\n"), "");
        check("So: <b>a</b> <invoke name=\"Edit\">.\n", "");
        let invoke = "<invoke name=\"Edit\">\n<parameter name=\"file_path\">a</parameter>\n<parameter name=\"old_string\">b</parameter>\n<parameter name=\"new_string\">c";
        check(
            &format!("{invoke}</parameter>\n{invoke}</parameter>\n</invoke>\n"),
            "1: a call of `Edit` that is cut off, or has a field twice",
        );
        check(
            &format!("{invoke}\n{invoke}</parameter>\n</invoke>\n"),
            "1: a call of `Edit` that is cut off, or has a field twice",
        );
    }
}
