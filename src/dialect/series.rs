//! Series of patches: `git format-patch --stdout`, mailboxes, `hg export`.
//!
//! A later patch names a file as the earlier ones left it. What it asks of a renamed file is asked of the file under the name
//! that it has on disk.

use super::Input;
use crate::proposal::{FileChange, Operation, PathClaim};

/// Traces the files that a series renames back to the names that they have on disk.
pub(super) fn trace(input: &Input, files: &mut [FileChange]) {
    let starts: Vec<usize> = (0..input.len())
        .filter(|&at| input.line(at).is_some_and(is_start))
        .map(|at| input.number(at).get())
        .collect();
    if starts.len() < 2 {
        return;
    }
    let patch_of =
        |file: &FileChange| starts.partition_point(|start| *start <= file.span.first.get());
    for at in 0..files.len() {
        let patch = patch_of(&files[at]);
        let earlier = |other: &usize| {
            let is_target = matches!(&files[*other].operation, Operation::Rename(to) if same(to, &files[at].path));
            is_target && patch_of(&files[*other]) < patch
        };
        let Some(first) = (0..at).rev().find(earlier) else {
            continue;
        };
        let original = files[first].path.clone();
        match files[at].operation.clone() {
            Operation::Modify => files[at].path = original,
            Operation::Rename(to) => {
                files[first].operation = Operation::Rename(to);
                files[at].operation = Operation::Modify;
                files[at].path = original;
            }
            Operation::Create
            | Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::Delete
            | Operation::Link { .. }
            | Operation::CopyOf(_) => (),
        }
    }
}

fn same(left: &PathClaim, right: &PathClaim) -> bool {
    left.first() == right.first()
}

/// Returns `true` for the line that begins a patch of a series.
fn is_start(line: &str) -> bool {
    let mail = line
        .strip_prefix("From ")
        .and_then(|rest| rest.split(' ').next());
    mail.is_some_and(|hash| hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        || line == "# HG changeset patch"
}
