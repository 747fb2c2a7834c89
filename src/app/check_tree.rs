//! The tree of a check command: a copy of files with the decided changes laid over it.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::app::index::GitIndex;
use crate::app::write_comparison::{name_on_disk, settled, why};
use crate::proposal::RepoPath;
use crate::review::{
    Bytes, Decision, FileReview, Found, HunkId, Mark, Postimage, ReviewSession, Settled, Stance,
    Target, compose,
};
use crate::store::{Laid, TreeCopy};

/// Files that a check command runs on.
pub(crate) enum CheckTree {
    /// The files below a folder.
    Tree(PathBuf),
    /// The files that the index of a repository holds.
    Index(GitIndex),
    /// Nothing that could be copied, and why.
    None(&'static str),
}

/// Why there is no copy.
pub(crate) enum CopyError {
    Stopped,
    /// It cannot be made.
    Failed(String),
}

impl CheckTree {
    /// A copy of the files as they become by what is decided in a session.
    pub(crate) fn lay_out(
        &self,
        session: &ReviewSession,
        stop: &AtomicBool,
    ) -> Result<TreeCopy, CopyError> {
        match self {
            Self::Tree(root) => {
                // What waits for others, is answered or was taken back is no part of what is decided here.
                let open = session.files.iter().filter(|file| file.is_open());
                let laid: Result<Vec<Laid>, String> =
                    open.filter_map(|file| laid(file).transpose()).collect();
                let copy = TreeCopy::new(root, &laid.map_err(CopyError::Failed)?, stop);
                copy.map_err(|error| {
                    if error.kind() == ErrorKind::Interrupted {
                        return CopyError::Stopped;
                    }
                    CopyError::Failed(format!("the files cannot be copied: {error}"))
                })
            }
            Self::Index(index) => index.lay_out(session).map_err(CopyError::Failed),
            Self::None(why) => Err(CopyError::Failed((*why).to_owned())),
        }
    }
}

/// Returns a file as the decisions make it; `None` if it stays as it is.
pub(crate) fn laid(file: &FileReview) -> Result<Option<Laid>, String> {
    if file.sides.is_some() {
        return of_two_versions(file);
    }
    let own = path(&file.path)?;
    let name = |rename: Option<String>| rename.map_or_else(|| Ok(own.clone()), |to| path(&to));
    let (to, bytes, executable) = match compose(file) {
        Postimage::Unchanged => return Ok(None),
        Postimage::Deleted => (None, None, None),
        Postimage::Kept { rename, executable } => (Some(name(rename)?), None, executable),
        Postimage::Copy { from, executable } => {
            return Ok(Some(Laid {
                from: path(&from)?,
                to: Some(own),
                bytes: None,
                executable,
                stays: true,
            }));
        }
        Postimage::Bytes {
            bytes,
            rename,
            executable,
        } => (Some(name(rename)?), Some(bytes.to_vec()), executable),
        Postimage::Link { .. } | Postimage::Folder => return Err(no_link(file)),
        Postimage::Text {
            text,
            rename,
            executable,
        } => {
            let bytes = (file.base.encode_owned(text))
                .map_err(|error| format!("`{}`: {error}", file.path))?;
            (Some(name(rename)?), Some(bytes), executable)
        }
    };
    Ok(Some(Laid {
        from: own,
        to,
        bytes,
        executable,
        stays: false,
    }))
}

fn no_link(file: &FileReview) -> String {
    format!(
        "`{}` is a symbolic link or an empty folder, which the copy for the check cannot hold",
        file.path
    )
}

/// The same for a file of which both versions are known.
fn of_two_versions(file: &FileReview) -> Result<Option<Laid>, String> {
    let Some(settled) = settled(file).map_err(|unwritten| why(file, unwritten))? else {
        return Ok(None);
    };
    let from = path(name_on_disk(file))?;
    let stance = file.stance();
    Ok(Some(match settled {
        Settled::Folder => {
            let stays =
                (file.sides.as_ref()).is_some_and(|sides| matches!(sides.old, Found::Folder));
            return if stays { Ok(None) } else { Err(no_link(file)) };
        }
        Settled::Link { to } => {
            let stays = (file.sides.as_ref())
                .is_some_and(|sides| matches!(&sides.old, Found::Link(old) if *old == to));
            return if stays { Ok(None) } else { Err(no_link(file)) };
        }
        Settled::Absent => Laid {
            from,
            to: None,
            bytes: None,
            executable: None,
            stays: false,
        },
        Settled::File {
            path: to,
            bytes,
            executable,
        } => {
            let bytes = match (bytes, stance, &file.sides) {
                (Bytes::These(bytes), _, _) => Some(bytes),
                // It has them already.
                (Bytes::New, Stance::Standing, _)
                | (Bytes::Old, Stance::Proposed, _)
                | (Bytes::Old | Bytes::New, _, None) => None,
                (Bytes::Old, _, Some(sides)) => Some(bytes_of(&sides.old, file)?),
                (Bytes::New, _, Some(sides)) => Some(bytes_of(&sides.new, file)?),
            };
            Laid {
                from,
                to: Some(path(&to)?),
                bytes,
                executable: Some(executable),
                stays: false,
            }
        }
    }))
}

fn bytes_of(version: &Found, file: &FileReview) -> Result<Vec<u8>, String> {
    match version {
        Found::Text { document, .. } => {
            (document.encode(document.text())).map_err(|error| format!("`{}`: {error}", file.path))
        }
        Found::Opaque(_) | Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_) => {
            Err(format!(
                "`{}` is binary, and its other version is not available",
                file.path
            ))
        }
    }
}

pub(crate) fn path(name: &str) -> Result<RepoPath, String> {
    RepoPath::parse(name).map_err(|error| error.to_string())
}

/// Accepts all that nobody has decided, loosely placed or not: nothing of it is written.
pub(crate) fn take_undecided(session: &mut ReviewSession) {
    session.decide(&Target::Rest, Decision::Accepted);
    let undecided: Vec<HunkId> = (session.hunks())
        .filter(|(_, hunk)| hunk.mark() == Some(Mark::Undecided))
        .map(|(id, _)| id)
        .collect();
    for id in undecided {
        session.decide(&Target::Hunk(id), Decision::Accepted);
    }
}
