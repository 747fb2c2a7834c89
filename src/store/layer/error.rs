//! Reasons why a layer cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::store::state::state_folder::StateError;

/// Why a layer cannot be used.
#[derive(Debug, Error)]
pub(crate) enum LayerError {
    /// There is no such layer.
    #[error("no layer `{id}` in `{}`", root.display())]
    Unknown {
        /// The name.
        id: String,
        /// The root that was searched.
        root: PathBuf,
    },
    /// The root has no layer at all.
    #[error("no layer in `{}`", root.display())]
    None {
        /// The root that was searched.
        root: PathBuf,
    },
    /// The layer is in use.
    #[error("layer `{id}` is in use: its command is running, or its review is open")]
    InUse {
        /// The layer.
        id: String,
    },
    /// The folder for state is inside the root, so it cannot hold a layer of the root.
    #[error("the state folder `{}` is inside the root", state.display())]
    StateInRoot {
        /// The state folder.
        state: PathBuf,
    },
    /// A file of the layer cannot be read or written.
    #[error("layer `{id}`: `{}`: {source}", path.display())]
    Unusable {
        /// The layer.
        id: String,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// There is no folder for state.
    #[error(transparent)]
    State(#[from] StateError),
}

impl LayerError {
    /// Returns advice on how to solve it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "`countersign runs` lists the layers of a root",
            Self::None { .. } => "`countersign run -- COMMAND` makes one",
            Self::InUse { .. } => {
                "wait until it has ended; `countersign run --drop ID` stops its processes"
            }
            Self::StateInRoot { .. } => "set `XDG_STATE_HOME` to a folder outside the root",
            Self::Unusable { .. } => "check the permissions and the free space there",
            Self::State(error) => error.hint(),
        }
    }
}
