//! Short words for what becomes of a file besides its lines.

use crate::review::{FileKind, FileReview, Step};

/// Returns the words for what becomes of a file besides its lines, without repetition; none if nothing does.
pub(crate) fn file_kinds(review: &FileReview) -> Vec<&'static str> {
    let kind = match review.kind {
        FileKind::Created | FileKind::Copied { .. } => Some("new"),
        FileKind::Deleted if review.is_kept_by_edit() => None,
        FileKind::Deleted => Some("del"),
        FileKind::Renamed { .. } => Some("ren"),
        FileKind::Modified => None,
    };
    let is_binary = review.opaque().is_some();
    let steps = review.hunks.iter().filter_map(|hunk| hunk.step.as_ref());
    let mut words: Vec<&str> = Vec::new();
    let all = kind.into_iter().chain(is_binary.then_some("bin"));
    for word in all.chain(steps.filter_map(|step| step_word(review, step))) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Returns the word for a step; `None` for one that the kind of the change implies.
fn step_word(review: &FileReview, step: &Step) -> Option<&'static str> {
    let word = match step {
        Step::Mode { .. } => "mode",
        Step::Form { .. } => "eol",
        Step::Link { .. } | Step::Unlink => "link",
        Step::MakeFolder | Step::RemoveFolder => "dir",
        Step::Create | Step::Copy => "new",
        // Said of a file that an edit keeps, this would be wrong.
        Step::Delete if review.is_kept_by_edit() => return None,
        Step::Delete => "del",
        Step::Rename => "ren",
        Step::Content | Step::Bytes(_) => "bin",
    };
    Some(word)
}
