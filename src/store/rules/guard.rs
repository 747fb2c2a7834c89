//! Names that may not be touched at all, judged by the name alone, and the errors of the guard.

use std::io;
use std::path::{Component, Path};

use thiserror::Error;

use super::name_folding::folded;
use super::protection::Protected;
use crate::proposal::{MOST_PATH_BYTES, PathError, RepoPath};
use crate::text::LineNo;

/// Reason why an edit may not touch a file.
#[derive(Debug, Error)]
pub enum Forbidden {
    /// The name is no path inside the root.
    #[error(transparent)]
    Name(#[from] PathError),
    /// The name lies in a folder of git's own: `.git`, a bare repository, or one that a `.git` file leads to.
    #[error("`{path}` is inside git's own folder")]
    Git {
        /// The file.
        path: RepoPath,
    },
    /// The name is one that some systems reserve for a device, and no such file is there yet.
    #[error("`{path}` is a device name")]
    Device {
        /// The file.
        path: RepoPath,
    },
    /// A link on the way leads out of the root.
    #[error("`{path}` goes through the link `{link}`, which leads out of the root")]
    LinkOut {
        /// The file.
        path: RepoPath,
        /// The link.
        link: String,
    },
    /// The links on the way lead in a circle.
    #[error("`{path}` goes through links that lead in a circle")]
    LinkLoop {
        /// The file.
        path: RepoPath,
    },
    /// The file belongs to countersign itself: its journal, its history, or an unfinished review.
    #[error("`{path}` is inside countersign's own state")]
    OwnState {
        /// The file.
        path: RepoPath,
    },
    /// The name is longer than the system allows.
    #[error("`{}…` is too long for a file name: {length} bytes", start(path))]
    TooLong {
        /// The file.
        path: RepoPath,
        /// The length of the path, or of the part that is too long.
        length: usize,
    },
    /// An ignore file of an agent matches the path.
    #[error("`{path}` is ignored: line {line} of `{file}` says `{pattern}`")]
    Ignored {
        /// The file.
        path: RepoPath,
        /// The ignore file, as seen from the root.
        file: String,
        /// The line of the ignore file.
        line: LineNo,
        /// The pattern on the line.
        pattern: String,
    },
    /// A link on the way leads to another file, in a place where no link was when the path was noted.
    #[error("`{path}` goes through a link to `{target}`")]
    ThroughLink {
        /// The file.
        path: RepoPath,
        /// The file that it leads to.
        target: RepoPath,
    },
    /// The file is protected, and no person has been asked.
    #[error("`{path}` is protected: {why}")]
    Protected {
        /// The file.
        path: RepoPath,
        /// The reason.
        why: Protected,
    },
    /// An ignore file is there but cannot be read, and might forbid anything.
    #[error("the ignore file `{file}` cannot be read: {source}")]
    IgnoreFile {
        /// The ignore file, as seen from the root.
        file: String,
        /// The system's error.
        source: io::Error,
    },
    /// The way to the file cannot be followed.
    #[error("the way to `{path}` cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: RepoPath,
        /// The system's error.
        source: io::Error,
    },
}

impl Forbidden {
    /// Returns advice on what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Name(_) => "name the file by its path inside the root",
            Self::Git { .. } => "use git itself to change its configuration, hooks and index",
            Self::Device { .. } => "choose another name: this one cannot be a file on Windows",
            Self::OwnState { .. } => {
                "`countersign log` and `countersign undo` read it; nothing else may change it"
            }
            Self::TooLong { .. } => "choose a shorter name",
            Self::LinkOut { .. } => {
                "start in the folder that the link leads to, or edit that file by hand"
            }
            Self::LinkLoop { .. } | Self::ThroughLink { .. } => "fix the links",
            Self::Protected { .. } => "let a person decide",
            Self::Ignored { .. } => "change that line if agents may edit this file",
            Self::IgnoreFile { .. } => "correct it, make it readable, or remove it",
            Self::Unreadable { .. } => "check the permissions of the folders on the way",
        }
    }
}

/// True if any part of a path is a name that git, on some system, takes for its own folder: `.git` or its short name, in any
/// spelling.
pub(in crate::store) fn is_git_internal(path: &RepoPath) -> bool {
    names(path).any(|name| matches!(&*folded(&name), ".git" | "git~1"))
}

/// Returns the length of a path below a root, or of its part, if the system allows none of that length.
pub(in crate::store) fn excess_length(root: &Path, path: &RepoPath) -> Option<usize> {
    /// `NAME_MAX` of Linux.
    const MOST_NAME: usize = 255;
    let whole = root.as_os_str().len() + 1 + path.as_path().as_os_str().len();
    if whole > MOST_PATH_BYTES {
        return Some(whole);
    }
    let parts = path.as_path().components();
    parts
        .map(|part| part.as_os_str().len())
        .find(|length| *length > MOST_NAME)
}

/// Returns the first characters of a name that is too long to be shown.
fn start(path: &RepoPath) -> String {
    const SHOWN: usize = 60;
    path.to_string().chars().take(SHOWN).collect()
}

/// True if any part of a path is a name that Windows reserves for a device, with or without an extension.
pub(in crate::store) fn is_device_name(path: &RepoPath) -> bool {
    names(path).any(|name| {
        let stem = name.split(['.', ':']).next().unwrap_or_default();
        let stem = stem.trim_end().to_ascii_lowercase();
        matches!(
            stem.as_bytes(),
            b"con"
                | b"prn"
                | b"aux"
                | b"nul"
                | [b'c', b'o', b'm', b'1'..=b'9']
                | [b'l', b'p', b't', b'1'..=b'9']
        )
    })
}

fn names(path: &RepoPath) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    path.as_path()
        .components()
        .map(|part: Component<'_>| part.as_os_str().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_own_folder_is_known_in_every_disguise() {
        let check = |name: &str, expected| {
            assert_eq!(
                is_git_internal(&RepoPath::parse(name).unwrap()),
                expected,
                "{name:?}"
            );
        };
        for name in [
            ".git",
            ".git/config",
            ".GIT/hooks/pre-commit",
            "sub/.Git/config",
            ".git./config",
            ".git /config",
            ".git . ./config",
            "sub/.git ./x",
            ".git:x/config",
            "git~1 /config",
            ".\u{ff47}it/config",
            "\u{ff0e}git/config",
            ".git::$INDEX_ALLOCATION/config",
            "GIT~1/config",
            ".g\u{200c}it/config",
            ".g\u{200d}it/config",
            ".g\u{200f}it/config",
            ".g\u{202a}it/config",
            ".g\u{202e}it/config",
            ".g\u{206a}it/config",
            ".g\u{206f}it/config",
            "\u{feff}.git/config",
        ] {
            check(name, true);
        }
        for name in [
            ".gitignore",
            ".github/x",
            "git/config",
            "a.git/config",
            "git~2/config",
            ".git-x/config",
        ] {
            check(name, false);
        }
    }

    #[test]
    fn names_up_to_the_limits_of_the_system_are_taken() {
        let check = |name: String, expected| {
            let path = RepoPath::parse(&name).unwrap();
            assert_eq!(excess_length(Path::new("/root"), &path), expected);
        };
        check("a".repeat(255), None);
        check("a".repeat(256), Some(256));
        check("é".repeat(128), Some(256));
        check("a/".repeat(2044) + "a", None);
        check("a/".repeat(2044) + "aa", Some(4096));
    }

    #[test]
    fn device_names_are_known_by_their_stem() {
        let check = |name: &str, expected| {
            assert_eq!(
                is_device_name(&RepoPath::parse(name).unwrap()),
                expected,
                "{name:?}"
            );
        };
        for name in ["nul", "src/CON.txt", "com1", "aux/mod.rs"] {
            check(name, true);
        }
        for name in ["null", "console.rs", "com10", "auxiliary", "com"] {
            check(name, false);
        }
    }
}
