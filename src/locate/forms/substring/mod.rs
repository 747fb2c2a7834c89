//! Hunks whose halves are a text and not whole lines: it may begin and end inside a line of the file.
//!
//! Such a text must occur in the file once, unless the edit is for every occurrence. Its changes are whole lines all the same,
//! so that it is reviewed and written like any other hunk.

mod cut_off;
mod text_range;

use std::ops::Range;

use crate::locate::matching::edit_script::Script;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::placement::{
    Change, Chosen, Confidence, Doubt, Location, Place, Placement, Rung, Unplaced,
};
use crate::proposal::{Body, Extent, Hunk};
use crate::text::{Document, LineIdx, LineNo};
use text_range::TextRange;

/// Maximum number of places of a text that are counted, if they may overlap.
const MAX_PASSAGES: usize = 1000;

/// Places a hunk whose halves are a text. `None` if they are lines, or if the text has no exact match: then its lines are
/// searched for like any others.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Option<Location> {
    let document = index.document;
    let body = &hunk.body;
    let is_every = matches!(hunk.extent, Extent::EveryText | Extent::Texts(_));
    let is_text = is_every || hunk.extent == Extent::Text;
    if !is_text || body.preimage.iter().all(String::is_empty) {
        return None;
    }
    let apart = if is_every {
        Apart::Whole
    } else {
        Apart::Shared
    };
    let passages = passages(index, hunk, apart);
    if let Extent::Texts(count) = hunk.extent
        && passages.len() != count
    {
        return Some(miscounted(index, hunk, &passages, count));
    }
    let first = passages.first()?;
    if hunk.extent == Extent::Text {
        // Whole lines are searched for as lines, so that the place of their result is found too.
        let is_whole = |passage: &TextRange| passage.is_whole(document);
        let has_edges = [body.preimage.first(), body.preimage.last()];
        let are_lines = !has_edges.into_iter().flatten().any(String::is_empty);
        if are_lines && passages.iter().all(is_whole) {
            return None;
        }
        if let [only] = passages.as_slice()
            && cut_off::is_dedented(document, body, only)
        {
            return None;
        }
    }
    if passages
        .iter()
        .all(|passage| is_applied(document, body, passage))
    {
        return Some(Location::AlreadyApplied {
            at: LineNo::from_idx(first.first),
        });
    }
    if is_every {
        let changes = passages_by_line(&passages)
            .iter()
            .flat_map(|group| changes(index, body, group))
            .collect();
        let last = passages.last().map_or(first.last, |passage| passage.last);
        let doubt = (passages.iter())
            .any(|passage| cut_off::is_inside_number(document, passage))
            .then_some(Doubt::Inside);
        return Some(placed(hunk, first.first..last + 1, changes, (None, doubt)));
    }
    let (passage, chosen) = match meant(&passages, hunk.hint) {
        Ok(meant) => meant,
        Err(several) => return Some(Location::Unplaced(several)),
    };
    let doubt =
        if cut_off::joins(document, body, passage) || cut_off::doubles(document, body, passage) {
            Some(Doubt::Joins)
        } else {
            cut_off::is_inside(document, passage).then_some(Doubt::Inside)
        };
    let changes = changes(index, body, std::slice::from_ref(passage));
    Some(placed(
        hunk,
        passage.first..passage.last + 1,
        changes,
        (chosen, doubt),
    ))
}

/// Returns the location of a text whose number of occurrences is not the one that the edit states.
fn miscounted(index: &Index<'_>, hunk: &Hunk, passages: &[TextRange], count: usize) -> Location {
    let written = standing(index, &hunk.body.postimage, Apart::Whole);
    if passages.is_empty()
        && written.len() == count
        && let Some(first) = written.first()
    {
        return Location::AlreadyApplied {
            at: LineNo::from_idx(first.first),
        };
    }
    if passages.is_empty() {
        return Location::Unplaced(Unplaced::NotFound {
            nearest: Vec::new(),
        });
    }
    let place = |passage: &TextRange| Place {
        line: LineNo::from_idx(passage.first),
        scope: None,
    };
    Location::Unplaced(Unplaced::Ambiguous {
        count: passages.len(),
        places: passages.iter().map(place).collect(),
        rung: Rung::Exact,
    })
}

/// Returns the chosen place, and the evidence that chose it: the only one, or the only one that begins in the line that the
/// edit names.
fn meant(
    passages: &[TextRange],
    hint: Option<LineNo>,
) -> Result<(&TextRange, Option<Chosen>), Unplaced> {
    if let [only] = passages {
        return Ok((only, None));
    }
    let is_hinted = |passage: &&TextRange| hint.is_some_and(|hint| hint.idx() == passage.first);
    let mut hinted = passages.iter().filter(is_hinted);
    if let (Some(passage), None) = (hinted.next(), hinted.next()) {
        return Ok((passage, Some(Chosen::Hint)));
    }
    let place = |passage: &TextRange| Place {
        line: LineNo::from_idx(passage.first),
        scope: None,
    };
    Err(Unplaced::Ambiguous {
        count: passages.len(),
        places: passages.iter().map(place).collect(),
        rung: Rung::Exact,
    })
}

/// Returns the lines of the text that begins in a line of the file, and the changes that replace it by the postimage. `None` if
/// no such text begins there.
pub(crate) fn changes_at(
    index: &Index<'_>,
    hunk: &Hunk,
    at: LineIdx,
) -> Option<(Range<LineIdx>, Vec<Change>)> {
    let body = &hunk.body;
    if body.preimage.iter().all(String::is_empty) {
        return None;
    }
    let passages = passages(index, hunk, Apart::Shared);
    let passage = passages.iter().find(|passage| passage.first == at)?;
    let lines = passage.first..passage.last + 1;
    Some((lines, changes(index, body, std::slice::from_ref(passage))))
}

/// Rule for places that overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// They are kept: `aa` occurs twice in `aaa`, and either may be the right one.
    Shared,
    /// They are not kept, because all places are changed.
    Whole,
}

/// Returns every place of a hunk's text. If the text ends its line, a place where the line continues is not one.
fn passages(index: &Index<'_>, hunk: &Hunk, apart: Apart) -> Vec<TextRange> {
    let document = index.document;
    let mut passages = standing(index, &hunk.body.preimage, apart);
    passages.retain(|passage| !hunk.ends_line || passage.to == document.line(passage.last).len());
    passages
}

/// Returns the places of a text, at most [`MAX_PASSAGES`] if they may overlap.
fn standing(index: &Index<'_>, text: &[String], apart: Apart) -> Vec<TextRange> {
    let document = index.document;
    let Some((nth, key)) = longest(text) else {
        return Vec::new();
    };
    let step = match apart {
        Apart::Shared => key.chars().next().map_or(1, char::len_utf8),
        Apart::Whole => key.len(),
    };
    let mut found: Vec<TextRange> = Vec::new();
    let mut from = 0;
    while let Some(at) = index.find_text(key, from) {
        from = at + step;
        let line = document.line_at(at);
        let passage = line.checked_sub(nth).and_then(|first| {
            let column = at - document.bytes_of(line..line).start;
            passage_at(document, text, first, column)
        });
        let Some(passage) = passage else {
            continue;
        };
        let is_known = found.last().is_some_and(|last| {
            *last == passage
                || (apart == Apart::Whole && (passage.first, passage.from) < (last.last, last.to))
        });
        if !is_known {
            found.push(passage);
        }
        if apart == Apart::Shared && found.len() == MAX_PASSAGES {
            break;
        }
    }
    found
}

/// Returns the longest line of a text, which is searched for in the whole file, and its position.
fn longest(text: &[String]) -> Option<(usize, &str)> {
    let lines = text.iter().map(String::as_str).enumerate();
    let longest = lines.max_by_key(|(_, line)| line.len());
    longest.filter(|(_, line)| !line.is_empty())
}

/// Searches for the texts of all hunks of a file together.
pub(crate) fn search_all(index: &Index<'_>, hunks: &[&Hunk]) {
    let is_text = |hunk: &&&Hunk| {
        matches!(
            hunk.extent,
            Extent::Text | Extent::EveryText | Extent::Texts(_)
        )
    };
    let texts = hunks.iter().filter(is_text);
    let keys = texts.filter_map(|hunk| longest(&hunk.body.preimage));
    index.search_texts(keys.map(|(_, key)| key));
}

/// Returns the passage of a text that begins in a line, if it matches there: a text of one line at a column, another one at the
/// end of the line.
fn passage_at(
    document: &Document,
    text: &[String],
    first: LineIdx,
    column: usize,
) -> Option<TextRange> {
    let last = first + text.len() - 1;
    match text {
        [] => None,
        [line] => Some(TextRange {
            first,
            from: column,
            last,
            to: column + line.len(),
        }),
        [head, middle @ .., tail] => {
            let is_there = last < document.len()
                && document.line(first).ends_with(head.as_str())
                && document.line(last).starts_with(tail.as_str())
                && middle
                    .iter()
                    .zip(first + 1..)
                    .all(|(line, at)| document.line(at) == line);
            is_there.then(|| TextRange {
                first,
                from: document.line(first).len() - head.len(),
                last,
                to: tail.len(),
            })
        }
    }
}

/// Returns true if the postimage is around a place of the preimage: an applied insertion leaves its preimage there.
fn is_applied(document: &Document, body: &Body, passage: &TextRange) -> bool {
    let (before, after) = (body.preimage.join("\n"), body.postimage.join("\n"));
    let above = body.postimage.len();
    let window =
        passage.first.saturating_sub(above)..(passage.last + 1 + above).min(document.len());
    let lines: Vec<&str> = window.clone().map(|idx| document.line(idx)).collect();
    let start = lines[..passage.first - window.start]
        .iter()
        .map(|line| line.len() + 1)
        .sum::<usize>()
        + passage.from;
    let text = lines.join("\n");
    before != after
        && after.match_indices(&before).any(|(offset, _)| {
            start.checked_sub(offset).is_some_and(|begin| {
                text.get(begin..)
                    .is_some_and(|rest| rest.starts_with(&after))
            })
        })
}

/// Groups passages that share a line, because their lines can only be changed as one.
fn passages_by_line(passages: &[TextRange]) -> Vec<&[TextRange]> {
    passages.chunk_by(|a, b| a.last == b.first).collect()
}

/// Returns the changes of the lines that passages share if the postimage replaces each of these passages.
fn changes(index: &Index<'_>, body: &Body, passages: &[TextRange]) -> Vec<Change> {
    let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
        return Vec::new();
    };
    let document = index.document;
    let lines = first.first..last.last + 1;
    let with = body.postimage.join("\n");
    let is_whole = first.from == 0 && last.to == document.line(last.last).len();
    let mut text = document.line(first.first)[..first.from].to_owned();
    for (i, passage) in passages.iter().enumerate() {
        text.push_str(&with);
        let end = passages
            .get(i + 1)
            .map_or(document.line(passage.last).len(), |next| next.from);
        text.push_str(&document.line(passage.last)[passage.to..end]);
    }
    let postimage = if is_whole && body.postimage.is_empty() && passages.len() == 1 {
        Vec::new()
    } else {
        text.split('\n').map(str::to_owned).collect()
    };
    let whole = Body {
        preimage: lines
            .clone()
            .map(|idx| document.line(idx).to_owned())
            .collect(),
        postimage,
    };
    Script::of(&whole).changes(&whole, &Match::straight(lines), Rung::Exact, index)
}

fn placed(
    hunk: &Hunk,
    lines: Range<LineIdx>,
    changes: Vec<Change>,
    (chosen, doubt): (Option<Chosen>, Option<Doubt>),
) -> Location {
    if changes.is_empty() {
        return Location::Unplaced(Unplaced::NoChange);
    }
    Location::Placed(Placement {
        offset: hunk
            .hint
            .map(|hint| lines.start.cast_signed() - hint.idx().cast_signed()),
        confidence: match (doubt, chosen) {
            (Some(_), _) => Confidence::Doubtful,
            (None, Some(_)) => Confidence::Hinted,
            (None, None) => Confidence::Exact,
        },
        chosen,
        doubt,
        ..Placement::exact(lines, changes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::shown;

    #[track_caller]
    fn check(file: &str, extent: Extent, edit: (&str, &str), expected: &str) {
        let document = Document::from_text(file.replace('|', "\n"));
        let hunk = shown::hunk(extent, edit.0, edit.1);
        let placed = place(&Index::new(&document), &hunk);
        let shown = placed.map_or("sought as lines".to_owned(), |at| shown::location(&at));
        assert_eq!(shown, expected, "{file:?} {edit:?}");
    }

    #[test]
    fn a_text_may_begin_and_end_inside_a_line() {
        use Extent::{EveryText, Lines, Text, Texts};
        check("let a = 1;|b", Text, ("a = 1", "a = 2"), "0-1:let a = 2;");
        check("f(a,|  b)|c", Text, ("a,|  b", "b"), "0-2:f(b)");
        check("a|b|c", Text, ("b", ""), "sought as lines");
        check("ab|c", Text, ("b", ""), "Inside");
        check("a b|b", Text, ("b", "x"), "ambiguous in 2");
        check("a b|b", EveryText, ("b", "x"), "0-1:a x 1-2:x");
        check("b b|c|b", EveryText, ("b", "x"), "0-1:x x 2-3:x");
        check("b|c|b", Texts(2), ("b", "x"), "0-1:x 2-3:x");
        check("b|c|b", Texts(3), ("b", "x"), "ambiguous in 2");
        check("x|c|x", Texts(2), ("b", "x"), "applied at 1");
        check("foo(x)", Text, ("foo(x", "foo(x, y"), "0-1:foo(x, y)");
        check("foo(x, y)", Text, ("foo(x", "foo(x, y"), "applied at 1");
        check("a|b", Text, ("z", "x"), "sought as lines");
        check("a|b", Lines, ("a", "x"), "sought as lines");
    }

    #[test]
    fn a_text_keeps_lines_and_words_apart() {
        use Extent::Text;
        check("a|b|c", Text, ("b|", "x"), "Joins");
        check("a|b|c", Text, ("|b", "x"), "Joins");
        check("a|b|c", Text, ("|b|", ""), "Joins");
        check("a|b|c", Text, ("b|", ""), "1-2:");
        check("a|b||c", Text, ("b|", "x"), "1-3:x");
        check("import a", Text, ("mport a", "import b"), "Joins");
        check("import a", Text, ("port a", "possible a"), "Inside");
        check("f(|  a,|  b", Text, ("  a", "  a,|  c,"), "Joins");
        check("  a|  b", Text, ("a", "a|c"), "sought as lines");
        check("  a|  b", Text, ("a", "a|  c"), "1-1:  c");
    }
}
