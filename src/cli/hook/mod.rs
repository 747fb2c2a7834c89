//! `countersign hook`: what an agent calls before it writes.

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

use super::agent_args::HookArgs;
use super::exit::Exit;
use install::InstallError;

/// Answers one call of an agent, or puts the gate into its settings.
pub(super) fn run(args: &HookArgs) -> anyhow::Result<Exit> {
    if args.install || args.uninstall || args.print {
        return install::run(args);
    }
    if std::io::stdin().is_terminal() {
        return Err(InstallError::NotCalled(args.agent.name()).into());
    }
    if args.stop {
        return Ok(turn::run(args.wait));
    }
    let longest = args.agent.longest_wait().unwrap_or(args.wait);
    Ok(gate::run(args.agent, args.wait.min(longest)))
}
