//! Lines that enclose a line, judged by indentation as a reader would, and places described by them.

use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::Place;
use crate::text::{Document, LineIdx, LineNo, columns, indent_of};

/// Maximum number of lines to search upwards: a scope farther away is of little help, and the search stays cheap.
const FARTHEST: usize = 5000;
/// Tab width for the comparison of indentations, in columns.
pub(crate) const TAB_WIDTH: usize = 4;
/// Maximum number of ambiguous places that are reported with the line that encloses them.
const MAX_SCOPES: usize = 20;

/// Returns the lines that enclose a line, the innermost first: each is the nearest line above that is indented less than the
/// one before it. Lines that begin with a closing bracket enclose nothing, and an opening bracket alone belongs to the line above.
pub fn enclosing(document: &Document, line: LineIdx) -> impl Iterator<Item = LineIdx> {
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
            if here >= depth || text.trim_start().starts_with(['}', ')', ']']) {
                continue;
            }
            if matches!(text.trim(), "{" | "(" | "[") {
                depth = here + 1;
                continue;
            }
            depth = here;
            return Some(at);
        }
        None
    })
}

/// Returns the indentation of a line, in columns; for a blank one, that of the next that is not.
pub fn depth_of(document: &Document, line: LineIdx) -> usize {
    let solid = (line..document.len())
        .take(FARTHEST)
        .find(|&idx| !is_blank(document.line(idx)));
    solid.map_or(0, |idx| columns(indent_of(document.line(idx)), TAB_WIDTH))
}

/// Returns the places of some matches, as they are reported.
pub(crate) fn places(document: &Document, matches: &[Match]) -> Vec<Place> {
    let to_nearest = |(nth, matched): (usize, &Match)| {
        let start = matched.lines.start;
        if nth < MAX_SCOPES {
            return place(document, start);
        }
        Place {
            line: LineNo::from_idx(start),
            scope: None,
        }
    };
    matches.iter().enumerate().map(to_nearest).collect()
}

/// Returns a place as it is reported: its line and the line that encloses it.
pub(crate) fn place(document: &Document, line: LineIdx) -> Place {
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
        let check = |text, line, expected: &[LineIdx]| {
            let document = Document::from_text(text);
            let found: Vec<LineIdx> = enclosing(&document, line).collect();
            assert_eq!(found, expected, "line {line}");
        };
        let text = "mod a {\n    fn b() {\n        x\n    }\n\n    fn c() {\n        y\n    }\n}\n";
        check(text, 2, &[1, 0]);
        check(text, 6, &[5, 0]);
        check(text, 4, &[0]);
        check(text, 0, &[]);
        let text = "class A\n{\n    int b(int c,\n          int d)\n    {\n        if (c)\n        {\n            x\n        }\n    }\n}\n";
        check(text, 7, &[5, 2, 0]);
        check(text, 5, &[2, 0]);
    }
}
