//! Sessions made from texts, without files.

use std::sync::Arc;

use countersign::locate::Tolerance;
use countersign::proposal::{
    Body, FileChange, FinalNewline, Hunk, HunkOrder, InputSpan, Operation, PathClaim,
};
use countersign::review::{Found, Intake, Postimage, ReviewSession, compose, intake};
use countersign::text::{Document, LineNo};

/// Lines of a text whose lines are parted by `|`.
pub(crate) fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        Vec::new()
    } else {
        text.split('|').map(str::to_owned).collect()
    }
}

/// A hunk that changes one half into the other, with a line number.
pub(crate) fn hunk(preimage: Vec<String>, postimage: Vec<String>, line: usize) -> Hunk {
    let mut hunk = Hunk::new(
        Body {
            preimage,
            postimage,
        },
        InputSpan::of(0..1),
    );
    hunk.hint = LineNo::new(line);
    hunk
}

/// A session on one file with this text.
pub(crate) fn session(base: &str, hunks: Vec<Hunk>) -> ReviewSession {
    session_of(base, Operation::Modify, hunks)
}

/// A session on one file with this text, which is written as a whole.
pub(crate) fn written(base: &str, text: &str) -> ReviewSession {
    let ended = text.strip_suffix('\n');
    let mut all = hunk(Vec::new(), Vec::new(), 0);
    if !text.is_empty() {
        let lines = ended.unwrap_or(text).split('\n');
        all.body.postimage = lines.map(str::to_owned).collect();
    }
    all.final_newline = match ended {
        Some(_) => FinalNewline::Add,
        None => FinalNewline::Remove,
    };
    session_of(base, Operation::Overwrite, vec![all])
}

fn session_of(base: &str, operation: Operation, hunks: Vec<Hunk>) -> ReviewSession {
    let change = FileChange {
        path: PathClaim::plain("file"),
        operation,
        executable: None,
        is_regular: false,
        blobs: None,
        binary: None,
        hunks,
        dialect: "test",
        span: InputSpan::of(0..1),
        patch: 0,
    };
    let found = Found::Text {
        document: Arc::new(Document::from_text(base)),
        executable: false,
    };
    let path = "file".to_owned();
    let file = Intake {
        change: Arc::new(change),
        order: HunkOrder::Ascending,
        path,
        other: countersign::review::OtherFile::None,
        found,
        protected: None,
        bytes: None,
        reading: countersign::review::NewTextEncoding::default(),
    };
    intake(String::new(), Vec::new(), vec![file], Tolerance::default())
}

/// A session on `a|b|c|…` with edits `before => after`, parted by ` ; `.
pub(crate) fn of_edits(base: &str, edits: &str) -> ReviewSession {
    let hunks = edits.split(" ; ").map(|edit| {
        let (before, after) = edit
            .split_once(" => ")
            .expect("an edit is `before => after`");
        hunk(lines(before), lines(after), 0)
    });
    session(&(lines(base).join("\n") + "\n"), hunks.collect())
}

/// What the first file would hold, lines parted by `|`.
pub(crate) fn composed(session: &ReviewSession) -> String {
    let text = match compose(&session.files[0]) {
        Postimage::Unchanged
        | Postimage::Kept { .. }
        | Postimage::Copy { .. }
        | Postimage::Bytes { .. }
        | Postimage::Link { .. }
        | Postimage::Folder => session.files[0].base.text().to_owned(),
        Postimage::Text { text, .. } => text,
        Postimage::Deleted => return "deleted".to_owned(),
    };
    text.trim_end_matches('\n').replace('\n', "|")
}
