//! The filter of the file list: the files that it leaves out are on no part of the screen, and no command acts on them.

use std::collections::BTreeSet;

use super::app::{App, Tone};
use crate::review::{Direction, HunkId, Target};
use crate::text::plural;
use crate::ui::command::Command;
use crate::ui::state::mode::Mode;

impl App {
    /// Leaves the files out of the stream that are not in the filtered list; without laying out. Where nothing is listed, the stream
    /// has all files.
    pub(crate) fn hide_filtered(&mut self) {
        let list = &self.file_list;
        self.stream.folds.hidden = if list.filter.is_empty() || list.files.is_empty() {
            BTreeSet::new()
        } else {
            let shown: BTreeSet<usize> = list.files.iter().copied().collect();
            let all = 0..self.session.files.len();
            all.filter(|file| !shown.contains(file)).collect()
        };
    }

    /// Shows in the stream the files that the filtered list has.
    pub(crate) fn filter_stream(&mut self) {
        let before = std::mem::take(&mut self.stream.folds.hidden);
        self.hide_filtered();
        if before == self.stream.folds.hidden {
            return;
        }
        self.search.recount();
        let here = self.stream.file();
        self.stream.lay_out(&self.session);
        if here.is_some_and(|file| self.is_hidden(file)) {
            let first = self.file_list.files.first();
            let heading = first.and_then(|&file| self.stream.rows.heading_of_file(file));
            self.jump(heading.unwrap_or(0));
        }
        self.fit_list();
        self.file_list.show_cursor(self.file_list_page());
    }

    /// Shows all files again. Returns false if no filter hides any.
    pub(crate) fn clear_filter(&mut self) -> bool {
        if self.file_list.filter.is_empty() {
            return false;
        }
        self.file_list.filter.clear();
        self.file_list.arrange(&self.session, &self.summaries);
        self.filter_stream();
        self.file_list.show_cursor(self.file_list_page());
        true
    }

    /// Shows all files again if the filter hides one.
    pub(crate) fn show_hidden(&mut self, file: usize) {
        if self.is_hidden(file) {
            self.clear_filter();
        }
    }

    /// Returns true if the filter hides a file.
    pub(crate) fn is_hidden(&self, file: usize) -> bool {
        self.stream.folds.hidden.contains(&file)
    }

    /// Returns the nearest hunk after (or before) `from` that waits for a decision, in the files that are shown.
    pub(crate) fn next_undecided(
        &self,
        from: Option<HunkId>,
        direction: Direction,
    ) -> Option<HunkId> {
        let hidden = &self.stream.folds.hidden;
        (self.summaries).next_undecided(&self.session, hidden, from, direction)
    }

    /// Returns all that is undecided in the files that are shown.
    pub(crate) fn shown_rest(&self) -> Target {
        let list = &self.file_list;
        let is_empty = !list.filter.is_empty() && list.files.is_empty();
        if is_empty && matches!(self.mode, Mode::FileList) {
            return Target::RestOf(Vec::new());
        }
        if self.stream.folds.hidden.is_empty() {
            return Target::Rest;
        }
        let all = 0..self.session.files.len();
        Target::RestOf(all.filter(|&file| !self.is_hidden(file)).collect())
    }

    /// Counts the hunks that wait for a decision in files that the filter hides.
    pub(crate) fn hidden_waiting(&self) -> usize {
        let hidden = self.stream.folds.hidden.iter();
        let waiting = hidden.map(|&file| self.summaries.files[file].waiting());
        waiting.sum()
    }

    /// Returns the undecided hunks that the filter hides in words; `None` if it hides none.
    pub(crate) fn hidden_words(&self) -> Option<String> {
        let waiting = self.hidden_waiting();
        let filter = &self.file_list.filter;
        (waiting > 0).then(|| {
            let hunks = plural(waiting, "undecided hunk");
            format!("{hunks} in files that the filter `{filter}` hides")
        })
    }

    /// Returns these hunks in words that follow a message, with the key that shows them; empty if there are none.
    pub(crate) fn and_hidden(&self) -> String {
        let back = self.key(Command::Back);
        let hidden = self.hidden_words();
        hidden.map_or(String::new(), |hidden| {
            format!("; {hidden}: {back} shows them")
        })
    }

    /// Shows all files again, with a message.
    pub(crate) fn leave_filter(&mut self) {
        if self.clear_filter() {
            self.notify(Tone::Done, "all files are shown again");
        }
    }
}
