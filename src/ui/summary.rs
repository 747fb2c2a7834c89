//! Files and hunks in numbers, kept so that no frame counts lines.

use std::collections::BTreeSet;

use crate::review::{
    Announced, ChangePurpose, Counts, Direction, FilePart, FileReview, HunkId, HunkReview, Mark,
    Outline, ReviewSession, Risk, Standing, confidence_words,
};

use crate::ui::file_kinds::file_kinds;
use crate::ui::glyphs;
pub(crate) use crate::ui::hunk_summary::{HunkSummary, Progress};

/// Maximum number of files without a change that are named.
const MOST_MISSING: usize = 4;

/// Cells around a name in the list at the side: its mark, signs and gaps.
pub(crate) const SIGNS: usize = 6;

/// The whole batch in numbers.
#[derive(Debug, Clone, Default)]
pub struct Summaries {
    /// The batch.
    pub counts: Counts,
    /// Every file, as in the session.
    pub files: Vec<FileSummary>,
    /// Risk of every file, as in the session; empty until it is needed.
    pub risks: Vec<Risk>,
    /// The files that the agents name, compared with those that they change; `None` until it is needed.
    pub announced: Option<Announced>,
    /// Order of the files in the stream, in parts.
    pub order: Vec<FilePart>,
    /// Purposes of the parts, in the order by intent.
    pub purposes: Vec<ChangePurpose>,
    /// Hunks and problems that need attention.
    pub needs_attention: usize,
    /// Hunks that wait for a decision: those that are not wholly decided, and those without a place that are not rejected.
    pub waiting: usize,
    /// Files that are not placed yet: while there are any, nothing is decided.
    pub unread: usize,
}

/// A file in numbers.
#[derive(Debug, Clone, Default)]
pub struct FileSummary {
    /// Sum of the decisions; `None` if there is nothing to decide.
    pub mark: Option<Mark>,
    /// State of the file's call: open, held, answered or withdrawn.
    pub standing: Standing,
    /// Lines that come.
    pub added: usize,
    /// Lines that go.
    pub removed: usize,
    /// Hunks that cannot be written.
    pub unplaced: usize,
    /// Hunks that need attention.
    pub needs_attention: usize,
    /// Loosest confidence among the placements that need attention.
    pub loose: Option<&'static str>,
    /// True if a line was changed by the person.
    pub edited: bool,
    /// True if the file or one of its hunks has a comment.
    pub commented: bool,
    /// Parts of the input that name it and could not be read.
    pub problems: usize,
    /// Words for what becomes of it besides its lines.
    pub kinds: Vec<&'static str>,
    /// Width of these words, in cells.
    pub kinds_width: usize,
    /// Its hunks, as in the session.
    pub hunks: Vec<HunkSummary>,
    /// Positions of its hunks, in the order of the file.
    pub order: Vec<usize>,
    /// Its hunks by what was decided.
    pub counts: Counts,
    /// Its hunks that wait for a decision no more.
    pub progress: Progress,
}

/// Counts of the batch and of one file.
pub(crate) struct KeptCounts {
    all: (Counts, usize, usize),
    file: FileSummary,
}

impl Summaries {
    /// Counts everything.
    pub fn new(session: &ReviewSession) -> Self {
        let files = session.files.iter().map(FileSummary::new).collect();
        let mut summaries = Self {
            counts: Counts::default(),
            needs_attention: 0,
            waiting: 0,
            files,
            risks: Vec::new(),
            announced: None,
            order: (0..session.files.len()).map(FilePart::whole).collect(),
            purposes: Vec::new(),
            unread: session.unread(),
        };
        for file in session.files_of_problems().into_iter().flatten() {
            summaries.files[file].problems += 1;
        }
        summaries.add_up(session);
        summaries
    }

    /// Counts everything again; the order and the risks stay.
    pub fn renew_all(&mut self, session: &ReviewSession) {
        let before = std::mem::replace(self, Self::new(session));
        if before.files.len() == self.files.len() {
            self.order = before.order;
            self.purposes = before.purposes;
        }
        self.risks = before.risks;
        self.announced = before.announced;
    }

    /// Compares the agents' prose with the files, unless that is done.
    pub fn compare_prose(&mut self, session: &ReviewSession) {
        self.announced.get_or_insert_with(|| Announced::of(session));
    }

    /// Returns true if the agent does not name a file although it names others.
    pub fn is_unnamed(&self, file: usize) -> bool {
        let announced = self.announced.as_ref();
        announced.is_some_and(|announced| announced.unnamed.contains(&file))
    }

    /// Returns the files that an agent names and does not change, in words.
    pub fn missing_words(&self) -> Option<String> {
        let missing = &self.announced.as_ref()?.missing;
        let all = missing.len();
        let names = missing.iter().take(MOST_MISSING).map(String::as_str);
        let names: Vec<&str> = names.collect();
        let more = all.checked_sub(MOST_MISSING).filter(|more| *more > 0);
        let more = more
            .map(|more| format!(" and {more} more"))
            .unwrap_or_default();
        (all > 0).then(|| {
            format!(
                "named by the agent, but not changed: {}{more}",
                names.join(", ")
            )
        })
    }

    /// Judges the risk of every file, unless that is done.
    pub fn judge(&mut self, session: &ReviewSession) {
        if self.risks.len() != session.files.len() {
            self.risks = Risk::of_files(&session.files);
        }
    }

    /// Counts a file again.
    pub fn renew(&mut self, session: &ReviewSession, file: usize) {
        if let (Some(summary), Some(review)) = (self.files.get_mut(file), session.files.get(file)) {
            *summary = FileSummary {
                problems: summary.problems,
                ..FileSummary::new(review)
            };
            self.add_up(session);
        }
    }

    /// Returns the counts of the batch and of a file, to keep them while something is only tried.
    pub(crate) fn counts_with(&self, file: usize) -> KeptCounts {
        let own = self.files.get(file).cloned().unwrap_or_default();
        KeptCounts {
            all: (self.counts, self.needs_attention, self.waiting),
            file: FileSummary {
                hunks: Vec::new(),
                order: Vec::new(),
                ..own
            },
        }
    }

    /// Shows counts again that were kept. The hunks of the file and their order are as they are now.
    pub(crate) fn keep_counts(&mut self, file: usize, kept: &KeptCounts) {
        (self.counts, self.needs_attention, self.waiting) = kept.all;
        if let Some(own) = self.files.get_mut(file) {
            let (hunks, order) = (
                std::mem::take(&mut own.hunks),
                std::mem::take(&mut own.order),
            );
            *own = FileSummary {
                hunks,
                order,
                ..kept.file.clone()
            };
        }
    }

    /// Returns the files in the order of the stream, each by its position in the session.
    pub fn files_in_order(&self) -> Vec<usize> {
        let parts = self.order.iter();
        let first = parts.filter(|part| part.nth == 0);
        first.map(|part| part.file).collect()
    }

    /// Returns the hunks of a part, in the order of the file.
    pub fn hunks_of(
        &self,
        session: &ReviewSession,
        part: &FilePart,
    ) -> impl Iterator<Item = HunkId> {
        let file = part.file;
        let order = self.files[file].order.iter();
        let own = order.filter(move |hunk| part.has(&session.files[file], **hunk));
        own.map(move |&hunk| HunkId { file, hunk })
    }

    /// A hunk in numbers.
    pub fn hunk(&self, id: HunkId) -> HunkSummary {
        let hunk = self
            .files
            .get(id.file)
            .and_then(|file| file.hunks.get(id.hunk));
        hunk.copied().unwrap_or_default()
    }

    /// The nearest hunk after (or before) `from` that waits for a decision; from the end of the batch for `None`. Hidden
    /// files are passed over.
    pub fn next_undecided(
        &self,
        session: &ReviewSession,
        hidden: &BTreeSet<usize>,
        from: Option<HunkId>,
        direction: Direction,
    ) -> Option<HunkId> {
        let open = |id: &HunkId| self.hunk(*id).waits;
        let is_shown = |part: &&FilePart| !hidden.contains(&part.file);
        let hunks = |part: &FilePart| self.hunks_of(session, part).collect::<Vec<_>>();
        let has = |part: &FilePart, id: HunkId| {
            part.file == id.file && part.has(&session.files[id.file], id.hunk)
        };
        let at = from.and_then(|from| self.order.iter().position(|part| has(part, from)));
        let own = || at.into_iter().flat_map(|at| hunks(&self.order[at]));
        let is_beyond = |id: &HunkId| Some(*id) != from;
        match direction {
            Direction::Forward => {
                let own = own().skip_while(is_beyond).skip(1);
                let rest = &self.order[at.map_or(0, |at| at + 1)..];
                own.chain(rest.iter().filter(is_shown).flat_map(hunks))
                    .find(open)
            }
            Direction::Backward => {
                let own: Vec<HunkId> = own().take_while(is_beyond).collect();
                let rest = self.order[..at.unwrap_or(self.order.len())].iter().rev();
                let rest = rest.filter(is_shown);
                let rest = rest.flat_map(|part| hunks(part).into_iter().rev());
                own.into_iter().rev().chain(rest).find(open)
            }
        }
    }

    fn add_up(&mut self, session: &ReviewSession) {
        let problems = session.problems.len();
        let mut all = Counts {
            unplaced: problems,
            ..Counts::default()
        };
        for Counts {
            files,
            hunks,
            accepted,
            rejected,
            mixed,
            undecided,
            edited,
            already_applied,
            unplaced,
        } in self.files.iter().map(|file| file.counts)
        {
            all.files += files;
            all.hunks += hunks;
            all.accepted += accepted;
            all.rejected += rejected;
            all.mixed += mixed;
            all.undecided += undecided;
            all.edited += edited;
            all.already_applied += already_applied;
            all.unplaced += unplaced;
        }
        self.counts = all;
        let of_files = self.files.iter().map(|file| file.needs_attention);
        self.needs_attention = problems + of_files.sum::<usize>();
        let of_files = self.files.iter().map(FileSummary::waiting);
        self.waiting = of_files.sum();
    }
}

impl FileSummary {
    fn new(review: &FileReview) -> Self {
        if let Some(outline) = review.outline() {
            let kinds = file_kinds(review);
            return Self {
                kinds_width: kinds_width(&kinds),
                kinds,
                ..Self::of_outline(outline)
            };
        }
        let mut hunks: Vec<HunkSummary> = review
            .hunks
            .iter()
            .map(|hunk| {
                let (added, removed) = hunk.counts();
                let waits = hunk.is_open() || hunk.can_be_dropped() && !hunk.is_dropped();
                let is_asked = hunk.is_decidable() || hunk.can_be_dropped();
                HunkSummary {
                    is_asked: is_asked && review.is_open(),
                    waits: waits && review.is_open(),
                    mark: hunk.mark().filter(|_| review.is_open()),
                    added,
                    removed,
                    rank: 0,
                }
            })
            .collect();
        let order = review.in_file_order();
        for (rank, &hunk) in order.iter().enumerate() {
            hunks[hunk].rank = rank + 1;
        }
        let loose = review.hunks.iter().filter(|hunk| !hunk.is_sure());
        let placements = loose.filter_map(|hunk| hunk.placement());
        let kinds = file_kinds(review);
        Self {
            standing: review.standing,
            problems: 0,
            kinds_width: kinds_width(&kinds),
            kinds,
            mark: Mark::of(hunks.iter().filter_map(|hunk| hunk.mark)),
            added: hunks.iter().map(|hunk| hunk.added).sum(),
            removed: hunks.iter().map(|hunk| hunk.removed).sum(),
            unplaced: review.unplaced(),
            needs_attention: review.attention_count(),
            loose: placements
                .max_by_key(|placement| placement.confidence)
                .map(|placement| confidence_words(placement.confidence)),
            edited: review.hunks.iter().any(|hunk| hunk.state.edited),
            commented: review.is_commented() || !review.threads.is_empty(),
            counts: counts(review, &hunks),
            progress: Progress::of(hunks.iter().copied()),
            order,
            hunks,
        }
    }
}

impl FileSummary {
    /// Returns true if a hunk of it needs attention, or a part of the input that names it.
    pub fn needs_attention(&self) -> bool {
        self.needs_attention + self.problems > 0
    }

    /// Counts its hunks; of a file that is not placed yet, as many as its outline has.
    pub(crate) fn hunk_count(&self) -> usize {
        self.hunks.len().max(self.counts.hunks)
    }

    /// Counts the hunks that wait for a decision.
    pub(crate) fn waiting(&self) -> usize {
        self.hunks.iter().filter(|hunk| hunk.waits).count()
    }

    /// Returns the cells of its row in the list at the side: its mark, signs, kinds and counts, with the gaps between them, without
    /// its name.
    pub(crate) fn list_width(&self) -> usize {
        let counts = count_width(self.added) + count_width(self.removed);
        SIGNS + self.kinds_width + self.progress.width() + counts
    }

    /// A file that is not placed yet: everything is undecided, by its own numbers.
    fn of_outline(outline: Outline) -> Self {
        let counts = Counts {
            files: 1,
            hunks: outline.hunks,
            undecided: outline.hunks,
            ..Counts::default()
        };
        Self {
            mark: Some(Mark::Undecided),
            added: outline.added,
            removed: outline.removed,
            progress: Progress {
                decided: 0,
                all: outline.hunks,
            },
            counts,
            ..Self::default()
        }
    }
}

/// Returns the cells of a number of lines, with its sign and a gap.
fn count_width(lines: usize) -> usize {
    match lines.checked_ilog10() {
        Some(log) => 3 + usize::try_from(log).unwrap_or(0),
        None => 0,
    }
}

/// Returns the cells of the words for what becomes of a file, each with a gap.
fn kinds_width(kinds: &[&str]) -> usize {
    kinds.iter().map(|word| glyphs::width(word) + 1).sum()
}

/// The hunks of a file by what was decided.
fn counts(review: &FileReview, hunks: &[HunkSummary]) -> Counts {
    if !review.is_open() {
        return Counts::default();
    }
    let marked = |mark: Mark| hunks.iter().filter(|hunk| hunk.mark == Some(mark)).count();
    let of = |test: fn(&HunkReview) -> bool| review.hunks.iter().filter(|hunk| test(hunk)).count();
    Counts {
        files: 1,
        hunks: of(|hunk| hunk.is_decidable() || hunk.is_dropped()),
        accepted: marked(Mark::Accepted),
        rejected: marked(Mark::Rejected),
        mixed: marked(Mark::Mixed),
        undecided: marked(Mark::Undecided),
        edited: of(|hunk| hunk.state.edited),
        already_applied: of(HunkReview::is_applied),
        unplaced: review.unplaced(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_batch_has_nothing_undecided() {
        let session = ReviewSession::default();
        let summaries = Summaries::new(&session);
        assert_eq!(
            summaries.next_undecided(&session, &BTreeSet::new(), None, Direction::Forward),
            None
        );
        assert_eq!(
            summaries.next_undecided(&session, &BTreeSet::new(), None, Direction::Backward),
            None
        );
    }
}
