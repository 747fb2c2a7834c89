//! Pending proposals as another terminal sees them: ids, files, hunks and their lines.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::agent::{PendingFile, PendingHunk, PendingProposal};
use crate::review::{
    CallReview, FileKind, FileReview, HunkId, HunkReview, Note, ReviewSession, Standing, Step,
    notes,
};
use crate::text::{Document, LineIdx, LineNo, hex};

/// The first ticket of layers. The server counts its own from the beginning.
pub(super) const FIRST_LAYER: u64 = u64::MAX / 2;

/// Unchanged lines that are shown around a hunk.
const CONTEXT: usize = 3;
/// Hexadecimal digits of the hash in an id: one in 16 million changes keeps it.
const DIGITS: usize = 6;

/// Parts of a proposal that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OverviewDetail {
    /// Numbers only.
    Outline,
    /// The lines of the hunks too.
    Lines,
}

/// Returns the id of a pending proposal: its number, and a hash of all that it would change and of what it would change it in.
/// Decisions and comments are left out.
pub(super) fn proposal_id(session: &ReviewSession, call: u64) -> String {
    let number = match call.checked_sub(FIRST_LAYER) {
        Some(layer) => format!("L{}", layer + 1),
        None => call.to_string(),
    };
    let mut hash = Sha256::new();
    for (_, file) in files_of(session, call) {
        add(&mut hash, &file.path);
        add(
            &mut hash,
            &format!("{:?} {:?} {:?}", file.kind, file.standing, file.content),
        );
        add(&mut hash, file.base.text());
        add(&mut hash, &format!("{:?}", file.base.encoding()));
        for hunk in &file.hunks {
            add(
                &mut hash,
                &format!(
                    "{:?} {:?} {:?}",
                    hunk.step,
                    hunk.final_newline,
                    hunk.is_decidable()
                ),
            );
            for line in &*hunk.state.lines {
                add(&mut hash, &format!("{} {}", line.at, line.removes));
                add(&mut hash, line.adds.as_deref().unwrap_or("\0"));
            }
        }
    }
    let digest = hex(&hash.finalize());
    format!("{number}-{}", &digest[..DIGITS])
}

/// Returns the pending proposals of a session that are in `waiting`, which has the time since each arrived.
pub(super) fn proposals(
    session: &ReviewSession,
    waiting: &BTreeMap<u64, Duration>,
    detail: impl Fn(&str) -> OverviewDetail,
) -> Vec<PendingProposal> {
    let calls = session.calls.iter();
    let pending = calls.filter_map(|own| {
        let waits = waiting.get(&own.call.number)?;
        let id = proposal_id(session, own.call.number);
        let detail = detail(&id);
        Some(proposal(session, own, id, *waits, detail))
    });
    pending.collect()
}

fn proposal(
    session: &ReviewSession,
    own: &CallReview,
    id: String,
    waits: Duration,
    detail: OverviewDetail,
) -> PendingProposal {
    let files = files_of(session, own.call.number);
    let count = files.len();
    let is_open = |hunk: &&HunkReview| hunk.is_open();
    let undecided = |file: &&FileReview| file.hunks.iter().filter(is_open).count();
    PendingProposal {
        id,
        agent: own.call.agent.clone(),
        intent: own.call.intent.clone(),
        seconds: waits.as_secs(),
        undecided: files.iter().map(|(_, file)| undecided(file)).sum(),
        problems: own.problems.iter().map(ToString::to_string).collect(),
        files: (files.iter().enumerate())
            .map(|(nth, (_, file))| pending_file(file, &hunk_names(file, nth, count), detail))
            .collect(),
    }
}

/// Returns the files of a call that have not left, with their positions.
pub(super) fn files_of(session: &ReviewSession, call: u64) -> Vec<(usize, &FileReview)> {
    let files = session.files.iter().enumerate();
    files
        .filter(|(_, file)| file.is_of(call) && file.standing != Standing::Gone)
        .collect()
}

/// Returns the name of each hunk of the `nth` of `count` files of a proposal, in their order.
fn hunk_names(file: &FileReview, nth: usize, count: usize) -> Vec<String> {
    let numbers = (0..file.hunks.len()).map(|hunk| file.number_of(hunk).0);
    if count == 1 {
        return numbers.map(|number| number.to_string()).collect();
    }
    numbers
        .map(|number| format!("{}.{number}", nth + 1))
        .collect()
}

/// Returns every hunk of a call that does not wait for another one, with its name. The parts of a split hunk share one.
pub(super) fn named_hunks(session: &ReviewSession, call: u64) -> Vec<(String, HunkId)> {
    let files = files_of(session, call);
    let count = files.len();
    let open = (files.iter().enumerate()).filter(|(_, (_, file))| file.is_open());
    let named = open.flat_map(|(nth, (at, file))| {
        let names = hunk_names(file, nth, count).into_iter().enumerate();
        names.map(|(hunk, name)| (name, HunkId { file: *at, hunk }))
    });
    named.collect()
}

fn pending_file(file: &FileReview, names: &[String], detail: OverviewDetail) -> PendingFile {
    let change = if file.kind == FileKind::Modified {
        String::new()
    } else {
        file.kind.words()
    };
    // Those of a file that waits are placed again before they can be decided.
    let count = if file.is_open() { file.hunks.len() } else { 0 };
    let hunks = (0..count).zip(names);
    PendingFile {
        path: file.path.clone(),
        change,
        held: file.standing == Standing::Held,
        notes: texts(notes(file, None)),
        hunks: hunks
            .map(|(at, name)| pending_hunk(file, at, name, detail))
            .collect(),
    }
}

fn texts(notes: Vec<Note>) -> Vec<String> {
    notes.into_iter().map(|note| note.text).collect()
}

/// Returns the changed lines of a placed hunk with the base lines around and between them.
fn lines(file: &FileReview, hunk: &HunkReview) -> Vec<String> {
    if !hunk.is_decidable() {
        return Vec::new();
    }
    let base = &file.base;
    let mut shown = Vec::new();
    let mut next = hunk.first_line().saturating_sub(CONTEXT);
    for run in hunk.state.lines.chunk_by(|a, b| a.end() == b.at) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            continue;
        };
        shown.extend(lines_between(base, next..first.at));
        let removed = run.iter().filter(|line| line.removes);
        shown.extend(removed.map(|line| format!("-{}", base.line(line.at))));
        let added = run.iter().filter_map(|line| line.adds.as_ref());
        shown.extend(added.map(|line| format!("+{line}")));
        next = last.end();
    }
    if !hunk.state.lines.is_empty() {
        shown.extend(unchanged(base, next..next + CONTEXT));
    }
    shown
}

/// Adds a text to a hash, with its length.
fn add(hash: &mut Sha256, part: &str) {
    hash.update(part.len().to_le_bytes());
    hash.update(part);
}

/// Describes a hunk of a file.
fn pending_hunk(file: &FileReview, at: usize, name: &str, detail: OverviewDetail) -> PendingHunk {
    let hunk = &file.hunks[at];
    let (added, removed) = hunk.counts();
    let has_lines = hunk.is_decidable() && !hunk.state.lines.is_empty();
    PendingHunk {
        name: name.to_owned(),
        line: has_lines.then(|| LineNo::from_idx(hunk.first_line()).get()),
        added,
        removed,
        decision: hunk.mark(),
        needs_attention: file.attention(hunk).is_some(),
        notes: (hunk.step.as_ref().and_then(Step::sentence).into_iter())
            .chain(hunk.words_in_advance())
            .chain(texts(notes(file, Some(at))))
            .collect(),
        lines: match detail {
            OverviewDetail::Outline => Vec::new(),
            OverviewDetail::Lines => lines(file, hunk),
        },
    }
}

/// Returns unchanged lines of a file, as far as it has them.
fn unchanged(base: &Document, range: Range<LineIdx>) -> impl Iterator<Item = String> {
    let range = range.start..range.end.min(base.len());
    range.map(|line| format!(" {}", base.line(line)))
}

/// Returns the unchanged lines between two changes, without those in the middle where they are many.
fn lines_between(base: &Document, range: Range<LineIdx>) -> Vec<String> {
    let left_out = range.len().saturating_sub(2 * CONTEXT);
    if left_out < 2 {
        return unchanged(base, range).collect();
    }
    let (head, tail) = (range.start + CONTEXT, range.end - CONTEXT);
    let gap = [format!("@ {left_out} unchanged lines")];
    let lines = unchanged(base, range.start..head).chain(gap);
    lines.chain(unchanged(base, tail..range.end)).collect()
}
