//! Reasons why a file is protected.

/// Reason why a file is protected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Protected {
    /// The file limits which files an agent may touch.
    IgnoreFile,
    /// The file configures countersign.
    Settings,
    /// Git runs or fetches something because of the file.
    Git,
    /// An editor, a shell or a language runs something because of the file.
    Environment,
    /// The file holds keys, or decides who may log in.
    Keys,
    /// A package manager reads the file for what it fetches and runs.
    Packages,
    /// The file instructs or configures agents.
    Agent,
    /// The file decides what runs when the work is pushed, or who reviews it.
    Workflow,
    /// The name begins with a dot, and is not known to be ordinary.
    Tool,
    /// A pattern of the settings matches.
    Configured,
    /// The file has other names (hard links), which may be outside the root and change with it.
    OtherNames,
    /// A link with a protected name leads to the file, or to a folder above it.
    Linked {
        /// The name of the link, as seen from the top of the repository.
        link: String,
        /// The file or folder that it leads to.
        target: String,
        /// Reason why the name is protected.
        why: Box<Protected>,
    },
    /// The links that may lead to the file cannot be read.
    LinksUnread {
        /// The folder, or the file of git's settings, that cannot be read.
        folder: String,
        /// The system's error.
        error: String,
    },
}
