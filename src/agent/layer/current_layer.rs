//! The layer that a path is in, seen from inside: found by the mounts, which a program without privileges cannot make up outside
//! of a namespace of its own.

use std::path::Path;

use super::mounts;

/// Returns the id of the layer whose overlay covers a path without links; `None` if what is written there reaches the disk.
pub(crate) fn covering(path: &Path) -> Option<String> {
    let mounted = mounts::read(Path::new("/proc/self/mountinfo")).ok()?;
    let mount = mounts::holding(&mounted, path)?;
    let id = mount.source.strip_prefix(super::namespace::MOUNT_PREFIX)?;
    (mount.kind == "overlay").then(|| id.to_owned())
}
