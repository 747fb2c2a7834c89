//! The answer to one proposal: what was decided is carried out, and put in words for the agent and for the person.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::caller::Caller;
use super::expected::Expected;
use crate::agent::{Approved, Mode, Verdict};
use crate::review::{
    FileReview, ForAgent, HunkId, Mark, Postimage, Report, ReviewSession, Status, Voice, Writing,
    compose,
};
use crate::store::{ContentHash, Snapshot};

/// What was decided about a proposal, and what came of it.
pub(super) struct Answer {
    pub(super) session: ReviewSession,
    pub(super) writing: Writing,
    pub(super) report: Report,
}

/// Carries out what was decided: writes it, or makes sure that the agent can.
pub(super) fn carry_out(caller: &mut Caller, mut session: ReviewSession) -> Answer {
    let mut reasons: BTreeMap<HunkId, String> = BTreeMap::new();
    if !caller.partial && !is_whole(&session) {
        let accepted = session
            .hunks()
            .filter(|(_, hunk)| hunk.mark() == Some(Mark::Accepted));
        let all_or_nothing = "this call takes all of its edits or none";
        reasons.extend(accepted.map(|(id, _)| (id, all_or_nothing.to_owned())));
        session.reject_all();
    }
    let writing = match caller.mode {
        Mode::Write => caller.source.write(&session),
        Mode::AgentWrites => match caller.source.place_anew() {
            Some(placed) => Writing::Conflict {
                error: format!(
                    "changed since they were read: {}",
                    placed.changed.join(", ")
                ),
                paths: placed.changed,
            },
            None => caller.source.rehearse(&session),
        },
    };
    let report = Report::new(&session, &writing, &reasons);
    Answer {
        session,
        writing,
        report,
    }
}

/// Whether a proposal, taken as it is, comes to what its agent was allowed to write just now: it asks a second time, by
/// another door, before it writes.
pub(super) fn is_allowed_already(
    caller: &Caller,
    session: &ReviewSession,
    expected: &[Expected],
) -> bool {
    let allowed = |file: &FileReview| {
        let Some(now) = before(caller, session, file) else {
            return false;
        };
        expected.iter().any(|one| {
            one.agent == caller.call.agent
                && one.file == now.target
                && one.before.hash() == now.hash()
                && approved(file).is_some()
                && one.after == after(file)
        })
    };
    caller.mode == Mode::AgentWrites
        && is_whole(session)
        && !session.files.is_empty()
        && session.files.iter().all(allowed)
}

/// Whether everything is accepted as it was sent, or stands there already.
fn is_whole(session: &ReviewSession) -> bool {
    let counts = session.counts();
    counts.attention == 0 && counts.edited == 0 && counts.accepted == counts.hunks
}

impl Answer {
    /// What the agent is told.
    pub(super) fn verdict(&self, caller: &Caller, failed_again: &BTreeSet<String>) -> Verdict {
        let message = ForAgent {
            report: &self.report,
            voice: match caller.mode {
                Mode::Write => Voice::Written,
                Mode::AgentWrites => Voice::Approved,
            },
            failed_again: Some((failed_again, &self.session)),
        };
        let mut verdict = Verdict::new(&self.report, message.to_string());
        if caller.mode == Mode::AgentWrites {
            for (told, file) in verdict.files.iter_mut().zip(&self.session.files) {
                let before = before(caller, &self.session, file).and_then(Snapshot::hash);
                told.base_sha256 = before.map(|hash| hash.to_string());
                if self.writing == Writing::Rehearsed {
                    told.result = approved(file);
                    told.rename = approved_name(file);
                    told.sha256_before.clone_from(&told.base_sha256);
                    told.sha256_after = after(file).map(|hash| hash.to_string());
                }
            }
        }
        verdict
    }

    /// What the agent is to write now.
    pub(super) fn expected(&self, caller: &Caller, until: Instant) -> Vec<Expected> {
        if caller.mode == Mode::Write || self.writing != Writing::Rehearsed {
            return Vec::new();
        }
        let files = self
            .session
            .files
            .iter()
            .filter(|file| approved(file).is_some());
        let expected = files.filter_map(|file| {
            let before = before(caller, &self.session, file)?;
            Some(Expected {
                agent: caller.call.agent.clone(),
                file: before.target.clone(),
                before: before.clone(),
                after: after(file),
                until,
            })
        });
        expected.collect()
    }

    /// What the person is told.
    pub(super) fn told(&self, caller: &Caller) -> String {
        let agent = &caller.call.agent;
        let names = Caller::names(&self.session);
        let done = matches!(self.report.status, Status::Applied | Status::Partial);
        match caller.mode {
            Mode::AgentWrites if done => format!("{agent}, {names}: approved, {agent} writes it"),
            Mode::AgentWrites | Mode::Write => {
                format!("{agent}, {names}: {}", self.report.summary())
            }
        }
    }
}

/// A file as it was when the proposal was placed in it.
fn before<'a>(
    caller: &'a Caller,
    session: &ReviewSession,
    file: &FileReview,
) -> Option<&'a Snapshot> {
    let files = caller.source.placings().of(session).ok()?;
    files.get(&file.path).map(AsRef::as_ref)
}

/// What a file is to become; `None` if it is to stay as it is.
fn approved(file: &FileReview) -> Option<Approved> {
    match compose(file) {
        Postimage::Unchanged
        | Postimage::Kept { .. }
        | Postimage::Copy { .. }
        | Postimage::Bytes { .. }
        | Postimage::Link { .. } => None,
        Postimage::Deleted => Some(Approved::Deleted),
        Postimage::Text { text, .. } => Some(Approved::Text(text)),
    }
}

/// Returns the new name that is approved for a file; `None` where the rename is rejected.
fn approved_name(file: &FileReview) -> Option<String> {
    match compose(file) {
        Postimage::Kept { rename, .. }
        | Postimage::Bytes { rename, .. }
        | Postimage::Text { rename, .. } => rename,
        Postimage::Unchanged
        | Postimage::Copy { .. }
        | Postimage::Link { .. }
        | Postimage::Deleted => None,
    }
}

/// The hash of what a file's bytes are to be; `None` if it is to go.
fn after(file: &FileReview) -> Option<ContentHash> {
    match approved(file)? {
        Approved::Deleted => None,
        Approved::Text(text) => {
            let bytes = file.base.encode(&text).ok()?;
            Some(ContentHash::of(&bytes))
        }
    }
}
