//! The three-way merge of a file: what one side made of a base, carried over to what the other side has now.

use std::ops::Range;
use std::sync::Arc;

use crate::review::{EVERYTHING, Found, Opaque, Reverted, revert};
use crate::store::ContentHash;
use crate::text::{Document, LineIdx, in_one_encoding};

/// The outcome of a merge.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    /// The merged file.
    pub(crate) goal: Found,
    /// The lines of the present file at which both sides changed something: never accepted in batch.
    pub(crate) doubtful: Vec<Range<LineIdx>>,
}

impl Merged {
    /// Returns a version without doubtful lines.
    fn certain(goal: &Found) -> Self {
        Self {
            goal: goal.clone(),
            doubtful: Vec::new(),
        }
    }
}

/// Carries the change from `base` to `theirs` over to `now`.
pub(crate) fn merge(base: &Found, theirs: &Found, now: &Found) -> Merged {
    if matches!(now, Found::Refused(_)) || is_same(now, theirs) || is_same(base, theirs) {
        return Merged::certain(now);
    }
    if is_same(now, base) {
        return Merged::certain(theirs);
    }
    let doubtful = Merged {
        goal: theirs.clone(),
        doubtful: vec![EVERYTHING],
    };
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
    ) = (base, theirs, now)
    else {
        return doubtful;
    };
    let alone: [&Document; 3] = [was, wrote, is];
    let read = in_one_encoding(alone);
    let [was, wrote, is] = read.as_ref().map_or(alone, <[Document; 3]>::each_ref);
    let Reverted {
        text,
        doubtful: lines,
    } = revert(wrote, was, is);
    let encoded = is
        .encode(&text)
        .ok()
        .and_then(|bytes| Document::decode(bytes).ok());
    let Some(document) = encoded else {
        return doubtful;
    };
    Merged {
        goal: Found::Text {
            document: Arc::new(document),
            executable: if can == could { *made } else { *can },
        },
        doubtful: lines,
    }
}

/// Reads bytes as a version of a file.
pub(crate) fn found(bytes: &[u8], executable: bool) -> Found {
    match Document::decode(bytes.to_vec()) {
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

/// True if two versions are the same to the byte.
pub(crate) fn is_same(one: &Found, other: &Found) -> bool {
    let mode = one.executable() == other.executable();
    match (one, other) {
        (Found::Absent, Found::Absent) | (Found::Folder, Found::Folder) => true,
        (
            Found::Text { document: one, .. },
            Found::Text {
                document: other, ..
            },
        ) => mode && one == other,
        (Found::Opaque(one), Found::Opaque(other)) => mode && one.hash == other.hash,
        (Found::Link(one), Found::Link(other)) => one == other,
        (_, _) => false,
    }
}
