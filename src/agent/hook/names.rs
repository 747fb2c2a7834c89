//! Agents that have a gate. What differs between them is in the table of [`clients`](super::clients).

use std::fmt;
use std::time::Duration;

#[cfg(feature = "mcp")]
use serde_json::{Value, json};

use super::clients::{
    CLAUDE, CLINE, CODEX, COPILOT, ClientTrait, DROID, Fields, GEMINI, GateFile, HookFormat,
    Installed, KILO, OPENCODE, PI, Profile, QWEN, SettingsSource, ToolKind,
};
use super::switches::{Gate, SettingsOwner, SettingsText, value};

/// Timeout of an installed gate in seconds; the gate answers a little before.
pub(super) const TIMEOUT: u32 = 3600;
/// The longest wait of a gate for a decision, in seconds.
const LONGEST_WAIT: u32 = TIMEOUT - 60;

/// An agent that calls a hook before it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Cline CLI.
    Cline,
    /// Codex.
    Codex,
    /// GitHub Copilot CLI.
    Copilot,
    /// Factory Droid.
    Droid,
    /// Gemini CLI.
    Gemini,
    /// Kilo CLI.
    Kilo,
    /// opencode.
    Opencode,
    /// Pi.
    Pi,
    /// Qwen Code.
    Qwen,
}

impl Agent {
    /// All agents.
    pub const ALL: [Self; 10] = [
        Self::Claude,
        Self::Cline,
        Self::Codex,
        Self::Copilot,
        Self::Droid,
        Self::Gemini,
        Self::Kilo,
        Self::Opencode,
        Self::Pi,
        Self::Qwen,
    ];

    /// Returns true if the client has a trait.
    pub(super) fn has(self, wanted: ClientTrait) -> bool {
        self.profile().traits.contains(&wanted)
    }

    /// Returns its row of the table.
    pub(in crate::agent) fn profile(self) -> &'static Profile {
        match self {
            Self::Claude => &CLAUDE,
            Self::Cline => &CLINE,
            Self::Codex => &CODEX,
            Self::Copilot => &COPILOT,
            Self::Droid => &DROID,
            Self::Gemini => &GEMINI,
            Self::Kilo => &KILO,
            Self::Opencode => &OPENCODE,
            Self::Pi => &PI,
            Self::Qwen => &QWEN,
        }
    }

    /// Returns the agent of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// The name that commands and proposals know it by.
    pub fn name(self) -> &'static str {
        self.profile().name
    }

    /// The name that its makers gave it.
    pub fn title(self) -> &'static str {
        self.profile().title
    }

    /// The file that its gate is installed in.
    pub fn place(self) -> GateFile {
        self.profile().place
    }

    /// Returns whether its gate is a file of its own, and not an entry in its settings.
    pub fn has_plugin(self) -> bool {
        match self.profile().installed {
            Installed::Plugin(_) | Installed::Script(_) => true,
            Installed::Entries { .. } => false,
        }
    }

    /// Returns whether it has hooks for turns.
    pub fn has_turns(self) -> bool {
        let installed = self.profile().installed;
        matches!(installed, Installed::Entries { turns: Some(_), .. })
    }

    /// The events before and after a tool in the hooks of its settings; none for a gate that is a file of its own.
    pub fn events(self) -> Vec<&'static str> {
        match self.profile().installed {
            Installed::Entries { before, after, .. } => [before].into_iter().chain(after).collect(),
            Installed::Plugin(_) | Installed::Script(_) => Vec::new(),
        }
    }

    /// The settings files that it reads, the one that overrides the others first.
    pub fn sources(self) -> &'static [(SettingsOwner, SettingsSource)] {
        self.profile().sources
    }

    /// Returns the settings that keep a gate from being called, as a person would find them in the file.
    pub fn switched_off(self, layers: &[SettingsText<'_>], gate: Gate<'_>) -> Vec<String> {
        let mut found = (self.profile().switched_off)(layers, gate);
        for name in self.variables() {
            let value = value(layers, &["env", name]);
            if let Some(value) = value.filter(|value| self.is_on(name, value.trim_matches('"'))) {
                found.push(format!("env.{name}: {value}"));
            }
        }
        found
    }

    /// The files of variables that it reads from the project, from the folders above it, and from the user's home.
    pub fn variable_files(self) -> &'static [&'static str] {
        self.profile().variable_files
    }

    /// The files beside the one that has the gate whose hooks for an event it calls in place of those. It reads the first that exists.
    pub fn replaced_by(self) -> &'static [&'static str] {
        self.profile().replaced_by
    }

    /// The folders with its own hooks, from the project, and from the user's home, where one of them may change the arguments of a call
    /// after the gate.
    pub fn hook_folders(self) -> (&'static [&'static str], &'static [&'static str]) {
        self.profile().hook_folders
    }

    /// The environment variables that keep it from calling its hooks, if they are set.
    pub fn variables(self) -> &'static [&'static str] {
        self.profile().variables
    }

    /// The environment variables that keep it from calling the hooks of a project, if they are set.
    pub fn project_variables(self) -> &'static [&'static str] {
        self.profile().project_variables
    }

    /// Returns `true` if a variable of this name is switched on by this value.
    pub fn is_on(self, name: &str, value: &str) -> bool {
        (self.profile().is_on)(name, value)
    }

    /// The options with which it calls no hooks at all.
    pub fn flags(self) -> &'static [&'static str] {
        self.profile().flags
    }

    /// The next step for the person after the gate is installed.
    pub fn next_step(self) -> &'static str {
        self.profile().next_step
    }

    /// Advice for the person where it does not call its gate.
    pub fn advice(self) -> &'static str {
        self.profile().advice
    }

    /// Returns whether a hook can replace the arguments of a call. Where it cannot, countersign writes what a person changed.
    pub fn takes_amended_input(self) -> bool {
        self != Self::Qwen
    }

    /// Returns whether a denial ends the turn of the agent. Its tools refuse a call without arguments; then it goes on.
    pub fn ends_turn_when_denied(self) -> bool {
        self.form() == HookFormat::Cline
    }

    /// Returns the longest wait of the gate for a decision. The client lets the call pass soon after that: at its own limit, or at the
    /// timeout that an installation writes.
    pub fn longest_wait(self) -> Duration {
        // Cline waits for 120 seconds, and has no setting for it.
        let seconds = if self.hurries() { 110 } else { LONGEST_WAIT };
        Duration::from_secs(seconds.into())
    }

    /// Returns whether the client itself limits the time for a decision, to less than a person may need.
    pub fn hurries(self) -> bool {
        self == Self::Cline
    }

    /// Returns whether the model gets the reason of a denial by the exit code from standard output, and not from standard error.
    pub fn reads_reason_from_output(self) -> bool {
        self == Self::Copilot
    }

    /// Returns whether a message to the model is delivered by a hook after the tool, because the one before it cannot.
    pub fn takes_notes_afterwards(self) -> bool {
        matches!(self, Self::Droid | Self::Gemini | Self::Qwen)
    }

    /// Returns true if the client skips system settings that others than root own or may write.
    pub fn skips_system_files_of_others(self) -> bool {
        self.has(ClientTrait::SkipsSystemFilesOfOthers)
    }

    /// Returns what a tool does; `None` if it does not write, or is not known.
    pub(super) fn tool(self, name: &str) -> Option<ToolKind> {
        let mut tools = self.profile().tools.iter();
        tools.find(|(tool, _)| *tool == name).map(|&(_, kind)| kind)
    }

    /// Returns whether a tool reads a file, and nothing else.
    pub(super) fn is_reader(self, name: &str) -> bool {
        self.profile().readers.contains(&name)
    }

    /// Returns whether a tool is one of the client's own that write no files of the project.
    pub(super) fn is_harmless(self, name: &str) -> bool {
        self.is_reader(name) || self.profile().harmless.contains(&name)
    }

    /// Returns whether a tool runs shell commands.
    pub(super) fn is_shell(self, name: &str) -> bool {
        self.profile().shells.contains(&name)
    }

    /// Returns whether shell commands of this agent can hold patches that its client carries out itself.
    pub(super) fn has_patches_in_shell(self) -> bool {
        self == Self::Codex
    }

    /// Returns the pattern that the gate is installed with: all tools, so that none that is new, renamed, or of an MCP server passes
    /// unseen.
    pub fn matcher() -> &'static str {
        ".*"
    }

    /// Returns the pattern of the hook after a tool: the tools that read or write files, or all, where notes are delivered after any.
    pub(super) fn matcher_afterwards(self) -> String {
        if self.takes_notes_afterwards() {
            return Self::matcher().to_owned();
        }
        let profile = self.profile();
        let tools = profile.tools.iter();
        let own = tools.filter(|(_, kind)| *kind != ToolKind::Diff);
        let mut names: Vec<&str> = own.map(|&(tool, _)| tool).collect();
        names.extend(profile.readers);
        // Some clients search the pattern in the tool's name.
        format!("^({})$", names.join("|"))
    }

    /// Returns the tool that creates a file of one line, and its arguments: an object, or the text of a patch.
    #[cfg(feature = "mcp")]
    pub(in crate::agent) fn creation(self, file: &str, line: &str) -> (&'static str, Value) {
        let mut tools = self.profile().tools.iter();
        if let Some((tool, _)) = tools.find(|(_, kind)| *kind == ToolKind::Write) {
            let fields = self.fields();
            return (tool, json!({fields.path: file, fields.content: line}));
        }
        let patch = format!("*** Begin Patch\n*** Add File: {file}\n+{line}*** End Patch");
        ("apply_patch", patch.into())
    }

    pub(super) fn fields(self) -> &'static Fields {
        &self.profile().fields
    }

    pub(super) fn form(self) -> HookFormat {
        self.profile().form
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
