//! Suggestions for names that no file has: similar files, and the option that finds them.

use std::collections::BTreeMap;
use std::path::Path;

use ignore::WalkBuilder;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

use crate::app::enclosing_repository::EnclosingRepository;
use crate::app::moved_hunks::LineSearch;
use crate::app::strip_level::possible_counts;
use crate::proposal::{FileChange, PathClaim};
use crate::review::{FileContent, Refusal, ReviewSession};
use crate::store::{PreviousVersions, Root};

/// The most files and folders that are searched for a name.
const MOST_SEARCHED: usize = 100_000;
/// The most files that are named.
const MOST_NAMED: usize = 3;

/// Adds a suggestion to each file that does not exist, and to each name that leads out of the root: an absolute one in a diff, or one
/// of the repository that the root is in.
pub(crate) fn suggest<'a>(
    root: &Root,
    changes: impl Iterator<Item = &'a FileChange>,
    session: &mut ReviewSession,
) {
    let mut refused = (session.files.iter_mut())
        .filter(|file| {
            matches!(
                file.refusal(),
                Some(Refusal::Missing(None) | Refusal::Forbidden(_))
            )
        })
        .peekable();
    if refused.peek().is_none() {
        return;
    }
    let changes: FxHashMap<String, &FileChange> = changes
        .map(|change| (change.path.first().to_owned(), change))
        .collect();
    let mut by_name = None;
    let mut moved = MovedFiles::new(root);
    let repository = EnclosingRepository::of(root);
    for file in refused {
        let change = changes.get(file.path.as_str()).copied();
        if let Some(Refusal::Forbidden(why)) = file.refusal() {
            let absolute =
                change.filter(|change| change.path.readings().any(|name| name.starts_with('/')));
            let option = (absolute.and_then(|change| with_option(root, change)))
                .or_else(|| of_another_copy(root, absolute?))
                .or_else(|| outside_root(repository.as_ref()?, &file.path));
            if let Some(option) = option {
                file.content = FileContent::Refused(Refusal::Forbidden(format!("{why}; {option}")));
            }
            continue;
        }
        let suggestion = moved
            .of(&file.path, change)
            .or_else(|| at_top(repository.as_ref()?, &file.path))
            .or_else(|| change.and_then(|change| with_option(root, change)))
            .or_else(|| {
                let by_name = by_name.get_or_insert_with(|| files_by_name(root));
                same_name(by_name, &file.path)
            });
        file.content = FileContent::Refused(Refusal::Missing(suggestion));
    }
}

/// Files that have the lines of others, which are not there any more.
struct MovedFiles<'r> {
    batches: PreviousVersions,
    search: LineSearch<'r>,
}

impl<'r> MovedFiles<'r> {
    fn new(root: &'r Root) -> Self {
        Self {
            batches: root.previous_versions(),
            search: LineSearch::new(root),
        }
    }

    /// Names the file that has the lines of another now: one that a batch made of it, or the only one with the lines of an edit.
    fn of(&mut self, name: &str, change: Option<&FileChange>) -> Option<String> {
        let moved = self.batches.moved_to(name).map(|to| to.to_string());
        let to = moved.or_else(|| {
            let mut hunks = change?.hunks.iter().take(MOST_NAMED);
            hunks.find_map(|hunk| Some(self.search.holder(name, &hunk.body)?.0))
        })?;
        Some(format!("its lines are in `{to}` now"))
    }
}

/// The option that takes in a file of the repository outside of the root.
fn outside_root(repository: &EnclosingRepository, name: &str) -> Option<String> {
    let option = repository.root_option();
    (repository.is_beside_root(name)).then(|| format!("`{option}` takes in the whole repository"))
}

/// The option that names the repository's top folder, if the file is there.
fn at_top(repository: &EnclosingRepository, name: &str) -> Option<String> {
    let option = repository.root_option();
    (repository.has_file(&PathClaim::plain(name)))
        .then(|| format!("the top folder of the repository has it: `{option}`"))
}

/// The name from the root of a file whose absolute name leads nowhere on this machine: the log of a session may come from another one.
fn of_another_copy(root: &Root, change: &FileChange) -> Option<String> {
    let name = change.path.first();
    let (_, inner) = possible_counts(root, &change.path).into_iter().next()?;
    let folder = name.strip_suffix(&inner)?.trim_end_matches('/');
    (!folder.is_empty() && !Path::new(folder).exists())
        .then(|| format!("if `{folder}` is another copy of the root, it is `{inner}` here"))
}

/// The options that remove leading parts of a diff's name so that a file has it.
fn with_option(root: &Root, change: &FileChange) -> Option<String> {
    if !crate::app::strip_level::is_diff(change) {
        return None;
    }
    let counts = possible_counts(root, &change.path);
    let options: Vec<String> = (counts.iter())
        .map(|(count, name)| format!("with `-p {count}` it is `{name}`"))
        .collect();
    (!options.is_empty()).then(|| options.join(", "))
}

/// Files, by their base names in lower case (see [`folded`]).
pub(crate) type FilesByName = BTreeMap<String, Vec<String>>;

/// Returns a name in lower case with composed letters (NFC). Some file systems take names that are equal then for one.
pub(crate) fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// The files of the root that are not ignored.
pub(crate) fn files_by_name(root: &Root) -> FilesByName {
    let mut by_name = FilesByName::new();
    let entries = WalkBuilder::new(root.path()).build().flatten();
    for entry in entries.take(MOST_SEARCHED) {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let below = entry.path().strip_prefix(root.path()).ok();
        if let Some(path) = below.and_then(Path::to_str).filter(|_| is_file) {
            let name = path.rsplit('/').next().unwrap_or(path);
            let alike = by_name.entry(folded(name)).or_default();
            alike.push(path.to_owned());
        }
    }
    by_name
}

/// The files of the same base name, be it in other letters: those with the most equal folders before it.
fn same_name(by_name: &FilesByName, path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?;
    let found = by_name.get(&folded(name))?;
    let most = found.iter().map(|found| equal_parts(found, path)).max()?;
    let likely = found
        .iter()
        .filter(|found| equal_parts(found, path) == most);
    let mut likely: Vec<&str> = likely.map(String::as_str).collect();
    likely.sort_unstable();
    Some(match likely.as_slice() {
        [one] => format!("did you mean `{one}`?"),
        several => {
            let more = several.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 {
                format!(" or {more} more")
            } else {
                String::new()
            };
            let named: Vec<&str> = several.iter().copied().take(MOST_NAMED).collect();
            format!("did you mean one of these? `{}`{more}", named.join("`, `"))
        }
    })
}

/// Counts the last parts of a path that are those of a name of an edit.
fn equal_parts(path: &str, name: &str) -> usize {
    let parts = path.rsplit('/').zip(name.rsplit(['/', '\\']));
    parts.take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;
    use crate::app::batch::Batch;
    use crate::app::input;
    use crate::app::source::ReviewSource;
    use crate::config::Config;
    use crate::dialect::Options;

    #[test]
    fn files_of_the_same_name_are_suggested() {
        let check = |files: &[&str], path: &str, expected: Option<&str>| {
            let mut by_name = FilesByName::new();
            for file in files {
                let name = file.rsplit('/').next().unwrap();
                let alike = by_name.entry(folded(name)).or_default();
                alike.push((*file).to_owned());
            }
            assert_eq!(same_name(&by_name, path).as_deref(), expected, "{path}");
        };
        check(
            &["src/lib/m.py"],
            "lib/m.py",
            Some("did you mean `src/lib/m.py`?"),
        );
        check(
            &["src/lib/m.py", "m.py"],
            "lib/m.py",
            Some("did you mean `src/lib/m.py`?"),
        );
        check(
            &["x/m.py", "y/m.py"],
            "lib/m.py",
            Some("did you mean one of these? `x/m.py`, `y/m.py`"),
        );
        check(
            &["a/m", "b/m", "c/m", "d/m"],
            "m",
            Some("did you mean one of these? `a/m`, `b/m`, `c/m` or 1 more"),
        );
        check(&["Read.me"], "READ.ME", Some("did you mean `Read.me`?"));
        check(&["src/n.py"], "lib/m.py", None);
    }

    #[test]
    fn the_file_that_has_the_lines_of_a_missing_one_is_named() {
        let place = tempfile::tempdir().unwrap();
        let tree = place.path().join("tree");
        fs::create_dir(&tree).unwrap();
        fs::write(tree.join("new.rs"), "fn one() {\n    two(3);\n}\n").unwrap();
        let git = Command::new("git").arg("init").arg(&tree).output();
        assert!(git.unwrap().status.success());
        let root = Root::open(&tree).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        let edit = "old.rs\n<<<<<<< SEARCH\nfn one() {\n    two(3);\n=======\nfn one() {\n    two(4);\n>>>>>>> REPLACE\n";
        let input = input::parse(vec![edit.to_owned()], &Options::default()).unwrap();
        let session = Batch::new(root, Config::default(), input).place().unwrap();
        let expected = Refusal::Missing(Some("its lines are in `new.rs` now".to_owned()));
        assert_eq!(session.files[0].refusal(), Some(&expected));
    }
}
