//! The agents that wait for an answer, and for how long.

use std::time::Instant;

use crate::text::duration;
use crate::ui::services::background::AgentWait;

/// The most agents that are listed.
const MOST: usize = 4;

/// The agents that wait for an answer.
#[derive(Debug, Clone, Default)]
pub struct WaitingAgents {
    agents: Vec<AgentWait>,
    /// The time that each has waited, in words.
    times: Vec<String>,
}

impl WaitingAgents {
    /// The agents as they wait now.
    pub(crate) fn new(agents: Vec<AgentWait>) -> Self {
        let mut waiting = Self {
            agents,
            times: Vec::new(),
        };
        waiting.tell_time(Instant::now());
        waiting
    }

    /// Counts the time until `now`. Returns whether another time is to be shown.
    pub(crate) fn tell_time(&mut self, now: Instant) -> bool {
        let since = |wait: &AgentWait| now.saturating_duration_since(wait.since).as_secs();
        let times = self.agents.iter().map(|wait| in_minutes(since(wait)));
        let before = std::mem::replace(&mut self.times, times.collect());
        self.times != before
    }

    /// Returns the time that an agent has waited, in words.
    pub fn time_of(&self, agent: &str) -> Option<&str> {
        let at = self.agents.iter().position(|wait| wait.agent == agent)?;
        self.times.get(at).map(String::as_str)
    }

    /// Returns each agent with the number of its proposals and its time in words; those that are too many as a number.
    pub fn rows(&self) -> Vec<(String, String)> {
        let shown = if self.agents.len() > MOST {
            MOST - 1
        } else {
            MOST
        };
        let listed = self.agents.iter().zip(&self.times).take(shown);
        let listed = listed.map(|(wait, time)| {
            let count = match wait.proposals {
                1 => String::new(),
                more => format!("{more}, "),
            };
            (wait.agent.clone(), format!("{count}{time}"))
        });
        let more = self.agents.len().saturating_sub(shown);
        let rest = (more > 0).then(|| (format!("and {more} more"), String::new()));
        listed.chain(rest).collect()
    }
}

/// Returns a time in words. Seconds would move on the screen without a key.
fn in_minutes(seconds: u64) -> String {
    match seconds {
        0..60 => "< 1 min".to_owned(),
        _ => duration(seconds),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn agents_are_listed_with_their_times() {
        let begun = Instant::now();
        let wait = |agent: &str, proposals| AgentWait {
            agent: agent.to_owned(),
            proposals,
            since: begun,
        };
        let mut waiting = WaitingAgents {
            agents: vec![wait("claude", 2), wait("codex", 1)],
            times: Vec::new(),
        };
        assert!(waiting.tell_time(begun + Duration::from_secs(59)));
        assert_eq!(waiting.time_of("codex"), Some("< 1 min"));
        assert!(waiting.tell_time(begun + Duration::from_mins(1)));
        assert!(!waiting.tell_time(begun + Duration::from_secs(119)));
        assert!(waiting.tell_time(begun + Duration::from_mins(2)));
        let row = |name: &str, time: &str| (name.to_owned(), time.to_owned());
        let expected = vec![row("claude", "2, 2 min"), row("codex", "2 min")];
        assert_eq!(waiting.rows(), expected);
        assert_eq!(waiting.time_of("codex"), Some("2 min"));
        waiting
            .agents
            .extend(["a", "b", "c"].map(|agent| wait(agent, 1)));
        waiting.tell_time(begun);
        assert_eq!(waiting.rows().last(), Some(&row("and 2 more", "")));
        assert_eq!(waiting.rows().len(), MOST);
    }
}
