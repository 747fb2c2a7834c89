//! All that is needed to enter a layer.

use std::path::PathBuf;

/// The variable that names the layer to programs inside it.
pub(crate) const LAYER_VARIABLE: &str = "COUNTERSIGN_LAYER";

/// Variables that keep agents from working in a process which was started outside of the layer. Cline CLI leaves a daemon running
/// from its first start on, and carries out the tools of later sessions there.
pub(super) const OWN_PROCESS: [(&str, &str); 1] = [("CLINE_SESSION_BACKEND_MODE", "local")];

/// Everything that is needed to enter a layer.
#[derive(Debug, Clone)]
pub(crate) struct LayerSetup {
    /// The layer's name.
    pub(crate) id: String,
    /// The folder that is covered by the overlay, without links.
    pub(crate) root: PathBuf,
    /// The layer's folder, with `upper`, `work` and `inside` in it.
    pub(crate) layer: PathBuf,
    /// The folder with the state of all roots, which is hidden from the command.
    pub(crate) state: PathBuf,
    /// The working folder.
    pub(crate) folder: PathBuf,
    /// Other folders that are covered as well: git's own, where it lies outside the root.
    pub(crate) also: Vec<PathBuf>,
    /// Folders below the root that are written directly.
    pub(crate) through: Vec<PathBuf>,
    /// The folders that stay writable; `None` if the rest of the file system is not made read-only.
    pub(crate) confine: Option<Confine>,
}

/// Exceptions from a read-only file system.
#[derive(Debug, Clone, Default)]
pub(crate) struct Confine {
    /// Folders that stay writable.
    pub(crate) write: Vec<PathBuf>,
}
