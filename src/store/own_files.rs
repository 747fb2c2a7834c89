//! The files of countersign itself, wherever they lie: an agent that could edit them would decide what is reviewed.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::name_folding::folded;

/// Kind of a file that belongs to countersign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnFile {
    /// The journal, the history and the unfinished reviews of all roots. No edit may touch them.
    State,
    /// The user's settings and themes. An edit of them is never accepted in a batch.
    Settings,
}

/// Returns the usual folder of the settings, and the file that `COUNTERSIGN_CONFIG` names instead, both without links.
pub(super) fn settings_paths() -> Vec<PathBuf> {
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
pub(super) fn without_links(path: &Path) -> PathBuf {
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

/// Returns true if a file is the folder or lies in it, by folded names.
pub(super) fn starts_with(file: &Path, folder: &Path) -> bool {
    let mut parts = file.components();
    folder.components().all(|part| {
        parts.next().is_some_and(|other| {
            let [part, other] = [part, other].map(|part| part.as_os_str().to_string_lossy());
            folded(&part) == folded(&other)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_part_by_part_and_folded() {
        let check = |file: &str, expected| {
            assert_eq!(
                starts_with(Path::new(file), Path::new("/h/State/countersign")),
                expected,
                "{file}"
            );
        };
        check("/h/State/countersign", true);
        check("/h/State/countersign/x/journal", true);
        check("/h/state/Countersign/x", true);
        check("/h/State/countersigns/x", false);
        check("/h/State", false);
    }
}
