//! A part of the stream: a file, or some of its hunks.

use std::sync::Arc;

use crate::review::session::file::FileReview;
use crate::review::session::review_session::Direction;

/// Some hunks of a file that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePart {
    /// The file.
    pub file: usize,
    /// Its position among the parts of the file.
    pub nth: usize,
    /// The purpose of its hunks, by its position, in an order by purposes.
    pub purpose: Option<usize>,
    /// The parts of the file; `None` if it is not split.
    split: Option<Arc<FileSplit>>,
}

/// Distribution of a file's hunks over its parts.
#[derive(Debug, PartialEq, Eq)]
struct FileSplit {
    /// The part of each hunk, by its position. Hunks beyond are in the last part.
    of_hunks: Vec<usize>,
    last: usize,
}

impl FileSplit {
    fn part_of(&self, hunk: usize) -> usize {
        self.of_hunks.get(hunk).copied().unwrap_or(self.last)
    }
}

impl FilePart {
    /// Returns a whole file.
    pub fn whole(file: usize) -> Self {
        Self {
            file,
            nth: 0,
            purpose: None,
            split: None,
        }
    }

    /// Splits a file into parts, each with some hunks, in the order of the stream. The last has all hunks that no other has, and
    /// those that come later.
    pub fn split(file: usize, parts: &[Vec<usize>]) -> Vec<Self> {
        let last = parts.len().saturating_sub(1);
        if last == 0 {
            return vec![Self::whole(file)];
        }
        let count = parts.iter().flatten().max().map_or(0, |&hunk| hunk + 1);
        let mut of_hunks = vec![last; count];
        for (nth, part) in parts.iter().enumerate() {
            for &hunk in part {
                of_hunks[hunk] = nth;
            }
        }
        let split = Some(Arc::new(FileSplit { of_hunks, last }));
        (0..=last)
            .map(|nth| Self {
                file,
                nth,
                purpose: None,
                split: split.clone(),
            })
            .collect()
    }

    /// Sets the purpose of its hunks.
    #[must_use]
    pub(in crate::review) fn with_purpose(self, purpose: Option<usize>) -> Self {
        Self { purpose, ..self }
    }

    /// Returns true if there are other parts of the file.
    pub fn is_split(&self) -> bool {
        self.split.is_some()
    }

    /// Returns true if a hunk of the file belongs to the part. The parts of a split hunk stay together.
    pub fn has(&self, review: &FileReview, hunk: usize) -> bool {
        self.direction_of(review, hunk).is_none()
    }

    /// Returns the direction of the part that a hunk of the file is in; `None` for this part.
    pub fn direction_of(&self, review: &FileReview, hunk: usize) -> Option<Direction> {
        let part = review.hunks.get(hunk).and_then(|hunk| hunk.part.as_ref());
        let whole = part.map_or(hunk, |part| part.of);
        let other = self.split.as_ref()?.part_of(whole);
        match other.cmp(&self.nth) {
            std::cmp::Ordering::Less => Some(Direction::Backward),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Direction::Forward),
        }
    }

    /// Returns the number of its hunks, of all hunks that were proposed for the file.
    pub fn count(&self, all: usize) -> usize {
        let Some(split) = &self.split else {
            return all;
        };
        let own = (0..all).filter(|&hunk| split.part_of(hunk) == self.nth);
        own.count()
    }
}
