//! The list of all files: in which order, and which of them.

use super::summary::Summaries;
use crate::review::{Mark, ReviewSession, Standing};

/// The list of all files.
#[derive(Debug, Default)]
pub struct Batch {
    /// The files shown, by their positions in the session.
    pub files: Vec<usize>,
    /// The cursor's position in `files`.
    pub cursor: usize,
    /// The first one on the screen.
    pub top: usize,
    /// How they are sorted.
    pub sort: Sort,
    /// The letters that their names must hold, in this order.
    pub filter: String,
}

/// How files are sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// As in the proposal.
    #[default]
    Proposal,
    /// By name.
    Path,
    /// What needs a look first, then the largest.
    Attention,
    /// What is undecided first.
    State,
}

impl Sort {
    /// The next way.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Proposal => Self::Path,
            Self::Path => Self::Attention,
            Self::Attention => Self::State,
            Self::State => Self::Proposal,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposal => "as proposed",
            Self::Path => "by path",
            Self::Attention => "attention first",
            Self::State => "undecided first",
        }
    }
}

impl Batch {
    /// Sorts and filters anew and keeps the cursor on its file.
    pub fn arrange(&mut self, session: &ReviewSession, summaries: &Summaries) {
        let file = self.file();
        self.files = (0..session.files.len())
            .filter(|&file| session.files[file].standing != Standing::Gone)
            .filter(|&file| holds(&session.files[file].path, &self.filter))
            .collect();
        let summary = |file: usize| &summaries.files[file];
        match self.sort {
            Sort::Proposal => (),
            Sort::Path => self.files.sort_by_key(|&file| &session.files[file].path),
            Sort::Attention => self.files.sort_by_key(|&file| {
                let of = summary(file);
                let harmless = of.attention == 0;
                let unprotected = session.files[file].protected.is_none();
                let size = of.added + of.removed;
                (harmless, unprotected, of.loose.is_none(), usize::MAX - size)
            }),
            Sort::State => self.files.sort_by_key(|&file| match summary(file).mark {
                Some(Mark::Undecided) => 0,
                Some(Mark::Mixed) => 1,
                Some(Mark::Rejected) => 2,
                Some(Mark::Accepted) => 3,
                None => 4,
            }),
        }
        let again = file.and_then(|file| self.files.iter().position(|&other| other == file));
        self.cursor = again
            .unwrap_or(self.cursor)
            .min(self.files.len().saturating_sub(1));
    }

    /// The file under the cursor.
    pub fn file(&self) -> Option<usize> {
        self.files.get(self.cursor).copied()
    }

    /// Puts the cursor on a file, if it is shown.
    pub fn go_to_file(&mut self, file: usize) {
        if let Some(at) = self.files.iter().position(|&other| other == file) {
            self.cursor = at;
        }
    }

    /// Moves the cursor; the ends hold it.
    pub fn step(&mut self, by: isize) {
        let last = self.files.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Scrolls as little as it takes to see the cursor.
    pub fn show_cursor(&mut self, page: usize) {
        let page = page.max(1);
        let most = self.files.len().saturating_sub(page);
        let lowest = (self.cursor + 1).saturating_sub(page);
        self.top = self
            .top
            .clamp(lowest, self.cursor.max(lowest))
            .min(most.max(lowest));
    }
}

/// Whether a name holds letters in this order, capitals aside.
fn holds(name: &str, letters: &str) -> bool {
    let lower = |c: char| c.to_lowercase();
    let mut name = name.chars().flat_map(lower);
    letters
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(lower)
        .all(|letter| name.any(|c| c == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_letters_in_order() {
        assert!(holds("src/ui/app.rs", "uiap"));
        assert!(holds("README.md", "read"));
        assert!(!holds("src/ui/app.rs", "appui"));
        assert!(holds("anything", ""));
    }

    #[test]
    fn the_cursor_stays_in_sight() {
        let mut batch = Batch {
            files: (0..10).collect(),
            ..Batch::default()
        };
        batch.step(99);
        batch.show_cursor(4);
        assert_eq!((batch.cursor, batch.top), (9, 6));
        batch.step(-9);
        batch.show_cursor(4);
        assert_eq!((batch.cursor, batch.top), (0, 0));
    }
}
