//! Changed lines of a group in the order of their rows.

use super::row::Layout;
use crate::review::session::file::ChangeGroup;
use crate::review::session::hunk::{ChangedLine, Side};
use crate::text::LineIdx;

/// A changed line, or one side of it, before it is a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineEntry {
    /// Its position among the changed lines of its hunk.
    pub(super) line: usize,
    pub(super) side: Side,
    pub(super) old: Option<LineIdx>,
    pub(super) new: Option<LineIdx>,
    /// The sides whose comments follow it.
    pub(super) said: &'static [Side],
}

/// Returns the changed lines of a group: both sides beside each other, or the removed lines before the added ones. `lines` are
/// those of its hunk; `shift` is the right-side position less the base position at the group.
pub(super) fn entries(
    lines: &[ChangedLine],
    group: &ChangeGroup,
    shift: isize,
    layout: Layout,
) -> Vec<LineEntry> {
    let mut next = group.base.start.saturating_add_signed(shift);
    let mut both = Vec::with_capacity(group.lines.len());
    for line in group.lines.clone() {
        let old = lines[line].removes.then_some(lines[line].at);
        let new = lines[line].adds.is_some().then_some(next);
        next += usize::from(new.is_some());
        let side = match (old, new) {
            (Some(_), None) => Side::Old,
            (None, _) => Side::New,
            (Some(_), Some(_)) => Side::Both,
        };
        both.push(LineEntry {
            line,
            side,
            old,
            new,
            said: &[Side::Old, Side::New, Side::Both],
        });
    }
    if layout == Layout::Split {
        return both;
    }
    let removed = both.iter().filter(|entry| entry.old.is_some());
    let removed = removed.map(|entry| match entry.new {
        // Comments on both sides are shown under the new line, if there is one.
        Some(_) => LineEntry {
            side: Side::Old,
            new: None,
            said: &[Side::Old],
            ..*entry
        },
        None => *entry,
    });
    let added = both.iter().filter(|entry| entry.new.is_some());
    let added = added.map(|entry| match entry.old {
        Some(_) => LineEntry {
            side: Side::New,
            old: None,
            said: &[Side::New, Side::Both],
            ..*entry
        },
        None => *entry,
    });
    removed.chain(added).collect()
}
