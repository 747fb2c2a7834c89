//! States of a hunk at a place: none of its changes is made there yet, all are, or some of them.
//!
//! A hunk is a list of rows: context lines, lines that it removes and lines that it adds. A variant defines for every change of
//! the hunk whether the file has its removed or its added lines, and so which rows must match the file.

use std::ops::Range;

use crate::locate::hypotheses::interpretation::similarity;
use crate::locate::matching::edit_script::{EditStep, Script};
use crate::proposal::Body;

/// Maximum number of changes for which mixed variants are tried; more are assumed to be made all or not at all.
const MAX_MIXED: usize = 3;
/// Minimum similarity of two versions of one line, in `0..=1`.
const SIMILAR: f64 = 0.5;

/// A line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HunkRow {
    /// A context line, by its position in the preimage.
    Context(usize),
    /// A removed line, by the number of its change and its position in the preimage.
    Removed(usize, usize),
    /// An added line, by the number of its change and its position in the postimage.
    Added(usize, usize),
}

/// A hunk as rows.
#[derive(Debug)]
pub(crate) struct HunkRows {
    pub(crate) rows: Vec<HunkRow>,
    /// The rows of each change.
    pub(crate) changes: Vec<Range<usize>>,
}

/// The changes of a hunk that the file has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Variant {
    /// None of them.
    Preimage,
    /// All of them.
    Postimage,
    /// Those whose bit is set.
    Mixed(u8),
}

impl Variant {
    /// Returns true if a change is made already.
    pub(crate) fn has(self, change: usize) -> bool {
        match self {
            Self::Preimage => false,
            Self::Postimage => true,
            Self::Mixed(made) => made & (1 << change) != 0,
        }
    }
}

impl HunkRows {
    pub(crate) fn of(body: &Body, script: &Script) -> Self {
        let mut rows = Vec::with_capacity(body.preimage.len() + 8);
        let mut changes = Vec::with_capacity(script.steps().len());
        let mut next = 0;
        for step in script.steps() {
            rows.extend((next..step.removed.start).map(HunkRow::Context));
            for (removed, added) in line_by_line(step, body) {
                let (nth, first) = (changes.len(), rows.len());
                rows.extend(removed.map(|line| HunkRow::Removed(nth, line)));
                rows.extend(added.map(|line| HunkRow::Added(nth, line)));
                changes.push(first..rows.len());
            }
            next = step.removed.end;
        }
        rows.extend((next..body.preimage.len()).map(HunkRow::Context));
        Self { rows, changes }
    }

    /// Returns the variants of the hunk, the preimage first.
    pub(crate) fn variants(&self) -> Vec<Variant> {
        let mut variants = vec![Variant::Preimage];
        if !self.changes.is_empty() {
            variants.push(Variant::Postimage);
        }
        if (2..=MAX_MIXED).contains(&self.changes.len()) {
            variants.extend((1..(1_u8 << self.changes.len()) - 1).map(Variant::Mixed));
        }
        variants
    }

    /// Returns the rows that the file has under a variant.
    pub(crate) fn selected(&self, variant: Variant) -> Vec<usize> {
        let selected = (0..self.rows.len()).filter(|&row| match self.rows[row] {
            HunkRow::Context(_) => true,
            HunkRow::Removed(change, _) => !variant.has(change),
            HunkRow::Added(change, _) => variant.has(change),
        });
        selected.collect()
    }

    /// Returns the text of a row.
    pub(crate) fn text<'b>(&self, row: usize, body: &'b Body) -> &'b str {
        match self.rows[row] {
            HunkRow::Context(line) | HunkRow::Removed(_, line) => &body.preimage[line],
            HunkRow::Added(_, line) => &body.postimage[line],
        }
    }

    /// Returns the body that is left under a variant: the lines that the file has then, and the postimage.
    pub(crate) fn body(&self, variant: Variant, body: &Body) -> Body {
        let lines = self.selected(variant).into_iter();
        Body {
            preimage: lines.map(|row| self.text(row, body).to_owned()).collect(),
            postimage: body.postimage.clone(),
        }
    }
}

/// Returns the changes of a step: one per line, if a few lines are replaced by as many similar ones and each may be made
/// without the others; else one.
fn line_by_line(step: &EditStep, body: &Body) -> Vec<(Range<usize>, Range<usize>)> {
    let is_similar = |(old, new)| {
        let (old, new): (&String, &String) = (&body.preimage[old], &body.postimage[new]);
        similarity(old, new) >= SIMILAR
    };
    let pairs = step.removed.clone().zip(step.added.clone());
    let are_few = (2..=MAX_MIXED).contains(&step.removed.len());
    if are_few && step.removed.len() == step.added.len() && pairs.clone().all(is_similar) {
        pairs
            .map(|(old, new)| (old..old + 1, new..new + 1))
            .collect()
    } else {
        vec![(step.removed.clone(), step.added.clone())]
    }
}
