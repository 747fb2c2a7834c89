//! Proposed changes beside the rejected ones that they are like.

use rustc_hash::{FxHashMap, FxHashSet};

use super::change::{ChangeReadings, ChangeWords, LEAST_WORDS, NamePair, NameUse};
use super::record::RejectedChange;
use super::relation::Relation;
use super::words::WordHash;
use crate::review::session::hunk::{Recurrence, RecurrenceKind};

/// A rejected change, with what it is compared by.
#[derive(Debug)]
pub(super) struct KnownRejection {
    pub(super) of: RejectedChange,
    pub(super) readings: ChangeReadings,
    pub(super) time: u64,
    pub(super) extent: ChangeExtent,
}

/// The lines that a change is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeExtent {
    /// Changed lines.
    Lines,
    /// Changed lines and unchanged ones between them.
    Joined,
}

impl KnownRejection {
    pub(super) fn recurrence(&self, kind: RecurrenceKind, fresh: Vec<usize>) -> Recurrence {
        Recurrence {
            kind,
            reason: self.of.reason.clone(),
            time: self.time,
            fresh,
            dropped: Vec::new(),
            shown: Vec::new(),
        }
    }
}

/// The rejected changes that a proposed one is like.
#[derive(Clone)]
pub(super) struct NearestRejection<'a> {
    /// The one that it is most like.
    pub(super) known: &'a KnownRejection,
    pub(super) relation: Relation,
    /// The lines that any of them adds: the person has seen them.
    pub(super) lines: FxHashSet<&'a str>,
}

/// A rejected change that a proposed one is equal to but for names.
pub(super) struct RenamedRejection<'a> {
    pub(super) known: &'a KnownRejection,
    pub(super) renamings: Vec<NameUse>,
}

/// A proposed change beside the rejected ones.
pub(super) struct ComparedRun<'a> {
    pub(super) words: ChangeWords,
    pub(super) nearest: Option<NearestRejection<'a>>,
    pub(super) renamed: Option<RenamedRejection<'a>>,
}

impl ComparedRun<'_> {
    /// Returns true if it is a rejected change in some way, and not another change of the same lines.
    pub(super) fn is_recognised(&self) -> bool {
        (self.nearest.as_ref()).is_some_and(|nearest| nearest.relation != Relation::Neighbors)
    }

    pub(super) fn is_same(&self) -> bool {
        (self.nearest.as_ref()).is_some_and(|nearest| nearest.relation == Relation::Same)
    }
}

/// Takes changes for rejected ones with other names, if these are the agent's own and changed everywhere in the same way: each occurs
/// more than once and once by itself, has one other name, no two have the same, and no other change of the proposal uses it. Other names are
/// otherwise another meaning, as those of one more setting beside one that was rejected, or of another function of a library.
pub(super) fn take_consistent_names(runs: &mut [&mut ComparedRun<'_>]) {
    let mut counts: FxHashMap<NamePair, usize> = FxHashMap::default();
    let mut introduced: FxHashSet<NamePair> = FxHashSet::default();
    for renamed in runs.iter().filter_map(|run| run.renamed.as_ref()) {
        for name in &renamed.renamings {
            *counts.entry(name.names).or_default() += 1;
            if !name.is_member {
                introduced.insert(name.names);
            }
        }
    }
    let (mut by_old, mut by_new) = (FxHashMap::default(), FxHashMap::default());
    for renaming in counts.keys() {
        *by_old.entry(renaming.old).or_insert(0) += 1;
        *by_new.entry(renaming.new).or_insert(0) += 1;
    }
    let is_again = |run: &ComparedRun<'_>| run.is_same() || run.renamed.is_some();
    let (again, others): (Vec<_>, Vec<_>) = runs.iter().partition(|run| is_again(run));
    let used: FxHashSet<WordHash> = others.iter().flat_map(|run| run.words.added()).collect();
    let is_consistent = |renaming: &NamePair| {
        let is_same = renaming.old == renaming.new;
        let is_repeated = counts[renaming] > 1 || is_same;
        let is_only_here = is_same || !used.contains(&renaming.new);
        let is_introduced = is_same || introduced.contains(renaming);
        is_repeated
            && is_introduced
            && is_only_here
            && by_old[&renaming.old] == 1
            && by_new[&renaming.new] == 1
    };
    let words: usize = again.iter().map(|run| run.words.len()).sum();
    let other = |renaming: &NamePair| renaming.old != renaming.new;
    let changed = (counts.iter()).filter(|(renaming, _)| other(renaming));
    let names: usize = changed.map(|(_, count)| count).sum();
    if words < LEAST_WORDS || names * 2 >= words {
        return;
    }
    for run in runs.iter_mut().filter(|run| !run.is_same()) {
        let Some(renamed) = &run.renamed else {
            continue;
        };
        let mut names = renamed.renamings.iter().map(|name| name.names);
        if names.clone().all(|pair| is_consistent(&pair)) && names.any(|pair| other(&pair)) {
            let lines = renamed.known.of.added.iter().map(|line| line.trim());
            run.nearest = Some(NearestRejection {
                known: renamed.known,
                relation: Relation::Renamed,
                lines: lines.collect(),
            });
        }
    }
}
