//! The lines that enclose a line, judged by indentation as a reader would, and places as they are told by them.

use super::align::Match;
use super::fold::is_blank;
use super::place::Place;
use crate::text::{Document, LineIdx, LineNo, columns, indent_of};

/// Lines looked at upwards before giving up: a scope farther away says little, and the walk stays cheap.
const FARTHEST: usize = 5000;
/// Tabs count as this wide when indentations are compared.
const TAB_WIDTH: usize = 4;
/// Ambiguous places are told with what encloses them, up to this many.
const MOST_SCOPES: usize = 20;

/// The lines that enclose a line, the innermost first: each the nearest line above that is indented less than the one
/// before it. Lines of closing brackets enclose nothing.
pub(super) fn enclosing(document: &Document, line: LineIdx) -> impl Iterator<Item = LineIdx> {
    let lowest = line.saturating_sub(FARTHEST);
    let mut at = line;
    let mut depth = depth_of(document, line);
    std::iter::from_fn(move || {
        while at > lowest && depth > 0 {
            at -= 1;
            let text = document.line(at);
            if is_blank(text) {
                continue;
            }
            let here = columns(indent_of(text), TAB_WIDTH);
            if here < depth && !text.trim_start().starts_with(['}', ')', ']']) {
                depth = here;
                return Some(at);
            }
        }
        None
    })
}

/// The indentation of a line; for a blank one, that of the next that is not.
fn depth_of(document: &Document, line: LineIdx) -> usize {
    let solid = (line..document.len())
        .take(FARTHEST)
        .find(|&idx| !is_blank(document.line(idx)));
    solid.map_or(0, |idx| columns(indent_of(document.line(idx)), TAB_WIDTH))
}

/// The places of some matches as they are told.
pub(super) fn places(document: &Document, matches: &[Match]) -> Vec<Place> {
    let told = |(nth, matched): (usize, &Match)| {
        let start = matched.lines.start;
        if nth < MOST_SCOPES {
            return place(document, start);
        }
        Place {
            line: LineNo::from_idx(start),
            scope: None,
        }
    };
    matches.iter().enumerate().map(told).collect()
}

/// A place as it is told: by its line and what encloses it.
pub(super) fn place(document: &Document, line: LineIdx) -> Place {
    let scope = enclosing(document, line).next();
    Place {
        line: LineNo::from_idx(line),
        scope: scope.map(|outer| document.line(outer).trim().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_enclosed_by_what_is_indented_less() {
        let document = Document::from_text(
            "mod a {\n    fn b() {\n        x\n    }\n\n    fn c() {\n        y\n    }\n}\n",
        );
        let check = |line, expected: &[LineIdx]| {
            assert_eq!(
                enclosing(&document, line).collect::<Vec<_>>(),
                expected,
                "line {line}"
            );
        };
        check(2, &[1, 0]);
        check(6, &[5, 0]);
        check(4, &[0]);
        check(0, &[]);
    }
}
