//! `countersign apply`: no screen; a policy stands in for the person.

use std::collections::BTreeMap;

use super::args::ApplyArgs;
use super::exit::Exit;
use super::{batch, output};
use crate::locate::Confidence;
use crate::review::{Decision, HunkId, Report, ReviewSession, Target, Writing};

/// Accepts what the policy allows and writes it; without `--partial` all of it or nothing.
pub(super) fn run(args: &ApplyArgs) -> anyhow::Result<Exit> {
    let mut batch = batch::open(&args.edits)?;
    let mut session = batch.place();
    let mut reasons = decide(&mut session, args);
    let whole = reasons.is_empty() && session.counts().attention == 0;
    if !whole && !args.partial {
        withdraw(&mut session, &mut reasons);
    }
    let writing = if args.dry_run {
        Writing::Rehearsed
    } else {
        batch.write(&session)
    };
    let report = Report::new(&session, &writing, &reasons);
    output::print(&report, args.report)?;
    // The program ends here: the system takes all of a large batch back at once.
    std::mem::forget((batch, session));
    Ok(Exit::from(report.status))
}

/// Accepts every hunk that is placed surely enough; says why for each of the others.
fn decide(session: &mut ReviewSession, args: &ApplyArgs) -> BTreeMap<HunkId, String> {
    let loosest = Confidence::from(args.confidence);
    let mut reasons = BTreeMap::new();
    let decidable: Vec<HunkId> = session
        .hunks()
        .filter(|(_, hunk)| hunk.is_decidable())
        .map(|(id, _)| id)
        .collect();
    for id in decidable {
        let placed = session
            .hunk(id)
            .and_then(|hunk| hunk.placement())
            .map(|placement| placement.confidence);
        let reason = match (placed, &session.files[id.file].protected) {
            (Some(confidence), _) if confidence > loosest => Some(format!(
                "its place is {confidence}, and only up to {loosest} is written without a person"
            )),
            (_, Some(why)) if !args.allow_protected => {
                Some(format!("the file is protected: {why}"))
            }
            _ => None,
        };
        let decision = if reason.is_some() {
            Decision::Rejected
        } else {
            Decision::Accepted
        };
        session.decide(&Target::Hunk(id), decision);
        reasons.extend(reason.map(|reason| (id, reason)));
    }
    reasons
}

/// Takes every acceptance back: the batch is written whole or not at all.
fn withdraw(session: &mut ReviewSession, reasons: &mut BTreeMap<HunkId, String>) {
    let decidable: Vec<HunkId> = session
        .hunks()
        .filter(|(_, hunk)| hunk.is_decidable())
        .map(|(id, _)| id)
        .collect();
    for id in decidable {
        session.decide(&Target::Hunk(id), Decision::Rejected);
        reasons.entry(id).or_insert_with(|| {
            "another part of the batch cannot be applied, so none of it is".to_owned()
        });
    }
}
