//! Taking one change of a text back while keeping what came later: a three-way merge by lines, from the text that the change
//! made towards the one before it.

use std::ops::Range;

use super::line_changes::{LineChange, changes};
use crate::text::{Document, LineEnding, LineIdx};

/// A text without one of its changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reverted {
    /// The text.
    pub text: String,
    /// The lines of the text as it is now at which something that came later would go as well.
    pub doubtful: Vec<Range<LineIdx>>,
}

/// Takes the change from `before` to `after` out of `now`. Where later changes are on the same lines, all of it is as before,
/// and these lines are doubtful.
pub fn revert(before: &Document, after: &Document, now: &Document) -> Reverted {
    let back = changes(after, before);
    let later = changes(after, now);
    let mut lines: Vec<(&str, LineEnding)> = Vec::new();
    let mut doubtful = Vec::new();
    let mut done = 0;
    let places = (places(&back, after, before), places(&later, after, now));
    for (goes, _) in clusters(&back, &later) {
        let (from, to) = (moved(&later, &goes), moved(&back, &goes));
        if later.iter().any(|(changed, _)| meet(changed, &goes))
            || may_meet(&back, &goes, &places.0, &places.1)
        {
            doubtful.push(from.clone());
        }
        lines.extend((done..from.start).map(|idx| (now.line(idx), now.ending(idx))));
        lines.extend(to.map(|idx| (before.line(idx), before.ending(idx))));
        done = from.end.max(done);
    }
    lines.extend((done..now.len()).map(|idx| (now.line(idx), now.ending(idx))));
    let mut text = String::with_capacity(now.text().len());
    let last = lines.len().saturating_sub(1);
    for (n, (line, ending)) in lines.into_iter().enumerate() {
        text.push_str(line);
        let ending = match ending {
            LineEnding::None if n < last => now.ending_near(0),
            LineEnding::None | LineEnding::Lf | LineEnding::CrLf => ending,
        };
        text.push_str(ending.as_str());
    }
    Reverted { text, doubtful }
}

/// The changes that go back, each with the later ones on the same lines, which may join several of them.
fn clusters(back: &[LineChange], later: &[LineChange]) -> Vec<LineChange> {
    let mut clusters: Vec<LineChange> = Vec::new();
    for (goes, comes) in back {
        let mut lines = goes.clone();
        loop {
            let wider = (later.iter().map(|(changed, _)| changed))
                .filter(|changed| meet(changed, &lines))
                .fold(lines.clone(), |all, changed| {
                    all.start.min(changed.start)..all.end.max(changed.end)
                });
            if wider == lines {
                break;
            }
            lines = wider;
        }
        match clusters.last_mut() {
            Some((known, _)) if lines.start < known.end => known.end = known.end.max(lines.end),
            _ => clusters.push((lines, comes.clone())),
        }
    }
    clusters
}

/// Returns true if two changes are on the same lines, or at the same place between two lines.
fn meet(one: &Range<LineIdx>, other: &Range<LineIdx>) -> bool {
    let share = one.start < other.end && other.start < one.end;
    share || one == other
}

/// Returns the lines of the old text at which each change could be as well: lines that are added or removed beside equal ones may be any
/// of them.
fn places(changes: &[LineChange], old: &Document, new: &Document) -> Vec<Range<LineIdx>> {
    let mut places = Vec::with_capacity(changes.len());
    let mut unchanged_from = 0;
    for (at, (goes, comes)) in changes.iter().enumerate() {
        let unchanged_to = changes
            .get(at + 1)
            .map_or(old.len(), |(next, _)| next.start);
        // The text that has the lines, and their range in it.
        let (text, lines) = match (goes.is_empty(), comes.is_empty()) {
            (true, false) => (new, comes),
            (false, true) => (old, goes),
            (_, _) => {
                places.push(goes.clone());
                unchanged_from = goes.end;
                continue;
            }
        };
        let room = (goes.start - unchanged_from, unchanged_to - goes.end);
        let up =
            (1..=room.0).take_while(|n| text.line(lines.end - n) == text.line(lines.start - n));
        let down =
            (0..room.1).take_while(|n| text.line(lines.start + n) == text.line(lines.end + n));
        places.push(goes.start - up.count()..goes.end + down.count());
        unchanged_from = goes.end;
    }
    places
}

/// Returns true if a change and a later one may be on the same lines, as one of them may be at another place.
fn may_meet(
    back: &[LineChange],
    goes: &Range<LineIdx>,
    own: &[Range<LineIdx>],
    later: &[Range<LineIdx>],
) -> bool {
    let first = back.partition_point(|(lines, _)| lines.end < goes.start);
    let own = back[first..].iter().zip(&own[first..]);
    let mut own = own.take_while(|((lines, _), _)| lines.start <= goes.end);
    own.any(|(_, place)| {
        let first = later.partition_point(|other| other.end < place.start);
        let later = later[first..].iter();
        let mut later = later.take_while(|other| other.start <= place.end);
        later.any(|other| meet(other, place))
    })
}

/// Returns the new position of a range of lines after changes that do not end inside it.
fn moved(changes: &[LineChange], lines: &Range<LineIdx>) -> Range<LineIdx> {
    let grown = |(goes, comes): &LineChange| comes.len().cast_signed() - goes.len().cast_signed();
    let before = |(goes, _): &&LineChange| goes.end <= lines.start && goes != lines;
    let until = |(goes, _): &&LineChange| goes.start < lines.end || goes.end <= lines.start;
    let shift = |found: &mut dyn Iterator<Item = isize>| found.sum::<isize>();
    let start = shift(&mut changes.iter().filter(before).map(grown));
    let end = shift(&mut changes.iter().filter(until).map(grown));
    lines.start.saturating_add_signed(start)..lines.end.saturating_add_signed(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts are lines separated by blanks; the doubtful lines of the present one follow a `!`.
    #[track_caller]
    fn check(before: &str, after: &str, now: &str, expected: &str) {
        let text = |lines: &str| {
            let lines: Vec<String> = lines
                .split_whitespace()
                .map(|line| format!("{line}\n"))
                .collect();
            Document::from_text(lines.concat())
        };
        let now_text = text(now);
        let Reverted {
            text: found,
            doubtful,
        } = revert(&text(before), &text(after), &now_text);
        let mut shown = found.trim_end().replace('\n', " ");
        for lines in doubtful {
            let lines: Vec<&str> = lines.map(|idx| now_text.line(idx)).collect();
            shown = format!("{shown} ! {}", lines.join(" "));
        }
        assert_eq!(shown, expected, "{before} -> {after} -> {now}");
    }

    #[test]
    fn exactly_one_change_goes_back() {
        check("a b c", "a B c", "a B c", "a b c");
        check("a b c d e", "a B c d e", "a B c d E", "a b c d E");
        check("a b c d e", "a b c D e", "x A b c D e", "x A b c d e");
        check("a b c d e", "a c d e", "a c d E f", "a b c d E f");
        check("a b c", "a b x c", "a b x c y", "a b c y");
        check("a b c d", "a c d", "A c d", "A b c d");
        check("a b c d", "A b c D", "A b X c D", "a b X c d");
        check("", "a b", "a b c", "c");
        check("a b", "", "", "a b");
    }

    #[test]
    fn a_change_beside_equal_lines_is_doubtful() {
        // A line was doubled, and the other side changed it.
        check("f z e", "f a e", "f a a e", "f z a e ! a");
        check("Z a", "a a", "a", "Z ! a");
        // One of equal lines was removed.
        check("x z x", "x x x", "x x", "x z ! x");
        check("b a z", "b a b a", "b a b a b a", "b a z b a ! b a");
        // The equal lines are elsewhere.
        check("f Z e a g", "f a e a g", "f a e a a g", "f Z e a a g");
        check("Z b c", "a b c", "a b c c", "Z b c c");
    }

    #[test]
    fn what_came_later_on_the_same_lines_is_doubtful() {
        check("a b c", "a B c", "a X c", "a b c ! X");
        check("a b c", "a B c", "a c", "a b c ! ");
        check("a b c", "a c", "a x c", "a b c ! x");
        check("a b c d", "a B C d", "a B X d", "a b c d ! B X");
        check("a b c d e f", "a B c d E f", "a X Y f", "a b c d e f ! X Y");
    }
}
