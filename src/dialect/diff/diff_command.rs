//! Diffs that name no file themselves: the file comes from the `diff` command above them, a name above them, or from outside.

use super::header_path;
use crate::dialect::dialect_trait::{Before, Section};
use crate::dialect::input::{Input, ReadReason};
use crate::dialect::markdown::file_name;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{FileChange, Hunk, Operation, PathClaim};
use crate::text::LineIdx;

/// The file and the line that names it, which is the diff's own first line if the name comes from elsewhere.
pub(super) fn file(input: &Input, at: LineIdx, before: &Before) -> (Option<PathClaim>, LineIdx) {
    let above = at.checked_sub(1).filter(|&above| above >= before.free);
    let command = above.and_then(|above| input.line(above)?.strip_prefix("diff "));
    if let (Some(command), Some(above)) = (command, above) {
        let names: Vec<&str> = command
            .split_whitespace()
            .filter(|word| !word.starts_with('-'))
            .collect();
        if let [old, new] = names[..] {
            return (header_path::claim(Some(old), Some(new)), above);
        }
    }
    if let Some(path) = input.path() {
        return (Some(PathClaim::plain(path)), at);
    }
    match file_name::above(input, at, before) {
        Some(name) => (Some(name.claim), name.at),
        None => (before.carried(), at),
    }
}

/// The section of a script that begins at a line: `read` reads its commands and moves the position to its end.
pub(super) fn script(
    dialect: &'static str,
    input: &Input,
    at: LineIdx,
    before: &Before,
    read: fn(&Input, &mut LineIdx) -> Result<Vec<Hunk>, ParseError>,
) -> Option<Section> {
    let (path, first) = file(input, at, before);
    if path.is_none() && before.path.is_none() && input.asked() == ReadReason::InTurn {
        return None;
    }
    let mut end = at;
    let script = read(input, &mut end);
    let lines = first..end;
    let named = path.clone().ok_or_else(|| {
        ParseError::new(
            at,
            "a script that names no file",
            "a file name above it, or `--path FILE`",
        )
    });
    let found = script
        .and_then(|hunks| Ok((hunks, named?)))
        .map(|(hunks, path)| FileChange {
            hunks,
            ..FileChange::new(path, Operation::Modify, dialect, input.span(lines.clone()))
        })
        .map_err(|error| error.into_problem(input, lines.clone(), dialect, path));
    Some(Section::of(lines, found))
}
