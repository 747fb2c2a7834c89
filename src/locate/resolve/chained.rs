//! Hunks that change text that an earlier hunk of the same file adds.
//!
//! Edits written one after the other may change the lines that the one before has just added. Such a hunk has no match in the
//! base; it is searched for in the text that the hunks before it leave, and becomes a part of the hunk whose lines it matches:
//! the two are one change of the base, and are decided as one.

use std::mem;
use std::ops::Range;

use memchr::memmem;
use rustc_hash::FxHashSet;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::matching::edit_script::Script;
use crate::locate::matching::index::Index;
use crate::locate::matching::ladder::{LADDER, climb};
use crate::locate::matching::normalize::{fold, is_blank};
use crate::locate::placement::{Change, Confidence, Location, Rung, Unplaced};
use crate::proposal::{Extent, FinalNewline, Hunk};
use crate::text::{Document, LineIdx, LineNo};

/// Maximum number of unplaced hunks of one file that are tried; more are not edits of each other's text.
const MAX: usize = 64;

/// Joins every hunk without a sure match in the base to the earlier hunk whose lines it matches, if there is one.
pub(crate) fn join(hunks: &[&Hunk], document: &Document, locations: &mut [Location]) {
    let lost = (0..hunks.len()).filter(|&i| match &locations[i] {
        Location::Unplaced(Unplaced::NotFound { .. }) => true,
        Location::Placed(placement) => placement.confidence == Confidence::Doubtful,
        Location::Unplaced(_) | Location::AlreadyApplied { .. } | Location::Follows { .. } => false,
    });
    let lost: Vec<usize> = lost.take(MAX).collect();
    for i in lost {
        if !may_follow(hunks[i], &locations[..i]) {
            continue;
        }
        // Its own doubtful place must not block the join.
        let alone = mem::replace(&mut locations[i], Location::Unplaced(Unplaced::Nowhere));
        let Some((leader, changes)) = joined(hunks[i], i, document, locations) else {
            locations[i] = alone;
            continue;
        };
        locations[i] = Location::Follows { hunk: leader };
        if let Location::Placed(placement) = &mut locations[leader] {
            let at = LineNo::from_idx(placement.lines.start);
            placement.changes = changes;
            if placement.changes.is_empty() && placement.final_newline == FinalNewline::Keep {
                // Together they leave the file as it is.
                let is_theirs = |location: &Location| matches!(location, Location::Follows { hunk } if *hunk == leader);
                for (nth, location) in locations.iter_mut().enumerate() {
                    if nth == leader || is_theirs(location) {
                        *location = Location::AlreadyApplied { at };
                    }
                }
            }
        }
    }
}

/// Returns the first hunk that is taken to be a part of another one, but is not in what that one writes: a line that it adds is
/// neither there, nor in the file, nor taken off by a later hunk. There is no such hunk unless there is a mistake in this program.
pub(crate) fn lost(hunks: &[&Hunk], document: &Document, locations: &[Location]) -> Option<usize> {
    let seen = |line: &str| fold(Rung::Punctuation, line).into_owned();
    let followers: Vec<usize> = (locations.iter().enumerate())
        .filter(|(_, location)| matches!(location, Location::Follows { .. }))
        .map(|(at, _)| at)
        .collect();
    if followers.is_empty() {
        return None;
    }
    let mut written: FxHashSet<String> = document.lines().map(seen).collect();
    written.extend(
        changes_of(locations).flat_map(|(_, change)| change.with.iter().map(|line| seen(line))),
    );
    let mut taken_off: FxHashSet<String> = FxHashSet::default();
    let mut lost = None;
    for at in followers.into_iter().rev() {
        let body = &hunks[at].body;
        let script = Script::of_hunk(hunks[at], body);
        let adds = script
            .steps()
            .iter()
            .flat_map(|step| &body.postimage[step.added.clone()]);
        for line in adds.filter(|line| !is_blank(line)) {
            let line = seen(line);
            if !written.contains(&line) && !taken_off.contains(&line) {
                lost = Some(at);
            }
        }
        taken_off.extend(body.preimage.iter().map(|line| seen(line)));
    }
    lost
}

/// Returns true if any line of a hunk's preimage is added by an earlier hunk: a cheap test before the text is built.
fn may_follow(hunk: &Hunk, before: &[Location]) -> bool {
    let seen = |line: &str| fold(Rung::Punctuation, line).into_owned();
    let sought: FxHashSet<String> = hunk
        .body
        .preimage
        .iter()
        .filter(|line| !is_blank(line))
        .map(|line| seen(line))
        .collect();
    let mut added = changes_of(before).flat_map(|(_, change)| &change.with);
    added.any(|line| sought.contains(&seen(line)))
}

/// Returns the hunk that an unplaced one belongs to, and the changes of the two together.
fn joined(
    hunk: &Hunk,
    nth: usize,
    base: &Document,
    locations: &[Location],
) -> Option<(usize, Vec<Change>)> {
    let text = Text::after(base, &locations[..nth]);
    let lines: Vec<&str> = text.lines.iter().map(|(line, _)| *line).collect();
    let left = lines.join("\n") + "\n";
    if is_several_times(hunk, &left) {
        return None;
    }
    let document = Document::from_text(left);
    let index = Index::new(&document);
    let (rung, places) = climb(&index, &hunk.body, &LADDER)?;
    let [matched] = places.as_slice() else {
        return None;
    };
    let mut leaders = text.lines[matched.lines.clone()]
        .iter()
        .filter_map(|(_, origin)| origin.hunk());
    let leader = leaders.next()?;
    if leaders.any(|other| other != leader) {
        return None;
    }
    let changes = Script::of_hunk(hunk, &hunk.body).changes(&hunk.body, matched, rung, &index);
    text.together(base, locations, leader, &changes)
        .map(|changes| (leader, changes))
}

/// Returns true if a hunk searches for a text, and a text has it more than once: its tool would not choose one of the places.
fn is_several_times(hunk: &Hunk, text: &str) -> bool {
    match hunk.extent {
        Extent::Text | Extent::EveryText | Extent::Texts(_) => {
            let sought = hunk.body.preimage.join("\n");
            memmem::find_iter(text.as_bytes(), &sought).nth(1).is_some()
        }
        Extent::Lines
        | Extent::Insertion
        | Extent::Numbered(_)
        | Extent::Sketch
        | Extent::Cell { .. }
        | Extent::Span { .. }
        | Extent::Hashed(_)
        | Extent::JsonPatch
        | Extent::Pattern { .. } => false,
    }
}

/// The origin of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineOrigin {
    /// The base's line.
    Base(LineIdx),
    /// A line that a hunk adds.
    Hunk(usize),
}

impl LineOrigin {
    fn hunk(self) -> Option<usize> {
        match self {
            Self::Base(_) => None,
            Self::Hunk(hunk) => Some(hunk),
        }
    }
}

/// The text that placed hunks leave.
struct Text<'a> {
    lines: Vec<(&'a str, LineOrigin)>,
}

impl<'a> Text<'a> {
    fn after(base: &'a Document, placed: &'a [Location]) -> Self {
        let mut changes: Vec<(usize, &Change)> = changes_of(placed).collect();
        changes.sort_by_key(|(_, change)| (change.lines.start, change.lines.end));
        let mut lines = Vec::with_capacity(base.len());
        let mut done = 0;
        for (hunk, change) in changes {
            lines.extend(
                (done..change.lines.start).map(|idx| (base.line(idx), LineOrigin::Base(idx))),
            );
            lines.extend(
                change
                    .with
                    .iter()
                    .map(|line| (line.as_str(), LineOrigin::Hunk(hunk))),
            );
            done = done.max(change.lines.end);
        }
        lines.extend((done..base.len()).map(|idx| (base.line(idx), LineOrigin::Base(idx))));
        Self { lines }
    }

    /// Returns the changes of the base that a hunk and further changes of this text make together; `None` if another hunk is
    /// between them.
    fn together(
        &self,
        base: &Document,
        placed: &[Location],
        leader: usize,
        further: &[Change],
    ) -> Option<Vec<Change>> {
        let own = |(_, origin): &(&str, LineOrigin)| *origin == LineOrigin::Hunk(leader);
        let first = self
            .lines
            .iter()
            .position(own)?
            .min(further.first()?.lines.start);
        let last = (self.lines.iter().rposition(own)? + 1).max(further.last()?.lines.end);
        let region = self.base_lines(first..last, base.len());
        let own_changes = changes_of(placed)
            .filter(|(hunk, _)| *hunk == leader)
            .map(|(_, change)| &change.lines);
        let region = own_changes.fold(region, |region, lines| {
            region.start.min(lines.start)..region.end.max(lines.end)
        });
        let others = changes_of(placed).filter(|(hunk, _)| *hunk != leader);
        if others
            .into_iter()
            .any(|(_, change)| change.lines.start < region.end && region.start < change.lines.end)
        {
            return None;
        }
        // The leader may change lines farther off; the lines between them stay.
        let in_region = |(_, origin): &(&str, LineOrigin)| {
            origin.base().is_some_and(|idx| region.contains(&idx))
        };
        let begins = self.lines.iter().position(in_region);
        let ends = self.lines.iter().rposition(in_region);
        let first = begins.map_or(first, |at| first.min(at));
        let last = ends.map_or(last, |at| last.max(at + 1));
        let mut result: Vec<&str> = Vec::new();
        let mut done = first;
        for change in further {
            result.extend(
                self.lines[done..change.lines.start]
                    .iter()
                    .map(|(line, _)| *line),
            );
            result.extend(change.with.iter().map(String::as_str));
            done = change.lines.end;
        }
        result.extend(self.lines[done..last].iter().map(|(line, _)| *line));
        let old: Vec<&str> = region.clone().map(|idx| base.line(idx)).collect();
        let ops = capture_diff_slices(Algorithm::Myers, &old, &result).into_iter();
        let ops = ops.filter(|op| op.tag() != DiffTag::Equal);
        let changes = ops.map(|op| Change {
            lines: region.start + op.old_range().start..region.start + op.old_range().end,
            with: result[op.new_range()]
                .iter()
                .map(ToString::to_string)
                .collect(),
        });
        Some(changes.collect())
    }

    /// Returns the base lines that correspond to a stretch of this text.
    fn base_lines(&self, lines: Range<LineIdx>, len: usize) -> Range<LineIdx> {
        let base = |(_, origin): &(&str, LineOrigin)| origin.base();
        let above = self.lines[..lines.start].iter().rev().find_map(base);
        let below = self.lines[lines.end..].iter().find_map(base);
        above.map_or(0, |idx| idx + 1)..below.unwrap_or(len)
    }
}

pub(super) fn changes_of(locations: &[Location]) -> impl Iterator<Item = (usize, &Change)> {
    locations.iter().enumerate().flat_map(|(hunk, location)| {
        let changes = match location {
            Location::Placed(placement) => placement.changes.as_slice(),
            Location::AlreadyApplied { .. } | Location::Follows { .. } | Location::Unplaced(_) => {
                &[]
            }
        };
        changes.iter().map(move |change| (hunk, change))
    })
}

impl LineOrigin {
    /// Returns the base line that it is.
    fn base(self) -> Option<LineIdx> {
        match self {
            Self::Base(idx) => Some(idx),
            Self::Hunk(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::placement::Placement;
    use crate::proposal::{Body, InputSpan};

    #[test]
    fn a_follower_is_in_the_change_of_its_leader() {
        let hunk = |old: &str, new: &str| {
            let [preimage, postimage] =
                [old, new].map(|text| text.lines().map(str::to_owned).collect());
            Hunk::new(
                Body {
                    preimage,
                    postimage,
                },
                InputSpan::of(0..1),
            )
        };
        let (first, second, third) = (hunk("b", "B"), hunk("B\nd", "B\nD"), hunk("D", "E"));
        let document = Document::from_text("a\nb\nd\n");
        let check = |hunks: &[&Hunk], written: &[&str], expected: Option<usize>| {
            let with = written.iter().map(|line| (*line).to_owned()).collect();
            let change = Change { lines: 1..3, with };
            let mut locations = vec![Location::Placed(Placement::exact(1..3, vec![change]))];
            locations.resize(hunks.len(), Location::Follows { hunk: 0 });
            assert_eq!(lost(hunks, &document, &locations), expected, "{written:?}");
        };
        check(&[&first, &second], &["B", "D"], None);
        check(&[&first, &second], &["B"], Some(1));
        check(&[&first, &second, &third], &["B", "E"], None);
        check(&[&first, &second, &third], &["B", "D"], Some(2));
    }
}
