//! The text of a file with other decisions than those of the session.

use crate::review::{Decision, FileReview, Postimage, compose};

/// Returns the text that a file gets if each hunk is decided as given, or as it is.
pub(super) fn text_with(file: &FileReview, decide: &dyn Fn(usize) -> Option<Decision>) -> String {
    let mut decided = file.clone();
    for (at, hunk) in decided.hunks.iter_mut().enumerate() {
        if let Some(decision) = decide(at) {
            for marks in &mut hunk.state.marks {
                (marks.removed, marks.added) = (decision, decision);
            }
        }
    }
    if let Postimage::Text { text, .. } = compose(&decided) {
        text
    } else {
        file.base.text().to_owned()
    }
}
