//! The files of countersign itself, wherever they lie: an agent that could edit them would decide what is reviewed.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::name_folding::folded;
use crate::proposal::RepoPath;

/// Kind of a file that belongs to countersign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum OwnFile {
    /// The journal, the history and the unfinished reviews of all roots. No edit may touch them.
    State,
    /// The user's settings and themes. An edit of them is never accepted in a batch.
    Settings,
}

/// Returns the usual folder of the settings, and the file that `COUNTERSIGN_CONFIG` names instead, both without links.
pub(in crate::store) fn settings_paths() -> Vec<PathBuf> {
    let usual = etcetera::choose_base_strategy()
        .ok()
        .map(|strategy| strategy.config_dir().join("countersign"));
    let named = env::var_os("COUNTERSIGN_CONFIG")
        .filter(|name| !name.is_empty())
        .map(PathBuf::from);
    usual
        .into_iter()
        .chain(named)
        .map(|path| without_links(&path))
        .collect()
}

/// Resolves the links on the way to a path of which the end need not be there.
pub(in crate::store) fn without_links(path: &Path) -> PathBuf {
    let Ok(path) = std::path::absolute(path) else {
        return path.to_owned();
    };
    for folder in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (folder.canonicalize(), path.strip_prefix(folder)) {
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path
}

/// The files of countersign that are inside a root, by folded names.
#[derive(Debug)]
pub(in crate::store) struct OwnFiles(Vec<(OwnFile, Vec<String>)>);

impl OwnFiles {
    /// Finds those of some folders and files, given without links, that are inside a root; all of the root if it is inside one.
    pub(in crate::store) fn inside<'p>(
        root: &Path,
        paths: impl IntoIterator<Item = (OwnFile, &'p PathBuf)>,
    ) -> Self {
        let root = folded_parts(root);
        let inside = paths.into_iter().filter_map(|(kind, path)| {
            let parts = folded_parts(path);
            let is_common = parts.iter().zip(&root).all(|(part, other)| part == other);
            is_common.then(|| (kind, parts.into_iter().skip(root.len()).collect()))
        });
        Self(inside.collect())
    }

    /// Returns the kind of a file that is one of them or inside one of them.
    pub(in crate::store) fn of(&self, path: &RepoPath) -> Option<OwnFile> {
        let Self(own) = self;
        let parts = path.as_path().components();
        let parts = parts.map(|part| part.as_os_str().to_string_lossy());
        let parts: Vec<_> = parts.map(|part| folded(&part).into_owned()).collect();
        let found = own.iter().find(|(_, folder)| parts.starts_with(folder));
        found.map(|(kind, _)| *kind)
    }
}

fn folded_parts(path: &Path) -> Vec<String> {
    let parts = path.components();
    parts
        .map(|part| folded(&part.as_os_str().to_string_lossy()).into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_part_by_part_and_folded() {
        let check = |root: &str, file: &str, expected| {
            let state = PathBuf::from("/h/State/countersign");
            let own = OwnFiles::inside(Path::new(root), [(OwnFile::State, &state)]);
            let found = own.of(&RepoPath::parse(file).unwrap());
            assert_eq!(found.is_some(), expected, "{file} in {root}");
        };
        check("/h/State", "countersign", true);
        check("/h/State", "countersign/x/journal", true);
        check("/h", "state/Countersign/x", true);
        check("/H/state", "Countersign/x", true);
        check("/h/State", "countersigns/x", false);
        check("/h", "State", false);
        check("/other", "State/countersign/x", false);
        check("/", "h/State/countersign/x", true);
        check("/h/State/countersign", "x", true);
        check("/h/State/countersign/x", "journal", true);
    }
}
