//! One contiguous change, as its dialect states it.

use std::ops::Range;
use std::sync::Arc;

use super::problem::InputSpan;
use crate::text::{LineEnding, LineNo};

/// One contiguous change of one file.
///
/// The change is the difference between the two halves of its [`Body`]; lines in both are context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// The lines expected and the lines left after.
    pub body: Body,
    /// The part of the file's lines that the halves cover.
    pub extent: Extent,
    /// The changes as the edit marks them, in order; none if it does not mark its lines. Equal lines of the body do not say which of
    /// them stays: the marks do.
    pub marked: Vec<MarkedChange>,
    /// Other ways to read the body, where a delimiter could be content; the file decides between them and `body`.
    pub other_readings: Vec<Body>,
    /// The line of the preimage's first line, as the edit states it. For a hunk without a preimage: the line that its first
    /// added line becomes.
    pub hint: Option<LineNo>,
    /// Lines somewhere before the preimage, outermost first (the `@@` text of envelopes, the section of a
    /// unified header).
    pub anchors: Vec<Anchor>,
    /// True if the preimage must end at the end of the file.
    pub at_end: bool,
    /// True if the preimage, as a text, ends with the newline of its last line, so that nothing may follow on that line.
    pub ends_line: bool,
    /// The statement of the edit about the newline after the file's last line.
    pub final_newline: FinalNewline,
    /// The ending of each line of `body.postimage`, if the edit states endings and not only its transport does.
    pub endings: Vec<LineEnding>,
    /// The counts of its header, if they differ from the lines that follow.
    pub miscount: Option<Miscount>,
    /// The reason why a person must confirm that this text is meant for its file.
    pub guess: Option<Guess>,
    /// The sentence with which the agent announced it, in a transcript.
    pub announcement: Option<Arc<str>>,
    /// The lines of the input that state it.
    pub span: InputSpan,
}

/// A change of a hunk whose lines are marked as context, removed or added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedChange {
    /// The preimage lines that it removes, by position.
    pub removed: Range<usize>,
    /// The postimage lines that it adds, by position.
    pub added: Range<usize>,
}

/// A guess about the text of an edit, which a person must confirm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guess {
    /// The file that it is for: only a sentence or a comment at this input line names one.
    File(LineNo),
    /// The intent to write it: the code fence at this input line has the name of a file, and may be an example beside edits
    /// in another format.
    Edit(LineNo),
    /// The text: the code fence at this input line is in this language, in which the file is not written.
    Language(LineNo, Arc<str>),
    /// The text: the code fence at this input line holds a tree of files.
    Tree(LineNo),
    /// That it is whole: it ends with the input, at this line, and nothing in it states where it ends.
    End(LineNo),
    /// That it was carried out: it is a call at this line of a log, and its result is a text that does not state success.
    Outcome(LineNo, Arc<str>),
}

/// A header that counts other lines than those that follow it. The lines decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Miscount {
    /// The old and new lines that the header counts.
    pub said: (usize, usize),
    /// The old and new lines that there are.
    pub found: (usize, usize),
}

/// A line that helps to choose between equal places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The text to look for, without indentation.
    pub text: String,
    /// The weight of the line: a condition, or only a help to choose (git's section headings are cut
    /// off and may come from another version of the file).
    pub strength: AnchorStrength,
}

/// Weight of an anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnchorStrength {
    /// Stated by the author to say where.
    Stated,
    /// Put there by a tool for the reader.
    Heading,
}

/// Part of the file's lines that the halves of a hunk cover.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    /// Whole lines.
    #[default]
    Lines,
    /// New lines before the line that the hint names. The edit counts the lines of the file itself, so the number is exact.
    Insertion,
    /// A text: its first line may begin inside a line of the file, and its last one end there. It must be in the file
    /// once. If it covers whole lines, it is those lines, so that an empty postimage removes them.
    Text,
    /// Such a text, at all its places.
    EveryText,
    /// Such a text, which must be in the file this many times and is replaced everywhere.
    Texts(usize),
    /// The text between two positions: from a column of the line that the hint names to a line (from 0) and a column of
    /// it. Columns count UTF-16 code units from 0, as language servers do. There is no preimage.
    Span {
        /// The column in the first line.
        from: usize,
        /// The last line and the column in it.
        to: (usize, usize),
    },
    /// As many whole lines from the hint on, or all to the end if it is bound to that, whatever they hold: the edit states
    /// no preimage.
    Numbered(usize),
    /// The postimage is a sketch of the file: new lines, and [elisions](super::is_elision) for what stays. There is no
    /// preimage.
    Sketch,
    /// The postimage is the source of one cell of a notebook, whose name is the hunk's anchor. There is no preimage.
    Cell {
        /// The operation on the cell.
        edit: CellEdit,
        /// The type that it is to have; without it the cell keeps its own.
        kind: Option<CellKind>,
    },
    /// Whole lines named by number and [hash](super::LineHash): the first anchor names the first line, a second one the
    /// last. There is no preimage.
    Hashed(LineEdit),
    /// The postimage is a JSON Patch (RFC 6902), the operations of which are carried out on the values of a JSON file, all
    /// or none. There is no preimage.
    JsonPatch,
    /// The anchor is a regular expression in the syntax of Python, with the flags `DOTALL` and `MULTILINE`; the postimage
    /// replaces its match, and `$!1` in it is the first group. There is no preimage.
    Pattern {
        /// True for all matches; else there must be one.
        every: bool,
    },
}

/// Operation on lines that are named by number and hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEdit {
    /// The lines are replaced.
    Replace,
    /// New lines come before the first.
    Before,
    /// New lines come after the last.
    After,
}

/// Operation on a cell of a notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellEdit {
    /// It gets another source.
    Replace,
    /// A new one comes after it, or before all if none is named.
    Insert,
    /// It goes.
    Delete,
}

/// The type of a cell of a notebook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    /// Code, with outputs.
    Code,
    /// Prose.
    Markdown,
    /// Neither.
    Raw,
}

impl CellKind {
    /// The type as notebooks write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        let mut kinds = [Self::Code, Self::Markdown, Self::Raw].into_iter();
        kinds.find(|kind| kind.name() == name)
    }
}

/// The two halves of a hunk, as lines without endings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Body {
    /// The lines expected.
    pub preimage: Vec<String>,
    /// The lines left after.
    pub postimage: Vec<String>,
}

impl Body {
    /// Returns the numbers of lines of the two halves.
    pub fn counts(&self) -> (usize, usize) {
        (self.preimage.len(), self.postimage.len())
    }

    /// The body that would take this one back.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            preimage: self.postimage.clone(),
            postimage: self.preimage.clone(),
        }
    }
}

/// Statement of an edit about the newline at the end of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FinalNewline {
    /// Nothing: it stays as it is. A new file gets one.
    #[default]
    Keep,
    /// The file has none and gets one.
    Add,
    /// The file loses it, or a new file has none.
    Remove,
}

impl FinalNewline {
    /// Returns this statement, or another one if this is none.
    pub(crate) fn or(self, other: Self) -> Self {
        match self {
            Self::Keep => other,
            Self::Add | Self::Remove => self,
        }
    }
}

impl Guess {
    /// Returns `true` for a guess about a code fence, which may only quote its file.
    pub(crate) fn is_of_fence(&self) -> bool {
        match self {
            Self::File(_) | Self::Edit(_) | Self::Language(..) | Self::Tree(_) => true,
            Self::End(_) | Self::Outcome(..) => false,
        }
    }

    /// The guess for a text of which only the first input line is known.
    pub(crate) fn at(self, line: LineNo) -> Self {
        match self {
            Self::File(_) => Self::File(line),
            Self::Edit(_) => Self::Edit(line),
            Self::Language(_, language) => Self::Language(line, language),
            Self::Tree(_) => Self::Tree(line),
            Self::End(_) => Self::End(line),
            Self::Outcome(_, text) => Self::Outcome(line, text),
        }
    }
}

impl Hunk {
    /// Returns the ending that the edit states for a line of its postimage.
    pub(crate) fn ending_of(&self, line: &str) -> Option<LineEnding> {
        let mut lines = self.body.postimage.iter().zip(&self.endings);
        lines.find_map(|(own, ending)| (own == line).then_some(*ending))
    }

    /// A hunk that states nothing but its two halves.
    pub fn new(body: Body, span: InputSpan) -> Self {
        Self {
            body,
            extent: Extent::Lines,
            marked: Vec::new(),
            other_readings: Vec::new(),
            hint: None,
            anchors: Vec::new(),
            at_end: false,
            ends_line: false,
            final_newline: FinalNewline::Keep,
            endings: Vec::new(),
            miscount: None,
            guess: None,
            announcement: None,
            span,
        }
    }
}
