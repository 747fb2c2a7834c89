//! Contents of the headings of the hunks that were seen, and the marks in quoted input: computed once, before the frame is drawn.

use rustc_hash::FxHashMap;

use crate::review::{
    DifferingParts, HunkId, LookAlikes, ReviewSession, WhitespaceChange, enclosing_definitions,
    heading_line, look_alikes, problem_marks, whitespace_change,
};
use crate::text::LineIdx;

/// Maximum number of hunks, and of lines of input, that are remembered.
const MOST: usize = 2000;

/// Contents of the headings of the hunks that were seen, and the marks in quoted input.
#[derive(Debug, Default)]
pub struct HeadingCache {
    hunks: FxHashMap<HunkId, Heading>,
    /// By the position of the problem and of the line in its text.
    quoted: FxHashMap<(usize, usize), Option<DifferingParts>>,
}

#[derive(Debug)]
struct Heading {
    /// Base line that was searched from, and the revision of the file.
    of: (Option<LineIdx>, u64),
    /// Definitions around the hunk.
    around: Vec<String>,
    whitespace: Option<WhitespaceChange>,
    look_alikes: LookAlikes,
}

impl HeadingCache {
    /// Computes the heading of a hunk, unless it is known.
    pub fn prepare(&mut self, session: &ReviewSession, id: HunkId) {
        let Some(file) = session.files.get(id.file) else {
            return;
        };
        let line = heading_line(file, id.hunk);
        let of = (line, file.revision());
        if self.hunks.get(&id).is_some_and(|known| known.of == of) {
            return;
        }
        if self.hunks.len() > MOST {
            self.hunks.clear();
        }
        let around = line.map_or_else(Vec::new, |line| enclosing_definitions(file, line));
        let heading = Heading {
            of,
            around: around.into_iter().map(str::to_owned).collect(),
            whitespace: whitespace_change(file, id.hunk),
            look_alikes: look_alikes(file, id.hunk),
        };
        self.hunks.insert(id, heading);
    }

    /// Compares a line of input that could not be read with the line of the other sign in its place, unless that is done.
    pub fn prepare_quoted(&mut self, session: &ReviewSession, problem: usize, line: usize) {
        if self.quoted.contains_key(&(problem, line)) {
            return;
        }
        if self.quoted.len() > MOST {
            self.quoted.clear();
        }
        let text = session.problems.get(problem).map(|problem| &problem.text);
        let marks = text.and_then(|text| problem_marks(text, line));
        self.quoted.insert((problem, line), marks);
    }

    /// Returns the parts in which a line of input differs from the line in its place; `None` if there is none, or it is not known.
    pub fn quoted(&self, problem: usize, line: usize) -> Option<&DifferingParts> {
        self.quoted.get(&(problem, line))?.as_ref()
    }

    /// Returns the definitions around a hunk, the outer one first; empty if they are not known.
    pub fn around(&self, id: HunkId) -> &[String] {
        self.hunks.get(&id).map_or(&[], |heading| &heading.around)
    }

    /// Returns the kind of a hunk that is known to change whitespace only.
    pub fn whitespace(&self, id: HunkId) -> Option<WhitespaceChange> {
        self.hunks.get(&id)?.whitespace
    }

    /// Counts the changed lines of a hunk that are known to look the same before and after.
    pub fn look_alikes(&self, id: HunkId) -> LookAlikes {
        let heading = self.hunks.get(&id);
        heading.map_or_else(LookAlikes::default, |heading| heading.look_alikes)
    }

    /// Forgets all, because files or problems changed.
    pub fn clear(&mut self) {
        self.hunks.clear();
        self.quoted.clear();
    }
}
