//! A file in a code fence below its name.

use std::ops::Range;

use super::fence::Fence;
use super::next_fence::{self, NextFence};
use super::{file_name, file_tree, language};
use crate::dialect::dialect_trait::Before;
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Guess, PathClaim};
use crate::text::LineIdx;

/// A fence with a name.
#[derive(Debug)]
pub(in crate::dialect) struct FencedFile {
    /// From the name to the closing fence.
    pub(in crate::dialect) lines: Range<LineIdx>,
    pub(in crate::dialect) path: PathClaim,
    /// The lines between the fences, or why nobody can say which they are.
    pub(in crate::dialect) text: Result<Range<LineIdx>, ParseError>,
    /// The reason to doubt that the lines are the text of the file.
    pub(in crate::dialect) guess: Option<Guess>,
}

/// Reads the fence that opens at a line, if a name belongs to it.
pub(in crate::dialect) fn read(input: &Input, at: LineIdx, before: &Before) -> Option<FencedFile> {
    let open = Fence::of(input.line(at)?).filter(|_| !before.closes_fence)?;
    let (path, first) = name(input, at, &open, before)?;
    // A diff is the text of a file only if that is a file of diffs.
    let is_asked = input.asked() == ReadReason::ByName;
    if open.is_diff() && !is_asked && !path.readings().any(is_of_diffs) {
        return None;
    }
    let Some(end) = end(input, at + 1, &open) else {
        let error = ParseError::line(input, input.len(), "the end of the code fence");
        return Some(FencedFile {
            lines: first..input.len(),
            path,
            text: Err(error),
            guess: None,
        });
    };
    let is_text = |name: &str| is_document(name) || name.to_lowercase().ends_with(".txt");
    let is_tree = file_tree::is_tree(input.lines(at + 1..end));
    if is_tree && !path.readings().any(is_text) {
        return None;
    }
    let line = input.number(at);
    let is_confirmed = input.asked() == ReadReason::ByName && input.path().is_some();
    let other = language::other_language(&open, &path).map(|it| Guess::Language(line, it.into()));
    let guess = other.or(is_tree.then_some(Guess::Tree(line)));
    let guess = guess.filter(|_| !is_confirmed);
    let stray = stray_fence(input, end + 1, &open, before);
    let text = if let Some(stray) = stray.filter(|stray| !is_apart(input, end + 1..*stray, &path)) {
        let expected = "a longer fence around a text with fences of its own";
        Err(ParseError::line(input, stray, expected))
    } else if let Some(part) = next_part(input, end + 1, &open, before) {
        let found = format!("a second code fence that may be for `{path}`");
        let expected = "one code fence with the whole text of the file, or a diff";
        Err(ParseError::new(part, found, expected))
    } else {
        Ok(at + 1..end)
    };
    Some(FencedFile {
        lines: first..end + 1,
        path,
        text,
        guess,
    })
}

/// Returns the name of a fence, and its line: right above, or in its first line, or from outside.
fn name(input: &Input, at: LineIdx, open: &Fence, before: &Before) -> Option<(PathClaim, LineIdx)> {
    let above = text_above(input, at, before);
    let header = above
        .and_then(|above| input.line(above))
        .unwrap_or_default();
    if file_name::names_lines(open.info) || file_name::names_lines(header) {
        return None;
    }
    let is_sure = !file_name::is_doubtful(open.info);
    if let Some(above) = above
        && let Some(claim) = file_name::title(header).filter(|_| is_sure)
    {
        return Some((claim, above));
    }
    let given = || input.path().filter(|_| input.asked() == ReadReason::ByName);
    file_name::of_info(open.info)
        .filter(|_| is_sure)
        .or_else(|| given().map(PathClaim::plain))
        .map(|claim| (claim, at))
}

/// The line with text right above a fence, or above one blank line.
fn text_above(input: &Input, at: LineIdx, before: &Before) -> Option<LineIdx> {
    let mut above = (before.free..at).rev().take(2);
    above.find(|&at| input.line(at).is_some_and(|line| !line.trim().is_empty()))
}

/// The fence that closes `open`. A fence of its length with a language opens another one inside.
fn end(input: &Input, from: LineIdx, open: &Fence) -> Option<LineIdx> {
    let mut depth = 0_usize;
    for at in from..input.len() {
        let Some(fence) = input.line(at).and_then(Fence::of) else {
            continue;
        };
        if fence.is_text_in(open) {
            continue;
        }
        if !fence.info.is_empty() {
            depth += 1;
        } else if depth == 0 {
            return Some(at);
        } else {
            depth -= 1;
        }
    }
    None
}

/// The next fence below, if it has neither name nor language: then the text may have had a fence of its own, and the one
/// that seemed to close it opened that.
pub(in crate::dialect) fn stray_fence(
    input: &Input,
    from: LineIdx,
    open: &Fence,
    before: &Before,
) -> Option<LineIdx> {
    let at = (from..input.len()).find(|&at| input.line(at).and_then(Fence::of).is_some())?;
    let fence = Fence::of(input.line(at)?)?;
    if fence.closes_around(open, before.fence_around) {
        return None;
    }
    let before = Before {
        free: from,
        ..Before::default()
    };
    // A label, as `**Output:**` is one, is no line of a text that a fence ends.
    let above = text_above(input, at, &before).and_then(|above| input.line(above));
    let is_labelled = above.is_some_and(|above| file_name::alone(above).is_some());
    let is_stray = fence.closes(open)
        && !is_labelled
        && name(input, at, &fence, &before).is_none()
        && !holds_edit(input, at + 1, &fence);
    is_stray.then_some(at)
}

/// Returns true for the name of a file whose text is a diff.
fn is_of_diffs(name: &str) -> bool {
    [".diff", ".patch", ".rej"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// Endings of files whose text may have code fences.
const DOCUMENTS: [&str; 7] = [".md", ".mdx", ".mdc", ".markdown", ".rst", ".adoc", ".qmd"];

fn is_document(name: &str) -> bool {
    let name = name.to_lowercase();
    DOCUMENTS.iter().any(|ending| name.ends_with(ending))
}

/// Returns `true` if the lines between two fences are prose of the reply, and not lines in a fence of the file's own text: a blank line
/// sets them apart, or they are one sentence that leads over to the second fence.
fn is_apart(input: &Input, between: Range<LineIdx>, path: &PathClaim) -> bool {
    let lines = input.lines(between);
    let is_blank = |line: Option<&&str>| line.is_some_and(|line| line.trim().is_empty());
    let texts: Vec<&str> = (lines.iter().copied())
        .filter(|line| !line.trim().is_empty())
        .collect();
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
        return false;
    };
    let is_sentence = first.starts_with(char::is_uppercase) && last.trim_end().ends_with(':');
    let is_document = path.readings().any(is_document);
    let begins_apart = is_blank(lines.first());
    if is_document {
        return begins_apart && is_blank(lines.last()) && is_sentence;
    }
    begins_apart || is_sentence && texts.len() == 1
}

/// The next fence below, if it has the same language, no name, and lines above that add its text to the one before.
fn next_part(input: &Input, from: LineIdx, open: &Fence, before: &Before) -> Option<LineIdx> {
    let at = (from..input.len()).find(|&at| input.line(at).and_then(Fence::of).is_some())?;
    let fence = Fence::of(input.line(at)?)?;
    if fence.info != open.info || fence.closes_around(open, before.fence_around) {
        return None;
    }
    let before = Before {
        free: from,
        ..Before::default()
    };
    let is_part = next_fence::relation(input.lines(from..at)) == NextFence::Part;
    let is_free =
        || name(input, at, &fence, &before).is_none() && !holds_edit(input, at + 1, &fence);
    // A comment in its first line may name its file.
    let first = input.line(at + 1).unwrap_or_default().trim_start();
    let is_named = first.starts_with(|c: char| c.is_ascii_punctuation())
        && file_name::mentions(first).next().is_some();
    (is_part && !is_named && is_free()).then_some(at)
}

/// Returns `true` if a fence without a name is there for the edit that its lines are.
fn holds_edit(input: &Input, from: LineIdx, open: &Fence) -> bool {
    let Some(end) = end(input, from, open) else {
        return false;
    };
    let part = input.part(from, input.lines(from..end).to_vec(), None);
    !input.read_inner(part).proposal.files.is_empty()
}
