//! Relations of two changes: equal, moved, one a part of the other, or other changes of the same lines.

use std::iter;

use super::change::{
    ChangeWords, Core, LEAST_AROUND, LEAST_WORDS, MOST_AROUND, MOST_WORDS, agreement, common,
};
use super::words::{WordHash, is_closing, is_comma, is_name};

/// Most places among the lines of a change at which a part of it may be.
const MOST_PLACES: usize = 256;
/// Least number of words in a part of a change at the same place.
const LEAST_PART: usize = 3;
/// Least number of words in a change that is known wherever it is, with the equal lines around it that moved with it.
const LEAST_ALONE: usize = 24;

/// Least number of equal lines above and below a change that another one begins or ends with.
const LEAST_LINES_AROUND: usize = 2;

/// The relation of a proposed change to a rejected one, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// They are equal.
    Same,
    /// They are equal but for names that they introduce.
    Renamed,
    /// The proposed one is a part of the rejected one.
    Part,
    /// The proposed one contains the rejected one.
    Contains,
    /// They are equal, at two places.
    Moved,
    /// They change the same place in different ways.
    Neighbors,
}

impl ChangeWords {
    /// Compares a proposed change with a rejected one that is read in the same way, in the same file or in two. Names are compared as they
    /// are.
    pub(super) fn relation(&self, rejected: &Self, same_file: bool) -> Option<Relation> {
        if self.is_equal(rejected) && self.is_beside_the_same_as(rejected, same_file) {
            return Some(Relation::Same);
        }
        let moved = || self.is_moved_from(rejected).then_some(Relation::Moved);
        if !same_file {
            return moved();
        }
        // Lines that are only added may have the same words at another place, and so may a few lines.
        let outer = agreement(&self.around, &rejected.around);
        let [above, below] = self.agreement_inside(rejected, outer);
        let is_near = above.max(below) >= LEAST_AROUND;
        let is_there = above.min(below) >= LEAST_AROUND;
        let is_part = self.is_long_part_of(rejected, is_near) || self.is_edge_of(rejected);
        if is_part || is_there && self.is_short_part_of(rejected) {
            return Some(Relation::Part);
        }
        let [above, below] = outer;
        let is_outer_near = above.max(below) >= LEAST_AROUND;
        if rejected.is_long_part_of(self, is_outer_near) || rejected.is_edge_of(self) {
            return Some(Relation::Contains);
        }
        let is_at_place =
            || self.is_at_place_of(rejected, outer) || is_near && self.takes_lines_of(rejected);
        // With another last comma it is another change where it is.
        let is_moved = self.len() == rejected.len() || !is_at_place();
        (moved().filter(|_| is_moved)).or_else(|| is_at_place().then_some(Relation::Neighbors))
    }

    /// Compares two changes of which one at least is joined of several with unchanged lines between them. These are no evidence.
    pub(super) fn relation_of_joined(&self, rejected: &Self, same_file: bool) -> Option<Relation> {
        let is_same = self.is_equal(rejected) && self.is_beside_the_same_as(rejected, same_file);
        let relations = [
            (is_same, Relation::Same),
            (self.is_moved_without_repeated(rejected), Relation::Moved),
            (same_file && self.is_edge_of(rejected), Relation::Part),
            (same_file && rejected.is_edge_of(self), Relation::Contains),
        ];
        let mut relations = relations.into_iter();
        relations.find_map(|(holds, relation)| holds.then_some(relation))
    }

    /// Returns true if another change at the same place begins or ends with this one, line by line.
    fn is_edge_of(&self, whole: &Self) -> bool {
        let (own, whole) = (&self.line_core, &whole.line_core);
        let is_shorter =
            own.removed.len() <= whole.removed.len() && own.added.len() <= whole.added.len();
        let is_empty = own.removed.is_empty() && own.added.is_empty();
        if is_empty || !self.has_words() || !is_shorter {
            return false;
        }
        own.slid_down()
            .take(MOST_PLACES)
            .any(|own| is_start_of(&own, whole) || is_end_of(&own, whole))
    }

    /// Counts the equal words above and below this change and the lines that another one removes, wherever among these it is.
    /// `outer` is their number around the whole other change.
    fn agreement_inside(&self, whole: &Self, outer: [usize; 2]) -> [usize; 2] {
        if whole.removed.len() > MOST_WORDS {
            return outer;
        }
        let starts = iter::once(&0).chain(&whole.removed_ends);
        let inside = starts.filter(|start| whole.removed[**start..].starts_with(&self.removed));
        let agreements = inside.take(MOST_PLACES).map(|&start| {
            let above = whole.removed[..start].iter().rev().chain(&whole.around[0]);
            let below = whole.removed[start + self.removed.len()..].iter();
            let below = below.chain(&whole.around[1]);
            [
                common(self.around[0].iter(), above),
                common(self.around[1].iter(), below),
            ]
        });
        iter::once(outer)
            .chain(agreements)
            .max_by_key(|[above, below]| (*above.min(below), *above.max(below)))
            .unwrap_or(outer)
    }

    /// Returns true if it removes some of the lines that another change removes.
    fn takes_lines_of(&self, whole: &Self) -> bool {
        !self.removed.is_empty()
            && contains_lines(&whole.removed, &whole.removed_ends, &self.removed)
    }

    /// Returns true if another change contains this one, which has a few words or a name. It must be where the other one is.
    fn is_short_part_of(&self, whole: &Self) -> bool {
        self.has_words() && self.is_within(whole)
    }

    fn has_words(&self) -> bool {
        let mut words = self.removed.iter().chain(&self.added);
        self.len() >= LEAST_PART || words.any(|word| is_name(*word))
    }

    /// Returns true if another change contains this one, which has many words that really differ; one that only adds lines must be near it.
    fn is_long_part_of(&self, whole: &Self, is_near: bool) -> bool {
        let differing = self.core.removed.len() + self.core.added.len();
        differing >= LEAST_WORDS && (!self.removed.is_empty() || is_near) && self.is_within(whole)
    }

    /// Returns true if adjacent lines of another change are those of this one.
    fn is_within(&self, whole: &Self) -> bool {
        if self.len() > whole.len() {
            return false;
        }
        // Diffs begin lines that are only added, or only removed, at any of several equal ones.
        let is_one_sided = whole.removed.is_empty() || whole.added.is_empty();
        let is_own_side = |own: &[WordHash], other: &[WordHash], of_whole: &[WordHash]| {
            other.is_empty() && own.len() == of_whole.len()
        };
        let contains = if is_one_sided
            || is_own_side(&self.removed, &self.added, &whole.removed)
            || is_own_side(&self.added, &self.removed, &whole.added)
        {
            circle_contains
        } else {
            contains_lines
        };
        contains(&whole.removed, &whole.removed_ends, &self.removed)
            && contains(&whole.added, &whole.added_ends, &self.added)
    }

    /// Returns true if both are equal and have so many words that no other change is, with the lines that moved with them.
    fn is_moved_from(&self, other: &Self) -> bool {
        self.anywhere == other.anywhere && self.is_alone(self.len(), other)
    }

    /// The same, of the words that really differ.
    fn is_moved_without_repeated(&self, other: &Self) -> bool {
        let (own, core) = (&self.core, &other.core);
        let is_equal = self.anywhere == other.anywhere
            || own.removed == core.removed && own.added == core.added;
        let words = own.removed.len() + own.added.len();
        is_equal && self.is_alone(words, other)
    }

    /// Returns true if a change of so many words, with the equal ones around it, has enough to be known wherever it is. No lines move with
    /// it on a side where one of the two has none.
    fn is_alone(&self, words: usize, other: &Self) -> bool {
        let (own, other) = (&self.core.around, &other.core.around);
        let equal = [0, 1].map(|side| common(own[side].iter(), other[side].iter()));
        let [is_along_above, is_along_below] = [0, 1].map(|side| {
            let shorter = own[side].len().min(other[side].len());
            equal[side] >= LEAST_AROUND.min(shorter)
        });
        let is_along = is_along_above && is_along_below;
        words >= LEAST_ALONE || is_along && words + equal[0] + equal[1] >= LEAST_ALONE
    }

    /// Returns true if both replace the same words by the same words. One may repeat more unchanged words around them than the other: these
    /// must then be around the other.
    fn is_equal(&self, other: &Self) -> bool {
        let (own, other) = (&self.core, &other.core);
        own.removed == other.removed
            && own.added == other.added
            && [0, 1].iter().all(|&side| {
                let length = own.repeated[side].max(other.repeated[side]);
                let own = own.around[side].iter().take(length);
                own.eq(other.around[side].iter().take(length))
            })
    }

    /// Returns true if the lines around both are the same, as far as two equal changes need it: those near the change, or many on one
    /// side, because the other side may have been changed since. In two files they are many on both sides.
    fn is_beside_the_same_as(&self, other: &Self, same_file: bool) -> bool {
        let [above, below] = agreement(&self.core.around, &other.core.around);
        let (least, most) = (above.min(below), above.max(below));
        least >= MOST_AROUND || same_file && (least >= LEAST_AROUND || most >= MOST_AROUND)
    }

    /// Returns true if both replace the same lines, or add lines at the same place: so many words around them are equal.
    fn is_at_place_of(&self, other: &Self, [above, below]: [usize; 2]) -> bool {
        match (self.removed.is_empty(), other.removed.is_empty()) {
            (true, true) => above.min(below) >= LEAST_AROUND,
            (false, false) => {
                let is_same = self.takes_lines_of(other) || other.takes_lines_of(self);
                is_same && above.max(below) >= LEAST_AROUND
            }
            (true, false) | (false, true) => false,
        }
    }
}

/// Returns true if another change at the same place begins with a part.
fn is_start_of(part: &Core, whole: &Core) -> bool {
    let rest = whole.removed.iter().skip(part.removed.len());
    whole.removed.starts_with(&part.removed)
        && whole.added.starts_with(&part.added)
        && are_beside(part.around[0].iter(), whole.around[0].iter())
        && are_beside(part.around[1].iter(), rest.chain(&whole.around[1]))
}

/// Returns true if another change at the same place ends with a part.
fn is_end_of(part: &Core, whole: &Core) -> bool {
    let rest = whole.removed.iter().rev().skip(part.removed.len());
    whole.removed.ends_with(&part.removed)
        && whole.added.ends_with(&part.added)
        && are_beside(part.around[1].iter(), whole.around[1].iter())
        && are_beside(part.around[0].iter(), rest.chain(&whole.around[0]))
}

/// Returns true if some lines next to two changes are equal, or all up to the end of the file.
fn are_beside<'a>(
    mut own: impl Iterator<Item = &'a WordHash>,
    mut other: impl Iterator<Item = &'a WordHash>,
) -> bool {
    for _ in 0..LEAST_LINES_AROUND {
        match (own.next(), other.next()) {
            (None, None) => return true,
            (own, other) if own == other => (),
            (_, _) => return false,
        }
    }
    true
}

/// Returns true if some words are those of adjacent lines, of which the first follows the last. Very many words must be the same in all.
fn circle_contains(words: &[WordHash], ends: &[usize], part: &[WordHash]) -> bool {
    if words.len() > MOST_WORDS {
        return contains_lines(words, ends, part);
    }
    let again = ends.iter().map(|end| end + words.len());
    let ends: Vec<usize> = ends.iter().copied().chain(again).collect();
    has_lines(&[words, words].concat(), &ends, part)
}

/// Returns true if some words are those of adjacent lines, which end where `ends` says. Very many words must be the same in all.
fn contains_lines(words: &[WordHash], ends: &[usize], part: &[WordHash]) -> bool {
    if words.len() > MOST_WORDS {
        return part.is_empty() || part == words;
    }
    has_lines(words, ends, part)
}

/// Returns true if some words are those of adjacent lines, however many.
fn has_lines(words: &[WordHash], ends: &[usize], part: &[WordHash]) -> bool {
    let mut starts = iter::once(&0).chain(ends);
    part.is_empty() || starts.any(|&start| begins_with(&words[start..], start, ends, part))
}

/// Returns true if words that begin at a line begin with whole lines. Of two equal lines only the one that no bracket follows has a comma at
/// its end.
fn begins_with(words: &[WordHash], start: usize, ends: &[usize], part: &[WordHash]) -> bool {
    let is_end = |count: usize| ends.binary_search(&(start + count)).is_ok();
    let (count, next) = (part.len(), words.get(part.len()));
    if words.starts_with(part) {
        let has_comma = words.len() > count + 1 && next.is_some_and(|word| is_comma(*word));
        return is_end(count) || has_comma && is_end(count + 1);
    }
    let Some((last, part)) = part.split_last() else {
        return false;
    };
    let is_before_bracket = words.get(part.len()).is_some_and(|word| is_closing(*word));
    is_comma(*last) && is_before_bracket && words.starts_with(part) && is_end(part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_many_words_is_found_up_to_a_limit() {
        let check = |count: u64, first: usize, expected: bool| {
            let words: Vec<WordHash> = (0..count).collect();
            let ends: Vec<usize> = (1..=words.len()).collect();
            let part = [&words[first..], &words[..first]].concat();
            assert_eq!(
                circle_contains(&words, &ends, &part[..words.len() / 2]),
                expected
            );
            assert!(circle_contains(&words, &ends, &words));
        };
        check(10, 7, true);
        check(2_500, 1_500, true);
        check(4_000, 3_000, true);
        check(4_001, 3_000, false);
    }
}
