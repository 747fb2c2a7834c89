//! Anchors: lines that an edit names because they stand above its place.

use super::fold::fold;
use super::index::Index;
use super::place::Rung;
use super::scope::enclosing;
use crate::proposal::{Anchor, AnchorStrength};
use crate::text::LineIdx;

/// The places, among `starts`, that the anchors point at; all of them if the anchors say nothing about them.
///
/// A place inside the scopes that the anchors name, each within the one before, beats any other. If there is none, and
/// an anchor that the author stated stands once, the first place after it is meant.
pub(super) fn narrow(index: &Index<'_>, anchors: &[Anchor], starts: &[LineIdx]) -> Vec<LineIdx> {
    let Some(innermost) = anchors.last() else {
        return starts.to_vec();
    };
    let lines: Vec<Vec<LineIdx>> = anchors
        .iter()
        .map(|anchor| lines_of(index, anchor))
        .collect();
    let enclosed: Vec<LineIdx> = starts
        .iter()
        .copied()
        .filter(|&start| is_enclosed(index, &lines, start))
        .collect();
    if !enclosed.is_empty() {
        return enclosed;
    }
    match chain(&lines).as_slice() {
        &[line] if innermost.strength == AnchorStrength::Stated => starts
            .iter()
            .copied()
            .filter(|&start| start >= line)
            .min()
            .map_or_else(|| starts.to_vec(), |first| vec![first]),
        _ => starts.to_vec(),
    }
}

/// The lines that the innermost anchor may stand for, each after lines for the anchors around it.
pub(super) fn lines(index: &Index<'_>, anchors: &[Anchor]) -> Vec<LineIdx> {
    let lines: Vec<Vec<LineIdx>> = anchors
        .iter()
        .map(|anchor| lines_of(index, anchor))
        .collect();
    chain(&lines)
}

fn chain(lines: &[Vec<LineIdx>]) -> Vec<LineIdx> {
    let Some((innermost, outer)) = lines.split_last() else {
        return Vec::new();
    };
    let mut after = 0;
    for candidates in outer {
        if let Some(&line) = candidates.iter().find(|&&line| line >= after) {
            after = line + 1;
        }
    }
    innermost
        .iter()
        .copied()
        .filter(|&line| line >= after)
        .collect()
}

fn is_enclosed(index: &Index<'_>, lines: &[Vec<LineIdx>], start: LineIdx) -> bool {
    let mut scopes = enclosing(index.document, start);
    // The block may begin with the anchor line itself.
    let mut own = Some(start);
    lines.iter().rev().all(|candidates| {
        let mut is_candidate = |line: LineIdx| candidates.binary_search(&line).is_ok();
        own.take().is_some_and(&mut is_candidate) || scopes.any(is_candidate)
    })
}

/// The lines that an anchor's text may stand for: equal to it but for blanks, else beginning with it.
fn lines_of(index: &Index<'_>, anchor: &Anchor) -> Vec<LineIdx> {
    let text = anchor.text.trim();
    for rung in [Rung::Indent, Rung::Punctuation] {
        let found: Vec<LineIdx> = index.folded(rung).lines_like(&fold(rung, text)).collect();
        if !found.is_empty() {
            return found;
        }
    }
    if text.is_empty() {
        return Vec::new();
    }
    let begins = |line: &str| {
        line.trim_start()
            .strip_prefix(text)
            .is_some_and(|rest| ends_a_word(text, rest))
    };
    (0..index.document.len())
        .filter(|&idx| begins(index.document.line(idx)))
        .collect()
}

/// Whether a prefix of a line ends where a word does: `fn a` is no anchor for `fn alpha`. Tools cut headings off at a
/// length, in the middle of a word; a long one may therefore end anywhere.
fn ends_a_word(prefix: &str, rest: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    prefix.len() >= 40 || !(prefix.ends_with(is_word) && rest.starts_with(is_word))
}
