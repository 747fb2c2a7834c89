//! The review of what a batch has written, where files have changed since: from what stands now to what stood before.
//!
//! Where the change can still be told from what came later, it alone is taken back. Where it cannot, the lines as they were
//! before are offered, and not taken without a look.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use super::placing::Placings;
use super::settling;
use super::source::Source;
use super::taking::look;
use super::writing::{done, unwritten};
use crate::review::{
    Compared, EVERYTHING, FileReview, Found, Opaque, Refusal, Reverted, ReviewSession, Stance,
    Writing, compare, revert,
};
use crate::store::{ContentHash, Past, PastFile, PastVersion, Root, UndoError, commit_undo};
use crate::text::{Document, LineIdx};

/// What a batch has written, against what stands now.
pub(super) struct Undoing {
    root: Root,
    past: Past,
    placings: Placings,
}

impl Undoing {
    pub(super) fn new(root: Root, past: Past) -> Self {
        Self {
            root,
            past,
            placings: Placings::default(),
        }
    }
}

impl Source for Undoing {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        ContentHash::of(format!("undo {}", self.past.id).as_bytes())
    }

    fn placings(&self) -> &Placings {
        &self.placings
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let placing = self.placings.begin();
        let mut compared = Vec::new();
        for file in &self.past.files {
            let now = look(&self.root, &mut self.placings, &file.path);
            let protected = self.root.protection(&file.path);
            let (new, doubtful) = goal(file, &now);
            compared.push(Compared {
                path: file.path.to_string(),
                rename: None,
                old: now,
                new,
                stance: Stance::Proposed,
                doubtful,
                protected: protected.map(|protected| protected.to_string()),
                origin: "undo",
            });
        }
        let intent = format!("Take back what was written as {}.", self.past.id);
        let mut session = compare(intent, &compared);
        session.placing = placing;
        Ok(session)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let versions: BTreeMap<String, &PastFile> = (self.past.files.iter())
            .map(|file| (file.path.to_string(), file))
            .collect();
        let load = |file: &FileReview| {
            let before = versions
                .get(&file.path)
                .and_then(|file| file.before.as_ref());
            let bytes = before.map(|version| version.bytes.clone());
            bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        settling::write(&self.placings, session, &load, |writes| {
            match commit_undo(&self.root, &self.past.id, &writes) {
                Ok(receipt) => done(receipt),
                Err(UndoError::Commit(error)) => unwritten(&error),
                Err(UndoError::History(error)) => Writing::Failed {
                    error: format!("{error}\nhint: {}", error.hint()),
                    stuck: Vec::new(),
                },
            }
        })
    }
}

/// What a file is to be, and the lines of it as it stands at which something that came later would go as well.
fn goal(file: &PastFile, now: &Found) -> (Found, Vec<Range<LineIdx>>) {
    let certain = |goal| (goal, Vec::new());
    let doubtful = |goal| (goal, vec![EVERYTHING]);
    let before = version(file.before.as_ref());
    let after = version(file.after.as_ref());
    if matches!(now, Found::Refused(_)) || is_same(now, &before) {
        return certain(now.clone());
    }
    if is_same(now, &after) {
        return certain(before);
    }
    let (
        Found::Text {
            document: was,
            executable: could,
        },
        Found::Text {
            document: wrote,
            executable: made,
        },
        Found::Text {
            document: is,
            executable: can,
        },
    ) = (&before, &after, now)
    else {
        return doubtful(before);
    };
    let Reverted {
        text,
        doubtful: lines,
    } = revert(was, wrote, is);
    let encoded = is
        .encode(&text)
        .ok()
        .and_then(|bytes| Document::decode(bytes).ok());
    let Some(document) = encoded else {
        return doubtful(before);
    };
    let goal = Found::Text {
        document: Arc::new(document),
        executable: if can == made { *could } else { *can },
    };
    (goal, lines)
}

fn version(version: Option<&PastVersion>) -> Found {
    let Some(PastVersion {
        bytes,
        executable,
        link,
    }) = version
    else {
        return Found::Absent;
    };
    if *link {
        let why = "a symbolic link is taken back with its whole batch only: `countersign undo ID`";
        return Found::Refused(Refusal::Contradiction(why.to_owned()));
    }
    let executable = *executable;
    match Document::decode(bytes.clone()) {
        Ok(document) => Found::Text {
            document: Arc::new(document),
            executable,
        },
        Err(why) => Found::Opaque(Opaque {
            size: bytes.len() as u64,
            hash: ContentHash::of(bytes).to_string(),
            executable,
            why: why.to_string(),
        }),
    }
}

fn is_same(one: &Found, other: &Found) -> bool {
    let mode = one.executable() == other.executable();
    match (one, other) {
        (Found::Absent, Found::Absent) => true,
        (
            Found::Text { document: one, .. },
            Found::Text {
                document: other, ..
            },
        ) => mode && one == other,
        (Found::Opaque(one), Found::Opaque(other)) => mode && one.hash == other.hash,
        (_, _) => false,
    }
}
