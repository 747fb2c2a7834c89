//! The edits of Zed's agent: `<old_text line=N>` and `<new_text>` in pairs, for a file that is named outside.
//!
//! Models mix the closing tags up, so any of them ends a text.
//!
//! <https://github.com/zed-industries/zed/blob/main/crates/agent/src/edit_agent/edit_parser.rs>

use crate::dialect::body::omitted_lines;
use crate::dialect::dialect_trait::{Before, Section};
use crate::dialect::input::Input;
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::{ParseError, quoted};
use crate::proposal::{Body, FileChange, Hunk, Operation, PathClaim};
use crate::text::{LineIdx, LineNo};

const CLOSING: [&str; 4] = ["</old_text>", "</new_text>", "</edits>", "</edit>"];

/// A text between its tags.
struct TaggedText<'a> {
    lines: Vec<&'a str>,
    end: LineIdx,
    closed: bool,
}

/// Reads the pair that begins at a line.
pub(super) fn section(
    input: &Input,
    at: LineIdx,
    before: &Before,
    dialect: &'static str,
) -> Option<Section> {
    let (tag, rest) = input.line(at)?.trim_start().split_once('>')?;
    let attributes = tag.strip_prefix("<old_text")?;
    let above = file_name::above(input, at, before);
    let path = input
        .path()
        .map(PathClaim::plain)
        .or(above.map(|name| name.claim))
        .or_else(|| before.carried());
    let old = text(input, at, rest);
    let next = input.skip_blank(old.end);
    let new = input
        .line(next)
        .and_then(|line| line.trim_start().strip_prefix("<new_text>"))
        .map(|rest| text(input, next, rest));
    let lines = at..new.as_ref().map_or(old.end, |new| new.end);
    let hunk = match (new, &path) {
        (None, _) => Err(ParseError::line(input, next, "'<new_text>'")),
        (Some(new), _) if !new.closed => Err(ParseError::line(input, new.end, "'</new_text>'")),
        (Some(_), None) => {
            let found = "an edit that names no file";
            Err(ParseError::new(
                at,
                found,
                "a file name above it, or `--path FILE`",
            ))
        }
        (Some(new), Some(path)) => {
            let strings = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
            let body = Body {
                preimage: strings(&old.lines),
                postimage: strings(&new.lines),
            };
            match omitted_lines::mark(&body) {
                Some(i) => {
                    let found = quoted(&body.postimage[i]);
                    Err(ParseError::new(next, found, omitted_lines::EXPECTED))
                }
                None => Ok((Hunk::new(body, input.span(lines.clone())), path.clone())),
            }
        }
    };
    let found = hunk
        .map(|(hunk, path)| FileChange {
            path,
            operation: Operation::Modify,
            executable: None,
            is_regular: false,
            blobs: None,
            binary: None,
            hunks: vec![Hunk {
                hint: line(attributes),
                ..hunk
            }],
            dialect,
            span: input.span(lines.clone()),
            patch: 0,
        })
        .map_err(|error| error.into_problem(input, lines.clone(), dialect, path));
    Some(Section::of(lines, found))
}

/// The text that begins behind its opening tag and ends at any closing one.
fn text<'a>(input: &Input<'a>, at: LineIdx, rest: &'a str) -> TaggedText<'a> {
    let mut lines = Vec::new();
    let mut next = at;
    let mut line = rest;
    loop {
        let closing = CLOSING
            .iter()
            .find_map(|tag| line.trim_end().strip_suffix(tag));
        let (text, closed) = closing.map_or((line, false), |text| (text, true));
        let is_edge = next == at || closed;
        if !is_edge || !text.is_empty() {
            lines.push(text);
        }
        next += 1;
        match input.line(next).filter(|_| !closed) {
            Some(following) => line = following,
            None => {
                return TaggedText {
                    lines,
                    end: next,
                    closed,
                };
            }
        }
    }
}

/// The line in `line=N` or `line="N"`.
fn line(attributes: &str) -> Option<LineNo> {
    let (_, value) = attributes.split_once("line=")?;
    let digits = value.trim_start_matches(['"', '\'']);
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    LineNo::new(digits[..end].parse().ok()?)
}
