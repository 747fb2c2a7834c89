//! Submodules in diffs: git writes the commit of another repository as a text of one line.
//!
//! <https://git-scm.com/docs/git-diff#Documentation/git-diff.txt---submoduleltformatgt>

use crate::proposal::Hunk;

/// The lengths of the names of commits, with SHA-1 and with SHA-256.
const HASHES: [usize; 2] = [40, 64];

/// Returns `true` if the hunks of a file have nothing but commits of submodules on one of their sides.
///
/// Mode 160000 states a submodule, and the mode of a file states a file. Where a diff has no mode, its lines are all that tells a submodule
/// from a file with these words, which nobody writes.
pub(super) fn is_of_commits(hunks: &[Hunk]) -> bool {
    let has_commits =
        |lines: &[String]| !lines.is_empty() && lines.iter().all(|line| is_commit(line));
    hunks
        .iter()
        .any(|hunk| has_commits(&hunk.body.preimage) || has_commits(&hunk.body.postimage))
}

/// Returns `true` for `Subproject commit HASH`, maybe with `-dirty` behind it.
fn is_commit(line: &str) -> bool {
    let Some(hash) = line.strip_prefix("Subproject commit ") else {
        return false;
    };
    let hash = hash.strip_suffix("-dirty").unwrap_or(hash);
    HASHES.contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    #[test]
    fn commits_of_submodules_are_refused_unless_the_mode_is_that_of_a_file() {
        let check = |header: &str, from: &str, to: &str, expected: bool| {
            let text = format!("{header}--- a/f\n+++ b/f\n@@ -1 +1 @@\n-{from}\n+{to}\n");
            let parsed = parse(&text, &Options::default());
            assert_eq!(parsed.proposal.files.is_empty(), expected, "{text}");
            assert_eq!(parsed.problems.len(), usize::from(expected), "{text}");
        };
        let git = |mode: &str| format!("diff --git a/f b/f\nindex 1111111..2222222{mode}\n");
        let commit = |digit: &str| format!("Subproject commit {}", digit.repeat(40));
        let (one, two) = (&commit("1"), &commit("2"));
        check("", one, two, true);
        check(&git(""), one, two, true);
        check(&git(" 160000"), one, two, true);
        check(&git(" 100644"), one, two, false);
        check("", one, &format!("{two}-dirty"), true);
        check("", &format!("{one}f"), "x", false);
        check(
            "",
            "Subproject commit of the first one",
            "Subproject commit of the other one",
            false,
        );
        check("", one, "", true);
    }
}
