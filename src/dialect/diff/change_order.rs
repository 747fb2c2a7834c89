//! The order of two changes of a file, by its names, its versions and its lines.

use std::ops::Range;

use crate::proposal::{Blobs, FileChange, Hunk, Operation};

/// Sign of the order of two changes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OrderSign {
    AsListed,
    NewestFirst,
    /// Both orders fit, and make different texts.
    Either,
    /// Nothing, or no difference.
    Unknown,
}

impl OrderSign {
    fn of(as_listed: bool, newest_first: bool) -> Self {
        match (as_listed, newest_first) {
            (true, true) => Self::Either,
            (true, false) => Self::AsListed,
            (false, true) => Self::NewestFirst,
            (false, false) => Self::Unknown,
        }
    }
}

/// Returns the names that a change needs or makes.
pub(super) fn names_of(file: &FileChange) -> impl Iterator<Item = &str> {
    [Some(file.path.first()), moved_to(file)]
        .into_iter()
        .flatten()
}

/// Returns the new name of a file that a change moves.
pub(super) fn moved_to(file: &FileChange) -> Option<&str> {
    match &file.operation {
        Operation::Rename(to) => Some(to.first()),
        Operation::Modify
        | Operation::Create
        | Operation::CreateOrAppend
        | Operation::Overwrite
        | Operation::Delete
        | Operation::CopyOf(_)
        | Operation::Link { .. } => None,
    }
}

/// Names that a change needs, and those that it leaves.
struct NamesAround<'a> {
    /// A file must have this name before it.
    needed: Option<&'a str>,
    /// No file has this name before it.
    made: Option<&'a str>,
    /// A file has this name after it.
    left: Option<&'a str>,
    /// No file has this name after it.
    removed: Option<&'a str>,
}

impl<'a> NamesAround<'a> {
    fn of(file: &'a FileChange) -> Self {
        let name = Some(file.path.first());
        let (needed, made, left, removed) = match &file.operation {
            // A file that loses all of its lines may be made anew: quilt writes a file without lines as an absent one.
            Operation::Modify if removes_all(file) => (name, None, None, None),
            Operation::Modify => (name, None, name, None),
            Operation::Create => (None, name, name, None),
            Operation::Delete => (name, None, None, name),
            Operation::Rename(to) => (name, Some(to.first()), Some(to.first()), name),
            Operation::CreateOrAppend
            | Operation::Overwrite
            | Operation::CopyOf(_)
            | Operation::Link { .. } => (None, None, None, None),
        };
        Self {
            needed,
            made,
            left,
            removed,
        }
    }

    /// Returns `true` if a change may follow this one.
    fn may_precede(&self, next: &Self) -> bool {
        let is_one = |left: Option<&str>, right| left.is_some() && left == right;
        !is_one(self.removed, next.needed) && !is_one(self.left, next.made)
    }
}

/// Returns `true` for a diff that only removes lines, from the first one on, and does not name the version that this leaves.
fn removes_all(file: &FileChange) -> bool {
    let [hunk] = &file.hunks[..] else {
        return false;
    };
    file.blobs.is_none()
        && hunk.body.postimage.is_empty()
        && hunk.hint.is_some_and(|line| line.idx() == 0)
}

/// Compares the names that two changes need and leave: a file is changed under a name after it has got it and before it loses it.
pub(super) fn names_in_order(above: &FileChange, below: &FileChange) -> OrderSign {
    let (above, below) = (NamesAround::of(above), NamesAround::of(below));
    match OrderSign::of(above.may_precede(&below), below.may_precede(&above)) {
        // Not the same files after all.
        OrderSign::Unknown => OrderSign::Either,
        direction @ (OrderSign::AsListed | OrderSign::NewestFirst | OrderSign::Either) => direction,
    }
}

/// Compares the versions that two changes lead from and to.
pub(super) fn versions(above: &FileChange, below: &FileChange) -> OrderSign {
    let Some((above, below)) = above.blobs.as_ref().zip(below.blobs.as_ref()) else {
        return OrderSign::Unknown;
    };
    let leads = |from: &Blobs, to: &Blobs| {
        from.after.starts_with(&to.before) || to.before.starts_with(&from.after)
    };
    OrderSign::of(leads(above, below), leads(below, above))
}

/// Compares the lines that two changes have in the version between them.
pub(super) fn lines(above: &FileChange, below: &FileChange) -> OrderSign {
    let between = |from: &FileChange, to: &FileChange| {
        Overlap::of(
            &side(&from.hunks, DiffSide::New),
            &side(&to.hunks, DiffSide::Old),
        )
    };
    let (as_listed, newest_first) = (between(above, below), between(below, above));
    let direction = OrderSign::of(as_listed.fits(), newest_first.fits());
    let matters = as_listed.has_changed || newest_first.has_changed;
    if direction == OrderSign::Either && !matters {
        return OrderSign::Unknown;
    }
    direction
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiffSide {
    Old,
    New,
}

/// Some lines of a version, from a line on.
struct VersionLines<'a> {
    start: usize,
    lines: &'a [String],
    /// The lines that the hunk has on this side only, counted from its first one.
    changed: Range<usize>,
}

/// Returns the lines of one side of hunks that state their lines.
fn side(hunks: &[Hunk], side: DiffSide) -> Vec<VersionLines<'_>> {
    let (mut added, mut removed) = (0, 0);
    let mut passages = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let (old, new) = (&hunk.body.preimage, &hunk.body.postimage);
        if let Some(line) = hunk.hint {
            let same = |(left, right): &(&String, &String)| left == right;
            let head = old.iter().zip(new).take_while(same).count();
            let tail = old[head..].iter().rev().zip(new[head..].iter().rev());
            let tail = tail.take_while(same).count();
            let (lines, start) = match side {
                DiffSide::Old => (old, line.idx()),
                DiffSide::New => (new, (line.idx() + added).saturating_sub(removed)),
            };
            passages.push(VersionLines {
                start,
                lines,
                changed: head..lines.len() - tail,
            });
        }
        added += new.len();
        removed += old.len();
    }
    passages
}

/// The lines that two changes have in common in the version between them.
#[derive(Debug, Clone, Copy, Default)]
struct Overlap {
    lines: usize,
    /// True if some of them differ.
    differs: bool,
    /// True if one of the changes adds or removes some of them.
    has_changed: bool,
}

impl Overlap {
    fn of(left: &[VersionLines], right: &[VersionLines]) -> Self {
        let mut overlap = Self::default();
        let mut rights = right.iter().peekable();
        for left in left {
            let end = left.start + left.lines.len();
            while let Some(right) = rights.peek() {
                overlap.add(left, right);
                if right.start + right.lines.len() > end {
                    break;
                }
                rights.next();
            }
        }
        overlap
    }

    fn add(&mut self, left: &VersionLines, right: &VersionLines) {
        let first = left.start.max(right.start);
        let end = (left.start + left.lines.len()).min(right.start + right.lines.len());
        for at in first..end {
            let (in_left, in_right) = (at - left.start, at - right.start);
            self.lines += 1;
            self.differs |= left.lines[in_left] != right.lines[in_right];
            self.has_changed |=
                left.changed.contains(&in_left) || right.changed.contains(&in_right);
        }
    }

    fn fits(self) -> bool {
        self.lines > 0 && !self.differs
    }
}
