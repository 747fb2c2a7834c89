//! Contents of files as agents read them: the versions that their edits are written against.
//!
//! Each is a file of its own: a line of JSON about the reader, then the content. Those of all roots are kept together, because an
//! agent may read a file before anybody reviews there. A new one is written beside its name and renamed to it, so an interruption
//! leaves a whole file or none under the name. Protected files, which may hold secrets, are left out.

use std::fs::{self, DirBuilder, DirEntry, File};
use std::io::{self, BufRead, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::proposal::RepoPath;
use crate::store::folder::bounded_read::read_regular;
use crate::store::folder::snapshot::ContentHash;
use crate::store::state::state_folder::StateError;
use crate::store::tree::root::Root;

/// Longest time for which a content is kept.
const MOST_AGE: Duration = Duration::from_hours(7 * 24);
/// Most contents that are kept.
const MOST_READS: usize = 512;
/// Most bytes of all contents that are kept.
const MOST_BYTES: u64 = 32 << 20;
/// Larger files are not kept.
const LARGEST: u64 = 2 << 20;
/// Number of versions of one file that are used.
const MOST_VERSIONS: usize = 8;

/// Content of a file as an agent read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRead {
    /// The agent, and the time.
    pub reader: ReadingAgent,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// Agent that reads a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingAgent {
    /// The name of the agent.
    pub agent: String,
    /// The agent's session, where it has such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The time of the read.
    pub time: SystemTime,
}

impl Root {
    /// Keeps the content of a file that an agent has read, as the file is now. Forgets contents that are too old or too many.
    ///
    /// # Errors
    ///
    /// [`StateError`] if it cannot be kept.
    pub fn keep_agent_read(
        &self,
        path: &RepoPath,
        reader: &ReadingAgent,
    ) -> Result<(), StateError> {
        match read_regular(&self.path().join(path.as_path()), LARGEST) {
            Ok(bytes) => self.keep_seen(path, reader, &bytes),
            // No such file, or none that is edited as text.
            Err(_) => Ok(()),
        }
    }

    /// Keeps a content of a file that an agent has seen. Binary, large and protected files are left out.
    ///
    /// # Errors
    ///
    /// [`StateError`] if it cannot be kept.
    pub fn keep_seen(
        &self,
        path: &RepoPath,
        reader: &ReadingAgent,
        bytes: &[u8],
    ) -> Result<(), StateError> {
        if bytes.len() as u64 > LARGEST || bytes.contains(&0) || self.protection(path).is_some() {
            return Ok(());
        }
        let folder = self.agent_reads_folder().ok_or(StateError::NoHome)?;
        let name = [
            prefix(&self.path().join(path.as_path())),
            short(reader.session.as_deref().unwrap_or_default().as_bytes()),
            short(bytes),
        ];
        keep(&folder, &name.join("-"), reader, bytes).map_err(StateError::unusable(&folder))
    }

    /// Returns the contents of a file that agents have read, the latest first.
    pub fn agent_reads(&self, path: &str) -> Vec<AgentRead> {
        let Some(folder) = self.agent_reads_folder() else {
            return Vec::new();
        };
        let prefix = prefix(&self.path().join(path)) + "-";
        let mut found = entries(&folder);
        found.retain(|entry| entry.name.starts_with(&prefix));
        let reads = found.iter().take(MOST_VERSIONS);
        let mut reads: Vec<AgentRead> = reads.filter_map(|entry| read(&entry.path)).collect();
        reads.sort_by_key(|read| std::cmp::Reverse(read.reader.time));
        reads
    }

    fn agent_reads_folder(&self) -> Option<PathBuf> {
        Some(self.state_folder()?.join("reads"))
    }
}

/// The first part of the names of all contents of a file.
fn prefix(file: &Path) -> String {
    short(file.as_os_str().as_encoded_bytes())
}

fn short(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()[..16].to_owned()
}

fn keep(folder: &Path, name: &str, reader: &ReadingAgent, bytes: &[u8]) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let part = folder.join(format!(".{name}.{}", std::process::id()));
    let mut head = serde_json::to_vec(reader)?;
    head.push(b'\n');
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut file = options.open(&part)?;
    file.write_all(&head)?;
    file.write_all(bytes)?;
    fs::rename(part, folder.join(name))?;
    forget(folder);
    Ok(())
}

fn read(path: &Path) -> Option<AgentRead> {
    let bytes = read_regular(path, LARGEST * 2).ok()?;
    let mut content = bytes.as_slice();
    let mut head = Vec::new();
    content.read_until(b'\n', &mut head).ok()?;
    Some(AgentRead {
        reader: serde_json::from_slice(&head).ok()?,
        bytes: content.to_owned(),
    })
}

/// A content that is kept.
struct KeptContent {
    name: String,
    path: PathBuf,
    time: SystemTime,
    size: u64,
}

/// Returns what is in the folder, the latest first.
fn entries(folder: &Path) -> Vec<KeptContent> {
    let listed = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<KeptContent> = listed.filter_map(|entry| KeptContent::of(&entry)).collect();
    found.sort_by_key(|kept| std::cmp::Reverse(kept.time));
    found
}

/// Removes what is too old or too much. What cannot be removed now is removed some other time.
fn forget(folder: &Path) {
    let oldest = SystemTime::now().checked_sub(MOST_AGE);
    let mut bytes = 0;
    for (n, kept) in entries(folder).iter().enumerate() {
        bytes += kept.size;
        let is_old = oldest.is_some_and(|oldest| kept.time < oldest);
        if n > 0 && (n >= MOST_READS || bytes > MOST_BYTES || is_old) {
            let _ = fs::remove_file(&kept.path);
        }
    }
}

impl KeptContent {
    /// Describes a file of a folder.
    fn of(entry: &DirEntry) -> Option<Self> {
        let meta = entry.metadata().ok()?;
        Some(Self {
            name: entry.file_name().into_string().ok()?,
            path: entry.path(),
            time: meta.modified().ok()?,
            size: meta.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scene {
        place: tempfile::TempDir,
        root: Root,
    }

    impl Scene {
        fn new() -> Self {
            let place = tempfile::tempdir().unwrap();
            fs::create_dir(place.path().join("root")).unwrap();
            let root = Root::open(&place.path().join("root")).unwrap();
            let root = root.keeping_state_in(place.path().join("state"));
            Self { place, root }
        }

        fn reads(&self, name: &str, text: &str, session: &str, age: u64) {
            fs::write(self.place.path().join("root").join(name), text).unwrap();
            let reader = ReadingAgent {
                agent: "claude".to_owned(),
                session: Some(session.to_owned()),
                time: SystemTime::now() - Duration::from_secs(age),
            };
            let path = RepoPath::parse(name).unwrap();
            self.root.keep_agent_read(&path, &reader).unwrap();
        }

        fn known(&self, name: &str) -> String {
            let shown = |read: &AgentRead| {
                let session = read.reader.session.clone().unwrap_or_default();
                format!("{session}:{}", String::from_utf8_lossy(&read.bytes))
            };
            let reads = self.root.agent_reads(name);
            reads.iter().map(shown).collect::<Vec<_>>().join(" ")
        }

        fn folder(&self) -> PathBuf {
            self.root.agent_reads_folder().unwrap()
        }
    }

    #[test]
    fn a_content_is_kept_for_each_session_and_the_latest_read_comes_first() {
        let scene = Scene::new();
        scene.reads("a", "1\n", "s", 30);
        scene.reads("a", "2\n", "s", 20);
        scene.reads("b", "other\n", "s", 0);
        scene.reads("a", "2\n", "t", 10);
        assert_eq!(scene.known("a"), "t:2\n s:2\n s:1\n");
        scene.reads("a", "1\n", "s", 0);
        assert_eq!(scene.known("a"), "s:1\n t:2\n s:2\n");
        assert_eq!(scene.known("c"), "");
    }

    #[test]
    fn what_is_not_edited_as_text_and_what_may_be_secret_is_not_kept() {
        let scene = Scene::new();
        scene.reads("binary", "a\0b", "s", 0);
        scene.reads(".env", "KEY=1\n", "s", 0);
        scene.reads("large", &"a".repeat(3 << 20), "s", 0);
        let known = ["binary", ".env", "large"].map(|name| scene.known(name));
        assert_eq!(known, ["", "", ""]);
        scene.reads("just", &"a".repeat(2 << 20), "s", 0);
        assert_eq!(scene.root.agent_reads("just").len(), 1);
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten_and_what_is_broken_is_passed_over() {
        let scene = Scene::new();
        scene.reads("old", "1\n", "s", 0);
        let old = entries(&scene.folder()).remove(0);
        let long_ago = SystemTime::now() - MOST_AGE - Duration::from_secs(1);
        File::open(&old.path)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
        scene.reads("a", "1\n", "s", 0);
        assert_eq!(scene.known("old"), "");
        for n in 0..20 {
            scene.reads("a", &format!("{n:02}{}", "x".repeat(2_000_000)), "s", 0);
        }
        let size = entries(&scene.folder()).into_iter().map(|kept| kept.size);
        assert!(size.sum::<u64>() <= MOST_BYTES);
        scene.reads("b", "1\n", "s", 0);
        fs::write(scene.folder().join(".part.1"), "{").unwrap();
        for kept in entries(&scene.folder()) {
            fs::write(kept.path, "{\"agent\":").unwrap();
        }
        assert_eq!(scene.known("b"), "");
    }
}
