//! Files and hunks in numbers, kept so that no frame counts lines.

use crate::review::{Counts, FileReview, HunkId, Mark, ReviewSession};

/// The whole batch in numbers.
#[derive(Debug, Clone, Default)]
pub struct Summaries {
    /// The batch.
    pub counts: Counts,
    /// Every file, as in the session.
    pub files: Vec<FileSummary>,
}

/// A file in numbers.
#[derive(Debug, Clone, Default)]
pub struct FileSummary {
    /// What the decisions add up to; `None` if there is nothing to decide.
    pub mark: Option<Mark>,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// Hunks without a place.
    pub attention: usize,
    /// The loosest confidence that still waits for a look, in words.
    pub loose: Option<&'static str>,
    /// Whether a line was changed by the person.
    pub edited: bool,
    /// Whether something is said of the file or of a hunk in it.
    pub commented: bool,
    /// Its hunks, as in the session.
    pub hunks: Vec<HunkSummary>,
}

/// A hunk in numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct HunkSummary {
    /// What the decisions add up to; `None` if there is nothing to decide.
    pub mark: Option<Mark>,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// Its position among the hunks of its file, as they stand in it, from 1.
    pub rank: usize,
}

impl Summaries {
    /// Counts everything.
    pub fn new(session: &ReviewSession) -> Self {
        Self {
            counts: session.counts(),
            files: session.files.iter().map(FileSummary::new).collect(),
        }
    }

    /// Counts a file again.
    pub fn renew(&mut self, session: &ReviewSession, file: usize) {
        if let (Some(summary), Some(review)) = (self.files.get_mut(file), session.files.get(file)) {
            *summary = FileSummary::new(review);
            self.counts = session.counts();
        }
    }

    /// A hunk in numbers.
    pub fn hunk(&self, id: HunkId) -> HunkSummary {
        let hunk = self
            .files
            .get(id.file)
            .and_then(|file| file.hunks.get(id.hunk));
        hunk.copied().unwrap_or_default()
    }
}

impl FileSummary {
    fn new(review: &FileReview) -> Self {
        let mut hunks: Vec<HunkSummary> = review
            .hunks
            .iter()
            .map(|hunk| {
                let (added, removed) = hunk.counts();
                HunkSummary {
                    mark: hunk.mark(),
                    added,
                    removed,
                    rank: 0,
                }
            })
            .collect();
        for (rank, hunk) in review.in_file_order().into_iter().enumerate() {
            hunks[hunk].rank = rank + 1;
        }
        let loose = review.hunks.iter().filter(|hunk| !hunk.is_sure());
        let placements = loose.filter_map(|hunk| hunk.placement());
        Self {
            mark: Mark::of(hunks.iter().filter_map(|hunk| hunk.mark)),
            added: hunks.iter().map(|hunk| hunk.added).sum(),
            removed: hunks.iter().map(|hunk| hunk.removed).sum(),
            attention: review.attention(),
            loose: placements
                .max_by_key(|placement| placement.confidence)
                .map(|placement| placement.confidence.name()),
            edited: review.hunks.iter().any(|hunk| hunk.state.edited),
            commented: review.comment.is_some()
                || review.hunks.iter().any(|hunk| hunk.state.comment.is_some()),
            hunks,
        }
    }
}
