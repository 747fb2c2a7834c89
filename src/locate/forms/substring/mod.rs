//! Hunks whose halves are a text and not whole lines: it may begin and end inside a line of the file.
//!
//! Such a text must occur in the file once, unless the edit is for every occurrence. Its changes are whole lines all the same,
//! so that it is reviewed and written like any other hunk.

mod cut_off;
mod occurrences;
mod text_range;
mod trace;

use std::borrow::Cow;
use std::ops::Range;

use crate::locate::matching::edit_script::{Script, with_final_newline};
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::{has_word, is_blank};
use crate::locate::placement::{
    Change, Chosen, Confidence, Doubt, Location, Placement, Rung, Unplaced,
};
use crate::proposal::{Body, Extent, FinalNewline, Hunk};
use crate::text::{Document, LineIdx, LineNo};
use occurrences::{Apart, longest, occurrences};
use text_range::TextRange;
use trace::{Trace, applied};

/// Places a hunk whose halves are a text. `None` if they are lines, or if the text has no exact match: then its lines are
/// searched for like any others.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Option<Location> {
    place_trusting(index, hunk, true)
}

/// Places it where its result may be there for another reason: another hunk of the file is still to be made.
pub(crate) fn place_beside_undone(index: &Index<'_>, hunk: &Hunk) -> Option<Location> {
    place_trusting(index, hunk, false)
}

/// Places it; if traces are to be trusted, words of its result around its text say that it is applied already.
fn place_trusting(index: &Index<'_>, hunk: &Hunk, trusts_traces: bool) -> Option<Location> {
    let document = index.document;
    let body = &*text_of(hunk);
    let is_every = matches!(hunk.extent, Extent::EveryText | Extent::Texts(_));
    let is_text = is_every || hunk.extent == Extent::Text;
    if !is_text || body.preimage.is_empty() {
        return None;
    }
    let apart = if is_every {
        Apart::Whole
    } else {
        Apart::Shared
    };
    let mut passages = passages(index, hunk, body, apart);
    if let Extent::Texts(count) = hunk.extent
        && passages.len() != count
    {
        return Some(miscounted(index, hunk, &passages, count));
    }
    let is_bare = hunk.body.preimage.iter().all(|line| is_blank(line));
    if passages.is_empty() && is_bare {
        // Any other blanks would do as well.
        return Some(Location::Unplaced(Unplaced::NotFound {
            nearest: Vec::new(),
        }));
    }
    let traces: Vec<Option<Trace>> = (passages.iter())
        .map(|passage| applied(document, hunk, passage))
        .collect();
    let is_telling = |trace: &Option<Trace>| *trace == Some(Trace::Telling);
    // Some of the places have the result already: the edit was made before the others were written, as a rule.
    let is_partly_done = hunk.extent == Extent::EveryText
        && traces.iter().any(is_telling)
        && !traces.iter().all(is_telling);
    if is_partly_done {
        let mut is_done = traces.iter().map(is_telling);
        passages.retain(|_| is_done.next() == Some(false));
    }
    let first = passages.first()?;
    if hunk.extent == Extent::Text && !is_bare && is_for_lines(index, hunk, &passages) {
        return None;
    }
    let trace = traces.into_iter().reduce(Option::min).flatten();
    if trusts_traces && trace == Some(Trace::Telling) {
        return Some(Location::AlreadyApplied {
            at: LineNo::from_idx(first.first),
        });
    }
    let done = (is_partly_done || trace.is_some()).then_some(Doubt::Done);
    if is_every {
        let (changes, end) = changes(index, body, &passages);
        let last = passages.last().map_or(first.last, |passage| passage.last);
        let doubt = (passages.iter())
            .any(|passage| cut_off::is_inside_number(document, passage))
            .then_some(Doubt::Inside);
        let lines = first.first..(last + 1).min(document.len());
        return Some(placed(hunk, lines, (changes, end), (None, done.or(doubt))));
    }
    let (passage, chosen) = match meant(&passages, hunk.hint) {
        Ok(meant) => meant,
        Err(several) => return Some(Location::Unplaced(several)),
    };
    let is = |check: fn(&Document, &Body, &TextRange) -> bool| check(document, body, passage);
    let doubt = if is(cut_off::joins) || is(cut_off::doubles) {
        Some(Doubt::Joins)
    } else if cut_off::is_inside(document, passage) {
        Some(Doubt::Inside)
    } else if is(cut_off::splits) {
        Some(Doubt::Splits)
    } else {
        is(cut_off::outdents).then_some(Doubt::Indentation)
    };
    let changes = changes(index, body, std::slice::from_ref(passage));
    Some(placed(
        hunk,
        passage.first..(passage.last + 1).min(document.len()),
        changes,
        (chosen, done.or(doubt)),
    ))
}

/// Returns true if a text is searched for as lines, which knows more ways to choose between places: it is whole lines, and is in
/// the file several times, or its result is elsewhere in the file.
fn is_for_lines(index: &Index<'_>, hunk: &Hunk, passages: &[TextRange]) -> bool {
    let is_whole = |passage: &TextRange| passage.is_whole(index.document);
    let Body {
        preimage,
        postimage,
    } = &hunk.body;
    let has_edges = [preimage.first(), preimage.last()];
    if has_edges.into_iter().flatten().any(String::is_empty) || !passages.iter().all(is_whole) {
        return false;
    }
    let [only] = passages else {
        return true;
    };
    let is_apart = |other: &TextRange| other.last < only.first || only.last < other.first;
    let is_telling = postimage.iter().any(|line| has_word(line));
    let is_elsewhere = |other: &TextRange| is_whole(other) && is_apart(other);
    is_telling
        && occurrences(index, postimage, Apart::Shared)
            .iter()
            .any(is_elsewhere)
}

/// Returns the location of a text whose number of occurrences is not the one that the edit states.
fn miscounted(index: &Index<'_>, hunk: &Hunk, passages: &[TextRange], count: usize) -> Location {
    let written = occurrences(index, &hunk.body.postimage, Apart::Whole);
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
    let lines = passages.iter().map(|passage| passage.first);
    Location::Unplaced(Unplaced::ambiguous(Rung::Exact, lines))
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
    let lines = passages.iter().map(|passage| passage.first);
    Err(Unplaced::ambiguous(Rung::Exact, lines))
}

/// Returns the lines of the text that begins in a line of the file, the changes that replace it by the postimage, and the newline
/// at the end of the file. `None` if no such text begins there.
pub(crate) fn changes_at(
    index: &Index<'_>,
    hunk: &Hunk,
    at: LineIdx,
) -> Option<(Range<LineIdx>, Changes)> {
    let body = &*text_of(hunk);
    let passages = passages(index, hunk, body, Apart::Shared);
    let passage = passages.iter().find(|passage| passage.first == at)?;
    let lines = passage.first..(passage.last + 1).min(index.document.len());
    Some((lines, changes(index, body, std::slice::from_ref(passage))))
}

/// The changes of a text, and what they make of the newline at the end of the file.
pub(crate) type Changes = (Vec<Change>, FinalNewline);

/// Returns the two halves of a hunk as texts. A line break at the end of both belongs to neither, but one that is removed with
/// its line is a part of the text.
fn text_of(hunk: &Hunk) -> Cow<'_, Body> {
    if !hunk.ends_line || !hunk.body.postimage.is_empty() {
        return Cow::Borrowed(&hunk.body);
    }
    let mut body = hunk.body.clone();
    body.preimage.push(String::new());
    Cow::Owned(body)
}

/// Returns every place of a hunk's text. If the text ends its line, a place where the line continues is not one, nor is the end of a
/// file without a final newline.
fn passages(index: &Index<'_>, hunk: &Hunk, body: &Body, apart: Apart) -> Vec<TextRange> {
    let document = index.document;
    if !hunk.ends_line {
        return occurrences(index, &body.preimage, apart);
    }
    let has_break = body.preimage.len() > hunk.body.preimage.len();
    let mut text = hunk.body.preimage.clone();
    text.push(String::new());
    let mut passages = occurrences(index, &text, apart);
    if !has_break {
        for passage in &mut passages {
            passage.last -= 1;
            passage.to = document.line(passage.last).len();
        }
    }
    passages
}

/// Searches for the texts of all hunks of a file together.
pub(crate) fn search_all(index: &Index<'_>, hunks: &[&Hunk]) {
    let texts = hunks.iter().filter(|hunk| {
        matches!(
            hunk.extent,
            Extent::Text | Extent::EveryText | Extent::Texts(_)
        )
    });
    // The result of a text with a word is looked for as well: it may be elsewhere in the file.
    let keys = texts.flat_map(|hunk| {
        let Body {
            preimage,
            postimage,
        } = &hunk.body;
        let is_telling = hunk.extent == Extent::Text && postimage.iter().any(|line| has_word(line));
        let result = if is_telling { longest(postimage) } else { None };
        [longest(preimage), result]
    });
    index.search_texts(keys.flatten().map(|(_, key)| key));
}

/// Groups passages that share a line, because their lines can only be changed as one.
fn passages_by_line(passages: &[TextRange]) -> Vec<&[TextRange]> {
    passages.chunk_by(|a, b| a.last == b.first).collect()
}

/// Returns the changes that replace each of these passages by the postimage, and what they make of the newline at the end of the
/// file.
fn changes(index: &Index<'_>, body: &Body, passages: &[TextRange]) -> Changes {
    let (mut changes, mut end) = (Vec::new(), FinalNewline::Keep);
    for group in passages_by_line(passages) {
        let (of_group, own_end) = changes_of_lines(index, body, group);
        changes.extend(of_group);
        end = own_end;
    }
    let document = index.document;
    (
        with_final_newline(changes, end, document, document.len()),
        end,
    )
}

/// Returns the changes of the lines that passages share if the postimage replaces each of these passages.
///
/// If the last passage reaches the end of the file, the new text states whether the file ends with a newline.
fn changes_of_lines(index: &Index<'_>, body: &Body, passages: &[TextRange]) -> Changes {
    let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
        return (Vec::new(), FinalNewline::Keep);
    };
    let document = index.document;
    let lines = first.first..(last.last + 1).min(document.len());
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
    let has_break = body.preimage.len() > 1 && body.preimage.last().is_some_and(String::is_empty);
    let removes = is_whole && !has_break && body.postimage.is_empty() && passages.len() == 1;
    let mut end = FinalNewline::Keep;
    let mut is_gone = removes;
    if last.reaches_end(document) {
        is_gone |= text.is_empty();
        // Without the last line the file ends with the newline of the one above.
        end = if text.is_empty() || text.ends_with('\n') {
            FinalNewline::Add
        } else {
            FinalNewline::Remove
        };
        text.truncate(text.strip_suffix('\n').unwrap_or(&text).len());
    }
    let postimage = if is_gone {
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
    let changes = Script::of(&whole).changes(&whole, &Match::straight(lines), Rung::Exact, index);
    (changes, end)
}

fn placed(
    hunk: &Hunk,
    lines: Range<LineIdx>,
    (changes, final_newline): Changes,
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
        final_newline,
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
        check("a|b|c", Text, ("b", ""), "1-2:");
        check("a|b|c", Text, ("b", "a"), "sought as lines");
        check("a|b|}", Text, ("b", "}"), "1-2:}");
        check("a|b|c|b", Text, ("b", "d"), "sought as lines");
        check("ab|c", Text, ("b", ""), "Inside");
        check("a b|b", Text, ("b", "x"), "ambiguous in 2");
        check("a b|b", EveryText, ("b", "x"), "0-1:a x 1-2:x");
        check("b b|c|b", EveryText, ("b", "x"), "0-1:x x 2-3:x");
        // One of the places has the result already.
        check(
            "x = 1|x2 = 1||x = 1",
            EveryText,
            ("x = 1", "x = 1|x2 = 1"),
            "Done",
        );
        check("b|c|b", Texts(2), ("b", "x"), "0-1:x 2-3:x");
        check("b|c|b", Texts(3), ("b", "x"), "ambiguous in 2");
        check("x|c|x", Texts(2), ("b", "x"), "applied at 1");
        check("foo(x)", Text, ("foo(x", "foo(x, y"), "0-1:foo(x, y)");
        check("foo(x, y)", Text, ("foo(x", "foo(x, y"), "applied at 1");
        check("a|b", Text, ("z", "x"), "sought as lines");
        check("a|b", Lines, ("a", "x"), "sought as lines");
    }

    #[test]
    fn a_text_at_the_end_states_the_final_newline() {
        use Extent::{EveryText, Text};
        check("a|b", Text, ("b", "b|"), "1-2:b");
        check("a|b|", Text, ("b", "b|"), "Done");
        check("a|b|", Text, ("b|", "b"), "1-2:b");
        check("a|b|c", Text, ("b|", "b"), "Joins");
        check("a|b|a|b|", EveryText, ("b|", "c"), "1-3:ca 3-4:c");
        check("a,|b,|", EveryText, (",|", ", "), "0-2:a, b, ");
        check("a|b", Text, ("|b", "|b|"), "1-2:b");
    }

    #[test]
    fn a_text_may_be_nothing_but_line_breaks() {
        use Extent::{EveryText, Text};
        check("a||b", Text, ("||", "|"), "1-2:");
        check("a||b|", Text, ("|", ""), "ambiguous in 3");
        check("a|b", Text, ("|", ", "), "Joins");
        check("a|b|", EveryText, ("|", ","), "0-2:a,b,");
        check("a|b", Text, ("||", "|"), "not found");
        check("a|  b", Text, ("\t|", ""), "not found");
    }

    #[test]
    fn only_words_around_a_text_show_that_it_is_applied() {
        use Extent::Text;
        check("a b", Text, ("a", "a "), "Done");
        check("a, b", Text, ("a", "a, b"), "applied at 1");
        check("a|b", Text, ("a", "a|b"), "applied at 1");
        check("a|b|", Text, ("|b", "|b|"), "Done");
        check("a| b", Text, (" b", " b|"), "1-2: b");
    }

    #[test]
    fn a_text_keeps_lines_and_words_apart() {
        use Extent::Text;
        check("x = f(a) + c", Text, ("x = f(a)", "x = f(a)|y"), "Splits");
        check("p: red !x;", Text, ("p: red", "p: red;|m: 0"), "Splits");
        check("sudo make", Text, ("make", "make clean|make"), "Splits");
        check(
            "x = f(a) + c",
            Text,
            ("f(a)", "f(|a|)"),
            "0-1:x = f(|a|) + c",
        );
        check("if x {", Text, ("x", "x|&& y"), "0-1:if x|&& y {");
        check(" x = 1|z", Text, ("x = 1", "x = 1|y = 2"), "Indentation");
        check(" x = 1|z", Text, ("x = 1", "w = 2|x = 1"), "Indentation");
        check(" x = 1|z", Text, ("x = 1", "x = 1||y = 2"), "1-1:|y = 2");
        check(" x = 1|z", Text, ("x = 1", "x = 1| y = 2"), "1-1: y = 2");
        check("a|b|c", Text, ("b|", "x"), "Joins");
        check("a|b|c", Text, ("|b", "x"), "Joins");
        check("a|b|c", Text, ("|b|", ""), "Joins");
        check("a|b|c", Text, ("b|", ""), "1-2:");
        check("a|b||c", Text, ("b|", "x"), "1-3:x");
        check("import a", Text, ("mport a", "import b"), "Joins");
        check("import a", Text, ("port a", "possible a"), "Inside");
        check("f(|  a,|  b", Text, ("  a", "  a,|  c,"), "Joins");
        check("  a|  b", Text, ("a", "a|c"), "Indentation");
        check("  a|  b", Text, ("a", "a|  c"), "1-1:  c");
    }
}
