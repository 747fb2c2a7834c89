//! The text of an edit as numbered lines.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::dialect::parsed::Parsed;
use crate::proposal::InputSpan;
use crate::text::{LineIdx, LineNo};

/// Lines of an edit, or of a part of one, without their endings.
///
/// A part counts its lines from 0 like the whole, but names them ([`Input::number`], [`Input::span`]) as the whole does.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    lines: Vec<&'a str>,
    /// The text that the lines were cut from; a part's ends where the part does.
    text: &'a str,
    /// The offsets of the lines in the text, computed when a dialect asks for one.
    starts: OnceLock<Vec<usize>>,
    /// The number of bytes from the last closing tag of each name to the end of the text, computed when a dialect asks for one.
    closing_tags: OnceLock<FxHashMap<String, usize>>,
    /// The number of lines of the whole input before the first of these.
    offset: LineIdx,
    /// The file for edits that name none.
    path: Option<&'a str>,
    asked: ReadReason,
    /// The turns of a transcript to read.
    turns: Turns,
    /// True if all lines are those of a shell.
    is_script: bool,
    /// Reads a text within this one in every dialect.
    reader: fn(&Input<'_>) -> Parsed,
    /// The name of the end of the lines in messages.
    end: &'static str,
    text_end: TextEnd,
}

/// The end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextEnd {
    /// Something below or around it shows that it is whole.
    Shown,
    /// Nothing shows whether more was to follow.
    Open {
        /// True if the last line has no newline, and may be cut off itself.
        is_in_line: bool,
    },
}

/// Turns of a transcript: a prompt of a person and the agent's work for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Turns {
    /// All turns.
    #[default]
    All,
    /// The last turn in which the agent did something.
    Last,
}

/// Reason for asking a dialect: its turn, or a person who named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadReason {
    /// Any dialect may read this input; one that cannot make sense of a line leaves it to the next.
    InTurn,
    /// Only this dialect reads; whatever bears its markers is its own.
    ByName,
}

impl<'a> Input<'a> {
    /// Cuts a text into lines. A byte order mark and the carriage returns of CRLF endings belong to the transport, not to
    /// the edit, and are dropped.
    pub fn new(text: &'a str, path: Option<&'a str>, asked: ReadReason) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let count = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let mut lines = Vec::with_capacity(count);
        let mut start = 0;
        for end in line_ends(text) {
            let line = &text[start..end];
            let is_ended = end < text.len() || has_stripped_end(text, start);
            let returns = line.strip_suffix('\r').filter(|_| is_ended);
            lines.push(returns.unwrap_or(line));
            start = end + 1;
        }
        Self {
            lines,
            text,
            starts: OnceLock::new(),
            closing_tags: OnceLock::new(),
            offset: 0,
            path,
            asked,
            turns: Turns::All,
            is_script: false,
            reader: |_| Parsed::default(),
            end: "the end of the input",
            text_end: TextEnd::Shown,
        }
    }

    /// The same input, below which nothing shows that it is whole.
    #[must_use]
    pub(super) fn with_open_end(mut self) -> Self {
        let is_in_line = !self.text.ends_with('\n');
        self.text_end = TextEnd::Open { is_in_line };
        self
    }

    /// The same input, cut from the lines of another one up to `end`, without what was before them.
    #[must_use]
    pub(super) fn with_end_of(mut self, outer: &Input, end: LineIdx) -> Self {
        if end >= outer.len() {
            self.text_end = outer.text_end;
        }
        self
    }

    /// Returns `true` if nothing shows whether more was to follow.
    pub(super) fn is_open_end(&self) -> bool {
        self.text_end != TextEnd::Shown
    }

    /// Returns `true` if the last line may be cut off.
    pub(super) fn may_end_in_line(&self) -> bool {
        self.text_end == TextEnd::Open { is_in_line: true }
    }

    /// The same input, of which only some turns are read.
    #[must_use]
    pub fn with_turns(mut self, turns: Turns) -> Self {
        self.turns = turns;
        self
    }

    /// The same input, with the function that reads a text within it, such as a reply in a transcript, in every dialect.
    #[must_use]
    pub(super) fn with_reader(mut self, reader: fn(&Input<'_>) -> Parsed) -> Self {
        self.reader = reader;
        self
    }

    /// The same input, whose lines are all those of a shell.
    #[must_use]
    pub(super) fn with_shell_lines(mut self) -> Self {
        self.is_script = true;
        self
    }

    /// Returns `true` if all lines are those of a shell.
    pub(super) fn is_script(&self) -> bool {
        self.is_script
    }

    /// Reads a text within this one in every dialect.
    pub(super) fn read_inner(&self, inner: Input<'_>) -> Parsed {
        (self.reader)(&inner.with_reader(self.reader))
    }

    /// The turns of a transcript to read.
    pub fn turns(&self) -> Turns {
        self.turns
    }

    /// Returns lines of this input from line `first` on as an edit of their own for the file `path`.
    #[must_use]
    pub fn part(&self, first: LineIdx, lines: Vec<&'a str>, path: Option<&'a str>) -> Self {
        let starts = self.starts().get(first..).unwrap_or_default();
        let end = starts.get(lines.len()).copied();
        let text_end = if end.is_none() {
            self.text_end
        } else {
            TextEnd::Shown
        };
        Self {
            text: &self.text[..end.unwrap_or(self.text.len())],
            starts: OnceLock::from(starts[..lines.len().min(starts.len())].to_vec()),
            closing_tags: OnceLock::new(),
            lines,
            offset: self.offset + first,
            path,
            asked: self.asked,
            turns: self.turns,
            is_script: self.is_script,
            reader: self.reader,
            end: "the end of the edit",
            text_end,
        }
    }

    /// Returns a text that was cut from these lines from `first` on, without what was around them, as an edit of its own.
    pub(super) fn inner<'b>(
        &self,
        first: LineIdx,
        text: &'b str,
        path: Option<&'b str>,
    ) -> Input<'b> {
        Input {
            offset: self.offset + first,
            turns: self.turns,
            reader: self.reader,
            end: "the end of the edit",
            ..Input::new(text, path, self.asked)
        }
    }

    /// The line at a position, or `None` past the end.
    pub fn line(&self, at: LineIdx) -> Option<&'a str> {
        self.lines.get(at).copied()
    }

    /// The lines of a range; what lies past the end is left out.
    pub fn lines(&self, range: Range<LineIdx>) -> &[&'a str] {
        let end = range.end.min(self.lines.len());
        self.lines.get(range.start.min(end)..end).unwrap_or(&[])
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns `true` if there is no line at all.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The first position from `at` on whose line is not blank; the number of lines if there is none.
    pub fn skip_blank(&self, at: LineIdx) -> LineIdx {
        (at..self.len())
            .find(|&i| !self.lines[i].trim().is_empty())
            .unwrap_or(self.len())
    }

    /// The last line that is not blank.
    pub(super) fn last_text(&self) -> Option<LineIdx> {
        (0..self.len())
            .rev()
            .find(|&i| !self.lines[i].trim().is_empty())
    }

    /// The text from a line on, with its line endings, and with the indentation that a part's lines have lost.
    pub fn tail(&self, at: LineIdx) -> &'a str {
        let start = self.starts().get(at);
        start.map_or("", |&start| &self.text[start..])
    }

    /// The line that a position in the text from line `at` on belongs to.
    pub fn line_at(&self, at: LineIdx, offset: usize) -> LineIdx {
        let start = self.starts().get(at).copied().unwrap_or_default();
        let next = self.starts().partition_point(|&s| s <= start + offset);
        next.saturating_sub(1)
    }

    /// Returns true if a line ends with a carriage return and a line feed.
    pub fn has_return(&self, at: LineIdx) -> bool {
        let Some(next) = self.starts().get(at + 1).copied() else {
            let start = self.starts().get(at).copied().unwrap_or_default();
            return self.text.ends_with("\r\n") || has_stripped_end(self.text, start);
        };
        self.text[..next].ends_with("\r\n")
    }

    /// Returns `true` if a closing tag of this name is in an end of the text.
    pub(super) fn has_closing_tag(&self, name: &str, end: &str) -> bool {
        let tags = self.closing_tags.get_or_init(|| {
            let places = memchr::memmem::find_iter(self.text.as_bytes(), "</");
            let tag = |at: usize| {
                let name = self.text[at + 2..].split(['>', '<', '\n']).next()?;
                Some((name.to_owned(), self.text.len() - at))
            };
            places.filter_map(tag).collect()
        });
        tags.get(name).is_some_and(|length| *length <= end.len())
    }

    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| {
            let after = line_ends(self.text).map(|end| end + 1);
            std::iter::once(0).chain(after).take(self.len()).collect()
        })
    }

    /// The file for edits that name none.
    pub fn path(&self) -> Option<&'a str> {
        self.path
    }

    /// The name of the end of the lines in messages.
    pub fn end(&self) -> &'static str {
        self.end
    }

    /// Why the dialect is asked.
    pub fn asked(&self) -> ReadReason {
        self.asked
    }

    /// The number of a line in the whole input.
    pub fn number(&self, at: LineIdx) -> LineNo {
        LineNo::from_idx(self.offset + at)
    }

    /// A range of lines in the whole input.
    pub fn span(&self, range: Range<LineIdx>) -> InputSpan {
        InputSpan::of(self.offset + range.start..self.offset + range.end)
    }
}

/// Returns true if a text has lost its last newline, but not the carriage return before it, as the `$(…)` of a shell leaves it.
fn has_stripped_end(text: &str, last: usize) -> bool {
    text[..last].ends_with("\r\n") && text[last..].ends_with('\r')
}

/// Returns the offsets at which the lines of a text end: before each `\n`, and at the end of a text that does not end with one.
fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    let last = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    memchr::memchr_iter(b'\n', text.as_bytes()).chain(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_what_the_transport_added() {
        let check = |text: &str, expected: &[&str]| {
            let input = Input::new(text, None, ReadReason::InTurn);
            assert_eq!(input.lines(0..usize::MAX), expected, "{text:?}");
        };
        check("", &[]);
        check("a", &["a"]);
        check("a\n", &["a"]);
        check("a\n\n", &["a", ""]);
        check("\u{feff}a\r\nb\r\n", &["a", "b"]);
        check("a\rb\r", &["a\rb\r"]);
        check("a\r\nb\r", &["a", "b"]);
    }

    #[test]
    fn the_tail_keeps_the_endings() {
        let input = Input::new("\u{feff}a\r\nbc\r\nd", None, ReadReason::InTurn);
        assert_eq!(input.tail(1), "bc\r\nd");
        assert_eq!(input.tail(3), "");
        assert_eq!([0, 3, 4].map(|offset| input.line_at(1, offset)), [1, 1, 2]);
    }

    #[test]
    fn a_part_names_its_lines_as_the_whole_does() {
        let whole = Input::new("a\nb\nc\n", None, ReadReason::InTurn);
        let part = whole.part(1, vec!["b", "c"], Some("x"));
        assert_eq!(part.line(0), Some("b"));
        assert_eq!(part.number(0).get(), 2);
        assert_eq!(part.span(0..2), whole.span(1..3));
    }

    #[test]
    fn the_last_closing_tag_of_each_name_is_known() {
        let text = "<a>\n<b></a>\n<a>\n</b";
        let input = Input::new(text, None, ReadReason::InTurn);
        let has = |name, at: LineIdx| input.has_closing_tag(name, input.tail(at));
        assert!(has("a", 0) && has("a", 1) && !has("a", 2));
        assert!(has("b", 2) && !has("c", 0));
    }
}
