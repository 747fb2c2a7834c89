//! Our entries in an agent's settings: their form, and the search for them.

use std::path::Path;

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};

use super::clients::Installed;
use super::names::{Agent, TIMEOUT};
use crate::text::{ShellToken, shell_tokens};

/// Seconds by which the timeout in the settings must exceed the wait of the gate, so that the gate answers before the client goes on.
const MARGIN: u32 = 10;

/// Runs where `countersign` ends without an answer: crashed, killed, or not found.
///
/// The clients let the edit through where a hook ends with another code than 2, where its standard error is empty
/// (Codex, Gemini CLI), or where it leaves a part of its input unread (Codex). `sh -c` and not a group in braces, because
/// Codex runs the line in the login shell of the user, which may be fish. Where `sh` cannot be run either, the shell itself
/// writes the message, and its own `exit` gives the code.
pub(super) const FALLBACK: &str = "sh -c \"cat >/dev/null; echo 'countersign failed: nothing may be written' >&2; exit 2\" || exit 2";

/// Returns whether a command of an installed gate blocks the edit where `countersign` itself cannot answer.
pub fn has_fallback(command: &str) -> bool {
    command.contains(FALLBACK)
}

/// Additional hooks beside the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// The review of changes that other tools made in a turn. Only Claude Code has hooks for turns.
    Turns,
}

/// A gate to install.
#[derive(Debug, Clone, Copy)]
pub struct NewGate<'a> {
    /// The program, as the shell is to call it.
    pub program: &'a str,
    /// Seconds that the person may take to decide; those of the program, if there are none.
    pub wait: Option<u64>,
    /// Hooks that are wanted beside it.
    pub beside: Beside,
}

impl NewGate<'_> {
    /// Returns the command of the gate for an agent.
    pub(super) fn command(self, agent: Agent) -> String {
        let wait = self.wait.map(|wait| format!(" --wait {wait}"));
        let wait = wait.unwrap_or_default();
        format!("{} hook {}{wait}", self.program, agent.name())
    }
}

/// Returns the seconds that a command of ours waits for a decision, if it names any.
pub fn wait_of(command: &str) -> Option<f64> {
    let (tokens, _) = shell_tokens(command);
    (0..tokens.len()).find_map(|at| match &tokens[at..] {
        [ShellToken::Word(option), ShellToken::Word(value), ..] if option.text == "--wait" => {
            value.text.parse().ok()
        }
        [ShellToken::Word(option), ..] => option.text.strip_prefix("--wait=")?.parse().ok(),
        _ => None,
    })
}

pub(super) struct HookEntry {
    pub(super) event: &'static str,
    /// The tools that are meant; an event that is about no tool has none.
    matcher: Option<String>,
    command: String,
    /// The longest that it may take, in the agent's unit.
    timeout: String,
}

/// Returns the entries to install, the gate's first; none for an agent whose gate is a plugin.
pub(super) fn entries(agent: Agent, gate: NewGate<'_>) -> Vec<HookEntry> {
    let Installed::Entries {
        before,
        after,
        turns,
        second,
        ..
    } = agent.profile().installed
    else {
        return Vec::new();
    };
    let command = gate.command(agent);
    let guarded = format!("{command} || {FALLBACK}");
    let every_tool = Some(Agent::matcher().to_owned());
    let mut entries = vec![(before, every_tool, guarded, TIMEOUT)];
    entries.extend(after.map(|after| {
        let unhurried = NewGate { wait: None, ..gate };
        let matcher = Some(agent.matcher_afterwards());
        (after, matcher, unhurried.command(agent), 10)
    }));
    if gate.beside == Beside::Turns {
        // Exit code 2 would not let it stop.
        let turns = turns.into_iter().flatten().zip([60, TIMEOUT]);
        entries.extend(
            turns.map(|(event, seconds)| (event, None, format!("{command} --stop"), seconds)),
        );
    }
    (entries.into_iter())
        .map(|(event, matcher, command, seconds)| HookEntry {
            event,
            matcher,
            command,
            timeout: (seconds * second).to_string(),
        })
        .collect()
}

/// Returns the events of our hooks: the gate's first, then that after a tool, then those for turns.
pub(super) fn events(agent: Agent) -> Vec<&'static str> {
    match agent.profile().installed {
        Installed::Entries {
            before,
            after,
            turns,
            ..
        } => {
            let turns = turns.into_iter().flatten();
            [before].into_iter().chain(after).chain(turns).collect()
        }
        Installed::Plugin(_) | Installed::Script(_) => Vec::new(),
    }
}

impl HookEntry {
    /// It as JSON.
    pub(super) fn value(&self) -> CstInputValue {
        let text = |text: &str| CstInputValue::String(text.to_owned());
        let hook = [
            ("type", text("command")),
            ("command", text(&self.command)),
            ("timeout", CstInputValue::Number(self.timeout.clone())),
        ];

        let hooks = ("hooks", CstInputValue::Array(vec![object(hook)]));
        let matcher = self.matcher.as_deref();
        let matcher = matcher.map(|matcher| ("matcher", text(matcher)));
        object(matcher.into_iter().chain([hooks]))
    }
}

/// A hook of ours in the settings.
pub(super) struct OwnHook {
    /// The entry that has it, perhaps with hooks of the user.
    entry: CstObject,
    hook: CstObject,
    /// The command that it calls.
    pub(super) command: String,
}

impl OwnHook {
    /// Returns the hook of an entry, if it is ours for this agent.
    fn of(agent: Agent, entry: &CstObject, hook: &CstNode) -> Option<Self> {
        let hook = hook.as_object()?;
        let command = string(&hook, "command").filter(|command| is_ours(agent, command))?;
        Some(Self {
            entry: entry.clone(),
            hook,
            command,
        })
    }

    /// Returns whether it is as an installation writes it.
    pub(super) fn is(&self, wanted: &HookEntry) -> bool {
        let timeout = self.hook.get("timeout").and_then(|timeout| timeout.value());
        self.command == wanted.command
            && string(&self.entry, "matcher") == wanted.matcher
            && timeout.is_some_and(|timeout| timeout.to_string() == wanted.timeout)
    }

    /// Returns why the client may give it up before it answers: its timeout in the settings. `second` is a second in the client's unit.
    pub(super) fn short_timeout(&self, agent: Agent, second: u32) -> Option<String> {
        let longest = agent.longest_wait().as_secs_f64();
        let wait = wait_of(&self.command).map_or(longest, |wait| wait.min(longest));
        let value = self.hook.get("timeout").and_then(|timeout| timeout.value());
        let Some(value) = value else {
            return Some("there is no `timeout` beside it, so the client's own counts".to_owned());
        };
        let timeout = value.to_string();
        let enough = (wait + f64::from(MARGIN)) * f64::from(second);
        let is_enough = timeout.parse().is_ok_and(|timeout: f64| timeout >= enough);
        (!is_enough).then(|| format!("its `timeout` is {timeout}, and it may wait for {wait} s"))
    }

    /// Returns whether the client calls it for every tool.
    pub(super) fn is_for_all_tools(&self) -> bool {
        self.entry.get("matcher").is_none()
            || string(&self.entry, "matcher")
                .is_some_and(|matcher| matches!(matcher.as_str(), "" | "*" | ".*"))
    }

    /// Takes it out of the settings, and its entry with it if that has no other hook.
    pub(super) fn remove(self) {
        self.hook.remove();
        let left = self.entry.array_value("hooks");
        if left.is_some_and(|left| left.elements().is_empty()) {
            self.entry.remove();
        }
    }
}

/// Our hooks for this agent in the entries of an event.
pub(super) fn ours(agent: Agent, array: &CstArray) -> Vec<OwnHook> {
    let mut found = Vec::new();
    for entry in array.elements() {
        let Some(entry) = entry.as_object() else {
            continue;
        };
        let hooks = entry.array_value("hooks");
        let hooks = hooks.iter().flat_map(CstArray::elements);
        found.extend(hooks.filter_map(|hook| OwnHook::of(agent, &entry, &hook)));
    }
    found
}

/// Returns whether a command runs countersign for this agent: by its name, in any folder and with any options, perhaps through another
/// program; or in the form of an installation, where the program has a full path between quotes and may have any name.
pub(super) fn is_ours(agent: Agent, command: &str) -> bool {
    let (tokens, _) = shell_tokens(command);
    let mut programs = tokens.windows(3).filter_map(|call| called(agent, call));
    let is_named =
        programs.any(|path| Path::new(&path).file_name() == Some("countersign".as_ref()));
    let is_installed = tokens.split_at_checked(3).is_some_and(|(call, rest)| {
        command.starts_with("'/") && called(agent, call).is_some() && has_own_options(rest)
    });
    is_named || is_installed
}

/// Returns true if the words before the end of a call are options that an installation writes: `--stop`, and `--wait` with seconds.
fn has_own_options(mut words: &[ShellToken]) -> bool {
    loop {
        words = match words {
            [] | [ShellToken::End('|', _), ..] => return true,
            [ShellToken::Word(option), rest @ ..] if option.text == "--stop" => rest,
            [ShellToken::Word(option), ShellToken::Word(value), rest @ ..]
                if option.text == "--wait" && value.text.parse::<u64>().is_ok() =>
            {
                rest
            }
            _ => return false,
        };
    }
}

/// Returns the program that three words call as a hook of this agent.
fn called(agent: Agent, words: &[ShellToken]) -> Option<&str> {
    match words {
        [
            ShellToken::Word(program),
            ShellToken::Word(hook),
            ShellToken::Word(name),
        ] => (hook.text == "hook" && name.text == agent.name()).then_some(program.text.as_str()),
        _ => None,
    }
}

fn string(object: &CstObject, name: &str) -> Option<String> {
    object
        .get(name)?
        .value()?
        .as_string_lit()?
        .decoded_value()
        .ok()
}

/// Returns whether a command of ours is the review of turns, and not the gate.
pub fn is_of_turns(command: &str) -> bool {
    command.contains(" --stop")
}

/// Returns a JSON object.
fn object<'n>(fields: impl IntoIterator<Item = (&'n str, CstInputValue)>) -> CstInputValue {
    let fields = fields
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    CstInputValue::Object(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_of_a_command_is_found() {
        let check = |command: &str, expected| assert_eq!(wait_of(command), expected, "{command}");
        check("countersign hook claude", None);
        check(
            "'/opt/a b/countersign' hook claude --wait 60 || exit 2",
            Some(60.0),
        );
        check("countersign hook claude --stop --wait=0.5", Some(0.5));
        check("countersign hook claude --wait soon", None);
    }

    #[test]
    fn commands_of_the_user_are_not_ours() {
        let check = |command: &str, expected| {
            assert_eq!(is_ours(Agent::Claude, command), expected, "{command}");
        };
        for beside in [Beside::Nothing, Beside::Turns] {
            for program in [
                "countersign",
                "'/opt/a b/countersign'",
                "'/opt/it'\\''s/countersign-0.1'",
            ] {
                for wait in [None, Some(60)] {
                    let gate = NewGate {
                        program,
                        wait,
                        beside,
                    };
                    for entry in entries(Agent::Claude, gate) {
                        check(&entry.command, true);
                    }
                }
            }
        }
        check("'/opt/renamed' hook claude --wait 6 || exit 2", true);
        check("'/opt/renamed' hook claude --wait 6 --stop", true);
        check("countersign hook claude", true);
        check("/opt/countersign hook claude --wait 60 || exit 2", true);
        check("'/opt/countersign' hook claude --wait 60", true);
        check("~/bin/countersign hook claude; exit 2", true);
        check("cd /w && timeout 60 '/opt/countersign' hook claude", true);
        for other in [
            "",
            "countersign",
            "countersign hook codex",
            "countersign hook claude-bash",
            "countersign serve hook claude",
            "/home/me/countersign-notes/guard hook claude-bash",
            "/home/me/countersign-notes/guard hook claude",
            "/home/me/countersign/guard hook claude",
            "'/home/me/guard' hook claude --strict",
            "'/home/me/guard' hook claude --wait long",
            "my-guard 'countersign hook claude'",
        ] {
            check(other, false);
        }
    }
}
