//! The changes that were rejected in earlier reviews, and which hunks of a new one propose them again.

use std::cell::LazyCell;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::change::{ChangeLines, ChangeReadings, ChangeWords};
use super::collect::{ChangedRun, runs, unplaced_changes};
use super::common_lines::shown_before;
use super::compared_change::{
    ChangeExtent, ComparedRun, KnownRejection, NearestRejection, RenamedRejection,
    take_consistent_names,
};
use super::joined::{joined_lines, joined_records, joined_runs};
use super::record::{PastVerdict, RejectedChange, RejectionRecord};
use super::relation::Relation;
use super::words::{WordHash, words_of};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{Recurrence, RecurrenceKind, Remark, ShownBefore};
use crate::review::session::review_session::ReviewSession;

/// Most rejected changes that one proposed change is compared with.
const MOST_COMPARED: usize = 64;

/// The changes that were rejected in earlier reviews and not accepted since.
#[derive(Debug, Default)]
pub struct Rejections {
    changes: Vec<KnownRejection>,
    /// The changes by what they are found by, the latest first.
    by_key: FxHashMap<u64, Vec<usize>>,
    by_stretch: FxHashMap<u64, Vec<usize>>,
    by_line: FxHashMap<u64, Vec<usize>>,
    by_path: FxHashMap<String, Vec<usize>>,
}

impl Rejections {
    /// Collects the changes of some reviews, the latest first.
    pub fn new(records: impl IntoIterator<Item = RejectionRecord>) -> Self {
        let mut rejections = Self::default();
        // What was decided later holds.
        let mut accepted: FxHashMap<u64, Vec<(String, ChangeWords)>> = FxHashMap::default();
        for record in records {
            let joined = joined_records(&record.accepted);
            for change in record.accepted.iter().chain(&joined) {
                let words = ChangeWords::new(&ChangeLines::of(change));
                let others = accepted.entry(words.key()).or_default();
                others.push((change.path.clone(), words));
            }
            let joined = joined_records(&record.rejected).into_iter();
            let joined = joined.map(|change| (change, ChangeExtent::Joined));
            let changes = record.rejected.into_iter();
            let changes = changes.map(|change| (change, ChangeExtent::Lines));
            for (of, extent) in changes.chain(joined) {
                let readings = ChangeReadings::new(&ChangeLines::of(&of));
                let words = &readings.words;
                let is_it = |(path, other): &(String, ChangeWords)| {
                    words.relation(other, *path == of.path) == Some(Relation::Same)
                };
                let others = accepted.get(&words.key());
                if !others.is_some_and(|others| others.iter().any(is_it)) {
                    rejections.add(KnownRejection {
                        of,
                        readings,
                        time: record.time,
                        extent,
                    });
                }
            }
        }
        rejections
    }

    fn add(&mut self, known: KnownRejection) {
        let number = self.changes.len();
        let words = &known.readings.words;
        for key in words.keys() {
            self.by_key.entry(key).or_default().push(number);
        }
        for stretch in words.stretches() {
            let numbers = self.by_stretch.entry(stretch).or_default();
            if numbers.last() != Some(&number) && numbers.len() < MOST_COMPARED {
                numbers.push(number);
            }
        }
        for line in ChangeLines::of(&known.of).keys(&known.of.path) {
            let numbers = self.by_line.entry(line).or_default();
            if numbers.last() != Some(&number) && numbers.len() < MOST_COMPARED {
                numbers.push(number);
            }
        }
        let path = known.of.path.clone();
        self.by_path.entry(path).or_default().push(number);
        self.changes.push(known);
    }

    /// Returns true if nothing is known.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Marks the hunks of a session that propose what was rejected before.
    pub fn mark(&self, session: &mut ReviewSession) {
        if self.is_empty() {
            return;
        }
        let runs: Vec<Vec<ChangedRun>> = session.files.iter().map(runs).collect();
        let mut compared: Vec<Vec<ComparedRun<'_>>> = (session.files.iter().zip(&runs))
            .map(|(file, runs)| self.compared_runs(file, runs))
            .collect();
        let mut all: Vec<&mut ComparedRun<'_>> = compared.iter_mut().flatten().collect();
        take_consistent_names(&mut all);
        for ((file, runs), compared) in session.files.iter_mut().zip(&runs).zip(compared) {
            mark_file(file, runs, compared);
            for hunk in 0..file.hunks.len() {
                self.mark_unplaced(file, hunk);
            }
        }
    }

    /// Compares the changes of a file, and then those together that are near each other and not recognised one by one.
    fn compared_runs(&self, file: &FileReview, runs: &[ChangedRun]) -> Vec<ComparedRun<'_>> {
        let mut compared = self.compared_alone(file, runs);
        for near in joined_runs(runs) {
            let unknown = compared[near.clone()]
                .iter()
                .any(|run| !run.is_recognised());
            let lines = unknown.then(|| joined_lines(file, &runs[near.clone()]));
            let Some(lines) = lines.flatten() else {
                continue;
            };
            let joined = self.compared(&file.path, &lines, ChangeExtent::Joined, &|_| true);
            // Which of them contain a rejected change is not known.
            let all = [Relation::Same, Relation::Moved, Relation::Part];
            let joined = joined.nearest.filter(|it| all.contains(&it.relation));
            let Some(joined) = joined else {
                continue;
            };
            for run in compared[near].iter_mut().filter(|run| !run.is_recognised()) {
                run.nearest = Some(joined.clone());
            }
        }
        compared
    }

    fn compared_alone(&self, file: &FileReview, runs: &[ChangedRun]) -> Vec<ComparedRun<'_>> {
        let known_words =
            LazyCell::new(|| words_of((0..file.base.len()).map(|at| file.base.line(at))));
        let compared = runs.iter().map(|run| {
            let is_known = |word| known_words.contains(&word);
            self.compared(&file.path, &run.lines(file), ChangeExtent::Lines, &is_known)
        });
        compared.collect()
    }

    /// Marks a hunk without a place of which every change was rejected before.
    fn mark_unplaced(&self, file: &mut FileReview, hunk: usize) {
        let changes = unplaced_changes(file, &file.hunks[hunk]);
        let recurrences: Vec<Recurrence> = (changes.iter())
            .filter_map(|change| {
                let (lines, extent) = (ChangeLines::of(change), ChangeExtent::Lines);
                let compared = self.compared(&file.path, &lines, extent, &|_| true);
                let nearest = compared.nearest?;
                let kind = kind_of(nearest.relation, nearest.known.of.verdict);
                (kind.is_rejected()).then(|| nearest.known.recurrence(kind, Vec::new()))
            })
            .collect();
        if recurrences.len() < changes.len() {
            return;
        }
        if let Some(recurrence) = summary(recurrences, changes.len()) {
            let remark = Remark::Rejected(Arc::new(recurrence));
            file.hunks[hunk].remarks.push(remark);
        }
    }

    /// Compares a proposed change with the rejected ones that it may be like.
    fn compared(
        &self,
        path: &str,
        lines: &ChangeLines<'_>,
        extent: ChangeExtent,
        is_known: &dyn Fn(WordHash) -> bool,
    ) -> ComparedRun<'_> {
        let of = |map: &FxHashMap<u64, Vec<usize>>, key: &u64| -> Vec<usize> {
            let numbers = map.get(key).into_iter().flatten();
            numbers.take(MOST_COMPARED).copied().collect()
        };
        let readings = ChangeReadings::new(lines);
        let words = &readings.words;
        let equal = words.keys().flat_map(|key| of(&self.by_key, &key));
        let alike = words.stretches().flat_map(|key| of(&self.by_stretch, &key));
        // Those of the rarest lines come first.
        let mut of_lines: Vec<&Vec<usize>> = (lines.keys(path))
            .filter_map(|key| self.by_line.get(&key))
            .collect();
        of_lines.sort_by_key(|numbers| numbers.len());
        let of_lines = of_lines.into_iter().flatten().take(MOST_COMPARED).copied();
        let near = (self.by_path.get(path).into_iter().flatten())
            .take(MOST_COMPARED)
            .copied();
        let mut seen = FxHashSet::default();
        // Of equally near ones the latest is the nearest.
        let mut best: Option<(Relation, usize)> = None;
        let mut wanted = FxHashSet::default();
        let mut renamed = None;
        for number in equal.chain(of_lines).chain(alike).chain(near) {
            if seen.len() >= 4 * MOST_COMPARED || !seen.insert(number) {
                continue;
            }
            let known = &self.changes[number];
            let is_same_file = known.of.path == path;
            let is_joined = [extent, known.extent].contains(&ChangeExtent::Joined);
            if renamed.is_none() && !is_joined {
                let renamings = words.renamings(&known.readings.words, is_known);
                renamed = renamings.map(|renamings| RenamedRejection { known, renamings });
            }
            let equality = words.equality.max(known.readings.words.equality);
            let own = readings.at(equality, || lines.clone());
            let rejected = known.readings.at(equality, || ChangeLines::of(&known.of));
            let relation = if is_joined {
                own.relation_of_joined(rejected, is_same_file)
            } else {
                own.relation(rejected, is_same_file)
            };
            let Some(relation) = relation else {
                continue;
            };
            wanted.extend(known.of.added.iter().map(|line| line.trim()));
            let own = (relation, number);
            if best.is_none_or(|best| own < best) {
                best = Some(own);
            }
            if relation == Relation::Same {
                break;
            }
        }
        ComparedRun {
            words: readings.words,
            nearest: best.map(|(relation, number)| NearestRejection {
                known: &self.changes[number],
                relation,
                lines: wanted,
            }),
            renamed,
        }
    }
}

/// Marks the hunks of a file that have some of the compared runs.
fn mark_file(file: &mut FileReview, runs: &[ChangedRun], compared: Vec<ComparedRun<'_>>) {
    let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
    let mut by_hunk: FxHashMap<usize, Vec<Recurrence>> = FxHashMap::default();
    for (run, compared) in runs.iter().zip(compared) {
        for (hunk, _) in &run.hunks {
            *counts.entry(*hunk).or_default() += 1;
        }
        if let Some(nearest) = compared.nearest {
            for (hunk, recurrence) in recurrences(file, run, &nearest) {
                by_hunk.entry(hunk).or_default().push(recurrence);
            }
        }
    }
    for (hunk, recurrences) in by_hunk {
        let runs = counts.get(&hunk).copied().unwrap_or(0);
        if let Some(of_hunk) = summary(recurrences, runs) {
            file.hunks[hunk]
                .remarks
                .push(Remark::Rejected(Arc::new(of_hunk)));
        }
    }
}

/// Returns what a proposed change is, from its relation to one that a person decided about.
fn kind_of(relation: Relation, verdict: PastVerdict) -> RecurrenceKind {
    match (relation, verdict) {
        (Relation::Same | Relation::Renamed, PastVerdict::Edited) => RecurrenceKind::UndoesEdit,
        (Relation::Same, PastVerdict::Rejected) => RecurrenceKind::Same,
        (Relation::Renamed, PastVerdict::Rejected) => RecurrenceKind::Renamed,
        (Relation::Moved, PastVerdict::Rejected) => RecurrenceKind::Moved,
        (Relation::Part, PastVerdict::Rejected) => RecurrenceKind::Part,
        (Relation::Contains, PastVerdict::Rejected) => RecurrenceKind::Contains,
        (Relation::Neighbors, PastVerdict::Rejected) => RecurrenceKind::Revised,
        (
            Relation::Moved | Relation::Part | Relation::Contains | Relation::Neighbors,
            PastVerdict::Edited,
        ) => RecurrenceKind::UndoesPart,
    }
}

/// Returns what a rejected change means for the hunks of a run.
fn recurrences(
    file: &FileReview,
    run: &ChangedRun,
    nearest: &NearestRejection<'_>,
) -> Vec<(usize, Recurrence)> {
    let NearestRejection {
        known,
        relation,
        lines: was,
    } = nearest;
    let kind = kind_of(*relation, known.of.verdict);
    let mut all = Vec::new();
    for (hunk, lines) in &run.hunks {
        let changed = file.hunks[*hunk].state.lines.get(lines.clone());
        let changed = changed.unwrap_or_default().iter();
        let is_other = matches!(kind, RecurrenceKind::Revised | RecurrenceKind::Contains);
        let fresh = (lines.clone().zip(changed)).filter(|(_, line)| {
            let adds = line.adds.as_deref().map(str::trim);
            is_other && adds.is_some_and(|adds| !adds.is_empty() && !was.contains(adds))
        });
        let fresh: Vec<usize> = fresh.map(|(line, _)| line).collect();
        all.push((*hunk, known.recurrence(kind, fresh)));
    }
    // Another change of the same lines is another version of the rejected one only if they have a line in common.
    let added = run.added(file);
    let is_version = added.iter().any(|line| was.contains(line.trim()));
    all.retain(|_| kind != RecurrenceKind::Revised || is_version);
    // A change of the person's lines undoes some of them only if it brings back lines of the agent.
    let is_doubtful = *relation == Relation::Neighbors && kind == RecurrenceKind::UndoesPart;
    if is_doubtful && !brings_back(&added, &known.of) {
        all.clear();
    }
    if let Some((_, first)) = all.first_mut().filter(|_| kind == RecurrenceKind::Revised) {
        let kept: FxHashSet<&str> = added.iter().map(|line| line.trim()).collect();
        let is_dropped = |line: &&String| !line.trim().is_empty() && !kept.contains(line.trim());
        let dropped = known.of.added.iter().filter(is_dropped);
        first.dropped = dropped.map(|line| line.trim_end().to_owned()).collect();
    }
    if matches!(kind, RecurrenceKind::Revised | RecurrenceKind::Same) {
        let shown = shown_before(file, run, &known.of);
        for ((_, recurrence), shown) in all.iter_mut().zip(shown) {
            recurrence.shown = shown;
        }
    }
    all
}

/// Returns true if one of some added lines is one that the agent wanted, with a word in it.
fn brings_back(added: &[&str], wanted: &RejectedChange) -> bool {
    let has_words = |line: &&str| line.contains(char::is_alphanumeric);
    let mut lines = added.iter().map(|line| line.trim()).filter(has_words);
    lines.any(|line| wanted.added.iter().any(|was| was.trim() == line))
}

/// Joins what is known of a hunk's changes, of which it has `runs`.
fn summary(mut recurrences: Vec<Recurrence>, runs: usize) -> Option<Recurrence> {
    let fresh: Vec<usize> = recurrences
        .iter()
        .flat_map(|one| one.fresh.iter().copied())
        .collect();
    let dropped: Vec<String> = recurrences
        .iter_mut()
        .flat_map(|one| std::mem::take(&mut one.dropped))
        .collect();
    let shown: Vec<ShownBefore> = recurrences
        .iter()
        .flat_map(|one| one.shown.iter().copied())
        .collect();
    let all = recurrences.len() == runs;
    recurrences.sort_by_key(|one| std::cmp::Reverse(one.time));
    let is_rejected = |one: &Recurrence| one.kind.is_rejected();
    let position = recurrences.iter().position(is_rejected).unwrap_or(0);
    let mut found = recurrences.get(position)?.clone();
    let is_whole = all && recurrences.iter().all(is_rejected);
    if found.kind.is_rejected() && !is_whole {
        found.kind = found.kind.among_others();
    }
    Some(Recurrence {
        fresh,
        dropped,
        shown,
        ..found
    })
}
