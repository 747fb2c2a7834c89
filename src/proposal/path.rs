//! Names of files: as an edit claims them, and as proven to lie inside a root.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::text::raw_bytes;

/// A file's name as an edit gives it: not yet known to exist or to be allowed.
///
/// A name can often be read more than one way (`a/src/lib.rs` may be git's prefix or a folder called `a`). Every reading
/// is kept, the likeliest first; which one is meant is settled by the files that exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PathClaim {
    /// The readings, the likeliest first; never empty.
    readings: Vec<String>,
    /// True if only the existing files decide between the readings.
    in_doubt: bool,
    /// The folder in which the agent worked, as its log states it: relative readings begin there.
    recorded: Option<String>,
    /// Folders that `..` leads out of. Each must be one of the root and no link, which would lead elsewhere.
    left: Vec<String>,
}

impl PathClaim {
    /// A name that can be read one way only.
    pub fn plain(name: impl Into<String>) -> Self {
        Self {
            readings: vec![name.into()],
            in_doubt: false,
            recorded: None,
            left: Vec::new(),
        }
    }

    /// A name as an agent writes it: backslashes may separate its folders, as on Windows.
    pub fn written(name: impl Into<String>) -> Self {
        Self::plain(name).with_slashes()
    }

    /// A name that is one of two, neither of which is likelier: if neither is a file, nothing decides which is to be made.
    pub fn in_doubt(whole: impl Into<String>, other: impl Into<String>) -> Self {
        Self {
            readings: vec![whole.into(), other.into()],
            in_doubt: true,
            recorded: None,
            left: Vec::new(),
        }
    }

    /// A word that may be a name or prose: it is a name if there is such a file.
    pub fn perhaps(word: impl Into<String>) -> Self {
        Self {
            in_doubt: true,
            ..Self::plain(word)
        }
    }

    /// A name with other readings, tried in order after the first.
    pub fn with_others(first: impl Into<String>, others: impl IntoIterator<Item = String>) -> Self {
        let mut readings = vec![first.into()];
        for other in others {
            if !readings.contains(&other) {
                readings.push(other);
            }
        }
        Self {
            readings,
            in_doubt: false,
            recorded: None,
            left: Vec::new(),
        }
    }

    /// The same name where backslashes may separate its folders, as on Windows: if neither reading is a file, nothing decides
    /// which is to be made.
    #[must_use]
    pub fn with_slashes(mut self) -> Self {
        let is_other = |slashed: &String| !self.readings.contains(slashed);
        let slashed = self.readings.iter().map(|name| name.replace('\\', "/"));
        let slashed: Vec<String> = slashed.filter(is_other).collect();
        self.in_doubt |= !slashed.is_empty();
        self.readings.extend(slashed);
        self
    }

    /// The same name as said from another folder: relative readings begin there, and `..` leads to the folder above it.
    #[must_use]
    pub fn from_folder(&self, folder: &str) -> Self {
        let folders = self
            .left
            .iter()
            .map(|folder_left| joined(folder, folder_left));
        let mut left: Vec<String> = folders.collect();
        let readings = self.readings.iter().map(|reading| {
            let (mut folder, mut name) = (folder, reading.as_str());
            while let Some((above, rest)) = one_up(folder, name) {
                left.push(folder.to_owned());
                (folder, name) = (above, rest);
            }
            joined(folder, name)
        });
        let readings = readings.collect();
        left.dedup();
        Self {
            readings,
            in_doubt: self.in_doubt,
            recorded: None,
            left,
        }
    }

    /// The same name as said from a real folder, no part of which is a link: there `..` leads to the folder above it by name.
    #[must_use]
    pub(crate) fn in_real_folder(&self, folder: &str) -> Self {
        let readings = self.readings.iter();
        let moved = readings.map(|reading| {
            let mut folders: Vec<&str> =
                folder.split('/').filter(|part| !part.is_empty()).collect();
            let mut name = reading.as_str();
            while let Some(above) = name.strip_prefix("../")
                && folders.pop().is_some()
            {
                name = above.trim_start_matches('/');
            }
            folders.push(name);
            if Path::new(reading).is_absolute() {
                reading.clone()
            } else {
                folders.join("/")
            }
        });
        Self {
            readings: moved.collect(),
            in_doubt: self.in_doubt,
            recorded: None,
            left: self.left.iter().map(|left| joined(folder, left)).collect(),
        }
    }

    /// The same name, given by an agent that worked in a folder, as its log states it.
    #[must_use]
    pub(crate) fn recorded_in(&self, folder: &str) -> Self {
        let folder = is_absolute(folder).then(|| folder.to_owned());
        Self {
            recorded: folder,
            ..self.clone()
        }
    }

    /// Returns the name as seen from the folder in which the agent worked, if it is an absolute one below that.
    #[must_use]
    pub(crate) fn below_recorded(&self) -> Option<Self> {
        let folder = self.recorded()?;
        let mut inner = self.readings().map(|name| below(folder, name));
        let first = inner.next()??;
        let others: Option<Vec<String>> = inner.collect();
        let mut seen = Self::with_others(first, others?);
        seen.in_doubt = self.in_doubt && seen.readings.len() > 1;
        seen.recorded.clone_from(&self.recorded);
        seen.left.clone_from(&self.left);
        Some(seen)
    }

    /// Returns the folder in which the agent worked, if it is known.
    pub(crate) fn recorded(&self) -> Option<&str> {
        self.recorded.as_deref()
    }

    /// Returns the folders that `..` leads out of, none of which may be a link.
    pub(crate) fn left_folders(&self) -> &[String] {
        &self.left
    }

    /// Returns the readings with the most parts: the name as it is written.
    pub(crate) fn longest(&self) -> Vec<String> {
        let most = self.readings().map(|name| path_parts(name).len()).max();
        let is_longest = |name: &&str| Some(path_parts(name).len()) == most;
        let longest = self.readings().filter(is_longest);
        longest.map(str::to_owned).collect()
    }

    /// Returns the name as it is written, without `count` leading parts; `None` if it has no more parts.
    #[must_use]
    pub(crate) fn without_parts(&self, count: usize) -> Option<Self> {
        let names = self.longest().into_iter();
        let mut names = names.filter_map(|name| {
            let parts = path_parts(&name);
            let rest = parts.get(count..).filter(|rest| !rest.is_empty())?;
            Some(rest.join("/"))
        });
        Some(Self::with_others(names.next()?, names))
    }

    /// The likeliest reading: the name to show.
    pub fn first(&self) -> &str {
        &self.readings[0]
    }

    /// Returns `true` if no reading is likelier than the next.
    pub fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }

    /// Returns `true` for one word that may be prose.
    pub fn is_perhaps(&self) -> bool {
        self.in_doubt && self.readings.len() == 1
    }

    /// Returns the length in bytes of its longest reading, if no file can have a name of that length.
    pub(crate) fn excess_length(&self) -> Option<usize> {
        let longest = self.readings().map(str::len).max();
        longest.filter(|length| *length > MOST_PATH_BYTES)
    }

    /// All readings, the likeliest first.
    pub fn readings(&self) -> impl Iterator<Item = &str> {
        self.readings.iter().map(String::as_str)
    }
}

/// Returns a name as said from a folder.
fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() || is_absolute(name) {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Returns the folder above a folder, and the name as said from there, if the name begins with `..`.
fn one_up<'a>(folder: &'a str, name: &'a str) -> Option<(&'a str, &'a str)> {
    let rest = name.strip_prefix("../")?;
    let folder = folder.trim_end_matches('/');
    let (above, last) = match folder.rsplit_once('/') {
        // Above the first folder of an absolute name there is no project.
        Some(("", _)) => return None,
        Some(parts) => parts,
        None => ("", folder),
    };
    let is_name = !matches!(last, "" | "." | "..");
    is_name.then(|| (above.trim_end_matches('/'), rest.trim_start_matches('/')))
}

/// Returns the parts of a name. `\` separates them too where there is no `/`. The root of an absolute name is an empty part, as `patch`
/// counts it.
pub(crate) fn path_parts(name: &str) -> Vec<&str> {
    let separator = if name.contains('/') { '/' } else { '\\' };
    let parts = name.split(separator).enumerate();
    parts
        .filter(|(at, part)| *part != "." && (*at == 0 || !part.is_empty()))
        .map(|(_, part)| part)
        .collect()
}

/// Returns `true` for an absolute name, on this system or on Windows (`C:\\a`, `C:/a`).
fn is_absolute(name: &str) -> bool {
    Path::new(name).is_absolute() || drive(name).is_some()
}

/// Splits the drive off an absolute name on Windows.
fn drive(name: &str) -> Option<(char, &str)> {
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let rest = name[1..].strip_prefix(':')?;
    (rest.starts_with(['/', '\\'])).then(|| (letter.to_ascii_lowercase(), rest))
}

/// Returns an absolute name as seen from a folder above it.
fn below(folder: &str, name: &str) -> Option<String> {
    let (Some((of_folder, folder)), Some((of_name, name))) = (drive(folder), drive(name)) else {
        let inner = Path::new(name).strip_prefix(folder).ok()?.to_str()?;
        return (Path::new(name).is_absolute() && !inner.is_empty()).then(|| inner.to_owned());
    };
    let [folder, name] = [folder, name].map(|path| path.replace('\\', "/"));
    let inner = name.strip_prefix(folder.trim_end_matches('/'))?;
    let inner = inner.strip_prefix('/').filter(|inner| !inner.is_empty())?;
    (of_folder == of_name).then(|| inner.to_owned())
}

impl fmt::Display for PathClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.first())
    }
}

/// A relative path without `..`: lexically inside whatever folder it is joined to.
///
/// Links on the way are another matter, which the store settles when it opens the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "PathBuf", try_from = "String")]
pub struct RepoPath(PathBuf);

/// The most bytes of a path on Linux, `PATH_MAX` without the final NUL. Other systems have lower limits and say so themselves.
pub(crate) const MOST_PATH_BYTES: usize = 4095;

/// Why a name is not a path inside the root.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum PathError {
    /// Nothing is named.
    #[error("the edit names no file")]
    Empty,
    /// The name leads out of the root: absolute, or with `..`.
    #[error("`{0}` is outside the root")]
    Outside(String),
    /// The name begins with a sign that a shell or an agent replaces, and no folder has that name.
    #[error("`{0}` begins with `{1}`, which is no folder here; give the path from the root")]
    Expanded(String, String),
    /// The name was given in another folder, which has the file, and the root has not.
    #[error("`{0}` is in the folder `{1}`, and not in this root; pass `--root {1}`")]
    OtherFolder(String, String),
    /// The name leads out of a folder by `..`, and the folder is a link or none of the root: it is not known what is above it.
    #[error("`{0}` was named as `..` of `{1}`, which is no folder of the root")]
    AboveFolder(String, String),
    /// The name holds a NUL, which no path can.
    #[error("`{0}` is not a file name")]
    Invalid(String),
    /// The name is not UTF-8.
    #[error("`{0}` is not in UTF-8, and no other encoding of file names is supported")]
    NotUtf8(String),
}

impl RepoPath {
    /// Takes a relative name apart and keeps it if every part stays inside. Blanks at its ends belong to it: a format whose
    /// names sit in prose removes them.
    ///
    /// # Errors
    ///
    /// [`PathError`] for a blank or absolute name, one with `..`, or one with a NUL.
    pub fn parse(name: &str) -> Result<Self, PathError> {
        if name.contains('\0') {
            return Err(PathError::Invalid(name.to_owned()));
        }
        if raw_bytes::is_raw(name) {
            return Err(PathError::NotUtf8(raw_bytes::readable(name).into_owned()));
        }
        if name.trim().is_empty() {
            return Err(PathError::Empty);
        }
        let mut path = PathBuf::new();
        for part in Path::new(name).components() {
            match part {
                Component::CurDir => (),
                Component::Normal(name) => path.push(name),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(PathError::Outside(name.to_owned()));
                }
            }
        }
        if path.as_os_str().is_empty() {
            return Err(PathError::Empty);
        }
        Ok(Self(path))
    }

    /// Returns the folder that it is in; `None` for the root.
    pub(crate) fn parent(&self) -> Option<Self> {
        let parent = self.0.parent()?;
        (!parent.as_os_str().is_empty()).then(|| Self(parent.to_owned()))
    }

    /// The path itself, relative to the root.
    pub fn as_path(&self) -> &Path {
        &self.0
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathError;

    fn try_from(name: String) -> Result<Self, PathError> {
        Self::parse(&name)
    }
}

impl From<RepoPath> for PathBuf {
    fn from(path: RepoPath) -> Self {
        path.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_inside_or_an_error() {
        let check = |name: &str, expected: &str| {
            let found = RepoPath::parse(name).map_or_else(|e| e.to_string(), |p| p.to_string());
            assert_eq!(found, expected, "{name:?}");
        };
        check("src/lib.rs", "src/lib.rs");
        check("./src//lib.rs", "src/lib.rs");
        check(" a/b ", " a/b ");
        check("", "the edit names no file");
        check(" \n", "the edit names no file");
        check(".", "the edit names no file");
        check("../a", "`../a` is outside the root");
        check("a/../../b", "`a/../../b` is outside the root");
        check("/etc/passwd", "`/etc/passwd` is outside the root");
        check("a\0b", "`a\0b` is not a file name");
    }

    #[test]
    fn an_absolute_name_is_seen_from_the_folder_of_the_log() {
        let check = |folder: &str, name: &str, expected: Option<&str>| {
            let claim = PathClaim::written(name).recorded_in(folder);
            let seen = claim.below_recorded();
            let readings = seen.map(|seen| seen.readings().collect::<Vec<_>>().join("|"));
            assert_eq!(readings.as_deref(), expected, "{folder} {name}");
        };
        check("/w", "/w/src/a", Some("src/a"));
        check("/w/", "/w/src/a", Some("src/a"));
        check("/w", "/w", None);
        check("/w", "/work/a", None);
        check("/w", "src/a", None);
        check("w", "w/a", None);
        check("/", "/src/a", Some("src/a"));
        check("C:\\w", "C:\\w\\src\\a", Some("src/a"));
        check("c:\\w", "C:/w/src/a", Some("src/a"));
        check("C:\\w", "D:\\w\\a", None);
        check("C:\\w", "C:\\work\\a", None);
        check("C:\\w", "src\\a", None);
        check("/w", "/w/src\\a", Some("src\\a|src/a"));
    }

    #[test]
    fn no_file_has_a_longer_name() {
        let longest = "d/".repeat(2047) + "f";
        let claim = |other: String| PathClaim::with_others("f", [other]).excess_length();
        assert_eq!(claim(longest.clone()), None);
        assert_eq!(claim(longest + "f"), Some(4096));
    }

    #[test]
    fn relative_readings_begin_in_a_folder() {
        let claim = PathClaim::with_others("src/a", ["/root/a".to_owned()]).from_folder("sub");
        let readings: Vec<&str> = claim.readings().collect();
        assert_eq!(readings, ["sub/src/a", "/root/a"]);
    }

    #[test]
    fn a_name_may_lead_out_of_the_folder_that_it_is_said_from() {
        let check = |name: &str, folders: &[&str], expected: &str, left: &[&str]| {
            let claim = folders
                .iter()
                .fold(PathClaim::plain(name), |claim, folder| {
                    claim.from_folder(folder)
                });
            assert_eq!(claim.readings().collect::<Vec<_>>(), [expected]);
            assert_eq!(claim.left_folders(), left, "{name} {folders:?}");
        };
        check("a", &["sub"], "sub/a", &[]);
        check("../a", &["sub"], "a", &["sub"]);
        check("../a", &["sub/"], "a", &["sub/"]);
        check("..//../a", &["sub/deep"], "a", &["sub/deep", "sub"]);
        check("../../a", &["sub"], "../a", &["sub"]);
        check("../../a", &["deep", "sub"], "a", &["sub/deep", "sub"]);
        check("a", &["../other", "sub"], "other/a", &["sub"]);
        check("../a", &[".."], "../../a", &[]);
        check("b/../a", &["sub"], "sub/b/../a", &[]);
        check("../a", &["/root/sub"], "/root/a", &["/root/sub"]);
        check("../a", &["/root"], "/root/../a", &[]);
        check("/root/a", &["sub"], "/root/a", &[]);
    }

    #[test]
    fn a_name_may_lead_to_a_folder_above_a_real_one() {
        let check = |name: &str, folder: &str, expected: &str| {
            let claim = PathClaim::plain(name).in_real_folder(folder);
            assert_eq!(claim.readings().collect::<Vec<_>>(), [expected]);
        };
        check("a", "sub", "sub/a");
        check("../a", "sub", "a");
        check("../a", "sub/deep", "sub/a");
        check("..//../a", "sub/deep", "a");
        check("../../a", "sub", "../a");
        check("b/../../a", "sub", "sub/b/../../a");
        check("/root/a", "sub", "/root/a");
    }

    #[test]
    fn backslashes_may_separate_folders() {
        let check = |name: &str, expected: &[&str]| {
            let claim = PathClaim::written(name);
            assert_eq!(claim.readings().collect::<Vec<_>>(), expected);
            assert_eq!(claim.is_in_doubt(), expected.len() > 1);
        };
        check("src/a", &["src/a"]);
        check("src\\a", &["src\\a", "src/a"]);
    }

    #[test]
    fn readings_are_kept_once() {
        let claim = PathClaim::with_others("src/a", ["a/src/a".to_owned(), "src/a".to_owned()]);
        assert_eq!(claim.readings().collect::<Vec<_>>(), ["src/a", "a/src/a"]);
    }
}
