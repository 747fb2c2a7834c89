//! A proposal before its files are read: names and numbers, to be shown while it is being placed.
//!
//! An outline has no hunks, so there is nothing in it to decide. The placed session replaces it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::proposal::{FileChange, Operation, Problem};
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::outline::Outline;
use crate::review::session::review_session::ReviewSession;
use crate::text::Document;

/// A proposal in outline: each file by the likeliest reading of its name, in the order of its first part.
pub fn outline(
    intent: String,
    problems: Vec<Problem>,
    changes: &[Arc<FileChange>],
) -> ReviewSession {
    let mut files: Vec<FileReview> = Vec::new();
    let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
    let nothing = Arc::new(Document::from_text(""));
    for change in changes {
        let path = change.path.first();
        let at = *positions.entry(path).or_insert(files.len());
        if at == files.len() {
            let base = Arc::clone(&nothing);
            let content = FileContent::Outline(Outline::default());
            let mut file = FileReview::new(kind(&change.operation), base, Vec::new(), content);
            file.path.push_str(path);
            files.push(file);
        }
        if let FileContent::Outline(outline) = &mut files[at].content {
            outline.add(change);
        }
    }
    ReviewSession {
        intent,
        files,
        problems,
        ..ReviewSession::default()
    }
}

fn kind(operation: &Operation) -> FileKind {
    match operation {
        Operation::Modify
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Link { .. } => FileKind::Modified,
        Operation::Create => FileKind::Created,
        Operation::Delete => FileKind::Deleted,
        Operation::Rename(to) => FileKind::Renamed {
            to: to.first().to_owned(),
        },
        Operation::CopyOf(from) => FileKind::Copied {
            from: from.first().to_owned(),
            executable: false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::{Body, Hunk, InputSpan, PathClaim};

    fn change(path: &str, before: &str, after: &str) -> Arc<FileChange> {
        let span = InputSpan::of(0..1);
        let lines = |text: &str| text.split('|').map(str::to_owned).collect();
        let body = Body {
            preimage: lines(before),
            postimage: lines(after),
        };
        Arc::new(FileChange {
            hunks: vec![Hunk::new(body, span)],
            ..FileChange::new(PathClaim::plain(path), Operation::Modify, "test", span)
        })
    }

    #[test]
    fn an_outline_counts_and_has_nothing_to_decide() {
        let changes = [
            change("a", "x|y|z", "x|1|2|z"),
            change("b", "x", "x|x"),
            change("a", "q", "r"),
        ];
        let session = outline(String::new(), Vec::new(), &changes);
        let shown: Vec<_> = (session.files.iter())
            .map(|file| (file.path.as_str(), file.outline().unwrap()))
            .map(|(path, of)| format!("{path} {} +{} -{}", of.hunks, of.added, of.removed))
            .collect();
        assert_eq!(shown, ["a 2 +3 -2", "b 1 +1 -0"]);
        assert_eq!(session.counts().hunks, 0);
    }
}
