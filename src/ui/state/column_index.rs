//! Column indexes of long lines, so that drawing a part of a line does not walk through all of it.

use rustc_hash::FxHashMap;

use crate::review::ReviewSession;
use crate::text::LineIdx;
use crate::ui::glyphs::{self, glyphs};
use crate::ui::highlight::{Half, TextSource};

/// Lines shorter than this many bytes are walked through.
const LONG: usize = 2048;
/// Glyphs from one mark to the next.
const APART: usize = 256;
/// More lines than this are not remembered.
const MOST: usize = 2000;

/// Places in a line: the byte and the column of every so many glyphs, from the first on.
#[derive(Debug, Clone)]
pub struct ColumnIndex {
    marks: Vec<(usize, usize)>,
    width: usize,
}

impl ColumnIndex {
    /// Measures a line.
    pub fn of(line: &str) -> Self {
        let mut marks = Vec::with_capacity(line.len() / APART / 2 + 1);
        let mut width = 0;
        for (n, glyph) in glyphs(line).enumerate() {
            if n % APART == 0 {
                marks.push((glyph.bytes.start, glyph.column));
            }
            width = glyph.column + glyph.width;
        }
        Self { marks, width }
    }

    /// The columns of the line.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The byte and the column of a glyph at a column or not far before it.
    pub fn before(&self, column: usize) -> (usize, usize) {
        let after = self.marks.partition_point(|&(_, at)| at <= column);
        after.checked_sub(1).map_or((0, 0), |mark| self.marks[mark])
    }
}

/// The rulers of the long lines that were seen.
#[derive(Debug, Default)]
pub struct ColumnIndexes {
    lines: FxHashMap<(TextSource, LineIdx), (u64, ColumnIndex)>,
}

impl ColumnIndexes {
    /// Measures a line, unless it is short or was measured.
    pub fn prepare(&mut self, session: &ReviewSession, source: TextSource, line: LineIdx) {
        let Some(file) = session.files.get(source.file) else {
            return;
        };
        let text = match source.half {
            Half::Base => file.base.line(line),
            Half::Proposed => file.yours().line(line),
            Half::Result => return,
        };
        let known = |(of, _): &(u64, ColumnIndex)| *of == file.revision();
        if text.len() < LONG || self.lines.get(&(source, line)).is_some_and(known) {
            return;
        }
        if self.lines.len() > MOST {
            self.lines.clear();
        }
        let ruler = ColumnIndex::of(text);
        self.lines.insert((source, line), (file.revision(), ruler));
    }

    /// The ruler of a line, if it is long.
    pub fn line(&self, source: TextSource, line: LineIdx, revision: u64) -> Option<&ColumnIndex> {
        let (of, ruler) = self.lines.get(&(source, line))?;
        (*of == revision).then_some(ruler)
    }

    /// The columns of a line.
    pub fn width(&self, source: TextSource, line: LineIdx, revision: u64, text: &str) -> usize {
        let ruler = self.line(source, line, revision);
        ruler.map_or_else(|| glyphs::width(text), ColumnIndex::width)
    }

    /// Forgets all lines: they are others now.
    pub fn forget(&mut self) {
        self.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruler_leads_where_a_walk_would() {
        let line = "日本e\u{301}\tx👩‍👩‍👧y".repeat(400);
        let ruler = ColumnIndex::of(&line);
        assert_eq!(ruler.width(), glyphs::width(&line));
        for column in [0, 1, 77, 1000, 3001, ruler.width()] {
            let walked = glyphs::glyphs_from(&line, column).next();
            let (byte, at) = ruler.before(column);
            assert!(at <= column && column - at < 8 * APART);
            let measured = glyphs::glyphs_beyond(&line, (byte, at), column).next();
            assert_eq!(measured, walked, "{column}");
        }
    }
}
