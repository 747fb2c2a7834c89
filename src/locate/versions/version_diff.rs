//! Changes of a file since an earlier version of it: the diff of the two texts.
//!
//! A diff is not always unique: where lines repeat, inserted lines could as well have been inserted elsewhere. Hence no change
//! is carried over next to a difference, wherever that may be slid to; and the unchanged lines around a change must include one
//! that both texts have once, or nothing shows that they are those lines.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::hypotheses::interpretation::similarity;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::{Match, Pairs};
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::{Change, Rung};
use crate::text::{Document, LineIdx};

/// State of the ancestor's lines that a change replaces.
enum CarriedChange {
    /// They are these lines now.
    Moved(Range<LineIdx>),
    /// The file has the result of the change already.
    Done,
    /// They, or the lines beside them, have changed.
    Touched,
}

/// Changes of a text since an ancestor: the stretches that are unchanged, in order.
pub(crate) struct Since {
    kept: Vec<Kept>,
}

/// Lines that are in both texts.
struct Kept {
    was: Range<LineIdx>,
    is: Range<LineIdx>,
    /// Those of the ancestor's lines beside which there is no difference, nor one that can be slid there.
    calm: Range<LineIdx>,
    /// True if the stretch begins with both texts, and true if it ends with them.
    edges: (bool, bool),
    /// True if both texts have one of the lines once, or the two texts are equal.
    is_known: bool,
}

impl Kept {
    /// Returns true if some lines are among these, and not beside a difference.
    fn holds(&self, lines: &Range<LineIdx>) -> bool {
        let after = self.calm.start < lines.start || (self.edges.0 && self.calm.start == 0);
        let before = lines.end < self.calm.end || (self.edges.1 && self.calm.end == self.was.end);
        after && before && self.was.start <= lines.start && lines.end <= self.was.end
    }

    /// Returns the place of some of these lines in the later text.
    fn now(&self, lines: &Range<LineIdx>) -> Range<LineIdx> {
        let to = |line: LineIdx| self.is.start + (line - self.was.start);
        to(lines.start)..to(lines.end)
    }
}

impl Since {
    pub(crate) fn of(was: &Index<'_>, is: &Index<'_>) -> Self {
        let old: Vec<&str> = was.document.lines().collect();
        let new: Vec<&str> = is.document.lines().collect();
        let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
        let once = |line: &&str| {
            let stands_once = |index: &Index<'_>| index.folded(Rung::Exact).count(line) == 1;
            !is_blank(line) && stands_once(was) && stands_once(is)
        };
        let equal = ops.iter().filter(|op| op.tag() == DiffTag::Equal);
        let mut kept: Vec<Kept> = equal
            .map(|op| (op.old_range(), op.new_range()))
            .map(|(was, is)| Kept {
                is_known: was.len() == old.len() && is.len() == new.len()
                    || old[was.clone()].iter().any(once),
                calm: was.clone(),
                edges: (
                    was.start == 0 && is.start == 0,
                    was.end == old.len() && is.end == new.len(),
                ),
                was,
                is,
            })
            .collect();
        for after in 0..=kept.len() {
            let end = |stretch: Option<&Kept>| stretch.map_or((0, 0), |s| (s.was.end, s.is.end));
            let (was_from, is_from) = end(after.checked_sub(1).map(|before| &kept[before]));
            let (was_to, is_to) = kept
                .get(after)
                .map_or((old.len(), new.len()), |s| (s.was.start, s.is.start));
            let (up, down) = if was_from == was_to {
                slides(&new, &(is_from..is_to))
            } else if is_from == is_to {
                slides(&old, &(was_from..was_to))
            } else {
                (0, 0)
            };
            if let Some(before) = after.checked_sub(1).map(|before| &mut kept[before]) {
                before.calm.end = before.calm.end.saturating_sub(up).max(before.was.start);
            }
            if let Some(next) = kept.get_mut(after) {
                next.calm.start = (next.calm.start + down).min(next.was.end);
            }
        }
        Self { kept }
    }

    /// Converts changes of the ancestor to changes of the file, without those that it has already. `None` if one of them is in
    /// conflict with the file.
    pub(crate) fn carry(
        &self,
        changes: impl IntoIterator<Item = Change>,
        document: &Document,
    ) -> Option<Vec<Change>> {
        let mut carried = Vec::new();
        for change in changes {
            match self.fate(&change.lines, &change.with, document) {
                CarriedChange::Moved(lines) => carried.push(Change { lines, ..change }),
                CarriedChange::Done => (),
                CarriedChange::Touched => return None,
            }
        }
        Some(carried)
    }

    /// Returns the state of a range of the ancestor's lines, for a change that replaces them by `with`.
    fn fate(
        &self,
        removed: &Range<LineIdx>,
        with: &[String],
        document: &Document,
    ) -> CarriedChange {
        if self.kept.iter().any(|kept| kept.holds(removed)) {
            return self
                .lines_kept(removed)
                .map_or(CarriedChange::Touched, CarriedChange::Moved);
        }
        let start = match removed.start.checked_sub(1) {
            None => Some(0),
            Some(before) => self.line(before).map(|line| line + 1),
        };
        let is_last = self
            .kept
            .last()
            .is_none_or(|kept| kept.was.end <= removed.end);
        let end = self.line(removed.end).or(is_last.then_some(document.len()));
        match (start, end) {
            (Some(start), Some(end))
                if start <= end && (start..end).map(|line| document.line(line)).eq(with) =>
            {
                CarriedChange::Done
            }
            _ => CarriedChange::Touched,
        }
    }

    /// Returns the place of lines of the ancestor that have not changed, nor the lines beside them.
    pub(crate) fn lines_kept(&self, lines: &Range<LineIdx>) -> Option<Range<LineIdx>> {
        let kept = self.kept.iter().find(|kept| kept.holds(lines))?;
        kept.is_known.then(|| kept.now(lines))
    }

    /// Returns the present position of a line of the ancestor.
    fn line(&self, was: LineIdx) -> Option<LineIdx> {
        let after = self.kept.partition_point(|kept| kept.was.end <= was);
        let kept = self.kept.get(after).filter(|kept| kept.was.start <= was)?;
        Some(kept.is.start + (was - kept.was.start))
    }

    /// Returns the present position of each of these lines of the ancestor.
    pub(crate) fn lines_now(&self, lines: &Range<LineIdx>) -> Vec<Option<LineIdx>> {
        lines.clone().map(|line| self.line(line)).collect()
    }

    /// Pairs the lines of a conflict with the file lines in their place; `None` if none of them is left.
    pub(crate) fn side_by_side(
        &self,
        lines: &Range<LineIdx>,
        preimage: &[String],
        document: &Document,
    ) -> Option<Match> {
        let mut pairs = self.lines_now(lines);
        let left: Vec<usize> = (0..pairs.len()).filter(|&i| pairs[i].is_some()).collect();
        let last = pairs[*left.last()?]?;
        // As many lines as there were: pair them one by one.
        for two in left.windows(2) {
            if let (Some(from), Some(to)) = (pairs[two[0]], pairs[two[1]])
                && to - from == two[1] - two[0]
            {
                for (pair, at) in pairs[two[0]..two[1]].iter_mut().zip(from..) {
                    *pair = Some(at);
                }
            }
        }
        let like = |(line, at): (&String, &Option<LineIdx>)| {
            at.map_or(0.0, |at| similarity(line, document.line(at)))
        };
        let total: f64 = preimage.iter().zip(&pairs).map(like).sum();
        #[expect(clippy::cast_precision_loss, reason = "a number of lines")]
        let similarity = total / pairs.len() as f64;
        Some(Match {
            lines: pairs[left[0]]?..last + 1,
            pairs: Pairs::Each(pairs),
            similarity,
        })
    }
}

/// Returns the number of lines by which a stretch that only one of two texts has can be slid up, and down, for the same
/// difference.
fn slides(text: &[&str], only: &Range<LineIdx>) -> (usize, usize) {
    if only.is_empty() {
        return (0, 0);
    }
    let up = (1..=only.start).take_while(|by| text[only.end - by] == text[only.start - by]);
    let down =
        (0..text.len() - only.end).take_while(|by| text[only.start + by] == text[only.end + by]);
    (up.count(), down.count())
}
