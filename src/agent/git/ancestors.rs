//! The versions that edits were made from, as the repository around the root has them.
//!
//! One `git cat-file --batch` answers for all of them; it is started when the first is asked for. All that it gets of an
//! edit's text is a name in hexadecimal digits, and its answer counts only if it is a blob of that name; or the name of a file
//! under the root. It runs nothing that the repository configures, fetches nothing, and is ended when it takes too long.

use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::file_log::file_log;
use super::query::{ELSEWHERE, read_some};
use crate::proposal::{Blobs, Version, VersionName};
use crate::text::Document;

/// The longest time for one answer of git.
const PATIENCE: Duration = Duration::from_secs(2);
/// Larger versions are not text that anyone edits.
const LARGEST: usize = 64 << 20;
/// An answer's first line: a name, a type, a size.
const LONGEST_HEAD: usize = 200;

/// The versions that the repository around a root has.
#[derive(Debug)]
pub struct Ancestors {
    root: PathBuf,
    git: Mutex<Git>,
}

#[derive(Debug)]
enum Git {
    NotAsked,
    Answers(BlobReader),
    /// There is no git, or no repository, or it took too long.
    Silent,
}

impl Ancestors {
    /// Of the repository around a folder, if there is one.
    pub fn of(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            git: Mutex::new(Git::NotAsked),
        }
    }

    /// The version before; `None` if the repository has none, or there is no repository.
    pub fn version(&self, blobs: &Blobs) -> Option<Version> {
        let name = blobs.before.as_str();
        let is_name = name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name || name.bytes().all(|byte| byte == b'0') {
            return None;
        }
        let blob = self.ask(name)?;
        // A branch may be named like a blob.
        let blob = blob.full.starts_with(name).then_some(blob.content)?;
        Some(Version {
            text: Document::decode(blob).ok()?,
            name: Arc::new(VersionName::Blob {
                id: name.to_owned(),
            }),
        })
    }

    /// The versions of a file, by its name relative to the folder: what the index holds, then what the latest commits left. Each
    /// is read when it is asked for.
    pub fn versions<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Version> + 'a {
        let index = iter::once_with(|| self.index(path)).flatten();
        let log = iter::once_with(|| file_log(&self.root, path)).flatten();
        let committed = log.enumerate().filter_map(|(later, commit)| {
            Some(Version {
                text: Document::decode(self.ask(&commit.blob)?.content).ok()?,
                name: Arc::new(VersionName::Commit {
                    id: commit.id,
                    later,
                }),
            })
        });
        index.chain(committed)
    }

    fn index(&self, path: &str) -> Option<Version> {
        // A question is a line, whichever way it ends.
        if path.contains(['\n', '\r']) {
            return None;
        }
        let blob = self.ask(&format!(":./{path}"))?;
        Some(Version {
            text: Document::decode(blob.content).ok()?,
            name: Arc::new(VersionName::Index),
        })
    }

    /// Returns the blob that the repository has under a name.
    fn ask(&self, name: &str) -> Option<StoredBlob> {
        let mut git = self.git.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*git, Git::NotAsked) {
            *git = BlobReader::start(&self.root).map_or(Git::Silent, Git::Answers);
        }
        let Git::Answers(reader) = &mut *git else {
            return None;
        };
        let answer = reader.ask(name);
        if answer.is_err() {
            *git = Git::Silent;
        }
        answer.ok()?
    }
}

/// A content that git has.
#[derive(Debug)]
struct StoredBlob {
    /// Its name in hexadecimal digits.
    full: String,
    content: Vec<u8>,
}

/// A git that answers.
#[derive(Debug)]
struct BlobReader {
    git: Child,
    asked: ChildStdin,
    answers: ChildStdout,
    /// Bytes of the output that are not used yet.
    read: Vec<u8>,
}

impl BlobReader {
    fn start(root: &Path) -> Option<Self> {
        let mut git = Command::new("git");
        for name in ELSEWHERE {
            git.env_remove(name);
        }
        git.env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .args(["-c", "protocol.allow=never"])
            .args(["-c", "core.disambiguate=blob"])
            .args(["--no-replace-objects", "cat-file", "--batch"])
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut git = git.spawn().ok()?;
        let (asked, answers) = (git.stdin.take()?, git.stdout.take()?);
        Some(Self {
            git,
            asked,
            answers,
            read: Vec::new(),
        })
    }

    /// The blob of a name; `None` if there is none, or more than one.
    fn ask(&mut self, name: &str) -> io::Result<Option<StoredBlob>> {
        let until = Instant::now() + PATIENCE;
        self.asked.write_all(format!("{name}\n").as_bytes())?;
        let head = loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                break String::from_utf8_lossy(&line).trim_end().to_owned();
            }
            if self.read.len() > LONGEST_HEAD {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.more(until)?;
        };
        let words: Vec<&str> = head.split(' ').collect();
        let [full, kind, size] = words[..] else {
            // `NAME missing`, `NAME ambiguous`
            return Ok(None);
        };
        let size: usize = size.parse().map_err(io::Error::other)?;
        if size > LARGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        while self.read.len() <= size {
            self.more(until)?;
        }
        let mut content: Vec<u8> = self.read.drain(..=size).collect();
        content.pop();
        let full = full.to_owned();
        Ok((kind == "blob").then_some(StoredBlob { full, content }))
    }

    /// Reads what there is, and waits for it if there is nothing yet.
    fn more(&mut self, until: Instant) -> io::Result<()> {
        match read_some(&mut self.answers, &mut self.read, until)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl Drop for BlobReader {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _: io::Result<()> = self.git.kill();
        let _: io::Result<std::process::ExitStatus> = self.git.wait();
    }
}
