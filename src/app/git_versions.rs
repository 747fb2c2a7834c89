//! Versions of files that git has stored, each read once.

use std::io;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::agent::git::{Blob, BlobForm, ChangedEntry, GitEntryKind, GitError, Repository};
use crate::review::{FileReview, Found, Opaque, Refusal};
use crate::store::ContentHash;
use crate::text::Document;

/// Versions of files that git has stored, each read once.
#[derive(Debug)]
pub(crate) struct GitVersions {
    form: BlobForm,
    known: FxHashMap<(String, String), GitVersion>,
}

/// A version of a file that git has stored.
#[derive(Debug, Clone)]
pub(crate) struct GitVersion {
    found: Found,
    pub(crate) hash: ContentHash,
    /// Its bytes, if they are not text.
    bytes: Option<Arc<Vec<u8>>>,
}

impl GitVersions {
    /// None yet.
    pub(crate) fn new(form: BlobForm) -> Self {
        Self {
            form,
            known: FxHashMap::default(),
        }
    }

    /// Reads what is not known yet of these versions, each named by its blob and its file.
    pub(crate) fn read<'a>(
        &mut self,
        repository: &Repository,
        wanted: impl Iterator<Item = (&'a Blob, &'a str)>,
    ) -> Result<(), GitError> {
        let key = |(id, path): (&str, &str)| (id.to_owned(), path.to_owned());
        let mut missing: Vec<(&str, &str)> = wanted
            .map(|(blob, path)| (blob.id.as_str(), path))
            .filter(|wanted| !self.known.contains_key(&key(*wanted)))
            .collect();
        missing.sort_unstable();
        missing.dedup();
        let contents = repository.contents(&missing, self.form)?;
        let read = missing.into_iter().map(key).zip(contents);
        let read = read.map(|(key, bytes)| {
            let version = GitVersion::of(&key.1, bytes);
            (key, version)
        });
        self.known.extend(read);
        Ok(())
    }

    /// A version that was read.
    pub(crate) fn get(&self, blob: &Blob, path: &str) -> Option<&GitVersion> {
        self.known.get(&(blob.id.clone(), path.to_owned()))
    }

    /// Returns the file that git has stored under a name, with its own permission or `executable`.
    pub(crate) fn found(&self, blob: Option<&Blob>, path: &str, executable: Option<bool>) -> Found {
        let Some(blob) = blob else {
            return Found::Absent;
        };
        let executable = executable.unwrap_or_else(|| blob.executable());
        match self.get(blob, path).map(|version| version.found.clone()) {
            None => Found::Refused(Refusal::Unreadable(format!(
                "`{path}`: git has not stored it"
            ))),
            Some(Found::Text { document, .. }) => Found::Text {
                document,
                executable,
            },
            Some(Found::Opaque(opaque)) => Found::Opaque(Opaque {
                executable,
                ..opaque
            }),
            Some(other @ (Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_))) => {
                other
            }
        }
    }

    /// Returns the symbolic link that git has stored under a name.
    pub(crate) fn link(&self, blob: &Blob, path: &str) -> Found {
        match self.found(Some(blob), path, None) {
            Found::Text { document, .. } => Found::Link(document.text().to_owned()),
            Found::Opaque(_) => Found::Refused(Refusal::Unreadable(format!(
                "`{path}` is a link whose target is no text, and is left alone"
            ))),
            other @ (Found::Absent | Found::Link(_) | Found::Folder | Found::Refused(_)) => other,
        }
    }

    /// The bytes of a version that is not text, by what is known of it.
    pub(crate) fn load(&self, file: &FileReview) -> io::Result<Vec<u8>> {
        let sides = file.sides.as_ref().map(|sides| [&sides.old, &sides.new]);
        let hashes: Vec<&str> = (sides.into_iter().flatten())
            .filter_map(|found| match found {
                Found::Opaque(opaque) => Some(opaque.hash.as_str()),
                Found::Absent
                | Found::Text { .. }
                | Found::Link(_)
                | Found::Folder
                | Found::Refused(_) => None,
            })
            .collect();
        // The old version comes first: it is the one that is to be put back.
        let wanted = hashes.first().ok_or(io::ErrorKind::NotFound)?;
        (self.known.values())
            .find(|version| version.hash.to_string() == **wanted)
            .and_then(|version| Some(version.bytes.as_deref()?.clone()))
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl GitVersion {
    fn of(path: &str, bytes: Vec<u8>) -> Self {
        let hash = ContentHash::of(&bytes);
        match Document::decode(bytes.clone()) {
            Ok(document) => Self {
                found: Found::Text {
                    document: Arc::new(document),
                    executable: false,
                },
                hash,
                bytes: None,
            },
            Err(why) => Self {
                found: Found::Opaque(Opaque {
                    size: bytes.len() as u64,
                    hash: hash.to_string(),
                    executable: false,
                    why: format!("`{path}`: {why}"),
                }),
                hash,
                bytes: Some(Arc::new(bytes)),
            },
        }
    }
}

/// Why a name is left alone, if git holds something else than a file there.
pub(crate) fn left_alone(changed: &ChangedEntry) -> Option<Found> {
    let why = match changed.kind {
        GitEntryKind::File => return None,
        GitEntryKind::Submodule => "a submodule, whose commit is left alone",
        GitEntryKind::Link => "a link, or was one, and is left alone",
        GitEntryKind::Unmerged => "still to be merged, and is left alone",
        GitEntryKind::OddName => "a name that is no text on one line, and is left alone",
    };
    let why = format!("`{}` is {why}", changed.path);
    Some(Found::Refused(Refusal::Unreadable(why)))
}
