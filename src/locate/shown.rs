//! Files, hunks and locations as tests write them: with `|` between lines.

use crate::locate::placement::{Change, Location, Unplaced};
use crate::proposal::{Body, Extent, Hunk, InputSpan};

/// Returns a hunk with these preimage and postimage lines; an empty text has none.
pub(super) fn hunk(extent: Extent, preimage: &str, postimage: &str) -> Hunk {
    let lines = |text: &str| match text {
        "" => Vec::new(),
        text => text.split('|').map(str::to_owned).collect(),
    };
    let body = Body {
        preimage: lines(preimage),
        postimage: lines(postimage),
    };
    Hunk {
        extent,
        ..Hunk::new(body, InputSpan::of(0..1))
    }
}

/// Returns a location as text.
pub(super) fn location(location: &Location) -> String {
    match location {
        Location::Placed(placement) => match placement.doubt {
            Some(doubt) => format!("{doubt:?}"),
            None => changes(&placement.changes),
        },
        Location::AlreadyApplied { at } => format!("applied at {at}"),
        Location::Follows { hunk } => format!("follows {hunk}"),
        Location::Unplaced(Unplaced::NotFound { .. }) => "not found".to_owned(),
        Location::Unplaced(Unplaced::Ambiguous { places, .. }) => {
            format!("ambiguous in {}", places.len())
        }
        Location::Unplaced(other) => format!("{other:?}"),
    }
}

/// Returns changes as text: for each the removed lines of the file, counted from 0 and without the last, and the added lines.
pub(super) fn changes(changes: &[Change]) -> String {
    let change = |Change { lines, with }: &Change| {
        format!("{}-{}:{}", lines.start, lines.end, with.join("|"))
    };
    changes.iter().map(change).collect::<Vec<_>>().join(" ")
}
