//! The tree as it was when a run started, where git does not keep it: which files there were, and the contents of those that
//! are small enough.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::base_version::BaseVersion;
use super::stat::Stat;
use super::{Layer, LayerError, LayerRecord};
use crate::store::folder::bounded_read::{
    MOST_BYTES, open_regular, read_regular, read_regular_text,
};
use crate::store::folder::replace_file::replace_file;

/// The largest file whose content is kept.
const MOST_FILE: u64 = 1 << 20;
/// The most bytes that are kept of one tree.
const MOST_TREE: u64 = 256 << 20;

/// The recorded files of a tree.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct BaseFiles {
    files: BTreeMap<PathBuf, Recorded>,
    /// The names that changed between the start of the run and their recording.
    #[serde(default)]
    early: EarlyChanges,
    /// Files whose content was not kept, as they or all of them were too large.
    without_content: usize,
}

/// The names that changed while a tree was being recorded. What they were at the start is not known, as the record may have the
/// one version or the other.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct EarlyChanges {
    files: BTreeSet<PathBuf>,
    /// Every recorded folder, and whether names in it were made or removed.
    folders: BTreeMap<PathBuf, bool>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Recorded {
    changed: (i64, u64),
    executable: bool,
    /// The offset and the length of the content.
    content: Option<(u64, u64)>,
    /// The target, if it is a symbolic link.
    #[serde(default)]
    link: Option<String>,
}

impl EarlyChanges {
    /// Finds the names, of some files that were recorded, that have changed since the start of a run.
    pub(crate) fn of(about: &LayerRecord, recorded: &[PathBuf]) -> Self {
        let mut early = Self::default();
        for path in recorded {
            if about.is_changed(path) {
                early.files.insert(path.clone());
            }
            for folder in path.ancestors().skip(1) {
                if early.folders.contains_key(folder) {
                    break;
                }
                let is_changed = about.is_changed(folder);
                early.folders.insert(folder.to_owned(), is_changed);
            }
        }
        early
    }

    /// Returns true if the record of a file cannot be relied on; `is_recorded` is whether the record has the file.
    pub(crate) fn concerns(&self, path: &Path, is_recorded: bool) -> bool {
        if is_recorded {
            return self.files.contains(path);
        }
        // It may have been there at the start if anything was removed from the folder.
        let mut above = path.ancestors().skip(1);
        let nearest = above.find_map(|folder| self.folders.get(folder));
        nearest.is_some_and(|is_changed| *is_changed) || self.files.contains(path)
    }
}

impl BaseFiles {
    /// The number of files whose content was not kept.
    pub(crate) fn without_content(&self) -> usize {
        self.without_content
    }

    /// Returns true if a file is recorded.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }
}

/// A record that is being made.
struct Recording<'a> {
    about: &'a LayerRecord,
    folder: PathBuf,
    contents: File,
    /// The length of the contents.
    length: u64,
    record: BaseFiles,
}

impl<'a> Recording<'a> {
    fn new(layer: &Layer, about: &'a LayerRecord) -> io::Result<Self> {
        let folder = layer.base_folder();
        Ok(Self {
            about,
            contents: File::create(folder.join("contents"))?,
            folder,
            length: 0,
            record: BaseFiles::default(),
        })
    }

    /// Records a file or a link. Anything else is left out.
    fn add(&mut self, path: PathBuf, kind: FileType) {
        let full = self.about.root.join(&path);
        if kind.is_file() {
            let recorded = record_one(&full, &mut self.contents, &mut self.length);
            let recorded = recorded.or_else(|_| Recorded::without_content(&full));
            let Ok(recorded) = recorded else {
                self.record.early.files.insert(path);
                return;
            };
            self.record.without_content += usize::from(recorded.content.is_none());
            self.record.files.insert(path, recorded);
        } else if kind.is_symlink()
            && let Ok(recorded) = Recorded::link(&full)
        {
            self.record.files.insert(path, recorded);
        }
    }

    /// Writes the record to a file.
    fn finish(mut self, name: &str) -> io::Result<BaseFiles> {
        self.contents.flush()?;
        let index = serde_json::to_vec(&self.record)?;
        replace_file(&self.folder.join(name), &index)?;
        Ok(self.record)
    }
}

impl Layer {
    /// Records the files of the root. Folders of git are left out, and so is what cannot be read.
    pub(crate) fn record_files(&self, about: &LayerRecord) -> io::Result<BaseFiles> {
        let mut recording = Recording::new(self, about)?;
        let mut folders = vec![PathBuf::new()];
        while let Some(at) = folders.pop() {
            let Ok(listed) = fs::read_dir(about.root.join(&at)) else {
                continue;
            };
            for entry in listed.flatten() {
                let path = at.join(entry.file_name());
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                // Names that are no text are never reviewed.
                if path.to_str().is_none() {
                    continue;
                }
                if !kind.is_dir() {
                    recording.add(path, kind);
                } else if entry.file_name() != ".git" {
                    folders.push(path);
                }
            }
            // Asked last: what is missing from the list is older than the run, unless the folder has changed.
            let is_changed = about.is_changed(&at);
            recording.record.early.folders.insert(at, is_changed);
        }
        recording.finish("files.json")
    }

    /// Records the files that the tree of git lacks.
    pub(crate) fn record_others(
        &self,
        about: &LayerRecord,
        others: &[PathBuf],
    ) -> io::Result<BaseFiles> {
        let mut recording = Recording::new(self, about)?;
        for path in others {
            // One that was removed since it was listed is not known; its folder has changed.
            if let Ok(meta) = fs::symlink_metadata(about.root.join(path)) {
                recording.add(path.clone(), meta.file_type());
            }
        }
        recording.finish("others.json")
    }

    /// Forgets what an earlier run in this layer began with.
    pub(crate) fn forget_base(&self) -> Result<(), LayerError> {
        ["tree", "files.json"].iter().try_for_each(|name| {
            self.attempt(
                &self.base_folder().join(name),
                |path| match fs::remove_file(path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                    Ok(()) | Err(_) => Ok(()),
                },
            )
        })
    }

    /// Reads the record of the files; `None` if it was not finished.
    pub(crate) fn recorded_files(&self) -> Option<BaseFiles> {
        self.recorded("files.json")
    }

    /// Reads the record of the files that the tree of git lacks; `None` if there is none.
    pub(crate) fn recorded_others(&self) -> Option<BaseFiles> {
        self.recorded("others.json")
    }

    fn recorded(&self, name: &str) -> Option<BaseFiles> {
        let bytes = read_regular(&self.base_folder().join(name), MOST_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Looks a file up in the record.
    pub(crate) fn base_of(
        &self,
        about: &LayerRecord,
        record: &BaseFiles,
        path: &Path,
    ) -> io::Result<BaseVersion> {
        let now = stat(&about.root.join(path))?;
        let Some(recorded) = record.files.get(path) else {
            return Ok(if record.early.concerns(path, false) {
                BaseVersion::Unknown
            } else {
                BaseVersion::Absent
            });
        };
        // It changed between the start and its recording: what the command saw is not known, also if it has not changed again.
        if recorded.changed >= about.clock {
            return Ok(BaseVersion::Unknown);
        }
        if now.is_some_and(|now| now.changed == recorded.changed) {
            return Ok(BaseVersion::Unchanged);
        }
        if let Some(target) = &recorded.link {
            return Ok(BaseVersion::Link(target.clone()));
        }
        let Some((offset, length)) = recorded.content else {
            return Ok(BaseVersion::Unknown);
        };
        let mut contents = open_regular(&self.base_folder().join("contents"))?;
        contents.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        contents.take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Ok(BaseVersion::Unknown);
        }
        Ok(BaseVersion::Content {
            bytes,
            executable: recorded.executable,
        })
    }

    /// Records the name of the tree of git that holds the files as they were, and what it does not know of them.
    pub(crate) fn record_tree(&self, tree: &str, early: &EarlyChanges) -> io::Result<()> {
        fs::write(
            self.base_folder().join("early.json"),
            serde_json::to_vec(early)?,
        )?;
        replace_file(&self.base_folder().join("tree"), tree.as_bytes())
    }

    /// Reads the name of that tree, and what it does not know; `None` if it was never complete.
    pub(crate) fn recorded_tree(&self) -> Option<(String, EarlyChanges)> {
        let tree = read_regular_text(&self.base_folder().join("tree"), MOST_BYTES).ok()?;
        let early = read_regular(&self.base_folder().join("early.json"), MOST_BYTES).ok()?;
        Some((tree, serde_json::from_slice(&early).ok()?))
    }
}

impl LayerRecord {
    /// Returns true if a name of the root has changed since the run started, or cannot be asked about any more.
    fn is_changed(&self, path: &Path) -> bool {
        let now = Stat::of(&self.root.join(path)).ok();
        now.is_none_or(|now| now.changed >= self.clock)
    }

    /// The change time of a file of the root; `None` if there is no file.
    pub(crate) fn changed_at(&self, path: &Path) -> io::Result<Option<(i64, u64)>> {
        Ok(stat(&self.root.join(path))?.map(|stat| stat.changed))
    }

    /// Returns true if the root had nothing of a name when the run started, as it has nothing now and the folder where it would be has
    /// not changed.
    pub(crate) fn was_absent(&self, path: &Path) -> io::Result<bool> {
        if stat(&self.root.join(path))?.is_some() {
            return Ok(false);
        }
        for folder in path.ancestors().skip(1) {
            if let Some(now) = stat(&self.root.join(folder))? {
                let is_as_it_was = now.is_folder && now.changed < self.clock;
                return Ok(is_as_it_was && self.is_untouched(folder)?);
            }
        }
        Ok(false)
    }

    /// Returns true if a file of the root, and every folder above it, is as it was when the run started.
    pub(crate) fn is_untouched(&self, path: &Path) -> io::Result<bool> {
        for part in path.ancestors() {
            let Some(now) = stat(&self.root.join(part))? else {
                return Ok(false);
            };
            if now.changed >= self.clock && (!now.is_folder || !part.as_os_str().is_empty()) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn stat(path: &Path) -> io::Result<Option<Stat>> {
    match Stat::of(path) {
        Ok(stat) => Ok(Some(stat)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn record_one(path: &Path, contents: &mut File, length: &mut u64) -> io::Result<Recorded> {
    let mut file = File::open(path)?;
    let meta = file.metadata()?;
    let mut recorded = Recorded::of(&meta);
    if meta.len() <= MOST_FILE && *length + meta.len() <= MOST_TREE {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        contents.write_all(&bytes)?;
        recorded.content = Some((*length, bytes.len() as u64));
        *length += bytes.len() as u64;
        // A change while it was being read counts as one before.
        recorded.changed = Stat::from(&file.metadata()?).changed;
    }
    Ok(recorded)
}

impl Recorded {
    fn of(meta: &Metadata) -> Self {
        Self {
            changed: Stat::from(meta).changed,
            executable: meta.permissions().mode() & 0o100 != 0,
            content: None,
            link: None,
        }
    }

    /// Records a file that cannot be read.
    fn without_content(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&fs::symlink_metadata(path)?))
    }

    fn link(path: &Path) -> io::Result<Self> {
        let target = fs::read_link(path)?;
        Ok(Self {
            link: target.into_os_string().into_string().ok(),
            // It may have been replaced since.
            ..Self::of(&fs::symlink_metadata(path)?)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::BaseVersion;
    use crate::store::{LayerKind, Root};

    #[test]
    fn what_changed_before_it_was_recorded_is_not_known() {
        let folder = tempfile::tempdir().unwrap();
        let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
        fs::create_dir_all(tree.join("quiet")).unwrap();
        for name in ["kept", "saved", "removed", "quiet/kept"] {
            fs::write(tree.join(name), "old\n").unwrap();
        }
        symlink("kept", tree.join("quiet/link")).unwrap();
        let root = Root::open(&tree).unwrap().keeping_state_in(state);
        let layer = root.create_layer(&[], LayerKind::Overlay).unwrap();
        let about = layer.about().unwrap();
        fs::write(tree.join("saved"), "person\n").unwrap();
        fs::remove_file(tree.join("removed")).unwrap();
        let record = layer.record_files(&about).unwrap();
        let base = |name: &str| layer.base_of(&about, &record, Path::new(name)).unwrap();
        assert_eq!(base("kept"), BaseVersion::Unchanged);
        assert_eq!(base("saved"), BaseVersion::Unknown);
        assert_eq!(base("removed"), BaseVersion::Unknown);
        assert_eq!(base("quiet/never"), BaseVersion::Absent);
        fs::write(tree.join("saved"), "person again\n").unwrap();
        assert_eq!(base("saved"), BaseVersion::Unknown);
        fs::write(tree.join("kept"), "later\n").unwrap();
        let old = BaseVersion::Content {
            bytes: b"old\n".to_vec(),
            executable: false,
        };
        assert_eq!(base("kept"), old);
        fs::remove_file(tree.join("quiet/link")).unwrap();
        assert_eq!(base("quiet/link"), BaseVersion::Link("kept".to_owned()));
    }
}
