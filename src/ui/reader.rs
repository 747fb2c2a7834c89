//! What is read over the whole screen: a result, a plan, a comparison. Lines, and the part of them on the screen.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use regex::Regex;

use super::highlight::Judgement;
use crate::review::{HunkId, TextsRow};
use crate::text::{Document, LineIdx};

/// What is read, and where.
#[derive(Debug)]
pub struct Reader {
    /// What.
    pub what: What,
    /// The first line on the screen.
    pub top: usize,
    /// The columns to the left of the screen.
    pub left: usize,
    /// What was searched for.
    pub pattern: Option<Regex>,
    /// The line that was found last.
    pub found: Option<usize>,
    /// Whether it was opened from the list of files.
    pub from_batch: bool,
}

/// What can be read.
#[derive(Debug)]
pub enum What {
    /// A file as it would be written now.
    Result(FileResult),
    /// What would be written of the batch.
    Plan(Plan),
    /// A hunk in three texts.
    Compare(Comparison),
}

/// A file as it would be written now.
#[derive(Debug)]
pub struct FileResult {
    /// The file.
    pub file: usize,
    /// What becomes of it, in words.
    pub fate: &'static str,
    /// Its text.
    pub text: Arc<Document>,
    /// The lines that come.
    pub added: Vec<Range<LineIdx>>,
    /// Whether its grammar finds it worse than the file as it is, as soon as that is known.
    pub judgement: Option<Judgement>,
}

/// What would be written of the batch, and how the check of it stands.
#[derive(Debug, Default)]
pub struct Plan {
    /// All of it.
    pub lines: Vec<PlanLine>,
    /// The lines among them that tell of the check.
    pub check: Range<usize>,
}

/// A line of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanLine {
    /// Its text.
    pub text: String,
    /// What it is.
    pub kind: PlanKind,
}

/// What a line of a plan is.
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
    /// The rows.
    pub rows: Vec<TextsRow>,
    /// Which of the three is shown where there is room for one only.
    pub shown: usize,
}

impl Reader {
    /// Something to read, from its start.
    pub fn new(what: What, from_batch: bool) -> Self {
        Self {
            what,
            top: 0,
            left: 0,
            pattern: None,
            found: None,
            from_batch,
        }
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        match &self.what {
            What::Result(result) => result.text.len(),
            What::Plan(plan) => plan.lines.len(),
            What::Compare(comparison) => comparison.rows.len(),
        }
    }

    /// Whether it is the plan that is read.
    pub fn is_plan(&self) -> bool {
        matches!(self.what, What::Plan(_))
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A line, to search in.
    pub fn line(&self, idx: usize) -> Cow<'_, str> {
        match &self.what {
            What::Result(result) => Cow::Borrowed(result.text.line(idx)),
            What::Plan(plan) => Cow::Borrowed(plan.lines.get(idx).map_or("", |line| &line.text)),
            What::Compare(comparison) => {
                let row = comparison.rows.get(idx);
                let texts = row.map_or([None; 3], |row| row.texts());
                Cow::Owned(texts.into_iter().flatten().collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// The lines above what is read: its title, and what there is to say of it.
    pub fn head(&self) -> usize {
        match &self.what {
            What::Result(FileResult { judgement, .. }) => {
                1 + usize::from(judgement.as_ref().is_some_and(Judgement::is_worse))
            }
            What::Plan(_) => 1,
            What::Compare(_) => 2,
        }
    }
}
