//! Several parts of a proposal for one file, of which one at least makes it, writes it again or removes it: they are done one
//! after the other, each on the text that the one before leaves, and reviewed as one change of the file as it is.

use std::sync::Arc;

use super::edit_markers::added_markers;
use super::loss::{loss, withhold};
use super::new_hunk::{bare, hunk_review, replacement, whole_file};
use super::part::{Intake, VersionSource, named};
use super::replay::{self, replay};
use super::text_review::text_review;
use crate::locate::{Placement, Tolerance, Unplaced};
use crate::proposal::{FileChange, FinalNewline, HunkOrder, Operation};
use crate::review::session::file::{FileContent, FileKind, FileReview};
use crate::review::session::hunk::{HunkReview, Loss, Outcome, Remark, Step};
use crate::review::session::versions::{Found, Refusal};
use crate::text::{Document, Encoding, LineEnding};

/// Reviews the parts as one change of the file; `None` if no part replaces the whole text.
pub(in crate::review) fn review(
    group: &[Intake],
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> Option<FileReview> {
    let first = group.first()?;
    let before = match &first.found {
        Found::Text { document, .. } => Some(Arc::clone(document)),
        Found::Absent => None,
        Found::Opaque(_) | Found::Link(_) | Found::Folder | Found::Refused(_) => return None,
    };
    // What is written to a name after its file has left it is for another file.
    let moves = |part: &Intake| matches!(part.change.operation, Operation::Rename(_));
    let writes = |part: &Intake| writes_all(part, before.is_some());
    if group.len() < 2 || group.iter().any(moves) || !group.iter().any(writes) {
        return None;
    }
    let mut steps = Steps::new(before, first.reading.encoding);
    for part in group {
        steps.take(part, tolerance, versions);
    }
    Some(named(steps.finish(&first.path), group))
}

/// Returns true if a diff of the group names the version that the file has: then none of it is applied.
fn is_own_version(group: &[Intake], file: &FileReview) -> bool {
    let Ok(bytes) = file.base.encode(file.base.text()) else {
        return false;
    };
    let mut named = group.iter().filter_map(|part| part.change.blobs.as_ref());
    named.any(|blobs| blobs.is_before(&bytes))
}

/// Returns the file after each edit is placed on the result of the one before, as the tools do it; `parallel`, which has all of
/// them placed in the file as it is, if that is equal, or if it cannot be done. A hunk that the tools would find several times
/// is doubtful.
///
/// Agents that send several calls at once have seen none of the results, so edits that only fit the file as it is stay
/// as they are.
pub(super) fn in_order(
    group: &[Intake],
    mut parallel: FileReview,
    tolerance: Tolerance,
    versions: &dyn VersionSource,
) -> FileReview {
    // The edits of other dialects are meant for the file as it is.
    let is_sequence = |part: &Intake| part.order == HunkOrder::Sequence;
    if parallel.refusal().is_some()
        || (parallel.hunks.iter().all(HunkReview::is_applied)
            && (group.len() < 2 || !is_own_version(group, &parallel)))
    {
        return parallel;
    }
    let mut dependent = Vec::new();
    // True if the tools carry out all edits, and leave another text than `parallel`.
    let mut is_other = false;
    if group.iter().all(is_sequence) {
        dependent = replay::dependent(&parallel);
    }
    if !dependent.is_empty() {
        let replayed = replay(&parallel);
        let doubled = replayed
            .as_ref()
            .map_or(&dependent, |replayed| &replayed.doubled);
        if !doubled.is_empty() {
            replay::doubt(&mut parallel, doubled);
            return parallel;
        }
        let text = replayed.and_then(|replayed| replayed.text);
        if let Some(text) = text {
            if text == replay::lined(parallel.yours()) {
                return parallel;
            }
            is_other = true;
        }
    }
    match one_by_one(
        group,
        &parallel,
        !dependent.is_empty(),
        (tolerance, versions),
    ) {
        OneByOne::Same if !is_other => parallel,
        OneByOne::Other(review) => *review,
        OneByOne::Same | OneByOne::TooMany => {
            replay::doubt(&mut parallel, &dependent);
            parallel
        }
    }
}

/// Result of placing each edit on the result of the one before.
enum OneByOne {
    /// The file as all of them placed at once make it, or none that could be written.
    Same,
    /// Another one.
    Other(Box<FileReview>),
    /// There are too many edits to try it.
    TooMany,
}

/// Places each edit on the result of the one before.
fn one_by_one(
    group: &[Intake],
    parallel: &FileReview,
    depend: bool,
    (tolerance, versions): (Tolerance, &dyn VersionSource),
) -> OneByOne {
    let Some((first, Found::Text { document, .. })) =
        group.first().map(|first| (first, &first.found))
    else {
        return OneByOne::Same;
    };
    let is_plain = |part: &Intake| {
        let operation = &part.change.operation;
        matches!(
            operation,
            Operation::Modify | Operation::CreateOrAppend | Operation::Rename(_)
        )
    };
    // Other edits are meant for the file as it is: a line number in them counts its lines.
    let is_sequential = |part: &Intake| part.order != HunkOrder::Any;
    let steps: usize = group.iter().map(count_steps).sum();
    if steps < 2
        || !group
            .iter()
            .all(|part| is_plain(part) && is_sequential(part))
    {
        return OneByOne::Same;
    }
    let hopeless = !depend && parallel.unplaced() == 0 && steps > MOST_STEPS;
    if hopeless || steps.saturating_mul(document.len()) > MOST_LINES {
        return OneByOne::TooMany;
    }
    let steps: Vec<Intake> = group.iter().flat_map(split).collect();
    let mut sequence = Steps::new(Some(Arc::clone(document)), first.reading.encoding);
    for step in &steps {
        sequence.take(step, tolerance, versions);
        if sequence.hunks.iter().any(HunkReview::is_unplaced) {
            return OneByOne::Same;
        }
    }
    // A step by itself may be taken for applied; beside the others it is still to be made.
    let mut pairs = sequence.hunks.iter().zip(&parallel.hunks);
    if pairs.any(|(alone, beside)| alone.is_applied() && !beside.is_applied()) {
        return OneByOne::Same;
    }
    let is_same = |now: &Arc<Document>| replay::lined(now) == replay::lined(parallel.yours());
    if parallel.unplaced() == 0
        && sequence.now.as_ref().is_some_and(is_same)
        && parallel.permits().unwrap_or(sequence.executable.0) == sequence.executable.1
    {
        return OneByOne::Same;
    }
    OneByOne::Other(Box::new(named(sequence.finish(&first.path), group)))
}

/// Returns the number of steps that [`split`] makes of a part.
fn count_steps(part: &Intake) -> usize {
    match part.order {
        HunkOrder::Sequence => part.change.hunks.len().max(1),
        HunkOrder::Ascending | HunkOrder::Any => 1,
    }
}

/// The edits of a tool call one by one; a diff's hunks belong together.
fn split(part: &Intake) -> Vec<Intake> {
    if count_steps(part) < 2 {
        return vec![part.clone()];
    }
    let mut bare = FileChange::clone(&part.change);
    bare.hunks = Vec::new();
    let changes = (part.change.hunks.iter()).map(|hunk| FileChange {
        hunks: vec![hunk.clone()],
        ..bare.clone()
    });
    changes
        .map(|change| Intake {
            change: Arc::new(change),
            ..part.clone()
        })
        .collect()
}

/// More steps are only tried where some of them have no place in the file as it is.
const MOST_STEPS: usize = 64;
/// The most lines that all steps together may look at.
const MOST_LINES: usize = 4_000_000;

/// Returns true if a part writes the whole text of its file, or deletes it.
fn writes_all(part: &Intake, exists: bool) -> bool {
    match part.change.operation {
        Operation::Create | Operation::Overwrite | Operation::Delete | Operation::CopyOf(_) => true,
        Operation::CreateOrAppend => !exists,
        Operation::Modify | Operation::Rename(_) | Operation::Link { .. } => false,
    }
}

/// The file on its way through the parts.
struct Steps {
    /// Its text at first; `None` if it is not there.
    before: Option<Arc<Document>>,
    /// Its text so far.
    now: Option<Arc<Document>>,
    /// The encoding of a file that is made.
    encoding: Encoding,
    /// The executable bit, at first and so far.
    executable: (bool, bool),
    /// The new name, if a part gives the file one.
    renamed: Option<String>,
    refusal: Option<Refusal>,
    hunks: Vec<HunkReview>,
    /// The position of the last hunk that makes the whole text: it represents all of them. The first one that is not the new name
    /// does if there is none.
    leader: Option<usize>,
    /// True if a part makes the whole text, so that nothing proves that its author has seen the one before.
    is_written: bool,
    /// The loosest placement on the way.
    loosest: Option<Placement>,
}

impl Steps {
    fn new(before: Option<Arc<Document>>, encoding: Encoding) -> Self {
        Self {
            encoding,
            now: before.clone(),
            before,
            executable: (false, false),
            renamed: None,
            refusal: None,
            hunks: Vec::new(),
            leader: None,
            is_written: false,
            loosest: None,
        }
    }

    /// Does what one part asks for.
    fn take(&mut self, part: &Intake, tolerance: Tolerance, versions: &dyn VersionSource) {
        if let (Found::Text { executable, .. }, []) = (&part.found, self.hunks.as_slice()) {
            self.executable = (*executable, *executable);
        }
        let found = match &self.now {
            Some(document) => Found::Text {
                document: Arc::clone(document),
                executable: self.executable.1,
            },
            None => Found::Absent,
        };
        if writes_all(part, self.now.is_some()) {
            self.leader = Some(self.hunks.len());
            self.is_written = true;
        }
        let alone = Intake {
            found,
            ..part.clone()
        };
        let alone = std::slice::from_ref(&alone);
        let review = text_review(alone, tolerance, versions);
        let review = in_order(alone, review, tolerance, versions);
        self.refusal = self.refusal.take().or_else(|| match &review.content {
            FileContent::Refused(refusal) => Some(refusal.clone()),
            FileContent::Opaque(opaque) => Some(Refusal::Unreadable(opaque.why.clone())),
            FileContent::Text | FileContent::Outline(_) => None,
        });
        self.executable.1 = part.change.executable.unwrap_or(self.executable.1);
        if let FileKind::Renamed { to } = &review.kind {
            self.renamed = Some(to.clone());
        }
        self.now = match review.kind {
            FileKind::Deleted if review.yours().is_empty() => None,
            FileKind::Deleted => {
                let why = "the edits remove this file, but expect another text in it";
                self.refusal
                    .get_or_insert(Refusal::Contradiction(why.to_owned()));
                Some(Arc::clone(review.yours()))
            }
            FileKind::Modified
            | FileKind::Created
            | FileKind::Renamed { .. }
            | FileKind::Copied { .. } => Some(Arc::clone(review.yours())),
        };
        let first = self.hunks.len();
        for hunk in review.hunks {
            self.keep(hunk, first);
        }
    }

    /// Keeps a hunk of a part whose hunks begin at `first`. What it does is done with the leader.
    fn keep(&mut self, hunk: HunkReview, first: usize) {
        if hunk.step == Some(Step::Rename) {
            return self.hunks.push(hunk);
        }
        let outcome = match hunk.outcome {
            Outcome::Placed(placement) => {
                let looser = (self.loosest.as_ref())
                    .is_none_or(|loosest| loosest.confidence < placement.confidence);
                if looser {
                    self.loosest = Some(placement);
                }
                // The leader is known when all parts are.
                Outcome::Follows { hunks: 0..0 }
            }
            Outcome::Follows { .. } => Outcome::Follows { hunks: 0..0 },
            Outcome::Unplaced(Unplaced::Overlap { with, at }) => {
                Outcome::Unplaced(Unplaced::Overlap {
                    with: with + first,
                    at,
                })
            }
            Outcome::AlreadyApplied { .. } | Outcome::Unplaced(_) | Outcome::Refused => {
                hunk.outcome
            }
        };
        let mut kept = bare(hunk.dialect, hunk.span, outcome, None);
        // What the file loses is the loss of all parts together.
        kept.remarks = hunk.remarks;
        kept.remarks.retain(|remark| {
            let is_of_part = |loss: &Loss| matches!(loss, Loss::Count { .. } | Loss::Guess { .. });
            !matches!(remark, Remark::Loss(loss) if !is_of_part(loss))
        });
        self.hunks.push(kept);
    }

    /// One change of the file as it is, by the hunk that leads, and the others as its followers.
    fn finish(mut self, path: &str) -> FileReview {
        let encoding = self.encoding;
        let base = (self.before.clone()).unwrap_or_else(|| Arc::new(Document::empty_in(encoding)));
        let kind = match (&self.before, &self.now) {
            (None, Some(_)) => FileKind::Created,
            (Some(_), Some(_)) => match self.renamed.clone() {
                Some(to) => FileKind::Renamed { to },
                None => FileKind::Modified,
            },
            // With no file before either, the edits make it and remove it again.
            (_, None) => FileKind::Deleted,
        };
        let refused = self.refusal.is_some();
        let is_text = |hunk: &HunkReview| hunk.step != Some(Step::Rename);
        let leader = (self.leader).or_else(|| self.hunks.iter().position(is_text));
        for hunk in &mut self.hunks {
            match &mut hunk.outcome {
                outcome if refused => *outcome = Outcome::Refused,
                Outcome::Follows { hunks } => {
                    if let Some(leader) = leader {
                        *hunks = leader..leader + 1;
                    }
                }
                Outcome::Placed(_)
                | Outcome::AlreadyApplied { .. }
                | Outcome::Unplaced(_)
                | Outcome::Refused => (),
            }
        }
        if let Some(leader) = leader.filter(|_| !refused) {
            self.lead(leader, &base, path);
        }
        let content = (self.refusal).map_or(FileContent::Text, FileContent::Refused);
        FileReview::new(kind, base, self.hunks, content)
    }

    /// Makes the leader the change from the file as it is to what all parts leave.
    fn lead(&mut self, leader: usize, base: &Document, path: &str) {
        let after = (self.now.clone()).unwrap_or_else(|| Arc::new(Document::from_text("")));
        let newline = match (base.has_final_newline(), after.has_final_newline()) {
            (true, false) => FinalNewline::Remove,
            (false, true) => FinalNewline::Add,
            (true, true) | (false, false) => FinalNewline::Keep,
        };
        // A file without line ends gets those of the edits.
        let is_open = !base.text().contains('\n');
        let lines = (0..after.len()).map(|at| {
            let is_stated = is_open && after.ending(at) == LineEnding::CrLf;
            after.line(at).to_owned() + if is_stated { "\r" } else { "" }
        });
        let lines: Vec<String> = lines.collect();
        let rows = replacement(base, &lines, newline);
        let step = match (&self.before, &self.now) {
            (None, Some(_)) if rows.is_empty() => Some(Step::Create),
            (Some(_), None) if rows.is_empty() => Some(Step::Delete),
            _ => None,
        };
        let Some(leader) = self.hunks.get_mut(leader) else {
            return;
        };
        let (dialect, span) = (leader.dialect, leader.span);
        let outcome = if rows.is_empty() && step.is_none() {
            Outcome::AlreadyApplied { at: None }
        } else {
            let lines = 0..base.len();
            Outcome::Placed(match self.loosest.take() {
                Some(loosest) => Placement {
                    lines,
                    offset: None,
                    changes: Vec::new(),
                    ..loosest
                },
                None => whole_file(base.len()),
            })
        };
        let remarks = std::mem::take(&mut leader.remarks);
        let loss = if self.is_written {
            loss(path, base, &lines)
        } else {
            added_markers(
                path,
                base,
                rows.iter().filter_map(|row| row.adds.as_deref()),
            )
        };
        *leader = hunk_review(dialect, span, outcome, newline, step, rows);
        leader.remarks = remarks;
        if self.now.is_some() {
            withhold(leader, loss);
        }
        let (before, now) = self.executable;
        if before != now && self.now.is_some() {
            let mode = Some(Step::Mode { executable: now });
            let outcome = Outcome::Placed(whole_file(0));
            // It is shown above the lines, and numbered so.
            self.hunks.insert(0, bare(dialect, span, outcome, mode));
            for hunk in &mut self.hunks {
                if let Outcome::Follows { hunks } = &mut hunk.outcome {
                    *hunks = hunks.start + 1..hunks.end + 1;
                }
            }
        }
    }
}
