//! Answer to one proposal: carries out the decisions, and words the result for the agent and for the person.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::expected_write::ExpectedWrite;
use super::request::PendingRequest;
use crate::agent::{Approved, Verdict, WriteMode};
use crate::app::rejections::{self, AcceptedChanges};
use crate::app::threads::{self, ThreadOrigin};
use crate::review::{
    FileReview, ForAgent, HunkId, HunkReview, Mark, Postimage, Reason, RejectionRecord, Report,
    ReviewSession, Status, Voice, Writing, compose,
};
use crate::store::{ContentHash, Snapshot};

/// Decisions on a proposal, and their result.
pub(super) struct CarriedOut {
    pub(super) session: ReviewSession,
    pub(super) writing: Writing,
    pub(super) report: Report,
    /// The changes that the person rejected.
    pub(super) rejections: RejectionRecord,
}

/// Carries out the decisions: writes, or checks that the agent can.
pub(super) fn carry_out(request: &mut PendingRequest, mut session: ReviewSession) -> CarriedOut {
    if request.partial || is_whole(&session) {
        let writing = write(request, &session);
        let rejections = rejections::collected(&session, AcceptedChanges::after(&writing));
        return CarriedOut::new(request, session, writing, rejections, &BTreeMap::new());
    }
    // What is held back is not rejected, and stays approved.
    let rejections = rejections::collected(&session, AcceptedChanges::HeldBack);
    let is_accepted = |hunk: &HunkReview| hunk.mark() == Some(Mark::Accepted);
    let accepted = session.hunks().filter(|(_, hunk)| is_accepted(hunk));
    let reasons = accepted.map(|(id, _)| (id, Reason::HeldBack)).collect();
    session.reject_all();
    let writing = write(request, &session);
    CarriedOut::new(request, session, writing, rejections, &reasons)
}

/// Rejects everything, because the person discards the review.
pub(super) fn discard(request: &mut PendingRequest, mut session: ReviewSession) -> CarriedOut {
    let rejections = rejections::collected(&session, AcceptedChanges::Discarded);
    session.reject_all();
    let writing = write(request, &session);
    CarriedOut::new(request, session, writing, rejections, &BTreeMap::new())
}

/// Writes what is accepted, or checks that the agent can.
fn write(request: &mut PendingRequest, session: &ReviewSession) -> Writing {
    match request.mode {
        WriteMode::Write => request.source.write(session),
        WriteMode::AgentWrites => match request.source.place_anew() {
            Some(placed) => Writing::Conflict {
                error: format!(
                    "changed since they were read: {}",
                    placed.changed.join(", ")
                ),
                paths: placed.changed,
            },
            None => request.source.rehearse(session),
        },
    }
}

/// Returns whether a proposal, accepted as a whole, equals what its agent was allowed to write just now: some clients
/// ask a second time through another channel.
pub(super) fn is_allowed_already(
    request: &PendingRequest,
    session: &ReviewSession,
    expected: &[ExpectedWrite],
) -> bool {
    request.mode == WriteMode::AgentWrites
        && is_whole(session)
        && !session.files.is_empty()
        && session.files.iter().all(|file| {
            before(request, session, file).is_some_and(|now| {
                expected.iter().any(|one| {
                    one.agent == request.call.agent
                        && one.file == now.target
                        && one.before.hash() == now.hash()
                        && approved(file).is_some()
                        && one.after == after(file)
                })
            })
        })
}

/// Returns whether everything is accepted as sent, or already applied.
fn is_whole(session: &ReviewSession) -> bool {
    let counts = session.counts();
    counts.unplaced == 0 && counts.edited == 0 && counts.accepted == counts.hunks
}

impl CarriedOut {
    fn new(
        request: &PendingRequest,
        session: ReviewSession,
        writing: Writing,
        rejections: RejectionRecord,
        reasons: &BTreeMap<HunkId, Reason>,
    ) -> Self {
        let mut report = Report::new(&session, &writing, reasons);
        if !matches!(writing, Writing::Conflict { .. }) {
            let origin = ThreadOrigin {
                agent: Some(&request.call.agent),
                proposal: Some(&request.call.proposal),
            };
            threads::finish(request.source.root(), &session, origin, &mut report);
        }
        Self {
            session,
            writing,
            report,
            rejections,
        }
    }

    /// Builds the verdict for the agent.
    pub(super) fn verdict(
        &self,
        request: &PendingRequest,
        failed_again: &BTreeSet<String>,
    ) -> Verdict {
        // The log has the threads of other agents as well.
        let mut report = self.report.clone();
        (report.threads).retain(|thread| thread.is_for(&request.call.agent));
        let message = ForAgent {
            report: &report,
            voice: match request.mode {
                WriteMode::Write => Voice::Written,
                WriteMode::AgentWrites => Voice::Approved,
            },
            failed_again: Some((failed_again, &self.session)),
        };
        let mut verdict = Verdict::new(&report, message.to_string());
        if request.mode == WriteMode::AgentWrites {
            for (told, file) in verdict.files.iter_mut().zip(&self.session.files) {
                let before = before(request, &self.session, file).and_then(Snapshot::hash);
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

    /// Returns the writes that are expected of the agent.
    pub(super) fn expected(&self, request: &PendingRequest, until: Instant) -> Vec<ExpectedWrite> {
        if request.mode == WriteMode::Write || self.writing != Writing::Rehearsed {
            return Vec::new();
        }
        let files = self
            .session
            .files
            .iter()
            .filter(|file| approved(file).is_some());
        let expected = files.filter_map(|file| {
            let before = before(request, &self.session, file)?;
            Some(ExpectedWrite {
                agent: request.call.agent.clone(),
                file: before.target.clone(),
                before: before.clone(),
                after: after(file),
                until,
            })
        });
        expected.collect()
    }

    /// Returns the status message for the person.
    pub(super) fn status_message(&self, request: &PendingRequest) -> String {
        let agent = &request.call.agent;
        let names = PendingRequest::names(&self.session);
        let done = matches!(self.report.status, Status::Applied | Status::Partial);
        match request.mode {
            WriteMode::AgentWrites if done => {
                format!("{agent}, {names}: approved, {agent} is to write it")
            }
            WriteMode::AgentWrites | WriteMode::Write => {
                format!("{agent}, {names}: {}", self.report.summary())
            }
        }
    }
}

/// A file as it was when the proposal was placed in it.
fn before<'a>(
    request: &'a PendingRequest,
    session: &ReviewSession,
    file: &FileReview,
) -> Option<&'a Snapshot> {
    let files = request.source.placings().of(session).ok()?;
    files.get(&file.path).map(AsRef::as_ref)
}

/// Returns the approved result of a file; `None` if it stays as it is.
fn approved(file: &FileReview) -> Option<Approved> {
    match compose(file) {
        Postimage::Unchanged
        | Postimage::Kept { .. }
        | Postimage::Copy { .. }
        | Postimage::Bytes { .. }
        | Postimage::Link { .. }
        | Postimage::Folder => None,
        Postimage::Deleted => Some(Approved::Deleted),
        Postimage::Text { text, .. } => Some(Approved::Text(text)),
    }
}

/// Returns the new name that is approved for a file; `None` where the rename is rejected.
fn approved_name(file: &FileReview) -> Option<String> {
    compose(file).rename().map(str::to_owned)
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
