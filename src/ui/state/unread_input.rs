//! Parts of the input that could not be read and name no file of the review: at the cursor, and their names.

use super::app::App;
use crate::review::Row;

impl App {
    /// Returns the part of the input at the cursor that could not be read and names no file of the review.
    pub(crate) fn unread_part(&self) -> Option<usize> {
        self.unread_part_of(self.stream.row()?)
    }

    /// Returns the part of the input that a row is of, if it could not be read and names no file of the review.
    pub(crate) fn unread_part_of(&self, row: Row) -> Option<usize> {
        let Row::Problem { problem, .. } = row else {
            return None;
        };
        let named = self.session.files_of_problems();
        (named.get(problem) == Some(&None)).then_some(problem)
    }

    /// Returns the name of a part of the input that could not be read: the file that it names, or its first line.
    pub(crate) fn unread_name(&self, at: usize) -> String {
        let Some(problem) = self.session.problems.get(at) else {
            return String::new();
        };
        match &problem.path {
            Some(path) => path.to_string(),
            None => format!("line {} of the input", problem.line),
        }
    }
}
