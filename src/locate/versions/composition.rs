//! Changes of successive versions of a text as changes of the first one.
//!
//! The changes of a version are in lines of the version before it. Those that touch lines which earlier ones have written are one change
//! with them; all others keep their place, moved by what the earlier ones add and remove.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::placement::Change;
use crate::text::{Document, LineIdx};

/// Hunks that change the same lines one after the other, and what they change together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Composed {
    /// The hunks, in order.
    pub(crate) hunks: Vec<usize>,
    /// The changes, in lines of the first version and in order; none if they take each other back.
    pub(crate) changes: Vec<Change>,
}

/// Composes the changes of successive versions. Each is given with its hunk, in lines of the version before; those of a version are in
/// order and share no line. The hunks are numbered up to `hunks`.
pub(crate) fn compose(
    base: &Document,
    versions: Vec<Vec<(usize, Change)>>,
    hunks: usize,
) -> Vec<Composed> {
    let mut groups = HunkGroups::of(hunks);
    let mut blocks = Vec::new();
    for changes in versions {
        blocks = next_version(base, blocks, changes, &mut groups);
    }
    let changes = changes_of(base, &blocks, &mut groups);
    let mut composed: Vec<Composed> = Vec::new();
    let mut of_group = vec![None; hunks];
    for hunk in 0..hunks {
        let group: &mut Option<usize> = &mut of_group[groups.first(hunk)];
        let at = *group.get_or_insert(composed.len());
        match composed.get_mut(at) {
            Some(known) => known.hunks.push(hunk),
            None => composed.push(Composed {
                hunks: vec![hunk],
                changes: Vec::new(),
            }),
        }
    }
    for (hunk, change) in changes {
        if let Some(at) = of_group[groups.first(hunk)] {
            composed[at].changes.push(change);
        }
    }
    composed
}

/// Returns the changes of all blocks, each with one of its hunks. Insertions at one point are joined: nothing else has their order.
fn changes_of(
    base: &Document,
    blocks: &[ChangedBlock],
    groups: &mut HunkGroups,
) -> Vec<(usize, Change)> {
    let mut changes: Vec<(usize, Change)> = Vec::with_capacity(blocks.len());
    for block in blocks {
        for change in block.changes(base) {
            match changes.last_mut() {
                Some((hunk, last)) if last.lines == change.lines => {
                    last.with.extend(change.with);
                    groups.join(*hunk, block.hunk);
                }
                _ => changes.push((block.hunk, change)),
            }
        }
    }
    changes
}

/// Lines of the first version, and those that the current one has instead.
#[derive(Debug)]
struct ChangedBlock {
    base: Range<LineIdx>,
    lines: Vec<String>,
    /// One of the hunks that wrote it.
    hunk: usize,
}

impl ChangedBlock {
    /// Returns the changes that it makes, without the lines that it leaves as they were.
    fn changes(&self, base: &Document) -> impl Iterator<Item = Change> {
        let old: Vec<&str> = self.base.clone().map(|line| base.line(line)).collect();
        let new: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter();
        let ops = ops.filter(|op| op.tag() != DiffTag::Equal);
        ops.map(|op| Change {
            lines: self.base.start + op.old_range().start..self.base.start + op.old_range().end,
            with: self.lines[op.new_range()].to_vec(),
        })
    }

    /// Returns its lines in the current version, which lie `shift` below those of the first one.
    fn now(&self, shift: isize) -> Range<LineIdx> {
        let start = self.base.start.saturating_add_signed(shift);
        start..start + self.lines.len()
    }

    /// Returns the number of lines that it adds, negative if it removes more.
    fn shift(&self) -> isize {
        self.lines.len().cast_signed() - self.base.len().cast_signed()
    }

    /// Returns true if a change of some lines of the current version, of which this block has `now`, is one with it: both have a line, or
    /// they insert and remove at the same point.
    fn touches(&self, now: &Range<LineIdx>, changed: &Range<LineIdx>) -> bool {
        let share = changed.start < now.end && now.start < changed.end;
        let is_at_point = changed.is_empty() && (self.base.is_empty() || now.is_empty());
        share || is_at_point && (now.start..=now.end).contains(&changed.start)
    }
}

/// Blocks and changes that touch each other.
#[derive(Default)]
struct Cluster {
    blocks: Vec<(ChangedBlock, Range<LineIdx>)>,
    changes: Vec<(usize, Change)>,
}

impl Cluster {
    /// Returns true if a block belongs to it.
    fn takes_block(&self, block: &ChangedBlock, now: &Range<LineIdx>) -> bool {
        let last = self.changes.last();
        last.is_some_and(|(_, change)| block.touches(now, &change.lines))
    }

    /// Returns true if a change belongs to it.
    fn takes_change(&self, change: &Change) -> bool {
        let last = self.blocks.last();
        last.is_some_and(|(block, now)| block.touches(now, &change.lines))
    }

    /// Makes one block of it. `shift` is that of the lines above it, and becomes that of the lines below.
    fn into_block(
        mut self,
        base: &Document,
        shift: &mut isize,
        groups: &mut HunkGroups,
    ) -> Option<ChangedBlock> {
        if self.changes.is_empty()
            && let Some((block, _)) = self.blocks.pop()
        {
            *shift += block.shift();
            return Some(block);
        }
        let changed = self.changes.iter().map(|(_, change)| change.lines.clone());
        let ranges = self.blocks.iter().map(|(_, now)| now.clone());
        let all = (ranges.chain(changed))
            .reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))?;
        let hunk = self.changes.first().map(|(hunk, _)| *hunk)?;
        let begin = all.start.saturating_add_signed(-*shift);
        let mut lines = Vec::with_capacity(all.len());
        let mut at = all.start;
        for (block, now) in self.blocks {
            lines.extend(base_lines(base, at..now.start, *shift));
            *shift += block.shift();
            lines.extend(block.lines);
            at = now.end;
            groups.join(block.hunk, hunk);
        }
        lines.extend(base_lines(base, at..all.end, *shift));
        // From the last change on, so that the lines above keep their places.
        for (other, change) in self.changes.into_iter().rev() {
            let (from, to) = (change.lines.start - all.start, change.lines.end - all.start);
            lines.splice(from..to, change.with);
            groups.join(other, hunk);
        }
        Some(ChangedBlock {
            base: begin..all.end.saturating_add_signed(-*shift),
            lines,
            hunk,
        })
    }
}

/// Returns lines of the current version that are lines of the first one.
fn base_lines(
    base: &Document,
    lines: Range<LineIdx>,
    shift: isize,
) -> impl Iterator<Item = String> {
    lines.map(move |line| base.line(line.saturating_add_signed(-shift)).to_owned())
}

/// Applies the changes of the next version to the blocks of the current one.
fn next_version(
    base: &Document,
    blocks: Vec<ChangedBlock>,
    changes: Vec<(usize, Change)>,
    groups: &mut HunkGroups,
) -> Vec<ChangedBlock> {
    let mut next = Vec::with_capacity(blocks.len() + changes.len());
    let mut blocks = with_lines_now(blocks).into_iter().peekable();
    let mut changes = changes.into_iter().peekable();
    let (mut shift, mut cluster) = (0, Cluster::default());
    loop {
        // At one point, lines are inserted above those that are there, and below those that are gone.
        let is_block = match (blocks.peek(), changes.peek()) {
            (None, None) => break,
            (Some((_, now)), Some((_, change))) => {
                let lines = &change.lines;
                now.start < lines.start || now.start == lines.start && !lines.is_empty()
            }
            (next, _) => next.is_some(),
        };
        let is_taken = if is_block {
            (blocks.peek()).is_some_and(|(block, now)| cluster.takes_block(block, now))
        } else {
            (changes.peek()).is_some_and(|(_, change)| cluster.takes_change(change))
        };
        if !is_taken {
            let done = std::mem::take(&mut cluster);
            next.extend(done.into_block(base, &mut shift, groups));
        }
        if is_block {
            cluster.blocks.extend(blocks.next());
        } else {
            cluster.changes.extend(changes.next());
        }
    }
    next.extend(cluster.into_block(base, &mut shift, groups));
    next
}

/// Returns blocks with their lines in the current version.
fn with_lines_now(blocks: Vec<ChangedBlock>) -> Vec<(ChangedBlock, Range<LineIdx>)> {
    let mut shift = 0;
    let mut found = Vec::with_capacity(blocks.len());
    for block in blocks {
        let now = block.now(shift);
        shift += block.shift();
        found.push((block, now));
    }
    found
}

/// Hunks that belong together, as a disjoint-set forest.
struct HunkGroups {
    /// An earlier hunk of the same group; the hunk itself if it is the first.
    earlier: Vec<usize>,
}

impl HunkGroups {
    fn of(hunks: usize) -> Self {
        Self {
            earlier: (0..hunks).collect(),
        }
    }

    /// Returns the first hunk of a group.
    fn first(&mut self, hunk: usize) -> usize {
        let mut at = hunk;
        while self.earlier[at] != at {
            self.earlier[at] = self.earlier[self.earlier[at]];
            at = self.earlier[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        self.earlier[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn change(lines: Range<usize>, with: &str) -> Change {
        let with = with.split_terminator(' ').map(str::to_owned).collect();
        Change { lines, with }
    }

    fn applied(base: &[String], changes: &[Change]) -> Vec<String> {
        let mut lines = base.to_vec();
        for change in changes.iter().rev() {
            lines.splice(change.lines.clone(), change.with.iter().cloned());
        }
        lines
    }

    /// Hunks and changes: `0+1: 2..3 x y`.
    fn check(base: &str, versions: &[&[(usize, Range<usize>, &str)]], expected: &[&str]) {
        let document = Document::from_text(base.replace(' ', "\n") + "\n");
        let all = versions.iter().flat_map(|version| version.iter());
        let hunks = all.map(|(hunk, ..)| hunk + 1).max().unwrap_or(0);
        let versions = versions.iter().map(|version| {
            let changes = version.iter();
            let changes = changes.map(|(hunk, lines, with)| (*hunk, change(lines.clone(), with)));
            changes.collect()
        });
        let found = compose(&document, versions.collect(), hunks).into_iter();
        let found: Vec<String> = found
            .map(|one| {
                let hunks: Vec<String> = one.hunks.iter().map(ToString::to_string).collect();
                let changes = one.changes.iter();
                let changes = changes.map(|one| format!("{:?} {}", one.lines, one.with.join(" ")));
                format!(
                    "{}: {}",
                    hunks.join("+"),
                    changes.collect::<Vec<_>>().join(", ")
                )
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn changes_of_other_lines_keep_their_places() {
        check(
            "a b c d e",
            &[&[(0, 0..1, "A A2"), (1, 4..4, "x")], &[(2, 3..4, "C")]],
            &["0: 0..1 A A2", "1: 4..4 x", "2: 2..3 C"],
        );
        // Beside each other.
        check(
            "a b c",
            &[&[(0, 0..1, "A A2")], &[(1, 2..3, "B")]],
            &["0: 0..1 A A2", "1: 1..2 B"],
        );
        check(
            "a b c",
            &[&[(0, 1..2, "")], &[(1, 1..2, "C")], &[(2, 0..1, "A")]],
            &["0: 1..2 ", "1: 2..3 C", "2: 0..1 A"],
        );
        check(
            "a b c",
            &[
                &[(0, 1..2, "B")],
                &[(1, 1..1, "above")],
                &[(2, 3..3, "below")],
            ],
            &["0: 1..2 B", "1: 1..1 above", "2: 2..2 below"],
        );
    }

    #[test]
    fn changes_of_the_same_lines_are_one() {
        check(
            "a b c",
            &[&[(0, 1..2, "B")], &[(1, 1..2, "BB")]],
            &["0+1: 1..2 BB"],
        );
        // Lines between two changes become part of both.
        check(
            "a b c d e",
            &[&[(0, 0..1, "A"), (1, 4..5, "E")], &[(2, 0..5, "x")]],
            &["0+1+2: 0..5 x"],
        );
        // At one point.
        check(
            "a b",
            &[&[(0, 1..1, "x")], &[(1, 1..1, "above"), (2, 2..2, "below")]],
            &["0+1+2: 1..1 above x below"],
        );
        check(
            "a b c",
            &[&[(0, 1..2, "")], &[(1, 1..1, "new")]],
            &["0+1: 1..2 new"],
        );
        // A hunk of two changes joins what either of them touches.
        check(
            "a b c d e",
            &[&[(0, 0..1, "A")], &[(1, 0..1, "AA"), (1, 4..5, "E")]],
            &["0+1: 0..1 AA, 4..5 E"],
        );
        // They take each other back.
        check(
            "a b c",
            &[&[(0, 1..2, "B B2")], &[(1, 1..3, "b")]],
            &["0+1: "],
        );
    }

    proptest! {
        #[test]
        fn composed_changes_make_the_last_version(
            base in prop::collection::vec("[a-c]", 0..12),
            versions in prop::collection::vec(
                prop::collection::vec((0_usize..4, 0_usize..3, prop::collection::vec("[a-e]", 0..3)), 0..4),
                0..5,
            ),
        ) {
            let document = Document::from_text(base.iter().fold(String::new(), |text, line| text + line + "\n"));
            let (mut now, mut composed, mut hunks) = (base.clone(), Vec::new(), 0);
            for version in versions {
                let (mut at, mut changes) = (0, Vec::new());
                for (gap, removed, with) in version {
                    let start = at + gap;
                    let end = start + removed;
                    if end > now.len() || removed == 0 && with.is_empty() {
                        continue;
                    }
                    changes.push((hunks, Change { lines: start..end, with }));
                    hunks += 1;
                    at = end + 1;
                }
                let of_version: Vec<Change> = changes.iter().map(|(_, change)| change.clone()).collect();
                now = applied(&now, &of_version);
                composed.push(changes);
            }
            let groups = compose(&document, composed, hunks);
            let mut members: Vec<usize> = groups.iter().flat_map(|group| group.hunks.clone()).collect();
            members.sort_unstable();
            prop_assert_eq!(members, (0..hunks).collect::<Vec<_>>());
            let mut changes: Vec<Change> = groups.into_iter().flat_map(|group| group.changes).collect();
            changes.sort_by_key(|change| (change.lines.start, change.lines.end));
            prop_assert!(changes.windows(2).all(|pair| pair[0].lines.end <= pair[1].lines.start));
            prop_assert!(changes.windows(2).all(|pair| pair[0].lines != pair[1].lines));
            prop_assert_eq!(applied(&base, &changes), now);
        }
    }
}
