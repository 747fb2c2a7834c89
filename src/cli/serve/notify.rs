//! Notifies a person who is away: runs a command when a proposal waits and no key was pressed for a while.

use std::collections::BTreeSet;
use std::time::Instant;

use super::event::{Overview, SchedulerEvent};
use super::overview::{OverviewDetail, proposal_id, proposals};
use super::request::PendingRequest;
use super::scheduler::Scheduler;
use crate::agent::PendingDocument;
use crate::review::ReviewSession;
use crate::text::{plural, sanitize};
use crate::ui::{SessionChange, SessionReader};

/// The most agents that the message names.
const MOST_NAMED: usize = 3;

impl Scheduler {
    /// Returns the time at which the person is to be notified, if something waits that they were not notified of.
    pub(super) fn notification_due(&self) -> Option<Instant> {
        let notifier = self.context.notifier.as_ref()?;
        let is_idle = notifier.run.is_none() && !notifier.is_asking;
        let is_new = |call: &u64| !notifier.announced.contains(call);
        let mut waiting = self.waiting_for_person().map(|(call, _)| call);
        (is_idle && waiting.any(is_new)).then(|| notifier.last_key.at() + notifier.after)
    }

    /// Has the screen list what waits, if it is time to notify the person.
    pub(super) fn notify_if_due(&mut self) {
        if self
            .notification_due()
            .is_none_or(|due| due > Instant::now())
        {
            return;
        }
        let calls: BTreeSet<u64> = self.waiting_for_person().map(|(call, _)| *call).collect();
        let requests: Vec<&PendingRequest> = self
            .waiting_for_person()
            .map(|(_, request)| request)
            .collect();
        let (count, message) = (requests.len(), message(&requests));
        let waiting = self.waiting();
        let takes_decisions = Some(self.context.takes_remote_decisions);
        let Some(notifier) = &mut self.context.notifier else {
            return;
        };
        let new: BTreeSet<u64> = calls.difference(&notifier.announced).copied().collect();
        notifier.announced = calls;
        notifier.is_asking = true;
        let events = notifier.events.clone();
        let reader = Box::new(move |session: &ReviewSession| {
            let all = proposals(session, &waiting, |_| OverviewDetail::Outline);
            let is_new = |call: &u64| new.contains(call);
            let new = session.calls.iter().map(|own| own.call.number);
            let new = new.filter(is_new).map(|call| proposal_id(session, call));
            // A scheduler that has ended notifies nobody.
            let _ = events.send(SchedulerEvent::Overview(Overview {
                new: new.collect(),
                pending: PendingDocument {
                    takes_decisions,
                    ..PendingDocument::of(all)
                },
                count,
                message,
            }));
        });
        self.show(SessionChange::Asked(SessionReader(reader)));
    }

    /// Notifies the person.
    pub(super) fn notify(&mut self, overview: Overview) {
        let Some(notifier) = &mut self.context.notifier else {
            return;
        };
        notifier.is_asking = false;
        if let Err(error) = notifier.start(overview) {
            self.say(format!("the notification command cannot run: {error}"));
        }
    }

    /// Makes room for the next notification.
    pub(super) fn end_notification(&mut self, failed: Option<String>) {
        if let Some(notifier) = &mut self.context.notifier {
            notifier.run = None;
        }
        if let Some(why) = failed {
            self.say(format!("the notification command failed: {why}"));
        }
    }

    /// The proposals that wait for the person: not for a command, not for another proposal, and not for the delay of a decision.
    fn waiting_for_person(&self) -> impl Iterator<Item = (&u64, &PendingRequest)> {
        self.requests.iter().filter(|(ticket, request)| {
            let is_shown = !self.preparing.contains_key(ticket);
            let is_free = request.held.is_empty() || request.held.len() < request.files.len();
            let has_agent = !request.is_of_layer || request.waiting.is_some();
            is_shown && is_free && has_agent && request.decided.is_none()
        })
    }
}

/// Describes what waits. It begins with a number, so that no agent decides how a command reads it.
fn message(requests: &[&PendingRequest]) -> String {
    let named = requests.iter().take(MOST_NAMED).map(|request| {
        let files: Vec<String> = request
            .files
            .iter()
            .take(2)
            .map(ToString::to_string)
            .collect();
        let more = match request.files.len().saturating_sub(files.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} ({}{more})", request.call.agent, files.join(", "))
    });
    let mut named: Vec<String> = named.collect();
    if let more @ 1.. = requests.len().saturating_sub(MOST_NAMED) {
        named.push(format!("{more} more"));
    }
    let waits = if requests.len() == 1 { "waits" } else { "wait" };
    let text = format!(
        "{} {waits}: {}",
        plural(requests.len(), "proposal"),
        named.join(", ")
    );
    sanitize(&text).into_owned()
}
