//! Anchors: lines above its place that an edit names.

use std::rc::Rc;

use crate::locate::matching::index::Index;
use crate::locate::matching::normalize::fold;
use crate::locate::matching::scope::enclosing;
use crate::locate::placement::Rung;
use crate::proposal::{Anchor, AnchorStrength};
use crate::text::LineIdx;

/// The lines that the innermost anchor of a hunk may refer to, in file order, each below the matches of the outer anchors.
pub(crate) struct Named {
    lines: Rc<Vec<LineIdx>>,
    from: usize,
}

impl Named {
    pub(crate) fn as_slice(&self) -> &[LineIdx] {
        &self.lines[self.from..]
    }
}

/// Returns the places among `starts` that the anchors point at; all of them if the anchors exclude none.
///
/// A place inside the scopes that the anchors name, each within the one before, has priority over any other. If there is none,
/// and an anchor that the author stated matches one line, the result is the first place from that line on.
pub(crate) fn narrow(index: &Index<'_>, anchors: &[Anchor], starts: &[LineIdx]) -> Vec<LineIdx> {
    let Some(innermost) = anchors.last() else {
        return starts.to_vec();
    };
    let all: Vec<Rc<Vec<LineIdx>>> = anchors
        .iter()
        .map(|anchor| lines_of(index, anchor))
        .collect();
    let enclosed: Vec<LineIdx> = starts
        .iter()
        .copied()
        .filter(|&start| is_enclosed(index, &all, start))
        .collect();
    if !enclosed.is_empty() {
        return enclosed;
    }
    match lines(index, anchors).as_slice() {
        &[line] if innermost.strength == AnchorStrength::Stated => starts
            .iter()
            .copied()
            .filter(|&start| start >= line)
            .min()
            .map_or_else(|| starts.to_vec(), |first| vec![first]),
        _ => starts.to_vec(),
    }
}

/// Returns the lines that the innermost anchor may refer to.
pub(crate) fn lines(index: &Index<'_>, anchors: &[Anchor]) -> Named {
    let Some((innermost, outer)) = anchors.split_last() else {
        return Named {
            lines: Rc::default(),
            from: 0,
        };
    };
    let mut after = 0;
    for anchor in outer {
        let candidates = lines_of(index, anchor);
        let first = candidates.partition_point(|&line| line < after);
        if let Some(&line) = candidates.get(first) {
            after = line + 1;
        }
    }
    let lines = lines_of(index, innermost);
    Named {
        from: lines.partition_point(|&line| line < after),
        lines,
    }
}

fn is_enclosed(index: &Index<'_>, lines: &[Rc<Vec<LineIdx>>], start: LineIdx) -> bool {
    let mut scopes = enclosing(index.document, start);
    // The block may begin with the anchor line itself.
    let mut own = Some(start);
    lines.iter().rev().all(|candidates| {
        let mut is_candidate = |line: LineIdx| candidates.binary_search(&line).is_ok();
        own.take().is_some_and(&mut is_candidate) || scopes.any(is_candidate)
    })
}

/// Returns the lines that match the text of an anchor: those equal to it apart from blanks and punctuation, else those that
/// begin with it. The result is cached, because many hunks may have the same anchor.
fn lines_of(index: &Index<'_>, anchor: &Anchor) -> Rc<Vec<LineIdx>> {
    let text = anchor.text.trim();
    if let Some(known) = index.anchors.borrow().get(text) {
        return Rc::clone(known);
    }
    let found = Rc::new(find(index, text));
    let mut known = index.anchors.borrow_mut();
    known.insert(text.to_owned(), Rc::clone(&found));
    found
}

fn find(index: &Index<'_>, text: &str) -> Vec<LineIdx> {
    for rung in [Rung::Indent, Rung::Punctuation] {
        let found: Vec<LineIdx> = index.folded(rung).lines_like(&fold(rung, text)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    if text.is_empty() {
        return Vec::new();
    }
    let begins = (0..index.document.len()).filter(|&idx| {
        let rest = index.document.line(idx).trim_start().strip_prefix(text);
        rest.is_some_and(|rest| ends_a_word(text, rest))
    });
    begins.collect()
}

/// Returns true if a prefix of a line ends where a word does: `fn a` does not match `fn alpha`. Tools cut long headings off in
/// the middle of a word, so a prefix of at least 40 bytes may end anywhere.
fn ends_a_word(prefix: &str, rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    prefix.len() >= 40 || !(prefix.ends_with(is_word) && rest.starts_with(is_word))
}
