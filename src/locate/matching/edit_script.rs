//! Changes that a hunk makes.
//!
//! The changes are the differences between the hunk's two halves: a line in both is context, and context is never written.

use std::cmp::Reverse;
use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::matching::indent_shift::IndentPair;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::is_blank;
use crate::locate::matching::scope::TAB_WIDTH;
use crate::locate::placement::Change;
use crate::proposal::{Body, FinalNewline, Hunk, MarkedChange};
use crate::text::{Document, LineIdx, columns, indent_of};

/// The differences between the two halves of a hunk, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Script {
    steps: Vec<EditStep>,
}

/// Removed preimage lines and the postimage lines that replace them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EditStep {
    pub(crate) removed: Range<usize>,
    pub(crate) added: Range<usize>,
}

/// A side of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeSide {
    Above,
    Below,
}

impl Script {
    /// Returns the differences between the halves of a hunk, or between those of one of its readings. Lines that the hunk marks as
    /// context are context.
    pub(crate) fn of_hunk(hunk: &Hunk, body: &Body) -> Self {
        if !is_marked(&hunk.marked, body) {
            return Self::of(body);
        }
        let steps = hunk.marked.iter().flat_map(|change| {
            let (removed, added) = (&change.removed, &change.added);
            let old = &body.preimage[removed.clone()];
            let new = &body.postimage[added.clone()];
            let steps = differences(old, new).into_iter();
            steps.map(|step| step.moved(removed.start, added.start))
        });
        Self {
            steps: steps.collect(),
        }
    }

    /// Returns the differences between two halves.
    pub(crate) fn of(body: &Body) -> Self {
        let mut steps = differences(&body.preimage, &body.postimage);
        for nth in 0..steps.len() {
            let from = nth.checked_sub(1).map(|above| &steps[above]);
            let slid = steps[nth].slid(from, steps.get(nth + 1), body);
            steps[nth] = slid;
        }
        Self { steps }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn steps(&self) -> &[EditStep] {
        &self.steps
    }

    /// Returns true if a context line is not blank.
    pub(crate) fn has_solid_context(&self, preimage: &[String]) -> bool {
        let removed = |line: usize| self.steps.iter().any(|step| step.removed.contains(&line));
        preimage
            .iter()
            .enumerate()
            .any(|(i, line)| !is_blank(line) && !removed(i))
    }
}

impl EditStep {
    /// Returns the step that adds or removes the same lines where a reader sees a block: between equal lines it can slide, and a
    /// block begins and ends at the least indentation, after a blank line if there is one.
    fn slid(&self, above: Option<&Self>, below: Option<&Self>, body: &Body) -> Self {
        let lines = match (self.removed.is_empty(), self.added.is_empty()) {
            (true, false) => &body.postimage,
            (false, true) => &body.preimage,
            _ => return self.clone(),
        };
        let own = self.same_side(self);
        let top = above.map_or(0, |above| self.same_side(above).end + 1);
        let bottom = below.map_or(lines.len(), |below| {
            self.same_side(below).start.saturating_sub(1)
        });
        let is_equal = |(a, b): &(usize, usize)| lines[*a] == lines[*b];
        let up = (0..own.end).rev().zip((top..own.start).rev());
        let up = up.take_while(is_equal).count();
        let down = (own.start..).zip(own.end..bottom);
        let down = down.take_while(is_equal).count();
        let (first, last) = (own.start - up, own.end + down);
        let boundaries = boundaries(lines, first..last);
        let best = (0..=up + down).min_by_key(|start| {
            let (begin, end) = (&boundaries[*start], &boundaries[start + own.len()]);
            let indent = begin.indent + end.indent;
            let below_text = u8::from(begin.is_below_text) + u8::from(end.is_below_text);
            (indent, below_text, Reverse(*start))
        });
        let moved = |range: &Range<usize>| {
            let start = range.start - up + best.unwrap_or(up);
            start..start + range.len()
        };
        Self {
            removed: moved(&self.removed),
            added: moved(&self.added),
        }
    }

    /// Returns the same step of a text in which so many lines are above each half.
    fn moved(self, old: usize, new: usize) -> Self {
        let Self { removed, added } = self;
        Self {
            removed: removed.start + old..removed.end + old,
            added: added.start + new..added.end + new,
        }
    }

    /// Returns the one step that replaces a few lines by others which have none in common with them. Most hunks are of this
    /// kind, and need no diff.
    fn alone(preimage: &[String], postimage: &[String]) -> Option<Self> {
        const FEW: usize = 8;
        let equal = |(a, b): &(&String, &String)| a == b;
        let head = preimage.iter().zip(postimage).take_while(equal).count();
        let (removed, added) = (&preimage[head..], &postimage[head..]);
        let tail = removed.iter().rev().zip(added.iter().rev());
        let tail = tail.take_while(equal).count();
        let (removed, added) = (
            &removed[..removed.len() - tail],
            &added[..added.len() - tail],
        );
        let are_few = removed.len() <= FEW && added.len() <= FEW;
        let is_replacement = are_few
            && !removed.is_empty()
            && !added.is_empty()
            && !removed.iter().any(|line| added.contains(line));
        is_replacement.then(|| Self {
            removed: head..head + removed.len(),
            added: head..head + added.len(),
        })
    }
}

/// Returns the differences between two lists of lines.
fn differences(old: &[String], new: &[String]) -> Vec<EditStep> {
    if let Some(only) = EditStep::alone(old, new) {
        return vec![only];
    }
    let steps = capture_diff_slices(Algorithm::Myers, old, new)
        .into_iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .map(|op| EditStep {
            removed: op.old_range(),
            added: op.new_range(),
        });
    steps.collect()
}

/// Returns true if the lines between marked changes are the same in both halves. They are not if the halves are another reading
/// of the hunk, or the lines that the file has instead.
fn is_marked(marked: &[MarkedChange], body: &Body) -> bool {
    let (mut old, mut new) = (0, 0);
    let is_same = |(old, old_end): (usize, usize), (new, new_end): (usize, usize)| {
        let own = body.preimage.get(old..old_end);
        own.is_some() && own == body.postimage.get(new..new_end)
    };
    let are_same = marked.iter().all(|change| {
        let (removed, added) = (&change.removed, &change.added);
        let is_same = is_same((old, removed.start), (new, added.start));
        (old, new) = (removed.end, added.end);
        is_same
    });
    let (old_end, new_end) = body.counts();
    !marked.is_empty() && are_same && is_same((old, old_end), (new, new_end))
}

/// A place between two lines, at which a block could begin or end.
#[derive(Clone, Copy, Default)]
struct Boundary {
    /// The indentation of the next line that is not blank, in columns.
    indent: usize,
    /// True if no blank line is above.
    is_below_text: bool,
}

/// Returns the boundaries above each of these lines, and below the last.
fn boundaries(lines: &[String], range: Range<usize>) -> Vec<Boundary> {
    let depth = |line: &String| columns(indent_of(line), TAB_WIDTH);
    let below = lines[range.end..].iter().find(|line| !is_blank(line));
    let mut indent = below.map_or(0, depth);
    let mut found: Vec<Boundary> = range
        .clone()
        .chain([range.end])
        .rev()
        .map(|at| {
            if let Some(line) = lines.get(at).filter(|line| !is_blank(line)) {
                indent = depth(line);
            }
            let above = at.checked_sub(1).map(|above| &lines[above]);
            Boundary {
                indent,
                is_below_text: above.is_none_or(|line| !is_blank(line)),
            }
        })
        .collect();
    found.reverse();
    found
}

/// Adds the change of the last line that gets or loses its ending, if no other change writes that line. Only a hunk whose place
/// ends with the file does so.
pub(crate) fn with_final_newline(
    mut changes: Vec<Change>,
    said: FinalNewline,
    document: &Document,
    place_end: LineIdx,
) -> Vec<Change> {
    let stands = match said {
        FinalNewline::Keep => return changes,
        FinalNewline::Add => document.has_final_newline(),
        FinalNewline::Remove => !document.has_final_newline(),
    };
    if stands || place_end < document.len() {
        return changes;
    }
    let mut end = document.len();
    let mut at_end = None;
    while let Some(removal) =
        changes.pop_if(|change| change.lines.end == end && change.with.is_empty())
    {
        // The line above a removal at the end becomes the last one.
        end = removal.lines.start;
        at_end = Some(Change {
            lines: end..document.len(),
            with: Vec::new(),
        });
    }
    let is_written = changes.last().is_some_and(|change| change.lines.end == end);
    if let Some(last) = end.checked_sub(1).filter(|_| !is_written) {
        at_end = Some(Change {
            lines: last..document.len(),
            with: vec![document.line(last).to_owned()],
        });
    }
    changes.extend(at_end);
    changes
}

/// Returns the indentation of every matched line that is not blank, in the edit and in the file.
pub(crate) fn indent_pairs<'a>(
    body: &'a Body,
    matched: &Match,
    document: &'a Document,
) -> Vec<IndentPair<'a>> {
    let pair = |(i, line): (usize, &'a String)| {
        let file = document.line(matched.line_of(i)?);
        (!is_blank(line) && !is_blank(file)).then(|| (i, indent_of(line), indent_of(file)))
    };
    body.preimage.iter().enumerate().filter_map(pair).collect()
}

impl EditStep {
    /// Returns the lines of another step on the side that this one changes.
    fn same_side(&self, other: &Self) -> Range<usize> {
        if self.removed.is_empty() {
            other.added.clone()
        } else {
            other.removed.clone()
        }
    }
}

/// Returns true if an edit changes nothing but blanks and line breaks.
pub(crate) fn changes_blanks_only(body: &Body) -> bool {
    let solid = |lines: &[String]| -> String {
        let text = lines.iter().flat_map(|line| line.chars());
        text.filter(|c| !c.is_whitespace()).collect()
    };
    solid(&body.preimage) == solid(&body.postimage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::InputSpan;

    #[test]
    fn a_block_slides_to_where_it_begins() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        let check = |old: &str, new: &str, removed: Range<usize>, added: Range<usize>| {
            let (old, new) = (lines(old), lines(new));
            let body = Body {
                preimage: old,
                postimage: new,
            };
            let expected = [EditStep { removed, added }];
            assert_eq!(Script::of(&body).steps(), expected, "{body:?}");
        };
        let (one, two) = (
            "}\n\n#[test]\nfn b() {\n",
            "}\n\n#[test]\nfn a() {\n}\n\n#[test]\nfn b() {\n",
        );
        check(one, two, 2..2, 2..6);
        check(two, one, 2..6, 2..2);
        let (one, two) = (
            "  if a {\n    x\n  }\nend\n",
            "  if a {\n    x\n  }\n  if b {\n    y\n  }\nend\n",
        );
        check(one, two, 3..3, 3..6);
        check("a\na\nb\n", "a\na\na\nb\n", 2..2, 2..3);
    }

    #[test]
    fn marked_context_stays() {
        let lines = |text: &str| text.split('|').map(str::to_owned).collect();
        let check =
            |old: &str, new: &str, marked: [Range<usize>; 2], expected: [Range<usize>; 2]| {
                let [preimage, postimage] = [lines(old), lines(new)];
                let body = Body {
                    preimage,
                    postimage,
                };
                let [removed, added] = marked;
                let hunk = Hunk {
                    marked: vec![MarkedChange { removed, added }],
                    ..Hunk::new(body, InputSpan::of(0..1))
                };
                let [removed, added] = expected;
                let expected = [EditStep { removed, added }];
                assert_eq!(
                    Script::of_hunk(&hunk, &hunk.body).steps(),
                    expected,
                    "{old}"
                );
            };
        // Of two equal lines the marks say which one is new.
        let (old, new) = ("---|a|---", "---|b|---|c|---");
        check(old, new, [1..2, 1..4], [1..2, 1..4]);
        check("a|x|b", "a|x|x|b", [1..1, 1..2], [1..1, 1..2]);
        check("a|x|b", "a|x|x|b", [2..2, 2..3], [2..2, 2..3]);
        // A line that is removed and added again stays.
        check("a|x|y|b", "a|x|z|b", [1..3, 1..3], [2..3, 2..3]);
        // Marks of other halves do not count.
        check("a|x|b", "a|x|x|b", [1..1, 2..3], [2..2, 2..3]);
    }

    #[test]
    fn the_last_line_changes_only_with_a_hunk_at_the_end() {
        let document = Document::from_text("a\nb\nc\n");
        let change = Change {
            lines: 1..2,
            with: vec!["x".to_owned()],
        };
        let last = Change {
            lines: 2..3,
            with: vec!["c".to_owned()],
        };
        let check = |place_end, expected: &[&Change]| {
            let changes = vec![change.clone()];
            let found = with_final_newline(changes, FinalNewline::Remove, &document, place_end);
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{place_end}");
        };
        check(2, &[&change]);
        check(3, &[&change, &last]);
    }
}
