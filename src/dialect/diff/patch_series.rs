//! Series of patches: `git format-patch --stdout`, mailboxes, `hg export`, `git log -p`.
//!
//! The patches of a series are for the results of those before. Their order may be another than that of the input, as in
//! `git log -p`, which lists the newest commit first: see [`super::series_order`]. The files that it moves are followed by
//! [`file_names`](crate::dialect::file_names).

use super::series_order::{PatchOrder, Patches};
use crate::dialect::input::Input;
use crate::dialect::parsed::Parsed;
use crate::proposal::{FileChange, Operation};
use crate::text::LineIdx;

/// Puts the patches of a series in their order. The changes whose order cannot be known are refused.
pub(in crate::dialect) fn sort(input: &Input, parsed: &mut Parsed) {
    let files = &mut parsed.proposal.files;
    let starts: Vec<usize> = (0..input.len())
        .filter(|&at| is_start(input, at))
        .map(|at| input.number(at).get())
        .collect();
    let patches = Patches::of(input, files, &starts);
    if patches.len() < 2 && starts.len() < 2 {
        return;
    }
    let order = patches.order(files);
    if let PatchOrder::Unknown(refused) = &order {
        for at in refused.iter().rev() {
            let file = files.remove(*at);
            parsed.problems.push(patches.problem(&file));
        }
        parsed.problems.sort_by_key(|problem| problem.line);
        return;
    }
    let moves = |file: &FileChange| matches!(file.operation, Operation::Rename(_));
    if order == PatchOrder::AsListed && starts.len() < 2 && !files.iter().any(moves) {
        return;
    }
    for (at, file) in files.iter_mut().enumerate() {
        let patch = patches.of_change(at);
        file.patch = match &order {
            PatchOrder::NewestFirst => patches.len() - patch,
            PatchOrder::Numbered(numbers) => numbers[patch],
            PatchOrder::AsListed | PatchOrder::Unknown(_) => patch + 1,
        };
    }
    // The sort is stable: the files of a patch keep their order.
    files.sort_by_key(|file| file.patch);
}

/// Returns `true` for the line that begins a patch of a series: one of a mail, of a commit or of a changeset, or, right above a diff, a
/// line that begins with the name of a commit, as `git log --oneline -p` writes it.
fn is_start(input: &Input, at: LineIdx) -> bool {
    let line = input.line(at).unwrap_or_default();
    if line == "# HG changeset patch" {
        return true;
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
