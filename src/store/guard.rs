//! Which names may be touched at all, judged by the name alone; and why a name is refused.

use std::io;
use std::path::Component;

use thiserror::Error;

use crate::proposal::{PathError, RepoPath};
use crate::text::LineNo;

/// Why an edit may not touch a file.
#[derive(Debug, Error)]
pub enum Forbidden {
    /// The name is no path inside the root.
    #[error(transparent)]
    Name(#[from] PathError),
    /// The name lies in a `.git` folder.
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
    /// An ignore file of an agent names it.
    #[error("`{path}` is ignored: line {line} of `{file}` says `{pattern}`")]
    Ignored {
        /// The file.
        path: RepoPath,
        /// The ignore file.
        file: RepoPath,
        /// The line of the ignore file.
        line: LineNo,
        /// What the line says.
        pattern: String,
    },
    /// An ignore file is there but cannot be read, and might forbid anything.
    #[error("the ignore file `{file}` cannot be read: {source}")]
    IgnoreFile {
        /// The ignore file.
        file: RepoPath,
        /// What the system says.
        source: io::Error,
    },
    /// The way to the file cannot be followed.
    #[error("the way to `{path}` cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: RepoPath,
        /// What the system says.
        source: io::Error,
    },
}

impl Forbidden {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Name(_) => "name the file by its path inside the root",
            Self::Git { .. } => "use git itself to change its configuration, hooks and index",
            Self::Device { .. } => "choose another name: this one cannot be a file on Windows",
            Self::LinkOut { .. } => {
                "start in the folder that the link leads to, or edit that file by hand"
            }
            Self::LinkLoop { .. } => "mend the links",
            Self::Ignored { .. } => "change that line if agents may edit this file",
            Self::IgnoreFile { .. } => "make it readable, or remove it",
            Self::Unreadable { .. } => "check the permissions of the folders on the way",
        }
    }
}

/// Whether any part of a path is a name that git, on some system, takes for its own folder.
///
/// The rules are those of git's `core.protectNTFS` and `core.protectHFS`: case, trailing dots and blanks, streams, the
/// short name, and the code points that HFS+ ignores.
pub(super) fn is_git_internal(path: &RepoPath) -> bool {
    names(path).any(|name| {
        let plain: String = name.chars().filter(|&c| !hfs_ignores(c)).collect();
        let base = plain.split(':').next().unwrap_or_default();
        let base = base.trim_end_matches(['.', ' ']);
        base.eq_ignore_ascii_case(".git") || base.eq_ignore_ascii_case("git~1")
    })
}

/// Whether any part of a path is a name that Windows reserves for a device, with or without an extension.
pub(super) fn is_device_name(path: &RepoPath) -> bool {
    names(path).any(|name| {
        let stem = name.split(['.', ':']).next().unwrap_or_default();
        let stem = stem.trim_end().to_ascii_lowercase();
        let numbered = |prefix| {
            stem.strip_prefix(prefix)
                .is_some_and(|n: &str| matches!(n.as_bytes(), [b'1'..=b'9']))
        };
        matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
    })
}

fn names(path: &RepoPath) -> impl Iterator<Item = std::borrow::Cow<'_, str>> {
    path.as_path()
        .components()
        .map(|part: Component<'_>| part.as_os_str().to_string_lossy())
}

fn hfs_ignores(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
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
            ".git::$INDEX_ALLOCATION/config",
            "GIT~1/config",
            ".g\u{200c}it/config",
        ] {
            check(name, true);
        }
        for name in [".gitignore", ".github/x", "git/config", "a.git/config"] {
            check(name, false);
        }
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
