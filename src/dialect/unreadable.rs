//! Forms that are recognised and cannot be read: each is refused by its name, with the command that gives a readable form.

use super::fault::Fault;
use super::fence::Fence;
use super::{Input, file_name};
use crate::proposal::Problem;
use crate::text::LineIdx;

/// A form, told from a line and the next one.
struct Form {
    is: fn(&str, &str) -> bool,
    found: &'static str,
    expected: &'static str,
}

const FORMS: [Form; 5] = [
    Form {
        is: is_color_words,
        found: "a diff of Jujutsu in its color-words form, in which old and new words share a line",
        expected: "the output of `jj diff --git`",
    },
    Form {
        is: |line, _| {
            line.starts_with("New patches:") || line.starts_with("patch ") && line.len() == 46
        },
        found: "a darcs patch bundle",
        expected: "the output of `darcs diff --unified`",
    },
    Form {
        is: is_word_diff,
        found: "a word diff, in which old and new words share a line",
        expected: "the output of `git diff` without `--word-diff`",
    },
    Form {
        is: |line, next| {
            let stat = line.split_once(" | ").is_some_and(|(_, counts)| {
                counts
                    .trim_start()
                    .starts_with(|c: char| c.is_ascii_digit())
                    && counts.ends_with(['+', '-'])
            });
            stat && next.contains(" changed, ")
        },
        found: "the summary of a diff (`--stat`), which has no lines to apply",
        expected: "the diff itself",
    },
    Form {
        is: |line, _| {
            let url = line.trim();
            (url.starts_with("https://") || url.starts_with("http://"))
                && !url.contains(char::is_whitespace)
        },
        found: "a URL",
        expected: "the text behind it, as in `curl -L URL | countersign review -`",
    },
];

/// Finds the first such form in an input in which nothing else was read.
pub(super) fn named(input: &Input, dialect: &'static str) -> Option<Problem> {
    form(input, dialect).or_else(|| guessed_file(input))
}

/// How many lines above a fence may hold a sentence that names its file.
const REACH: usize = 3;

/// Finds a code fence whose file is only guessed: from a sentence above it, or from a comment in its first line.
fn guessed_file(input: &Input) -> Option<Problem> {
    let mut open: Option<(LineIdx, Fence)> = None;
    for at in 0..input.len() {
        let Some(fence) = input.line(at).and_then(Fence::of) else {
            continue;
        };
        let Some((first, opening)) = open.filter(|(_, opening)| fence.closes(opening)) else {
            open = open.or(Some((at, fence)));
            continue;
        };
        open = None;
        // A shell session or a bare diff is no file.
        if matches!(
            opening.info,
            "sh" | "bash" | "shell" | "console" | "diff" | "text"
        ) || at == first + 1
        {
            continue;
        }
        let above = (first.saturating_sub(REACH)..first).rev();
        let prose = above
            .filter_map(|at| input.line(at))
            .take_while(|line| Fence::of(line).is_none());
        let sentence = prose
            .filter(|line| !line.trim().is_empty())
            .find_map(file_name::of_line);
        let comment = input.line(first + 1).and_then(file_name::of_line);
        let Some(path) = sentence.or(comment) else {
            continue;
        };
        let name = path
            .readings()
            .min_by_key(|name| name.len())
            .unwrap_or_default()
            .to_owned();
        let found = format!("a code fence that may be the new text of `{name}`");
        let expected = format!(
            "its name alone on the line above, or `--format whole --path {name}` if that is meant"
        );
        let fault = Fault::new(first, found, expected);
        return Some(fault.into_problem(input, first..at + 1, "whole", Some(path)));
    }
    None
}

fn form(input: &Input, dialect: &'static str) -> Option<Problem> {
    let is_alone = input.skip_blank(0);
    (0..input.len()).find_map(|at: LineIdx| {
        let (line, next) = (input.line(at)?, input.line(at + 1).unwrap_or_default());
        let form = FORMS.iter().find(|form| (form.is)(line, next))?;
        // A URL in prose is prose.
        if form.found == "a URL" && (at != is_alone || input.skip_blank(at + 1) < input.len()) {
            return None;
        }
        let fault = Fault::new(at, form.found, form.expected);
        Some(fault.into_problem(input, at..input.len(), dialect, None))
    })
}

fn is_color_words(line: &str, next: &str) -> bool {
    let kinds = [
        "Modified", "Added", "Removed", "Renamed", "Copied", "Created",
    ];
    let header = kinds.iter().any(|kind| line.starts_with(kind))
        && [" regular file ", " executable file "]
            .iter()
            .any(|kind| line.contains(kind))
        && line.ends_with(':');
    let numbers = next.split_once(": ").is_some_and(|(numbers, _)| {
        !numbers.trim().is_empty() && numbers.chars().all(|c| c.is_ascii_digit() || c == ' ')
    });
    header && numbers
}

fn is_word_diff(line: &str, _: &str) -> bool {
    let pair = |open: &str, close: &str| {
        line.split_once(open)
            .is_some_and(|(_, rest)| rest.contains(close))
    };
    pair("[-", "-]{+") && pair("{+", "+}")
}
