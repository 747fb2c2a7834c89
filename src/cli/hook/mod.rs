//! `countersign hook`: what an agent calls before it writes.

mod carried_out;
mod client_watch;
mod gate;
pub(super) mod in_layer;
pub(super) mod install;
pub(super) mod location;
pub(super) mod note;

pub(super) mod review;
pub(super) mod settings_file;
mod turn;
mod turn_record;
pub(super) mod write;

use std::io::IsTerminal;
use std::time::Duration;

use super::agent_args::HookArgs;
use super::exit::Exit;
use crate::agent::hook::Agent;
use install::InstallError;

/// Answers one call of an agent, or puts the gate into its settings.
pub(super) fn run(args: &HookArgs) -> anyhow::Result<Exit> {
    if args.install || args.uninstall || args.print {
        return install::run(args);
    }
    if std::io::stdin().is_terminal() {
        return Err(InstallError::NotCalled(args.agent.name()).into());
    }
    let wait = bounded_wait(args.agent, args.wait);
    if args.stop {
        return Ok(turn::run(wait));
    }
    Ok(gate::run(args.agent, wait))
}

/// Returns the time for a decision: after the longest one the client goes on without an answer.
fn bounded_wait(agent: Agent, wait: Option<Duration>) -> Duration {
    let longest = agent.longest_wait();
    wait.map_or(longest, |wait| wait.min(longest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gate_waits_longer_than_its_client() {
        let check = |agent, wait: Option<u64>, expected| {
            let wait = bounded_wait(agent, wait.map(Duration::from_secs));
            assert_eq!(wait, Duration::from_secs(expected), "{agent}");
        };
        for agent in Agent::ALL {
            let longest = if agent == Agent::Cline { 110 } else { 3540 };
            check(agent, None, longest);
            check(agent, Some(longest - 1), longest - 1);
            check(agent, Some(86_400), longest);
        }
    }
}
