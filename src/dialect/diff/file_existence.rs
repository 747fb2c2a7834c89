//! Files that come or go: what the hunks of a diff may say of them.

use std::ops::Range;

use super::hunk_header;
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{Body, FinalNewline, Hunk};
use crate::text::LineIdx;

/// The one hunk of a new file: its added lines. An empty line among them is one that lost its `+`.
///
/// If the lines of the diff itself end with `\n`, a carriage return before the end of an added line is part of the new file.
pub(super) fn created(
    input: &Input,
    lines: &Range<LineIdx>,
    hunks: Vec<Hunk>,
) -> Result<Vec<Hunk>, ParseError> {
    let mut whole: Option<Hunk> = None;
    for hunk in hunks {
        if hunk.body.preimage.iter().any(|line| !line.is_empty()) {
            let found = "old lines in a new file";
            return Err(ParseError::new(
                lines.start,
                found,
                "lines that begin with '+'",
            ));
        }
        let whole =
            whole.get_or_insert_with(|| Hunk::new(Body::default(), input.span(lines.clone())));
        whole.miscount = hunk.miscount;
        whole.body.postimage.extend(hunk.body.postimage);
        whole.final_newline = match hunk.final_newline {
            FinalNewline::Remove => FinalNewline::Remove,
            FinalNewline::Keep | FinalNewline::Add => FinalNewline::Keep,
        };
    }
    if let Some(whole) = &mut whole {
        keep_returns(input, lines, &mut whole.body.postimage);
    }
    Ok(whole.into_iter().collect())
}

/// Gives the lines of a new file the carriage returns that the lines of the diff's headers do not have.
fn keep_returns(input: &Input, lines: &Range<LineIdx>, added: &mut [String]) {
    let is_header = |at: &LineIdx| input.line(*at).is_some_and(hunk_header::is_header);
    let Some(header) = lines.clone().find(is_header) else {
        return;
    };
    if input.has_return(header) {
        return;
    }
    let is_blank = |at: &LineIdx| input.line(*at).is_some_and(str::is_empty);
    let is_added = |at: &LineIdx| input.line(*at).is_some_and(|line| line.starts_with('+'));
    let mut own: Vec<LineIdx> = (header..lines.end)
        .filter(|at| is_added(at) || is_blank(at))
        .collect();
    // Blank lines at the end part the diff from what follows.
    while own.len() > added.len() && own.pop_if(|at| is_blank(at)).is_some() {}
    if own.len() == added.len() {
        for (line, at) in added.iter_mut().zip(own) {
            if input.has_return(at) {
                line.push('\r');
            }
        }
    }
}

/// The hunks of a file that goes: the text that it is expected to hold.
pub(super) fn deleted(lines: &Range<LineIdx>, hunks: Vec<Hunk>) -> Result<Vec<Hunk>, ParseError> {
    if hunks.iter().any(|hunk| !hunk.body.postimage.is_empty()) {
        let found = "lines that stay in a deleted file";
        return Err(ParseError::new(
            lines.start,
            found,
            "lines that begin with '-'",
        ));
    }
    Ok(hunks)
}
