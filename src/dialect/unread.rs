//! Lines beside edits that look like another edit and were not read. Without them the edits may be half of what is asked for.

use crate::dialect::commit_message;
use crate::dialect::dialect_trait::Dialect;
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::dialect::parse_error::ParseError;
use crate::dialect::parsed::Parsed;
use crate::dialect::tool::tool_notation;
use crate::dialect::unsupported::UNSUPPORTED;
use crate::text::LineIdx;

/// Names what looks like an edit and was not read, beside edits that were: calls of known tools in other notations, and code
/// fences of diffs, and what `other` describes.
pub(super) fn name_unread(
    input: &Input,
    parsed: &mut Parsed,
    other: fn(&Input, LineIdx) -> Option<(String, &'static str)>,
) {
    let is_read = read_lines(input, parsed);
    let mut at = 0;
    while let Some(line) = input.line(at) {
        if is_read[at] {
            at += 1;
            continue;
        }
        let fence = Fence::of(line).filter(|fence| matches!(fence.info, "diff" | "patch"));
        let closes = |open: &Fence, at: LineIdx| {
            let fence = input.line(at).and_then(Fence::of);
            fence.is_none_or(|fence| fence.closes(open))
        };
        let (end, error) = if let Some(open) = &fence {
            let is_inside =
                |at: &LineIdx| !closes(open, *at) || input.line(*at).and_then(Fence::of).is_none();
            let inside = (at + 1..input.len()).take_while(|at| is_inside(at)).count();
            let end = (at + 1 + inside).min(input.len());
            let is_changed = input
                .lines(at + 1..end)
                .iter()
                .any(|line| line.starts_with(['+', '-']));
            let found = "a code fence with lines of a diff, which name no place in a file";
            let expected = "'--- ' and '+++ ' lines with the file and '@@' above them";
            (
                end,
                if is_changed {
                    Some(ParseError::new(at, found, expected))
                } else if input.skip_blank(at + 1) >= input.len() {
                    Some(ParseError::end(input, "the lines of the code fence"))
                } else {
                    None
                },
            )
        } else {
            let next = input.line(input.skip_blank(at + 1)).unwrap_or_default();
            let notation = tool_notation::other_of_known(line.trim_start(), next);
            let found = notation.map(|found| (found, "the same call in JSON"));
            let found = found.or_else(|| other(input, at));
            let error = found.map(|(found, expected)| ParseError::new(at, found, expected));
            (at + 1, error)
        };
        if let Some(error) = error
            && !is_read[at..end].contains(&true)
        {
            let problem = error.into_problem(input, at..end, UNSUPPORTED, None);
            parsed.problems.push(problem);
        }
        at = end.max(at + 1);
    }
}

/// Returns for each line of an input, and for its end, if an edit or a problem has it, or the message of a patch.
pub(super) fn read_lines(input: &Input, parsed: &Parsed) -> Vec<bool> {
    let spans = (parsed.proposal.files.iter().map(|file| file.span))
        .chain(parsed.problems.iter().map(|problem| problem.span));
    let mut is_read = vec![false; input.len() + 1];
    let start = input.number(0).idx();
    for span in spans {
        let first = span.first.idx().saturating_sub(start).min(input.len());
        let end = span
            .last
            .get()
            .saturating_sub(start)
            .clamp(first, input.len());
        is_read[first..end].fill(true);
    }
    for lines in commit_message::messages_beside(input, parsed) {
        is_read[lines].fill(true);
    }
    is_read
}

/// Names the beginning of an edit in the last line of an input: a part of the line that opens it, or that line alone. A word or a rule
/// of Markdown is one only right below another edit or the message of a patch, or in the script of a fence that has no end.
pub(super) fn name_begun(input: &Input, parsed: &mut Parsed, dialects: &[&dyn Dialect]) {
    let Some(at) = input.last_text().map(|last| first_of_header(input, last)) else {
        return;
    };
    let (line, number) = (input.line(at).unwrap_or_default().trim(), input.number(at));
    let files = parsed.proposal.files.iter().map(|file| file.span);
    let problems = parsed.problems.iter().map(|problem| problem.span);
    let is_known = parsed.problems.iter().any(|problem| problem.line == number);
    let ends = || files.clone().chain(problems.clone()).map(|span| span.last);
    if is_known || ends().any(|end| end >= number) {
        return;
    }
    let above = (0..at)
        .rev()
        .find(|at| input.line(*at).is_some_and(|line| !line.trim().is_empty()));
    let mut messages = commit_message::messages_beside(input, parsed).into_iter();
    let is_below = ends().any(|end| end.get() + 1 == number.get())
        || above.is_some_and(|above| messages.any(|lines| lines.contains(&above)))
        || is_in_script(input, at);
    if line.len() < LEAST && !is_below {
        return;
    }
    let is_part = is_below || !is_word_or_rule(line);
    let begins = |opening: &&str| line.starts_with(opening) || is_part && opening.starts_with(line);
    let mut dialects = dialects.iter();
    let Some(dialect) = dialects.find(|dialect| dialect.openings().iter().any(begins)) else {
        return;
    };
    let name = dialect.name();
    let found = format!("the beginning of an edit in the format `{name}`");
    let error = ParseError::new(at, found, "the whole edit");
    let problem = error.into_problem(input, at..at + 1, UNSUPPORTED, None);
    parsed.problems.push(problem);
}

/// Returns `true` for a line in a fence of a shell.
fn is_in_script(input: &Input, at: LineIdx) -> bool {
    let lines = input.lines(0..at).iter();
    let open = lines.fold(None, |open, line| commit_message::fence_after(open, line));
    open.is_some_and(|fence| fence.is_shell())
}

/// Returns the line `--- ` above a last line that is a part of `+++ `, the second one of the header of a diff; otherwise the last line.
fn first_of_header(input: &Input, last: LineIdx) -> LineIdx {
    let is_second = input
        .line(last)
        .is_some_and(|line| "+++ ".starts_with(line));
    match last.checked_sub(1) {
        Some(first)
            if is_second
                && input
                    .line(first)
                    .is_some_and(|line| line.starts_with("--- ")) =>
        {
            first
        }
        Some(_) | None => last,
    }
}

/// The least number of bytes of a line in prose that may be the beginning of another one.
const LEAST: usize = 3;

fn is_word_or_rule(line: &str) -> bool {
    let is_rule = line.bytes().all(|byte| matches!(byte, b'-' | b'*'));
    is_rule || line.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    const WHOLE: [&str; 5] = [
        "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
        "f.x\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n",
        "cat > f <<'EOF'\na\nEOF\n",
        "{\"name\": \"Write\", \"input\": {\"file_path\": \"f\", \"content\": \"x\"}}\n",
    ];

    #[test]
    fn the_beginning_of_an_edit_is_named() {
        for begun in [
            "<<<<",
            "<<<<<<< SEA",
            "<<<<<<< SEARCH",
            "@@ -3,",
            "@@ -3,4 +3,4 @@",
            "cat >",
            "cat > g <<",
            "diff -",
            "diff --gi",
            "diff --git a/g b/g",
            "--- a/g",
            "*** Update F",
            "*** Begin Pa",
            "<edit",
            "<invoke name=\"Wr",
            "{\"name\": \"Wr",
            "```diff",
        ] {
            for whole in WHOLE {
                let text = format!("{whole}\nThen:\n\n{begun}");
                let parsed = parse(&text, &Options::default());
                assert!(!parsed.problems.is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn a_word_right_below_an_edit_may_begin_another() {
        let whole = WHOLE[0];
        for begun in ["d", "diff", "*****"] {
            let parsed = parse(&format!("{whole}{begun}"), &Options::default());
            assert!(!parsed.problems.is_empty(), "{begun}");
        }
    }

    #[test]
    fn a_word_below_the_message_of_a_patch_may_begin_an_edit() {
        let log = |hash: &str, text: &str| {
            let hash = hash.repeat(40);
            let head = format!("commit {hash}\nAuthor: A <a@example.org>\nDate:   now\n");
            format!("{head}\n    Make\n\n{text}")
        };
        for begun in ["d", "diff", "---", "--- a/f\n+", "--- /dev/null\tnow\n++"] {
            let text = log("a", WHOLE[0]) + "\n" + &log("b", begun);
            let parsed = parse(&text, &Options::default());
            assert!(!parsed.problems.is_empty(), "{begun}");
        }
    }

    #[test]
    fn a_word_in_a_script_without_an_end_may_begin_an_edit() {
        let text = |fence: &str, begun: &str| format!("```{fence}\n{}make\n\n{begun}", WHOLE[3]);
        for begun in ["s", "sed", "chm"] {
            let parsed = parse(&text("sh", begun), &Options::default());
            assert!(!parsed.problems.is_empty(), "{begun}");
        }
        for begun in ["ls", "sed\n```\n"] {
            let parsed = parse(&text("sh", begun), &Options::default());
            assert!(parsed.problems.is_empty(), "{begun}");
        }
    }

    #[test]
    fn prose_is_no_beginning_of_an_edit() {
        for prose in [
            "---",
            "***",
            "cat",
            "diff",
            "a < b",
            "<3",
            "me@example.org",
            "@me",
            "--- the end",
            "> quoted",
            "- sed -i helps",
            "*** done ***",
            "`diff --git`",
            "{a}",
            "[1]",
            "<<",
            "x << y",
        ] {
            for whole in WHOLE {
                let text = format!("{whole}\nThen:\n\n{prose}\n");
                let parsed = parse(&text, &Options::default());
                assert!(parsed.problems.is_empty(), "{text}\n{:?}", parsed.problems);
                assert!(!parsed.proposal.files.is_empty(), "{text}");
            }
        }
    }
}
