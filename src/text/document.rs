//! A file's text as lines, each with its own ending.
//!
//! A line ends at `\n`, as in git and `patch(1)`; a `\r` right before it belongs to the ending. A lone `\r`, a form feed
//! or U+2028 is an ordinary character of its line and so survives every edit beside it.

use std::ops::Range;

use super::encoding::{DecodeError, EncodeError, Encoding};
use super::number::LineIdx;

/// The line ending: a line feed, with a carriage return or not, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Nothing: the last line of a text without a final newline.
    None,
}

impl LineEnding {
    /// The characters of the ending.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::None => "",
        }
    }
}

/// The text of a file, with all that is needed to write it back unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    text: String,
    /// Byte offset of each line's first character.
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Document {
    /// Reads a file's bytes.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the bytes are not text or would not come back the same when encoded again.
    pub fn decode(bytes: Vec<u8>) -> Result<Self, DecodeError> {
        let (text, encoding) = Encoding::decode(bytes)?;
        Ok(Self {
            starts: line_starts(&text),
            text,
            encoding,
        })
    }

    /// A document of UTF-8 text without a byte order mark.
    pub fn from_text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            starts: line_starts(&text),
            text,
            encoding: Encoding::UTF_8,
        }
    }

    /// Returns an empty document whose text will be written in an encoding.
    pub(crate) fn empty_in(encoding: Encoding) -> Self {
        Self {
            encoding,
            ..Self::from_text("")
        }
    }

    /// Decodes the same bytes in another encoding; `None` if they are not text in it.
    pub(crate) fn recoded(&self, encoding: Encoding) -> Option<Self> {
        let bytes = self.encode(&self.text).ok()?;
        let text = encoding.decode_part(&bytes)?;
        Some(Self {
            encoding,
            ..Self::from_text(text)
        })
    }

    /// The bytes of `text`, a whole new text, in this document's encoding, with its byte order mark. If the document is ASCII
    /// and declares an encoding, they are in the one that the new text declares.
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if `text` holds a character that the encoding lacks.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, EncodeError> {
        self.encoding_for(text).encode(text)
    }

    /// The same for a text that is not needed any more.
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if `text` holds a character that the encoding lacks.
    pub fn encode_owned(&self, text: String) -> Result<Vec<u8>, EncodeError> {
        if self.encoding == Encoding::UTF_8 {
            return Ok(text.into_bytes());
        }
        self.encode(&text)
    }

    /// Returns the encoding in which a new text is written. A file that is made declares nothing before.
    fn encoding_for(&self, text: &str) -> Encoding {
        if self.text.is_ascii() && !self.text.is_empty() {
            self.encoding.redeclared(text)
        } else {
            self.encoding
        }
    }

    /// Returns the encoding of the file's bytes.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The file's bytes, if they are the text's own: UTF-8 without a byte order mark.
    pub fn utf8_bytes(&self) -> Option<&[u8]> {
        (self.encoding == Encoding::UTF_8).then_some(self.text.as_bytes())
    }

    /// The whole text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same, when nothing else of the document is needed any more.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The number of lines. An empty text has none.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns true if there is no line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A line without its ending; empty beyond the last line.
    pub fn line(&self, idx: LineIdx) -> &str {
        let line = self.raw_line(idx);
        &line[..line.len() - ending_of(line).as_str().len()]
    }

    /// Returns true if the document has these lines from a position on.
    pub(crate) fn has_lines(&self, first: LineIdx, lines: &[String]) -> bool {
        lines.len() <= self.len().saturating_sub(first)
            && (lines.iter().zip(first..)).all(|(line, at)| self.line(at) == line)
    }

    /// A line with its ending; empty beyond the last line.
    pub fn raw_line(&self, idx: LineIdx) -> &str {
        self.raw_lines(idx..idx + 1)
    }

    /// The text of a range of lines, endings included; positions beyond the last line count as the end.
    pub fn raw_lines(&self, range: Range<LineIdx>) -> &str {
        &self.text[self.bytes_of(range)]
    }

    /// Returns the bytes of a range of lines in the whole text.
    pub fn bytes_of(&self, range: Range<LineIdx>) -> Range<usize> {
        let at = |idx: LineIdx| self.starts.get(idx).copied().unwrap_or(self.text.len());
        at(range.start)..at(range.end.max(range.start))
    }

    /// Returns the line that holds a byte of the text.
    pub fn line_at(&self, byte: usize) -> LineIdx {
        self.starts
            .partition_point(|start| *start <= byte)
            .saturating_sub(1)
    }

    /// Returns the ending of a line.
    pub fn ending(&self, idx: LineIdx) -> LineEnding {
        ending_of(self.raw_line(idx))
    }

    /// All lines in order, without their endings.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        (0..self.len()).map(|idx| self.line(idx))
    }

    /// Returns true if the last line is terminated. An empty text counts as terminated: a line put into it gets an ending.
    pub fn has_final_newline(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    /// Returns true if its lines have endings, and all of them the same.
    pub(crate) fn has_one_ending(&self) -> bool {
        let mut endings = (0..self.len())
            .map(|idx| self.ending(idx))
            .filter(|ending| *ending != LineEnding::None);
        endings
            .next()
            .is_some_and(|first| endings.all(|ending| ending == first))
    }

    /// The ending that a line put at `idx` takes: that of the line it follows, else of the line it precedes, else `\n`.
    pub fn ending_near(&self, idx: LineIdx) -> LineEnding {
        let before = (0..idx.min(self.len())).rev().map(|i| self.ending(i));
        let after = (idx..self.len()).map(|i| self.ending(i));
        before
            .chain(after)
            .find(|&ending| ending != LineEnding::None)
            .unwrap_or(LineEnding::Lf)
    }
}

/// Returns the ending of a line that is given with it.
fn ending_of(line: &str) -> LineEnding {
    match line.as_bytes() {
        [.., b'\r', b'\n'] => LineEnding::CrLf,
        [.., b'\n'] => LineEnding::Lf,
        _ => LineEnding::None,
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    if text.is_empty() {
        return Vec::new();
    }
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    let mut starts = Vec::with_capacity(ends.clone().count() + 1);
    starts.push(0);
    starts.extend(ends.map(|i| i + 1));
    if starts.last() == Some(&text.len()) {
        starts.pop();
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, lines: &[(&str, LineEnding)]) {
        let document = Document::from_text(text);
        let found: Vec<_> = (0..document.len())
            .map(|i| (document.line(i), document.ending(i)))
            .collect();
        assert_eq!(found, lines, "{text:?}");
        assert_eq!(document.raw_lines(0..document.len()), text);
    }

    #[test]
    fn lines_keep_their_endings() {
        check("", &[]);
        check("a", &[("a", LineEnding::None)]);
        check("a\n", &[("a", LineEnding::Lf)]);
        check("\n\n", &[("", LineEnding::Lf), ("", LineEnding::Lf)]);
        check(
            "a\r\nb\nc",
            &[
                ("a", LineEnding::CrLf),
                ("b", LineEnding::Lf),
                ("c", LineEnding::None),
            ],
        );
        check("a\rb\u{2028}c\n", &[("a\rb\u{2028}c", LineEnding::Lf)]);
        check("a\r", &[("a\r", LineEnding::None)]);
    }

    #[test]
    fn a_new_line_takes_its_neighbours_ending() {
        let document = Document::from_text("a\r\nb\nc");
        assert_eq!(document.ending_near(0), LineEnding::CrLf);
        assert_eq!(document.ending_near(1), LineEnding::CrLf);
        assert_eq!(document.ending_near(2), LineEnding::Lf);
        assert_eq!(document.ending_near(3), LineEnding::Lf);
        assert_eq!(Document::from_text("").ending_near(0), LineEnding::Lf);
    }
}
