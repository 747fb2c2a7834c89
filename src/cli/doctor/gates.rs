//! Checks of the installed gates: each is run on a scratch file, and the client's settings are read.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::agent_args::DoctorArgs;
use super::super::hook::settings_file::{read_settings, settings_file};
use super::findings::{Finding, FindingState};
#[cfg(feature = "mcp")]
use super::probes::probed;
use super::switches::{OtherHooks, other_hooks, switches};
use crate::agent::hook::trial::{AMENDED, FILE, Heard, Reviewer, lets_stop, tried};
use crate::agent::hook::{Agent, SettingsScope, Trust, codex_trust, settings};
use crate::agent::program;

/// Result of the checks of one client.
pub(super) struct CheckedGates {
    pub(super) agent: Agent,
    pub(super) findings: Vec<Finding>,
    pub(super) gates: GateState,
}

/// State of the gates of one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GateState {
    /// None is installed, or none works.
    Nothing,
    /// One works when it is called. Nothing shows whether the client calls it.
    Untried,
    /// The client called one, and wrote nothing.
    Holds,
}

/// Checks a client and the gates that are installed for it.
pub(super) fn check(agent: Agent, args: &DoctorArgs) -> anyhow::Result<CheckedGates> {
    let project = args.root.as_path();
    let mut findings = vec![client(agent)];
    let is_here = program::found(agent.name()).is_some();
    let mut is_installed = false;
    let mut state = GateState::Nothing;
    let mut is_skipped = false;
    let mut own_files = Vec::new();
    for scope in [SettingsScope::Project, SettingsScope::User] {
        let Some(path) = settings_file(agent, scope, project) else {
            continue;
        };
        let (text, commands) = match read_gates(agent, &path) {
            Ok(read) => read,
            Err(error) => {
                findings.push(unreadable(agent, &path, &error.to_string()));
                continue;
            }
        };
        let (turns, gates): (Vec<_>, Vec<_>) = commands
            .iter()
            .partition(|command| settings::is_of_turns(command));
        if let Some(command) = turns.first() {
            findings.push(turn_review(agent, command, &path)?);
        }
        if let Some(command) = gates.first() {
            is_installed = true;
            let found = if !settings::is_for_every_tool(agent, &text) {
                narrow(agent, &path)
            } else if let Some(why) = settings::short_timeout(agent, &text) {
                hasty(agent, &path, &why)
            } else {
                gate(agent, scope, command, &path, project)?
            };
            if found.state == FindingState::Untried {
                state = GateState::Untried;
            }
            findings.push(found);
            own_files.push(path.clone());
            if is_here && agent == Agent::Codex {
                let trust = trust(&path, project);
                is_skipped |= trust.state == FindingState::Bad;
                findings.push(trust);
            }
        }
    }
    if !is_installed && is_here {
        let hint = format!("`countersign hook {} --install`", agent.name());
        findings.push(
            Finding::new(
                agent.name(),
                FindingState::Absent,
                "no gate is installed: its edits are not reviewed",
            )
            .hint(hint),
        );
    }
    #[cfg(feature = "mcp")]
    let is_tried = args.probe && is_installed;
    #[cfg(not(feature = "mcp"))]
    let is_tried = false;
    #[cfg(feature = "mcp")]
    if is_tried {
        let shown = probed(agent, project);
        match (shown.state, state) {
            (FindingState::Bad, _) => is_skipped = true,
            (FindingState::Good, GateState::Untried) => state = GateState::Holds,
            (_, _) => (),
        }
        findings.push(shown);
    }
    if is_skipped {
        state = GateState::Nothing;
    }
    for finding in &mut findings {
        if finding.state == FindingState::Untried {
            conclude(agent, finding, state, is_here, is_tried);
        }
    }
    if let Some(gate) = own_files.first() {
        findings.extend(beside(agent, gate, project));
    }
    Ok(CheckedGates {
        agent,
        findings,
        gates: state,
    })
}

/// Reads a file of settings, and finds the commands of the gates in it.
fn read_gates(agent: Agent, path: &Path) -> anyhow::Result<(String, Vec<String>)> {
    let text = read_settings(path)?.unwrap_or_default();
    let commands = settings::found_commands(agent, &text)?;
    // Where there is no gate it does not matter what the client reads.
    if !commands.is_empty() {
        settings::check_syntax(agent, &text)?;
    }
    Ok((text, commands))
}

/// Completes the finding about a gate that works when it is called.
fn conclude(agent: Agent, finding: &mut Finding, state: GateState, is_here: bool, is_tried: bool) {
    if state == GateState::Holds {
        finding.become_state(FindingState::Good, ", and is called");
    } else if !is_here {
        // What is not there writes nothing.
        let found = format!("; {agent} is not on the PATH, so nothing shows whether it is called");
        finding.become_state(FindingState::Absent, &found);
    } else if is_tried {
        let found = "; the probe does not show that it is called";
        finding.become_state(FindingState::Untried, found);
    } else if cfg!(feature = "mcp") {
        let found = format!("; not tried whether {agent} calls it: `countersign doctor --probe`");
        finding.become_state(FindingState::Good, &found);
    } else {
        let found = format!("; not tried whether {agent} calls it: make an edit and see");
        finding.become_state(FindingState::Good, &found);
    }
}

/// Reports other hooks of the client that may change a call after the gate.
fn beside(agent: Agent, gate: &Path, project: &Path) -> Vec<Finding> {
    let OtherHooks { changing, others } = other_hooks(agent, gate, project);
    let changing = changing.iter().map(|file| {
        let found = format!(
            "`{}` gives arguments as well, and {agent} takes those of the last hook: what was approved may not be what is written",
            file.display()
        );
        Finding::new(agent.name(), FindingState::Bad, found).hint(agent.advice())
    });
    let others = others.iter().map(|hook| {
        let found = format!(
            "{agent} calls {hook} as well; nothing shows whether it changes a call after the review"
        );
        Finding::new(agent.name(), FindingState::Absent, found)
    });
    changing.chain(others).collect()
}

fn client(agent: Agent) -> Finding {
    let name = agent.name();
    match program::found(name) {
        Some(path) => {
            let version = program::version(name).unwrap_or_else(|| "prints no version".to_owned());
            Finding::new(
                name,
                FindingState::Good,
                format!("{}, {version}", path.display()),
            )
        }
        None => Finding::new(name, FindingState::Absent, "not on the PATH"),
    }
}

fn unreadable(agent: Agent, path: &Path, why: &str) -> Finding {
    Finding::new(
        agent.name(),
        FindingState::Bad,
        format!("cannot read `{}`: {why}", path.display()),
    )
    .hint("a gate in it cannot be checked, and the client may not read it either")
}

/// Reports a gate that is called for some tools only.
fn narrow(agent: Agent, path: &Path) -> Finding {
    let found = format!(
        "the gate in `{}` is not asked about all tools: tools that are new, or of an MCP server, write without it",
        path.display()
    );
    let hint = format!("`countersign hook {} --install` repairs it", agent.name());
    Finding::new(agent.name(), FindingState::Bad, found).hint(hint)
}

/// Reports a gate for which the client does not wait long enough.
fn hasty(agent: Agent, path: &Path, why: &str) -> Finding {
    let found = format!(
        "{agent} does not wait for the gate in `{}`, and writes while you decide: {why}",
        path.display()
    );
    let hint = format!("`countersign hook {} --install` repairs it", agent.name());
    Finding::new(agent.name(), FindingState::Bad, found).hint(hint)
}

/// Checks one gate: its command, and the settings that could keep the client from calling it.
fn gate(
    agent: Agent,
    scope: SettingsScope,
    command: &str,
    path: &Path,
    project: &Path,
) -> anyhow::Result<Finding> {
    let bad = |found: String| Finding::new(agent.name(), FindingState::Bad, found);
    let shown = path.display();
    if let Some(fault) = fault(agent, command)? {
        let hint = format!("`countersign hook {} --install` repairs it", agent.name());
        return Ok(bad(format!("the gate in `{shown}` {fault}")).hint(hint));
    }
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let off = switches(agent, scope, &full, command, project);
    if off.is_empty() {
        let found = format!("the gate in `{shown}` works, and fails closed");
        let finding = Finding::new(agent.name(), FindingState::Untried, found);
        return Ok(match agent.flags() {
            [] => finding,
            flags => finding.hint(format!("it is not called with {}", flags.join(", "))),
        });
    }
    let found = format!("the gate in `{shown}` is not called: {}", off.join("; "));
    Ok(bad(found).hint("edits are not reviewed until these settings are changed"))
}

/// Checks whether Codex trusts the gate, by asking Codex.
fn trust(path: &Path, project: &Path) -> Finding {
    const AREA: &str = "codex trust";
    let file = path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
    let hint = "start `codex` in this folder, and confirm the hook under `/hooks`";
    match codex_trust(&file, project) {
        Trust::Trusted => Finding::new(AREA, FindingState::Good, "Codex trusts the hook"),
        Trust::Untrusted(why) => {
            let found = format!("Codex does not call the gate: {why}");
            Finding::new(AREA, FindingState::Bad, found).hint(hint)
        }
        Trust::Unknown => {
            let found =
                "Codex does not say whether it trusts the hook; an untrusted one is not called";
            Finding::new(AREA, FindingState::Absent, found).hint(hint)
        }
    }
}

/// Runs the review of turns in a scratch repository where nobody reviews.
fn turn_review(agent: Agent, command: &str, path: &Path) -> anyhow::Result<Finding> {
    let scratch = tempfile::tempdir()?;
    let what = format!("the review of turns in `{}`", path.display());
    Ok(match lets_stop(command, scratch.path())? {
        Some(true) => {
            let found = format!("{what} works, and lets the agent stop");
            Finding::new(agent.name(), FindingState::Good, found)
        }
        Some(false) => {
            let found = format!("{what} does not report what was written in one");
            let hint = format!(
                "`countersign hook {} --install --stop` repairs it",
                agent.name()
            );
            Finding::new(agent.name(), FindingState::Bad, found).hint(hint)
        }
        None => {
            let found = format!("{what} needs git, which is not found");
            Finding::new(agent.name(), FindingState::Absent, found).hint("install git")
        }
    })
}

/// Returns what is wrong with a gate, found by running it on a scratch file.
fn fault(agent: Agent, command: &str) -> anyhow::Result<Option<&'static str>> {
    // A gate that cannot replace the arguments of a call denies it, and writes what was approved itself.
    let amended = if agent.takes_amended_input() {
        (Heard::Amended, FILE.1)
    } else {
        (Heard::No, AMENDED)
    };
    let tries = [
        (
            Reviewer::Nobody,
            (Heard::No, FILE.1),
            "lets edits through when no reviewer is running",
        ),
        (
            Reviewer::Leaves,
            (Heard::No, FILE.1),
            "lets edits through when the reviewer goes away",
        ),
        (
            Reviewer::Amends,
            amended,
            "does not bring what was approved to the agent",
        ),
    ];
    for (reviewer, (heard, text), fault) in tries {
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join(FILE.0);
        fs::write(&file, FILE.1)?;
        let found = tried(agent, command, scratch.path(), reviewer)?;
        if found != heard || fs::read_to_string(&file)? != text {
            return Ok(Some(fault));
        }
    }
    let guarded = agent.has_plugin() || settings::has_fallback(command);
    Ok((!guarded).then_some(
        "lets edits through when countersign is not found or crashes: the installed command is of an earlier version",
    ))
}
