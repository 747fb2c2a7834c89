//! `countersign apply`: no screen; decides by a policy, or by the decisions of an earlier review.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::edit_args::{ApplyArgs, EditArgs, PolicyArgs};
use super::exit::Exit;
use super::shared_args::ReportForm;
use super::{open_batch, output};
use crate::agent::signature::{self, SignatureError};
use crate::app::failures::Failures;
use crate::app::source::ReviewSource;
use crate::app::{autosave, model};
use crate::locate::Confidence;
use crate::review::{
    Decision, DecisionSource, Decisions, Detail, FileReview, ForAgent, HunkId, HunkReview, Imprint,
    Mark, Reason, Remark, Report, ReviewSession, Target, Voice, Writing, remark_words,
};

/// Accepts what the policy allows and writes it; without `--partial` all of it or nothing.
pub(super) fn run(args: &ApplyArgs) -> anyhow::Result<Exit> {
    carry_out(&args.edits, &args.policy, Carrying::of(args), args.report)
}

/// The most times that edits are placed anew because another program wrote to their files meanwhile.
const MOST_PLACINGS: usize = 32;

/// Mode of a run: writing or not, and the detail of its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrying {
    /// Files are written.
    Writing,
    /// Nothing is written: `apply --dry-run`.
    Rehearsal,
    /// Nothing is written, and the report gives the confidence of every placement: `check`.
    Check,
}

impl Carrying {
    /// Returns the mode of `apply`.
    pub(super) fn of(args: &ApplyArgs) -> Self {
        if args.dry_run {
            Self::Rehearsal
        } else {
            Self::Writing
        }
    }
}

/// Places edits, decides by the policy, writes or rehearses what is accepted, and prints the report.
pub(super) fn carry_out(
    edits: &EditArgs,
    args: &PolicyArgs,
    how: Carrying,
    form: ReportForm,
) -> anyhow::Result<Exit> {
    let mut batch = open_batch::open(edits)?;
    let mut session = batch.place()?;
    if edits.model {
        model::all(&batch.config, &mut session)?;
    }
    let loosest = (args.confidence).map_or(batch.config.settings.apply.confidence, Into::into);
    let (session, _, exit) = decide_and_write(&mut batch, session, args, (how, form), loosest)?;
    // The program ends here: the system takes all of a large batch back at once.
    std::mem::forget((batch, session));
    Ok(exit)
}

/// Decides by the policy about what a source has placed, writes or rehearses it, and prints the report. Returns what was decided, what
/// came of writing it, and the exit code.
pub(super) fn decide_and_write(
    source: &mut impl ReviewSource,
    mut session: ReviewSession,
    args: &PolicyArgs,
    (how, form): (Carrying, ReportForm),
    loosest: Confidence,
) -> anyhow::Result<(ReviewSession, Writing, Exit)> {
    let mut reasons = settle(&mut session, args, loosest)?;
    let mut writing = write(source, &mut session, args, how, &mut reasons);
    for _ in 0..MOST_PLACINGS {
        // Signed decisions are for the files as they were.
        if !matches!(writing, Writing::Conflict { .. }) || args.signers.is_some() {
            break;
        }
        let Ok(mut again) = source.place() else {
            break;
        };
        let mut reasons_again = settle(&mut again, args, loosest)?;
        if !is_as_sure(&session, &again) {
            break;
        }
        writing = write(source, &mut again, args, how, &mut reasons_again);
        (session, reasons) = (again, reasons_again);
    }
    let report = Report::new(&session, &writing, &reasons).in_folder(source.root().path());
    let again = match (form, how) {
        (ReportForm::Agent, Carrying::Writing) => {
            Failures::of(source.root()).note("agent", &report)
        }
        (ReportForm::Agent | ReportForm::Text | ReportForm::Json, _) => BTreeSet::new(),
    };
    let words = ForAgent {
        report: &report,
        voice: match how {
            Carrying::Writing => Voice::Written,
            Carrying::Rehearsal | Carrying::Check => Voice::Would,
        },
        failed_again: Some((&again, &session)),
    };
    let detail = match how {
        Carrying::Writing | Carrying::Rehearsal => Detail::Outcome,
        Carrying::Check => Detail::Confidence,
    };
    let exit = output::print_in(&report, form, &words, detail);
    std::mem::forget(report);
    Ok((session, writing, exit))
}

/// Decides about all hunks, by the policy or as an earlier review did. Returns why some are not accepted.
fn settle(
    session: &mut ReviewSession,
    args: &PolicyArgs,
    loosest: Confidence,
) -> anyhow::Result<BTreeMap<HunkId, Reason>> {
    let (mut reasons, whole) = match &args.decisions {
        None => {
            let reasons = decide(session, args, loosest);
            let whole = reasons.is_empty() && session.unplaced() == 0;
            (reasons, whole)
        }
        Some(file) => replay(session, file, args)?,
    };
    if !whole && !args.partial {
        withdraw(session, &mut reasons);
    }
    session.forget_all_steps();
    Ok(reasons)
}

/// Returns true if everything that was accepted is accepted again, and no match is less sure than before.
fn is_as_sure(before: &ReviewSession, again: &ReviewSession) -> bool {
    let (before, again) = (accepted(before), accepted(again));
    before.len() == again.len()
        && (before.iter().zip(&again)).all(|((one, was), (other, is))| one == other && is <= was)
}

/// Returns the accepted hunks, each with the confidence of its match.
fn accepted(session: &ReviewSession) -> BTreeMap<(&str, usize), Option<Confidence>> {
    let hunks = session.hunks();
    let accepted = hunks.filter(|(_, hunk)| hunk.mark() == Some(Mark::Accepted));
    let matches = accepted.map(|(id, hunk)| {
        let confidence = hunk.placement().map(|placement| placement.confidence);
        ((session.files[id.file].path.as_str(), id.hunk), confidence)
    });
    matches.collect()
}

/// Accepts every hunk that is placed surely enough; says why for each of the others.
fn decide(
    session: &mut ReviewSession,
    args: &PolicyArgs,
    loosest: Confidence,
) -> BTreeMap<HunkId, Reason> {
    let mut reasons = BTreeMap::new();
    let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
    for id in decidable(session) {
        let file = &session.files[id.file];
        let reason = reason(file, &file.hunks[id.hunk], args, loosest);
        let decided = if reason.is_some() {
            &mut rejected
        } else {
            &mut accepted
        };
        decided.push(id);
        reasons.extend(reason.map(|reason| (id, reason)));
    }
    session.settle(&accepted, Decision::Accepted);
    session.settle(&rejected, Decision::Rejected);
    reasons
}

/// Returns why a hunk is not accepted without a person, if it is not.
fn reason(
    file: &FileReview,
    hunk: &HunkReview,
    args: &PolicyArgs,
    loosest: Confidence,
) -> Option<Reason> {
    let other = |words: String| Some(Reason::Other(words));
    if let Some(loss) = hunk.loss() {
        return other(format!(
            "{loss}; accept it in `countersign review` if that is intended"
        ));
    }
    if hunk.remarks.contains(&Remark::BothChanged) {
        let both = remark_words(&Remark::BothChanged);
        return other(format!("{both}; `countersign review --run ID` shows both"));
    }
    if let Some(earlier) = hunk.recurrence().filter(|_| hunk.is_rejected_before()) {
        let earlier = earlier.for_agent();
        return other(format!(
            "{earlier}; a person can accept it in `countersign review`"
        ));
    }
    if let Some(unread) = hunk.unread_rejections() {
        return other(remark_words(unread));
    }
    let placement = hunk.placement()?;
    let confidence = placement.confidence;
    if confidence == Confidence::Doubtful && loosest < Confidence::Doubtful {
        return Some(Reason::Doubtful(placement.doubt));
    }
    if confidence > loosest {
        return other(format!(
            "the match is only `{confidence}`; without a person, `{loosest}` is the limit (`--confidence`)"
        ));
    }
    file.protected_words()
        .filter(|_| !args.allow_protected)
        .and_then(other)
}

/// Writes what is accepted, or rehearses it; with `--partial` without the files of which it asks what cannot be.
fn write(
    source: &mut impl ReviewSource,
    session: &mut ReviewSession,
    args: &PolicyArgs,
    how: Carrying,
    reasons: &mut BTreeMap<HunkId, Reason>,
) -> Writing {
    loop {
        let writing = match how {
            Carrying::Writing => source.write(session),
            Carrying::Rehearsal | Carrying::Check => source.rehearse(session),
        };
        match &writing {
            Writing::Refused { path, error, .. } if args.partial => {
                let accepted: Vec<HunkId> = session
                    .hunks()
                    .filter(|(_, hunk)| hunk.mark() == Some(Mark::Accepted))
                    .map(|(id, _)| id)
                    .filter(|id| session.files[id.file].concerns(path))
                    .collect();
                if accepted.is_empty() {
                    return writing;
                }
                let targets: Vec<Target> = accepted.iter().copied().map(Target::Hunk).collect();
                session.decide_all(&targets, Decision::Rejected);
                reasons.extend(
                    accepted
                        .into_iter()
                        .map(|id| (id, Reason::Other(error.clone()))),
                );
            }
            Writing::Done { .. }
            | Writing::Rehearsed
            | Writing::Postponed
            | Writing::Conflict { .. }
            | Writing::Refused { .. }
            | Writing::Failed { .. } => return writing,
        }
    }
}

/// Accepts what was accepted in a review that kept its decisions in a file; says why for each of the others. Whether all of
/// it can be written.
fn replay(
    session: &mut ReviewSession,
    file: &Path,
    args: &PolicyArgs,
) -> anyhow::Result<(BTreeMap<HunkId, Reason>, bool)> {
    let name = file.display();
    let (decisions, bytes) = autosave::read_named(file)?;
    if let Some(signers) = &args.signers {
        let identity = signature::verify(&bytes, file, signers)?;
        output::say(&format!("approved by {identity}, who has signed `{name}`"));
    }
    let taken = session.take_up(&decisions, DecisionSource::SameProposal);
    if args.signers.is_some() {
        expect_as_reviewed(session, &decisions)?;
    }
    for (path, hunk) in &taken.lost {
        output::say(&format!(
            "`{path}`, hunk {hunk}: accepted in `{name}`, but the hunk has changed since"
        ));
    }
    let mut whole = taken.lost.is_empty();
    let mut reasons = BTreeMap::new();
    for id in decidable(session) {
        let mark = session.hunk(id).and_then(HunkReview::mark);
        let reason = match (mark, session.files[id.file].protected_words()) {
            (Some(Mark::Rejected | Mark::Undecided) | None, _) => {
                format!("it was not accepted in `{name}`")
            }
            (Some(Mark::Accepted | Mark::Mixed), Some(why)) if !args.allow_protected => {
                whole = false;
                why
            }
            (Some(Mark::Accepted | Mark::Mixed), _) => continue,
        };
        session.decide(&Target::Hunk(id), Decision::Rejected);
        reasons.insert(id, Reason::Other(reason));
    }
    Ok((reasons, whole))
}

/// Compares the files, the edits and the places of the hunks with those that were reviewed: what is decided now is what was decided, to
/// the letter. No decision is carried out through a link.
///
/// # Errors
///
/// [`SignatureError::Different`] with the names of the files that differ.
fn expect_as_reviewed(session: &ReviewSession, reviewed: &Decisions) -> Result<(), SignatureError> {
    let now = Imprint::of(session).decisions_with_hashes();
    let (then, now) = (&reviewed.files, &now.files);
    let gone = then.iter().filter(|file| !now.contains(file));
    let new = now.iter().filter(|file| !then.contains(file));
    let mut names: Vec<String> = gone.chain(new).map(|file| file.path.clone()).collect();
    // Another file would be written than the one that the decisions name.
    let linked = (session.files.iter()).filter(|file| file.hunks.iter().any(is_behind_link));
    names.extend(linked.map(|file| format!("{} (through a link)", file.path)));
    names.sort();
    names.dedup();
    if names.is_empty() {
        return Ok(());
    }
    Err(SignatureError::Different(names.join(", ")))
}

fn is_behind_link(hunk: &HunkReview) -> bool {
    let mut remarks = hunk.remarks.iter();
    remarks.any(|remark| matches!(remark, Remark::ThroughLink(_)))
}

/// Takes every acceptance back: the batch is written whole or not at all.
fn withdraw(session: &mut ReviewSession, reasons: &mut BTreeMap<HunkId, Reason>) {
    for id in decidable(session) {
        session.decide(&Target::Hunk(id), Decision::Rejected);
        reasons.entry(id).or_insert(Reason::HeldBack);
    }
}

fn decidable(session: &ReviewSession) -> Vec<HunkId> {
    let hunks = session.hunks().filter(|(_, hunk)| hunk.is_decidable());
    hunks.map(|(id, _)| id).collect()
}
