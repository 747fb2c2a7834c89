//! Hunks that name lines by number alone, as `ed` scripts do: there is no text to compare.

use std::ops::Range;

use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::has_word;
use crate::locate::placement::{
    Change, Chosen, Confidence, Doubt, Location, Nearest, Placement, Unplaced,
};
use crate::proposal::Hunk;
use crate::text::{LineIdx, LineNo};

/// Places a hunk on the lines that it numbers, or reports it as already applied if its result is there. The number is the only
/// evidence, so the confidence is [`Confidence::Fuzzy`]; it is doubtful if the lines begin with their replacement, which shows
/// nothing: the others may be those to remove, or those that followed.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk, count: usize) -> Location {
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
    let is_applied = !with.is_empty() && document.has_lines(lines.start, with);
    let is_telling = || with.len() > lines.len() && with.iter().any(|line| has_word(line));
    if is_applied && (with.len() == lines.len() || is_telling()) {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(lines.start),
        };
    }
    placed(lines, with.clone(), is_applied.then_some(Doubt::Done))
}

/// Places a text between two positions. They are the only evidence, as for numbered lines.
pub(crate) fn place_span(
    index: &Index<'_>,
    hunk: &Hunk,
    from: usize,
    (last, to): (LineIdx, usize),
) -> Location {
    let not_found = Location::Unplaced(Unplaced::NotFound {
        nearest: Vec::new(),
    });
    let document = index.document;
    let Some(first) = hunk.hint.map(LineNo::idx).filter(|first| *first <= last) else {
        return not_found;
    };
    // The position after the last line is the beginning of a line that is not there.
    let line = |at: LineIdx| (at < document.len()).then(|| document.line(at));
    let is_end = |at: LineIdx, column: usize| at == document.len() && column == 0;
    let head = match line(first) {
        Some(line) => byte_of(line, from).map(|byte| &line[..byte]),
        None => is_end(first, from).then_some(""),
    };
    let tail = match line(last) {
        Some(line) => byte_of(line, to).map(|byte| &line[byte..]),
        None => is_end(last, to).then_some(""),
    };
    let (Some(head), Some(tail)) = (head, tail) else {
        return not_found;
    };
    let text = format!("{head}{}{tail}", hunk.body.postimage.join("\n"));
    let mut with: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let end = if last < document.len() {
        last + 1
    } else {
        // There is no line after the last line break.
        with.pop_if(|line| line.is_empty());
        document.len()
    };
    let lines = first..end;
    if lines
        .clone()
        .map(|at| document.line(at))
        .eq(with.iter().map(String::as_str))
    {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(first),
        };
    }
    placed(lines, with, None)
}

/// Returns the placement of lines that the edit names by number.
fn placed(lines: Range<LineIdx>, with: Vec<String>, doubt: Option<Doubt>) -> Location {
    let own = lines.clone();
    Location::Placed(Placement {
        confidence: doubt.map_or(Confidence::Fuzzy, |_| Confidence::Doubtful),
        offset: Some(0),
        chosen: Some(Chosen::Hint),
        doubt,
        ..Placement::exact(own, vec![Change { lines, with }])
    })
}

/// Returns the byte of a line at which a column in UTF-16 code units begins; a column past the end is the end. `None` inside a
/// character.
fn byte_of(line: &str, column: usize) -> Option<usize> {
    let mut units = 0;
    for (byte, c) in line.char_indices() {
        if units >= column {
            return (units == column).then_some(byte);
        }
        units += c.len_utf16();
    }
    (units <= column).then_some(line.len())
}
