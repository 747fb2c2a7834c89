//! Files that come or go: what the hunks of a diff may say of them.

use std::ops::Range;

use super::Input;
use super::fault::Fault;
use crate::proposal::{Body, FinalNewline, Hunk};
use crate::text::LineIdx;

/// The one hunk of a new file: its added lines. An empty line among them is one that lost its `+`.
pub(super) fn created(
    input: &Input,
    lines: &Range<LineIdx>,
    hunks: Vec<Hunk>,
) -> Result<Vec<Hunk>, Fault> {
    let mut whole: Option<Hunk> = None;
    for hunk in hunks {
        if hunk.body.preimage.iter().any(|line| !line.is_empty()) {
            let found = "old lines in a new file";
            return Err(Fault::new(lines.start, found, "lines that begin with '+'"));
        }
        let whole =
            whole.get_or_insert_with(|| Hunk::new(Body::default(), input.span(lines.clone())));
        whole.body.postimage.extend(hunk.body.postimage);
        whole.final_newline = match hunk.final_newline {
            FinalNewline::Remove => FinalNewline::Remove,
            FinalNewline::Keep | FinalNewline::Add => FinalNewline::Keep,
        };
    }
    Ok(whole.into_iter().collect())
}

/// The hunks of a file that goes: the text that it is expected to hold.
pub(super) fn deleted(lines: &Range<LineIdx>, hunks: Vec<Hunk>) -> Result<Vec<Hunk>, Fault> {
    if hunks.iter().any(|hunk| !hunk.body.postimage.is_empty()) {
        let found = "lines that stay in a deleted file";
        return Err(Fault::new(lines.start, found, "lines that begin with '-'"));
    }
    Ok(hunks)
}
