//! Claude Code 2.1.

use std::collections::BTreeMap;
use std::io;
use std::process::Command;

use serde_json::json;

use super::super::switches::SettingsOwner::{Local, Managed, Project, User};
use super::super::switches::is_set;
use super::super::switches::{SettingsText, first, json_layers};
use super::client_trait::ClientTrait;
use super::profile::SettingsSource::{At, Beside, Parts};
use super::profile::{
    GateFile, HookFormat, Installed, Launch, Profile, SETTINGS, SNAKE_CASE, START, SettingsScope,
    SettingsSyntax, ToolKind, on_this_system,
};

/// Settings of an administrator: the folder of those that are in parts, and one file.
const MANAGED: [&str; 2] = [
    on_this_system(
        "/etc/claude-code",
        "/Library/Application Support/ClaudeCode",
    ),
    on_this_system(
        "/etc/claude-code/managed-settings.json",
        "/Library/Application Support/ClaudeCode/managed-settings.json",
    ),
];

pub(in crate::agent::hook) const CLAUDE: Profile = Profile {
    name: "claude",
    title: "Claude Code",
    tools: &[
        ("Edit", ToolKind::Replace),
        ("MultiEdit", ToolKind::ReplaceSeveral),
        ("Write", ToolKind::Write),
        ("NotebookEdit", ToolKind::Notebook),
    ],
    readers: &["Read"],
    harmless: &[
        "Agent",
        "AskUserQuestion",
        "BashOutput",
        "CronCreate",
        "CronDelete",
        "CronList",
        "EnterPlanMode",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillBash",
        "KillShell",
        "LS",
        "LSP",
        "ListMcpResourcesTool",
        "NotebookRead",
        "ReadMcpResourceTool",
        "SendMessage",
        "Skill",
        "SlashCommand",
        "Task",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "TaskUpdate",
        "TodoRead",
        "TodoWrite",
        "ToolSearch",
        "WebFetch",
        "WebSearch",
    ],
    shells: &["Bash"],
    fields: SNAKE_CASE,
    form: HookFormat::PreToolUse,
    traits: &[ClientTrait::FillsEmptyFiles, ClientTrait::RemovesWholeLines],
    installed: Installed::Entries {
        before: "PreToolUse",
        after: Some("PostToolUse"),
        turns: Some(["UserPromptSubmit", "Stop"]),
        second: 1,
        // It refuses comments: <https://github.com/anthropics/claude-code/issues/83190>
        // It takes a byte-order mark: <https://github.com/anthropics/claude-code/issues/81355>
        syntax: SettingsSyntax {
            mark: true,
            ..SettingsSyntax::PLAIN
        },
    },
    place: GateFile {
        project: ".claude/settings.json",
        folder: ("CLAUDE_CONFIG_DIR", ".claude"),
        user: "settings.json",
        usual: SettingsScope::Project,
    },
    remembers_names: true,
    sources: &[
        (Managed, Parts(MANAGED[0])),
        (Managed, At(MANAGED[1])),
        (Local, Beside(SettingsScope::Project, "settings.local.json")),
        (Project, Beside(SettingsScope::Project, "settings.json")),
        (User, Beside(SettingsScope::User, "settings.json")),
    ],
    replaced_by: &[],
    hook_folders: (&[], &[]),
    switched_off: |layers, _| switched_off(layers),
    variables: &[
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CODE_SAFE_MODE",
        "CLAUDE_CODE_RESTRICTED",
    ],
    variable_files: &[],
    project_variables: &[],
    is_on: is_set,
    flags: &[
        "--bare",
        "--restricted",
        "--safe-mode",
        "--settings (with hooks switched off)",
        "--setting-sources (without this scope)",
    ],
    next_step: START,
    advice: SETTINGS,
    start,
};

fn switched_off(layers: &[SettingsText<'_>]) -> Vec<String> {
    let layers = json_layers(layers);
    let mut found = Vec::new();
    if let Some(value) = first(&layers, &["disableAllHooks"])
        && !matches!(value.as_str(), "false" | "null")
    {
        found.push(format!("disableAllHooks: {value}"));
    }
    let managed = layers.iter().filter(|(layer, _)| *layer == Managed);
    let managed: Vec<_> = managed.cloned().collect();
    if first(&managed, &["allowManagedHooksOnly"]).as_deref() == Some("true") {
        found.push("allowManagedHooksOnly: true (managed)".to_owned());
    }
    // An invalid value counts as `true`.
    if let Some(value) = first(&managed, &["strictPluginOnlyCustomization"])
        && value != "false"
        && (!value.starts_with('[') || value.contains("\"hooks\""))
    {
        found.push(format!("strictPluginOnlyCustomization: {value} (managed)"));
    }
    found
}

#[allow(clippy::unnecessary_wraps, reason = "the form of all clients")]
fn start(launch: Launch<'_>, command: &mut Command) -> io::Result<()> {
    let variables = [
        ("ANTHROPIC_BASE_URL", launch.address),
        ("ANTHROPIC_API_KEY", launch.key),
        ("ANTHROPIC_AUTH_TOKEN", ""),
        ("CLAUDE_CODE_USE_BEDROCK", ""),
        ("CLAUDE_CODE_USE_FOUNDRY", ""),
        ("CLAUDE_CODE_USE_VERTEX", ""),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
    ];
    // Its settings may set variables as well; those of the command line override them.
    let settings = json!({"env": variables.iter().copied().collect::<BTreeMap<_, _>>()});
    command
        .envs(variables)
        .args(["--print", launch.prompt, "--no-session-persistence"])
        .args(["--permission-mode", "acceptEdits"])
        .args(["--settings", &settings.to_string()]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::switches::SettingsOwner::{Local, Managed, Project, User};
    use super::super::super::switches::{SettingsOwner, check_switches};
    use super::CLAUDE;

    #[track_caller]
    fn check(layers: &[(SettingsOwner, &str)], expected: &[&str]) {
        check_switches(CLAUDE.switched_off, layers, expected);
    }

    #[test]
    fn settings_that_switch_the_gate_off() {
        let off = "disableAllHooks: true";
        check(&[], &[]);
        check(&[(Project, "{\"disableAllHooks\": true}")], &[off]);
        check(&[(User, "{/*x*/\"disableAllHooks\": true,}")], &[off]);
        check(&[(User, "{\"disableAllHooks\": false}")], &[]);
        let twice = "{\"disableAllHooks\": false, \"disableAllHooks\": true}";
        check(&[(User, twice)], &[off]);
        let local = (Local, "{\"disableAllHooks\": false}");
        check(&[local, (User, "{\"disableAllHooks\": true}")], &[]);
        let only = "{\"allowManagedHooksOnly\": true}";
        check(
            &[(Managed, only)],
            &["allowManagedHooksOnly: true (managed)"],
        );
        check(&[(User, only)], &[]);
        for (value, is_off) in [
            ("true", true),
            ("false", false),
            ("[\"skills\", \"hooks\"]", true),
            ("[\"skills\"]", false),
            ("\"x\"", true),
        ] {
            let strict = format!("{{\"strictPluginOnlyCustomization\": {value}}}");
            let off = format!("strictPluginOnlyCustomization: {value} (managed)");
            let expected = if is_off { vec![off.as_str()] } else { vec![] };
            check(&[(Managed, &strict)], &expected);
            check(&[(User, &strict)], &[]);
        }
    }
}
