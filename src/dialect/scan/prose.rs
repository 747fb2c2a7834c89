//! The prose around edits: the sentence that announces one, the intent of all, and the line that shows a dialect.

use std::ops::Range;
use std::sync::Arc;

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::text::LineIdx;

/// The most characters of an announcement.
const MOST_CHARS: usize = 200;
/// The most lines of the paragraph that it ends.
const MOST_LINES: usize = 8;

/// Returns the first line of a section that tells why it is read in its dialect: one with a word, and only of a file in a
/// code fence the fence.
pub(super) fn telling_line(input: &Input, lines: Range<LineIdx>, dialect: &str) -> LineIdx {
    let is_file = matches!(dialect, "whole" | "sketch" | "suggestion");
    let tells = |at: &LineIdx| {
        let line = input.line(*at).unwrap_or_default();
        let is_bare = line.chars().all(|c| "[]{}(), \t".contains(c));
        !is_bare && (is_file || Fence::of(line).is_none())
    };
    let first = lines.start;
    lines.into_iter().find(tells).unwrap_or(first)
}

/// Returns the sentence that ends the prose above a section.
pub(super) fn announcement(input: &Input, prose: Range<LineIdx>) -> Option<Arc<str>> {
    const ENDS: [char; 7] = ['.', ':', '!', '?', '。', '：', '！'];
    const MARKS: [char; 5] = ['#', '*', '-', '>', ' '];
    let is_blank = |line: &&str| line.is_empty() || Fence::of(line).is_some();
    let lines = prose.rev().filter_map(|at| input.line(at)).map(str::trim);
    let mut paragraph: Vec<&str> = Vec::new();
    for line in lines
        .skip_while(is_blank)
        .take_while(|line| !is_blank(line))
    {
        paragraph.insert(0, line.trim_start_matches(MARKS));
        // The line above the item of a list, or above a heading, is none of its paragraph.
        if line.starts_with(MARKS) || paragraph.len() == MOST_LINES {
            break;
        }
    }
    let text = paragraph.join(" ").replace("**", "");
    let text = text.trim_end();
    let is_sentence = text.ends_with(ENDS) && (text.contains(' ') || !text.is_ascii());
    let before = text.trim_end_matches(ENDS);
    let start = [". ", "! ", "? ", "。"].map(|end| before.rfind(end).map(|at| at + end.len()));
    let sentence = &text[start.into_iter().flatten().max().unwrap_or(0)..];
    is_sentence.then(|| match sentence.char_indices().nth(MOST_CHARS) {
        Some((cut, _)) => format!("{}…", sentence[..cut].trim_end()).into(),
        None => sentence.into(),
    })
}

/// The prose without the blank lines that the edits leave behind.
pub(super) fn intent(input: &Input, prose: &[bool]) -> String {
    let mut intent = String::new();
    let mut gap = false;
    for at in (0..input.len()).filter(|&at: &LineIdx| prose[at]) {
        let line = input.line(at).unwrap_or_default().trim_end();
        if line.is_empty() {
            gap = true;
            continue;
        }
        if !intent.is_empty() {
            intent.push_str(if gap { "\n\n" } else { "\n" });
        }
        intent.push_str(line);
        gap = false;
    }
    intent
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    #[test]
    fn each_of_several_edits_has_the_sentence_above_it() {
        let check = |above: [&str; 2], expected: [Option<&str>; 2]| {
            let edit = |name: &str, above: &str| {
                format!(
                    "{above}\n\n```diff\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-a\n+b\n```\n\n"
                )
            };
            let text = edit("f", above[0]) + &edit("g", above[1]);
            let parsed = parse(&text, &Options::default());
            let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
            let said: Vec<Option<&str>> = hunks.map(|hunk| hunk.announcement.as_deref()).collect();
            assert_eq!(said, expected, "{text}");
        };
        check(
            [
                "Both.\n\n## First, this:",
                "It is. Then **that\none, too:**",
            ],
            [Some("First, this:"), Some("Then that one, too:")],
        );
        check(["First, this:", "and"], [None, None]);
        check(
            [" f | 2 +-\n 1 file changed, 1 insertion(+)", "So it is."],
            [None, None],
        );
    }
}
