//! Withdrawn proposals: they leave the screen, and what the person wrote about them goes to the agent in threads.

use super::event::SchedulerEvent;
use super::scheduler::Scheduler;
use crate::app::threads::{self, ThreadOrigin};
use crate::review::{ReviewSession, Standing};
use crate::ui::{SessionChange, SessionReader};

impl Scheduler {
    /// Shows that nothing of a proposal can be decided any more, and has the screen return what was written about it.
    pub(super) fn show_withdrawn(&mut self, call: u64, told: String) {
        self.withdrawn.insert(call);
        let events = self.context.events.clone();
        let reader = Box::new(move |session: &ReviewSession| {
            let session = Box::new(session.of_call(call));
            // A scheduler that has ended got the session with its end.
            let _ = events.send(SchedulerEvent::LeftScreen { call, session });
        });
        self.show(SessionChange::Left {
            call,
            standing: Standing::Withdrawn,
            told,
            last: Some(SessionReader(reader)),
        });
    }

    /// Opens threads for the comments on a withdrawn proposal, as no verdict takes them to the agent.
    pub(super) fn keep_comments(&self, session: &ReviewSession) {
        let Some(call) = session.files.first().and_then(|file| file.call.as_ref()) else {
            return;
        };
        let agent = &call.agent;
        let origin = ThreadOrigin {
            agent: Some(agent),
            proposal: Some(&call.proposal),
        };
        let opened = threads::open_for_comments(&self.context.root, session, origin);
        let opened = opened.unwrap_or_else(|why| vec![Err(why)]);
        let (opened, refused): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
        let opened: Vec<String> = opened.into_iter().flatten().collect();
        if !opened.is_empty() {
            let opened = opened.join(", ");
            self.say(format!(
                "proposal withdrawn: {agent} gets your comments in threads, {opened}"
            ));
        }
        if let Some(why) = refused.into_iter().find_map(Result::err) {
            let why = format!("proposal withdrawn: {agent} does not get a comment of yours: {why}");
            self.show(SessionChange::Warned(why));
        }
    }
}
