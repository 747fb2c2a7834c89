//! An agent's settings with our gate in them, and without it.
//!
//! The files are JSON that people write by hand, with comments and an order of their own: only our entries come and go,
//! everything else stays as it is to the letter. opencode has no such entries; its gate is a file of its own.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use thiserror::Error;

use super::names::Agent;

/// How long the agents wait for a gate, in seconds; it answers a little before.
pub const TIMEOUT: u32 = 3600;

/// The plugin of opencode, but for the command.
const PLUGIN: &str = include_str!("../../../assets/hooks/opencode.js");

/// What is installed beside the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// The review of what was written by other means in a turn. Only Claude Code tells of its turns.
    Turns,
}

/// Why a gate cannot be put into settings.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SettingsError {
    /// The file is not JSON.
    #[error("the settings are not JSON: {0}")]
    NotJson(String),
    /// Something else stands where our entry would.
    #[error("`{0}` is not what hooks are written in")]
    Unexpected(&'static str),
}

/// An entry: the event, the tools that it is for, the command, and the longest time for it, in the agent's unit.
struct Entry {
    event: &'static str,
    /// The tools that are meant; an event that is about no tool has none.
    matcher: Option<String>,
    command: String,
    timeout: String,
}

/// The settings with our gate, called as `program` is, and with what is wanted beside it; an older one is replaced. The same text if it
/// is there already.
///
/// # Errors
///
/// [`SettingsError`] if the settings are not understood.
pub fn installed(
    agent: Agent,
    text: Option<&str>,
    program: &str,
    beside: Beside,
) -> Result<String, SettingsError> {
    if agent == Agent::Opencode {
        let command = format!("{program} hook opencode")
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        return Ok(PLUGIN.replace("@COMMAND@", &command));
    }
    let text = text.unwrap_or_default();
    let entries = entries(agent, program, beside);
    if is_same(text, agent, &entries)? {
        return Ok(text.to_owned());
    }
    let root = parse(&removed(agent, text)?)?;
    let unexpected = SettingsError::Unexpected;
    let top = root
        .object_value_or_create()
        .ok_or(unexpected("the file"))?;
    let hooks = top
        .object_value_or_create("hooks")
        .ok_or(unexpected("hooks"))?;
    for entry in entries {
        let array = hooks
            .array_value_or_create(entry.event)
            .ok_or(unexpected(entry.event))?;
        array.ensure_multiline();
        array.append(entry.value());
    }
    let text = root.to_string();
    Ok(if text.ends_with('\n') {
        text
    } else {
        text + "\n"
    })
}

/// The settings without our gate. What is empty after that goes too.
///
/// # Errors
///
/// [`SettingsError`] if the settings are not understood.
pub fn removed(agent: Agent, text: &str) -> Result<String, SettingsError> {
    if agent == Agent::Opencode {
        return Ok(String::new());
    }
    let root = parse(text)?;
    let Some(top) = root.object_value() else {
        return Ok(text.to_owned());
    };
    let Some(hooks) = top.object_value("hooks") else {
        return Ok(text.to_owned());
    };
    let mut found = false;
    for event in events(agent) {
        let Some(array) = hooks.array_value(event) else {
            continue;
        };
        let own = ours(agent, &array);
        let was_here = !own.is_empty();
        found |= was_here;
        own.into_iter().for_each(CstNode::remove);
        if was_here && array.elements().is_empty() {
            hooks.get(event).into_iter().for_each(CstObjectProp::remove);
        }
    }
    if found && hooks.properties().is_empty() {
        top.get("hooks").into_iter().for_each(CstObjectProp::remove);
    }
    Ok(root.to_string())
}

/// The commands of our gate that are installed; none if it is not.
pub fn commands(agent: Agent, text: &str) -> Vec<String> {
    if agent == Agent::Opencode {
        let command = text
            .lines()
            .find_map(|line| line.strip_prefix("const COMMAND = "));
        let command =
            command.and_then(|line| serde_json::from_str(line.trim_end_matches(';')).ok());
        return command
            .filter(|command: &String| is_ours(agent, command))
            .into_iter()
            .collect();
    }
    let arrays = || {
        let hooks = parse(text).ok()?.object_value()?.object_value("hooks")?;
        let arrays = events(agent)
            .iter()
            .filter_map(|event| hooks.array_value(event));
        Some(arrays.collect::<Vec<_>>())
    };
    let arrays = arrays().unwrap_or_default();
    let found = arrays.iter().flat_map(|array| ours(agent, array));
    found.filter_map(|element| command(&element)).collect()
}

/// Whether the review of turns is installed.
pub fn beside(agent: Agent, text: &str) -> Beside {
    if (commands(agent, text).iter()).any(|command| is_of_turns(command)) {
        Beside::Turns
    } else {
        Beside::Nothing
    }
}

/// Whether a command of ours is the review of turns, and not the gate.
pub fn is_of_turns(command: &str) -> bool {
    command.contains(" --stop")
}

fn entries(agent: Agent, program: &str, beside: Beside) -> Vec<Entry> {
    let unit = if agent == Agent::Gemini { 1000 } else { 1 };
    let gate = Entry {
        event: events(agent)[0],
        matcher: Some(agent.matcher()),
        command: format!("{program} hook {} || exit 2", agent.name()),
        timeout: (TIMEOUT * unit).to_string(),
    };
    let mut entries = vec![gate];
    match (agent, beside) {
        (Agent::Gemini, _) => entries.push(Entry {
            event: "AfterTool",
            matcher: Some(agent.matcher()),
            command: format!("{program} hook {}", agent.name()),
            timeout: (10 * unit).to_string(),
        }),
        // Exit code 2 would not let it stop.
        (Agent::Claude, Beside::Turns) => {
            entries.extend([("UserPromptSubmit", 60), ("Stop", TIMEOUT)].map(
                |(event, timeout)| Entry {
                    event,
                    matcher: None,
                    command: format!("{program} hook {} --stop", agent.name()),
                    timeout: timeout.to_string(),
                },
            ));
        }
        (_, _) => (),
    }
    entries
}

/// The gate's event first, then those at which a model is told more, or a turn begins and ends.
fn events(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::Claude => &["PreToolUse", "UserPromptSubmit", "Stop"],
        Agent::Codex => &["PreToolUse"],
        Agent::Gemini => &["BeforeTool", "AfterTool"],
        Agent::Opencode => &[],
    }
}

impl Entry {
    fn value(&self) -> CstInputValue {
        let text = |text: &str| CstInputValue::String(text.to_owned());
        let hook = [
            ("type", text("command")),
            ("command", text(&self.command)),
            ("timeout", CstInputValue::Number(self.timeout.clone())),
        ];
        let object = |fields: Vec<(&str, CstInputValue)>| {
            CstInputValue::Object(
                fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value))
                    .collect(),
            )
        };
        let hooks = ("hooks", CstInputValue::Array(vec![object(hook.into())]));
        let matcher = self.matcher.as_deref();
        let matcher = matcher.map(|matcher| ("matcher", text(matcher)));
        object(matcher.into_iter().chain([hooks]).collect())
    }

    fn is(&self, element: &CstNode) -> bool {
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

/// Whether our entries stand there already, once each and as they should.
fn is_same(text: &str, agent: Agent, entries: &[Entry]) -> Result<bool, SettingsError> {
    let root = parse(text)?;
    let hooks = root
        .object_value()
        .and_then(|top| top.object_value("hooks"));
    let Some(hooks) = hooks else {
        return Ok(false);
    };
    Ok(events(agent).iter().all(|event| {
        let array = hooks.array_value(event);
        let found = array.map(|array| ours(agent, &array)).unwrap_or_default();
        let wanted = entries.iter().find(|entry| entry.event == *event);
        match (found.as_slice(), wanted) {
            ([], None) => true,
            ([one], Some(entry)) => entry.is(one),
            (_, _) => false,
        }
    }))
}

fn parse(text: &str) -> Result<CstRootNode, SettingsError> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| SettingsError::NotJson(error.to_string()))
}

/// The elements that call our gate for this agent.
fn ours(agent: Agent, array: &CstArray) -> Vec<CstNode> {
    let mut elements = array.elements();
    elements.retain(|element| command(element).is_some_and(|command| is_ours(agent, &command)));
    elements
}

fn is_ours(agent: Agent, command: &str) -> bool {
    command.contains("countersign") && command.contains(&format!(" hook {}", agent.name()))
}

fn command(element: &CstNode) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What was there comes back to the letter, and what is there twice is there once.
    #[track_caller]
    fn check(agent: Agent, before: &str) {
        for with in [Beside::Nothing, Beside::Turns] {
            check_with(agent, before, with);
        }
    }

    #[track_caller]
    fn check_with(agent: Agent, before: &str, with: Beside) {
        let all = entries(agent, "countersign", with).len();
        let install = |text: &str, program| installed(agent, Some(text), program, with).unwrap();
        let after = install(before, "countersign");
        assert_eq!(commands(agent, &after).len(), all, "{after}");
        assert_eq!(install(&after, "countersign"), after);
        assert_eq!(removed(agent, &after).unwrap(), before, "{after}");
        let other = [Beside::Turns, Beside::Nothing][usize::from(with == Beside::Turns)];
        let changed = installed(agent, Some(&after), "countersign", other).unwrap();
        assert_eq!(removed(agent, &changed).unwrap(), before, "{changed}");
        assert_eq!(install(&changed, "countersign"), after, "{changed}");
        let moved = install(&after, "'/opt/countersign'");
        assert_eq!(commands(agent, &moved).len(), all, "{moved}");
        assert!(
            commands(agent, &moved)[0].starts_with("'/opt/countersign' hook"),
            "{moved}"
        );
    }

    #[test]
    fn what_is_not_ours_stays_as_it_is() {
        for agent in [Agent::Claude, Agent::Codex, Agent::Gemini] {
            check(agent, "{\n  \"model\": \"x\"\n}\n");
            check(
                agent,
                "{\n    // mine\n    \"model\": \"x\", // this one\n    \"list\": [1,2,\n 3]\n}\n",
            );
            check(
                agent,
                "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [{ \"type\": \"command\", \"command\": \"x\" }]\n      }\n    ]\n  }\n}\n",
            );
            check(
                agent,
                "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Notification\": []\n\t}\n}\n",
            );
        }
    }

    #[test]
    fn settings_that_are_not_understood_are_left_alone() {
        let install = |text| installed(Agent::Claude, Some(text), "countersign", Beside::Nothing);
        assert!(matches!(install("{"), Err(SettingsError::NotJson(_))));
        assert_eq!(install("[]"), Err(SettingsError::Unexpected("the file")));
        assert_eq!(
            install("{\"hooks\": 3}"),
            Err(SettingsError::Unexpected("hooks"))
        );
        assert_eq!(
            install("{\"hooks\": {\"PreToolUse\": {}}}"),
            Err(SettingsError::Unexpected("PreToolUse"))
        );
    }

    #[test]
    fn the_first_settings() {
        let text = installed(Agent::Codex, None, "countersign", Beside::Turns).unwrap();
        assert_eq!(
            text,
            "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"apply_patch|Edit|Write\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"countersign hook codex || exit 2\",\n            \"timeout\": 3600\n          }\n        ]\n      }\n    ]\n  }\n}\n"
        );
    }

    #[test]
    fn the_plugin_calls_what_it_is_told_to() {
        let text = installed(
            Agent::Opencode,
            None,
            "'/a \"b\"/countersign'",
            Beside::Nothing,
        )
        .unwrap();
        assert_eq!(
            commands(Agent::Opencode, &text),
            ["'/a \"b\"/countersign' hook opencode"]
        );
    }
}
