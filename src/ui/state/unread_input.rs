//! Parts of the input that could not be read and name no file of the review: at the cursor, and their names.

use super::app::App;
use crate::review::Row;

impl App {
    /// Returns the part of the input at the cursor that could not be read and names no file of the review.
    pub(crate) fn unread_part(&self) -> Option<usize> {
        if let Some(Row::Problem { problem, .. }) = self.stream.row() {
            let named = self.session.files_of_problems();
            return Some(problem).filter(|at| named.get(*at) == Some(&None));
        }
        None
    }

    /// Returns the name of a part of the input that could not be read: the file that it names, or its first line.
    pub(crate) fn unread_name(&self, at: usize) -> String {
        let Some(problem) = self.session.problems.get(at) else {
            return String::new();
        };
        match &problem.path {
            Some(path) => path.to_string(),
            None => format!("input line {}", problem.line),
        }
    }
}
