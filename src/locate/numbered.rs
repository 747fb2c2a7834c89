//! Hunks that name lines by number alone, as `ed` scripts do: there is no text to compare.

use super::index::Index;
use super::place::{Change, Chosen, Confidence, Location, Nearest, Placement, Rung, Unplaced};
use crate::proposal::Hunk;
use crate::text::LineNo;

/// Places a hunk on the lines that it numbers. Nothing but the number vouches for them, so the place is never surer than
/// [`Confidence::Hinted`]; if what it would put there stands there, it is applied already.
pub(super) fn place(index: &Index<'_>, hunk: &Hunk, count: usize) -> Location {
    let document = index.document;
    let lines = hunk
        .hint
        .map(LineNo::idx)
        .map(|start| {
            let end = start.saturating_add(count);
            start..if hunk.at_end { document.len() } else { end }
        })
        .filter(|lines| lines.start <= lines.end);
    let Some(lines) = lines.filter(|lines| lines.end <= document.len()) else {
        return Location::Unplaced(Unplaced::NotFound {
            nearest: Vec::<Nearest>::new(),
        });
    };
    let with = &hunk.body.postimage;
    let stands = !with.is_empty()
        && lines.start + with.len() <= document.len()
        && with
            .iter()
            .enumerate()
            .all(|(i, line)| document.line(lines.start + i) == line);
    if stands {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(lines.start),
        };
    }
    Location::Placed(Placement {
        lines: lines.clone(),
        rung: Rung::Exact,
        confidence: Confidence::Hinted,
        offset: Some(0),
        chosen: Some(Chosen::Hint),
        doubt: None,
        similarity: 1.0,
        forgiven: Vec::new(),
        changes: vec![Change {
            lines,
            with: with.clone(),
        }],
    })
}
