//! Series of patches: `git format-patch --stdout`, mailboxes, `hg export`, `git log -p`.
//!
//! The patches of a series are for the results of those before. Their order may be another than that of the input, as in
//! `git log -p`, which lists the newest commit first: see [`super::series_order`]. The files that it moves are followed by
//! [`file_names`](crate::dialect::file_names).

use std::collections::HashSet;

use super::recreated_file;
use super::series_order::{PatchOrder, Patches};
use crate::dialect::input::Input;
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, Operation};
use crate::text::LineIdx;

/// Puts the patches of a series in their order. The changes whose order cannot be known are refused.
pub(in crate::dialect) fn sort(input: &Input, parsed: &mut Parsed) {
    let files = &mut parsed.proposal.files;
    recreated_file::mark(input, files);
    let starts: Vec<usize> = (0..input.len())
        .filter(|&at| is_start(input, at))
        .map(|at| input.number(at).get())
        .collect();
    remove_moved_twice(files, &starts);
    let patches = Patches::of(input, files, &starts);
    if patches.len() < 2 && starts.len() < 2 {
        return;
    }
    let (order, open) = patches.order(files);
    let moves = |file: &FileChange| matches!(file.operation, Operation::Rename(_));
    if order != PatchOrder::AsListed || starts.len() > 1 || files.iter().any(moves) {
        for (at, file) in files.iter_mut().enumerate() {
            let patch = patches.of_change(at);
            file.patch = match &order {
                PatchOrder::AsListed => patch + 1,
                PatchOrder::NewestFirst => patches.len() - patch,
                PatchOrder::Numbered(numbers) => numbers[patch],
            };
        }
    }
    if !open.changes.is_empty() {
        let refused = open
            .changes
            .iter()
            .map(|at| patches.problem(&open, &files[*at]));
        parsed.problems.extend(refused);
        parsed.problems.sort_by_key(|problem| problem.line);
        let mut left = open.changes.iter().copied().peekable();
        let mut at = 0..;
        files.retain(|_| left.next_if_eq(&at.next().unwrap_or_default()).is_none());
    }
    // The sort is stable: the files of a patch keep their order.
    files.sort_by_key(|file| file.patch);
}

/// Removes the deletion of a file that the same patch renames: `svn diff --git` shows a moved file at both of its names. A file that
/// the patch creates again at the old name may be deleted.
fn remove_moved_twice(files: &mut Vec<FileChange>, starts: &[usize]) {
    let mut moved = HashSet::new();
    let mut created = HashSet::new();
    for file in files.iter() {
        if matches!(file.operation, Operation::Rename(_)) {
            moved.insert(file_of_patch(starts, file));
        } else if file.operation == Operation::Create {
            created.insert(file_of_patch(starts, file));
        }
    }
    files.retain(|file| {
        let is_deletion = file.dialect == "unified" && file.operation == Operation::Delete;
        let name = file_of_patch(starts, file);
        !is_deletion || !moved.contains(&name) || created.contains(&name)
    });
}

/// Returns the number of the patch that changes a file, and the likeliest name of the file.
fn file_of_patch(starts: &[usize], file: &FileChange) -> (usize, String) {
    let line = file.span.first.get();
    let patch = starts.partition_point(|start| *start <= line);
    (patch, file.path.first().to_owned())
}

/// Returns `true` for the line that begins a patch of a series: one of a mail, of a commit or of a changeset, or, right above a diff, a
/// line that begins with the name of a commit, as `git log --oneline -p` writes it.
fn is_start(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    if line == "# HG changeset patch" || is_changeset(input, at) {
        return true;
    }
    if line.starts_with('-') {
        return counted_message(input, at).is_some();
    }
    if let Some(mail) = line.strip_prefix("From ") {
        return is_hash(mail, LONG_HASH);
    }
    if line.starts_with("commit ") {
        return is_commit(input, at);
    }
    is_hash(line, SHORT_HASH)
        && input
            .line(input.skip_blank(at + 1))
            .is_some_and(|next| next.starts_with("diff --git "))
}

/// Returns `true` for the line that begins a commit of `git show` or `git log`.
pub(in crate::dialect) fn is_commit(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    let Some(commit) = line.strip_prefix("commit ") else {
        return false;
    };
    let next = input.line(at + 1).unwrap_or_default();
    let is_log = ["Author:", "Merge:", "tree "]
        .iter()
        .any(|key| next.starts_with(key));
    is_hash(commit, if is_log { SHORT_HASH } else { LONG_HASH })
}

/// Returns `true` for the line that begins a changeset of `hg log`: `changeset:   3:0123456789ab`.
pub(in crate::dialect) fn is_changeset(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    let name = line.strip_prefix("changeset: ").map(str::trim_start);
    let number = name.and_then(|name| name.split_once(':'));
    number.is_some_and(|(number, hash)| {
        !number.is_empty()
            && number.bytes().all(|c| c.is_ascii_digit())
            && is_hash(hash, SHORT_HASH)
    })
}

/// Returns the number of lines in the message of the revision of `svn log` that begins at a line: a rule, and
/// `r3 | me | 2026-01-02 … | 2 lines` below it.
pub(in crate::dialect) fn counted_message(input: &Input, at: LineIdx) -> Option<usize> {
    let rule = input.line(at)?;
    let is_rule = rule.len() == SVN_RULE && rule.bytes().all(|byte| byte == b'-');
    let header = input.line(at + 1).filter(|_| is_rule)?.strip_prefix('r')?;
    let fields: Vec<&str> = header.split(" | ").collect();
    let [number, _, _, count] = fields[..] else {
        return None;
    };
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count = count.trim_end().strip_suffix('s').unwrap_or(count);
    count.strip_suffix(" line")?.parse().ok()
}

/// The length of the rules of `svn log`.
const SVN_RULE: usize = 72;

/// Returns `true` if the first word of a text may be the name of a commit, of so many digits at least.
pub(in crate::dialect) fn is_hash(text: &str, digits: usize) -> bool {
    let hash = text.split(' ').next().unwrap_or_default();
    hash.len() >= digits && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The digits of a name of a commit.
pub(in crate::dialect) const LONG_HASH: usize = 40;
/// The least digits that a log shortens it to.
const SHORT_HASH: usize = 7;

#[cfg(test)]
mod tests {
    use super::counted_message;
    use crate::dialect::input::{Input, ReadReason};
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// The added lines of a log of three commits on one file, each given by its versions and its line.
    fn added(commits: [(&str, &str); 3]) -> String {
        let commit = |(versions, line): (&str, &str)| {
            let hash = "0123456789".repeat(4);
            format!(
                "commit {hash}\nAuthor: A <a@b>\n\n    Change\n\ndiff --git a/f b/f\nindex {versions} 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+{line}\n\n"
            )
        };
        let log: String = commits.into_iter().map(commit).collect();
        let parsed = parse(&log, &Options::default());
        let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
        hunks
            .map(|hunk| hunk.body.postimage.join(";"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_file_that_a_patch_moves_is_deleted_once() {
        let deletion = "Index: d/f\n====\ndiff --git a/d/f b/d/f\ndeleted file mode 100644\n--- a/d/f\t(revision 4)\n+++ b/d/f\t(nonexistent)\n@@ -1 +0,0 @@\n-x\n";
        let rename = "Index: d/g\n====\ndiff --git a/d/f b/d/g\nrename from d/f\nrename to d/g\n--- a/d/f\t(revision 4)\n+++ b/d/g\t(working copy)\n@@ -1 +1 @@\n-x\n+y\n";
        let count = |text: &str| {
            let parsed = parse(text, &Options::default());
            assert!(parsed.problems.is_empty(), "{text}\n{:?}", parsed.problems);
            parsed.proposal.files.len()
        };
        assert_eq!(count(&format!("{deletion}{rename}")), 1);
        assert_eq!(count(&format!("{rename}{deletion}")), 1);
        let other = deletion.replace("d/f", "d/e");
        assert_eq!(count(&format!("{other}{rename}")), 2);
    }

    #[test]
    fn a_revision_of_subversion_counts_the_lines_of_its_message() {
        let check = |text: &str, expected: Option<usize>| {
            let input = Input::new(text, None, ReadReason::InTurn);
            assert_eq!(counted_message(&input, 0), expected, "{text}");
        };
        let rule = "-".repeat(72);
        let date = "2026-01-02 03:04:05 +0000 (Fri, 02 Jan 2026)";
        check(&format!("{rule}\nr3 | me | {date} | 2 lines\n"), Some(2));
        check(&format!("{rule}\nr12 | me | {date} | 1 line\n"), Some(1));
        check(&format!("{rule}\nrow | me | {date} | 1 line\n"), None);
        check(&format!("{rule}\nr3 | me | 1 line\n"), None);
        check(&format!("{rule}-\nr3 | me | {date} | 2 lines\n"), None);
    }

    #[test]
    fn the_newest_commit_is_taken_last() {
        let commits = [
            ("aaaa..bbbb", "1"),
            ("bbbb..cccc", "2"),
            ("cccc..dddd", "3"),
        ];
        assert_eq!(added(commits), "1 2 3");
        assert_eq!(added([commits[2], commits[1], commits[0]]), "1 2 3");
        // A change and its reversal show no order.
        let back = [
            ("aaaa..bbbb", "1"),
            ("bbbb..aaaa", "2"),
            ("aaaa..bbbb", "3"),
        ];
        assert_eq!(added(back), "");
    }
}
