//! Edits whose characters were escaped as HTML entities, or whose quotes were escaped with backslashes: all of them or none.
//!
//! The file decides: a preimage that matches without its entities and not with them was escaped. The lines that such an edit
//! adds were escaped with it, and so were those of the other hunks of the file, even where their own preimages have nothing to
//! escape.

use std::borrow::Cow;

use crate::locate::hypotheses::entities::{entity, without_backslashes, without_entities};
use crate::locate::hypotheses::search::HunkSearch;
use crate::locate::placement::Change;
use crate::proposal::{Body, Extent, Hunk};
use crate::text::Document;

/// The kinds of escapes in the hunks of one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escapes {
    entities: bool,
    backslashes: bool,
}

impl Escapes {
    /// Returns the kinds of escapes that the readings of the hunks show.
    pub(crate) fn of(sought: &[(usize, HunkSearch<'_>)]) -> Self {
        let read_otherwise = || {
            // Most bodies are borrowed from the hunk, and need no comparison.
            let sought = sought.iter().map(|(_, one)| one);
            sought
                .filter(|found| matches!(&found.body, Cow::Owned(body) if *body != found.hunk.body))
        };
        Self {
            entities: read_otherwise()
                .any(|found| without_entities(&found.hunk.body) == *found.body),
            backslashes: read_otherwise().any(|found| {
                without_backslashes(&found.hunk.body).is_some_and(|plain| plain == *found.body)
            }),
        }
    }

    /// Returns a body whose preimage has nothing to escape without the escapes of the other hunks.
    pub(crate) fn taken_from(self, body: &Body) -> Option<Body> {
        let plain = if self.entities && may_be_escaped(body) {
            Some(without_entities(body))
        } else if self.backslashes {
            without_backslashes(body).filter(|plain| plain.preimage == body.preimage)
        } else {
            None
        };
        plain.filter(|plain| plain != body)
    }

    /// Returns a hunk whose halves are a text without these escapes; `None` for others.
    pub(crate) fn taken_from_text(self, hunk: &Hunk) -> Option<Hunk> {
        if !matches!(
            hunk.extent,
            Extent::Text | Extent::EveryText | Extent::Texts(_)
        ) {
            return None;
        }
        let body = self.taken_from(&hunk.body)?;
        let hunk = hunk.clone();
        Some(Hunk { body, ..hunk })
    }
}

/// Returns true if a hunk adds entities and nothing shows if they are escapes: its preimage has no `<`, `>` or `&`, its
/// postimage none that is bare, the file has no entities, and it is no markup.
pub fn adds_doubtful_entities(document: &Document, hunk: &Hunk, changes: &[Change]) -> bool {
    let has_any = |text: &str| {
        let mut ampersands = memchr::memchr_iter(b'&', text.as_bytes());
        ampersands.any(|at| entity(&text[at..]).is_some())
    };
    let is_markup = |text: &str| text.contains("</") || text.contains("/>");
    let mut added = changes.iter().flat_map(|change| &change.with);
    added.any(|line| has_any(line))
        && may_be_escaped(&hunk.body)
        && !has_any(document.text())
        && !is_markup(document.text())
}

/// Returns true if a body with a match may be escaped: its preimage has nothing to escape, and its postimage has nothing
/// unescaped.
fn may_be_escaped(body: &Body) -> bool {
    let begins_entity = |rest: &str| entity(rest).is_some();
    let is_bare = |line: &String| !line.contains(['<', '>', '&']);
    let is_escaped = |line: &String| {
        let mut ampersands = line.match_indices('&').map(|(at, _)| &line[at..]);
        !line.contains(['<', '>']) && ampersands.all(begins_entity)
    };
    body.preimage.iter().all(is_bare) && body.postimage.iter().all(is_escaped)
}
