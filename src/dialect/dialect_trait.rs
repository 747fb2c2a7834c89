//! The trait of a dialect, and the sections that the scan of an input gets from it.

use std::fmt;
use std::ops::Range;

use crate::dialect::input::Input;
use crate::dialect::mentioned_names::MentionedNames;
use crate::dialect::script_state::ScriptState;
use crate::proposal::{FileChange, HunkOrder, PathClaim, Problem};
use crate::text::LineIdx;

/// A way to write edits down.
pub trait Dialect: Sync {
    /// The name for `--format` and for messages.
    fn name(&self) -> &'static str;

    /// Returns the order of the hunks of a file in this dialect.
    fn hunk_order(&self) -> HunkOrder {
        HunkOrder::Any
    }

    /// Returns the kind of evidence by which this dialect is recognised.
    fn evidence(&self) -> EvidenceKind {
        EvidenceKind::Markers
    }

    /// Returns the beginnings of the lines that open a section and mean nothing else. Such a line, or a part of one, at the end of an
    /// input is an edit that is cut off.
    fn openings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Reads the section that begins at a line, if one of this dialect does.
    ///
    /// It reads on to the section's end and puts what it cannot read among the problems. The cost of all calls on one
    /// input must be linear in its size: a line that was looked at must be claimed, or the look must be short.
    fn section(&self, input: &Input, at: LineIdx, before: &Before) -> Option<Section>;
}

/// Kind of evidence that distinguishes a dialect from prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvidenceKind {
    /// Markers that no other text has.
    Markers,
    /// Commands of a shell. A script may hold them as well: in a fence with the name of another file they are its text.
    Commands,
    /// A shape that an example in prose may have as well: believed only where no markers are found.
    Shape,
}

/// Context of a section: the lines before it.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// The first line that no section claimed yet.
    pub free: LineIdx,
    /// The file of the section before.
    pub path: Option<PathClaim>,
    /// True if the line closes a code fence of the prose.
    pub closes_fence: bool,
    /// The number of marks of the code fence around the line; 0 if there is none.
    pub(super) fence_around: usize,
    /// The names of files in the text since the section before.
    pub(super) names: MentionedNames,
    /// Lines above the text around, if that is a part of another one: the nearest first.
    pub(super) above: Vec<String>,
    /// The state of the script that the line belongs to.
    pub(super) script: ScriptState,
}

/// The most lines above a section that may name its tool.
const MOST_ABOVE: usize = 6;

impl Before {
    /// Returns the file of a section that names none: that of the section before, or the one that the text between them names;
    /// `None` if that text names several.
    pub(super) fn carried(&self) -> Option<PathClaim> {
        self.names.file_below(self.path.as_ref()?)
    }

    /// Returns the text above a line that no section claimed, the nearest line first.
    pub(super) fn lines_above<'l>(
        &'l self,
        input: &'l Input,
        at: LineIdx,
    ) -> impl Iterator<Item = &'l str> + Clone {
        let own = (self.free..at).rev().filter_map(|at| input.line(at));
        let outer = self.above.iter().filter(|_| self.free == 0);
        let lines = own.chain(outer.map(String::as_str));
        lines
            .filter(|line| !line.trim().is_empty())
            .take(MOST_ABOVE)
    }

    /// Returns `true` if the text since the section before may name another file, so that the carried one is only guessed.
    pub(super) fn names_another(&self) -> bool {
        self.path.is_some() && self.carried() != self.path
    }
}

/// A stretch of the input that is written in one dialect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Its lines; they may begin above the line asked for, with a file name, but never before [`Before::free`].
    pub lines: Range<LineIdx>,
    /// The edits that could be read.
    pub files: Vec<FileChange>,
    /// The parts that could not.
    pub problems: Vec<Problem>,
    /// The agent's words in it, which are part of the intent.
    pub said: String,
    /// The command in it that changes the folder of the shell.
    pub(super) moved: Option<String>,
}

impl Section {
    /// A section with one change in it, or one problem.
    pub(super) fn of(lines: Range<LineIdx>, found: Result<FileChange, Problem>) -> Self {
        let (files, problems) = match found {
            Ok(file) => (vec![file], Vec::new()),
            Err(problem) => (Vec::new(), vec![problem]),
        };
        Self {
            lines,
            files,
            problems,
            said: String::new(),
            moved: None,
        }
    }
}

impl fmt::Debug for dyn Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
