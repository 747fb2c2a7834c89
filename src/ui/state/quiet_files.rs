//! Generated files and lock files: of those that need no attention only the name is shown until they are opened.

use std::collections::BTreeSet;

use super::app::App;
use crate::review::{FileContent, FileGroup, FileKind};
use crate::ui::file_list::Sort;

impl App {
    /// Closes the generated files and lock files that arrived since the last call, in the orders that put them last.
    pub(super) fn close_new_quiet_files(&mut self) {
        let files = 0..self.session.files.len();
        let arrived: Vec<usize> = files
            .filter(|file| !self.arrived.contains(file) && self.is_text(*file))
            .collect();
        self.arrived.extend(&arrived);
        if self.has_quiet_files_last() {
            let quiet = arrived.into_iter().filter(|&file| self.is_quiet(file));
            let quiet: Vec<usize> = quiet.collect();
            self.stream.folds.closed.extend(quiet);
        }
    }

    /// Closes the generated files and lock files in the orders that put them last, and opens them in the others.
    pub fn close_quiet_files(&mut self) {
        let files = 0..self.session.files.len();
        let quiet: BTreeSet<usize> = files.filter(|&file| self.is_quiet(file)).collect();
        let is_last = self.has_quiet_files_last();
        let closed = &mut self.stream.folds.closed;
        closed.retain(|file| !quiet.contains(file));
        closed.extend(quiet.into_iter().filter(|_| is_last));
    }

    fn has_quiet_files_last(&self) -> bool {
        matches!(self.file_list.sort, Sort::Risk | Sort::Kind)
    }

    fn is_text(&self, file: usize) -> bool {
        self.session.files[file].content == FileContent::Text
    }

    /// Returns true if the file on disk is generated or a lock file, and nothing in it needs attention or has a comment. A new file is
    /// never quiet, because only the proposal says that it is generated.
    fn is_quiet(&self, file: usize) -> bool {
        let review = &self.session.files[file];
        let is_made = |group| matches!(group, FileGroup::Generated | FileGroup::LockFile);
        let risk = self.summaries.risks.get(file);
        risk.is_some_and(|risk| is_made(risk.group) && !risk.is_urgent)
            && review.kind == FileKind::Modified
            && self.is_text(file)
            && !review.is_commented()
            && review.threads.is_empty()
    }
}
