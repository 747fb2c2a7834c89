//! The hunks of a row in the list of files, and their numbers.

use std::borrow::Cow;

use super::app::App;
use crate::review::{Counts, FilePart, HunkId, Mark, Target};
use crate::ui::file_list::FileListRow;
use crate::ui::summary::{FileSummary, Progress};

impl App {
    /// Returns the part of the stream that a row of the list shows; `None` for a row that shows a whole file.
    fn listed_part(&self, row: FileListRow) -> Option<&FilePart> {
        match row {
            FileListRow::Part { at, file } => {
                let part = self.summaries.order.get(at);
                part.filter(|part| part.file == file)
            }
            FileListRow::File(_)
            | FileListRow::Group(_)
            | FileListRow::Folder(_)
            | FileListRow::Problem(_) => None,
        }
    }

    /// Returns the sums of the files in a folder of the list.
    pub(crate) fn folder_summary(&self, folder: usize) -> FileSummary {
        let members = self.file_list.folders[folder].members.iter();
        let summary = |&row: &FileListRow| Some(self.listed_summary(row, row.file()?));
        let summaries: Vec<Cow<FileSummary>> = members.filter_map(summary).collect();
        let files = || summaries.iter().map(Cow::as_ref);
        let sum = |of: fn(&FileSummary) -> usize| files().map(of).sum();
        FileSummary {
            mark: Mark::of(files().filter_map(|file| file.mark)),
            added: sum(|file| file.added),
            removed: sum(|file| file.removed),
            unplaced: sum(|file| file.unplaced),
            needs_attention: sum(|file| file.needs_attention + file.problems),
            edited: files().any(|file| file.edited),
            commented: files().any(|file| file.commented),
            counts: Counts {
                hunks: sum(FileSummary::hunk_count),
                ..Counts::default()
            },
            progress: files().fold(Progress::default(), |sum, file| sum + file.progress),
            ..FileSummary::default()
        }
    }

    /// Returns the target of a decision about some rows of the list: their files, or the hunks of parts.
    pub(crate) fn listed_target(&self, rows: &[FileListRow]) -> Target {
        let files = rows.iter().filter_map(|row| match row {
            FileListRow::File(file) => Some(*file),
            FileListRow::Part { .. }
            | FileListRow::Group(_)
            | FileListRow::Folder(_)
            | FileListRow::Problem(_) => None,
        });
        let files: Vec<usize> = files.collect();
        if files.len() == rows.len() {
            return Target::Files(files);
        }
        let parts = rows.iter().filter_map(|&row| self.listed_part(row));
        let whole: Vec<FilePart> = files.into_iter().map(FilePart::whole).collect();
        let parts = parts.chain(&whole);
        let hunks = parts.flat_map(|part| self.summaries.hunks_of(&self.session, part));
        let mut hunks: Vec<HunkId> = hunks.collect();
        hunks.sort_unstable();
        hunks.dedup();
        Target::Hunks(hunks)
    }

    /// Returns the parts of the stream with a purpose, as rows of the list.
    pub(crate) fn parts_of_purpose(&self, purpose: usize) -> Vec<FileListRow> {
        let parts = self.summaries.order.iter().enumerate();
        let own = parts.filter(|(_, part)| part.purpose == Some(purpose));
        own.map(|(at, part)| FileListRow::Part {
            file: part.file,
            at,
        })
        .collect()
    }

    /// Counts the hunks of a file, or of the part of it that a row of the list shows.
    pub(crate) fn listed_hunks(&self, row: FileListRow, file: usize) -> usize {
        let whole = self.summaries.files[file].counts.hunks;
        let part = self.listed_part(row).filter(|part| part.is_split());
        part.map_or(whole, |part| {
            let hunks = self.summaries.hunks_of(&self.session, part);
            let review = &self.session.files[file];
            let hunks = hunks.filter(|id| {
                let hunk = &review.hunks[id.hunk];
                hunk.is_decidable() || hunk.is_dropped()
            });
            if review.is_open() { hunks.count() } else { 0 }
        })
    }

    /// Returns the numbers of a file, or of the part of it that a row of the list shows.
    pub(crate) fn listed_summary(&self, row: FileListRow, file: usize) -> Cow<'_, FileSummary> {
        let whole = &self.summaries.files[file];
        let Some(part) = self.listed_part(row).filter(|part| part.is_split()) else {
            return Cow::Borrowed(whole);
        };
        let review = &self.session.files[file];
        let ids: Vec<HunkId> = self.summaries.hunks_of(&self.session, part).collect();
        let own = || ids.iter().map(|&id| self.summaries.hunk(id));
        let hunks = || ids.iter().map(|id| &review.hunks[id.hunk]);
        let unplaced = hunks().filter(|hunk| hunk.is_unplaced() && !hunk.is_dropped());
        let needs_attention = hunks().filter(|hunk| review.attention(hunk).is_some());
        Cow::Owned(FileSummary {
            mark: Mark::of(own().filter_map(|hunk| hunk.mark)),
            standing: whole.standing,
            added: own().map(|hunk| hunk.added).sum(),
            removed: own().map(|hunk| hunk.removed).sum(),
            unplaced: unplaced.count(),
            needs_attention: needs_attention.count(),
            edited: hunks().any(|hunk| hunk.state.edited),
            commented: hunks().any(|hunk| hunk.state.comment.is_some()),
            progress: Progress::of(own()),
            hunks: own().collect(),
            ..FileSummary::default()
        })
    }
}
