//! Hunks that calls of editing tools ask for.

use super::edit_request::{CallEdit, Every};
use crate::dialect::body::{omitted_lines, string_lines, whole_file};
use crate::dialect::parse_error::{self, ParseError};
use crate::proposal::{
    Anchor, AnchorStrength, Body, CellEdit, CellKind, Extent, FinalNewline, Hunk, InputSpan,
    LineEdit, LineHash, Operation, PathClaim,
};
use crate::text::{LineIdx, LineNo};

/// Returns what an edit makes of its file; `at` is its line in the input.
pub(in crate::dialect) fn change(
    edit: &CallEdit,
    path: Option<&str>,
    at: LineIdx,
    span: InputSpan,
) -> Result<(Operation, Option<Hunk>), ParseError> {
    let modified = |hunk| Ok((Operation::Modify, Some(hunk)));
    match edit {
        CallEdit::Replace {
            old,
            new,
            every,
            line,
            removes_line,
        } => {
            let body = replacement(old, new, *removes_line);
            if let Some(i) = omitted_lines::mark(&body) {
                let found = parse_error::quoted(&body.postimage[i]);
                return Err(ParseError::new(at, found, omitted_lines::EXPECTED));
            }
            let mut hunk = Hunk::new(body, span);
            hunk.extent = match every {
                Every::Once => Extent::Text,
                Every::Time => Extent::EveryText,
                Every::Count(count) => Extent::Texts(*count),
            };
            hunk.hint = *line;
            hunk.ends_line = string_lines::ends_line(old, new);
            hunk.endings = string_lines::endings(new);
            modified(hunk)
        }
        CallEdit::Insert { after, text } => modified(insertion(*after, text, span)),
        CallEdit::Append { text } => Ok((Operation::CreateOrAppend, Some(appended(text, span)))),
        CallEdit::AppendLines { text } => {
            Ok((Operation::CreateOrAppend, Some(appended_lines(text, span))))
        }
        CallEdit::Lines { start, end, text } => {
            let mut hunk = Hunk::new(string_lines::replacement("", text), span);
            hunk.hint = LineNo::new(*start);
            let count = end
                .saturating_add(1)
                .checked_sub(*start)
                .filter(|_| hunk.hint.is_some());
            let Some(count) = count else {
                let found = format!("the lines {start} to {end}");
                return Err(ParseError::new(at, found, "a first line before the last"));
            };
            hunk.extent = Extent::Numbered(count);
            modified(hunk)
        }
        CallEdit::Span { range, text } => {
            let body = Body {
                preimage: Vec::new(),
                postimage: text.split('\n').map(string_lines::without_cr).collect(),
            };
            let mut hunk = Hunk::new(body, span);
            hunk.hint = range.start.0.checked_add(1).and_then(LineNo::new);
            hunk.extent = Extent::Span {
                from: range.start.1,
                to: range.end,
            };
            modified(hunk)
        }
        CallEdit::Hashed {
            edit,
            first,
            last,
            lines,
        } => modified(hashed(*edit, first, *last, lines, span)),
        CallEdit::Pattern {
            pattern,
            new,
            every,
        } => modified(replaced_match(pattern, new, *every, span)),
        CallEdit::Sketch { text } => modified(sketch(text, span)),
        CallEdit::Cell {
            cell,
            edit,
            kind,
            source,
        } => modified(cell_hunk(*cell, *edit, *kind, source, span)),
        CallEdit::Create { text } | CallEdit::CreateLines { text } => {
            let ends = text.ends_with('\n') || matches!(edit, CallEdit::CreateLines { .. });
            let hunk = contents(path.unwrap_or_default(), text, ends, span);
            Ok((Operation::Create, hunk))
        }
        CallEdit::Write { text, lines } => {
            let hunk = contents(path.unwrap_or_default(), text, text.ends_with('\n'), span);
            let hunk = hunk.map(|hunk| whole_file::counted(hunk, *lines));
            Ok((Operation::Overwrite, hunk))
        }
        CallEdit::Delete { old } => {
            let hunk = old.map(|old| Hunk::new(string_lines::replacement(old, ""), span));
            Ok((Operation::Delete, hunk))
        }
        CallEdit::CopyOf { source } => Ok((Operation::CopyOf(PathClaim::written(*source)), None)),
        CallEdit::Rename { to } => Ok((Operation::Rename(PathClaim::written(*to)), None)),
        CallEdit::Other { found, expected } => Err(ParseError::new(at, found, expected.clone())),
        CallEdit::Edits { .. }
        | CallEdit::Shell { .. }
        | CallEdit::ShellInput { .. }
        | CallEdit::JsonPatch => Err(no_edit(at)),
    }
}

/// Code of a file in which marks replace what stays.
fn sketch(text: &str, span: InputSpan) -> Hunk {
    let mut hunk = Hunk::new(string_lines::replacement("", text), span);
    hunk.extent = Extent::Sketch;
    hunk
}

fn no_edit(at: LineIdx) -> ParseError {
    ParseError::new(at, "a text without an edit", "a diff or a patch")
}

/// The two halves of a replacement. The line break behind a text for which there is no new one stays, unless the tool removes it.
fn replacement(old: &str, new: &str, removes_line: bool) -> Body {
    let mut body = string_lines::replacement(old, new);
    if new.is_empty() && !old.ends_with('\n') && !removes_line {
        body.postimage.push(String::new());
    }
    body
}

/// The hunk of a text at the end of a file.
fn appended(text: &str, span: InputSpan) -> Hunk {
    let body = Body {
        preimage: Vec::new(),
        postimage: string_lines::whole(text),
    };
    let mut hunk = Hunk::new(body, span);
    hunk.extent = Extent::Text;
    hunk.at_end = true;
    hunk.final_newline = stated_end(text.ends_with('\n'));
    hunk.endings = string_lines::endings(text);
    hunk
}

/// The hunk of new lines at the end of a file, which keeps its end if they have none.
fn appended_lines(text: &str, span: InputSpan) -> Hunk {
    let mut hunk = appended(text, span);
    hunk.extent = Extent::Lines;
    if hunk.final_newline == FinalNewline::Remove {
        hunk.final_newline = FinalNewline::Keep;
    }
    hunk
}

/// The statement of a text about the end of the file that it reaches.
fn stated_end(ends: bool) -> FinalNewline {
    if ends {
        FinalNewline::Add
    } else {
        FinalNewline::Remove
    }
}

/// The hunk of new lines after a line, which may be 0.
fn insertion(after: usize, text: &str, span: InputSpan) -> Hunk {
    let mut body = string_lines::replacement("", text);
    if body.postimage.is_empty() {
        body.postimage.push(String::new());
    }
    let mut hunk = Hunk::new(body, span);
    hunk.hint = LineNo::new(after.saturating_add(1));
    hunk.extent = Extent::Insertion;
    if text.ends_with('\n') {
        hunk.final_newline = FinalNewline::Add;
    }
    hunk
}

/// The hunk of lines that are named by their hashes.
fn hashed(
    edit: LineEdit,
    first: &str,
    last: Option<&str>,
    lines: &[&str],
    span: InputSpan,
) -> Hunk {
    let mut hunk = Hunk::new(added(lines), span);
    hunk.hint = LineHash::parse(first).map(|name| name.line);
    let anchors = [Some(first), last].into_iter().flatten();
    hunk.anchors = anchors.map(stated).collect();
    hunk.extent = Extent::Hashed(edit);
    hunk
}

/// The hunk of a regular expression and what replaces its match.
fn replaced_match(pattern: &str, new: &str, every: bool, span: InputSpan) -> Hunk {
    let lines: Vec<&str> = new.split('\n').collect();
    let mut hunk = Hunk::new(added(&lines), span);
    hunk.anchors.push(stated(pattern));
    hunk.extent = Extent::Pattern { every };
    hunk
}

/// A body without a preimage.
fn added(lines: &[&str]) -> Body {
    Body {
        preimage: Vec::new(),
        postimage: lines
            .iter()
            .map(|line| string_lines::without_cr(line))
            .collect(),
    }
}

/// The hunk of a JSON Patch, whose operations are carried out together.
pub(in crate::dialect) fn json_patch(lines: &[&str], span: InputSpan) -> Hunk {
    let mut hunk = Hunk::new(added(lines), span);
    hunk.extent = Extent::JsonPatch;
    hunk
}

/// The hunk of one cell of a notebook.
fn cell_hunk(
    cell: Option<&str>,
    edit: CellEdit,
    kind: Option<CellKind>,
    source: &str,
    span: InputSpan,
) -> Hunk {
    let body = Body {
        preimage: Vec::new(),
        postimage: source.split('\n').map(str::to_owned).collect(),
    };
    let mut hunk = Hunk::new(body, span);
    hunk.extent = Extent::Cell { edit, kind };
    hunk.anchors.extend(cell.map(stated));
    hunk
}

/// An anchor that the author states.
fn stated(text: &str) -> Anchor {
    Anchor {
        text: text.to_owned(),
        strength: AnchorStrength::Stated,
    }
}

/// The one hunk of a file's whole text, whose last line has an end or not.
fn contents(path: &str, text: &str, ends: bool, span: InputSpan) -> Option<Hunk> {
    let (body, other_readings) = whole_file::readings(path, string_lines::whole(text));
    (!text.is_empty()).then(|| Hunk {
        other_readings,
        final_newline: stated_end(ends),
        endings: string_lines::endings(text),
        ..Hunk::new(body, span)
    })
}
