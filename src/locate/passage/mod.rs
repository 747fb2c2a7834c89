//! Hunks whose halves are a text and not whole lines: it may begin and end inside a line of the file.
//!
//! Such a text must stand in the file once, or the edit says that it means every place. What it changes is told in whole
//! lines all the same, so that it is reviewed and written like any other hunk.

mod cut_off;

use std::ops::Range;

use super::align::Match;
use super::index::Index;
use super::place::{Change, Chosen, Confidence, Doubt, Location, Place, Placement, Rung, Unplaced};
use super::scope;
use super::script::Script;
use crate::proposal::{Body, Extent, Hunk};
use crate::text::{Document, LineIdx, LineNo};

/// Where a text stands: from a byte of one line to a byte of the same or a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Passage {
    first: LineIdx,
    /// The byte of the first line at which it begins.
    from: usize,
    last: LineIdx,
    /// The byte of the last line before which it ends.
    to: usize,
}

/// The answer for a hunk whose halves are a text; `None` if they are lines, or if the text stands nowhere to the letter:
/// then its lines are sought like any others.
pub(super) fn place(index: &Index<'_>, hunk: &Hunk) -> Option<Location> {
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
    let passages = passages(document, hunk, apart);
    if let Extent::Texts(count) = hunk.extent
        && passages.len() != count
    {
        return Some(miscounted(document, hunk, &passages, count));
    }
    let first = passages.first()?;
    if let ([only], Extent::Text) = (passages.as_slice(), hunk.extent)
        && cut_off::is_dedented(document, body, only)
    {
        return None;
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
        return Some(placed(hunk, first.first..last + 1, changes, None));
    }
    let (passage, chosen) = match meant(&passages, hunk.hint) {
        Ok(meant) => meant,
        Err(several) => return Some(Location::Unplaced(several)),
    };
    if cut_off::joins(document, body, passage) || cut_off::doubles(document, body, passage) {
        return Some(Location::Unplaced(Unplaced::Doubtful {
            place: scope::place(document, passage.first),
            doubt: Doubt::Joins,
        }));
    }
    let changes = changes(index, body, std::slice::from_ref(passage));
    Some(placed(
        hunk,
        passage.first..passage.last + 1,
        changes,
        chosen,
    ))
}

/// The answer for a text that stands in the file another number of times than the edit states.
fn miscounted(document: &Document, hunk: &Hunk, passages: &[Passage], count: usize) -> Location {
    let written = standing(document, &hunk.body.postimage, Apart::Whole);
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
    let place = |passage: &Passage| scope::place(document, passage.first);
    Location::Unplaced(Unplaced::Ambiguous {
        count: passages.len(),
        places: passages.iter().map(place).collect(),
        rung: Rung::Exact,
    })
}

/// The place that is meant, and what chose it: the only one, or the only one that begins in the line that the edit names.
fn meant(
    passages: &[Passage],
    hint: Option<LineNo>,
) -> Result<(&Passage, Option<Chosen>), Unplaced> {
    if let [only] = passages {
        return Ok((only, None));
    }
    let is_hinted = |passage: &&Passage| hint.is_some_and(|hint| hint.idx() == passage.first);
    let mut hinted = passages.iter().filter(is_hinted);
    if let (Some(passage), None) = (hinted.next(), hinted.next()) {
        return Ok((passage, Some(Chosen::Hint)));
    }
    let place = |passage: &Passage| Place {
        line: LineNo::from_idx(passage.first),
        scope: None,
    };
    Err(Unplaced::Ambiguous {
        count: passages.len(),
        places: passages.iter().map(place).collect(),
        rung: Rung::Exact,
    })
}

/// The lines that a text stands on which begins in a line of the file, and what putting the postimage in its place makes of
/// them. `None` if no such text begins there.
pub(super) fn changes_at(
    index: &Index<'_>,
    hunk: &Hunk,
    at: LineIdx,
) -> Option<(Range<LineIdx>, Vec<Change>)> {
    let body = &hunk.body;
    if body.preimage.iter().all(String::is_empty) {
        return None;
    }
    let passages = passages(index.document, hunk, Apart::Shared);
    let passage = passages.iter().find(|passage| passage.first == at)?;
    let lines = passage.first..passage.last + 1;
    Some((lines, changes(index, body, std::slice::from_ref(passage))))
}

/// Whether places may share a part of their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Apart {
    /// They may: `aa` stands twice in `aaa`, and nobody knows which is meant.
    Shared,
    /// They may not, for all of them are changed.
    Whole,
}

/// Every place where the text that a hunk looks for stands. One that ends its last line is none where the line goes on.
fn passages(document: &Document, hunk: &Hunk, apart: Apart) -> Vec<Passage> {
    let mut passages = standing(document, &hunk.body.preimage, apart);
    passages.retain(|passage| !hunk.ends_line || passage.to == document.line(passage.last).len());
    passages
}

/// Every place where a text stands.
fn standing(document: &Document, text: &[String], apart: Apart) -> Vec<Passage> {
    match text {
        [] => Vec::new(),
        [line] => {
            let finder = memchr::memmem::Finder::new(line);
            let step = match apart {
                Apart::Shared => line.chars().next().map_or(1, char::len_utf8),
                Apart::Whole => line.len().max(1),
            };
            let of_line = |(idx, found): (LineIdx, &str)| {
                let mut starts = Vec::new();
                let mut from = 0;
                while let Some(at) = found.as_bytes().get(from..).and_then(|f| finder.find(f)) {
                    starts.push(from + at);
                    from += at + step;
                }
                starts.into_iter().map(move |from| Passage {
                    first: idx,
                    from,
                    last: idx,
                    to: from + line.len(),
                })
            };
            document.lines().enumerate().flat_map(of_line).collect()
        }
        [head, middle @ .., tail] => {
            let stands = |first: LineIdx| {
                let last = first + middle.len() + 1;
                document.line(first).ends_with(head.as_str())
                    && last < document.len()
                    && middle
                        .iter()
                        .enumerate()
                        .all(|(i, line)| document.line(first + 1 + i) == line)
                    && document.line(last).starts_with(tail.as_str())
            };
            let passage = |first: LineIdx| Passage {
                first,
                from: document.line(first).len() - head.len(),
                last: first + middle.len() + 1,
                to: tail.len(),
            };
            let mut after = 0;
            (0..document.len())
                .filter(|&first| {
                    let found = first >= after && stands(first);
                    after = if found && apart == Apart::Whole {
                        first + middle.len() + 1
                    } else {
                        after
                    };
                    found
                })
                .map(passage)
                .collect()
        }
    }
}

/// Whether the postimage stands around a place where the preimage does: an applied insertion leaves its preimage there.
fn is_applied(document: &Document, body: &Body, passage: &Passage) -> bool {
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

/// Passages that share a line, together: their lines can only be changed as one.
fn passages_by_line(passages: &[Passage]) -> Vec<&[Passage]> {
    passages.chunk_by(|a, b| a.last == b.first).collect()
}

/// What putting the postimage in the place of passages that share lines makes of those lines.
fn changes(index: &Index<'_>, body: &Body, passages: &[Passage]) -> Vec<Change> {
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
    chosen: Option<Chosen>,
) -> Location {
    if changes.is_empty() {
        return Location::Unplaced(Unplaced::NoChange);
    }
    Location::Placed(Placement {
        offset: hunk
            .hint
            .map(|hint| lines.start.cast_signed() - hint.idx().cast_signed()),
        lines,
        rung: Rung::Exact,
        confidence: if chosen.is_some() {
            Confidence::Hinted
        } else {
            Confidence::Exact
        },
        chosen,
        similarity: 1.0,
        forgiven: Vec::new(),
        changes,
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
        check("a|b|c", Text, ("b", ""), "1-2:");
        check("ab|c", Text, ("b", ""), "0-1:a");
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
        check(
            "import a",
            Text,
            ("port a", "possible a"),
            "0-1:impossible a",
        );
        check("f(|  a,|  b", Text, ("  a", "  a,|  c,"), "Joins");
        check("  a|  b", Text, ("a", "a|c"), "sought as lines");
        check("  a|  b", Text, ("a", "a|  c"), "1-1:  c");
    }
}
