//! The ignore files of the agents, which say what an agent may not touch.
//!
//! All are written as `.gitignore` is, and like it they hold for their own folder and below, where a deeper file may take
//! back what a higher one says. Each kind is judged by itself: a file is ignored if any kind ignores it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::io::Errno;

use super::folder::{Folder, Folders, Found, is_missing};
use super::guard::Forbidden;
use super::links::settle;
use super::root::Root;
use crate::proposal::RepoPath;
use crate::text::LineNo;

/// The names of the ignore files.
pub const NAMES: [&str; 6] = [
    ".rooignore",
    ".clineignore",
    ".aiderignore",
    ".cursorignore",
    ".geminiignore",
    ".countersignignore",
];

/// The ignore files that were read, folder by folder. Each is read once.
#[derive(Debug, Default)]
pub(super) struct IgnoreFiles {
    read: Mutex<HashMap<PathBuf, Arc<Vec<IgnoreFile>>>>,
    /// The names of ignore files beside [`NAMES`].
    more: Vec<String>,
}

#[derive(Debug)]
struct IgnoreFile {
    name: String,
    path: RepoPath,
    rules: Gitignore,
    text: String,
}

impl IgnoreFiles {
    /// Obeys files of these names too.
    pub(super) fn obeying(names: Vec<String>) -> Self {
        Self {
            read: Mutex::default(),
            more: names,
        }
    }

    /// The same names, of which none has been read yet.
    pub(super) fn unread(&self) -> Self {
        Self::obeying(self.more.clone())
    }

    /// Refuses a path that any ignore file matches, or whose folder any does: what is in an ignored folder cannot be
    /// taken back.
    pub(super) fn check(&self, root: &Root, path: &RepoPath) -> Result<(), Forbidden> {
        let mut parts: Vec<&Path> = path.as_path().ancestors().collect();
        parts.pop();
        for part in parts.into_iter().rev() {
            self.check_part(root, path, part)?;
        }
        Ok(())
    }

    /// Refuses a path if an ignore file matches `part`, which is the path itself or a folder on its way.
    fn check_part(&self, root: &Root, path: &RepoPath, part: &Path) -> Result<(), Forbidden> {
        let is_folder = part != path.as_path();
        // The deepest file of a kind that has something to say decides for its kind.
        let mut decided: Vec<String> = Vec::new();
        for folder in part.ancestors().skip(1) {
            let inside = part.strip_prefix(folder).unwrap_or(part);
            for file in self.of_folder(root, path, folder)?.iter() {
                if decided.contains(&file.name) {
                    continue;
                }
                match file.rules.matched(inside, is_folder) {
                    Match::None => (),
                    Match::Whitelist(_) => decided.push(file.name.clone()),
                    Match::Ignore(glob) => {
                        return Err(Forbidden::Ignored {
                            path: path.clone(),
                            file: file.path.clone(),
                            line: file.line_of(glob.original()),
                            pattern: glob.original().to_owned(),
                        });
                    }
                }
            }
        }
        Ok(())
    }

    fn of_folder(
        &self,
        root: &Root,
        path: &RepoPath,
        folder: &Path,
    ) -> Result<Arc<Vec<IgnoreFile>>, Forbidden> {
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = known.get(folder) {
            return Ok(Arc::clone(files));
        }
        let files = Arc::new(self.read_folder(root, path, folder)?);
        known.insert(folder.to_owned(), Arc::clone(&files));
        Ok(files)
    }

    /// Reads the ignore files of one folder on the way to `path`. One that may be there but cannot be read is an error: it
    /// might forbid anything.
    fn read_folder(
        &self,
        root: &Root,
        path: &RepoPath,
        folder: &Path,
    ) -> Result<Vec<IgnoreFile>, Forbidden> {
        let mut files = Vec::new();
        let open = match Folder::open(root.dir(), folder) {
            Ok(open) => open,
            // A folder that is not there or is a link holds no rules of its own: the link's target is checked as well.
            Err(error)
                if is_missing(&error) || Errno::from_io_error(&error) == Some(Errno::LOOP) =>
            {
                return Ok(files);
            }
            Err(source) => {
                return Err(Forbidden::Unreadable {
                    path: path.clone(),
                    source,
                });
            }
        };
        for name in NAMES
            .into_iter()
            .chain(self.more.iter().map(String::as_str))
        {
            let Ok(path) = RepoPath::parse(&folder.join(name).to_string_lossy()) else {
                continue;
            };
            let unreadable = |source| Forbidden::IgnoreFile {
                file: path.clone(),
                source,
            };
            let bytes = match open.look(Path::new(name)).map_err(unreadable)? {
                Found::Nothing | Found::Folder => continue,
                Found::File(mut file) => file.read().map_err(unreadable)?,
                Found::Link => read_link(root, &path)?,
                Found::Special => return Err(unreadable(io::ErrorKind::InvalidInput.into())),
            };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let mut builder = GitignoreBuilder::new("");
            for line in text.lines() {
                // A line that is no pattern is passed over, as git does.
                let _: Result<_, ignore::Error> = builder.add_line(None, line);
            }
            let rules = builder
                .build()
                .map_err(|error| unreadable(io::Error::other(error)))?;
            files.push(IgnoreFile {
                name: name.to_owned(),
                path,
                rules,
                text,
            });
        }
        Ok(files)
    }
}

impl IgnoreFile {
    /// The line of a pattern. Of equal lines the last one counts, as it does in the rules.
    fn line_of(&self, pattern: &str) -> LineNo {
        let lines: Vec<&str> = self.text.lines().collect();
        let idx = lines.iter().rposition(|line| line.trim_end() == pattern);
        LineNo::from_idx(idx.unwrap_or(0))
    }
}

/// Reads an ignore file through a link inside the root.
fn read_link(root: &Root, path: &RepoPath) -> Result<Vec<u8>, Forbidden> {
    let target = settle(root, &mut Folders::new(root.dir()), path)?;
    root.dir()
        .read(target.as_path())
        .map_err(|source| Forbidden::IgnoreFile {
            file: path.clone(),
            source,
        })
}
