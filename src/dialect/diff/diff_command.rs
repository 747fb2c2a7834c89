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
        if names.len() < 2
            && let Some((path, first)) = in_index_line(input, above, before)
        {
            return (Some(path), first);
        }
    }
    if let Some((path, above)) = named_above(input, at, before) {
        return (Some(path), above);
    }
    if let Some(path) = input.path() {
        return (Some(PathClaim::plain(path)), at);
    }
    match file_name::above(input, at, before) {
        Some(name) => (Some(name.claim), name.at),
        None => (before.carried(), at),
    }
}

/// Returns the file in the `Index:` line above a `diff` command, and that line. The command of CVS has the name without its folders,
/// or none.
fn in_index_line(input: &Input, command: LineIdx, before: &Before) -> Option<(PathClaim, LineIdx)> {
    let lines = (before.free..command).rev().take(MOST_HEADER_LINES);
    let mut names = lines.filter_map(|at| Some((input.line(at)?.strip_prefix("Index: ")?, at)));
    let (name, at) = names.next()?;
    Some((PathClaim::plain(name.trim()), at))
}

/// The most lines between the `Index:` line of CVS and its `diff` command: a rule, the file of the repository, two revisions.
const MOST_HEADER_LINES: usize = 5;

/// Returns the file in the line above hunks, maybe behind a blank line, and that line.
pub(super) fn named_above(
    input: &Input,
    at: LineIdx,
    before: &Before,
) -> Option<(PathClaim, LineIdx)> {
    let is_text = |at: &LineIdx| input.line(*at).is_some_and(|line| !line.trim().is_empty());
    let above = (before.free..at).rev().take(2).find(is_text)?;
    Some((name_in(input.line(above)?)?, above))
}

/// Returns the file in a line that replaces the `---` and `+++` lines of a diff.
///
/// * `p4 diff`, `p4 diff -du`: `==== //depot/main/a.py#3 - /home/me/a.py ====`;
/// * `p4 describe -du`: `==== //depot/main/a.py#3 (text) ====`, a blank line, and the hunks. The folders of the depot that
///   the tree does not have are left out;
/// * `p4 diff2`: `==== //depot/main/a.py#3 (text) - //depot/main/a.py#5 (text) ==== content`, where both names are the same;
/// * `git apply --reject`: `diff a/src/a.py b/src/a.py`, a tab, and `(rejected hunks)`.
///
/// <https://help.perforce.com/helix-core/server-apps/cmdref/current/Content/CmdRef/p4_describe.html>,
/// `git/git apply.c` (`write_out_one_reject`).
fn name_in(line: &str) -> Option<PathClaim> {
    let line = line.trim_end();
    if let Some(names) = line.strip_prefix("diff ") {
        let (old, new) =
            header_path::git_sides(names.strip_suffix("(rejected hunks)")?.trim_end())?;
        return header_path::claim(Some(&old), Some(&new));
    }
    let (inner, kind) = line.strip_prefix("==== ")?.rsplit_once("====")?;
    let inner = inner.trim_end();
    let depot = inner.strip_prefix("//")?;
    let path = match depot.split_once(" - ") {
        Some((old, new)) if new.starts_with("//") => {
            let (old, new) = (revised(old)?, revised(&new[2..])?);
            (old == new).then_some(new)?
        }
        Some(_) if !kind.is_empty() => return None,
        Some((_, local)) => return Some(PathClaim::plain(local.trim())),
        None => revised(depot).filter(|_| kind.is_empty())?,
    };
    let (_, path) = path.split_once('/')?;
    let folders = path.match_indices('/');
    let shorter = folders.map(|(at, _)| path[at + 1..].to_owned());
    Some(PathClaim::with_others(path, shorter))
}

/// Returns the name of a file of a depot in front of its revision.
fn revised(file: &str) -> Option<&str> {
    Some(file.rsplit_once('#')?.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_above_the_hunks_may_name_the_file() {
        let check = |line: &str, expected: &str| {
            let found = name_in(line).map(|claim| claim.readings().collect::<Vec<_>>().join(" "));
            assert_eq!(found.unwrap_or_default(), expected, "{line}");
        };
        check(
            "==== //depot/main/a.py#3 - /home/me/a.py ====",
            "/home/me/a.py",
        );
        check("==== //depot/main/a.py#3 (text) ====", "main/a.py a.py");
        check(
            "diff a/src/a.py b/src/a.py\t(rejected hunks)",
            "src/a.py b/src/a.py a/src/a.py",
        );
        check(
            "==== //depot/main/a.py#1 (text) - //depot/main/a.py#2 (text) ==== content",
            "main/a.py a.py",
        );
        check(
            "==== //depot/main/a.py#1 (text) - //depot/rel/a.py#2 (text) ==== content",
            "",
        );
        check("==== a.py ====", "");
        check("diff a/src/a.py b/src/a.py", "");
    }
}
