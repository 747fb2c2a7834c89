//! Exact identities of changes: a hash of all that has to be the same where a change is taken for one that the person knows, which is both
//! texts with their line endings, and the lines around them in both.

use std::ops::Range;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::exact_step;
use crate::proposal::FinalNewline;
use crate::review::session::file::FileReview;
use crate::review::session::hunk::HunkReview;
use crate::review::session::review_session::ReviewSession;
use crate::review::session::versions::{Found, Stance};
use crate::text::{Document, LineIdx, hex};

/// Lines on each side that have to be the same.
const AROUND: usize = 3;

/// The changes of a file between its two versions.
pub(super) struct ExactChanges<'a> {
    file: &'a FileReview,
    right: &'a Document,
    /// The lines of each hunk on both sides; `None` if another hunk changes lines between its own.
    sides: Vec<Option<HunkSides>>,
}

/// The lines that a hunk takes on both sides.
#[derive(Debug, Clone)]
pub(super) struct HunkSides {
    base: Range<LineIdx>,
    pub(super) right: Range<LineIdx>,
}

impl<'a> ExactChanges<'a> {
    pub(super) fn of(file: &'a FileReview) -> Self {
        let new = file.sides.as_ref().map(|sides| &sides.new);
        let right = match new {
            Some(Found::Text { document, .. }) if document.len() == file.right_len() => document,
            _ => file.yours(),
        };
        Self {
            file,
            right,
            sides: sides_of_all(file),
        }
    }

    /// Returns the identity of the change of a hunk, as all changes of the file are proposed.
    pub(super) fn identity(&self, hunk: usize) -> Option<String> {
        let right = &self.sides.get(hunk)?.as_ref()?.right;
        let line = |line| self.right.line(line);
        self.hash(hunk, around(self.right.len(), right, &line))
    }

    /// Returns the identity that the change of a hunk has beside other lines than the proposed ones.
    pub(super) fn identity_in(
        &self,
        hunk: usize,
        lines: &[&str],
        at: &Range<usize>,
    ) -> Option<String> {
        self.hash(hunk, around(lines.len(), at, &|line| lines[line]))
    }

    fn hash(&self, hunk: usize, new: [Vec<&str>; 2]) -> Option<String> {
        let HunkSides { base, right } = self.sides.get(hunk)?.as_ref()?;
        let old = &*self.file.base;
        let [old_above, old_below] = around(old.len(), base, &|line| old.line(line));
        let [new_above, new_below] = new;
        let parts = [
            whole_lines(old, base)?,
            whole_lines(self.right, right)?,
            old_above,
            old_below,
            new_above,
            new_below,
        ];
        let mut digest = Sha256::new();
        for part in parts {
            digest.update(part.len().to_le_bytes());
            for text in part {
                digest.update(text.len().to_le_bytes());
                digest.update(text.as_bytes());
            }
        }
        digest.update(match self.file.hunks[hunk].final_newline {
            FinalNewline::Keep => "",
            FinalNewline::Add => "add",
            FinalNewline::Remove => "remove",
        });
        Some(hex(&digest.finalize()))
    }
}

/// Returns the lines that each hunk takes on both sides of a file.
pub(super) fn sides_of_all(file: &FileReview) -> Vec<Option<HunkSides>> {
    let mut all: Vec<Option<HunkSides>> = vec![None; file.hunks.len()];
    let mut is_torn = vec![false; file.hunks.len()];
    let mut last = None;
    let (mut removed, mut added) = (0, 0);
    for group in &file.groups {
        let start = group.base.start + added - removed;
        removed += group.base.len();
        added += group.adds;
        let end = group.base.end + added - removed;
        match &mut all[group.hunk] {
            Some(sides) => {
                is_torn[group.hunk] |= last != Some(group.hunk);
                sides.base.end = group.base.end;
                sides.right.end = end;
            }
            none @ None => {
                *none = Some(HunkSides {
                    base: group.base.clone(),
                    right: start..end,
                });
            }
        }
        last = Some(group.hunk);
    }
    for (sides, _) in all.iter_mut().zip(is_torn).filter(|(_, torn)| *torn) {
        *sides = None;
    }
    all
}

/// Returns the lines above and below some lines.
fn around<'a>(
    count: usize,
    lines: &Range<usize>,
    line: &dyn Fn(usize) -> &'a str,
) -> [Vec<&'a str>; 2] {
    let above = lines.start.saturating_sub(AROUND)..lines.start;
    let below = lines.end..(lines.end + AROUND).min(count).max(lines.end);
    [above, below].map(|lines| lines.map(line).collect())
}

/// Returns lines of a text with their endings; `None` if it does not have them.
fn whole_lines<'a>(document: &'a Document, lines: &Range<LineIdx>) -> Option<Vec<&'a str>> {
    let is_there = lines.end <= document.len();
    let whole = lines.clone();
    let whole = whole.flat_map(|line| [document.line(line), document.ending(line).as_str()]);
    is_there.then(|| whole.collect())
}

/// Returns true for a hunk that is as it was proposed, at a place that no person and no model chose.
pub(super) fn is_whole(hunk: &HunkReview) -> bool {
    let changes = hunk.step.is_some() || !hunk.state.lines.is_empty();
    let is_chosen = hunk.is_by_hand() || hunk.is_by_model();
    changes && !hunk.state.edited && hunk.part.is_none() && !is_chosen
}

/// Gives every hunk its identity. To be called before anything is decided.
pub(super) fn identify(session: &mut ReviewSession) {
    for file in session.files.iter_mut().filter(|file| file.is_open()) {
        let lines = is_compared(file).then(|| ExactChanges::of(file));
        let hunks = file.hunks.iter().enumerate();
        let identities: Vec<Option<Arc<str>>> = hunks
            .map(|(at, hunk)| {
                let identity = match &hunk.step {
                    _ if !is_whole(hunk) || !hunk.is_decidable() => None,
                    Some(step) => exact_step::identity(file, step),
                    None => lines.as_ref()?.identity(at),
                };
                identity.map(Arc::from)
            })
            .collect();
        for (hunk, identity) in file.hunks.iter_mut().zip(identities) {
            hunk.identity = identity;
        }
    }
}

/// Returns true for a file whose two versions are texts.
fn is_compared(file: &FileReview) -> bool {
    let is_text = |found: &Found| matches!(found, Found::Text { .. } | Found::Absent);
    let sides = file.sides.as_ref();
    sides.is_none_or(|sides| is_text(&sides.old) && is_text(&sides.new))
}

/// Returns true if the changes of a file are on disk once its review is carried out, or were before.
pub(super) fn is_in_file(file: &FileReview, is_written: bool) -> bool {
    is_written || file.stance() == Stance::Standing
}
