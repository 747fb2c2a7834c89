//! `suggestion`: the fences in which reviewers on GitHub and GitLab suggest other lines.
//!
//! <https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests>. On the site
//! the comment knows its lines. In a text they are named above the fence: `src/app.py:2`, `src/app.py:2-4`,
//! `src/app.py#L2-L4`, `src/app.py lines 2-4`.
//!
//! On GitLab the fence may name lines above and below the one of the comment: `suggestion:-1+2` replaces four lines.
//! <https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/#multi-line-suggestions>

use crate::dialect::dialect_trait::{Before, Dialect, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::fence::{self, Fence};
use crate::dialect::markdown::{fenced_file, file_name};
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, Extent, FileChange, Hunk, Operation};
use crate::text::{LineIdx, LineNo};

/// The dialect `suggestion`.
#[derive(Debug, Clone, Copy)]
pub(in crate::dialect) struct Suggestion;

/// The most lines between a fence and the line that names its lines.
const REACH: usize = 3;

impl Dialect for Suggestion {
    fn name(&self) -> &'static str {
        "suggestion"
    }

    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section> {
        let open = Fence::of(input.line(at)?)?;
        let info = open.info.split([':', ' ']).next();
        if before.closes_fence || info != Some("suggestion") {
            return None;
        }
        let closes = |at: &LineIdx| {
            let fence = input.line(*at).and_then(Fence::of);
            fence.is_some_and(|fence| fence.closes(&open))
        };
        let end = (at + 1..input.len()).find(closes);
        let named = (before.free..at)
            .rev()
            .take(REACH)
            .find_map(|at| Some((at, lines_named(input.line(at)?)?)));
        let start = named.as_ref().map_or(at, |(at, _)| *at);
        let lines = start..end.map_or(input.len(), |end| end + 1);
        // A fence below that opens nothing may close a fence in the suggestion.
        let stray = end.and_then(|end| fenced_file::stray_fence(input, end + 1, &open, before));
        let named = named.map(|(_, named)| named);
        let around = open.info.strip_prefix("suggestion:").map(str::trim);
        let found = match (named, end) {
            (_, None) => Err(ParseError::end(input, "the end of the suggestion")),
            (Some(_), Some(_)) if let Some(stray) = stray => {
                let expected = "a longer fence around a text with fences of its own";
                Err(ParseError::line(input, stray, expected))
            }
            (None, _) => Err(ParseError::new(
                at,
                "a suggestion of a review without its lines",
                "a line such as `src/app.py:2-4` above it",
            )),
            (Some((_, first, last)), Some(_))
                if let Err(expected) = widened(around, first, last) =>
            {
                Err(ParseError::line(input, at, expected))
            }
            (Some((path, first, last)), Some(end)) => {
                let (first, last) = widened(around, first, last).unwrap_or((first, last));
                let body = Body {
                    preimage: Vec::new(),
                    postimage: fence::text_in(input, at, at + 1..end)
                        .into_iter()
                        .map(str::to_owned)
                        .collect(),
                };
                let hunk = Hunk {
                    hint: Some(first),
                    extent: Extent::Numbered(last.idx() + 1 - first.idx()),
                    ..Hunk::new(body, input.span(at..end + 1))
                };
                Ok(FileChange {
                    hunks: vec![hunk],
                    ..FileChange::new(
                        path,
                        Operation::Modify,
                        self.name(),
                        input.span(lines.clone()),
                    )
                })
            }
        };
        let found =
            found.map_err(|error| error.into_problem(input, lines.clone(), self.name(), None));
        Some(Section::of(lines, found))
    }
}

/// Returns the lines that a suggestion replaces: those that are named above it, or those around the last one that the fence of GitLab
/// adds, as in `-1+2`. What is expected of a fence that adds others is the error.
fn widened(
    around: Option<&str>,
    first: LineNo,
    last: LineNo,
) -> Result<(LineNo, LineNo), &'static str> {
    let Some(around) = around else {
        return Ok((first, last));
    };
    let counts = around.strip_prefix('-').and_then(|counts| {
        let (above, below) = counts.split_once('+')?;
        Some((line_count(above)?, line_count(below)?))
    });
    let Some((above, below)) = counts else {
        return Err(
            "'```suggestion', or '```suggestion:-1+2' for a line above and two below, at most 100 each",
        );
    };
    let start = (last.get().checked_sub(above)).and_then(LineNo::new);
    let Some(start) = start else {
        return Err("no more lines above than the file has");
    };
    // Several named lines are those of the comment, and GitLab counts from its last one.
    if first != last && start != first {
        return Err("the same first line as the one named above the suggestion");
    }
    LineNo::new(last.get() + below)
        .map(|end| (start, end))
        .ok_or("a number of lines")
}

/// Reads a number of lines above or below.
fn line_count(digits: &str) -> Option<usize> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let count = digits.parse().ok().filter(|_| is_number)?;
    (count <= MOST).then_some(count)
}

/// The most lines that a suggestion of GitLab has above and below its line.
const MOST: usize = 100;

/// A file and some of its lines, as a line names them.
fn lines_named(line: &str) -> Option<(crate::proposal::PathClaim, LineNo, LineNo)> {
    let line = line
        .trim()
        .trim_matches(['*', '`', '#', '>', ' '])
        .trim_end_matches(':');
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | 'L' | ',');
    let range = line.trim_end_matches(digits).len();
    let range = line.get(range..)?.trim_start_matches([',', '-']);
    let name = line.strip_suffix(range)?;
    let name = name.trim_end();
    let name = ["lines", "line", "(line", "(lines"]
        .iter()
        .find_map(|word| name.strip_suffix(word))
        .unwrap_or(name);
    let name = name.trim_end_matches([':', '#', ' ', ',', '`', '*', '(']);
    let range = range.replace('L', "");
    let (first, last) = range.split_once(['-', '–']).unwrap_or((&range, &range));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    let claim = file_name::of_line(name)?;
    let (first, last) = (LineNo::new(first)?, LineNo::new(last)?);
    (first <= last).then_some((claim, first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_of_gitlab_adds_lines_around_the_named_one() {
        let check = |around: Option<&str>, (first, last): (usize, usize), expected: &str| {
            let line = |number| LineNo::new(number).unwrap();
            let found = widened(around, line(first), line(last));
            let found = found.map(|(first, last)| format!("{first}-{last}"));
            assert_eq!(found.unwrap_or_default(), expected, "{around:?} {first}");
        };
        check(None, (2, 4), "2-4");
        check(Some("-0+0"), (2, 2), "2-2");
        check(Some("-1+0"), (2, 2), "1-2");
        check(Some("-0+2"), (2, 2), "2-4");
        check(Some("-1+2"), (2, 2), "1-4");
        check(Some("-2+0"), (2, 4), "2-4");
        for around in ["", "-1", "+1", "1+1", "-1+x", "--1+0", "-2+0", "-0+101"] {
            check(Some(around), (2, 2), "");
        }
        check(Some("-0+0"), (2, 4), "");
    }

    #[test]
    fn lines_are_named_in_several_ways() {
        let check = |line: &str, expected: &str| {
            let found = lines_named(line);
            let found = found.map(|(path, first, last)| format!("{path} {first}-{last}"));
            assert_eq!(found.unwrap_or_default(), expected, "{line}");
        };
        check("src/app.py:2", "src/app.py 2-2");
        check("**src/app.py:2-4**", "src/app.py 2-4");
        check("`src/app.py#L2-L4`", "src/app.py 2-4");
        check("src/app.py, lines 2-4:", "src/app.py 2-4");
        check("src/app.py:4-2", "");
        check("src/app.py", "");
        check("Then:", "");
        check("é\u{feff}", "");
        check("src/é.py:2\u{feff}", "");
    }
}
