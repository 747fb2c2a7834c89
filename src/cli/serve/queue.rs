//! The queue as the screen shows it: who waits, for how long, and which proposals conflict.

use std::time::Instant;

use super::forecast::{WaitingProposal, forecasts};
use super::scheduler::{QueueKey, Scheduler};
use crate::ui::{AgentWait, Queue, SessionChange};

impl Scheduler {
    /// Shows the queue if it has changed.
    pub(super) fn show_queue(&mut self) {
        let requests = self.requests.iter();
        let key: QueueKey = requests
            .map(|(ticket, request)| (*ticket, request.placing))
            .collect();
        if key == self.shown_queue {
            return;
        }
        self.shown_queue = key;
        let waiting: Vec<WaitingProposal<'_>> = (self.requests.values())
            .map(|request| WaitingProposal {
                call: request.call.number,
                agent: &request.call.agent,
                files: &request.touched,
            })
            .collect();
        self.show(SessionChange::Queue(Queue {
            agents: self.agents(),
            forecasts: forecasts(&waiting),
        }));
    }

    /// Returns the agents that wait, the one that waits longest first. A running command that changes its layer waits for nobody.
    fn agents(&self) -> Vec<AgentWait> {
        let mut agents: Vec<AgentWait> = Vec::new();
        let has_agent = self.requests.values().filter(|request| {
            let (is_of_layer, waiting) = (request.is_of_layer, request.waiting);
            !is_of_layer || waiting.is_some()
        });
        for request in has_agent {
            let known = |wait: &&mut AgentWait| wait.agent == request.call.agent;
            let since: Instant = request.arrived;
            match agents.iter_mut().find(known) {
                Some(wait) => {
                    wait.proposals += 1;
                    wait.since = wait.since.min(since);
                }
                None => agents.push(AgentWait {
                    agent: request.call.agent.clone(),
                    proposals: 1,
                    since,
                }),
            }
        }
        agents.sort_by_key(|wait| wait.since);
        agents
    }
}
