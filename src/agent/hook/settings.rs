//! An agent's settings with our gate in them, and without it.
//!
//! The files are JSON that people write by hand, with comments and an order of their own: only our entries come and go,
//! everything else stays as it is to the letter. Some clients have no such entries; their gate is a file of its own.

use std::collections::BTreeSet;

use jsonc_parser::cst::{CstArray, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;
use serde_json::Value;
use thiserror::Error;

use super::clients::Installed;
pub use super::entry::{Beside, NewGate, has_fallback, is_of_turns, wait_of};
use super::entry::{HookEntry, OwnHook, entries, events, is_ours, ours};
use super::names::Agent;
use crate::text::PLAIN_JSON;

/// The text that all plugins begin with, but for the command and the names of the client.
const PLUGIN: &str = include_str!("../../../assets/hooks/plugin.js");

/// Why a gate cannot be put into settings.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum HookSettingsError {
    /// The file is not JSON.
    #[error("the settings are not JSON: {0}")]
    NotJson(String),
    /// The settings have what the agent does not take, such as comments.
    #[error("{0} reads nothing of settings with comments or signs that it does not take: {1}")]
    NotTaken(Agent, String),
    /// The settings begin with a byte-order mark.
    #[error(
        "the file begins with a byte-order mark, and {0} is not known to read such settings: save it as UTF-8 without one"
    )]
    Marked(Agent),
    /// The settings have something else in the place of our entry.
    #[error("`{0}` is not what hooks are written in")]
    Unexpected(&'static str),
    /// The file is one of the user's own in the place of the gate.
    #[error(
        "this is a file of your own, and {0} would no longer run it: give it another name that {0} runs as well"
    )]
    NotOurs(Agent),
    /// An object on the way to our entry has a name twice.
    #[error(
        "`{0}` is there twice in one object, and agents differ in which of the two they read: keep one"
    )]
    Twice(String),
}

/// The settings with our gate; an older one is replaced. The same text if it is there already.
///
/// # Errors
///
/// [`HookSettingsError`] if the settings are not understood.
pub fn installed(
    agent: Agent,
    text: Option<&str>,
    gate: NewGate<'_>,
) -> Result<String, HookSettingsError> {
    if agent.has_plugin()
        && let Some(text) = text.filter(|text| !text.trim().is_empty())
        && found_commands(agent, text)?.is_empty()
    {
        return Err(HookSettingsError::NotOurs(agent));
    }
    if let Installed::Script(own) = agent.profile().installed {
        let command = gate.command(agent);
        return Ok(own
            .replace("@NAME@", agent.name())
            .replace("@TITLE@", agent.title())
            .replace("@COMMAND@", &command));
    }
    if let Installed::Plugin(own) = agent.profile().installed {
        let command = (gate.command(agent))
            .replace('\\', "\\\\")
            .replace('"', "\\\"");
        let plugin = PLUGIN
            .replace("@NAME@", agent.name())
            .replace("@TITLE@", agent.title())
            .replace("@COMMAND@", &command);
        return Ok(plugin + own);
    }
    let text = text.unwrap_or_default();
    let entries = entries(agent, gate);
    check_syntax(agent, text)?;
    if is_same(text, agent, &entries)? {
        return Ok(text.to_owned());
    }
    let removed = removed(agent, text)?;
    let root = parse(agent, &removed)?;
    let unexpected = HookSettingsError::Unexpected;
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
    let text = format!("{}{root}", split_mark(&removed).0);
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
/// [`HookSettingsError`] if the settings are not understood.
pub fn removed(agent: Agent, text: &str) -> Result<String, HookSettingsError> {
    if agent.has_plugin() {
        return Ok(String::new());
    }
    let root = parse(agent, text)?;
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
        own.into_iter().for_each(OwnHook::remove);
        if was_here && array.elements().is_empty() {
            hooks.get(event).into_iter().for_each(CstObjectProp::remove);
        }
    }
    if found && hooks.properties().is_empty() {
        top.get("hooks").into_iter().for_each(CstObjectProp::remove);
    }
    Ok(format!("{}{root}", split_mark(text).0))
}

/// Returns whether the client calls our gate for every tool.
pub fn is_for_every_tool(agent: Agent, text: &str) -> bool {
    let Installed::Entries { before, .. } = agent.profile().installed else {
        return true;
    };
    gates(agent, text, before)
        .iter()
        .any(OwnHook::is_for_all_tools)
}

/// Returns why the client may go on before our gate has answered: the timeout in its settings.
pub fn short_timeout(agent: Agent, text: &str) -> Option<String> {
    let Installed::Entries { before, second, .. } = agent.profile().installed else {
        return None;
    };
    let gates = gates(agent, text, before);
    gates
        .iter()
        .find_map(|gate| gate.short_timeout(agent, second))
}

/// Returns our gates in the settings.
fn gates(agent: Agent, text: &str, event: &str) -> Vec<OwnHook> {
    let hooks = parse(agent, text)
        .ok()
        .and_then(|root| root.object_value()?.object_value("hooks"));
    let gates = hooks.and_then(|hooks| hooks.array_value(event));
    gates.map(|gates| ours(agent, &gates)).unwrap_or_default()
}

/// The commands of our gate that the client reads; none if it is not installed, or if the client does not read the settings.
pub fn commands(agent: Agent, text: &str) -> Vec<String> {
    let found = check_syntax(agent, text).and_then(|()| found_commands(agent, text));
    found.unwrap_or_default()
}

/// Checks that the client takes the form of the settings. A file without anything is not there for it.
///
/// # Errors
///
/// [`HookSettingsError::NotTaken`] if it would read nothing of them, [`HookSettingsError::NotJson`] if nobody would.
pub fn check_syntax(agent: Agent, text: &str) -> Result<(), HookSettingsError> {
    let Installed::Entries { syntax, .. } = agent.profile().installed else {
        return Ok(());
    };
    let (mark, text) = split_mark(text);
    if !mark.is_empty() && !syntax.mark {
        return Err(HookSettingsError::Marked(agent));
    }
    if text.trim().is_empty() {
        return Ok(());
    }
    parse_any(text)?;
    let why = if !syntax.comments && !syntax.last_commas {
        serde_json::from_str::<IgnoredAny>(text)
            .err()
            .map(|error| error.to_string())
    } else {
        let options = ParseOptions {
            allow_comments: syntax.comments,
            allow_trailing_commas: syntax.last_commas,
            ..PLAIN_JSON
        };
        (CstRootNode::parse(text, &options).err()).map(|error| error.to_string())
    };
    why.map_or(Ok(()), |why| Err(HookSettingsError::NotTaken(agent, why)))
}

/// The commands of our gate that are installed; none if it is not.
///
/// # Errors
///
/// [`HookSettingsError`] if the settings are not understood: then there may be a gate in them, and may be none.
pub fn found_commands(agent: Agent, text: &str) -> Result<Vec<String>, HookSettingsError> {
    if let Installed::Script(_) = agent.profile().installed {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let command = lines.find(|line| is_ours(agent, line));
        return Ok(command.map(str::to_owned).into_iter().collect());
    }
    if agent.has_plugin() {
        let command = text
            .lines()
            .find_map(|line| line.strip_prefix("const COMMAND = "));
        let command =
            command.and_then(|line| serde_json::from_str(line.trim_end_matches(';')).ok());
        let command = command.filter(|command: &String| is_ours(agent, command));
        return Ok(command.into_iter().collect());
    }
    let top = parse(agent, text)?.object_value();
    let Some(hooks) = top.and_then(|top| top.object_value("hooks")) else {
        return Ok(Vec::new());
    };
    let events = events(agent).into_iter();
    let arrays: Vec<_> = events
        .filter_map(|event| hooks.array_value(event))
        .collect();
    let found = arrays.iter().flat_map(|array| ours(agent, array));
    Ok(found.map(|hook| hook.command).collect())
}

/// Returns the commands of other hooks that the client calls before a tool: they may change its call after the gate. None in settings
/// that are not understood.
pub fn other_commands(agent: Agent, text: &str) -> Vec<String> {
    let Installed::Entries { before, .. } = agent.profile().installed else {
        return Vec::new();
    };
    let parsed = parse_to_ast(
        split_mark(text).1,
        &CollectOptions::default(),
        &ParseOptions::default(),
    );
    let settings = parsed.ok().and_then(|parsed| parsed.value);
    let settings = settings.map(Value::from).unwrap_or_default();
    let hooks = settings.get("hooks").unwrap_or(&settings);
    let mut left: Vec<&Value> = hooks.get(before).into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(value) = left.pop() {
        match value {
            Value::Array(list) => left.extend(list),
            Value::Object(fields) => {
                left.extend(fields.get("hooks"));
                let commands = ["command", "bash", "powershell"].map(|name| fields.get(name));
                found.extend(commands.into_iter().flatten().filter_map(Value::as_str));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    let others = found.into_iter().filter(|command| !is_ours(agent, command));
    others.map(str::to_owned).collect()
}

/// Returns whether the review of turns is installed.
pub fn turn_review(agent: Agent, text: &str) -> Beside {
    if (commands(agent, text).iter()).any(|command| is_of_turns(command)) {
        Beside::Turns
    } else {
        Beside::Nothing
    }
}

/// Returns whether our entries are installed already, once each and as they should be.
fn is_same(text: &str, agent: Agent, entries: &[HookEntry]) -> Result<bool, HookSettingsError> {
    let root = parse(agent, text)?;
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
            ([one], Some(entry)) => one.is(entry),
            (_, _) => false,
        }
    }))
}

/// Parses settings in which the way to our entries is clear.
fn parse(agent: Agent, text: &str) -> Result<CstRootNode, HookSettingsError> {
    let root = parse_any(split_mark(text).1)?;
    let Some(top) = root.object_value() else {
        return Ok(root);
    };
    has_once(&top, |name| name == "hooks")?;
    let Some(hooks) = top.object_value("hooks") else {
        return Ok(root);
    };
    let events = events(agent);
    has_once(&hooks, |name| events.contains(&name))?;
    let arrays = events.iter().filter_map(|event| hooks.array_value(event));
    for element in arrays.flat_map(|array| array.elements()) {
        let Some(element) = element.as_object() else {
            continue;
        };
        has_once(&element, |_| true)?;
        let own = element.array_value("hooks");
        for hook in own.iter().flat_map(CstArray::elements) {
            hook.as_object()
                .map_or(Ok(()), |hook| has_once(&hook, |_| true))?;
        }
    }
    Ok(root)
}

/// Splits a byte-order mark off the beginning of a text.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches('\u{feff}').len())
}

/// Parses settings in any form that a client may take.
fn parse_any(text: &str) -> Result<CstRootNode, HookSettingsError> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| HookSettingsError::NotJson(error.to_string()))
}

/// Checks that an object has no name twice that matters.
fn has_once(object: &CstObject, matters: impl Fn(&str) -> bool) -> Result<(), HookSettingsError> {
    let mut seen = BTreeSet::new();
    for name in object
        .properties()
        .iter()
        .filter_map(CstObjectProp::decoded_name)
    {
        if matters(&name) && !seen.insert(name.clone()) {
            return Err(HookSettingsError::Twice(name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings with a gate that has no wait of its own.
    fn installed(
        agent: Agent,
        text: Option<&str>,
        program: &str,
        beside: Beside,
    ) -> Result<String, HookSettingsError> {
        let gate = NewGate {
            program,
            wait: None,
            beside,
        };
        super::installed(agent, text, gate)
    }

    #[test]
    fn a_timeout_that_ends_before_the_wait_is_found() {
        let check = |agent, old: &str, new: &str, expected: Option<&str>| {
            let gate = installed(agent, None, "countersign", Beside::Nothing).unwrap();
            let text = gate.replacen(old, new, 1);
            assert_eq!(short_timeout(agent, &text).as_deref(), expected, "{text}");
        };
        for agent in Agent::ALL {
            check(agent, "", "", None);
        }
        let claude = |new, expected| check(Agent::Claude, "3600", new, expected);
        claude("3550", None);
        claude(
            "3549",
            Some("its `timeout` is 3549, and it may wait for 3540 s"),
        );
        claude("5", Some("its `timeout` is 5, and it may wait for 3540 s"));
        claude(
            "\"3600\"",
            Some("its `timeout` is \"3600\", and it may wait for 3540 s"),
        );
        let own = "\"timeout\": 3600";
        let none = "there is no `timeout` beside it, so the client's own counts";
        check(Agent::Claude, own, "\"x\": 1", Some(none));
        // The wait is never longer than the client's own limit, whatever the command has.
        check(
            Agent::Claude,
            "hook claude",
            "hook claude --wait 7200",
            None,
        );
        let short = "its `timeout` is 3600, and it may wait for 3540 s";
        check(Agent::Gemini, "3600000", "3600", Some(short));
    }

    #[test]
    fn a_gate_with_a_wait_of_its_own_comes_and_goes() {
        for agent in Agent::ALL {
            let gate = NewGate {
                program: "countersign",
                wait: Some(90),
                beside: Beside::Nothing,
            };
            let text = super::installed(agent, None, gate).unwrap();
            let found = commands(agent, &text);
            assert_eq!(wait_of(&found[0]), Some(90.0), "{text}");
            assert_eq!(short_timeout(agent, &text), None);
            let again = super::installed(agent, Some(&text), gate).unwrap();
            assert_eq!(again, text);
        }
    }

    #[test]
    fn a_gate_for_some_tools_only_is_found() {
        let check = |agent, event: &str, matcher: &str, expected| {
            let own = format!(
                "\"hooks\": [{{\"command\": \"countersign hook {}\"}}]",
                Agent::name(agent)
            );
            let text = format!("{{\"hooks\": {{\"{event}\": [{{{matcher}{own}}}]}}}}");
            assert_eq!(is_for_every_tool(agent, &text), expected, "{text}");
        };
        for (matcher, expected) in [
            ("", true),
            ("\"matcher\": \"\",", true),
            ("\"matcher\": \"*\",", true),
            ("\"matcher\": \".*\",", true),
            ("\"matcher\": \"Edit|Write\",", false),
            ("\"matcher\": [\"Edit\"],", false),
        ] {
            check(Agent::Claude, "PreToolUse", matcher, expected);
            check(Agent::Gemini, "BeforeTool", matcher, expected);
        }
        check(Agent::Claude, "PostToolUse", "", false);
        for agent in Agent::ALL {
            let text = installed(agent, None, "countersign", Beside::Nothing).unwrap();
            assert!(is_for_every_tool(agent, &text), "{agent}");
        }
    }

    /// Checks that installing twice gives one entry, and that removing restores the text exactly.
    #[track_caller]
    fn check(agent: Agent, before: &str) {
        for with in [Beside::Nothing, Beside::Turns] {
            check_with(agent, before, with);
        }
    }

    #[track_caller]
    fn check_with(agent: Agent, before: &str, with: Beside) {
        let all = entries(
            agent,
            NewGate {
                program: "countersign",
                wait: None,
                beside: with,
            },
        )
        .len();
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
        for agent in Agent::ALL {
            if agent.has_plugin() {
                continue;
            }
            check(agent, "{\n  \"model\": \"x\"\n}\n");
            let commented =
                "{\n    // mine\n    \"model\": \"x\", // this one\n    \"list\": [1,2,\n 3]\n}\n";
            if check_syntax(agent, commented).is_ok() {
                check(agent, commented);
            }
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
        assert!(matches!(install("{"), Err(HookSettingsError::NotJson(_))));
        assert_eq!(
            install("[]"),
            Err(HookSettingsError::Unexpected("the file"))
        );
        assert_eq!(
            install("{\"hooks\": 3}"),
            Err(HookSettingsError::Unexpected("hooks"))
        );
        assert_eq!(
            install("{\"hooks\": {\"PreToolUse\": {}}}"),
            Err(HookSettingsError::Unexpected("PreToolUse"))
        );
    }

    #[test]
    fn a_byte_order_mark_stays() {
        for agent in Agent::ALL.into_iter().filter(|agent| !agent.has_plugin()) {
            let text = "\u{feff}{\n  \"model\": \"x\"\n}\n";
            if agent == Agent::Claude {
                check(agent, text);
            } else {
                let install = installed(agent, Some(text), "countersign", Beside::Nothing);
                assert_eq!(install, Err(HookSettingsError::Marked(agent)));
            }
            let gate = installed(agent, None, "countersign", Beside::Nothing).unwrap();
            let marked = format!("\u{feff}{gate}");
            assert!(!found_commands(agent, &marked).unwrap().is_empty());
            assert_eq!(removed(agent, &marked).unwrap(), "\u{feff}{}\n");
        }
    }

    #[test]
    fn hooks_of_the_user_in_our_entries_stay() {
        let own =
            "{\n            \"type\": \"command\",\n            \"command\": \"mine\"\n          }";
        for agent in Agent::ALL.into_iter().filter(|agent| !agent.has_plugin()) {
            let gate = installed(agent, None, "countersign", Beside::Nothing).unwrap();
            for (from, to) in [
                (
                    "\"hooks\": [\n          {",
                    format!("\"hooks\": [\n          {own},\n          {{"),
                ),
                ("}\n        ]", format!("}},\n          {own}\n        ]")),
            ] {
                let with = gate.replacen(from, &to, 1);
                assert_ne!(with, gate, "{agent}");
                let count = found_commands(agent, &with).unwrap().len();
                assert_eq!(count, found_commands(agent, &gate).unwrap().len(), "{with}");
                let without = removed(agent, &with).unwrap();
                assert!(
                    without.contains("mine") && found_commands(agent, &without).unwrap().is_empty(),
                    "{without}"
                );
                let moved = installed(agent, Some(&with), "'/opt/x'", Beside::Nothing).unwrap();
                assert!(moved.contains("mine"), "{moved}");
                assert_eq!(
                    found_commands(agent, &moved).unwrap().len(),
                    count,
                    "{moved}"
                );
                let again = installed(agent, Some(&with), "countersign", Beside::Nothing).unwrap();
                assert_eq!(again, with);
            }
        }
    }

    #[test]
    fn settings_that_the_client_would_drop_are_refused() {
        let takes = |text: &str| {
            let all = Agent::ALL.into_iter().filter(|agent| !agent.has_plugin());
            let taken = all.filter(|&agent| {
                let install = installed(agent, Some(text), "countersign", Beside::Nothing);
                assert_eq!(
                    install.is_ok(),
                    check_syntax(agent, text).is_ok(),
                    "{agent}"
                );
                // Nothing hides a gate that is to be taken out.
                assert!(removed(agent, text).is_ok(), "{agent}");
                install.is_ok()
            });
            taken.map(Agent::name).collect::<Vec<_>>()
        };
        let all = ["claude", "codex", "copilot", "droid", "gemini", "qwen"];
        assert_eq!(takes("{\"a\": [1, -0.5e3, null, \"\\u0061\"]}"), all);
        assert_eq!(takes(""), all);
        for commented in ["// mine\n{}", "{/* mine */}"] {
            assert_eq!(takes(commented), ["droid", "gemini", "qwen"], "{commented}");
        }
        for comma in ["{\"a\": 1,}", "{\"a\": [1,]}"] {
            assert_eq!(takes(comma), ["droid"], "{comma}");
        }
        for loose in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\": 0x1}",
            "{\"a\": 1 \"b\": 2}",
            "{\"a\": NaN}",
        ] {
            assert_eq!(takes(loose), [""; 0], "{loose}");
        }
        let gate = installed(Agent::Codex, None, "countersign", Beside::Nothing).unwrap();
        let commented = format!("// mine\n{gate}");
        assert_eq!(commands(Agent::Codex, &commented), [""; 0]);
        assert_eq!(found_commands(Agent::Codex, &commented).unwrap().len(), 1);
        assert_eq!(removed(Agent::Codex, &commented).unwrap(), "// mine\n{}\n");
    }

    #[test]
    fn a_name_that_is_there_twice_is_refused() {
        let ours = "{\"hooks\": [{\"command\": \"countersign hook claude\"}]}";
        for (text, name) in [
            (format!("{{\"hooks\": {{\"PreToolUse\": [{ours}]}}, \"hooks\": {{}}}}"), "hooks"),
            (format!("{{\"hooks\": {{}}, \"h\\u006foks\": {{\"PreToolUse\": [{ours}]}}}}"), "hooks"),
            (format!("{{\"hooks\": {{\"PreToolUse\": [{ours}], \"PreToolUse\": []}}}}"), "PreToolUse"),
            ("{\"hooks\": {\"PreToolUse\": [{\"hooks\": [], \"hooks\": []}]}}".to_owned(), "hooks"),
            (
                "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"a\", \"command\": \"b\"}]}]}}".to_owned(),
                "command",
            ),
        ] {
            let twice = || HookSettingsError::Twice(name.to_owned());
            let install = installed(Agent::Claude, Some(&text), "countersign", Beside::Nothing);
            assert_eq!(install, Err(twice()), "{text}");
            assert_eq!(removed(Agent::Claude, &text), Err(twice()), "{text}");
            assert_eq!(found_commands(Agent::Claude, &text), Err(twice()), "{text}");
            assert_eq!(commands(Agent::Claude, &text), [""; 0], "{text}");
        }
        // What is not on the way to our entries is none of our business.
        let other = "{\"env\": {}, \"env\": {}, \"hooks\": {\"Stopped\": [], \"Stopped\": []}}";
        installed(Agent::Claude, Some(other), "countersign", Beside::Nothing).unwrap();
    }

    #[test]
    fn the_first_settings() {
        let text = installed(Agent::Codex, None, "countersign", Beside::Turns).unwrap();
        assert_eq!(
            text,
            "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \".*\",\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"countersign hook codex || sh -c \\\"cat >/dev/null; echo 'countersign failed: nothing may be written' >&2; exit 2\\\" || exit 2\",\n            \"timeout\": 3600\n          }\n        ]\n      }\n    ]\n  }\n}\n"
        );
    }

    #[test]
    fn a_file_of_the_user_in_the_place_of_a_plugin_is_refused() {
        for agent in [Agent::Cline, Agent::Kilo, Agent::Opencode, Agent::Pi] {
            let install = |text| installed(agent, Some(text), "countersign", Beside::Nothing);
            for own in ["#!/bin/sh\nexec my-guard\n", "export default () => {};\n"] {
                assert_eq!(install(own), Err(HookSettingsError::NotOurs(agent)));
            }
            let earlier = installed(agent, None, "'/opt/countersign'", Beside::Nothing).unwrap();
            for replaced in ["", &earlier] {
                assert!(install(replaced).unwrap().contains(agent.name()));
            }
        }
    }

    #[test]
    fn plugins_call_the_command_that_is_installed() {
        for agent in [Agent::Cline, Agent::Kilo, Agent::Opencode, Agent::Pi] {
            let program = "'/a \"b\"/countersign'";
            let text = installed(agent, None, program, Beside::Nothing).unwrap();
            let command = format!("{program} hook {}", agent.name());
            let found = commands(agent, &text);
            // The command of a script has its fallback with it.
            let is_script = agent == Agent::Cline;
            assert!(
                found.iter().all(|found| (*found == command) != is_script),
                "{found:?}"
            );
            assert!(
                matches!(found.as_slice(), [one] if one.starts_with(&command)),
                "{found:?}"
            );
            for placeholder in ["@COMMAND@", "@NAME@", "@TITLE@"] {
                assert!(!text.contains(placeholder), "{text}");
            }
        }
    }
}
