//! Edits whose characters came as HTML's entities: what carried them escaped them, all of them or none.
//!
//! The file tells: a preimage that stands nowhere with its entities and somewhere without was escaped. What such an edit adds was
//! escaped with it, and so was what the hunks beside it add, even where their own preimages have nothing to escape.

use std::borrow::Cow;

use super::choose::Found;
use super::place::Change;
use super::script::Script;
use crate::proposal::{Body, Hunk};
use crate::text::Document;

/// The entities and their characters. `&amp;` comes last: what it leaves is read no further.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

/// The body without escapes, if its preimage has any.
pub(super) fn unescaped(body: &Body) -> Option<Body> {
    if !body.preimage.iter().any(|line| may_hold_entity(line)) {
        return None;
    }
    let plain = without_entities(body);
    (plain.preimage != body.preimage).then_some(plain)
}

/// Reads the hunks of one file alike: where one of them was escaped, the others were.
pub(super) fn agree(found: &mut [Option<Found<'_>>]) {
    let was_escaped = |found: &Found<'_>| {
        let plain = unescaped(&found.hunk.body);
        plain.is_some_and(|plain| plain == *found.body)
    };
    if !found.iter().flatten().any(was_escaped) {
        return;
    }
    for found in found.iter_mut().flatten() {
        if may_be_escaped(&found.body) {
            let plain = without_entities(&found.body);
            found.script = Script::of(&plain);
            found.body = Cow::Owned(plain);
        }
    }
}

/// Whether a hunk adds entities where nothing tells if they are meant: neither the hunk nor the file has a character that would have
/// been escaped or was not, and the file is no markup.
pub fn adds_doubtful_entities(document: &Document, hunk: &Hunk, changes: &[Change]) -> bool {
    let has_any = |text: &str| {
        may_hold_entity(text) && ENTITIES.iter().any(|(entity, _)| text.contains(entity))
    };
    let is_markup = |text: &str| text.contains("</") || text.contains("/>");
    let mut added = changes.iter().flat_map(|change| &change.with);
    added.any(|line| has_any(line))
        && may_be_escaped(&hunk.body)
        && !has_any(document.text())
        && !is_markup(document.text())
}

/// A quick look, which most lines do not outlast.
fn may_hold_entity(text: &str) -> bool {
    memchr::memchr(b'&', text.as_bytes()).is_some()
}

/// Whether a body that stands somewhere is what is left when its preimage has nothing to escape and all else was escaped.
fn may_be_escaped(body: &Body) -> bool {
    let begins_entity = |rest: &str| ENTITIES.iter().any(|(entity, _)| rest.starts_with(entity));
    let is_bare = |line: &String| !line.contains(['<', '>', '&']);
    let is_escaped = |line: &String| {
        let mut ampersands = line.match_indices('&').map(|(at, _)| &line[at..]);
        !line.contains(['<', '>']) && ampersands.all(begins_entity)
    };
    body.preimage.iter().all(is_bare) && body.postimage.iter().all(is_escaped)
}

fn without_entities(body: &Body) -> Body {
    let plain = |line: &String| {
        let mut line = Cow::Borrowed(line.as_str());
        for (entity, character) in ENTITIES {
            if line.contains(entity) {
                line = Cow::Owned(line.replace(entity, character));
            }
        }
        line.into_owned()
    };
    Body {
        preimage: body.preimage.iter().map(plain).collect(),
        postimage: body.postimage.iter().map(plain).collect(),
    }
}
