//! A value that changes whenever a layer does, for a reviewer that shows it while its command runs.

use std::io;

use super::entries::EntryKind;
use super::stat::Stat;
use super::{Layer, LayerRecord};
use crate::store::folder::snapshot::ContentHash;

impl Layer {
    /// Returns a hash of the names that the layer changes and of when they were changed. Ignored files do not count.
    pub(crate) fn stamp(&self, about: &LayerRecord) -> io::Result<ContentHash> {
        let content = self.content(about);
        let mut bytes = Vec::new();
        for entry in self.changes(about)?.entries {
            let stat = Stat::of(&content.join(&entry.path)).ok();
            let (seconds, nanoseconds) = stat.map_or((0, 0), |stat| stat.changed);
            bytes.extend(entry.path.as_os_str().as_encoded_bytes());
            bytes.push(0);
            bytes.push(u8::from(entry.kind == EntryKind::Removed));
            bytes.extend(seconds.to_le_bytes());
            bytes.extend(nanoseconds.to_le_bytes());
        }
        Ok(ContentHash::of(&bytes))
    }
}
