//! Data that the next frame needs, and requests for what is missing.

use std::sync::Arc;

use super::app::App;
use super::reader::ReaderContent;
use crate::review::{ChangedLines, Row};
use crate::ui::highlight::{Half, HighlightRequest, SyntaxCheck, TextSource};

impl App {
    /// Computes what the next frame needs for the rows on the screen; what is missing for their colours.
    pub fn prepare(&mut self) -> Option<Vec<HighlightRequest>> {
        if self.reader.is_some() {
            return self.prepare_result();
        }
        let mut lines = Vec::new();
        for (idx, _) in self.stream.visible(&self.session) {
            let Some(row) = self.stream.rows.get(idx) else {
                continue;
            };
            let file = row.file();
            let source = |half| TextSource { file, half };
            let (old, new) = row.lines();
            lines.extend(old.map(|old| (source(Half::Base), old)));
            lines.extend(new.map(|new| (source(Half::Proposed), new)));
            if let Row::Hunk { id } = row {
                self.headings.prepare(&self.session, id);
            }
            if let Row::Problem {
                problem,
                line: shown @ 1..,
                ..
            } = row
            {
                self.headings
                    .prepare_quoted(&self.session, problem, shown - 1);
            }
            if let Row::Change { id, line, .. } = row {
                let moved = self.moved_lines.known();
                self.changed_words.prepare(&self.session, moved, id, line);
            }
        }
        for (source, line) in &lines {
            self.column_indexes.prepare(&self.session, *source, *line);
        }
        self.tokens.wants(&self.session, None, &lines)
    }

    /// Returns the lines to search for moves, with the revision for the answer; `None` while lines are being
    /// typed.
    pub fn wanted_moves(&mut self) -> Option<(u64, ChangedLines)> {
        if self.mode.edit().is_some() || self.summaries.unread > 0 {
            return None;
        }
        self.moved_lines.next_search(&self.session)
    }

    /// Returns the syntax check for the result that is being read.
    pub fn case(&self) -> Option<SyntaxCheck> {
        let ReaderContent::Result(result) = &self.reader.as_ref()?.what else {
            return None;
        };
        let review = self.session.files.get(result.file)?;
        Some(SyntaxCheck {
            number: self.syntax_checks,
            path: review.path.clone(),
            base: Arc::clone(&review.base),
            whole: Arc::clone(review.yours()),
            result: Arc::clone(&result.text),
        })
    }

    /// Returns the request for the missing tokens of the result that is being read.
    fn prepare_result(&mut self) -> Option<Vec<HighlightRequest>> {
        let reader = self.reader.as_ref()?;
        let ReaderContent::Result(result) = &reader.what else {
            return None;
        };
        let source = TextSource {
            file: result.file,
            half: Half::Result,
        };
        let end = (reader.top + usize::from(self.size.height)).min(result.text.len());
        let lines: Vec<_> = (reader.top..end).map(|line| (source, line)).collect();
        let text = Arc::clone(&result.text);
        self.tokens.wants(&self.session, Some(&text), &lines)
    }
}
