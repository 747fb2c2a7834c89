//! Names of files that earlier steps of an input move or make.
//!
//! A later step names a file as the earlier ones left it: a patch of a series, a section of an envelope, a call. A file is followed through
//! its names: what a step asks of one that was there is asked of it under the name that it has on disk, and what it asks of one that
//! the input makes, under its last name.

use std::collections::{HashMap, HashSet};
use std::mem;

use crate::dialect::dialect_trait::Dialect;
use crate::dialect::parsed::Parsed;
use crate::dialect::table;
use crate::proposal::{FileChange, HunkOrder, Operation, PathClaim, Problem};

/// Traces the files that the steps of an input move back to the names that they have on disk. A step that names a file as it was
/// before an earlier one moved it is refused.
pub(crate) fn follow_moves(parsed: &mut Parsed) {
    let files = &mut parsed.proposal.files;
    let moves = |file: &FileChange| matches!(file.operation, Operation::Rename(_));
    if !files.iter().any(moves) {
        return;
    }
    let mut names = SeriesNames::default();
    for step in files.chunk_by_mut(is_one_step) {
        names.take(step);
    }
    let refused = mem::take(&mut names.refused);
    names.settle(files);
    if refused.is_empty() {
        return;
    }
    for (at, to) in refused.into_iter().rev() {
        let file = files.remove(at);
        parsed.problems.push(Problem {
            line: file.span.first,
            span: file.span,
            dialect: file.dialect,
            found: format!(
                "an edit of `{}`, which an earlier step moves to `{to}`",
                file.path
            ),
            expected: "the new name, or each step by itself".to_owned(),
            path: Some(file.path),
            text: Vec::new(),
        });
    }
    parsed.problems.sort_by_key(|problem| problem.line);
}

/// Returns `true` for two changes of one patch, which are both for the files as they are above it. Calls and the sections of an envelope
/// are carried out one after the other.
fn is_one_step(file: &FileChange, next: &FileChange) -> bool {
    let order = table::named(file.dialect).map(Dialect::hunk_order);
    let is_sequence = order == Some(HunkOrder::Sequence) || file.dialect == "envelope";
    file.dialect == next.dialect && file.patch == next.patch && !is_sequence
}

/// A file that a series moves or makes.
struct SeriesFile {
    /// The positions of its changes; the first one moves or makes it.
    changes: Vec<usize>,
    /// Its name so far.
    name: PathClaim,
    /// The name that it has on disk; `None` if the series makes it.
    on_disk: Option<PathClaim>,
}

/// The files of a series by the names that the patches so far leave them.
#[derive(Default)]
struct SeriesNames {
    files: Vec<SeriesFile>,
    now: HashMap<String, usize>,
    /// The names from which files were moved, with the new ones.
    left: HashMap<String, String>,
    /// The names of files that the steps so far change, move, copy or make.
    named: HashSet<String>,
    /// The changes that name a file as it was, each with its new name.
    refused: Vec<(usize, String)>,
    /// The number of changes so far.
    changes: usize,
}

impl SeriesNames {
    /// Follows the changes of one patch, which are all for the files as the patch before leaves them.
    fn take(&mut self, patch: &mut [FileChange]) {
        let (mut left, mut taken) = (Vec::new(), Vec::new());
        for (at, change) in (self.changes..).zip(&mut *patch) {
            let name = change.path.first().to_owned();
            let known = self.now.get(&name).copied();
            let operation = change.operation.clone();
            // A file that keeps its name is not moved.
            if matches!(&operation, Operation::Rename(to) if to.first() == name) {
                continue;
            }
            if known.is_none()
                && let Some(to) = self.left.get(&name)
                && !matches!(
                    operation,
                    Operation::Create | Operation::CopyOf(_) | Operation::Link { .. }
                )
            {
                self.refused.push((at, to.clone()));
                continue;
            }
            // A file that the input made or moved does not take the name of another one.
            if known.is_some()
                && let Operation::Rename(to) = &operation
                && self.named.contains(to.first())
                && !self.left.contains_key(to.first())
            {
                continue;
            }
            if let Some(known) = known
                && let Operation::Modify
                | Operation::Rename(_)
                | Operation::Delete
                | Operation::CreateOrAppend
                | Operation::Overwrite = operation
            {
                self.files[known].changes.push(at);
            }
            match operation {
                Operation::Rename(to) => {
                    left.push((name, Some(to.first().to_owned())));
                    let file = known.unwrap_or_else(|| self.add(at, change.path.clone(), true));
                    self.files[file].name = to.clone();
                    // All moves of a file are one, and it is at its first change.
                    change.operation = Operation::Modify;
                    taken.push((to.first().to_owned(), file));
                }
                Operation::Create | Operation::CopyOf(_) => {
                    let file = self.add(at, change.path.clone(), false);
                    taken.push((name, file));
                }
                Operation::Delete => {
                    if let Some(known) = known
                        && let Some(on_disk) = &self.files[known].on_disk
                    {
                        self.files[known].name = on_disk.clone();
                    }
                    left.push((name, None));
                }
                Operation::Modify
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::Link { .. } => (),
            }
        }
        self.changes += patch.len();
        for change in &*patch {
            let names = [Some(&change.path), change.operation.other_name()];
            let names = names.into_iter().flatten();
            self.named.extend(names.map(|name| name.first().to_owned()));
        }
        for (name, to) in left {
            self.now.remove(&name);
            match to {
                Some(to) => {
                    self.left.insert(name, to);
                }
                None => {
                    self.named.remove(&name);
                }
            }
        }
        for (name, file) in taken {
            self.left.remove(&name);
            self.now.insert(name, file);
        }
    }

    fn add(&mut self, at: usize, name: PathClaim, is_on_disk: bool) -> usize {
        self.files.push(SeriesFile {
            changes: vec![at],
            on_disk: is_on_disk.then(|| name.clone()),
            name,
        });
        self.files.len() - 1
    }

    /// Gives each change the name by which its file is to be found, and the first change of a moved one its last name.
    fn settle(&mut self, changes: &mut [FileChange]) {
        for file in mem::take(&mut self.files) {
            let path = file.on_disk.as_ref().unwrap_or(&file.name);
            for &at in &file.changes {
                if !same(&changes[at].path, path) {
                    changes[at].path = path.clone();
                }
            }
            if file.on_disk.is_some() && !same(path, &file.name) {
                changes[file.changes[0]].operation = Operation::Rename(file.name);
            }
        }
    }
}

fn same(left: &PathClaim, right: &PathClaim) -> bool {
    left.first() == right.first()
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;
    use crate::proposal::Operation;

    /// Returns the changes of an input: `old>new` for one that moves its file.
    fn changes(text: &str) -> String {
        let parsed = parse(text, &Options::default());
        let files = parsed.proposal.files.iter().map(|file| {
            let to = match &file.operation {
                Operation::Rename(to) => format!(">{to}"),
                Operation::Modify => String::new(),
                operation @ (Operation::Create
                | Operation::CreateOrAppend
                | Operation::Overwrite
                | Operation::Delete
                | Operation::CopyOf(_)
                | Operation::Link { .. }) => format!(" {operation:?}"),
            };
            format!("{}{to}", file.path)
        });
        let problems = parsed
            .problems
            .iter()
            .map(|problem| format!("! {}", problem.found));
        files.chain(problems).collect::<Vec<_>>().join("; ")
    }

    fn envelope(sections: &[&str]) -> String {
        format!("*** Begin Patch\n{}*** End Patch\n", sections.concat())
    }

    const MOVE: &str = "*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n";
    const OLD: &str = "*** Update File: a\n@@\n-x\n+z\n";
    const NEW: &str = "*** Update File: b\n@@\n-y\n+z\n";
    const AGAIN: &str = "*** Update File: b\n*** Move to: c\n@@\n-y\n+z\n";

    #[test]
    fn a_moved_file_is_followed_through_all_steps() {
        for (steps, expected) in [
            (vec![MOVE, NEW], "a>b; a"),
            (vec![MOVE, AGAIN], "a>c; a"),
            (
                vec![MOVE, OLD],
                "a>b; ! an edit of `a`, which an earlier step moves to `b`",
            ),
            (vec![MOVE, "*** Delete File: b\n"], "a; a Delete"),
        ] {
            assert_eq!(changes(&envelope(&steps)), expected, "{steps:?}");
            let apart: Vec<String> = steps.iter().map(|step| envelope(&[step])).collect();
            assert_eq!(changes(&apart.join("\nThen:\n\n")), expected, "{apart:?}");
        }
    }

    #[test]
    fn calls_are_steps() {
        let check = |calls: &[&str], expected: &str| {
            let text = format!("[{}]", calls.join(","));
            assert_eq!(changes(&text), expected, "{text}");
        };
        let moved = r#"{"name":"move_file","arguments":{"source":"a","destination":"b"}}"#;
        let edit = |path: &str| {
            format!(
                r#"{{"name":"Edit","arguments":{{"file_path":"{path}","old_string":"x","new_string":"y"}}}}"#
            )
        };
        let write = |path: &str| {
            format!(r#"{{"name":"Write","arguments":{{"file_path":"{path}","content":"y"}}}}"#)
        };
        check(&[moved, &edit("b")], "a>b; a");
        check(&[&edit("a"), moved, &edit("b")], "a; a>b; a");
        check(&[moved, &write("b")], "a>b; a Overwrite");
        for call in [edit("a"), write("a")] {
            check(
                &[moved, &call],
                "a>b; ! an edit of `a`, which an earlier step moves to `b`",
            );
        }
    }

    #[test]
    fn two_diffs_are_two_patches() {
        let moved = "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n";
        let edit = "diff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n";
        assert_eq!(changes(&format!("{moved}{edit}")), "a>b; a");
        // One patch exchanges two files.
        let back = "diff --git a/b b/a\nsimilarity index 100%\nrename from b\nrename to a\n";
        assert_eq!(changes(&format!("{moved}{back}")), "a>b; b>a");
    }
}
