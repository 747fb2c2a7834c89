//! One line of text painted into cells: colours of tokens, emphasis, matches and selection in layers.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::cells::{put, write};
use crate::ui::glyphs;
use crate::ui::glyphs::{Glyph, GlyphKind, glyphs_beyond, glyphs_from, wrapped_part};
use crate::ui::highlight::LineTokens;
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::state::column_index::ColumnIndex;

/// Blank as wide as a Han character.
const WIDE_BLANK: &str = "\u{3000}";

/// A line of text and everything that is to be seen in it.
pub(crate) struct TextLine<'a> {
    pub(crate) look: &'a DisplaySettings,
    pub(crate) text: &'a str,
    /// The style of the whole line.
    pub(crate) base: Style,
    pub(crate) tokens: Option<&'a LineTokens>,
    /// Ranges of bytes with a style, each layer over the one before; ranges of a layer are in order and apart.
    pub(crate) layers: Vec<(&'a [Range<usize>], Style)>,
    /// Bytes in which the line differs from its other side, and the style of the sign behind which they are hidden.
    pub(crate) differs: Option<(Range<usize>, Style)>,
    /// The byte from which on blanks are shown; the length of the text for none.
    pub(crate) blanks_from: usize,
    /// Blanks in which the line differs from its other side, in order: they are shown, and do not step back.
    pub(crate) blanks: &'a [Range<usize>],
    /// Sign of the line's ending, shown after the text.
    pub(crate) ending: String,
    /// Column index of a long line.
    pub(crate) ruler: Option<&'a ColumnIndex>,
}

/// Part of a line to paint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinePart {
    /// One row, from a column on.
    From(usize),
    /// As many rows as there is room for, without the first few.
    Wrapped {
        /// The rows left out.
        skip: usize,
    },
}

impl TextLine<'_> {
    /// Paints into an area; cells right of the text keep the line's style.
    pub(crate) fn paint(&self, buffer: &mut Buffer, area: Rect, part: LinePart) {
        buffer.set_style(area, self.base);
        if area.is_empty() {
            return;
        }
        let mut pen = Pen::new(area, part, self.text);
        let mut styles = Styles::new(self);
        let (text, start) = match part {
            LinePart::From(column) => (self.text, column),
            LinePart::Wrapped { .. } => (wrapped_part(self.text), 0),
        };
        let known = self.ruler.map(|ruler| ruler.before(start));
        let glyphs: Box<dyn Iterator<Item = Glyph>> = match known {
            Some(known) => Box::new(glyphs_beyond(text, known, start)),
            None => Box::new(glyphs_from(text, start)),
        };
        let mut shown: Option<Range<usize>> = None;
        for glyph in glyphs {
            let style = styles.at(&glyph);
            match pen.place(glyph.column, glyph.width) {
                Some(at) => {
                    let first = shown.map_or(glyph.bytes.start, |shown| shown.start);
                    shown = Some(first..glyph.bytes.end);
                    self.glyph(buffer, area, at, &glyph, style);
                }
                None if pen.is_done() => break,
                None => (),
            }
        }
        if text.len() == self.text.len() {
            self.after(buffer, &mut pen);
        }
        if part != (LinePart::Wrapped { skip: 0 }) {
            self.more(buffer, area, part, &pen, &shown.unwrap_or(0..0));
        }
    }

    fn glyph(&self, buffer: &mut Buffer, area: Rect, at: Position, glyph: &Glyph, style: Style) {
        let signs = &self.look.signs;
        let sign = match (glyph.kind, glyph.text.as_ref()) {
            (GlyphKind::Tab, _) => Some(signs.tab),
            (GlyphKind::Plain, " ") => Some(signs.blank),
            (GlyphKind::Plain, WIDE_BLANK) => Some(signs.wide_blank),
            (GlyphKind::Plain | GlyphKind::Escaped, _) => None,
        };
        let sign = sign.filter(|_| self.shows_blank(glyph.bytes.start));
        let (sign, style) = match (glyph.kind, sign) {
            (_, Some(sign)) if self.differs_in_blank(glyph.bytes.start) => (sign, style),
            // On another ground than the line's, what is quiet might not be legible.
            (_, Some(sign)) if style.bg != self.base.bg => (sign, style),
            (_, Some(sign)) => (sign, style.patch(self.look.theme.quiet)),
            (GlyphKind::Escaped, None) => {
                (glyph.text.as_ref(), style.patch(self.look.theme.attention))
            }
            (GlyphKind::Plain | GlyphKind::Tab, None) => (glyph.text.as_ref(), style),
        };
        if glyph.kind == GlyphKind::Escaped {
            let rest = Rect {
                x: at.x,
                y: at.y,
                width: area.right() - at.x,
                height: 1,
            };
            write(buffer, rest, &[Span::styled(sign, style)]);
            return;
        }
        put(buffer, at, sign, style);
        for x in at.x + 1..(at.x + cells(glyph.width)).min(area.right()) {
            if let Some(cell) = buffer.cell_mut(Position { x, y: at.y }) {
                cell.set_symbol(" ").set_style(style);
            }
        }
    }

    fn shows_blank(&self, byte: usize) -> bool {
        byte >= self.blanks_from || self.differs_in_blank(byte)
    }

    fn differs_in_blank(&self, byte: usize) -> bool {
        let next = self.blanks.partition_point(|range| range.end <= byte);
        let range = self.blanks.get(next);
        range.is_some_and(|range| range.contains(&byte))
    }

    /// Paints the ending after the text.
    fn after(&self, buffer: &mut Buffer, pen: &mut Pen) {
        if pen.is_done() {
            return;
        }
        let style = self.base.patch(self.look.theme.quiet);
        for (c, column) in self.ending.chars().zip(glyphs::width(self.text)..) {
            if let Some(at) = pen.place(column, 1) {
                put(buffer, at, c.encode_utf8(&mut [0; 4]), style);
            }
        }
    }

    /// Signs that the line continues beyond the `shown` bytes; in the style of a difference or a match that is hidden there.
    fn more(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        part: LinePart,
        pen: &Pen,
        shown: &Range<usize>,
    ) {
        if !matches!(part, LinePart::From(_)) {
            return;
        }
        let quiet = self.base.patch(self.look.theme.quiet);
        let hidden = |beyond: &dyn Fn(&Range<usize>) -> bool| {
            let layers = self.layers.iter().rev();
            let mut hidden = layers.filter(|(ranges, _)| ranges.iter().any(beyond));
            let bold = |style: &Style| self.base.patch(*style).add_modifier(Modifier::BOLD);
            let differs = self.differs.as_ref().filter(|(range, _)| beyond(range));
            let style = hidden.next().map(|(_, style)| style);
            let style = style.or(differs.map(|(_, style)| style));
            style.map_or(quiet, bold)
        };
        if part != LinePart::From(0) && !self.text.is_empty() {
            let style = hidden(&|range| range.start < shown.start);
            put(buffer, area.as_position(), self.look.signs.more_left, style);
        }
        if pen.is_done() {
            let style = hidden(&|range| range.end > shown.end);
            let last = Position {
                x: area.right() - 1,
                y: area.y,
            };
            // Half of a wide character would hide the sign.
            let before = Position {
                x: last.x.saturating_sub(1).max(area.x),
                ..last
            };
            let wide = buffer
                .cell(before)
                .is_some_and(|cell| glyphs::width(cell.symbol()) > 1);
            if wide && before != last {
                put(buffer, before, " ", self.base);
            }
            put(buffer, last, self.look.signs.more_right, style);
        }
    }
}

fn cells(width: usize) -> u16 {
    u16::try_from(width).unwrap_or(u16::MAX)
}

/// Positions of glyphs in an area.
struct Pen {
    area: Rect,
    part: LinePart,
    /// The row reached, the ones left out included.
    row: usize,
    /// The column that the row begins with.
    start: usize,
    /// The columns that the rows of a wrapped line begin with.
    breaks: Vec<usize>,
    done: bool,
}

impl Pen {
    fn new(area: Rect, part: LinePart, text: &str) -> Self {
        let (start, breaks) = match part {
            LinePart::From(column) => (column, Vec::new()),
            LinePart::Wrapped { .. } => (0, glyphs::breaks(text, area.width.into())),
        };
        Self {
            area,
            part,
            row: 0,
            start,
            breaks,
            done: false,
        }
    }

    /// Returns true if there is no room left.
    fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the cell of a glyph, or `None` if it is not visible.
    fn place(&mut self, column: usize, width: usize) -> Option<Position> {
        let room = usize::from(self.area.width);
        while let Some(&next) = self
            .breaks
            .get(self.row + 1)
            .filter(|&&next| next <= column)
        {
            self.row += 1;
            self.start = next;
        }
        if column + width > self.start + room {
            match self.part {
                LinePart::From(_) => {
                    self.done = true;
                    return None;
                }
                // The sign of the line's ending has no room behind the text.
                LinePart::Wrapped { .. } if column > self.start => {
                    self.row += 1;
                    self.start = column;
                }
                LinePart::Wrapped { .. } => (),
            }
        }
        let skip = if let LinePart::Wrapped { skip } = self.part {
            skip
        } else {
            0
        };
        let row = self.row.checked_sub(skip)?;
        if row >= usize::from(self.area.height) {
            self.done = true;
            return None;
        }
        let x = column.checked_sub(self.start)?;
        Some(Position {
            x: self.area.x + cells(x).min(self.area.width - 1),
            y: self.area.y + cells(row),
        })
    }
}

/// The style of each glyph, asked for from left to right.
struct Styles<'a> {
    line: &'a TextLine<'a>,
    run: usize,
    /// The range reached in each layer.
    ranges: Vec<usize>,
}

impl<'a> Styles<'a> {
    fn new(line: &'a TextLine<'a>) -> Self {
        Self {
            line,
            run: 0,
            ranges: vec![0; line.layers.len()],
        }
    }

    fn at(&mut self, glyph: &Glyph) -> Style {
        let byte = glyph.bytes.start;
        let mut style = self.line.base;
        // On a reversed ground a token's colour would be a ground of its own, and on one with a colour for its text not legible.
        let is_over = style.add_modifier.contains(Modifier::REVERSED) || style.fg.is_some();
        if let Some(LineTokens(runs)) = self.line.tokens.filter(|_| !is_over) {
            while runs.get(self.run).is_some_and(|run| run.end <= byte) {
                self.run += 1;
            }
            if let Some(run) = runs.get(self.run) {
                style = style.fg(self.line.look.theme.token(run.token));
            }
        }
        for ((ranges, over), reached) in self.line.layers.iter().zip(&mut self.ranges) {
            while ranges.get(*reached).is_some_and(|range| range.end <= byte) {
                *reached += 1;
            }
            if ranges
                .get(*reached)
                .is_some_and(|range| range.start <= byte)
            {
                style = style.patch(*over);
            }
        }
        // Dim text stays dim whatever its token.
        if self.line.base.add_modifier.contains(Modifier::DIM) {
            style = style.add_modifier(Modifier::DIM);
        }
        style
    }
}
