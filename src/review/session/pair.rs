//! Pairs removed lines with added lines.
//!
//! A change of `m` lines into `n` is shown, emphasised and decided in rows. Lines that resemble each other share a row,
//! found by the alignment with the greatest total similarity; a change too large for that is paired from the top.

use std::ops::Range;

use super::distance::distance;
use super::hunk::ChangedLine;
use crate::locate::Change;
use crate::text::{Document, LineIdx};

/// Above this many pairs to compare, lines are paired from the top.
const MOST_PAIRS: usize = 1024;
/// Minimum similarity of lines that share a row, unless they are at the same position.
const LIKE: f64 = 0.5;
/// Lines longer than this are not compared.
const LONGEST: usize = 400;

/// The rows of one change: `removed` base lines, and what comes in their place.
pub(in crate::review) fn pair(
    base: &Document,
    removed: Range<LineIdx>,
    added: Vec<String>,
) -> Vec<ChangedLine> {
    let pairs = match removed.len().saturating_mul(added.len()) {
        0 => Vec::new(),
        n if n > MOST_PAIRS || removed.len() == added.len() && n == 1 => {
            in_order(removed.len(), added.len())
        }
        _ => alike(base, &removed, &added),
    };
    let mut rows = Vec::with_capacity(removed.len().max(added.len()));
    let (mut old, mut new) = (0, 0);
    let mut added: Vec<Option<String>> = added.into_iter().map(Some).collect();
    let ends = [(removed.len(), added.len())];
    for (pair, (pair_old, pair_new)) in pairs.iter().chain(&ends).enumerate() {
        // Between two pairs, what is left over on both sides shares rows from the top.
        while old < *pair_old || new < *pair_new {
            let (goes, comes) = (old < *pair_old, new < *pair_new);
            let adds = if comes { added[new].take() } else { None };
            rows.push(ChangedLine {
                at: removed.start + old,
                removes: goes,
                adds,
            });
            old += usize::from(goes);
            new += usize::from(comes);
        }
        if pair < pairs.len() {
            rows.push(ChangedLine {
                at: removed.start + old,
                removes: true,
                adds: added[new].take(),
            });
            old += 1;
            new += 1;
        }
    }
    rows
}

/// The rows of a change that was placed in a text, without those that put a line in its own place. At the end of the text such a
/// row may change the newline, so all rows stay.
pub(in crate::review) fn pair_placed(base: &Document, change: &Change) -> Vec<ChangedLine> {
    let mut rows = pair(base, change.lines.clone(), change.with.clone());
    let stays = |row: &ChangedLine| row.removes && row.adds.as_deref() == Some(base.line(row.at));
    if change.lines.end < base.len() && !rows.iter().all(stays) {
        rows.retain(|row| !stays(row));
    }
    rows
}

fn in_order(removed: usize, added: usize) -> Vec<(usize, usize)> {
    (0..removed.min(added)).map(|i| (i, i)).collect()
}

/// The pairs of the best alignment, by dynamic programming over total similarity.
fn alike(base: &Document, removed: &Range<LineIdx>, added: &[String]) -> Vec<(usize, usize)> {
    let (rows, columns) = (removed.len(), added.len());
    let likeness: Vec<f64> = removed
        .clone()
        .flat_map(|old| added.iter().map(move |new| similarity(base.line(old), new)))
        .collect();
    let mut best = vec![0.0_f64; (rows + 1) * (columns + 1)];
    let at = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let like = likeness[row * columns + column];
            let together = if like >= LIKE {
                best[at(row + 1, column + 1)] + like
            } else {
                0.0
            };
            best[at(row, column)] = together
                .max(best[at(row + 1, column)])
                .max(best[at(row, column + 1)]);
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let here = best[at(row, column)];
        let like = likeness[row * columns + column];
        if like >= LIKE && (best[at(row + 1, column + 1)] + like - here).abs() < 1e-9 {
            pairs.push((row, column));
            row += 1;
            column += 1;
        } else if best[at(row + 1, column)] >= best[at(row, column + 1)] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}

/// Returns the similarity of two lines, in `0..=1`; 0 if it is certain that it is below [`LIKE`].
fn similarity(old: &str, new: &str) -> f64 {
    let (old, new) = (old.trim(), new.trim());
    if old == new {
        return 1.0;
    }
    if old.is_empty() || new.is_empty() || old.len().max(new.len()) > LONGEST {
        return 0.0;
    }
    let (a, b) = (old.chars().count(), new.chars().count());
    let longer = a.max(b);
    // The distance is at least the difference of the lengths: such lines are not alike.
    if 2 * a.abs_diff(b) > longer {
        return 0.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "both are at most LONGEST")]
    let part = distance(old, new) as f64 / longer as f64;
    1.0 - part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(removed: &str, added: &str, expected: &str) {
        let base = Document::from_text(removed.replace('|', "\n"));
        let added = added
            .split('|')
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let rows = pair(&base, 0..base.len(), added);
        let shown: Vec<String> = rows
            .iter()
            .map(|row| {
                let old = if row.removes { base.line(row.at) } else { "" };
                format!("{old}~{}", row.adds.as_deref().unwrap_or_default())
            })
            .collect();
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn lines_that_resemble_each_other_share_a_row() {
        check("", "a|b", "~a ~b");
        check("a|b", "", "a~ b~");
        check("a", "b", "a~b");
        check(
            "let x = 1;",
            "// why|let x = 2;",
            "~// why let x = 1;~let x = 2;",
        );
        check(
            "let x = 1;|let y = 1;",
            "let y = 2;",
            "let x = 1;~ let y = 1;~let y = 2;",
        );
        check("aaaa|bbbb", "cccc|dddd", "aaaa~cccc bbbb~dddd");
    }

    #[test]
    fn a_line_in_its_own_place_is_no_change() {
        let check = |removed: &str, added: &str, after: &str, expected: usize| {
            let base = Document::from_text(format!("{removed}|{after}").replace('|', "\n"));
            let change = Change {
                lines: 0..removed.split('|').count(),
                with: added.split('|').map(str::to_owned).collect(),
            };
            let rows = pair_placed(&base, &change);
            assert_eq!(rows.len(), expected, "{removed} {added}");
        };
        check("a|same|c", "b|same|d", "end", 2);
        check("same|c", "new|same|d", "end", 2);
        check("same|c", "same|c", "end", 2);
        let base = Document::from_text("a\nsame");
        let change = Change {
            lines: 0..2,
            with: vec!["b".to_owned(), "same".to_owned()],
        };
        assert_eq!(pair_placed(&base, &change).len(), 2, "at the end");
    }
}
