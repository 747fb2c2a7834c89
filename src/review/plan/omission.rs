//! Lines of a new text that only replace code which it leaves out.
//!
//! The shape of a line is graded by [`placeholder`]; whether it is a placeholder is decided by the lines of the old text that are missing
//! between its neighbours.

use std::collections::{HashMap, HashSet};

use super::foreign_comment::foreign_comments;
use super::framed_text::Framed;
use super::gap::{Gap, anchors, counts, inner};
use super::running_text::{is_rule_of_heading, is_version_of_comments, reads_on};
use crate::locate::Change;
use crate::proposal::{
    Placeholder, between_signs, comment_text, has_word, is_bare_phrase, is_comment, placeholder,
    speaks,
};
use crate::review::session::hunk::Loss;
use crate::text::{Document, LineNo};

/// Lines that must be missing before a mark of this grade counts. Dots and phrases replace a single line of code too, if no added line
/// does.
const MISSING_AT_DOTS: usize = 2;
const MISSING_AT_PHRASE: usize = 2;
const MISSING_AT_COMMENT: usize = 3;
const MISSING_AT_STATEMENT: usize = 8;
/// More comment lines in a row are prose of their own.
const LONGEST_MARK: usize = 2;
/// Lines around an edit that show the position of a mark in it.
const AROUND: usize = 3;

/// Proof that the author of a new text has seen the lines that it removes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    /// The whole text is written, and none of the old one is quoted.
    Unseen,
    /// The edit quotes them.
    Quoted,
}

/// Finds a line of the new text that replaces lines of the old one which it omits.
pub(super) fn omission(path: &str, old: &[&str], new: &Framed<'_>) -> Option<Loss> {
    find(path, (old, new), Sight::Unseen)
}

/// Finds a line of an edit that only replaces lines which the edit quotes. The file must have no such line.
pub(super) fn quoted_omission(path: &str, base: &Document, changes: &[Change]) -> Option<Loss> {
    let first = changes.iter().map(|change| change.lines.start).min()?;
    let last = changes.iter().map(|change| change.lines.end).max()?;
    let start = first.saturating_sub(AROUND);
    let end = (last + AROUND).min(base.len());
    let old: Vec<&str> = (start..end).map(|at| base.line(at)).collect();
    let mut new: Vec<&str> = Vec::new();
    let mut done = start;
    for change in changes {
        new.extend((done..change.lines.start).map(|at| base.line(at)));
        new.extend(change.with.iter().map(String::as_str));
        done = done.max(change.lines.end);
    }
    new.extend((done..end).map(|at| base.line(at)));
    let framed = Framed::of(path, &old, &new);
    let mut found = find(path, (&old, &framed), Sight::Quoted)?;
    if let Loss::Omission { mark, lines, .. } = &mut found {
        if base.lines().any(|line| line.trim() == mark) {
            return None;
        }
        let in_file = |line: LineNo| LineNo::from_idx(start + line.idx());
        *lines = (in_file(lines.0), in_file(lines.1));
    }
    Some(found)
}

/// The lines of a file before and after a change, to tell which of them are new.
struct NewLines<'a> {
    path: &'a str,
    had: HashMap<&'a str, usize>,
    has: HashMap<&'a str, usize>,
    /// The words of the old comments, without the signs around them.
    comments: HashSet<&'a str>,
}

impl<'a> NewLines<'a> {
    fn of(path: &'a str, old: &[&'a str], new: &[&'a str]) -> Self {
        let comments = old.iter().filter(|line| is_comment_line(path, line));
        Self {
            path,
            had: counts(old.iter().copied()),
            has: counts(new.iter().copied()),
            comments: comments.map(|line| inner(line)).collect(),
        }
    }

    /// Returns true for a line that the text has more often than before. A comment with other signs around it is not new.
    fn is_new(&self, line: &str) -> bool {
        if let Some(times) = self.had.get(line.trim()) {
            return self.has.get(line.trim()) > Some(times);
        }
        let is_edited = has_word(line)
            && is_comment_line(self.path, line)
            && self.comments.contains(inner(line));
        !is_edited
    }
}

fn find(path: &str, (old, framed): (&[&str], &Framed<'_>), sight: Sight) -> Option<Loss> {
    let new = framed.lines.as_slice();
    let new_lines = NewLines::of(path, old, new);
    let is_prose = |at: usize| reads_on(path, new, at);
    let has_phrases = old.iter().any(|line| is_bare_phrase(path, line));
    let mut foreign = foreign_comments(path, old, new);
    foreign.extend(framed.texts.keys());
    let graded: Vec<Option<Placeholder>> = new
        .iter()
        .enumerate()
        .map(|(at, line)| {
            let grade = grade(path, new, at).or_else(|| {
                let is_foreign = foreign.contains(&at);
                (is_foreign || !has_phrases && is_bare_phrase(path, line))
                    .then_some(Placeholder::Comment)
            });
            let grade = grade.max(framed.texts.get(&at).copied());
            let is_comment = is_comment_line(path, line);
            let grade =
                grade.filter(|_| new_lines.is_new(line) && !is_rule_of_heading(path, new, at))?;
            if grade == Placeholder::Dots || !is_prose(at) {
                return Some(grade);
            }
            is_comment.then_some(grade.min(Placeholder::Comment))
        })
        .collect();
    if graded.iter().all(Option::is_none) {
        return None;
    }
    let anchors = anchors(old, new);
    let is_mark = |at: usize| graded[at].is_some();
    let position_of = |at| MarkPosition::of((path, at), new, is_mark, foreign.contains(&at));
    let position = |at| is_alone(at, new, is_mark, &new_lines).then(|| position_of(at));
    let mut gap: Option<(Gap, HashSet<&str>)> = None;
    let in_place = graded.iter().enumerate().find_map(|(at, grade)| {
        let grade = (*grade)?;
        let known = gap.take().filter(|(gap, _)| gap.new.contains(&at));
        let (gap, comment_words) = gap.insert(known.unwrap_or_else(|| {
            let mut around = Gap::around(at, &anchors, path, (old, new), &is_mark);
            around.add_prose(|own| is_mark(own) && is_prose(own));
            let comment_words = around.comment_words(path, old);
            (around, comment_words)
        }));
        let is_version = grade != Placeholder::Dots
            && is_version_of_comments(new[at], |word| comment_words.contains(word));
        let is_doubtful = sight == Sight::Unseen || says_that_lines_stay(new[at], grade);
        (is_doubtful && !is_version && explains(gap, grade, || position(at)))
            .then(|| omitted(new[at], gap))
    });
    if sight == Sight::Quoted {
        return in_place;
    }
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

/// Returns true for a comment that takes the whole line, also of code that was turned off.
fn is_comment_line(path: &str, line: &str) -> bool {
    comment_text(path, line).is_some()
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
        let signs = new[below].trim();
        if !signs.is_empty() && !has_word(signs) && line.starts_with(signs) {
            // A blank line of the same comment.
            Self::AboveLine
        } else if !new[below..].iter().any(|line| has_word(line)) {
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
        Placeholder::Phrase
            if excess.min(gap.missing.len()) >= MISSING_AT_PHRASE
                && (gap.code > 0 || excess >= MISSING_AT_COMMENT) =>
        {
            true
        }
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

/// Returns true for a mark that is doubtful in place of lines that the edit quotes: it says by dots or words that they stay. Any other
/// comment may tell why its author removed them.
fn says_that_lines_stay(mark: &str, grade: Placeholder) -> bool {
    match grade {
        Placeholder::Dots => true,
        Placeholder::Phrase => speaks(mark) || mark.contains("...") || mark.contains('…'),
        Placeholder::Comment | Placeholder::Signs | Placeholder::Stub | Placeholder::Statement => {
            false
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
    new_lines: &NewLines<'_>,
) -> bool {
    let above = (0..at).rev().take(LONGEST_MARK);
    let first = at - above.take_while(|&at| is_mark(at)).count();
    let below = (at + 1..new.len()).take(LONGEST_MARK);
    let end = at + 1 + below.take_while(|&at| is_mark(at)).count();
    let documents = new
        .get(end)
        .is_some_and(|line| has_word(line) && new_lines.is_new(line));
    end - first <= LONGEST_MARK && !documents
}
