//! `countersign diff`: two files or folders are reviewed. What is accepted stays on the right side, what is rejected is taken
//! back there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::exit::Exit;
use super::review_args::DiffArgs;
use super::{review_existing, settings};
use crate::app::folders::{FolderPair, FolderSide};
use crate::app::recovery;
use crate::store::Root;

/// Why two things cannot be compared.
#[derive(Debug, Error)]
pub(super) enum DiffError {
    /// There is no such file or folder.
    #[error("there is no `{}`", path.display())]
    Missing {
        /// The name.
        path: PathBuf,
    },
    /// One side is a folder, the other a file.
    #[error("one of `{}` and `{}` is a folder and the other is not", left.display(), right.display())]
    Mixed {
        /// The left side.
        left: PathBuf,
        /// The right side.
        right: PathBuf,
    },
    /// The right side, to which rejected changes are written, is no file.
    #[error("`{}` cannot be written: it is not a file", path.display())]
    NoRight {
        /// The right side.
        path: PathBuf,
    },
    /// A name is not text.
    #[error("`{}` is not a name in UTF-8", path.display())]
    OddName {
        /// The name.
        path: PathBuf,
    },
}

impl DiffError {
    /// Returns advice for the person.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "check the name",
            Self::Mixed { .. } => "name two files or two folders",
            Self::NoRight { .. } => "name a file, or compare the folders",
            Self::OddName { .. } => "give it another name first",
        }
    }
}

/// Reviews what differs and takes back on the right side what is rejected.
pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let (left, right) = (&args.left, &args.right);
    let folders = match (left.is_dir(), right.is_dir()) {
        (true, true) => FolderPair::open(FolderSide::folder(left)?, FolderSide::folder(right)?)?,
        (false, false) => {
            if is_nothing(right) {
                return Err(DiffError::NoRight {
                    path: right.clone(),
                }
                .into());
            }
            FolderPair::open(file(left)?, file(right)?)?
        }
        (true, false) | (false, true) => {
            let (left, right) = (left.clone(), right.clone());
            for path in [&left, &right] {
                expect(path)?;
            }
            return Err(DiffError::Mixed { left, right }.into());
        }
    };
    let written = folders.written();
    let config = settings::load(&args.reviewing.settings, written.path())?;
    recovery::run(&settings::guarded(written.anew()?, &config))?;
    review_existing::run(folders, "diff", &args.reviewing, &config)
}

/// One side of two files.
fn file(path: &Path) -> anyhow::Result<FolderSide> {
    if is_nothing(path) {
        return Ok(FolderSide::nothing());
    }
    expect(path)?;
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let name = path.file_name().and_then(OsStr::to_str);
    let name = name.ok_or_else(|| DiffError::OddName {
        path: path.to_owned(),
    })?;
    let root = Root::open(parent.unwrap_or(Path::new(".")))?;
    Ok(FolderSide::file(root.for_a_person(), name))
}

fn expect(path: &Path) -> Result<(), DiffError> {
    if path.exists() || is_nothing(path) {
        Ok(())
    } else {
        Err(DiffError::Missing {
            path: path.to_owned(),
        })
    }
}

/// True if a name means no file, as `git difftool` uses it.
fn is_nothing(path: &Path) -> bool {
    path == Path::new("/dev/null")
}
