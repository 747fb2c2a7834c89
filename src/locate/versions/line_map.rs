//! The lines of a text in a later version of it.

use std::ops::Range;

use crate::locate::matching::index::Index;
use crate::locate::versions::version_diff::Since;
use crate::text::{Document, LineIdx};

/// The lines of a text in a later version of it.
pub struct LineMap(Since);

impl LineMap {
    /// Compares two versions of a text.
    pub fn of(was: &Document, is: &Document) -> Self {
        Self(Since::of(&Index::new(was), &Index::new(is)))
    }

    /// Returns the first of some lines in the later version; `None` if they or the lines beside them have changed, or if equal lines
    /// leave open which of them have. An empty range is the place between two lines.
    pub fn unchanged(&self, lines: &Range<LineIdx>) -> Option<LineIdx> {
        self.0.lines_kept(lines).map(|lines| lines.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(was: &str, is: &str, lines: Range<LineIdx>, expected: Option<LineIdx>) {
        let text = |text: &str| Document::from_text(text.replace('|', "\n") + "\n");
        let map = LineMap::of(&text(was), &text(is));
        assert_eq!(map.unchanged(&lines), expected, "{was:?} {is:?} {lines:?}");
    }

    #[test]
    fn lines_are_found_where_they_have_moved() {
        check("a|b|c", "a|b|c", 1..2, Some(1));
        check("a|b|c", "new|a|b|c", 1..3, Some(2));
        check("a|b|c", "a|B|c", 1..2, None);
        check("a|b|c", "a|b|new|c", 1..3, None);
        // Between two lines, and at the edges.
        check("a|b", "new|a|b", 1..1, Some(2));
        check("a|b", "a|new|b", 1..1, None);
        check("a|b", "new|a|b", 0..0, None);
        check("a|b", "a|b|new", 2..2, None);
        check("a|b", "a|B", 0..0, Some(0));
        // Which of the equal lines came is not known.
        check("a|b|b|c", "a|b|b|b|c", 1..1, None);
    }
}
