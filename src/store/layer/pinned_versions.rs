//! Earlier versions of files that a run in the same layer changed and that are not reviewed yet when the layer is used
//! again.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::base_version::BaseVersion;
use super::{ContentHash, Layer, LayerRecord};
use crate::store::folder::bounded_read::{MOST_BYTES, read_regular};
use crate::store::folder::replace_file::replace_file;

/// The pinned versions of a layer.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub(crate) struct PinnedVersions(BTreeMap<PathBuf, BaseVersion<ContentHash>>);

impl Layer {
    /// Reads the pinned versions.
    pub(crate) fn pins(&self) -> io::Result<PinnedVersions> {
        match read_regular(&self.base_folder().join("pins.json"), MOST_BYTES) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(PinnedVersions::default()),
            Err(error) => Err(error),
        }
    }

    /// Pins these versions and no others.
    pub(crate) fn pin(&self, versions: Vec<(PathBuf, BaseVersion)>) -> io::Result<()> {
        let folder = self.base_folder().join("pins");
        fs::create_dir_all(&folder)?;
        let mut pins = PinnedVersions::default();
        for (path, version) in versions {
            let pin = version.with_bytes(|bytes| {
                let hash = ContentHash::of(&bytes);
                fs::write(folder.join(hash.to_string()), bytes)?;
                Ok(hash)
            })?;
            // The tree may change before the next run.
            let is_kept = pin != BaseVersion::Unchanged;
            pins.0
                .insert(path, if is_kept { pin } else { BaseVersion::Unknown });
        }
        let path = self.base_folder().join("pins.json");
        replace_file(&path, &serde_json::to_vec(&pins)?)
    }

    /// Pins files as they are in the tree now, beside those that are pinned already.
    pub(crate) fn pin_as_now(&self, about: &LayerRecord, paths: &[PathBuf]) -> io::Result<()> {
        let pins = self.pins()?;
        let mut versions = Vec::new();
        for path in pins.0.keys().filter(|path| !paths.contains(path)) {
            versions.extend(
                self.pinned(&pins, path)?
                    .map(|version| (path.clone(), version)),
            );
        }
        for path in paths {
            let full = about.root.join(path);
            let version = match fs::symlink_metadata(&full) {
                Ok(meta) if meta.is_file() => BaseVersion::Content {
                    bytes: read_regular(&full, MOST_BYTES)?,
                    executable: meta.permissions().mode() & 0o100 != 0,
                },
                Ok(meta) if meta.is_dir() => BaseVersion::Folder,
                Ok(meta) if meta.is_symlink() => {
                    let target = fs::read_link(&full)?.into_os_string().into_string();
                    target.map_or(BaseVersion::Unknown, BaseVersion::Link)
                }
                Ok(_) => BaseVersion::Unknown,
                Err(_) => BaseVersion::Absent,
            };
            versions.push((path.clone(), version));
        }
        self.pin(versions)
    }

    /// Returns the pinned version of a file; `None` if it has none.
    pub(crate) fn pinned(
        &self,
        pins: &PinnedVersions,
        path: &Path,
    ) -> io::Result<Option<BaseVersion>> {
        let folder = self.base_folder().join("pins");
        let pin = pins.0.get(path).cloned();
        pin.map(|pin| {
            pin.with_bytes(|hash| read_regular(&folder.join(hash.to_string()), MOST_BYTES))
        })
        .transpose()
    }

    /// Begins another run in the layer: files that have not changed from now on are as they are now.
    pub(crate) fn restart_clock(&self) -> Result<(i64, u64), super::LayerError> {
        self.clock()
    }
}
