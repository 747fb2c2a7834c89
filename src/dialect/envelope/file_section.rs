//! The section of one file in an envelope.

use std::ops::Range;

use super::unmarked_section::{self, Numbered};
use crate::dialect::diff::header_path;
use crate::dialect::diff::hunk;
use crate::dialect::diff::hunk_body::{DiffBody, mark};
use crate::dialect::diff::hunk_header::{self, HunkHeader};
use crate::dialect::diff::line_ending;
use crate::dialect::input::Input;
use crate::dialect::parse_error::{ParseError, ParseErrors};
use crate::proposal::{AnchorStrength, Body, FileChange, FinalNewline, Hunk, Operation, PathClaim};
use crate::text::LineIdx;

const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

/// Returns `true` for a line in the section of a file that states its new name or its end.
pub(super) fn is_note(line: &str) -> bool {
    line == END_OF_FILE || line.starts_with(MOVE)
}

/// A line that begins the section of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Directive<'a> {
    Add(&'a str),
    Update(&'a str),
    Delete(&'a str),
    /// `*** Replace in: name`, with pairs of texts.
    Replace(&'a str),
    /// `*** Replace Lines in: name` and its like.
    Numbered(Numbered, &'a str),
    /// `*** Something File: name`: meant as one of them, but which?
    Unknown(&'a str),
}

impl<'a> Directive<'a> {
    /// Reads a line, which may be padded.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_start().strip_prefix("***")?.trim_start();
        if let Some((words, name)) = line.split_once(" in:") {
            let words = format!("{} in", words.trim());
            let name = name_to_end(name);
            return match Numbered::of(&words) {
                _ if name.is_empty() => None,
                Some(numbered) => Some(Self::Numbered(numbered, name)),
                None if words == "Replace in" => Some(Self::Replace(name)),
                None => None,
            };
        }
        let (word, name) = line.split_once(" File:")?;
        let word = word.trim();
        let name = name_to_end(name);
        match word {
            _ if name.is_empty() || word.is_empty() => None,
            // Codex reads no name with a blank at its end, so no file gets one.
            "Add" => Some(Self::Add(name.trim_end())),
            "Update" => Some(Self::Update(name)),
            "Delete" => Some(Self::Delete(name)),
            _ if word.chars().all(char::is_alphabetic) => Some(Self::Unknown(name)),
            _ => None,
        }
    }

    /// The file's name.
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Add(name)
            | Self::Update(name)
            | Self::Delete(name)
            | Self::Replace(name)
            | Self::Numbered(_, name)
            | Self::Unknown(name) => name,
        }
    }
}

/// Result of reading a section: its change, and the hunks that could not be read.
#[derive(Debug)]
pub(super) struct EnvelopeFile {
    pub(super) file: Option<FileChange>,
    pub(super) errors: ParseErrors,
}

/// Reads a section. An update in place keeps its good hunks; anything else is read as a whole or not at all.
pub(super) fn read(
    input: &Input,
    lines: Range<LineIdx>,
    directive: Directive,
    dialect: &'static str,
) -> Result<EnvelopeFile, ParseError> {
    let body = lines.start + 1..lines.end;
    let mut errors = ParseErrors::new();
    let (operation, hunks) = match directive {
        Directive::Add(_) => (Operation::Create, added(input, body)?),
        Directive::Delete(_) => (Operation::Delete, deleted(input, body)?),
        Directive::Update(_) => {
            let target = moved_to(input, body.start);
            let first = target.as_ref().map_or(body.start, |(end, _)| *end);
            let hunks;
            (hunks, errors) = updated(input, first..body.end);
            match target {
                Some((_, target)) => match errors.pop() {
                    Some((error, _)) => return Err(error),
                    None => (Operation::Rename(path(target)), hunks),
                },
                None => (Operation::Modify, hunks),
            }
        }
        Directive::Replace(_) => {
            let hunks;
            (hunks, errors) = unmarked_section::pairs(input, body);
            (Operation::Modify, hunks)
        }
        Directive::Numbered(kind, _) => {
            let hunk = unmarked_section::numbered(input, body, kind)?;
            (Operation::Modify, vec![hunk])
        }
        Directive::Unknown(_) => {
            let expected = "'*** Add File:', '*** Update File:' or '*** Delete File:'";
            return Err(ParseError::line(input, lines.start, expected));
        }
    };
    let is_empty = operation == Operation::Modify && hunks.is_empty();
    if is_empty && errors.is_empty() {
        return Err(ParseError::line(input, lines.end, "a hunk for this file"));
    }
    let file = FileChange {
        hunks,
        // Each section is for the result of the earlier ones.
        patch: input.number(lines.start).get(),
        ..FileChange::new(
            path(directive.name()),
            operation,
            dialect,
            input.span(lines),
        )
    };
    Ok(EnvelopeFile {
        file: (!is_empty).then_some(file),
        errors,
    })
}

/// The name behind a directive, which ends with the line. Without a name nothing is left.
fn name_to_end(text: &str) -> &str {
    if text.trim().is_empty() {
        return "";
    }
    text.trim_start()
}

/// A name as a directive gives it. Blanks at its end, and a prefix like git's, are taken off only if no file has the name with them.
pub(super) fn path(name: &str) -> PathClaim {
    let name = header_path::without_blank_marks(name);
    let trimmed = name.trim_end().to_owned();
    let stripped = header_path::one_sided(&trimmed).first().to_owned();
    PathClaim::with_others(name, [trimmed, stripped]).with_slashes()
}

/// The new name in a `*** Move to:` line.
fn moved_to<'a>(input: &Input<'a>, at: LineIdx) -> Option<(LineIdx, &'a str)> {
    let at = input.skip_blank(at);
    let name = input.line(at)?.trim().strip_prefix(MOVE)?.trim();
    (!name.is_empty()).then_some((at + 1, name))
}

/// The contents of a new file: every line has a `+`, or none has. An empty line may have lost it.
fn added(input: &Input, mut lines: Range<LineIdx>) -> Result<Vec<Hunk>, ParseError> {
    let line = |at| input.line(at).unwrap_or_default();
    let mut final_newline = FinalNewline::Keep;
    while !lines.is_empty() {
        match line(lines.end - 1).trim() {
            "" | END_OF_FILE => (),
            last if last.starts_with("\\ ") => final_newline = FinalNewline::Remove,
            _ => break,
        }
        lines.end -= 1;
    }
    let has_plus = |at: &LineIdx| line(*at).starts_with('+');
    let is_marked = lines.clone().any(|at| has_plus(&at));
    if is_marked && hunk_header::is_header(line(lines.start)) {
        lines.start += 1;
    }
    let unmarked = lines
        .clone()
        .find(|at| is_marked && !has_plus(at) && !line(*at).trim().is_empty());
    if let Some(at) = unmarked {
        return Err(ParseError::line(input, at, "a line that begins with '+'"));
    }
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let postimage = lines.clone().map(|at| {
        let line = line(at);
        line.strip_prefix('+')
            .filter(|_| is_marked)
            .unwrap_or(line)
            .to_owned()
    });
    let body = Body {
        preimage: Vec::new(),
        postimage: postimage.collect(),
    };
    Ok(vec![Hunk {
        final_newline,
        ..Hunk::new(body, input.span(lines))
    }])
}

/// Returns the text that a deletion expects in the file; mostly nothing.
fn deleted(input: &Input, lines: Range<LineIdx>) -> Result<Vec<Hunk>, ParseError> {
    let mut body = Body::default();
    for at in lines.clone() {
        match input.line(at).unwrap_or_default() {
            "" => (),
            line => match line.strip_prefix('-') {
                Some(text) => body.preimage.push(text.to_owned()),
                None => {
                    return Err(ParseError::line(
                        input,
                        at,
                        "another section, or '*** End Patch'",
                    ));
                }
            },
        }
    }
    if body.preimage.is_empty() {
        return Ok(Vec::new());
    }
    Ok(vec![Hunk::new(body, input.span(lines))])
}

/// The hunks of an update.
fn updated(input: &Input, lines: Range<LineIdx>) -> (Vec<Hunk>, ParseErrors) {
    let mut hunks = Vec::new();
    let mut errors = ParseErrors::new();
    let mut at = input.skip_blank(lines.start);
    if hunk::file_header(input, at).is_some() {
        at += 2;
    }
    while at < lines.end {
        let header = hunk_header::read(input, at, AnchorStrength::Stated);
        let end = hunk_end(input, header.end, lines.end);
        let at_end = input
            .line(end)
            .is_some_and(|line| end < lines.end && line.trim_end() == END_OF_FILE);
        match hunk(input, at..end, header) {
            Ok(hunk) => hunks.extend(hunk.map(|hunk| bound(hunk, at_end))),
            Err(error) => errors.push((error, at..end)),
        }
        at = if at_end { end + 1 } else { end };
    }
    (hunks, errors)
}

/// Binds a hunk to the end of the file if the envelope does. An empty line of context at its end is then no line of the file, but
/// the end of the line above, as Codex reads it.
fn bound(mut hunk: Hunk, at_end: bool) -> Hunk {
    hunk.at_end |= at_end;
    let is_empty = |lines: &[String]| lines.len() > 1 && lines.last().is_some_and(String::is_empty);
    if hunk.at_end && is_empty(&hunk.body.preimage) && is_empty(&hunk.body.postimage) {
        // Blank lines at the end of the file are none of its place.
        hunk.body.preimage.pop();
        hunk.body.postimage.pop();
    }
    hunk
}

/// Finds the end of a hunk's body.
fn hunk_end(input: &Input, from: LineIdx, end: LineIdx) -> LineIdx {
    (from..end)
        .find(|&at| {
            let line = input.line(at).unwrap_or_default();
            hunk_header::is_header(line) || line.trim_end() == END_OF_FILE
        })
        .unwrap_or(end)
}

/// Reads one hunk; `None` if there are only blank lines.
fn hunk(
    input: &Input,
    lines: Range<LineIdx>,
    header: HunkHeader,
) -> Result<Option<Hunk>, ParseError> {
    let mut body = DiffBody::default();
    for at in header.end..lines.end {
        let line = input.line(at).unwrap_or_default();
        let Some((mark, text)) = mark(line) else {
            return Err(ParseError::line(
                input,
                at,
                "a line that begins with ' ', '-' or '+'",
            ));
        };
        body.push(mark, text);
    }
    body.drop_trailing_empty();
    let is_headed = header.end > lines.start;
    if body.is_empty() && !is_headed {
        return Ok(None);
    }
    if body.changes == 0 {
        let found = "a hunk without a changed line";
        let last = lines.end.saturating_sub(1);
        return Err(ParseError::new(
            last,
            found,
            "a line that begins with '-' or '+'",
        ));
    }
    line_ending::check(input, header.end..lines.end)?;
    Ok(Some(hunk::hunk(input, lines, header, body)))
}
