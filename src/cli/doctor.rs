//! `countersign doctor`: what works here, and what does not.

use std::fmt::{self, Write as _};
use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use serde::Serialize;

use super::args::ReportForm;
use super::exit::Exit;
use super::gate_args::DoctorArgs;
use super::hook::settings_file::{Scope, settings_file};
use super::output;
use crate::agent::hook::trial::{FILE, Heard, Reviewer, lets_stop, tried};
use crate::agent::hook::{Agent, settings};
use crate::agent::{overlay_program, program, served_root};
use crate::store::{IGNORE_FILES, Root, read_regular_text};

/// The largest file of settings that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// Something that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    /// What it is about.
    area: &'static str,
    state: State,
    /// What was found.
    found: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

/// How it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// As it should be.
    Good,
    /// Not there, which is no fault.
    Absent,
    /// As it should not be.
    Bad,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Good => "✓",
            Self::Absent => "·",
            Self::Bad => "✗",
        })
    }
}

/// Looks at everything, and tries the gates that are installed. Refused if something is as it should not be.
pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    let mut findings = terminal();
    findings.push(overlay());
    findings.push(reviewer(&args.root));
    for agent in Agent::ALL {
        findings.push(client(agent));
        findings.extend(gates(agent, &args.root)?);
    }
    findings.push(ignore_files(&root));
    output::write(&match args.report {
        ReportForm::Text | ReportForm::Agent => text(&findings),
        ReportForm::Json => serde_json::to_string_pretty(&findings)? + "\n",
    })?;
    let is_bad = findings.iter().any(|finding| finding.state == State::Bad);
    Ok(if is_bad { Exit::Refused } else { Exit::Done })
}

fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for Finding {
        area,
        state,
        found,
        hint,
    } in findings
    {
        let _ = writeln!(text, "{state} {area:<12} {found}");
        if let Some(hint) = hint {
            let _ = writeln!(text, "{:15}{hint}", "");
        }
    }
    text
}

impl Finding {
    fn new(area: &'static str, state: State, found: impl Into<String>) -> Self {
        Self {
            area,
            state,
            found: found.into(),
            hint: None,
        }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn terminal() -> Vec<Finding> {
    let term = variable("TERM");
    let kind = if term.is_empty() {
        "of no kind that is told".to_owned()
    } else {
        format!("`{term}`")
    };
    let terminal = if term == "dumb" {
        let hint = "reviews go line by line; `countersign serve` needs one that can be drawn on";
        Finding::new("terminal", State::Bad, "it cannot be drawn on").hint(hint)
    } else if std::io::stdout().is_terminal() {
        Finding::new("terminal", State::Good, kind)
    } else {
        Finding::new(
            "terminal",
            State::Absent,
            format!("{kind}; this runs without one"),
        )
    };
    let colours = match (
        variable("NO_COLOR").as_str(),
        variable("COLORTERM").as_str(),
    ) {
        ("", "truecolor" | "24bit") => "all",
        ("", _) if term.contains("256color") => "256",
        ("", _) => "those of the terminal's palette",
        _ => "none, as `NO_COLOR` asks",
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
    let locale = locale.iter().find(|name| !name.is_empty());
    let is_unicode =
        locale.is_some_and(|name| name.to_lowercase().replace('-', "").contains("utf8"));
    let signs = if is_unicode {
        Finding::new("signs", State::Good, "all that Unicode has")
    } else {
        let hint = "set `LANG` to a locale of UTF-8, such as `C.UTF-8`";
        Finding::new(
            "signs",
            State::Absent,
            "ASCII only, as the locale is not UTF-8",
        )
        .hint(hint)
    };
    vec![
        terminal,
        Finding::new("colours", State::Good, colours),
        signs,
    ]
}

fn overlay() -> Finding {
    match overlay_program() {
        Some(name) => Finding::new("overlay", State::Good, format!("a reviewer can be opened over {name}")),
        None => Finding::new("overlay", State::Absent, "no program here that a reviewer can be opened over")
            .hint("run `countersign serve` in a terminal of its own, or work in tmux, zellij, kitty or wezterm"),
    }
}

fn reviewer(folder: &Path) -> Finding {
    match served_root(folder) {
        Ok(root) => Finding::new(
            "reviewer",
            State::Good,
            format!("one serves `{}`", root.display()),
        ),
        Err(error) => Finding::new("reviewer", State::Absent, error.to_string()).hint(error.hint()),
    }
}

fn client(agent: Agent) -> Finding {
    let name = agent.name();
    match program::found(name) {
        Some(path) => {
            let version = program::version(name).unwrap_or_else(|| "tells no version".to_owned());
            Finding::new(name, State::Good, format!("{}, {version}", path.display()))
        }
        None => Finding::new(name, State::Absent, "not on the PATH"),
    }
}

/// The gates that are installed for an agent, each tried.
fn gates(agent: Agent, project: &Path) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut is_gated = false;
    for scope in [Scope::Project, Scope::User] {
        let Some(path) = settings_file(agent, scope, project) else {
            continue;
        };
        let text = read_regular_text(&path, MOST_BYTES).unwrap_or_default();
        let commands = settings::commands(agent, &text);
        let (turns, gates): (Vec<_>, Vec<_>) = commands
            .iter()
            .partition(|command| settings::is_of_turns(command));
        if let Some(command) = turns.first() {
            findings.push(turn(agent, command, &path)?);
        }
        if let Some(command) = gates.first() {
            is_gated = true;
            let finding = match fault(agent, command)? {
                None => Finding::new(
                    agent.name(),
                    State::Good,
                    format!("the gate in `{}` works, and fails closed", path.display()),
                ),
                Some(fault) => Finding::new(
                    agent.name(),
                    State::Bad,
                    format!("the gate in `{}` {fault}", path.display()),
                )
                .hint(format!(
                    "`countersign hook {} --install` puts it right",
                    agent.name()
                )),
            };
            findings.push(finding);
        }
    }
    if !is_gated && program::found(agent.name()).is_some() {
        let hint = format!("`countersign hook {} --install`", agent.name());
        findings.push(
            Finding::new(
                agent.name(),
                State::Absent,
                "no gate is installed: its edits are not reviewed",
            )
            .hint(hint),
        );
    }
    Ok(findings)
}

/// How the review of turns does when nobody reviews, found by running it in a scratch repository.
fn turn(agent: Agent, command: &str, path: &Path) -> anyhow::Result<Finding> {
    let scratch = tempfile::tempdir()?;
    let what = format!("the review of turns in `{}`", path.display());
    Ok(match lets_stop(command, scratch.path())? {
        Some(true) => {
            let found = format!("{what} works, and lets the agent stop");
            Finding::new(agent.name(), State::Good, found)
        }
        Some(false) => {
            let found = format!("{what} does not tell what was written in one");
            let hint = format!(
                "`countersign hook {} --install --stop` puts it right",
                agent.name()
            );
            Finding::new(agent.name(), State::Bad, found).hint(hint)
        }
        None => {
            let found = format!("{what} needs git, which is not found");
            Finding::new(agent.name(), State::Absent, found).hint("install git")
        }
    })
}

/// What is wrong with a gate, found by running it on a scratch file.
fn fault(agent: Agent, command: &str) -> anyhow::Result<Option<&'static str>> {
    let tries = [
        (
            Reviewer::Nobody,
            Heard::No,
            "lets edits through when nobody reviews",
        ),
        (
            Reviewer::Leaves,
            Heard::No,
            "lets edits through when the reviewer goes away",
        ),
        (
            Reviewer::Amends,
            Heard::Amended,
            "does not bring what was approved to the agent",
        ),
    ];
    for (reviewer, expected, fault) in tries {
        let scratch = tempfile::tempdir()?;
        fs::write(scratch.path().join(FILE.0), FILE.1)?;
        if tried(agent, command, scratch.path(), reviewer)? != expected {
            return Ok(Some(fault));
        }
    }
    let guarded = agent == Agent::Opencode || settings::has_fallback(command);
    Ok((!guarded)
        .then_some("lets edits through when countersign is not found or crashes: the installed command is of an earlier version"))
}

fn ignore_files(root: &Root) -> Finding {
    let there: Vec<&str> = IGNORE_FILES
        .into_iter()
        .filter(|name| root.path().join(name).is_file())
        .collect();
    if there.is_empty() {
        return Finding::new(
            "ignore files",
            State::Absent,
            "none; what git ignores is not kept from agents by that",
        );
    }
    Finding::new(
        "ignore files",
        State::Good,
        format!("{} obeyed", there.join(", ")),
    )
}
