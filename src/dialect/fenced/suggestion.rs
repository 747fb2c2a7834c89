//! `suggestion`: the fences in which reviewers on GitHub suggest other lines.
//!
//! <https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests>. On the site
//! the comment knows its lines. In a text they are named above the fence: `src/app.py:2`, `src/app.py:2-4`,
//! `src/app.py#L2-L4`, `src/app.py lines 2-4`.

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
        let found = match (named, end) {
            (_, None) => Err(ParseError::end(input, "the end of the suggestion")),
            (Some(_), Some(_)) if let Some(stray) = stray => {
                let expected = "a longer fence around a text with fences of its own";
                Err(ParseError::line(input, stray, expected))
            }
            (None, _) => Err(ParseError::new(
                at,
                "a GitHub suggestion without its lines",
                "a line such as `src/app.py:2-4` above it",
            )),
            (Some((_, (path, first, last))), Some(end)) => {
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
