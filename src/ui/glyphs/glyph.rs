//! A line of text as the screen shows it: graphemes with their columns, tabs as far as they reach, and everything that
//! would not be seen, or would make the line read otherwise than it is, made visible.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::terminal_width::terminal_width;
use crate::text::{misleads, visible};

/// Width of a tab stop in columns.
pub const TAB_WIDTH: usize = 4;
/// The most bytes of a line that are shown where long lines are broken.
const MOST_WRAPPED: usize = 1 << 14;

/// Kinds of glyphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlyphKind {
    /// Shown as it is.
    Plain,
    /// A tab: shown as blanks.
    Tab,
    /// Not to be seen, or not to be trusted: shown by a sign or by its number.
    Escaped,
}

/// One grapheme of a line as the screen shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyph<'a> {
    /// Bytes of the line that the glyph shows.
    pub bytes: Range<usize>,
    /// Text on the screen.
    pub text: Cow<'a, str>,
    /// Kind.
    pub kind: GlyphKind,
    /// The column of its first cell.
    pub column: usize,
    /// The number of its cells; never 0.
    pub width: usize,
}

/// The glyphs of a line, from left to right.
pub struct Glyphs<'a> {
    line: &'a str,
    at: usize,
    column: usize,
}

/// The glyphs of a line, from left to right.
pub fn glyphs(line: &str) -> Glyphs<'_> {
    Glyphs {
        line,
        at: 0,
        column: 0,
    }
}

/// The glyphs of a line from the one that covers a column. The walk there is skipped where nothing is wider than a byte.
pub fn glyphs_from(line: &str, column: usize) -> impl Iterator<Item = Glyph<'_>> {
    let start = if column > 0 && is_simple(line) {
        column.min(line.len())
    } else {
        0
    };
    let glyphs = Glyphs {
        line,
        at: start,
        column: start,
    };
    glyphs.skip_while(move |glyph| glyph.column + glyph.width <= column)
}

/// Returns the glyphs from a column on, starting at a glyph with a known byte and column.
pub fn glyphs_beyond(
    line: &str,
    (at, start): (usize, usize),
    column: usize,
) -> impl Iterator<Item = Glyph<'_>> {
    let glyphs = Glyphs {
        line,
        at,
        column: start,
    };
    glyphs.skip_while(move |glyph| glyph.column + glyph.width <= column)
}

impl<'a> Iterator for Glyphs<'a> {
    type Item = Glyph<'a>;

    fn next(&mut self) -> Option<Glyph<'a>> {
        let grapheme = self.grapheme()?;
        let column = self.column;
        let (text, kind, width) = show(grapheme, column);
        let bytes = self.at..self.at + grapheme.len();
        self.at = bytes.end;
        self.column += width;
        Some(Glyph {
            bytes,
            text,
            kind,
            column,
            width,
        })
    }
}

impl<'a> Glyphs<'a> {
    fn grapheme(&self) -> Option<&'a str> {
        let rest = &self.line[self.at..];
        match rest.as_bytes() {
            [] => None,
            // Between two ASCII characters there is always a border, but for `\r\n`.
            [b' '..=b'~'] | [b' '..=b'~', 0..0x80, ..] => Some(&rest[..1]),
            // So there is between two characters of scripts that join nothing.
            _ => {
                let mut chars = rest.chars();
                let plain = chars.next().filter(|&c| is_plain_wide(c));
                match (plain, chars.next()) {
                    (Some(c), None) => Some(&rest[..c.len_utf8()]),
                    (Some(c), Some(next)) if is_plain_wide(next) || next.is_ascii_graphic() => {
                        Some(&rest[..c.len_utf8()])
                    }
                    (Some(_) | None, _) => rest.graphemes(true).next(),
                }
            }
        }
    }
}

fn show(grapheme: &str, column: usize) -> (Cow<'_, str>, GlyphKind, usize) {
    if let [b' '..=b'~'] = grapheme.as_bytes() {
        return (Cow::Borrowed(grapheme), GlyphKind::Plain, 1);
    }
    if grapheme == "\t" {
        let width = TAB_WIDTH - column % TAB_WIDTH;
        return (Cow::Borrowed(" "), GlyphKind::Tab, width);
    }
    if grapheme.chars().all(is_plain_wide) && grapheme.chars().nth(1).is_none() {
        return (Cow::Borrowed(grapheme), GlyphKind::Plain, 2);
    }
    let plain = terminal_width(grapheme);
    if plain > 0 && !misleads(grapheme) {
        return (Cow::Borrowed(grapheme), GlyphKind::Plain, plain);
    }
    let text: String = grapheme.chars().map(visible).collect();
    let width = terminal_width(&text).max(1);
    (Cow::Owned(text), GlyphKind::Escaped, width)
}

/// Returns true for kana and Han characters that are two columns wide and never combine.
fn is_plain_wide(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// The number of columns of a line.
pub fn width(line: &str) -> usize {
    if is_simple(line) {
        return line.len();
    }
    glyphs(line)
        .last()
        .map_or(0, |glyph| glyph.column + glyph.width)
}

/// The column of the glyph that holds a byte; that after the last one at the end of the line.
pub fn column_of(line: &str, byte: usize) -> usize {
    if is_simple(line) {
        return byte.min(line.len());
    }
    let glyph = glyphs(line).find(|glyph| glyph.bytes.end > byte);
    glyph.map_or_else(|| width(line), |glyph| glyph.column)
}

/// Returns the columns of the glyphs that hold some bytes, which are in order.
pub(crate) fn columns_of(line: &str, bytes: impl Iterator<Item = usize>) -> Vec<usize> {
    if is_simple(line) {
        return bytes.map(|byte| byte.min(line.len())).collect();
    }
    let mut glyphs = glyphs(line).peekable();
    let mut end = 0;
    bytes
        .map(|byte| {
            while let Some(glyph) = glyphs.next_if(|glyph| glyph.bytes.end <= byte) {
                end = glyph.column + glyph.width;
            }
            glyphs.peek().map_or(end, |glyph| glyph.column)
        })
        .collect()
}

/// The byte of the glyph that covers a column; the length of the line to the right of its end.
pub fn byte_at(line: &str, column: usize) -> usize {
    let glyph = glyphs_from(line, column).next();
    glyph.map_or(line.len(), |glyph| glyph.bytes.start)
}

/// The part of a line that is shown where long lines are broken: of one that fills many screens, the rest is left out.
pub fn wrapped_part(line: &str) -> &str {
    &line[..line.floor_char_boundary(MOST_WRAPPED)]
}

/// Returns the first column of every row that a line takes at a width; the first is 0. A row ends between words if that leaves at
/// most a quarter of it empty, else where it is full.
pub fn breaks(line: &str, room: usize) -> Vec<usize> {
    let (line, room) = (wrapped_part(line), room.max(1));
    let mut starts = vec![0];
    let mut start = 0;
    // The last column between two words in this row.
    let mut between = None;
    let mut before: Option<Glyph> = None;
    for glyph in glyphs(line) {
        if before
            .as_ref()
            .is_some_and(|before| is_between_words(before, &glyph))
        {
            between = Some(glyph.column);
        }
        if glyph.column + glyph.width > start + room && glyph.column > start {
            let least = start + room - room / 4;
            let end = between.filter(|&between| between >= least && between > start);
            start = end.unwrap_or(glyph.column);
            starts.push(start);
        }
        before = Some(glyph);
    }
    starts
}

/// Returns true if a row may end between two glyphs: behind a blank, behind punctuation before a word, and beside characters of scripts
/// without blanks. A row does not begin with a blank.
fn is_between_words(before: &Glyph, after: &Glyph) -> bool {
    let is_blank = |glyph: &Glyph| glyph.text.trim().is_empty();
    let is_word = |glyph: &Glyph| glyph.text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_wide = before.width > 1 || after.width > 1;
    let ends = is_blank(before) || is_wide || !is_word(before) && is_word(after);
    ends && !is_blank(after)
}

/// The number of rows a line takes at a width.
pub fn height(line: &str, room: usize) -> usize {
    let line = wrapped_part(line);
    if line.len() <= room && is_simple(line) {
        return 1;
    }
    breaks(line, room).len()
}

/// Returns true if every byte is visible ASCII, so that bytes, glyphs and columns are the same.
fn is_simple(line: &str) -> bool {
    line.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line as it is shown, each glyph in brackets with its column.
    #[track_caller]
    fn check(line: &str, shown: &str) {
        let found = glyphs(line).map(|glyph| format!("[{}]{}", glyph.text, glyph.column));
        assert_eq!(found.collect::<Vec<_>>().concat(), shown, "{line:?}");
    }

    #[test]
    fn glyphs_stand_in_their_columns() {
        check("ab", "[a]0[b]1");
        check("\ta\tb", "[ ]0[a]4[ ]5[b]8");
        check("日本", "[日]0[本]2");
        check("か\u{3099}か", "[か\u{3099}]0[か]2");
        check("漢\u{fe00}字a", "[漢\u{fe00}]0[字]2[a]4");
        check("e\u{301}x", "[e\u{301}]0[x]1");
        check("👩‍👩‍👧x", "[👩‍👩‍👧]0[x]2");
        check("\u{1b}[x", "[␛]0[[]1[x]2");
        check("a\u{202e}b", "[a]0[<202E>]1[b]7");
        check("\u{301}", "[<0301>]0");
        // What looks like a blank, or like nothing at all.
        check("a\u{a0}b", "[a]0[␣]1[b]2");
        check("a\u{3164}b", "[a]0[<3164>]1[b]7");
        check("日\u{3000}本", "[日]0[\u{3000}]2[本]4");
        // Letters smuggled behind another one, and a joiner with nothing to join.
        check("a\u{e0041}b", "[a<E0041>]0[b]8");
        check("a\u{200d}b", "[a<200D>]0[b]7");
        check("🎉\u{fe0f}\u{e0101}x", "[🎉<FE0F><E0101>]0[x]15");
        // What emoji and scripts are made of stays as it is.
        check(
            "🏴\u{e0067}\u{e0062}\u{e007f}x",
            "[🏴\u{e0067}\u{e0062}\u{e007f}]0[x]2",
        );
        check("❤\u{fe0f}x", "[❤\u{fe0f}]0[x]2");
        check("1\u{fe0f}\u{20e3}x", "[1\u{fe0f}\u{20e3}]0[x]2");
        check("क\u{200d}ष", "[क\u{200d}]0[ष]1");
        check("\r", "[␍]0");
    }

    #[test]
    fn bytes_and_columns_lead_to_each_other() {
        let line = "a\t日x";
        assert_eq!(column_of(line, 1), 1);
        assert_eq!(column_of(line, 2), 4);
        assert_eq!(column_of(line, 5), 6);
        assert_eq!(column_of(line, 6), 7);
        let bytes = [1, 2, 5, 6, 7, 9];
        let columns = bytes.map(|byte| column_of(line, byte));
        assert_eq!(columns_of(line, bytes.into_iter()), columns);
        assert_eq!(byte_at(line, 3), 1);
        assert_eq!(byte_at(line, 5), 2);
        assert_eq!(byte_at(line, 99), 6);
    }

    #[test]
    fn a_line_is_broken_before_what_does_not_fit() {
        assert_eq!(breaks("", 4), [0]);
        assert_eq!(breaks("abcdef", 4), [0, 4]);
        assert_eq!(breaks("abc日日", 4), [0, 3]);
        assert_eq!(breaks("日", 1), [0]);
        // Between words, where that costs at most a quarter of the row.
        assert_eq!(breaks("one two three", 9), [0, 8]);
        assert_eq!(breaks("one two three", 8), [0, 8]);
        assert_eq!(breaks("one two three", 11), [0, 11]);
        assert_eq!(breaks("f(alpha, beta)", 12), [0, 9]);
        assert_eq!(breaks("send(alpha_beta)", 8), [0, 8]);
        assert_eq!(breaks("日本語abc日本", 8), [0, 6]);
        assert_eq!(breaks("a   b", 4), [0, 4]);
        assert_eq!(breaks("value; // words", 8), [0, 7]);
        assert_eq!(breaks("a.value->other", 10), [0, 9]);
        let endless = "日".repeat(MOST_WRAPPED);
        assert_eq!(height(&endless, 100), (MOST_WRAPPED / 3).div_ceil(50));
        for (line, room) in [("", 3), ("abc", 3), ("abcd", 3), ("日日日", 4)] {
            assert_eq!(height(line, room), breaks(line, room).len(), "{line}");
        }
    }
}
