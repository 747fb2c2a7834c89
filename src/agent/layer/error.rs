//! Reasons why a layer cannot be entered, with the way round.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a layer cannot be entered.
#[derive(Debug, Error)]
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "only Linux has namespaces and overlays")
)]
pub(crate) enum EnterError {
    /// The system does not let this user make a namespace.
    #[error("the system does not allow user namespaces here: {source}")]
    Namespace {
        /// The system's reason.
        source: io::Error,
    },
    /// The user cannot be mapped into the namespace.
    #[error("the user cannot be mapped into a user namespace: {source}")]
    Map {
        /// The system's reason.
        source: io::Error,
    },
    /// The overlay cannot be mounted.
    #[error("no overlay can be mounted over `{}`: {source}", root.display())]
    Overlay {
        root: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another file system is mounted inside the root.
    #[error("`{}` is mounted inside the root, which an overlay cannot cover", at.display())]
    Mounted {
        /// The mount point.
        at: PathBuf,
    },
    /// A folder cannot be bound, hidden or made read-only.
    #[error("`{}`: {what}: {source}", path.display())]
    Mount {
        /// The folder.
        path: PathBuf,
        /// The operation that failed.
        what: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// The command cannot be started.
    #[error("`{command}` cannot be started: {source}")]
    Command {
        command: String,
        /// The system's reason.
        source: io::Error,
    },
    /// The system has no overlay file system.
    #[error("`countersign run` needs Linux for its overlay")]
    Unsupported,
}

impl EnterError {
    /// Returns advice on how to solve it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Namespace { .. } | Self::Map { .. } => {
                "an administrator can allow them: `sysctl kernel.unprivileged_userns_clone=1` (Debian), \
                `kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu), `user.max_user_namespaces=10000` (RHEL), or in a \
                container a seccomp profile with `unshare`; or use `--copy`, which works on a copy of the tree"
            }
            Self::Overlay { .. } => {
                "the kernel needs `overlay` (5.11 or later), and the state folder a file system that can be its upper layer \
                (ext4, xfs, btrfs, tmpfs; not another overlay, as in most containers): set `XDG_STATE_HOME` to a folder on \
                one, or use `--copy`"
            }
            Self::Mounted { .. } => "unmount it, choose a root without it, or use `--copy`",
            Self::Mount { .. } => "check the folder, or leave the option out that names it",
            Self::Command { .. } => "check the name of the command and its permissions",
            Self::Unsupported => "use `--copy`, which works on a copy of the tree",
        }
    }

    /// The exit code: as shells have it for a command that cannot be started, else that of a failure.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Command { source, .. } if source.kind() == io::ErrorKind::NotFound => 127,
            Self::Command { .. } => 126,
            Self::Namespace { .. }
            | Self::Map { .. }
            | Self::Overlay { .. }
            | Self::Mounted { .. }
            | Self::Mount { .. }
            | Self::Unsupported => 4,
        }
    }
}
