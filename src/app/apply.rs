//! Writing what was decided: all of it, or nothing and why.

use crate::app::snapshots::Files;
use crate::parallel;
use crate::proposal::RepoPath;
use crate::review::{FileReview, Postimage, ReviewSession, Writing, splice};
use crate::store::{
    CommitError, ContentHash, FileWrite, Receipt, Root, Snapshot, WriteAction, commit,
    rehearse as dry_run,
};
use crate::text::{Encoding, PieceTable, raw_bytes};

/// Says what writing would come to; writes nothing.
pub(crate) fn rehearse(root: &Root, files: &Files, session: &ReviewSession) -> Writing {
    match writes(root, files, session).map(|writes| dry_run(&writes)) {
        Ok(Ok(())) => Writing::Rehearsed,
        Ok(Err(error)) => unwritten(&error),
        Err(unwritten) => unwritten,
    }
}

/// Writes what is accepted, all of it or nothing.
pub(crate) fn write(root: &Root, files: &Files, session: &ReviewSession) -> Writing {
    match writes(root, files, session) {
        Ok(writes) => carry_out(root, &writes),
        Err(unwritten) => unwritten,
    }
}

/// Writes files, all of them or none.
pub(crate) fn carry_out(root: &Root, writes: &[FileWrite<'_>]) -> Writing {
    match commit(root, writes) {
        Ok(receipt) => done(receipt),
        Err(error) => unwritten(&error),
    }
}

/// Converts the receipt of a commit for the report.
pub(crate) fn done(receipt: Receipt) -> Writing {
    let Receipt {
        id,
        written,
        warnings,
    } = receipt;
    let shown = |hash: Option<ContentHash>| hash.map(|hash| hash.to_string());
    let hashes = written.into_iter().map(|written| {
        (
            written.path.to_string(),
            (shown(written.before), shown(written.after)),
        )
    });
    Writing::Done {
        id: Some(id).filter(|id| !id.is_empty()),
        hashes: hashes.collect(),
        warnings: warnings.iter().map(ToString::to_string).collect(),
    }
}

/// That a file is to be written that nobody has read.
pub(crate) fn never_read(path: &str) -> Writing {
    Writing::Failed {
        error: format!("`{path}` was never read"),
        stuck: Vec::new(),
    }
}

/// Returns the writes of all files, or the reason that nothing can be written.
fn writes<'a>(
    root: &Root,
    files: &'a Files,
    session: &'a ReviewSession,
) -> Result<Vec<FileWrite<'a>>, Writing> {
    let writes = parallel::map(&session.files, |file| file_write(root, files, file));
    writes.into_iter().filter_map(Result::transpose).collect()
}

/// Returns the write of one file, if there is one, or the reason that nothing of the batch can be written.
fn file_write<'a>(
    root: &Root,
    files: &'a Files,
    file: &'a FileReview,
) -> Result<Option<FileWrite<'a>>, Writing> {
    let postimage = splice(file);
    if postimage == Postimage::Unchanged {
        return Ok(None);
    }
    let read = |path: &str| files.get(path).ok_or_else(|| never_read(path));
    let snapshot = read(&file.path)?;
    let action = match postimage {
        Postimage::Unchanged
        | Postimage::Kept {
            rename: None,
            executable: None,
        } => return Ok(None),
        Postimage::Deleted => WriteAction::Remove,
        Postimage::Link { to } => WriteAction::Link { to },
        Postimage::Folder => WriteAction::Folder,
        Postimage::Bytes {
            bytes,
            rename: None,
            executable,
        } => WriteAction::Put {
            bytes: bytes.to_vec(),
            executable,
        },
        Postimage::Bytes {
            bytes,
            rename: Some(to),
            executable,
        } => WriteAction::Rename {
            to: read(&to)?,
            bytes: Some(bytes.to_vec()),
            executable,
        },
        Postimage::Copy { from, executable } => WriteAction::Put {
            bytes: copied(root, read(&from)?, file)?,
            executable,
        },
        Postimage::Kept {
            rename: Some(to),
            executable,
        } => WriteAction::Rename {
            to: read(&to)?,
            bytes: None,
            executable,
        },
        Postimage::Kept {
            rename: None,
            executable: Some(executable),
        } => WriteAction::Permit { executable },
        Postimage::Text { text, .. } if raw_bytes::is_undecoded(text.new_text(), text.base()) => {
            return Err(undecoded(&file.path));
        }
        Postimage::Text {
            text,
            rename: None,
            executable,
        } if file.base.encoding() == Encoding::UTF_8 => WriteAction::Splice { text, executable },
        Postimage::Text {
            text,
            rename,
            executable,
        } => {
            let bytes = encoded(file, text)?;
            match rename {
                None => WriteAction::Put { bytes, executable },
                Some(to) => WriteAction::Rename {
                    to: read(&to)?,
                    bytes: Some(bytes),
                    executable,
                },
            }
        }
    };
    Ok(Some(FileWrite { snapshot, action }))
}

/// Refuses a text with characters that are kept for bytes of unknown meaning.
fn undecoded(path: &str) -> Writing {
    Writing::Refused {
        path: path.to_owned(),
        error: "its new text holds characters from U+10FE80 to U+10FEFF, which are kept for bytes that were not decoded"
            .to_owned(),
        hint: "leave these characters out, or write the file without countersign",
    }
}

/// The bytes of a text as its file has it.
fn encoded(file: &FileReview, text: PieceTable<'_>) -> Result<Vec<u8>, Writing> {
    (file.base.encode_owned(text.into())).map_err(|error| Writing::Refused {
        path: file.path.clone(),
        error: error.to_string(),
        hint: "leave these characters out, or convert the file to UTF-8 first",
    })
}

/// The bytes that a file is made of, if they still are as they were reviewed.
fn copied(root: &Root, from: &Snapshot, to: &FileReview) -> Result<Vec<u8>, Writing> {
    root.load(from).map_err(|error| Writing::Conflict {
        paths: vec![to.path.clone()],
        error: format!(
            "`{}`, which is to be copied, cannot be read: {error}",
            from.path
        ),
    })
}

/// Why nothing was written, for the report.
pub(crate) fn unwritten(error: &CommitError) -> Writing {
    let names = |paths: &[RepoPath]| paths.iter().map(ToString::to_string).collect();
    if let Some(path) = error.refused() {
        return Writing::Refused {
            path: path.to_string(),
            error: error.to_string(),
            hint: error.hint(),
        };
    }
    let told = format!("{error}\nhint: {}", error.hint());
    if let CommitError::Conflict { paths } = error {
        return Writing::Conflict {
            paths: names(paths),
            error: told,
        };
    }
    Writing::Failed {
        error: told,
        stuck: names(error.stuck()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::app::batch::Batch;
    use crate::app::input;
    use crate::app::source::ReviewSource;
    use crate::config::Config;
    use crate::dialect::Options;
    use crate::review::{Decision, Target};
    use crate::store::undo;

    #[test]
    fn a_copy_is_made_of_the_bytes_that_were_reviewed() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join("tree").join(name);
        fs::create_dir(at("")).unwrap();
        fs::write(at("a"), b"\0one").unwrap();
        let root = Root::open(&at("")).unwrap();
        let root = root.keeping_state_in(place.path().join("state"));
        let edit = "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n";
        let input = input::parse(vec![edit.to_owned()], &Options::default()).unwrap();
        let mut batch = Batch::new(root, Config::default(), input);
        let mut reviewed = batch.place().unwrap();
        reviewed.decide(&Target::Rest, Decision::Accepted);

        fs::write(at("a"), b"\0two").unwrap();
        let writing = batch.write(&reviewed);
        assert!(matches!(writing, Writing::Conflict { .. }), "{writing:?}");
        assert!(!at("b").exists());
        let mut again = batch.place().unwrap();
        again.carry_over(&reviewed);
        assert_eq!(again.counts().accepted, 0);

        again.decide(&Target::Rest, Decision::Accepted);
        let writing = batch.write(&again);
        assert!(matches!(writing, Writing::Done { .. }), "{writing:?}");
        assert_eq!(fs::read(at("b")).unwrap(), b"\0two");
        undo(batch.root(), None).unwrap();
        assert!(!at("b").exists());
    }
}
