//! Output of `diff` that merges both files into one text: `diff -y` in two columns, `diff -D NAME` with lines of the preprocessor.

use std::collections::HashMap;

use crate::dialect::input::Input;
use crate::dialect::markdown::fence::Fence;
use crate::text::LineIdx;

/// Finds a text of two columns with the marks of `diff -y` between them: `|` where they differ, `<` and `>` where one is empty.
/// Somewhere both are the same line, or a tab follows the mark, as in no table of Markdown.
///
/// <https://www.gnu.org/software/diffutils/manual/html_node/Side-by-Side.html>
pub(in crate::dialect) fn side_by_side(input: &Input) -> Option<LineIdx> {
    let lines = (0..input.len()).filter_map(|at| Some((at, input.line(at)?)));
    let lines: Vec<(LineIdx, &str)> = lines
        .filter(|(_, line)| !is_beside_rows(line))
        .take(MOST_ROWS)
        .collect();
    let rows: Vec<Vec<char>> = lines.iter().map(|(_, line)| expanded(line)).collect();
    let mut columns = (LEAST_COLUMN..MOST_COLUMN).filter(|at| {
        rows.iter().any(|row| is_mark(row, *at))
            && rows
                .iter()
                .all(|row| is_mark(row, *at) || is_same(row, *at))
    });
    let column = columns.next()?;
    let is_certain = rows.iter().any(|row| is_same(row, column))
        || lines.iter().any(|(_, line)| has_mark_of_diff(line));
    lines.first().map(|(at, _)| *at).filter(|_| is_certain)
}

/// Finds the first `#ifndef NAME` of two versions in one text. The lines that close it name it in a comment: `#else /* NAME */` and
/// `#endif /* NAME */`, or `#endif /* ! NAME */` for removed lines alone.
///
/// <https://www.gnu.org/software/diffutils/manual/html_node/If_002dthen_002delse.html>
pub(in crate::dialect) fn by_macro(input: &Input) -> Option<LineIdx> {
    // The next line below that closes a name, and `true` if that one shows two versions.
    let mut closed = HashMap::new();
    let mut first = None;
    for at in (0..input.len()).rev() {
        let line = input.line(at).unwrap_or_default();
        if let Some(name) = line.strip_prefix("#ifndef ") {
            if closed.get(name) == Some(&true) {
                first = Some(at);
            }
        } else if let Some((name, shows_versions)) = closing(line) {
            closed.insert(name, shows_versions);
        }
    }
    first
}

/// Returns the name in the comment of a line that closes it, and `true` unless it is that of any header, `#endif /* NAME */`.
fn closing(line: &str) -> Option<(&str, bool)> {
    let line = line.strip_suffix(" */")?;
    let split = line.strip_prefix("#else /* ");
    let removed = || line.strip_prefix("#endif /* ! ");
    if let Some(name) = split.or_else(removed) {
        return Some((name, true));
    }
    Some((line.strip_prefix("#endif /* ")?, false))
}

/// Returns `true` for a line beside the two columns: an empty one, a fence or a `diff` command.
fn is_beside_rows(line: &str) -> bool {
    line.trim().is_empty() || Fence::of(line).is_some() || line.starts_with("diff ")
}

/// Returns `true` for a mark of `diff -y` between blanks at a column.
fn is_mark(row: &[char], at: usize) -> bool {
    let around = [at - 1, at + 1];
    let is_alone = around
        .iter()
        .all(|at| row.get(*at).is_none_or(|c| *c == ' '));
    is_alone && matches!(row.get(at), Some('|' | '<' | '>'))
}

/// Returns `true` for a line with a mark in front of a tab or with `<` at its end.
fn has_mark_of_diff(line: &str) -> bool {
    let has = |mark: &str| line.trim_start().contains(mark);
    has("|\t") || has(">\t") || line.ends_with("\t<") || line.ends_with(" <")
}

/// The most lines of a text that are looked at as rows, and the columns in which the mark between two files may be.
const MOST_ROWS: usize = 400;
const LEAST_COLUMN: usize = 8;
const MOST_COLUMN: usize = 200;

/// Returns the characters of a line with blanks in place of its tabs.
fn expanded(line: &str) -> Vec<char> {
    let mut row = Vec::new();
    for c in line.chars() {
        if c == '\t' {
            row.resize((row.len() / 8 + 1) * 8, ' ');
        } else {
            row.push(c);
        }
    }
    row
}

/// Returns `true` for a row with the same text on both sides of a column.
fn is_same(row: &[char], column: usize) -> bool {
    let Some((left, right)) = row.split_at_checked(column) else {
        return false;
    };
    let left = trimmed(left);
    !left.is_empty() && left == trimmed(right)
}

/// Returns cells without the blanks around them.
fn trimmed(cells: &[char]) -> &[char] {
    let is_text = |c: &char| !c.is_whitespace();
    let first = cells.iter().position(is_text).unwrap_or(cells.len());
    let end = cells
        .iter()
        .rposition(is_text)
        .map_or(first, |last| last + 1);
    &cells[first..end]
}
