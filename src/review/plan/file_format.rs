//! Differences between two versions of a text besides its lines: line endings, encoding, byte order mark.

use super::line_changes::LineChange;
use crate::review::session::hunk::Step;
use crate::text::{Document, LineEnding, LineIdx, LineNo};

/// The step that gives a text another form, if lines that stay are written otherwise in the new version, or all of it is.
pub(in crate::review) fn form_step(
    old: &Document,
    new: &Document,
    changes: &[LineChange],
) -> Option<Step> {
    let encodings = (old.encoding() != new.encoding()).then(|| {
        let [from, to] = [old, new].map(|text| text.encoding().to_string());
        (from, to)
    });
    let endings = endings(old, new, changes);
    let (from, to) = match (encodings, endings) {
        (None, None) => return None,
        (Some(one), None) | (None, Some(one)) => one,
        (Some((from, to)), Some((was, is))) => (format!("{from}, {was}"), format!("{to}, {is}")),
    };
    Some(Step::Form { from, to })
}

/// The lines that are in both versions: their positions in each.
fn staying<'a>(
    old: &'a Document,
    new: &'a Document,
    changes: &'a [LineChange],
) -> impl Iterator<Item = (LineIdx, LineIdx)> {
    let ends = [(old.len()..old.len(), new.len()..new.len())];
    let mut done = (0, 0);
    let gaps: Vec<_> = (changes.iter().chain(&ends))
        .map(|(goes, comes)| {
            let gap = (done.0..goes.start, done.1..comes.start);
            done = (goes.end, comes.end);
            gap
        })
        .collect();
    gaps.into_iter().flat_map(|(old, new)| old.zip(new))
}

/// The line endings of the lines that are in both versions, in a few words for each version; `None` if they are the same.
fn endings(old: &Document, new: &Document, changes: &[LineChange]) -> Option<(String, String)> {
    let differing: Vec<_> = staying(old, new, changes)
        .map(|(was, is)| (was, is, (old.ending(was), new.ending(is))))
        .filter(|(_, _, (was, is))| was != is)
        .collect();
    let &(_, first, pair) = differing.first()?;
    let has_one = [old, new].map(Document::has_one_ending);
    if has_one == [true, true] || differing.iter().any(|(_, _, other)| *other != pair) {
        return Some((all_endings(old), all_endings(new)));
    }
    let [was, is] = [pair.0, pair.1].map(name);
    let line = LineNo::from_idx(first);
    let lines = match differing.len() {
        1 => format!("{is} in line {line}"),
        count => format!("{is} in {count} lines from line {line} on"),
    };
    Some((was.to_owned(), lines))
}

/// The name of a line ending.
fn name(ending: LineEnding) -> &'static str {
    match ending {
        LineEnding::Lf => "LF",
        LineEnding::CrLf => "CRLF",
        LineEnding::None => "no newline",
    }
}

/// All line endings of a text, in a word or two.
fn all_endings(text: &Document) -> String {
    let mut with_return = (0..text.len()).filter(|&idx| text.ending(idx) == LineEnding::CrLf);
    let Some(first) = with_return.next() else {
        return "LF".to_owned();
    };
    if (0..text.len()).all(|idx| text.ending(idx) != LineEnding::Lf) {
        return "CRLF".to_owned();
    }
    let count = with_return.count() + 1;
    let at = LineNo::from_idx(first);
    match count {
        1 => format!("mixed line endings (CRLF in line {at})"),
        _ => format!("mixed line endings (CRLF in {count} lines from line {at} on)"),
    }
}
