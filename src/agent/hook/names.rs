//! Agents that have a gate, and the names of their tools and arguments.

use std::fmt;

/// An agent that calls a hook before it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Claude Code: `PreToolUse`.
    Claude,
    /// Codex: `PreToolUse`.
    Codex,
    /// GitHub Copilot CLI: `preToolUse`.
    Copilot,
    /// Gemini CLI: `BeforeTool`.
    Gemini,
    /// opencode: a plugin of ours, which speaks our own form.
    Opencode,
    /// Qwen Code: `PreToolUse`, in the form of Claude Code.
    Qwen,
}

/// Kind of tool, which decides how its arguments are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One text in place of another.
    Replace,
    /// Several of these, one after the other.
    ReplaceSeveral,
    /// New contents.
    Write,
    /// A patch in Codex' envelope, of any number of files.
    Patch,
    /// A cell of a notebook.
    Notebook,
    /// New contents to show: a request of Gemini CLI to its companion, never to a hook.
    Diff,
}

/// Names of the arguments of an agent's tools.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) path: &'static str,
    pub(super) old: &'static str,
    pub(super) new: &'static str,
    /// Replaces every place; `None` where the agent has no such argument.
    pub(super) all: Option<&'static str>,
    /// New contents of a file.
    pub(super) content: &'static str,
    pub(super) patch: &'static str,
}

/// The tools that write, by agent.
const TOOLS: [(Agent, &str, Kind); 19] = [
    (Agent::Claude, "Edit", Kind::Replace),
    (Agent::Claude, "MultiEdit", Kind::ReplaceSeveral),
    (Agent::Claude, "Write", Kind::Write),
    (Agent::Claude, "NotebookEdit", Kind::Notebook),
    (Agent::Codex, "apply_patch", Kind::Patch),
    (Agent::Copilot, "edit", Kind::Replace),
    (Agent::Copilot, "create", Kind::Write),
    (Agent::Copilot, "apply_patch", Kind::Patch),
    (Agent::Gemini, "replace", Kind::Replace),
    (Agent::Gemini, "write_file", Kind::Write),
    (Agent::Gemini, "openDiff", Kind::Diff),
    (Agent::Opencode, "edit", Kind::Replace),
    (Agent::Opencode, "multiedit", Kind::ReplaceSeveral),
    (Agent::Opencode, "write", Kind::Write),
    (Agent::Opencode, "apply_patch", Kind::Patch),
    (Agent::Opencode, "patch", Kind::Patch),
    (Agent::Qwen, "edit", Kind::Replace),
    (Agent::Qwen, "write_file", Kind::Write),
    (Agent::Qwen, "notebook_edit", Kind::Notebook),
];

/// The tools that read a file, by agent. Codex reads by shell commands.
const READERS: [(Agent, &str); 4] = [
    (Agent::Claude, "Read"),
    (Agent::Gemini, "read_file"),
    (Agent::Opencode, "read"),
    (Agent::Qwen, "read_file"),
];

/// Tools of Codex that run shell commands, by the names that its hooks and its versions give them.
const CODEX_SHELLS: [&str; 6] = [
    "Bash",
    "exec_command",
    "local_shell",
    "shell",
    "shell_command",
    "unified_exec",
];

/// Name of the only argument of a tool that takes a plain text in place of arguments, such as the patch tool of Copilot CLI.
pub(super) const FREEFORM: &str = "input";

impl Agent {
    /// All agents.
    pub const ALL: [Self; 6] = [
        Self::Claude,
        Self::Codex,
        Self::Copilot,
        Self::Gemini,
        Self::Opencode,
        Self::Qwen,
    ];

    /// The name that commands and proposals know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Qwen => "qwen",
        }
    }

    /// The name that its makers gave it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Copilot => "GitHub Copilot CLI",
            Self::Gemini => "Gemini CLI",
            Self::Opencode => "opencode",
            Self::Qwen => "Qwen Code",
        }
    }

    /// Returns whether a hook can replace the arguments of a call. Where it cannot, countersign writes what a person changed.
    pub fn takes_amended_input(self) -> bool {
        self != Self::Qwen
    }

    /// Returns whether the model gets the reason of a denial by the exit code from standard output, and not from standard error.
    pub fn reads_reason_from_output(self) -> bool {
        self == Self::Copilot
    }

    /// Returns whether a message to the model is delivered by a hook after the tool, because the one before it cannot.
    pub fn takes_notes_afterwards(self) -> bool {
        matches!(self, Self::Gemini | Self::Qwen)
    }

    /// Returns what a tool does; `None` if it does not write, or is not known.
    pub(super) fn tool(self, name: &str) -> Option<Kind> {
        let mut tools = TOOLS.iter();
        tools
            .find(|(agent, tool, _)| *agent == self && *tool == name)
            .map(|&(_, _, kind)| kind)
    }

    /// Returns whether a tool reads a file, and nothing else.
    pub(super) fn is_reader(self, name: &str) -> bool {
        READERS.contains(&(self, name))
    }

    /// Returns whether a tool runs shell commands.
    pub(super) fn is_shell(self, name: &str) -> bool {
        self.shells().contains(&name)
    }

    /// Returns whether shell commands of this agent can hold patches that its client carries out itself.
    pub(super) fn has_patches_in_shell(self) -> bool {
        self == Self::Codex
    }

    /// Returns the names of the tools that run shell commands.
    fn shells(self) -> &'static [&'static str] {
        match self {
            Self::Claude => &["Bash"],
            Self::Codex => &CODEX_SHELLS,
            Self::Gemini | Self::Qwen => &["run_shell_command"],
            Self::Copilot | Self::Opencode => &["bash"],
        }
    }

    /// Returns the pattern that hooks are installed with: the tools that write, those that run shell commands, and those of other
    /// MCP servers, which may write.
    ///
    /// Codex and Gemini CLI search the pattern in the tool's name, so it is anchored.
    ///
    /// Copilot CLI names tools of MCP servers after the server, so its hook is called for all tools.
    pub fn matcher(self) -> String {
        if self == Self::Copilot {
            return ".*".to_owned();
        }
        let mut names = self.writers();
        if self == Self::Codex {
            // Codex takes the first two for names of the patch tool.
            names.extend(["Edit", "Write"]);
        }
        // A layer records them, so that the reviewer sees which command made a change.
        names.extend(self.shells());
        names.push(self.foreign_tools());
        pattern(&names)
    }

    /// Returns the pattern of the hook after a tool: the tools that read or write files, and those whose notes it delivers.
    pub(super) fn matcher_afterwards(self) -> String {
        let mut names = self.writers();
        let readers = READERS.iter().filter(|(agent, _)| *agent == self);
        names.extend(readers.map(|(_, tool)| tool));
        if self.takes_notes_afterwards() {
            names.extend(self.shells());
            names.push(self.foreign_tools());
        }
        pattern(&names)
    }

    /// Returns the names of the tools that write and are hooked.
    fn writers(self) -> Vec<&'static str> {
        let tools = TOOLS.iter();
        let own = tools.filter(|(agent, _, kind)| *agent == self && *kind != Kind::Diff);
        own.map(|&(_, tool, _)| tool).collect()
    }

    /// Returns the pattern of the tools of other MCP servers.
    fn foreign_tools(self) -> &'static str {
        if self == Self::Gemini {
            "mcp_.*"
        } else {
            "mcp__.*"
        }
    }

    pub(super) fn fields(self) -> &'static Fields {
        match self {
            Self::Claude | Self::Qwen => &Fields {
                path: "file_path",
                old: "old_string",
                new: "new_string",
                all: Some("replace_all"),
                content: "content",
                patch: "command",
            },
            Self::Codex => &Fields {
                path: "path",
                old: "old_string",
                new: "new_string",
                all: Some("replace_all"),
                content: "content",
                patch: "command",
            },
            Self::Copilot => &Fields {
                path: "path",
                old: "old_str",
                new: "new_str",
                all: None,
                content: "file_text",
                patch: FREEFORM,
            },
            Self::Gemini => &Fields {
                path: "file_path",
                old: "old_string",
                new: "new_string",
                all: Some("allow_multiple"),
                content: "content",
                patch: "command",
            },
            Self::Opencode => &Fields {
                path: "filePath",
                old: "oldString",
                new: "newString",
                all: Some("replaceAll"),
                content: "content",
                patch: "patchText",
            },
        }
    }
}

fn pattern(names: &[&str]) -> String {
    format!("^({})$", names.join("|"))
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}
