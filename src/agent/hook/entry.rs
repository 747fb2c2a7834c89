//! Our entries in an agent's settings: their form, and the search for them.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};

use super::clients::Installed;
use super::names::Agent;

/// Timeout of an installed gate in seconds; the gate answers a little before.
pub const TIMEOUT: u32 = 3600;

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

pub(super) struct HookEntry {
    pub(super) event: &'static str,
    /// The tools that are meant; an event that is about no tool has none.
    matcher: Option<String>,
    command: String,
    /// The longest that it may take, in the agent's unit.
    timeout: String,
}

/// Returns the entries to install, the gate's first; none for an agent whose gate is a plugin.
pub(super) fn entries(agent: Agent, program: &str, beside: Beside) -> Vec<HookEntry> {
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
    let command = format!("{program} hook {}", agent.name());
    let gate = format!("{command} || {FALLBACK}");
    let every_tool = Some(Agent::matcher().to_owned());
    let mut entries = vec![(before, every_tool, gate, TIMEOUT)];
    entries
        .extend(after.map(|after| (after, Some(agent.matcher_afterwards()), command.clone(), 10)));
    if beside == Beside::Turns {
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

    /// Returns whether an element of the settings equals this entry.
    pub(super) fn is(&self, element: &CstNode) -> bool {
        let hook = first_hook(element);
        let timeout = hook.and_then(|hook| Some(hook.get("timeout")?.value()?.to_string()));
        let matcher = element
            .as_object()
            .and_then(|element| string(&element, "matcher"));
        command(element).as_ref() == Some(&self.command)
            && matcher == self.matcher
            && timeout.as_ref() == Some(&self.timeout)
    }
}

/// Returns whether a client calls the hook of an element for every tool.
pub(super) fn is_for_all_tools(element: &CstNode) -> bool {
    let Some(object) = element.as_object() else {
        return false;
    };
    object.get("matcher").is_none()
        || string(&object, "matcher")
            .is_some_and(|matcher| matches!(matcher.as_str(), "" | "*" | ".*"))
}

/// The elements that call us for this agent.
pub(super) fn ours(agent: Agent, array: &CstArray) -> Vec<CstNode> {
    let mut elements = array.elements();
    elements.retain(|element| command(element).is_some_and(|command| is_ours(agent, &command)));
    elements
}

/// Returns whether a command runs countersign for this agent, by any path and with any arguments.
pub(super) fn is_ours(agent: Agent, command: &str) -> bool {
    command.contains("countersign") && command.contains(&format!(" hook {}", agent.name()))
}

/// The command that an element calls.
pub(super) fn command(element: &CstNode) -> Option<String> {
    string(&first_hook(element)?, "command")
}

fn first_hook(element: &CstNode) -> Option<CstObject> {
    element
        .as_object()?
        .array_value("hooks")?
        .elements()
        .first()?
        .as_object()
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
