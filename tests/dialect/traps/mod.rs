//! Edits on which other tools write to the wrong place, write the wrong text, or give up: what becomes of each here.
//!
//! Where an edit can be meant in one way only it is applied; where it could be meant in two nothing is written, and it is
//! said why.

mod blocks;
mod calls;
mod diffs;
mod envelopes;
mod shapes;

use crate::outcome::check;

/// An edit of one file, with nothing to say about it.
#[track_caller]
fn becomes(before: &str, edit: &str, after: &str) {
    check(&[("f.py", before)], edit, &[("f.py", after)], &[]);
}

/// An edit of one file that changes nothing, and why.
#[track_caller]
fn refused(before: &str, edit: &str, said: &str) {
    let file = [("f.py", before)];
    check(&file, edit, &file, &[said]);
}

/// An edit of one file that changes nothing, with nothing wrong about it: it stands there already.
#[track_caller]
fn stands(before: &str, edit: &str) {
    becomes(before, edit, before);
}

/// A search/replace block; the halves end with newlines.
fn block(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}
