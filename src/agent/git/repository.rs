//! A repository with a working tree, and the errors of git.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use thiserror::Error;

/// A repository with a working tree.
#[derive(Debug, Clone)]
pub struct Repository {
    /// The folder that git was asked in, to which names on the command line are relative.
    pub(super) folder: PathBuf,
    pub(super) top: PathBuf,
    /// Environment variables that replace the repository's own files.
    pub(super) elsewhere: Vec<(&'static str, PathBuf)>,
}

/// Why git did not answer.
#[derive(Debug, Error)]
pub enum GitError {
    /// There is no git.
    #[error("`git` cannot be run: {source}")]
    Missing {
        /// The cause.
        source: io::Error,
    },
    /// The folder is in no repository, or in one without a working tree.
    #[error("`{}` is not in a git working tree", folder.display())]
    NoTree {
        /// The folder.
        folder: PathBuf,
    },
    /// A name is neither a revision nor a file.
    #[error("`{name}` is neither a revision nor a file")]
    Unknown {
        /// The name.
        name: String,
    },
    /// Git ended with an error.
    #[error("`git {command}`: {said}")]
    Refused {
        /// The git command.
        command: String,
        /// The message of git.
        said: String,
    },
    /// The output of git cannot be parsed.
    #[error("the output of `git {command}` cannot be read")]
    Odd {
        /// The git command.
        command: String,
    },
    /// Another program is at the index.
    #[error("another git process is running here: `{}` exists", lock.display())]
    Locked {
        /// Its lock.
        lock: PathBuf,
    },
    /// The index has changed since it was reviewed.
    #[error("the index has changed since the review")]
    Changed {
        /// The files that are others in it.
        paths: Vec<String>,
    },
    /// The index cannot be written.
    #[error("the index cannot be written: {source}")]
    Index {
        /// The cause.
        source: io::Error,
    },
}

impl GitError {
    /// Returns advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "install git; `countersign diff` compares folders without it",
            Self::NoTree { .. } => "start in a working tree, or name one with `--root`",
            Self::Unknown { .. } => "`git log --oneline` lists revisions; a file goes after `--`",
            Self::Refused { .. } | Self::Odd { .. } => "see what git itself says to it",
            Self::Locked { .. } => "wait for it; if there is none any more, remove that file",
            Self::Changed { .. } => "review it again as it is now",
            Self::Index { .. } => "check the permissions and the room on the disk",
        }
    }
}

impl Repository {
    /// The repository that a folder is in.
    ///
    /// # Errors
    ///
    /// [`GitError`] if there is no git, or no working tree here.
    pub fn find(folder: &Path) -> Result<Self, GitError> {
        let mut found = Self {
            folder: folder.to_owned(),
            top: PathBuf::new(),
            elsewhere: Vec::new(),
        };
        let no_tree = || GitError::NoTree {
            folder: std::path::absolute(folder).unwrap_or(folder.to_owned()),
        };
        let top = match found.ask(&["rev-parse", "--show-toplevel"]) {
            Err(GitError::Refused { .. }) => Err(no_tree()),
            answered => answered,
        }?;
        found.top = String::from_utf8(top)
            .map_err(|_| no_tree())?
            .trim_end_matches('\n')
            .into();
        if found.top.as_os_str().is_empty() {
            return Err(no_tree());
        }
        Ok(found)
    }

    /// The top folder of its working tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The name of the commit that a revision is; `None` if it is none.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot be run.
    pub fn commit(&self, revision: &str) -> Result<Option<String>, GitError> {
        if revision.starts_with('-') {
            return Ok(None);
        }
        let wanted = format!("{revision}^{{commit}}");
        self.ask_name(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &wanted,
        ])
    }

    /// The commit at which two revisions parted; `None` if one of them is none.
    ///
    /// # Errors
    ///
    /// [`GitError`] if git cannot be run.
    pub fn fork(&self, one: &str, other: &str) -> Result<Option<String>, GitError> {
        let (Some(one), Some(other)) = (self.commit(one)?, self.commit(other)?) else {
            return Ok(None);
        };
        self.ask_name(&["merge-base", &one, &other])
    }

    /// The same repository, asked in its top folder.
    pub(super) fn at_top(&self) -> Self {
        Self {
            folder: self.top.clone(),
            ..self.clone()
        }
    }

    /// Runs git and gives the name that it prints; `None` if it refuses.
    pub(super) fn ask_name(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        match self.ask(arguments) {
            Ok(name) => Ok(Some(name_printed(&name))),
            Err(GitError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Runs git and gives what it prints.
    pub(super) fn ask<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, GitError> {
        self.tell(arguments, &[], &[])
    }

    /// The same with an input, and with names in the environment.
    pub(super) fn tell<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &[u8],
        environment: &[(&str, &OsStr)],
    ) -> Result<Vec<u8>, GitError> {
        let mut git = Command::new("git");
        git.arg("-C").arg(&self.folder).arg("--literal-pathspecs");
        // A repository starts no program for being looked at, and files that look like a bare repository are no repository.
        git.args(["-c", "core.fsmonitor=false"]);
        git.args(["-c", "safe.bareRepository=explicit"]);
        git.args(arguments);
        // Looking takes no lock, and what is said is matched against nothing in another language.
        git.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        git.envs((self.elsewhere.iter()).map(|(name, path)| (*name, path)));
        git.envs(environment.iter().copied());
        git.stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let missing = |source| GitError::Missing { source };
        let mut running = git.spawn().map_err(missing)?;
        let stdin = running.stdin.take();
        let output = thread::scope(|scope| {
            // It may print before it has read all.
            scope.spawn(move || {
                // One that wants to hear no more has said why.
                let _ = stdin.map(|mut stdin| stdin.write_all(input));
            });
            running.wait_with_output()
        });
        let output = output.map_err(missing)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words: Vec<_> = arguments
            .iter()
            .map(|word| word.as_ref().display().to_string())
            .collect();
        let said = String::from_utf8_lossy(&output.stderr);
        Err(GitError::Refused {
            command: words.join(" "),
            said: said.lines().next().unwrap_or("it failed").to_owned(),
        })
    }
}

/// The name of a content, a tree or a commit, as git prints it on a line of its own.
pub(super) fn name_printed(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim().to_owned()
}
