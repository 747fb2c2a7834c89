//! Full-screen reader for a result, the plan or a comparison.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use crate::review::{HunkId, TextsRow};
use crate::text::{Document, LineIdx};
use crate::ui::glyphs::{self, wrap};
use crate::ui::highlight::SyntaxReport;

/// Full-screen reader.
#[derive(Debug)]
pub struct Reader {
    /// Content.
    pub what: ReaderContent,
    /// The first line on the screen.
    pub top: usize,
    /// The columns to the left of the screen.
    pub left: usize,
    /// Search pattern.
    pub pattern: Option<Regex>,
    /// The line that was found last.
    pub found: Option<usize>,
    /// True if it was opened from the list of files.
    pub from_file_list: bool,
}

/// Contents of the reader.
#[derive(Debug)]
pub enum ReaderContent {
    /// A file as it would be written now.
    Result(FileResult),
    /// The plan.
    Plan(Plan),
    /// A hunk in three texts.
    Compare(Comparison),
}

/// A file as it would be written now.
#[derive(Debug)]
pub struct FileResult {
    /// The file.
    pub file: usize,
    /// Description of the change.
    pub fate: &'static str,
    /// Its text.
    pub text: Arc<Document>,
    /// The lines that come.
    pub added: Vec<Range<LineIdx>>,
    /// True if the file is deleted: its text is what is removed.
    pub is_deleted: bool,
    /// Lines at which its changes begin, in order.
    pub changes: Vec<LineIdx>,
    /// The line that was gone to last, unless the text was scrolled since.
    pub at: Option<LineIdx>,
    /// Result of the syntax check, once it is known.
    pub judgement: Option<SyntaxReport>,
}

/// The plan of everything that would be written, with the check result.
#[derive(Debug, Default)]
pub struct Plan {
    /// All of it.
    pub lines: Vec<PlanLine>,
    /// Number of lines at the top about a check that has not passed.
    pub alarm: usize,
    /// Range of the lines of the check.
    pub check: Range<usize>,
    /// Rows on the screen.
    pub rows: Vec<PlanRow>,
}

/// A row of a plan: a line, or a part of one that is wider than the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanRow {
    /// The line.
    pub line: usize,
    /// Its bytes in the row.
    pub bytes: Range<usize>,
    /// The blanks in front of them.
    pub indent: usize,
}

/// Extra indent of continuation rows.
const HANGING: usize = 2;

impl Plan {
    /// Breaks lines that are wider than so many columns.
    pub fn lay_out(&mut self, width: usize) {
        let rows = self.lines.iter().enumerate();
        let rows = rows.flat_map(|(line, PlanLine { text, .. })| {
            let words = text.trim_start_matches(' ');
            let indent = text.len() - words.len();
            let hanging = (indent + HANGING).min(width / 2);
            let parts = if glyphs::width(text) <= width {
                vec![words]
            } else {
                wrap::words(words, width - hanging)
            };
            let parts = parts.into_iter().enumerate();
            parts.map(move |(nth, part)| {
                let start = part.as_ptr().addr() - text.as_ptr().addr();
                PlanRow {
                    line,
                    bytes: start..start + part.len(),
                    indent: if nth == 0 { indent } else { hanging },
                }
            })
        });
        self.rows = rows.collect();
    }

    /// The text of a row, and what it is.
    pub fn row(&self, idx: usize) -> Option<(String, PlanKind)> {
        let row = self.rows.get(idx)?;
        let line = self.lines.get(row.line)?;
        let text = " ".repeat(row.indent) + line.text.get(row.bytes.clone())?;
        Some((text, line.kind))
    }
}

/// A line of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLine {
    /// Its text.
    pub text: String,
    /// Kind.
    pub kind: PlanKind,
}

/// Kinds of lines in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanKind {
    /// A heading.
    Heading,
    /// Something that will be done, or went well.
    Done,
    /// Something that will not be done, or went wrong.
    Attention,
    /// A fact.
    Plain,
    /// A lesser fact.
    Quiet,
}

/// A hunk in three texts.
#[derive(Debug)]
pub struct Comparison {
    /// The hunk.
    pub hunk: HunkId,
    /// Note above the rows: the lines that it replaces and that are not at the place that the person chose, or that it has no place.
    pub note: Option<String>,
    /// The rows.
    pub rows: Vec<TextsRow>,
    /// True if the first text is what a hunk without any likely place expects, and not the file.
    pub is_without_place: bool,
    /// Index among the likely places of a hunk without a place.
    pub place: usize,
    /// Index of the version shown if only one fits.
    pub shown: usize,
}

impl Reader {
    /// Returns the comparison, if it shows one.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.what {
            ReaderContent::Compare(comparison) => Some(comparison),
            ReaderContent::Result(_) | ReaderContent::Plan(_) => None,
        }
    }

    /// Puts a line at the top.
    pub(crate) fn scroll_to(&mut self, top: usize) {
        self.top = top;
        if let ReaderContent::Result(result) = &mut self.what {
            result.at = None;
        }
    }

    /// Something to read, from its start.
    pub fn new(what: ReaderContent, from_file_list: bool) -> Self {
        Self {
            what,
            top: 0,
            left: 0,
            pattern: None,
            found: None,
            from_file_list,
        }
    }

    /// Lays out again what depends on the columns of the screen.
    pub fn fit(&mut self, columns: u16) {
        if let ReaderContent::Plan(plan) = &mut self.what {
            // A column is free on either side.
            plan.lay_out(usize::from(columns).saturating_sub(2).max(1));
            self.top = self.top.min(plan.rows.len().saturating_sub(1));
        }
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        match &self.what {
            ReaderContent::Result(result) => result.text.len(),
            ReaderContent::Plan(plan) => plan.rows.len(),
            ReaderContent::Compare(comparison) => comparison.rows.len(),
        }
    }

    /// Returns true if the content is the plan.
    pub fn is_plan(&self) -> bool {
        matches!(self.what, ReaderContent::Plan(_))
    }

    /// Returns true if there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A line, to search in; of one that takes several rows, all of it at the first of them.
    pub fn line(&self, idx: usize) -> Cow<'_, str> {
        match &self.what {
            ReaderContent::Result(result) => Cow::Borrowed(result.text.line(idx)),
            ReaderContent::Plan(plan) => Cow::Borrowed(match plan.rows.get(idx) {
                Some(row) if idx == 0 || plan.rows[idx - 1].line != row.line => {
                    &plan.lines[row.line].text
                }
                Some(_) | None => "",
            }),
            ReaderContent::Compare(comparison) => {
                let row = comparison.rows.get(idx);
                let texts = row.map_or([None; 3], |row| row.texts());
                Cow::Owned(texts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// The lines above what is read: its title, and what there is to say of it.
    pub fn head(&self) -> usize {
        match &self.what {
            ReaderContent::Result(FileResult { judgement, .. }) => {
                1 + usize::from(judgement.as_ref().is_some_and(SyntaxReport::is_worse))
            }
            ReaderContent::Plan(_) => 1,
            ReaderContent::Compare(comparison) => 2 + usize::from(comparison.note.is_some()),
        }
    }
}
