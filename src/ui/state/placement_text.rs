//! Description of a hunk's placement.

use crate::review::{FileKind, HunkId, ReviewSession};
use crate::text::LineNo;

/// Tone of a part of the description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTone {
    /// Action of the hunk.
    Plain,
    /// Of no weight.
    Quiet,
    /// Its place is not sure.
    Loose,
    /// The person had a hand in it.
    OwnWork,
}

/// Describes the placement of a hunk, in parts.
pub(crate) fn placement(session: &ReviewSession, id: HunkId) -> Vec<(String, TextTone)> {
    let Some(review) = session.hunk(id) else {
        return Vec::new();
    };
    let in_advance = review.words_in_advance();
    let in_advance = in_advance.map(|words| (words, TextTone::OwnWork));
    if let Some(step) = &review.step {
        let opaque = session.files[id.file].opaque().is_some();
        let mut pieces = vec![(step.heading(opaque), TextTone::Plain)];
        if let Some(placement) = review.placement().filter(|placement| !placement.is_sure()) {
            pieces.push((placement.confidence.name().to_owned(), TextTone::Loose));
        }
        pieces.extend(in_advance);
        return pieces;
    }
    let Some(placement) = review.placement() else {
        return Vec::new();
    };
    let is_new = session.files[id.file].kind == FileKind::Created;
    // While a place is chosen, it is the line that the status bar names.
    let line = LineNo::from_idx(if session.is_being_placed(id) {
        placement.lines.start
    } else {
        review.first_line()
    });
    let at = match placement.offset {
        Some(offset) if offset != 0 => format!("line {line} ({offset:+})"),
        Some(_) | None => format!("line {line}"),
    };
    let mut pieces = vec![(at, TextTone::Quiet)];
    let loose = !placement.is_sure();
    let tone = if loose {
        TextTone::Loose
    } else {
        TextTone::Quiet
    };
    pieces.extend(placement.difference().map(|words| (words, tone)));
    if session.is_being_placed(id) {
        pieces.push(("not placed yet".to_owned(), TextTone::OwnWork));
    } else if review.is_by_hand() {
        pieces.push(("placed by hand".to_owned(), TextTone::OwnWork));
    } else if loose || placement.version.is_some() {
        // What speaks against the place is in the notes below.
        let words = match (placement.doubt, review.loss()) {
            (Some(_), _) => placement.confidence.name().to_owned(),
            // The lines of a new file match nothing: its text is what is not sure.
            (None, Some(loss)) if is_new => loss.reason().to_owned(),
            (None, _) => placement.words(),
        };
        pieces.push((words, tone));
    }
    if let Some(part) = &review.part {
        let parts = session.files[id.file].parts(part.of);
        let nth = parts.iter().position(|&at| at == id.hunk).unwrap_or(0) + 1;
        let words = format!("part {nth} of {}", parts.len());
        pieces.push((words, TextTone::OwnWork));
    }
    pieces.extend(in_advance);
    pieces
}
