//! Differences between two of: a revision, the index, the working tree, in the format of `git diff --raw -z`
//! (gitdiffcore(7)).

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::repository::{GitError, Repository};

/// The two sides of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiffSides {
    /// The index with the working tree.
    IndexToTree,
    /// A revision with the working tree.
    RevisionToTree(String),
    /// A revision, the latest commit if none is named, with the index.
    ToIndex(Option<String>),
    /// Two revisions.
    Between(String, String),
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedEntry {
    /// Its old name, as seen from the top folder.
    pub path: String,
    /// Its new name, if that is another.
    pub rename: Option<String>,
    /// The old version; `None` if the file did not exist.
    pub old: Option<Blob>,
    /// The new version; `None` if the file does not exist.
    pub new: Option<Blob>,
    /// True if git holds something else than a file there.
    pub kind: GitEntryKind,
}

/// A version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// Its mode, as git writes it.
    pub mode: String,
    /// The name of its content; all zeros for a version in the working tree that git has not looked at.
    pub id: String,
}

/// Kind of an entry in git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitEntryKind {
    /// A file.
    File,
    /// A commit of another repository.
    Submodule,
    /// A link, or a file that became one, or the other way round.
    Link,
    /// Several versions that wait to be merged.
    Unmerged,
    /// A name that is not text.
    OddName,
}

impl Blob {
    /// Returns whether the version may be executed.
    pub fn executable(&self) -> bool {
        self.mode == "100755"
    }

    /// Returns true if the version is a symbolic link.
    pub(crate) fn is_link(&self) -> bool {
        self.mode == "120000"
    }
}

impl Repository {
    /// Returns the files that differ, of those that `paths` name: all, if there are none.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git fails.
    pub fn changed(
        &self,
        span: &DiffSides,
        paths: &[PathBuf],
    ) -> Result<Vec<ChangedEntry>, GitError> {
        let mut arguments: Vec<OsString> = [
            "diff",
            "--raw",
            "-z",
            "--no-abbrev",
            "--find-renames",
            "--no-ext-diff",
            "--ignore-submodules=dirty",
        ]
        .map(OsString::from)
        .into();
        match span {
            DiffSides::IndexToTree => (),
            DiffSides::RevisionToTree(revision) => arguments.push(revision.into()),
            DiffSides::ToIndex(revision) => {
                arguments.push("--cached".into());
                arguments.extend(revision.iter().map(OsString::from));
            }
            DiffSides::Between(from, to) => arguments.extend([from, to].map(OsString::from)),
        }
        arguments.push("--".into());
        arguments.extend(paths.iter().map(OsString::from));
        let raw = self.ask(&arguments)?;
        parse(&raw).ok_or_else(|| GitError::Odd {
            command: "diff --raw -z".to_owned(),
        })
    }

    /// Returns the files of the working tree that git neither tracks nor ignores.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git fails.
    pub fn untracked(&self, paths: &[PathBuf]) -> Result<Vec<ChangedEntry>, GitError> {
        let words = [
            "ls-files",
            "--others",
            "--exclude-standard",
            "--full-name",
            "-z",
            "--",
        ];
        let mut arguments: Vec<OsString> = words.map(OsString::from).into();
        arguments.extend(paths.iter().map(OsString::from));
        // From the top, unless names say where.
        let asked = if paths.is_empty() {
            &self.at_top()
        } else {
            self
        };
        let names = asked.ask(&arguments)?;
        Ok(names
            .split(|&byte| byte == 0)
            // A name with a slash at its end is another repository.
            .filter(|name| !name.is_empty() && !name.ends_with(b"/"))
            .map(|name| {
                let (path, kind) = name_of(name);
                ChangedEntry {
                    path,
                    rename: None,
                    old: None,
                    new: Some(Blob {
                        mode: String::new(),
                        id: String::new(),
                    }),
                    kind,
                }
            })
            .collect())
    }

    /// Returns whether a name on the command line is or was that of a file.
    pub fn is_path(&self, name: &str) -> bool {
        self.folder.join(Path::new(name)).symlink_metadata().is_ok()
            || (self.ask(&["ls-files", "--error-unmatch", "--", name])).is_ok()
    }
}

fn parse(raw: &[u8]) -> Option<Vec<ChangedEntry>> {
    let mut fields = raw.split(|&byte| byte == 0);
    let mut found: Vec<ChangedEntry> = Vec::new();
    while let Some(head) = fields.next().filter(|head| !head.is_empty()) {
        let head = std::str::from_utf8(head).ok()?.strip_prefix(':')?;
        let [old_mode, new_mode, old_id, new_id, status] =
            <[&str; 5]>::try_from(head.split(' ').collect::<Vec<_>>()).ok()?;
        let (path, mut kind) = name_of(fields.next()?);
        let mut rename = None;
        if status.starts_with(['R', 'C']) {
            let (to, odd) = name_of(fields.next()?);
            rename = Some(to);
            kind = if kind == GitEntryKind::File {
                odd
            } else {
                kind
            };
        }
        kind = match (status.chars().next()?, old_mode, new_mode) {
            ('U', _, _) => GitEntryKind::Unmerged,
            _ if kind != GitEntryKind::File => kind,
            (_, "160000", _) | (_, _, "160000") => GitEntryKind::Submodule,
            (_, "120000", _) | (_, _, "120000") => GitEntryKind::Link,
            _ => GitEntryKind::File,
        };

        // Git lists an unmerged file a second time as changed.
        let waits =
            |known: &ChangedEntry| known.path == path && known.kind == GitEntryKind::Unmerged;
        if found.iter().any(waits) {
            continue;
        }
        if kind == GitEntryKind::Unmerged {
            found.retain(|known| known.path != path);
        }
        found.push(ChangedEntry {
            path,
            rename,
            old: Blob::of(old_mode, old_id),
            new: Blob::of(new_mode, new_id),
            kind,
        });
    }
    Some(found)
}

/// Returns a name, and the kind of the entry: git takes only names that are UTF-8 on one line.
fn name_of(bytes: &[u8]) -> (String, GitEntryKind) {
    match std::str::from_utf8(bytes) {
        Ok(name) if !name.contains('\n') => (name.to_owned(), GitEntryKind::File),
        Ok(_) | Err(_) => (
            String::from_utf8_lossy(bytes).into_owned(),
            GitEntryKind::OddName,
        ),
    }
}

impl Blob {
    /// Returns a version of a file; `None` for the mode of no file.
    fn of(mode: &str, id: &str) -> Option<Self> {
        (mode != "000000").then(|| Self {
            mode: mode.to_owned(),
            id: id.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expected: &str) {
        let shown = |file: &ChangedEntry| {
            let mode = |blob: &Option<Blob>| {
                blob.as_ref()
                    .map_or("-".to_owned(), |blob| blob.mode.clone())
            };
            let (old, new) = (mode(&file.old), mode(&file.new));
            format!(
                "{} {:?} {old} {new} {:?}",
                file.path, file.rename, file.kind
            )
        };
        let found = parse(raw.replace('|', "\0").as_bytes())
            .map(|files| files.iter().map(shown).collect::<Vec<_>>().join("; "));
        assert_eq!(
            found.as_deref(),
            Some(expected).filter(|text| *text != "odd")
        );
    }

    #[test]
    fn every_status_is_understood() {
        check("", "");
        check(":100644 100755 1 0 M|a b|", "a b None 100644 100755 File");
        check(":000000 100644 0 0 A|a|", "a None - 100644 File");
        check(":100644 000000 1 0 D|a|", "a None 100644 - File");
        check(
            ":100644 100644 1 1 R100|a|b|",
            "a Some(\"b\") 100644 100644 File",
        );
        check(
            ":160000 160000 1 2 M|sub|",
            "sub None 160000 160000 Submodule",
        );
        check(":100644 120000 1 2 T|a|", "a None 100644 120000 Link");
        check(":000000 000000 0 0 U|a|", "a None - - Unmerged");
        check("nonsense|", "odd");
        check(":100644|", "odd");
    }

    #[test]
    fn a_file_that_waits_to_be_merged_is_told_of_once() {
        let merged = ":000000 000000 0 0 U|a|:100644 100644 1 0 M|a|";
        check(merged, "a None - - Unmerged");
        let merged = ":100644 100644 1 0 M|a|:000000 000000 0 0 U|a|";
        check(merged, "a None - - Unmerged");
    }
}
