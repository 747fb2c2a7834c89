//! Writing what was decided about files of which both versions are known.

use std::io;

use crate::app::apply::never_read;
use crate::app::snapshots::{Files, Snapshots};
use crate::review::{
    Bytes, FileKind, FileReview, Found, ReviewSession, Settled, Stance, Writing, settle,
};
use crate::store::{ContentHash, FileState, FileWrite, Snapshot, VersionKind, WriteAction};

/// Writes what was decided, by `carry_out`: all of it, or nothing and why. `load` brings the bytes of a version that is not on disk
/// and no text.
pub(crate) fn write<'a>(
    placings: &'a Snapshots,
    session: &ReviewSession,
    load: &dyn Fn(&FileReview) -> io::Result<Vec<u8>>,
    carry_out: impl FnOnce(Vec<FileWrite<'a>>) -> Writing,
) -> Writing {
    let files = placings.of(session);
    let writes = files.and_then(|files| writes(files, session, load));
    writes.map_or_else(|unwritten| unwritten, carry_out)
}

/// Returns the writes that make the files as decided, or the reason that nothing can be written.
fn writes<'a>(
    files: &'a Files,
    session: &ReviewSession,
    load: &dyn Fn(&FileReview) -> io::Result<Vec<u8>>,
) -> Result<Vec<FileWrite<'a>>, Writing> {
    let writes = (session.files.iter()).map(|file| file_write(files, file, load));
    writes.filter_map(Result::transpose).collect()
}

/// The name that a file has on disk.
pub(crate) fn name_on_disk(file: &FileReview) -> &str {
    let stance = file.sides.as_ref().map(|sides| sides.stance);
    match (&file.kind, stance) {
        (FileKind::Renamed { to }, Some(Stance::Standing)) => to,
        (_, _) => &file.path,
    }
}

/// Returns the decided state of a file; `None` if it is left alone.
pub(crate) fn settled(file: &FileReview) -> Result<Option<Settled>, Writing> {
    let settled = settle(file).transpose();
    settled.map_err(|error| Writing::Refused {
        path: file.path.clone(),
        error: error.to_string(),
        hint: "leave these characters out, or convert the file to UTF-8 first",
    })
}

/// The bytes that a file comes to, where `load` brings those of a version that is not text.
pub(crate) fn bytes_of(
    file: &FileReview,
    bytes: Bytes,
    load: &dyn Fn(&FileReview) -> io::Result<Vec<u8>>,
) -> Result<Vec<u8>, Writing> {
    let version = match (bytes, &file.sides) {
        (Bytes::These(bytes), _) => return Ok(bytes),
        (Bytes::Old, Some(sides)) => &sides.old,
        (Bytes::New, Some(sides)) => &sides.new,
        (Bytes::Old | Bytes::New, None) => return Err(never_read(&file.path)),
    };
    let read = match version {
        Found::Text { document, .. } => {
            (document.encode(document.text())).map_err(|error| error.to_string())
        }
        Found::Opaque(_) => load(file).map_err(|error| error.to_string()),
        Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_) => {
            return Err(never_read(&file.path));
        }
    };
    read.map_err(|error| Writing::Failed {
        error: format!("`{}`: {error}", file.path),
        stuck: Vec::new(),
    })
}

fn file_write<'a>(
    files: &'a Files,
    file: &FileReview,
    load: &dyn Fn(&FileReview) -> io::Result<Vec<u8>>,
) -> Result<Option<FileWrite<'a>>, Writing> {
    let Some(settled) = settled(file)? else {
        return Ok(None);
    };
    let name = name_on_disk(file);
    let read = |name: &str| files.get(name).ok_or_else(|| never_read(name));
    let snapshot = read(name)?;
    let action = match settled {
        Settled::Absent => snapshot.version().map(|_| WriteAction::Remove),
        Settled::Folder => (snapshot.state != FileState::Folder).then_some(WriteAction::Folder),
        Settled::Link { to } => {
            let is_it = matches!(&snapshot.state, FileState::Link { target } if *target == to);
            (!is_it).then_some(WriteAction::Link { to })
        }
        Settled::File {
            path,
            bytes,
            executable,
        } => {
            let bytes = new_bytes(file, snapshot, bytes, load)?;
            let was = snapshot.version().is_some_and(|version| version.executable);
            let executable = (was != executable).then_some(executable);
            if path == name {
                match (bytes, executable) {
                    (Some(bytes), executable) => Some(WriteAction::Put { bytes, executable }),
                    (None, Some(executable)) => Some(WriteAction::Permit { executable }),
                    (None, None) => None,
                }
            } else {
                let to = read(&path)?;
                Some(WriteAction::Rename {
                    to,
                    bytes,
                    executable,
                })
            }
        }
    };
    Ok(action.map(|action| FileWrite { snapshot, action }))
}

/// The bytes that a file gets; `None` if it has them.
fn new_bytes(
    file: &FileReview,
    snapshot: &Snapshot,
    bytes: Bytes,
    load: &dyn Fn(&FileReview) -> io::Result<Vec<u8>>,
) -> Result<Option<Vec<u8>>, Writing> {
    let stance = file.sides.as_ref().map(|sides| sides.stance);
    let has_them = matches!(
        (&bytes, stance),
        (Bytes::New, Some(Stance::Standing)) | (Bytes::Old, Some(Stance::Proposed))
    );
    if has_them {
        return Ok(None);
    }
    let bytes = bytes_of(file, bytes, load)?;
    let held = snapshot.version();
    let held = held.filter(|version| version.kind == VersionKind::File);
    Ok((Some(ContentHash::of(&bytes)) != held.map(|version| version.hash)).then_some(bytes))
}

/// Describes why a file cannot become what was decided.
pub(crate) fn why(file: &FileReview, unwritten: Writing) -> String {
    if let Writing::Refused { error, .. } | Writing::Failed { error, .. } = unwritten {
        format!("`{}`: {error}", file.path)
    } else {
        format!("`{}` cannot be composed", file.path)
    }
}
