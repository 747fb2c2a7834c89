//! Record of the working tree at the beginning of a turn, and the comparison with it at the end.
//!
//! The record is a git tree beside the repository: git's own index where files are as it has them, and the contents of other small files that
//! git does not ignore. Of large files, of what git ignores, and of the settings that decide what git ignores and how it compares, only the
//! facts that show a change are kept. What differs there cannot be reviewed, and is named to the person.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::agent::git::{Repository, SideIndex};
use crate::store::{ChangeFacts, Turn, readable_size};

/// The largest file that git does not have and whose content is kept.
const MOST_FILE: u64 = 1 << 20;
/// The most bytes of such contents that are kept.
const MOST_TREE: u64 = 256 << 20;
/// The most ignored files and folders that are compared.
const MOST_IGNORED: usize = 10_000;
/// The most names in a message.
const MOST_NAMED: usize = 5;
/// Git's own files that decide what it ignores, and how it compares.
const GIT_FILES: [&str; 5] = [
    "config",
    "config.worktree",
    "info/attributes",
    "info/exclude",
    "info/sparse-checkout",
];
/// The same files of the person, below the home folder.
const HOME_FILES: [&str; 4] = [
    ".gitconfig",
    ".config/git/config",
    ".config/git/attributes",
    ".config/git/ignore",
];

/// State of the working tree when a turn began.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TurnRecord {
    /// The tree of git that it was.
    pub(super) tree: String,
    /// Time of its beginning, in seconds since 1970.
    pub(super) time: u64,
    /// True if the agent has come to the end of the turn.
    pub(super) is_ended: bool,
    /// The hashes of files that a person has left as they are since; `None` of one that is gone.
    #[serde(default)]
    pub(super) kept: BTreeMap<String, Option<String>>,
    /// The files that the tree lacks, because they were too large or could not be read, and the folders of other repositories.
    lacking: BTreeMap<PathBuf, Option<ChangeFacts>>,
    /// The names that are no text.
    unnamed: Vec<String>,
    /// The files and folders that git ignored; `None` if there were too many.
    ignored: Option<BTreeMap<PathBuf, Option<ChangeFacts>>>,
    /// Git's settings.
    settings: BTreeMap<PathBuf, Option<ChangeFacts>>,
}

/// Differences from a record.
pub(super) struct TurnDifference {
    /// The files that can be reviewed.
    pub(super) paths: Vec<PathBuf>,
    /// The others, in words for the person.
    pub(super) remark: Option<String>,
}

impl TurnRecord {
    /// Records a working tree as it is, beside what a turn keeps.
    pub(super) fn of(repository: &Repository, turn: &Turn) -> anyhow::Result<Self> {
        let top = repository.top();
        let side = SideIndex::new(repository, turn.folder())?;
        // What git ignored before is not what it ignores by rules that come later, so this is asked first.
        let ignored = side.ignored()?.texts;
        let ignored = (ignored.len() <= MOST_IGNORED).then(|| facts_of(top, ignored));
        let settings = facts_of(Path::new(""), settings_of(repository)?);
        let mut length = 0;
        let tree = side.take_in(|path| can_keep(&top.join(path), &mut length))?;
        let lacking = side.differing()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Self {
            tree,
            time: now.map_or(0, |now| now.as_secs()),
            is_ended: false,
            kept: BTreeMap::new(),
            lacking: facts_of(top, lacking.texts),
            unnamed: lacking.others,
            ignored,
            settings,
        })
    }

    /// Reads the record of a turn; `None` if there is none.
    pub(super) fn read(turn: &Turn) -> Option<Self> {
        serde_json::from_slice(&turn.noted()?).ok()
    }

    /// Keeps the record with a turn.
    pub(super) fn note(&self, turn: &Turn) -> anyhow::Result<()> {
        Ok(turn.note(&serde_json::to_vec(self)?)?)
    }

    /// Compares the working tree with the record.
    pub(super) fn compare(
        &self,
        repository: &Repository,
        turn: &Turn,
    ) -> anyhow::Result<TurnDifference> {
        let top = repository.top();
        let side = SideIndex::open(repository, turn.folder());
        let mut found = side.differing()?;
        let mut remarks = Vec::new();
        let settings = settings_of(repository)?;
        let settings = settings.into_iter().filter(|file| {
            let before = self.settings.get(file).copied().flatten();
            before != ChangeFacts::of(file)
        });
        remarks.extend(remark(
            "git's settings were changed, and what they hide is not reviewed",
            settings,
        ));
        let is_folder = |path: &PathBuf| path.as_os_str().as_encoded_bytes().ends_with(b"/");
        let large: Vec<PathBuf> = (self.lacking.iter())
            .filter(|(path, before)| ChangeFacts::of(&top.join(path)) != **before)
            .map(|(path, _)| path.clone())
            .collect();
        found.texts.retain(|path| !self.lacking.contains_key(path));
        let nested: Vec<PathBuf> = found.texts.extract_if(.., |path| is_folder(path)).collect();
        found.others.retain(|name| !self.unnamed.contains(name));
        remarks.extend(remark(
            "these files were changed, and their earlier contents were too large to be kept, so they are not reviewed",
            large,
        ));
        remarks.extend(remark(
            "the files of repositories in the working tree are not reviewed",
            nested,
        ));
        remarks.extend(remark(
            "names that are no text are not reviewed",
            found.others.into_iter().map(PathBuf::from),
        ));
        if let Some(before) = &self.ignored {
            let ignored = side.ignored()?.texts.into_iter().filter(|path| {
                before
                    .get(path)
                    .is_none_or(|before| ChangeFacts::of(&top.join(path)) != *before)
            });
            remarks.extend(remark(
                "git ignores what was written here, so it is not reviewed",
                ignored,
            ));
        }
        let remark = (!remarks.is_empty()).then(|| format!("countersign: {}", remarks.join("; ")));
        Ok(TurnDifference {
            paths: found.texts,
            remark,
        })
    }
}

/// Returns whether the content of a file is kept, and adds its length to that of the others.
fn can_keep(path: &Path, length: &mut u64) -> bool {
    let Some(size) = readable_size(path) else {
        return false;
    };
    let fits = size <= MOST_FILE && *length + size <= MOST_TREE;
    if fits {
        *length += size;
    }
    fits
}

/// Returns the files of git's settings, of the repository and of the person.
fn settings_of(repository: &Repository) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in GIT_FILES {
        files.push(repository.own_file(name)?);
    }
    let home = std::env::var_os("HOME").map(PathBuf::from);
    files.extend(
        home.iter()
            .flat_map(|home| HOME_FILES.map(|name| home.join(name))),
    );
    Ok(files)
}

fn facts_of(folder: &Path, names: Vec<PathBuf>) -> BTreeMap<PathBuf, Option<ChangeFacts>> {
    (names.into_iter())
        .map(|name| {
            let facts = ChangeFacts::of(&folder.join(&name));
            (name, facts)
        })
        .collect()
}

/// Formats a remark about some files; `None` if there are none.
fn remark(what: &str, paths: impl IntoIterator<Item = PathBuf>) -> Option<String> {
    let paths: Vec<PathBuf> = paths.into_iter().collect();
    (!paths.is_empty()).then(|| format!("{what}: {}", some_of(&paths)))
}

/// Names the first of some files, and counts the others.
pub(super) fn some_of(paths: &[PathBuf]) -> String {
    let shown = paths.iter().take(MOST_NAMED);
    let shown: Vec<String> = shown
        .map(|path| {
            format!(
                "`{}`",
                path.display().to_string().replace(char::is_control, "?")
            )
        })
        .collect();
    match paths.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
