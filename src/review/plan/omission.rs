//! Lines of a new text that only replace code which it leaves out.
//!
//! The shape of a line is graded by [`placeholder`]; whether it is a placeholder is decided by the lines of the old text that are missing
//! between its neighbours.

use super::foreign_comment::foreign_comments;
use super::gap::{Gap, anchors, counts};
use crate::proposal::{
    Placeholder, between_signs, has_word, is_bare_phrase, is_comment, placeholder,
};
use crate::review::session::hunk::Loss;

/// Lines that must be missing before a mark of this grade counts. Dots and phrases replace a single line of code too, if no added line
/// does.
const MISSING_AT_DOTS: usize = 2;
const MISSING_AT_PHRASE: usize = 2;
const MISSING_AT_COMMENT: usize = 3;
const MISSING_AT_STATEMENT: usize = 8;
/// More comment lines in a row are prose of their own.
const LONGEST_MARK: usize = 2;

/// Finds a line of the new text that replaces lines of the old one which it omits.
pub(super) fn omission(path: &str, old: &[&str], new: &[&str]) -> Option<Loss> {
    // A mark that the text has more often than before is new in one of its places.
    let (had, has) = (counts(old.iter().copied()), counts(new.iter().copied()));
    let is_new = |line: &str| has.get(line.trim()) > had.get(line.trim());
    let has_phrases = old.iter().any(|line| is_bare_phrase(path, line));
    let foreign = foreign_comments(path, old, new);
    let graded: Vec<Option<Placeholder>> = new
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let grade = grade(path, new, at).or_else(|| {
                let is_foreign = foreign.contains(&at);
                (is_foreign || !has_phrases && is_bare_phrase(path, line))
                    .then_some(Placeholder::Comment)
            });
            grade.filter(|_| is_new(line))
        })
        .collect();
    if graded.iter().all(Option::is_none) {
        return None;
    }
    let anchors = anchors(old, new);
    let is_mark = |at: usize| graded[at].is_some();
    let position_of = |at| MarkPosition::of((path, at), new, is_mark, foreign.contains(&at));
    let position = |at| is_alone(at, new, is_mark, &is_new).then(|| position_of(at));
    let mut gap: Option<Gap> = None;
    let in_place = graded.iter().enumerate().find_map(|(at, grade)| {
        let grade = (*grade)?;
        let around = match gap.take() {
            Some(gap) if gap.new.contains(&at) => gap,
            Some(_) | None => Gap::around(at, &anchors, path, (old, new), &is_mark),
        };
        let gap = gap.insert(around);
        explains(gap, grade, || position(at)).then(|| omitted(new[at], gap))
    });
    in_place.or_else(|| {
        let whole = Gap::around(0, &[], path, (old, new), &is_mark);
        let of = old.iter().filter(|line| has_word(line)).count();
        let is_most = whole.missing.len() * 2 > of;
        let at = graded.iter().enumerate().find_map(|(at, grade)| {
            explains_all(&whole, is_most, (*grade)?, || position(at)).then_some(at)
        })?;
        Some(omitted(new[at], &whole))
    })
}

pub(super) fn omitted(mark: &str, gap: &Gap) -> Loss {
    Loss::Omission {
        mark: mark.trim().to_owned(),
        lines: gap.bounds(),
        count: gap.missing.len(),
    }
}

/// Grades a line of the new text by its shape and by the line above it.
fn grade(path: &str, new: &[&str], at: usize) -> Option<Placeholder> {
    let grade = placeholder(path, new[at])?;
    let above = new[..at].iter().rev().find(|line| !line.trim().is_empty());
    let is_body = matches!(new[at].trim(), "..." | "…")
        && above.is_some_and(|above| above.trim_end().ends_with(':'));
    Some(if is_body {
        Placeholder::Statement
    } else {
        grade
    })
}

/// Position of a mark in a new text, by the line below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkPosition {
    /// At the end of the file: no word is below it.
    FileEnd,
    /// At the end of its block, or above an empty line: it documents nothing.
    BlockEnd,
    /// Above a line that it may document, or no comment of its own.
    AboveLine,
}

impl MarkPosition {
    fn of(
        (path, at): (&str, usize),
        new: &[&str],
        is_mark: impl Fn(usize) -> bool,
        is_foreign: bool,
    ) -> Self {
        let line = new[at].trim();
        // Parentheses within a block may be those of a term.
        let is_bracketed = line.starts_with(['[', '<', '（', '【'])
            || new[at].trim_start_matches(['*', '_']).starts_with('(');
        let is_comment = is_foreign || is_comment(path, line);
        if !is_comment && !is_bracketed && between_signs(line).is_none() {
            return Self::AboveLine;
        }
        let below = (at + 1..new.len()).find(|&at| !is_mark(at));
        let Some(below) = below else {
            return Self::FileEnd;
        };
        let indent = |line: &str| line.len() - line.trim_start().len();
        if !new[below..].iter().any(|line| has_word(line)) {
            Self::FileEnd
        } else if !has_word(new[below]) || indent(new[below]) < indent(new[at]) {
            Self::BlockEnd
        } else {
            Self::AboveLine
        }
    }
}

/// Decides whether a mark of this grade replaces the lines that are missing from a gap. `position` returns that of a mark that is
/// alone.
///
/// Lines that were added beside the mark replace others if they share a word with those. They count against the missing ones only
/// if the mark may document a line.
fn explains(
    gap: &Gap,
    grade: Placeholder,
    position: impl FnOnce() -> Option<MarkPosition>,
) -> bool {
    let is_text = grade != Placeholder::Signs;
    let replaced = if is_text { gap.replaced() } else { gap.added };
    let excess = gap.excess(replaced);
    let is_line_of_code = excess > 0 && gap.code > 0 && gap.added == 0;
    match grade {
        Placeholder::Dots | Placeholder::Phrase if is_line_of_code => true,
        Placeholder::Dots => gap.missing.len() >= MISSING_AT_DOTS,
        Placeholder::Phrase if excess.min(gap.missing.len()) >= MISSING_AT_PHRASE => true,
        Placeholder::Phrase => {
            gap.code >= MISSING_AT_PHRASE
                && matches!(
                    position(),
                    Some(MarkPosition::FileEnd | MarkPosition::BlockEnd)
                )
        }
        // Nothing but the mark is there in place of the lines.
        // The number and the length of such comments prove nothing.
        Placeholder::Comment | Placeholder::Signs if gap.added == 0 => {
            gap.code >= MISSING_AT_PHRASE
        }
        Placeholder::Stub => gap.added == 0 && gap.code >= MISSING_AT_PHRASE,
        Placeholder::Comment | Placeholder::Signs => {
            let is_less = excess >= MISSING_AT_COMMENT.max(replaced);
            gap.code >= MISSING_AT_PHRASE
                && position()
                    .is_some_and(|position| is_less || is_text && position == MarkPosition::FileEnd)
        }
        Placeholder::Statement => {
            gap.missing.len().saturating_sub(gap.added) >= MISSING_AT_STATEMENT
        }
    }
}

/// Decides whether a mark of this grade replaces lines that are missing from the whole text, wherever they were.
///
/// Lines that are equal, such as those that close a block, may tie the end of the new text to any place in the old one. A mark at
/// the end of the file replaces whatever is not above it, and one at the end of a block does so where most of the text is gone.
fn explains_all(
    whole: &Gap,
    is_most: bool,
    grade: Placeholder,
    position: impl FnOnce() -> Option<MarkPosition>,
) -> bool {
    let least = match grade {
        Placeholder::Signs | Placeholder::Stub | Placeholder::Statement => return false,
        Placeholder::Comment => MISSING_AT_COMMENT,
        Placeholder::Phrase => MISSING_AT_PHRASE,
        Placeholder::Dots => MISSING_AT_DOTS,
    };
    whole.code >= least
        && whole.excess(whole.replaced()) >= least
        && match position() {
            Some(MarkPosition::FileEnd) => true,
            Some(MarkPosition::BlockEnd) => is_most,
            Some(MarkPosition::AboveLine) | None => false,
        }
}

/// Returns `true` if a comment documents no new line below it and is not part of a longer one.
fn is_alone(
    at: usize,
    new: &[&str],
    is_mark: impl Fn(usize) -> bool,
    is_new: &impl Fn(&str) -> bool,
) -> bool {
    let above = (0..at).rev().take(LONGEST_MARK);
    let first = at - above.take_while(|&at| is_mark(at)).count();
    let below = (at + 1..new.len()).take(LONGEST_MARK);
    let end = at + 1 + below.take_while(|&at| is_mark(at)).count();
    let documents = new
        .get(end)
        .is_some_and(|line| has_word(line) && is_new(line));
    end - first <= LONGEST_MARK && !documents
}
