//! Placement of a hunk at a line that a person chose.
//!
//! The block begins at the chosen line: if it matches there on any rung, the placement has the matched lines; else it is
//! aligned with the lines from there on. A line of the block without a partner there is not removed, and new lines take the
//! file's indentation as on any other rung.

use std::iter;

use crate::locate::forms::substring;
use crate::locate::hypotheses::search::aligned_from;
use crate::locate::matching::edit_script::{Script, with_final_newline};
use crate::locate::matching::index::Index;
use crate::locate::matching::ladder::{LADDER, on_rung};
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::placement::{Change, Chosen, Confidence, Differs, Placement, Rung};
use crate::proposal::{Body, Extent, FinalNewline, Hunk, is_elision};
use crate::text::{Document, LineIdx};

/// Returns the placement of a hunk that begins at a line of a file; one after the last is the end of the file. `None` for a
/// sketch, for an edit of a cell, and for a hunk whose halves leave lines out a different number of times, so that its effect
/// is not known.
///
/// A placement without changes means that the file has the result of the hunk there.
pub fn place_at(hunk: &Hunk, document: &Document, at: LineIdx) -> Option<Placement> {
    let at = at.min(document.len());
    let index = Index::new(document);
    let with = &hunk.body.postimage;
    match hunk.extent {
        // These have no lines to match, or name their lines themselves.
        Extent::Sketch
        | Extent::Cell { .. }
        | Extent::Hashed(_)
        | Extent::JsonPatch
        | Extent::Pattern { .. } => return None,
        Extent::Numbered(count) => {
            let lines = at..at.saturating_add(count).min(document.len());
            let change = Change {
                lines: lines.clone(),
                with: with.clone(),
            };
            return Some(placement(
                hunk,
                Match::straight(lines),
                Rung::Exact,
                vec![change],
            ));
        }
        Extent::Text | Extent::EveryText | Extent::Texts(_) => {
            if let Some((lines, (changes, final_newline))) = substring::changes_at(&index, hunk, at)
            {
                return Some(Placement {
                    final_newline,
                    ..placement(hunk, Match::straight(lines), Rung::Exact, changes)
                });
            }
        }
        Extent::Lines | Extent::Insertion | Extent::Span { .. } => (),
    }
    let bodies = || iter::once(&hunk.body).chain(&hunk.other_readings);
    let matching = bodies().find_map(|body| {
        let on = |rung: &Rung| {
            let found = on_rung(&index, body, *rung);
            let here = found.iter().find(|found| found.lines.start == at);
            here.map(|found| (body, found.clone(), *rung))
        };
        LADDER.iter().find_map(on)
    });
    let near = || {
        let aligned = |body: &'_ Body| aligned_from(&index, &body.preimage, at);
        let all = bodies().filter_map(|body| Some((body, aligned(body)?)));
        let best = all.max_by(|a, b| a.1.similarity.total_cmp(&b.1.similarity));
        best.map(|(body, found)| (body, found, Rung::Similar))
    };
    let (body, found, rung) = matching.or_else(near).unwrap_or_else(|| {
        let found = Match {
            lines: at..at,
            pairs: Pairs::Each(vec![None; hunk.body.preimage.len()]),
            similarity: 0.0,
        };
        (&hunk.body, found, Rung::Exact)
    });
    let left_out = |lines: &[String]| lines.iter().filter(|line| is_elision(line)).count();
    if left_out(&body.preimage) != left_out(&body.postimage) {
        return None;
    }
    let changes = Script::of_hunk(hunk, body).changes(body, &found, rung, &index);
    let changes = with_final_newline(
        joined(changes),
        hunk.final_newline,
        document,
        found.lines.end,
    );
    let forgiven = found.forgiven(document, &body.preimage, rung);
    let differs = not_removed(body, &found);
    Some(Placement {
        forgiven,
        differs,
        ..placement(hunk, found, rung, changes)
    })
}

fn placement(hunk: &Hunk, found: Match, rung: Rung, changes: Vec<Change>) -> Placement {
    let start = found.lines.start.cast_signed();
    Placement {
        offset: hunk.hint.map(|hint| start - hint.idx().cast_signed()),
        lines: found.lines,
        rung,
        confidence: Confidence::Hinted,
        chosen: Some(Chosen::Hand),
        version: None,
        doubt: None,
        similarity: found.similarity,
        differs: Box::default(),
        forgiven: Vec::new(),
        changes,
        final_newline: FinalNewline::Keep,
    }
}

/// Returns the lines that a block replaces and that have no partner in the file, so that they are not removed.
fn not_removed(body: &Body, found: &Match) -> Box<[Differs]> {
    let ops =
        similar::capture_diff_slices(similar::Algorithm::Myers, &body.preimage, &body.postimage);
    let replaced = ops.iter().filter(|op| op.tag() != similar::DiffTag::Equal);
    let lines = replaced.flat_map(similar::DiffOp::old_range);
    let missing = lines.filter(|&line| found.line_of(line).is_none());
    let differs = missing.map(|line| Differs {
        line: None,
        found: None,
        expected: Some(body.preimage[line].clone()),
    });
    differs.collect()
}

/// Merges changes that overlap or touch.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut apart: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match apart.last_mut() {
            Some(last) if last.lines.end >= change.lines.start => {
                last.lines.end = last.lines.end.max(change.lines.end);
                last.with.extend(change.with);
            }
            Some(_) | None => apart.push(change),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::shown;

    /// Checks the changes that a hunk makes to a file at a line, counted from 0.
    #[track_caller]
    fn check(file: &str, extent: Extent, edit: (&str, &str), at: LineIdx, expected: &str) {
        let document = Document::from_text(file.replace('|', "\n"));
        let placed = place_at(&shown::hunk(extent, edit.0, edit.1), &document, at);
        let shown = placed.map_or("none".to_owned(), |at| shown::changes(&at.changes));
        assert_eq!(shown, expected, "{file:?} {edit:?} at {at}");
    }

    #[test]
    fn a_block_stands_where_a_person_says() {
        use Extent::{Lines, Numbered, Sketch, Text};
        // One of several equal places.
        check("a|b|a|b", Lines, ("a|b", "a|x"), 0, "1-2:x");
        check("a|b|a|b", Lines, ("a|b", "a|x"), 2, "3-4:x");
        // Indented as the file is there.
        check(
            "if a {|    go();|}",
            Lines,
            ("go();", "go();|stop();"),
            1,
            "2-2:    stop();",
        );
        // Reworded: similar lines are replaced, others stay.
        check(
            "fn one() {|    call(one, 2);|}|",
            Lines,
            (
                "fn one() {|    call(one, 1);|    more();|}",
                "fn one() {|    called(1);|}",
            ),
            0,
            "1-2:    called(1);",
        );
        // Nothing similar: the new lines are added, and nothing is removed.
        check(
            "p|q|r",
            Lines,
            ("something else", "something new"),
            1,
            "1-1:something new",
        );
        check("p", Lines, ("", "new"), 9, "1-1:new");
        check("p|q", Lines, ("", "new"), 1, "1-1:new");
        check("f(a); f(a)|f(a)", Text, ("f(a)", "g(b)"), 1, "1-2:g(b)");
        check(
            "let x = f(a);|f(a)",
            Text,
            ("f(a)", "g(b)"),
            0,
            "0-1:let x = g(b);",
        );
        check("p|q|r", Numbered(2), ("", "x"), 1, "1-3:x");
        check("p|q|r", Sketch, ("", "x"), 1, "none");
        check("p|q|r", Lines, ("p|...|r", "p|x"), 0, "none");
        check("p|q|r", Lines, ("", ""), 0, "");
    }
}
