//! Leading folders of the names in diffs: `-p N` as in `patch(1)`, and without it the number that the files themselves show.
//!
//! `git diff` writes `a/` and `b/` before a name, which the dialects remove. Other tools write folders: `diff -ru old new`,
//! quilt, `svn diff` above the root, git with prefixes of the user, and `git diff` for a command that runs in a subfolder.
//! Without `-p`, parts are removed only on evidence, because a shorter name may be another file:
//!
//! * the two names of a file differ in their first parts, and the rest is a file in the root;
//! * the root is a subfolder of a repository, and the repository has a file of the whole name at its top. If the root has one as well,
//!   the version in the `index` line must be that of the file at the top. All names begin at the top then, and files beside the root
//!   are outside of it;
//! * exactly one number of parts gives files whose lines are those that the diff expects, each at the stated line;
//! * the same parts are removed from the names of other files in the input, and the file is new. If other parts were removed, and the
//!   root has no folder with the first part of its name, the new file is refused: `git diff --no-index old new` names one folder
//!   where files are gone, and another one where they are new.
//!
//! <https://www.gnu.org/software/diffutils/manual/html_node/Multiple-Patches.html>

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::app::enclosing_repository::EnclosingRepository;
use crate::proposal::{FileChange, Hunk, Operation, PathClaim, Problem, path_parts as parts};
use crate::store::{FileState, Root, Snapshot};
use crate::text::{Document, raw_bytes};

/// The dialects whose headers have names with leading folders.
const DIFFS: [&str; 2] = ["unified", "context"];
/// The most leading parts that are searched for without `-p`. Each number costs a search in the file system.
const MOST_PARTS: usize = 64;

/// Removes `count` leading parts from the names of diffs, as `patch -p` does. Returns a problem in place of each change that has a
/// name with no more parts.
pub(crate) fn strip(changes: &mut Vec<Arc<FileChange>>, count: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    changes.retain_mut(|change| {
        if !is_diff(change) {
            return true;
        }
        let stripped = Arc::make_mut(change).strip(count);
        if let Err(error) = &stripped {
            problems.push(Problem {
                line: change.span.first,
                span: change.span,
                dialect: change.dialect,
                path: Some(change.path.clone()),
                found: format!("a diff whose name is too short: {error}"),
                expected: "a smaller number for `-p`".to_owned(),
                text: Vec::new(),
            });
        }
        stripped.is_ok()
    });
    problems
}

/// Beginning of the names of a diff.
#[derive(Debug, Clone, Copy)]
enum NamesFrom<'r> {
    /// So many parts above the root.
    Parts(usize),
    /// At the top of the repository that the root is in.
    Top(&'r EnclosingRepository),
}

impl NamesFrom<'_> {
    /// Lets the names of a change begin at the root.
    fn apply(self, change: &mut FileChange) {
        match self {
            // A name with fewer parts than the others of its style stays.
            Self::Parts(count) => drop(change.strip(count)),
            Self::Top(repository) => change.map_names(|name| repository.relative_to_root(name)),
        }
    }

    /// Describes for people how a name is read.
    fn remark(self, path: &PathClaim) -> String {
        match self {
            Self::Parts(count) => format!(
                "`{}` is read as `{}`, as with `-p {count}`",
                path.longest()[0],
                path.without_parts(count).as_ref().unwrap_or(path).first()
            ),
            Self::Top(repository) => format!(
                "`{}` is read as `{}`, from the top of the repository",
                path.first(),
                repository.relative_to_root(path).first()
            ),
        }
    }
}

/// Removes the leading parts that no file has from the names of diffs, where there is evidence for their number.
///
/// Returns one line for each number, for people, and a problem in place of each new file whose number is not known.
pub(crate) fn strip_by_files(
    root: &Root,
    changes: &mut Vec<Arc<FileChange>>,
) -> (Vec<String>, Vec<Problem>) {
    let repository = EnclosingRepository::of(root);
    let mut remarks = Vec::new();
    let (mut removed, mut left) = (BTreeSet::new(), Vec::new());
    let mut top = None;
    for group in groups_of_one_style(changes) {
        let is_new_only = group.iter().all(|idx| !has_old_file(&changes[*idx]));
        let (telling, others): (Vec<usize>, Vec<usize>) =
            (group.into_iter()).partition(|idx| is_new_only || has_old_file(&changes[*idx]));
        let files: Vec<&FileChange> = telling.iter().map(|idx| changes[*idx].as_ref()).collect();
        let origin = if is_new_only {
            origin_of_new(root, repository.as_ref(), &files)
        } else {
            origin(root, repository.as_ref(), &files)
        };
        let Some(origin) = origin else {
            left.extend(telling.into_iter().filter(|_| is_new_only));
            continue;
        };
        remarks.extend(files.first().map(|first| origin.remark(&first.path)));
        match origin {
            NamesFrom::Top(_) => top = Some(origin),
            NamesFrom::Parts(count) if !is_new_only => {
                removed.extend((files.iter()).flat_map(|file| leading_parts(&file.path, count)));
            }
            NamesFrom::Parts(_) => (),
        }
        for idx in telling {
            origin.apply(Arc::make_mut(&mut changes[idx]));
        }
        left.extend(others);
    }
    let mut refused = BTreeMap::new();
    for idx in left {
        let beside = || count_beside(&changes[idx].path, &removed).map(NamesFrom::Parts);
        if let Some(origin) = top.or_else(beside) {
            origin.apply(Arc::make_mut(&mut changes[idx]));
        } else if let Some(other) = removed.first().filter(|_| is_astray(root, &changes[idx])) {
            refused.insert(idx, astray(&changes[idx], other));
        }
    }
    let mut at = 0..;
    changes.retain(|_| at.next().is_some_and(|idx| !refused.contains_key(&idx)));
    (remarks, refused.into_values().collect())
}

/// Returns `true` for a new file in a folder that the root does not have at its top.
fn is_astray(root: &Root, change: &FileChange) -> bool {
    let name = change.path.first();
    let is_there = |folder: &str| file_in(root, &PathClaim::plain(folder)).is_some();
    matches!(parts(name)[..], [folder, _, ..] if !is_there(folder))
}

/// Returns a problem for a new file beside others whose names lost these parts.
fn astray(change: &FileChange, removed: &[String]) -> Problem {
    Problem {
        line: change.span.first,
        span: change.span,
        dialect: change.dialect,
        path: Some(change.path.clone()),
        found: format!(
            "the new file `{}` beside others whose names are read without `{}`",
            change.path.first(),
            removed.join("/")
        ),
        expected: format!(
            "the same leading parts in all names, or the number of parts to remove, as in `-p {}`",
            removed.len()
        ),
        text: Vec::new(),
    }
}

/// Returns the positions of the diffs whose names lead downwards, by the first parts of their names.
fn groups_of_one_style(changes: &[Arc<FileChange>]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (idx, change) in changes.iter().enumerate() {
        if is_diff(change) {
            let group = groups.entry(first_parts(&change.path));
            group.or_default().push(idx);
        }
    }
    let is_plain = |group: &Vec<usize>| group.iter().all(|idx| is_plain(&changes[*idx].path));
    groups.into_values().filter(is_plain).collect()
}

/// Returns the leading parts of the names of a file, so many as `count`.
fn leading_parts(path: &PathClaim, count: usize) -> Vec<Vec<String>> {
    let names = path.longest().into_iter();
    let leading = names.filter_map(|name| {
        let parts = parts(&name);
        let leading = parts.get(..count).filter(|_| parts.len() > count)?;
        Some(leading.iter().map(ToString::to_string).collect())
    });
    leading.collect()
}

/// Returns the number of leading parts to remove from the name of a new file, which has no old name to show it: as many as were
/// removed from the other names that begin with the same parts.
fn count_beside(path: &PathClaim, removed: &BTreeSet<Vec<String>>) -> Option<usize> {
    let is_its = |parts: &&Vec<String>| leading_parts(path, parts.len()).contains(parts);
    let mut counts = removed.iter().filter(is_its).map(Vec::len);
    let first = counts.next()?;
    counts.all(|count| count == first).then_some(first)
}

/// Returns the numbers of leading parts without which a name is a file in the root, as `(number, name)`.
pub(crate) fn possible_counts(root: &Root, path: &PathClaim) -> Vec<(usize, String)> {
    let most = path.longest().iter().map(|name| parts(name).len()).max();
    numbers(most.unwrap_or(0))
        .filter_map(|count| Some((count, file_in(root, &path.without_parts(count)?)?)))
        .collect()
}

/// Returns the numbers of leading parts to look for in names of so many parts.
fn numbers(parts: usize) -> impl Iterator<Item = usize> {
    1..parts.min(MOST_PARTS + 1)
}

/// True if a change comes from a diff, whose names may have leading folders.
pub(crate) fn is_diff(change: &FileChange) -> bool {
    DIFFS.contains(&change.dialect)
}

/// Returns whether all readings of a name lead downwards. A name with `..`, an empty part or a root leads somewhere else, and is
/// not cut down to a file here that happens to have the same last part.
fn is_plain(path: &PathClaim) -> bool {
    path.longest().iter().all(|name| {
        let mut parts = name.split(['/', '\\']);
        let is_down = |part: &str| !part.is_empty() && part != ".." && !part.ends_with(':');
        parts.all(is_down)
    })
}

/// True if a change is for a file that must exist already.
pub(crate) fn has_old_file(change: &FileChange) -> bool {
    match change.operation {
        Operation::Modify
        | Operation::Delete
        | Operation::Rename(_)
        | Operation::Link { from: Some(_), .. } => true,
        Operation::CopyOf(_)
        | Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Link { from: None, .. } => false,
    }
}

/// Returns where the names of new files begin, of diffs of one style; `None` if nothing shows it.
fn origin_of_new<'r>(
    root: &Root,
    repository: Option<&'r EnclosingRepository>,
    files: &[&FileChange],
) -> Option<NamesFrom<'r>> {
    if let Some(count) = stated_count(files.iter().map(|file| &file.path)) {
        return Some(NamesFrom::Parts(count));
    }
    let mut names = files.iter().map(|file| &file.path);
    repository
        .filter(|repository| names.any(|name| repository.is_name_from_top(root, name)))
        .map(NamesFrom::Top)
}

/// Returns where the names of files begin that must exist, of diffs of one style; `None` if they are right or nothing shows it.
fn origin<'r>(
    root: &Root,
    repository: Option<&'r EnclosingRepository>,
    changes: &[&FileChange],
) -> Option<NamesFrom<'r>> {
    let is_file = |change: &&FileChange| file_in(root, &change.path).is_some();
    if changes.iter().any(is_file) {
        let mut changes = changes.iter();
        return repository
            .filter(|repository| changes.any(|change| repository.has_version(root, change)))
            .map(NamesFrom::Top);
    }
    if let Some(count) = common_prefix(changes.iter().map(|change| &change.path))
        && (changes.iter()).any(|change| file_without(root, change, count).is_some())
    {
        return Some(NamesFrom::Parts(count));
    }
    if let Some(repository) = repository
        && (changes.iter()).any(|change| repository.has_file(&change.path))
    {
        return Some(NamesFrom::Top(repository));
    }
    let most = changes
        .iter()
        .map(|change| parts(&change.path.longest()[0]).len())
        .max()?;
    let mut counts = numbers(most).filter(|count| {
        changes.iter().all(|change| {
            file_without(root, change, *count)
                .is_some_and(|name| matches_exactly(root, &name, &change.hunks))
        })
    });
    match (counts.next(), counts.next()) {
        (Some(count), None) => Some(NamesFrom::Parts(count)),
        (Some(_), Some(_)) => None,
        // The files may be deleted already.
        (None, _) => stated_count(changes.iter().map(|change| &change.path)).map(NamesFrom::Parts),
    }
}

/// The number of leading parts in which the two names of all files differ, where no file is there. Git's prefixes are taken off
/// already.
fn stated_count<'p>(mut paths: impl Iterator<Item = &'p PathClaim> + Clone) -> Option<usize> {
    common_prefix(paths.clone()).filter(|_| paths.all(|path| path.longest()[0] == path.first()))
}

/// The number of leading parts in which both names of all files differ, if it is the same.
fn common_prefix<'p>(mut paths: impl Iterator<Item = &'p PathClaim>) -> Option<usize> {
    let first = prefix_length(paths.next()?)?;
    paths
        .all(|path| prefix_length(path) == Some(first))
        .then_some(first)
}

/// True if every hunk's expected lines are at the stated lines of a file, and there are any.
fn matches_exactly(root: &Root, name: &str, hunks: &[Hunk]) -> bool {
    let Some(snapshot) = snapshot_of(root, name) else {
        return false;
    };
    let FileState::File { document, .. } = &snapshot.state else {
        return false;
    };
    hunks.iter().any(|hunk| !hunk.body.preimage.is_empty())
        && hunks.iter().all(|hunk| is_at_hint(document, hunk))
}

/// Reads the file of a name in the root.
pub(crate) fn snapshot_of(root: &Root, name: &str) -> Option<Snapshot> {
    let path = root.resolve(&PathClaim::plain(name)).ok()?;
    root.read(&path).ok()
}

/// Returns true if a hunk's expected lines are at the line that it states.
fn is_at_hint(document: &Document, hunk: &Hunk) -> bool {
    let stated = &hunk.body.preimage;
    hunk.hint.is_some_and(|hint| {
        let mut lines = (hint.idx()..).zip(stated);
        hint.idx() + stated.len() <= document.len()
            && lines.all(|(at, stated)| reads_as(document, stated, document.line(at)))
    })
}

/// Returns true if a line of an edit, read in the encoding of a file, is a line of it.
pub(crate) fn reads_as(document: &Document, stated: &str, line: &str) -> bool {
    if !raw_bytes::is_raw(stated) {
        return stated == line;
    }
    let decoded = document
        .encoding()
        .decode_part(&raw_bytes::to_bytes(stated));
    decoded.is_some_and(|decoded| decoded == line)
}

/// The name of the file in the root that a change names without its leading parts, if there is one.
fn file_without(root: &Root, change: &FileChange, count: usize) -> Option<String> {
    file_in(root, &change.path.without_parts(count)?)
}

/// The name of the file in the root that a claim names, if there is one.
fn file_in(root: &Root, claim: &PathClaim) -> Option<String> {
    let path = root.resolve(claim).ok()?;
    (root.path().join(path.as_path()).symlink_metadata().is_ok()).then(|| path.to_string())
}

/// The first parts of the names of a diff: equal for diffs of one style.
fn first_parts(path: &PathClaim) -> Vec<String> {
    let first = |name: &String| parts(name).first().map(ToString::to_string);
    let mut first: Vec<String> = path.longest().iter().filter_map(first).collect();
    first.sort();
    first
}

/// The number of leading parts in which the old and the new name differ, if all that follows is equal.
fn prefix_length(path: &PathClaim) -> Option<usize> {
    let names = path.longest();
    let [new, old] = names.as_slice() else {
        return None;
    };
    let (new, old) = (parts(new), parts(old));
    let equal = (new.iter().rev().zip(old.iter().rev())).take_while(|(new, old)| new == old);
    let differing = new.len() - equal.count();
    (differing > 0 && differing < new.len()).then_some(differing)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::dialect;

    /// Reads the diff of one file in a tree, and compares the names that it is read by. The files hold `one`, `two`, `three`.
    #[track_caller]
    fn check(files: &[&str], diff: &str, expected: &str) {
        let place = tempfile::tempdir().unwrap();
        for file in files {
            let path = place.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "one\ntwo\nthree\n").unwrap();
        }
        let at = if place.path().join(".git").exists() {
            "sub"
        } else {
            ""
        };
        let root = Root::open(&place.path().join(at)).unwrap();
        let body = |old: &str| match old {
            "/dev/null" => "@@ -0,0 +1 @@\n+new\n",
            _ => "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n",
        };
        let diffs = diff.lines().map(|names| {
            let (old, new) = names.split_once(' ').unwrap();
            format!("--- {old}\n+++ {new}\n{}", body(old))
        });
        let text = diffs.collect::<Vec<_>>().concat();
        let parsed = dialect::parse(&text, &dialect::Options::default());
        let mut changes: Vec<_> = parsed.proposal.files.into_iter().map(Arc::new).collect();
        let (_, problems) = strip_by_files(&root, &mut changes);
        let names = changes.iter().map(|change| change.path.first().to_owned());
        let names: Vec<String> = names
            .chain(problems.into_iter().map(|problem| problem.found))
            .collect();
        assert_eq!(names.join(" "), expected, "{diff}");
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_not_cut_down() {
        let check = |name: &str| {
            let old = format!("a/{name}");
            check(&["a.md"], &format!("{old} b/{name}"), name);
        };
        check("x/../../victim/a.md");
        check("../victim/a.md");
        check("/home/victim/a.md");
        check("c:/victim/a.md");
    }

    #[test]
    fn only_so_many_leading_folders_are_looked_for() {
        for (count, is_found) in [(MOST_PARTS - 1, true), (MOST_PARTS, false)] {
            // `a/` is a leading part too.
            let long = format!("{}src/a", "d/".repeat(count));
            let expected = if is_found { "src/a" } else { long.as_str() };
            check(&["src/a"], &format!("a/{long} b/{long}"), expected);
        }
    }

    #[test]
    fn leading_folders_are_removed_on_evidence() {
        check(&["src/a"], "a/src/a b/src/a", "src/a");
        check(&["src/a"], "p.orig/src/a p/src/a", "src/a");
        check(
            &["src/a", "x"],
            "p.orig/src/a p/src/a\np.orig/x p/x",
            "src/a x",
        );
        check(&["src/a"], "old/src/a new/src/a", "src/a");
        check(&["src/a"], "v/1/src/a v/2/src/a", "src/a");
        check(&["src/a"], "trunk/src/a trunk/src/a", "src/a");
        check(&["src/a"], "a\\src\\a b\\src\\a", "src/a");
    }

    #[test]
    fn a_new_file_loses_the_leading_folders_of_the_others() {
        let check = |new: &str, others: &str, expected: &str| {
            let new = format!("/dev/null {new}");
            check(
                &["src/a"],
                &format!("{others}\n{new}"),
                &format!("src/a {expected}"),
            );
        };
        check("p/src/n", "p.orig/src/a p/src/a", "src/n");
        check("p/n", "p-1.0/src/a p/src/a", "n");
        check("v/2/doc/n", "v/1/src/a v/2/src/a", "doc/n");
        check("trunk/n", "trunk/src/a trunk/src/a", "n");
        // Its folder is in the root, or the names are right.
        check("src/n", "p.orig/src/a p/src/a", "src/n");
        check("p", "p.orig/src/a p/src/a", "p");
        check("b/src/n", "a/src/a b/src/a", "src/n");
        check("b/doc/n", "a/src/a b/src/a", "doc/n");
    }

    #[test]
    fn a_new_file_below_other_leading_folders_is_refused() {
        let refused = |new: &str, others: &str, name: &str, removed: &str| {
            let diff = format!("{others}\n/dev/null {new}");
            let found = format!(
                "the new file `{name}` beside others whose names are read without `{removed}`"
            );
            check(&["src/a"], &diff, &format!("src/a {found}"));
        };
        refused("doc/n", "p.orig/src/a p/src/a", "doc/n", "p");
        refused("v/3/n", "v/1/src/a v/2/src/a", "v/3/n", "v/1");
        refused("b/new/n", "a/old/src/a b/old/src/a", "new/n", "a/old");
    }

    #[test]
    fn the_root_of_an_absolute_name_is_a_part() {
        let check = |count: usize, expected: &str| {
            let name = PathClaim::plain("/u/howard/src/a.c").without_parts(count);
            assert_eq!(name.unwrap().first(), expected, "{count}");
        };
        check(0, "/u/howard/src/a.c");
        check(1, "u/howard/src/a.c");
        check(3, "src/a.c");
        check(4, "a.c");
    }

    #[test]
    fn without_evidence_names_stay() {
        // Two numbers fit, or none does.
        check(&["src/a", "a"], "trunk/src/a trunk/src/a", "trunk/src/a");
        check(&["b"], "trunk/src/a trunk/src/a", "trunk/src/a");
        // A file that exists is the file.
        check(
            &["trunk/src/a", "src/a"],
            "trunk/src/a trunk/src/a",
            "trunk/src/a",
        );
        // One of the files of the same style exists as it is named.
        check(
            &["docs/x", "a"],
            "docs/x docs/x\ndocs/a docs/a",
            "docs/x docs/a",
        );
    }

    #[test]
    fn below_the_top_of_a_repository_only_its_folders_are_removed() {
        check(&[".git/x", "sub/a"], "a/sub/a b/sub/a", "a");
        check(
            &[".git/x", "sub/a", "docs/a"],
            "a/docs/a b/docs/a",
            "../docs/a",
        );
        check(
            &[".git/x", "sub/docs/a", "docs/a"],
            "a/docs/a b/docs/a",
            "docs/a",
        );
    }

    #[test]
    fn new_files_beside_the_root_are_outside_of_it() {
        let check = |diff: &str, expected: &str| check(&[".git/x", "sub/a"], diff, expected);
        let old = "a/sub/a b/sub/a\n/dev/null";
        check(&format!("{old} b/sub/n"), "a n");
        check(&format!("{old} b/docs/n"), "a ../docs/n");
        check(&format!("{old} b/n"), "a ../n");
        check(&format!("{old} b/subway/n"), "a ../subway/n");
        check("/dev/null b/sub/n\na/sub/a b/sub/a", "n a");
        // Without another file its own name shows it.
        check("/dev/null b/sub/n", "n");
        check("/dev/null b/docs/n", "docs/n");
        check("/dev/null b/sub/n\n/dev/null b/docs/n", "n ../docs/n");
    }

    #[test]
    fn a_folder_of_the_root_may_have_its_name() {
        let files = [".git/x", "sub/a", "sub/sub/b"];
        check(&files, "/dev/null b/sub/n", "sub/n");
        check(&files, "a/sub/b b/sub/b", "sub/b");
        check(&files, "a/sub/a b/sub/a\n/dev/null b/sub/n", "a n");
    }

    #[test]
    fn the_version_that_a_diff_names_shows_the_file() {
        let check = |at_top: &str, in_root: &str, expected: &str| {
            let place = tempfile::tempdir().unwrap();
            fs::create_dir_all(place.path().join("sub/deep")).unwrap();
            fs::create_dir(place.path().join(".git")).unwrap();
            fs::write(place.path().join("f"), at_top).unwrap();
            fs::write(place.path().join("sub/deep/f"), in_root).unwrap();
            let root = Root::open(&place.path().join("sub/deep")).unwrap();
            let diff = "diff --git a/f b/f\nindex 4cb29ea..0000000 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+ONE\n";
            let parsed = dialect::parse(diff, &dialect::Options::default());
            let mut changes: Vec<_> = parsed.proposal.files.into_iter().map(Arc::new).collect();
            strip_by_files(&root, &mut changes);
            assert_eq!(changes[0].path.first(), expected, "{at_top:?} {in_root:?}");
        };
        let named = "one\ntwo\nthree\n";
        check(named, "one\n", "../../f");
        check(named, named, "f");
        check("one\n", named, "f");
        check("one\n", "one\ntwo\n", "f");
    }

    #[test]
    fn the_number_of_parts_can_be_given() {
        let check = |claim: PathClaim, count: usize, expected: Option<&str>| {
            assert_eq!(
                claim.without_parts(count).as_ref().map(PathClaim::first),
                expected,
                "{claim} {count}"
            );
        };
        let claim = || PathClaim::with_others("x/y", ["b/x/y".to_owned(), "a/x/y".to_owned()]);
        check(claim(), 0, Some("b/x/y"));
        check(claim(), 1, Some("x/y"));
        check(claim(), 2, Some("y"));
        check(claim(), 3, None);
        check(claim(), 9, None);
        check(PathClaim::plain("x/y"), 1, Some("y"));
        check(PathClaim::plain("y"), 1, None);
    }
}
