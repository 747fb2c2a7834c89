//! Edits in the text of a message that has calls as well.
//!
//! A client answers the calls of a message with their results, and shows the text to the person. So where a log has results, the
//! texts in it are no edits. A message without results was carried out by no client: its text is read as a reply of its own. Often
//! it only shows what a call does: the same edit is one edit, and a code fence for a file of a call is an example.

use std::borrow::Cow;
use std::ops::Range;

use super::nested_text::{move_spans, refuse_last};
use super::{cut_off, work_folder};
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::message::transcript::{CallStep, SaidText, Transcript};
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::{left_out, unread};
use crate::proposal::{FileChange, Guess, Hunk, PathClaim};
use crate::text::LineIdx;

/// The dialects of code fences that hold all lines of a file, or some of them.
const FENCED: [&str; 3] = ["whole", "sketch", "suggestion"];

/// Adds the edits in the texts of messages to those of the calls, each with its number among calls and texts. A text with edits keeps
/// only its prose in `said`.
pub(super) fn add(
    input: &Input,
    transcript: &Transcript,
    folders: &[(LineIdx, &str)],
    made: &mut Vec<(usize, Parsed)>,
    said: &mut [Cow<str>],
) {
    let mut calls = transcript.calls.iter().chain(&transcript.left_out);
    if made.iter().all(|(_, made)| made.is_empty()) || !calls.all(CallStep::is_open) {
        return;
    }
    let called = made.iter().flat_map(|(_, made)| &made.proposal.files);
    let called: Vec<FileChange> = called.cloned().collect();
    for (text, said) in transcript.said.iter().zip(said) {
        let mut read = of_text(input, text, &transcript.calls, &called);
        if !read.proposal.files.is_empty() {
            *said = std::mem::take(&mut read.proposal.intent).into();
        }
        let first = folders.first().map(|(_, folder)| *folder);
        let home = work_folder::at(folders, text.lines.start);
        let files = read.proposal.files.iter_mut();
        files.for_each(|file| work_folder::record(file, first, home));
        made.push((text.order, read));
    }
    made.sort_by_key(|(order, _)| *order);
}

/// Reads the edits in a text of a message, beside the edits of its calls.
fn of_text(input: &Input, said: &SaidText, calls: &[CallStep], called: &[FileChange]) -> Parsed {
    let inner = Input::new(said.text, input.path(), ReadReason::InTurn);
    let mut parsed = input.read_inner(inner.clone());
    let found = std::mem::take(&mut parsed.proposal.files);
    let is_new = |file: &FileChange| !is_shown(file, called);
    let is_edited = found.iter().any(|file| is_new(file) && !is_fenced(file));
    parsed.proposal.files.clone_from(&found);
    if is_edited {
        unread::name_unread(&inner, &mut parsed, cut_off::beside);
        left_out::name_changes(&inner, &mut parsed);
    }
    parsed.problems.retain(|problem| {
        let mut named = problem.path.iter();
        !FENCED.contains(&problem.dialect) && !named.any(|path| is_called(path, called))
    });
    parsed.proposal.files.retain(is_new);
    let files = parsed.proposal.files.iter_mut();
    for file in files.filter(|file| is_fenced(file)) {
        let line = file.span.first;
        for hunk in &mut file.hunks {
            hunk.guess = Some(Guess::Edit(line));
        }
    }
    move_spans(&mut parsed, input.span(said.lines.clone()));
    if let Some(stated) = &said.cut {
        refuse_last(&mut parsed, input, &said.lines, stated);
    }
    if is_of_other_answer(said, calls) && !parsed.is_empty() {
        let found = "a response with several answers that hold different edits";
        return refused(input, &said.lines, found, "one of them", None);
    }
    let twice = |file: &mut FileChange| is_called(&file.path, called);
    let twice: Vec<FileChange> = parsed.proposal.files.extract_if(.., twice).collect();
    for file in twice {
        let found = "an edit in the text of a message whose call edits the same file differently";
        let expected = "one of the two, or each in a message of its own";
        let problem = refused(input, &said.lines, found, expected, Some(file.path));
        parsed.problems.extend(problem.problems);
    }
    parsed
}

/// Returns `true` for a text of another answer to a request than the one with the calls.
fn is_of_other_answer(said: &SaidText, calls: &[CallStep]) -> bool {
    let Some((response, _)) = said.answer else {
        return false;
    };
    let is_of_response = |step: &&CallStep| step.answer.is_some_and(|(of, _)| of == response);
    let mut calls = calls.iter().filter(is_of_response).peekable();
    calls.peek().is_some() && calls.all(|step| step.answer != said.answer)
}

fn refused(
    input: &Input,
    lines: &Range<LineIdx>,
    found: &str,
    expected: &str,
    path: Option<PathClaim>,
) -> Parsed {
    let error = ParseError::new(lines.start, found, expected.to_owned());
    Parsed {
        problems: vec![error.into_problem(input, lines.clone(), "tool-call", path)],
        ..Parsed::default()
    }
}

fn is_fenced(file: &FileChange) -> bool {
    FENCED.contains(&file.dialect)
}

/// Returns `true` if the calls make an edit of a text, or if it is a code fence for a file of a call.
fn is_shown(file: &FileChange, called: &[FileChange]) -> bool {
    let same: Vec<&FileChange> = (called.iter())
        .filter(|call| is_same_file(&file.path, &call.path))
        .collect();
    let is_whole = is_fenced(file) && !same.is_empty();
    let has_operation = |call: &&FileChange| call.operation == file.operation;
    let is_shown = match file.hunks.as_slice() {
        [] => same.iter().any(has_operation),
        hunks => hunks.iter().all(|hunk| is_made(hunk, &same)),
    };
    is_whole || is_shown
}

/// Returns `true` if the calls for a file turn the lines before a hunk into those after it, or write a text that has the latter.
fn is_made(hunk: &Hunk, calls: &[&FileChange]) -> bool {
    let sides = halves(hunk);
    let calls = || calls.iter().flat_map(|call| &call.hunks).map(halves);
    let [before, after] = &sides;
    let made = calls().fold(before.clone(), |text, [old, new]| match old.as_str() {
        "" => text,
        old => text.replacen(old, &new, 1),
    });
    (made == *after && made != *before) || calls().any(|call| is_within(&sides, &call))
}

/// Returns `true` if a hunk is a part of another one, or is within the text that the other one writes.
fn is_within([before, after]: &[String; 2], [old, new]: &[String; 2]) -> bool {
    match old.as_str() {
        "" => before.is_empty() && after == new || contains_lines(new, after),
        _ => !before.is_empty() && old.replacen(before, after, 1) == *new && old != new,
    }
}

/// The lines before and after a hunk, as texts.
fn halves(hunk: &Hunk) -> [String; 2] {
    [
        hunk.body.preimage.join("\n"),
        hunk.body.postimage.join("\n"),
    ]
}

fn contains_lines(text: &str, lines: &str) -> bool {
    !lines.is_empty() && format!("\n{text}\n").contains(&format!("\n{lines}\n"))
}

fn is_called(path: &PathClaim, called: &[FileChange]) -> bool {
    called.iter().any(|call| is_same_file(path, &call.path))
}

/// Returns `true` if two names may be of one file: a text often leaves out the first folders.
fn is_same_file(left: &PathClaim, right: &PathClaim) -> bool {
    let is_same = |left: &str, right: &str| ends_with(left, right) || ends_with(right, left);
    left.readings()
        .any(|left| right.readings().any(|right| is_same(left, right)))
}

/// Returns `true` if a name is another one, perhaps with more folders before it.
fn ends_with(long: &str, short: &str) -> bool {
    let rest = long.strip_suffix(short);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// The files of a message with a text and a call that turns `one()` of `src/a.rs` into `two()`; `?` marks a guess, `!` a problem.
    fn files(text: &str, rest: &str) -> String {
        let call = json!({"type": "tool_use", "id": "1", "name": "Edit", "input":
            {"file_path": "/w/src/a.rs", "old_string": "one()", "new_string": "two()"}});
        let content = json!([{"type": "text", "text": text}, call]);
        let message = json!({"role": "assistant", "content": content});
        let parsed = parse(&format!("{message}\n{rest}"), &Options::default());
        let files = parsed.proposal.files.iter().map(|file| {
            let is_guess = file.hunks.iter().any(|hunk| hunk.guess.is_some());
            format!("{}{}", file.path.first(), if is_guess { "?" } else { "" })
        });
        let problems = parsed.problems.iter().map(|problem| {
            let path = problem.path.as_ref().map_or("-", |path| path.first());
            format!("{path}!")
        });
        files.chain(problems).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(files(text, ""), expected, "{text}");
    }

    fn blocks(name: &str, old: &str, new: &str) -> String {
        format!("{name}\n```\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n")
    }

    #[test]
    fn edits_in_the_text_come_before_those_of_the_call() {
        check("I call it.", "/w/src/a.rs");
        check(&blocks("src/b.rs", "x", "y"), "src/b.rs /w/src/a.rs");
        let patch = "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n";
        check(patch, "old.txt /w/src/a.rs");
    }

    #[test]
    fn an_edit_that_the_call_makes_is_one_edit() {
        check(&blocks("src/a.rs", "one()", "two()"), "/w/src/a.rs");
        check(
            &blocks("src/a.rs", "fn f() { one() }", "fn f() { two() }"),
            "/w/src/a.rs",
        );
        let diff = "```diff\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n fn f() {\n-  one()\n+  two()\n```\n";
        check(diff, "/w/src/a.rs");
        // Another edit of the same file.
        check(
            &blocks("src/a.rs", "one()", "three()"),
            "/w/src/a.rs src/a.rs!",
        );
        check(
            &blocks("src/a.rs", "four()", "five()"),
            "/w/src/a.rs src/a.rs!",
        );
        // The same edit of another file.
        check(
            &blocks("src/ba.rs", "one()", "two()"),
            "src/ba.rs /w/src/a.rs",
        );
    }

    #[test]
    fn code_fences_are_examples_or_asked_about() {
        check("src/a.rs\n```rust\nfn f() { two() }\n```\n", "/w/src/a.rs");
        check(
            "src/b.rs\n```rust\nfn f() { two() }\n```\n",
            "src/b.rs? /w/src/a.rs",
        );
    }

    #[test]
    fn texts_of_a_log_with_results_are_no_edits() {
        let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]}"#;
        let text = blocks("src/b.rs", "x", "y");
        assert_eq!(files(&text, ""), "src/b.rs /w/src/a.rs");
        assert_eq!(files(&text, result), "/w/src/a.rs");
    }
}
