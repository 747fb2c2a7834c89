//! Invalidation of counts, rows and caches after a change of the review.

use std::sync::Arc;

use super::app::App;
use crate::review::{Moved, ReviewSession};
use crate::text::{Document, LineIdx};
use crate::ui::highlight::token_cache::WordCache;

impl App {
    /// Takes note that decisions or comments changed: in one file, or anywhere.
    pub fn decisions_changed(&mut self, file: Option<usize>) {
        self.changed = true;
        self.revision += 1;
        match file {
            Some(file) => self.summaries.renew(&self.session, file),
            None => self.summaries.renew_all(&self.session),
        }
    }

    /// Returns true if decisions, edits or comments changed since the last call. An unfinished edit changes
    /// at every key.
    pub fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes note that the session is another one on the same proposal; `before` is what it was.
    pub fn session_replaced(&mut self, before: &ReviewSession) {
        for file in 0..self.session.files.len() {
            self.tokens.replaced(file);
        }
        self.changed_words = WordCache::default();
        self.column_indexes.forget();
        self.search.recount();
        self.thresholds.clamp(self.session.history_len());
        if let Some(threads) = &mut self.threads {
            threads.clamp(self.session.history_len().0);
        }
        self.files_changed(before);
    }

    /// Takes note that files have come or gone; `before` is what the session was.
    pub fn files_changed(&mut self, before: &ReviewSession) {
        self.moved_lines.changed(None);
        self.headings.clear();
        self.decisions_changed(None);
        self.summaries.risks.clear();
        self.summaries.announced = None;
        self.arrange();
        self.close_new_quiet_files();
        self.stream.replace(before, &self.session);
        self.fit_list();
        self.file_list.show_cursor(self.file_list_page());
    }

    /// Takes note that a file's lines are others, wherever.
    pub fn lines_replaced(&mut self, file: usize) {
        self.search.recount();
        self.tokens.replaced(file);
        self.changed_words.forget(file);
        self.moved_lines.changed(Some(file));
        self.stream.lay_out_file(&self.session, file);
        self.decisions_changed(Some(file));
    }

    /// Takes the moved lines that were found, and folds them.
    pub fn moves_found(&mut self, number: u64, moved: Moved) {
        self.moved_lines.take(number, moved);
        for line in self.moved_lines.known().edited_lines() {
            self.changed_words.forget_line(line);
        }
        self.stream
            .fold_moves(&self.session, self.moved_lines.known());
    }

    /// Takes note that the comments of a file are others, and so its rows.
    pub fn comments_changed(&mut self, file: usize) {
        self.stream.lay_out_file(&self.session, file);
        self.decisions_changed(Some(file));
    }

    /// Takes note that a file's lines may have changed, from a line of its right side on. `before` is what the right side
    /// was.
    pub fn lines_edited(&mut self, file: usize, from: LineIdx, before: &Arc<Document>) {
        let Some(review) = self.session.files.get(file) else {
            return;
        };
        if !Arc::ptr_eq(review.yours(), before) {
            let shift = review.yours().len().cast_signed() - before.len().cast_signed();
            self.tokens.changed(file, from, shift);
            self.changed_words.forget(file);
            self.moved_lines.changed(Some(file));
            self.search.recount();
            self.stream.lay_out_file(&self.session, file);
        }
        self.decisions_changed(Some(file));
    }
}
