//! The files that an agent names in its prose, compared with those that it changes. Only names are compared, no words of any language.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::review::session::file::{FileKind, FileReview};
use crate::review::session::request::Standing;
use crate::review::session::review_session::ReviewSession;

/// Difference between the files that prose names and those that are changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announced {
    /// Names in the prose that no edit touches, in its order.
    pub missing: Vec<String>,
    /// Changed files, by their positions, that the prose does not name although it names others.
    pub unnamed: BTreeSet<usize>,
}

/// Names with more bytes are not compared, as each of their parts is looked up.
const LONGEST: usize = 512;

/// A changed file: its position, and its names before and after the change.
type ChangedNames<'a> = (usize, Vec<&'a str>);

impl Announced {
    /// Compares the prose of a session with its files. In the resident reviewer, the prose of each call is compared with the files of the
    /// call, and nothing is missing: it may come with the next one.
    pub fn of(session: &ReviewSession) -> Self {
        let mut calls: BTreeMap<Option<u64>, (&str, Vec<ChangedNames>)> = BTreeMap::new();
        for (at, file) in session.files.iter().enumerate() {
            if file.standing == Standing::Gone {
                continue;
            }
            let call = file.call.as_deref();
            let prose = call.map_or(session.intent.as_str(), |call| &call.intent);
            let key = call.map(|call| call.number);
            let files = &mut calls.entry(key).or_insert((prose, Vec::new())).1;
            files.push((at, paths(file)));
        }
        let mut all = Self::default();
        for (call, (prose, files)) in calls {
            let compared = Self::compare(prose, &files);
            all.unnamed.extend(compared.unnamed);
            if call.is_none() {
                all.missing = compared.missing;
            }
        }
        all
    }

    fn compare(prose: &str, files: &[ChangedNames]) -> Self {
        if names(prose).next().is_none() {
            return Self::default();
        }
        let index = PathIndex::of(files);
        let (mut known, mut missing) = (FxHashSet::default(), Vec::new());
        let (mut named, mut hinted) = (BTreeSet::new(), BTreeSet::<usize>::new());
        for name in names(prose).filter(|name| known.insert(*name)) {
            let mut matches = index.matches(name).copied().peekable();
            let is_named = matches.peek().is_some();
            named.extend(matches);
            hinted.extend(index.stems.get(name).into_iter().flatten());
            let is_file = extension(name).is_some_and(|name| index.extensions.contains(name));
            if !is_named && is_file {
                missing.push(name.to_owned());
            }
        }
        let all = files.iter().map(|(at, _)| *at);
        let unnamed =
            all.filter(|at| !named.is_empty() && !named.contains(at) && !hinted.contains(at));
        Self {
            missing,
            unnamed: unnamed.collect(),
        }
    }
}

/// Positions of the changed files by their names.
#[derive(Default)]
struct PathIndex<'a> {
    /// By the whole path.
    paths: FxHashMap<&'a str, Vec<usize>>,
    /// By each end of the path that follows a slash.
    ends: FxHashMap<&'a str, Vec<usize>>,
    /// By the last name without its extension, as prose names `README` and modules.
    stems: FxHashMap<&'a str, Vec<usize>>,
    extensions: FxHashSet<&'a str>,
}

impl<'a> PathIndex<'a> {
    fn of(files: &[ChangedNames<'a>]) -> Self {
        let mut index = Self::default();
        for (at, path) in files
            .iter()
            .flat_map(|(at, paths)| paths.iter().map(|path| (*at, *path)))
        {
            index.paths.entry(path).or_default().push(at);
            let ends = ends(path).filter(|_| path.len() <= LONGEST);
            for end in ends {
                index.ends.entry(end).or_default().push(at);
            }
            if let Some(extension) = extension(path) {
                index.extensions.insert(extension);
                let name = last(path);
                let stem = &name[..name.len() - extension.len() - 1];
                index.stems.entry(stem).or_default().push(at);
            }
        }
        index
    }

    /// Returns the files whose path is a name, ends with it, or is the end of it, each after a slash.
    fn matches(&self, name: &str) -> impl Iterator<Item = &usize> {
        let whole = [name].into_iter().chain(ends(name));
        let paths = whole.filter_map(|end| self.paths.get(end));
        paths.chain(self.ends.get(name)).flatten()
    }
}

/// Returns the ends of a path that follow a slash.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[at + 1..])
}

/// Returns the names that a file has before and after its change.
fn paths(file: &FileReview) -> Vec<&str> {
    let other = match &file.kind {
        FileKind::Renamed { to } => Some(to.as_str()),
        FileKind::Copied { from, .. } => Some(from.as_str()),
        FileKind::Modified | FileKind::Created | FileKind::Deleted => None,
    };
    [file.path.as_str()].into_iter().chain(other).collect()
}

/// Returns what may be names of files in a text.
fn names(prose: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_alphanumeric() || "._-+@/".contains(c);
    let names = prose.split(move |c: char| !is_of_name(c));
    let names = names.map(|name| {
        name.trim_start_matches("./")
            .trim_end_matches(['.', '-', '/'])
    });
    // What begins with a slash is an address or outside of the project.
    let names = names.filter(|name| !name.is_empty() && name.len() <= LONGEST);
    names.filter(|name| !name.starts_with('/') && !name.contains("//"))
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the ending of a name that has something before it.
fn extension(path: &str) -> Option<&str> {
    let (stem, extension) = last(path).rsplit_once('.')?;
    (!stem.is_empty() && !extension.is_empty()).then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares prose with the files of a batch; what is returned is `missing | unnamed`.
    #[track_caller]
    fn check(prose: &str, files: &[&str], expected: &str) {
        let changed = files.iter().map(|path| vec![*path]).enumerate();
        let changed: Vec<ChangedNames> = changed.collect();
        let Announced { missing, unnamed } = Announced::compare(prose, &changed);
        let unnamed: Vec<&str> = unnamed.iter().map(|&at| files[at]).collect();
        assert_eq!(
            format!("{} | {}", missing.join(" "), unnamed.join(" ")),
            expected
        );
    }

    #[test]
    fn names_of_files_are_compared_with_the_changes() {
        check(
            "I changed `src/a.rs` and src/b.rs.",
            &["src/a.rs", "src/b.rs"],
            " | ",
        );
        check(
            "I changed a.rs, and ./src/c.rs too.",
            &["src/a.rs", "src/b.rs"],
            "src/c.rs | src/b.rs",
        );
        check("See project/src/a.rs: done", &["src/a.rs"], " | ");
        check("The Makefile calls it", &["Makefile", "a.rs"], " | a.rs");
        // A word that may mean a file does not make others unnamed.
        check(
            "README, and a.rs",
            &["README.md", "a.rs", "b.rs"],
            " | b.rs",
        );
        check("README", &["README.md", "b.rs"], " | ");
        check("Twice: c.rs, c.rs", &["a.rs"], "c.rs | ");
    }

    #[test]
    fn what_names_no_file_is_nothing() {
        check("Adds retry", &["src/a.rs", "src/b.rs"], " | ");
        // Other endings than those of the batch may be anything.
        check("self.inner, e.g. v1.2 or example.com", &["src/a.rs"], " | ");
        check(
            "https://example.com/x.rs, /etc/x.rs, .rs",
            &["src/a.rs"],
            " | ",
        );
        check("xa.rs", &["src/a.rs"], "xa.rs | ");
        let long = |bytes: usize| format!("{}a.rs", "b/".repeat(bytes / 2 - 2));
        check(&long(LONGEST), &["a.rs", "c.rs"], " | c.rs");
        check(&long(LONGEST + 2), &["a.rs", "c.rs"], " | ");
        check("", &[], " | ");
    }
}
